import { PDFiumLibrary } from '@hyzyla/pdfium';

const pixelsPerPoint = 2;

export type ReadInvoice = {
  pages: number;
  text: string;
  pixels: { data: Uint8Array; width: number; height: number };
};

/** A document as a PDF reader sees it: the text of its first page, and its picture. */
export async function readInvoice(pdf: Buffer): Promise<ReadInvoice> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    const pages = [...document.pages()];
    const [page] = pages;
    if (page === undefined) throw new Error('a document without a page');
    const text = page.getText();
    // Rendering closes the page.
    const { data, width, height } = await page.render({ scale: pixelsPerPoint, render: 'bitmap' });
    return { pages: pages.length, text, pixels: { data, width, height } };
  } finally {
    document.destroy();
    library.destroy();
  }
}
