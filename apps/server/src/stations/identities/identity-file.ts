import type { Language } from '@voltdeck/contract/permissions';
import type { IdentityBatch } from '@voltdeck/contract/station-identities';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import type { KeptBytes } from '../../files/file-store.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say } from '../../http/say.ts';
import { xlsxStream, xlsxType } from '../../http/xlsx.ts';
import { qrColumns } from '../imports/installer-file.ts';

export type MadeIdentity = {
  number: string;
  /** Null where the protocol has none. */
  password: string | null;
};

const fileBytesMax = 64 * 1024 * 1024;

/** Keeps what the factory needs; nothing else has the passwords, of which the database only has hashes. */
export async function keepIdentityFile(
  { files }: Pick<Context, 'files'>,
  { batch, protocol, type, connectorCount, manufacturer, equipmentModel }: IdentityBatch,
  made: readonly MadeIdentity[],
  { language, at }: { language: Language; at: Instant },
): Promise<{ kept: KeptBytes; name: string; contentType: string }> {
  const title = say(language, 'identities.file');
  const rows = made.map((one) => ({ ...one, connectorCount }));
  const text = (head: string, widthCharacters: number, of: (row: MadeIdentity) => string | null) => ({
    head,
    widthCharacters,
    cell: (row: MadeIdentity) => ({ text: of(row) }),
  });
  const columns: FileColumn<(typeof rows)[number]>[] = [
    text(say(language, 'stations.number'), 22, ({ number }) => number),
    text(say(language, 'stations.password'), 26, ({ password }) => password),
    text(say(language, 'stations.protocol'), 14, () => say(language, `protocol.${protocol}`)),
    text(say(language, 'stations.type'), 12, () => say(language, `station-type.${type}`)),
    text(say(language, 'stations.manufacturer'), 18, () => manufacturer ?? null),
    text(say(language, 'stations.equipmentModel'), 18, () => equipmentModel ?? null),
    text(say(language, 'identities.batch'), 18, () => batch),
    ...qrColumns(rows, language),
  ];
  async function* batches() {
    yield rows;
  }
  const kept = await files.put(xlsxStream(title, columns, batches()), { bytesMax: fileBytesMax });
  if (!kept.ok) throw new Error('the file of identities is too large');
  return { kept: kept.value, name: `${title} ${batch} ${shanghaiDate(at)}.xlsx`, contentType: xlsxType };
}
