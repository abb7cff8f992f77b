import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const file = new URL('../../fonts/noto-sans-sc-500.ttf.br', import.meta.url);
const unpack = promisify(brotliDecompress);
let unpacked: Promise<Buffer> | null = null;

/** Noto Sans SC with the characters of GBK; of these, a PDF gets those that it uses (tools/fonts makes the file). */
export function printFont(): Promise<Buffer> {
  unpacked ??= readFile(file).then((packed) => unpack(packed));
  return unpacked;
}
