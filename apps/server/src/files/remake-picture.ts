import type { Transformer } from '@napi-rs/image';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { createGate } from '../limits/gate.ts';
import { type PictureHeader, type PictureType, readPictureHeader } from './picture-header.ts';

export type Picture = PictureHeader & { bytes: Buffer };

/** Phone cameras' default. Decoding, turning and scaling it takes some 300 MB for a moment. */
export const pixelsMax = 25_000_000;
/** No screen shows more of a picture in a page; larger ones are scaled down. */
const edgeMaxPx = 2_560;
const lossyQuality = 85;

/** Portraits are shown small, cropped to a square around the centre. */
const portraitEdgePx = 256;

/** Loaded on demand: megabytes of native code that a server without uploads does not need. */
const loadCodec = () => import('@napi-rs/image');
type Codec = Awaited<ReturnType<typeof loadCodec>>;

/** Decoded pictures are large, so they are processed one at a time; uploads are fewer than may wait. */
const inTurn = createGate(1, 64);

/**
 * Re-encodes a picture from its pixels. Metadata such as the location, thumbnails and appended scripts is dropped,
 * after turning the pixels the way the camera was held. Only the first frame of an animation is kept.
 * @param bytes the whole file.
 */
export async function remakePicture(
  bytes: Buffer,
  shape: 'as-it-is' | 'portrait' = 'as-it-is',
): Promise<Result<Picture, { code: 'unreadable' | 'too_many_pixels' }>> {
  const claimed = readPictureHeader(bytes);
  if (claimed === null) return failed({ code: 'unreadable' });
  if (claimed.widthPx * claimed.heightPx > pixelsMax) return failed({ code: 'too_many_pixels' });
  const remade = await inTurn(() => reencode(bytes, claimed, shape).catch(() => null));
  const header = remade === null ? null : readPictureHeader(remade);
  return remade === null || header === null ? failed({ code: 'unreadable' }) : ok({ ...header, bytes: remade });
}

async function reencode(
  bytes: Buffer,
  { type, widthPx, heightPx }: PictureHeader,
  shape: 'as-it-is' | 'portrait',
): Promise<Buffer> {
  const codec = await loadCodec();
  const picture = new codec.Transformer(bytes).rotate();
  if (shape === 'portrait') {
    const edgePx = Math.min(widthPx, heightPx, portraitEdgePx);
    picture.resize({ width: edgePx, height: edgePx, fit: codec.ResizeFit.Cover });
  } else if (Math.max(widthPx, heightPx) > edgeMaxPx) {
    picture.resize({ width: edgeMaxPx, height: edgeMaxPx, fit: codec.ResizeFit.Inside });
  }
  return encoders[type](picture, codec);
}

const encoders: Readonly<Record<PictureType, (picture: Transformer, codec: Codec) => Promise<Buffer>>> = {
  // The encoder writes full colour; a logo of five colours gets ten times smaller with a palette.
  'image/png': async (picture, codec) => codec.losslessCompressPng(await picture.png(), { strip: true }),
  'image/jpeg': (picture) => picture.jpeg(lossyQuality),
  'image/webp': (picture) => picture.webp(lossyQuality),
};
