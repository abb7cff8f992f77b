import { PDFiumLibrary } from '@hyzyla/pdfium';
import { type LabelFormat, labelCorner, labelPlace } from '@voltdeck/contract/label-formats';
import jsQR from 'jsqr';

/** Enough for a phone's camera: some five pixels a module. */
const pixelsPerPoint = 2;
const pixelsPerMm = (pixelsPerPoint * 72) / 25.4;

export type ReadPage = { text: string; kinds: string[]; codes: string[] };

/** The pages of a sheet as a reader sees them: their text, the kinds of their parts, and what their codes say. */
export async function readSheet(pdf: Buffer, format: LabelFormat): Promise<ReadPage[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const pages: ReadPage[] = [];
  try {
    for (const page of document.pages()) {
      const kinds = new Set<string>();
      for (const part of page.objects()) kinds.add(part.type);
      const text = page.getText();
      // Rendering closes the page.
      const { data, width, height } = await page.render({ scale: pixelsPerPoint, render: 'bitmap' });
      pages.push({ text, kinds: [...kinds].sort(), codes: codesIn({ data, width, height }, format) });
    }
  } finally {
    document.destroy();
    library.destroy();
  }
  return pages;
}

type Pixels = { data: Uint8Array; width: number; height: number };

function codesIn(page: Pixels, format: LabelFormat): string[] {
  const { labelsPerPage, labelWidth, labelHeight } = labelPlace(format, 1);
  return Array.from({ length: labelsPerPage }, (_, index) => {
    const { x, y } = labelCorner(format, index);
    const label = cropped(page, { x, y, width: labelWidth, height: labelHeight });
    return jsQR.default(new Uint8ClampedArray(label.data), label.width, label.height)?.data ?? '';
  }).filter((code) => code !== '');
}

function cropped({ data, width, height }: Pixels, mm: { x: number; y: number; width: number; height: number }): Pixels {
  const left = Math.round(mm.x * pixelsPerMm);
  const top = Math.round(mm.y * pixelsPerMm);
  const right = Math.min(width, Math.round((mm.x + mm.width) * pixelsPerMm));
  const bottom = Math.min(height, Math.round((mm.y + mm.height) * pixelsPerMm));
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * width;
    return data.subarray((start + left) * 4, (start + right) * 4);
  });
  return { data: Buffer.concat(rows), width: right - left, height: bottom - top };
}
