import type { QueryOf } from '@voltdeck/contract/route';
import type { listTariffs, Tariff } from '@voltdeck/contract/tariffs';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

/** The platform's rules are everybody's to read and to use. */
function visible<O>(query: SelectQueryBuilder<Tables, 'tariffs', O>, caller: Caller) {
  return scopedOrPlatform(query, caller, 'tariffs.agent_id');
}

/** Stations are counted within the caller's scope, or the platform's rule would tell how many others use it. */
function stationCount(caller: Caller) {
  const own = caller.agents === 'all' ? sql`true` : sql`stations.agent_id = any(${[...caller.agents]})`;
  return sql<number>`(select count(*) from stations
                       where (card_tariff_id = tariffs.id or wechat_tariff_id = tariffs.id) and ${own})`;
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'tariffs', O>, caller: Caller) {
  return query
    .select([
      'tariffs.id',
      'tariffs.name',
      'tariffs.kind',
      'tariffs.agent_id as agentId',
      'tariffs.detail',
      'tariffs.created_at as createdAt',
    ])
    .select(stationCount(caller).as('stationCount'));
}

function toTariff<Row extends { detail: unknown; createdAt: Instant }>(row: Row) {
  return { ...row, detail: row.detail as Tariff['detail'], createdAt: toIso(row.createdAt) };
}

export async function findTariff(db: Kysely<Tables>, caller: Caller, id: TariffId): Promise<Tariff | null> {
  const row = await columnsOf(visible(db.selectFrom('tariffs'), caller), caller)
    .where('tariffs.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toTariff(row);
}

export async function listTariffPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listTariffs>,
  span: Span,
) {
  let filtered = visible(db.selectFrom('tariffs'), caller);
  if (filter.name !== undefined) filtered = filtered.where('tariffs.name', 'ilike', containing(filter.name));
  if (filter.kind !== undefined) filtered = filtered.where('tariffs.kind', 'in', filter.kind);
  if (filter.agentId !== undefined) filtered = filtered.where('tariffs.agent_id', '=', filter.agentId);
  const { name, direction } = sortOf(filter.sort ?? '-createdAt');
  const column = name === 'name' ? sql`tariffs.name collate "zh-x-icu"` : sql`tariffs.created_at`;
  const [rows, total] = await Promise.all([
    columnsOf(filtered, caller)
      .orderBy(column, direction)
      .orderBy('tariffs.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toTariff), ...total };
}
