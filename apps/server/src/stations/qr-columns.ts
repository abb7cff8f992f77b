import type { Language } from '@voltdeck/contract/languages';
import type { FileColumn } from '../http/file-cells.ts';
import { say } from '../http/say.ts';
import { qrTextOf } from './qr-text.ts';

/** One column for each gun port, so that a label printer takes them as they are. */
export function qrColumns<Row extends { number: string; connectorCount: number }>(
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
