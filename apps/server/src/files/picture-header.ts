export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

export type PictureHeader = { type: PictureType; widthPx: number; heightPx: number };

/**
 * The type and size that a picture claims, read before decoding: a few bytes may claim a picture that fills all memory.
 * Where the size is stated more than once, the largest counts.
 * @returns null when it is none of the three types, truncated, or claims no size.
 */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG, third edition, clause 5: the signature and then always the chunk IHDR. */
function readPng(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return null;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** ITU-T T.81, annex B. Read to its end marker, because decoders fill in grey what a truncated file lacks. */
function readJpeg(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let widthPx = 0;
  let heightPx = 0;
  let at = 2;
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) return sized('image/jpeg', widthPx, heightPx);
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    if (isAlone) {
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame && at + 9 <= bytes.length) {
      heightPx = Math.max(heightPx, bytes.readUInt16BE(at + 5));
      widthPx = Math.max(widthPx, bytes.readUInt16BE(at + 7));
    }
    at += 2 + length;
    if (marker === startOfScan) at = endOfScan(bytes, at);
  }
  return null;
}

/** The position of the next marker: inside a scan, 0xff is followed by 0 or is a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return bytes.length;
    if (next !== 0x00 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** RFC 9649: RIFF with VP8, VP8L or VP8X; an animation's frames may be larger than its container claims. */
function readWebp(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  let widthPx = 0;
  let heightPx = 0;
  const claim = (width: number, height: number) => {
    widthPx = Math.max(widthPx, width);
    heightPx = Math.max(heightPx, height);
  };
  for (let at = 12; at + 8 <= end; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, Math.min(at + 8 + length, end));
    if (kind === 'VP8X' && data.length >= 10) claim(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
    if (kind === 'ANMF' && data.length >= 12) claim(data.readUIntLE(6, 3) + 1, data.readUIntLE(9, 3) + 1);
    if (kind === 'VP8L' && data.length >= 5) {
      const sizes = data.readUInt32LE(1);
      claim((sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1);
    }
    if (kind === 'VP8 ' && data.length >= 10) claim(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
    at += 8 + length + (length % 2);
  }
  return sized('image/webp', widthPx, heightPx);
}

function sized(type: PictureType, widthPx: number, heightPx: number): PictureHeader | null {
  return widthPx > 0 && heightPx > 0 ? { type, widthPx, heightPx } : null;
}
