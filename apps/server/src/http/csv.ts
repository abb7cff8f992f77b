import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hourMs, minuteMs, secondMs, shanghaiDateTime } from '@voltdeck/units/instant';
import type { Cell, FileColumn } from './file-cells.ts';

export const csvType = 'text/csv; charset=utf-8';
/** Without it, Excel in China reads the file as GBK. */
const byteOrderMark = '\ufeff';
/** Rows written without yielding to the other exports of the thread. */
const rowsAtOnce = 200;

/** Comma-separated values (RFC 4180), written as the rows arrive. */
export function csvStream<Row>(columns: readonly FileColumn<Row>[], batches: AsyncIterable<readonly Row[]>): Readable {
  return Readable.from(lines(columns, batches), { objectMode: false });
}

async function* lines<Row>(
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${byteOrderMark}${line(columns.map(({ head }) => quoted(head)))}`);
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const texts = rows
        .slice(from, from + rowsAtOnce)
        .map((row) => line(columns.map(({ cell }) => fieldOf(cell(row)))));
      yield Buffer.from(texts.join(''));
      await nextTurn();
    }
  }
}

const line = (fields: readonly string[]) => `${fields.join(',')}\r\n`;

function fieldOf(cell: Cell): string {
  if ('text' in cell) return cell.text === null ? '' : quoted(harmless(cell.text));
  if ('number' in cell) return cell.number === null ? '' : String(cell.number);
  if ('fen' in cell) return cell.fen === null ? '' : (cell.fen / 100).toFixed(2);
  if ('day' in cell) return cell.day ?? '';
  if ('durationMs' in cell) return cell.durationMs === null ? '' : duration(cell.durationMs);
  if ('exactAt' in cell) {
    const { exactAt } = cell;
    return exactAt === null ? '' : `${shanghaiDateTime(exactAt)}.${String(exactAt % secondMs).padStart(3, '0')}`;
  }
  return cell.at === null ? '' : shanghaiDateTime(cell.at);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An apostrophe keeps a spreadsheet from taking the text for a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}

function duration(ms: number): string {
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${Math.floor(ms / hourMs)}:${two((ms % hourMs) / minuteMs)}:${two((ms % minuteMs) / secondMs)}`;
}
