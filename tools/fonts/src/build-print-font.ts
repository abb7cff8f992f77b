import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import subsetFont from 'subset-font';
import { printedCharacters } from './printed-characters.ts';

/** The whole family is 92 MB, so it is fetched here and not installed. */
const family = '@expo-google-fonts/noto-sans-sc@0.4.3';
const weight = 'package/500Medium/NotoSansSC_500Medium.ttf';
const license = 'package/LICENSE_FONT';
/** A higher one takes minutes and saves little. */
const brotliQuality = 9;
const target = path.resolve(import.meta.dirname, '../../../apps/server/fonts');

/** Writes the font of printed pages anew: one weight with the characters of GBK, packed. */
const folder = mkdtempSync(path.join(tmpdir(), 'voltdeck-font-'));
try {
  execFileSync('npm', ['pack', '--silent', family], { cwd: folder, stdio: 'inherit' });
  execFileSync('tar', ['xzf', `${family.slice(1).replace('/', '-').replace('@', '-')}.tgz`, weight, license], {
    cwd: folder,
  });
  const font = await subsetFont(readFileSync(path.join(folder, weight)), printedCharacters(), {
    targetFormat: 'truetype',
    noLayoutClosure: true,
  });
  const packed = brotliCompressSync(font, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: font.length },
  });
  writeFileSync(path.join(target, 'noto-sans-sc-500.ttf.br'), packed);
  copyFileSync(path.join(folder, license), path.join(target, 'noto-sans-sc.license.txt'));
  process.stdout.write(`${font.length} bytes, ${packed.length} packed\n`);
} finally {
  rmSync(folder, { recursive: true });
}
