import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import type { KeptBytes } from '../files/file-store.ts';
import type { FileColumn } from '../http/file-cells.ts';
import { xlsxStream, xlsxType } from '../http/xlsx.ts';

const fileBytesMax = 64 * 1024 * 1024;

export function textColumn<Row>(
  head: string,
  widthCharacters: number,
  of: (row: Row) => string | null,
): FileColumn<Row> {
  return { head, widthCharacters, cell: (row) => ({ text: of(row) }) };
}

/** Keeps the one file that has the passwords of stations; the database only has their hashes. */
export async function keepPasswordFile<Row>(
  { files }: Pick<Context, 'files'>,
  { title, name, at }: { title: string; name: string; at: Instant },
  columns: FileColumn<Row>[],
  rows: readonly Row[],
): Promise<{ kept: KeptBytes; name: string; contentType: string }> {
  async function* batches() {
    yield rows;
  }
  const kept = await files.put(xlsxStream(title, columns, batches()), { bytesMax: fileBytesMax });
  if (!kept.ok) throw new Error('a file of station passwords is too large');
  return { kept: kept.value, name: `${name} ${shanghaiDate(at)}.xlsx`, contentType: xlsxType };
}
