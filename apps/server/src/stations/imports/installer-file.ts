import type { Language } from '@voltdeck/contract/permissions';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import type { KeptBytes } from '../../files/file-store.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say } from '../../http/say.ts';
import { xlsxStream, xlsxType } from '../../http/xlsx.ts';
import { qrTextOf } from '../qr-text.ts';

/** A station as its factory or its installer needs it. */
export type InstallerRow = {
  number: string;
  name: string;
  siteName: string;
  connectorCount: number;
  /** Null where the protocol has none, or the factory has it already. */
  password: string | null;
};

const fileBytesMax = 64 * 1024 * 1024;

/** Keeps the one file that has the passwords; the database only has their hashes. */
export async function keepInstallerFile(
  { files }: Pick<Context, 'files'>,
  rows: readonly InstallerRow[],
  { language, at }: { language: Language; at: Instant },
): Promise<{ kept: KeptBytes; name: string; contentType: string }> {
  const title = say(language, 'import.installerFile');
  const text = (head: string, widthCharacters: number, of: (row: InstallerRow) => string | null) =>
    ({ head, widthCharacters, cell: (row) => ({ text: of(row) }) }) satisfies FileColumn<InstallerRow>;
  const columns: FileColumn<InstallerRow>[] = [
    text(say(language, 'stations.number'), 22, ({ number }) => number),
    text(say(language, 'stations.name'), 22, ({ name }) => name),
    text(say(language, 'stations.site'), 22, ({ siteName }) => siteName),
    text(say(language, 'stations.password'), 26, ({ password }) => password),
    ...qrColumns(rows, language),
  ];
  async function* batches() {
    yield rows;
  }
  const kept = await files.put(xlsxStream(title, columns, batches()), { bytesMax: fileBytesMax });
  if (!kept.ok) throw new Error('the file of new stations is too large');
  return { kept: kept.value, name: `${title} ${shanghaiDate(at)}.xlsx`, contentType: xlsxType };
}

/** One column for each gun port, so that a label printer takes them as they are. */
export function qrColumns<Row extends Pick<InstallerRow, 'number' | 'connectorCount'>>(
  rows: readonly Row[],
  language: Language,
): FileColumn<Row>[] {
  const ports = Math.max(1, ...rows.map(({ connectorCount }) => connectorCount));
  return Array.from({ length: ports }, (_, index) => ({
    head: say(language, 'import.qrOfPort', { number: index + 1 }),
    widthCharacters: 26,
    cell: ({ number, connectorCount }: Row) => ({
      text: index < connectorCount ? qrTextOf(number, index + 1) : null,
    }),
  }));
}
