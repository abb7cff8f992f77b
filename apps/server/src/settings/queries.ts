import type { Language } from '@voltdeck/contract/languages';
import { type Config, listConfigs } from '@voltdeck/contract/settings';
import type { ConfigId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

const columnsFor = (language: Language) =>
  [
    'id',
    shownName(language, 'config', 'name', 'name_key').as('name'),
    'key',
    'value',
    'sealed',
    shownName(language, 'config', 'remark', 'remark_key').as('remark'),
    'public',
    'secret',
    'built_in as builtIn',
    'changed_at as changedAt',
  ] as const;

type ConfigRow = Omit<Config, 'hasValue' | 'changedAt'> & { sealed: Buffer | null; changedAt: Instant };

/** A secret that cannot be opened counts as unset: it has to be entered again. Without a box it is not tried. */
function toConfig(box: SecretBox | null, { sealed, ...row }: ConfigRow): Config {
  const opened = sealed === null || box === null ? null : box.open(row.key, sealed);
  return {
    ...row,
    value: row.secret ? '' : row.value,
    hasValue: opened === null ? row.value !== '' || sealed !== null : opened.ok && opened.value !== '',
    changedAt: toIso(row.changedAt),
  };
}

export async function findConfig(
  db: Kysely<Tables>,
  box: SecretBox,
  id: ConfigId,
  language: Language,
): Promise<Config | null> {
  const row = await db.selectFrom('configs').select(columnsFor(language)).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toConfig(box, row);
}

/** Parameters belong to the installation. */
export const configList = listSource({
  route: listConfigs,
  platformOnly: true,
  filtered(db, { language }, filter) {
    let configs = db.selectFrom('configs');
    if (filter.name !== undefined) {
      configs = configs.where(shownName(language, 'config', 'name', 'name_key'), 'ilike', containing(filter.name));
    }
    if (filter.key !== undefined) configs = configs.where('key', 'ilike', containing(filter.key));
    return configs;
  },
  id: sql`configs.id`,
  sorts: { key: sql`configs.key`, changedAt: sql`configs.changed_at` },
  rows: (db, { language }) => db.selectFrom('configs').select(columnsFor(language)),
  toItem: (row, { secrets }) => toConfig(secrets, row),
});

/** The keys of secrets that this installation's key does not open. */
export async function unreadableSecrets(db: Kysely<Tables>, box: SecretBox): Promise<string[]> {
  const rows = await db.selectFrom('configs').select(['key', 'sealed']).where('sealed', 'is not', null).execute();
  return rows.filter(({ key, sealed }) => sealed !== null && !box.open(key, sealed).ok).map(({ key }) => key);
}
