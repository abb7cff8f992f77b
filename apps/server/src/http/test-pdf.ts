import { PDFiumLibrary } from '@hyzyla/pdfium';

/** The text of each page of a PDF, as a reader finds it. */
export async function readPages(pdf: Buffer): Promise<string[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    return [...document.pages()].map((page) => page.getText());
  } finally {
    document.destroy();
    library.destroy();
  }
}
