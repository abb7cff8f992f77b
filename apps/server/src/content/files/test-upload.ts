import { crc32, deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import type { FilePurpose, StoredFile } from '@voltdeck/contract/files';
import type { Answer, Ask, TestApi } from '../../http/test-api.ts';

export type Part =
  | { name: string; value: string }
  | { name: string; fileName: string | null; content: Buffer | string };

const boundary = 'voltdeck-test-boundary';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** A form as a browser writes it; `end` is its last line. */
export function formOf(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const chunks = parts.flatMap((part) => {
    const isFile = 'content' in part;
    const name = isFile && part.fileName !== null ? `; filename="${part.fileName}"` : '';
    const type = isFile ? 'Content-Type: application/x-whatever\r\n' : '';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"${name}\r\n${type}\r\n`;
    return [Buffer.from(head), Buffer.from(isFile ? part.content : part.value), Buffer.from('\r\n')];
  });
  return Buffer.concat([...chunks, Buffer.from(end)]);
}

/** Sends a form to the upload route over Fastify's own injection. */
export async function sendForm(
  api: TestApi,
  purpose: string,
  form: Buffer,
  { token = api.adminToken, language = 'en', headers = {} }: Ask = {},
): Promise<Pick<Answer<StoredFile>, 'status' | 'envelope' | 'data'>> {
  const response = await api.app.inject({
    method: 'POST',
    url: `/api/files?purpose=${purpose}`,
    headers: { ...(token === null ? {} : { token }), language, 'content-type': formType, ...headers },
    payload: form,
  });
  const envelope = response.json();
  return { status: response.statusCode, envelope, data: envelope.data };
}

export function uploadFile(
  api: TestApi,
  purpose: FilePurpose,
  content: Buffer | string,
  fileName = 'picture.png',
  ask?: Ask,
) {
  return sendForm(api, purpose, formOf([{ name: 'file', fileName, content }]), ask);
}

/** Pixels that no encoder can shrink much, the same ones every time. */
export function noise(widthPx: number, heightPx: number): Buffer {
  const pixels = Buffer.alloc(widthPx * heightPx * 4, 255);
  let state = 0x2545f491;
  for (let at = 0; at < pixels.length; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pixels.writeUIntLE(state & 0xffffff, at, 3);
  }
  return pixels;
}

export const drawPng = (widthPx: number, heightPx: number) =>
  Transformer.fromRgbaPixels(noise(widthPx, heightPx), widthPx, heightPx).png();
export const drawJpeg = (widthPx: number, heightPx: number) =>
  Transformer.fromRgbaPixels(noise(widthPx, heightPx), widthPx, heightPx).jpeg(80);
export const drawWebp = (widthPx: number, heightPx: number) =>
  Transformer.fromRgbaPixels(noise(widthPx, heightPx), widthPx, heightPx).webp(80);

/** A PNG that claims a size, whatever its data holds. */
export function claimPng(widthPx: number, heightPx: number, data: Buffer = deflateSync(Buffer.alloc(64))): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
