import jsQR from 'jsqr';
import type { Page } from 'playwright-core';

const drawnPx = 300;
const opaque = 255;

/** The text of the QR code in a picture, drawn by the browser on a white square; null when none is found. */
export async function qrTextOf(
  page: Page,
  picture: Buffer,
  type: 'image/png' | 'image/svg+xml',
): Promise<string | null> {
  const src = `data:${type};base64,${picture.toString('base64')}`;
  const shades = await page.evaluate(drawShades, { src, size: drawnPx });
  const pixels = Uint8ClampedArray.from(
    [...shades].flatMap((shade) => {
      const level = shade === '#' ? 0 : opaque;
      return [level, level, level, opaque];
    }),
  );
  return jsQR.default(pixels, drawnPx, drawnPx)?.data ?? null;
}

/** Runs in the page: a sign for each pixel, which is faster to send than its four colours. */
async function drawShades({ src, size }: { src: string; size: number }): Promise<string> {
  const image = new Image();
  image.src = src;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the browser draws nothing');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, size, size);
  const margin = size / 10;
  const scale = (size - 2 * margin) / Math.max(image.width, image.height);
  pen.drawImage(image, margin, margin, image.width * scale, image.height * scale);
  const { data } = pen.getImageData(0, 0, size, size);
  return Array.from({ length: size * size }, (_, at) => ((data[at * 4] ?? 0) < 128 ? '#' : ' ')).join('');
}
