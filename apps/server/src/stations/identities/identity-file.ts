import type { Language } from '@voltdeck/contract/languages';
import type { IdentityBatch } from '@voltdeck/contract/station-identities';
import type { Instant } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say } from '../../http/say.ts';
import { keepPasswordFile, textColumn } from '../password-file.ts';
import { qrColumns } from '../qr-columns.ts';

export type MadeIdentity = {
  number: string;
  /** Null where the protocol has none. */
  password: string | null;
};

/** Keeps what the factory needs. */
export async function keepIdentityFile(
  context: Pick<Context, 'files'>,
  { batch, protocol, type, connectorCount, manufacturer, equipmentModel }: IdentityBatch,
  made: readonly MadeIdentity[],
  { language, at }: { language: Language; at: Instant },
) {
  const title = say(language, 'identities.file');
  const rows = made.map((one) => ({ ...one, connectorCount }));
  const columns: FileColumn<(typeof rows)[number]>[] = [
    textColumn(say(language, 'stations.number'), 22, ({ number }) => number),
    textColumn(say(language, 'stations.password'), 26, ({ password }) => password),
    textColumn(say(language, 'stations.protocol'), 14, () => say(language, `protocol.${protocol}`)),
    textColumn(say(language, 'stations.type'), 12, () => say(language, `station-type.${type}`)),
    textColumn(say(language, 'stations.manufacturer'), 18, () => manufacturer ?? null),
    textColumn(say(language, 'stations.equipmentModel'), 18, () => equipmentModel ?? null),
    textColumn(say(language, 'identities.batch'), 18, () => batch),
    ...qrColumns(rows, language),
  ];
  return keepPasswordFile(context, { title, name: `${title} ${batch}`, at }, columns, rows);
}
