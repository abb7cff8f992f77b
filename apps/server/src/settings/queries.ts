import type { QueryOf } from '@voltdeck/contract/route';
import type { Config, listConfigs } from '@voltdeck/contract/settings';
import type { ConfigId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

const columns = [
  'id',
  'name',
  'key',
  'value',
  'sealed',
  'remark',
  'public',
  'secret',
  'built_in as builtIn',
  'changed_at as changedAt',
] as const;

type ConfigRow = Omit<Config, 'hasValue' | 'changedAt'> & { sealed: Buffer | null; changedAt: Instant };

/** A secret that cannot be opened any more counts as none: it has to be entered again. */
function toConfig(box: SecretBox, { sealed, ...row }: ConfigRow): Config {
  const opened = sealed === null ? null : box.open(row.key, sealed);
  return {
    ...row,
    value: row.secret ? '' : row.value,
    hasValue: opened === null ? row.value !== '' : opened.ok && opened.value !== '',
    changedAt: toIso(row.changedAt),
  };
}

export async function findConfig(db: Kysely<Tables>, box: SecretBox, id: ConfigId): Promise<Config | null> {
  const row = await db.selectFrom('configs').select(columns).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toConfig(box, row);
}

export async function listConfigPage(
  db: Kysely<Tables>,
  box: SecretBox,
  filter: QueryOf<typeof listConfigs>,
  span: Span,
) {
  let filtered = db.selectFrom('configs');
  if (filter.name !== undefined) filtered = filtered.where('name', 'ilike', containing(filter.name));
  if (filter.key !== undefined) filtered = filtered.where('key', 'ilike', containing(filter.key));
  const { name, direction } = sortOf<'key' | 'changedAt'>(filter.sort ?? 'key');
  const [rows, total] = await Promise.all([
    filtered
      .select(columns)
      .orderBy(name === 'key' ? 'key' : 'changed_at', direction)
      .orderBy('id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map((row) => toConfig(box, row)), ...total };
}

/** The keys of secrets that this installation's key does not open. */
export async function unreadableSecrets(db: Kysely<Tables>, box: SecretBox): Promise<string[]> {
  const rows = await db.selectFrom('configs').select(['key', 'sealed']).where('sealed', 'is not', null).execute();
  return rows.filter(({ key, sealed }) => sealed !== null && !box.open(key, sealed).ok).map(({ key }) => key);
}
