import { PassThrough, type Readable } from 'node:stream';
import { type LabelFormat, labelCorner, labelFormats, labelPlace } from '@voltdeck/contract/label-formats';
import type { Language } from '@voltdeck/contract/languages';
import PDFDocument from 'pdfkit';
import { printFont } from '../../files/print-font.ts';
import { say } from '../../http/say.ts';
import { type LabelText, labelLines, lineHeight, type WidthOf } from './label-lines.ts';
import { qrRectangles } from './qr-rectangles.ts';

/** What a label says of its gun port. */
export type PortLabel = {
  stationName: string;
  siteName: string;
  /** The port's number, and its name, which is its number until somebody gives it another. */
  number: number;
  name: string;
  bayNumber: string | null;
  qrText: string;
};

type Pdf = InstanceType<typeof PDFDocument>;

const pointsPerMm = 72 / 25.4;
const nameSizeMm = 3.2;
const textSizeMm = 2.6;
const numberSizeMm = 2.4;
/** Modules of white around a code, within its box; the label's own margin is the rest of the four that ISO 18004 asks. */
const quietModules = 2;
/** From the top of a line to its base line, in font sizes: the middle of a Han character is that of the line. */
const baselineAt = lineHeight / 2 + 0.38;

/**
 * A sheet of labels as PDF: codes as vectors, texts in a font that is embedded. `onLabels` gets the number of labels of
 * each batch as it is drawn.
 */
export function labelSheet(
  { format, language, title }: { format: LabelFormat; language: Language; title: string },
  batches: AsyncIterable<readonly PortLabel[]>,
  onLabels: (labels: number) => void = () => undefined,
): Readable {
  const through = new PassThrough();
  const write = async () => {
    const { page } = labelFormats[format];
    const pdf = new PDFDocument({
      size: [page.width * pointsPerMm, page.height * pointsPerMm],
      margin: 0,
      autoFirstPage: false,
      // None of the standard fonts, which have no Chinese.
      font: null as unknown as string,
      lang: language,
      displayTitle: true,
      info: { Title: title, Producer: 'Voltdeck', Creator: 'Voltdeck' },
    });
    pdf.on('error', (error) => through.destroy(error as Error));
    pdf.pipe(through);
    const widthOf = await useFont(pdf);
    const { labelsPerPage } = labelPlace(format, 1);
    let drawn = 0;
    for await (const labels of batches) {
      for (const label of labels) {
        if (drawn % labelsPerPage === 0) pdf.addPage();
        draw(pdf, label, { format, language, index: drawn % labelsPerPage, widthOf });
        drawn += 1;
      }
      onLabels(labels.length);
      if (through.destroyed) return;
    }
    pdf.end();
  };
  write().catch((error: unknown) => through.destroy(error as Error));
  return through;
}

/** The font for everything, and the widths of its characters, each measured once. */
async function useFont(pdf: Pdf): Promise<WidthOf> {
  pdf.registerFont('print', (await printFont()) as unknown as ArrayBuffer);
  pdf.font('print');
  const known = new Map<string, number>();
  return (text) => {
    let width = 0;
    for (const character of text) {
      const one = known.get(character) ?? pdf.fontSize(1).widthOfString(character);
      known.set(character, one);
      width += one;
    }
    return width;
  };
}

type Drawing = { format: LabelFormat; language: Language; index: number; widthOf: WidthOf };

function draw(pdf: Pdf, label: PortLabel, { format, language, index, widthOf }: Drawing): void {
  const corner = labelCorner(format, index);
  const { code, text, isUpright } = labelPlace(format, 1);
  const lines = labelLines(textsOf(label, language), text, widthOf);
  const height = lines.reduce((sum, { sizeMm }) => sum + sizeMm * lineHeight, 0);
  const spare = Math.max(0, (text.height - height) / 2);
  const codeY = corner.y + code.y + (isUpright ? spare : 0);
  drawCode(pdf, label.qrText, { x: corner.x + code.x, y: codeY, sideMm: code.width });
  let y = corner.y + text.y + spare;
  for (const line of lines) {
    const space = isUpright ? Math.max(0, (text.width - widthOf(line.text) * line.sizeMm) / 2) : 0;
    const x = corner.x + text.x + space;
    const baseline = y + baselineAt * line.sizeMm;
    pdf.fontSize(line.sizeMm * pointsPerMm).text(line.text, x * pointsPerMm, baseline * pointsPerMm, {
      lineBreak: false,
      baseline: 'alphabetic',
      features: [],
    });
    y += line.sizeMm * lineHeight;
  }
}

/** What gives way first where a label lacks room: the site, then the port's own name and bay, then a long station's name. */
function textsOf(
  { stationName, siteName, number, name, bayNumber, qrText }: PortLabel,
  language: Language,
): LabelText[] {
  const port = say(language, 'port.numbered', { number });
  const bay = bayNumber === null ? '' : say(language, 'ports.bay', { number: bayNumber });
  return [
    { text: stationName, sizeMm: nameSizeMm, linesMax: 2, givesWay: 4 },
    { text: port, sizeMm: textSizeMm, linesMax: 1, givesWay: null },
    { text: name === String(number) ? '' : name, sizeMm: textSizeMm, linesMax: 1, givesWay: 2 },
    { text: bay, sizeMm: textSizeMm, linesMax: 1, givesWay: 3 },
    { text: siteName, sizeMm: textSizeMm, linesMax: 2, givesWay: 1 },
    { text: qrText, sizeMm: numberSizeMm, linesMax: null, givesWay: null },
  ];
}

/** One path for the whole code, so that no viewer shows seams between its rectangles. */
function drawCode(pdf: Pdf, text: string, { x, y, sideMm }: { x: number; y: number; sideMm: number }): void {
  const { size, rectangles } = qrRectangles(text);
  const module = (sideMm * pointsPerMm) / (size + 2 * quietModules);
  pdf.save();
  pdf.translate(x * pointsPerMm + quietModules * module, y * pointsPerMm + quietModules * module).scale(module);
  for (const rectangle of rectangles) pdf.rect(rectangle.x, rectangle.y, rectangle.width, rectangle.height);
  pdf.fill('#000000');
  pdf.restore();
}
