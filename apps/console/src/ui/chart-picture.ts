import { chartCanvas } from './Chart.tsx';
import { type ChartColours, readColours } from './chart-colours.ts';
import type { EChartsCoreOption } from './chart-engine.ts';

export type PicturedChart = {
  title: string;
  note: string;
  option: (colours: ChartColours) => EChartsCoreOption;
  heightPx: number;
};

/** Sharp on paper and on dense screens. */
const pixelRatio = 2;
const edgePx = 24;
const gapPx = 16;
const insetPx = 16;
const headPx = 60;
const font = 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif';

export type PageOfCharts = {
  title: string;
  /** Below the title: the period, the filters. */
  lines: readonly string[];
  figures: readonly { label: string; text: string }[];
  charts: readonly PicturedChart[];
  /** The whole picture, without its edges. */
  widthPx: number;
  columns: number;
};

const figureRows = { columns: 4, heightPx: 64 } as const;

/** Charts under one title as a PNG, in the colours of the page. @throws Error where the browser has no room for it */
export async function picture({ title, lines, figures, charts, widthPx, columns }: PageOfCharts): Promise<Blob> {
  const colours = readColours();
  const cellPx = (widthPx - gapPx * (columns - 1)) / columns;
  const figuresPx = Math.ceil(figures.length / figureRows.columns) * figureRows.heightPx;
  const topPx = edgePx + 32 + lines.length * 20 + gapPx;
  const tall = (chart: PicturedChart) => headPx + chart.heightPx + insetPx;
  const rows = Array.from({ length: Math.ceil(charts.length / columns) }, (_, row) =>
    charts.slice(row * columns, (row + 1) * columns),
  );
  const rowsPx = rows.map((row) => Math.max(...row.map(tall)) + gapPx);
  const heightPx = topPx + figuresPx + rowsPx.reduce((sum, each) => sum + each, 0) + edgePx - gapPx;

  const canvas = document.createElement('canvas');
  canvas.width = (widthPx + 2 * edgePx) * pixelRatio;
  canvas.height = heightPx * pixelRatio;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the browser gives no canvas of this size');
  pen.scale(pixelRatio, pixelRatio);
  pen.textBaseline = 'top';
  const write = (text: string, x: number, y: number, look: string, colour: string, maxPx = widthPx) => {
    pen.font = `${look} ${font}`;
    pen.fillStyle = colour;
    pen.fillText(fitted(pen, text, maxPx), x, y);
  };
  pen.fillStyle = colours.panel;
  pen.fillRect(0, 0, widthPx + 2 * edgePx, heightPx);
  write(title, edgePx, edgePx, '600 20px', colours.text);
  for (const [index, line] of lines.entries()) {
    write(line, edgePx, edgePx + 32 + index * 20, '12px', colours.textSecond);
  }
  const figurePx = widthPx / figureRows.columns;
  for (const [index, { label, text }] of figures.entries()) {
    const x = edgePx + (index % figureRows.columns) * figurePx;
    const y = topPx + Math.floor(index / figureRows.columns) * figureRows.heightPx;
    write(label, x, y, '12px', colours.textSecond, figurePx - gapPx);
    write(text, x, y + 18, '600 20px', colours.text, figurePx - gapPx);
  }
  let y = topPx + figuresPx;
  for (const [place, row] of rows.entries()) {
    for (const [column, chart] of row.entries()) {
      const x = edgePx + column * (cellPx + gapPx);
      pen.strokeStyle = colours.border;
      pen.strokeRect(x, y, cellPx, (rowsPx[place] ?? 0) - gapPx);
      write(chart.title, x + insetPx, y + 12, '600 14px', colours.text, cellPx - 2 * insetPx);
      write(chart.note, x + insetPx, y + 34, '12px', colours.textSecond, cellPx - 2 * insetPx);
      const widthOfChartPx = cellPx - 2 * insetPx;
      const size = { widthPx: widthOfChartPx, heightPx: chart.heightPx, pixelRatio };
      const image = chartCanvas(chart.option(colours), size);
      pen.drawImage(image, x + insetPx, y + headPx, widthOfChartPx, chart.heightPx);
    }
    y += rowsPx[place] ?? 0;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    );
  });
}

/** The text, cut where it would not fit. */
function fitted(pen: CanvasRenderingContext2D, text: string, maxPx: number): string {
  if (pen.measureText(text).width <= maxPx) return text;
  let kept = text;
  while (kept.length > 1 && pen.measureText(`${kept}…`).width > maxPx) kept = kept.slice(0, -1);
  return `${kept}…`;
}
