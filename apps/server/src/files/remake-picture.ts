import type { Transformer } from '@napi-rs/image';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { createGate } from '../limits/gate.ts';
import { type PictureHeader, type PictureType, readPictureHeader } from './picture-header.ts';

export type Picture = PictureHeader & { bytes: Buffer };

/** What phones' cameras make by default. Decoded, turned and scaled it takes some 300 MB for a moment. */
export const pixelsMax = 25_000_000;
/** No screen shows more of a picture in a page; larger ones are scaled down. */
const edgeMaxPx = 2_560;
const lossyQuality = 85;

/** Megabytes of native code that a server without uploads need not hold. */
const loadCodec = () => import('@napi-rs/image');
type Codec = Awaited<ReturnType<typeof loadCodec>>;

/** Decoded pictures are large: one at a time, and uploads are fewer than those that may wait. */
const inTurn = createGate(1, 64);

/**
 * Decodes a picture and encodes its pixels anew. What is not pixels – where it was taken, a thumbnail, a script behind its
 * end – does not come along; how the camera was held is turned into pixels first. Of an animation the first picture stays.
 * @param bytes the whole file.
 */
export async function remakePicture(
  bytes: Buffer,
): Promise<Result<Picture, { code: 'unreadable' | 'too_many_pixels' }>> {
  const claimed = readPictureHeader(bytes);
  if (claimed === null) return failed({ code: 'unreadable' });
  if (claimed.widthPx * claimed.heightPx > pixelsMax) return failed({ code: 'too_many_pixels' });
  const remade = await inTurn(() => encodeAnew(bytes, claimed).catch(() => null));
  const header = remade === null ? null : readPictureHeader(remade);
  return remade === null || header === null ? failed({ code: 'unreadable' }) : ok({ ...header, bytes: remade });
}

async function encodeAnew(bytes: Buffer, { type, widthPx, heightPx }: PictureHeader): Promise<Buffer> {
  const codec = await loadCodec();
  const picture = new codec.Transformer(bytes).rotate();
  if (Math.max(widthPx, heightPx) > edgeMaxPx) {
    picture.resize({ width: edgeMaxPx, height: edgeMaxPx, fit: codec.ResizeFit.Inside });
  }
  return encoders[type](picture, codec);
}

const encoders: Readonly<Record<PictureType, (picture: Transformer, codec: Codec) => Promise<Buffer>>> = {
  // The encoder writes full colours; a logo with five of them is ten times smaller when they are counted.
  'image/png': async (picture, codec) => codec.losslessCompressPng(await picture.png(), { strip: true }),
  'image/jpeg': (picture) => picture.jpeg(lossyQuality),
  'image/webp': (picture) => picture.webp(lossyQuality),
};
