import type { Language } from '@voltdeck/contract/languages';
import type { Instant } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import type { FileColumn } from '../../http/file-cells.ts';
import { say } from '../../http/say.ts';
import type { AddedStation } from '../add-stations.ts';
import { keepPasswordFile, textColumn } from '../password-file.ts';
import { qrColumns } from '../qr-columns.ts';
import type { GoodRow } from './check-rows.ts';

/** Keeps what the installers of new stations need. */
export async function keepInstallerFile(
  context: Pick<Context, 'files'>,
  added: readonly AddedStation<GoodRow>[],
  { language, at }: { language: Language; at: Instant },
) {
  const title = say(language, 'import.installerFile');
  const rows = added.map(({ form, siteName, password }) => ({ ...form, siteName, password }));
  const columns: FileColumn<(typeof rows)[number]>[] = [
    textColumn(say(language, 'stations.number'), 22, ({ number }) => number),
    textColumn(say(language, 'stations.name'), 22, ({ name }) => name),
    textColumn(say(language, 'stations.site'), 22, ({ siteName }) => siteName),
    textColumn(say(language, 'stations.password'), 26, ({ password }) => password),
    ...qrColumns(rows, language),
  ];
  return keepPasswordFile(context, { title, name: title, at }, columns, rows);
}
