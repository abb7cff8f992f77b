import { listTariffs, type Tariff } from '@voltdeck/contract/tariffs';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';

/** Everyone may read and use the platform's rules. */
function visible<O>(query: SelectQueryBuilder<Tables, 'tariffs', O>, caller: Caller) {
  return scopedOrPlatform(query, caller, 'tariffs.agent_id');
}

/** Stations are counted within the caller's scope, or a platform rule would reveal how many others use it. */
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

export const tariffList = listSource({
  route: listTariffs,
  filtered(db, caller, filter) {
    let tariffs = visible(db.selectFrom('tariffs'), caller);
    if (filter.name !== undefined) tariffs = tariffs.where('tariffs.name', 'ilike', containing(filter.name));
    if (filter.kind !== undefined) tariffs = tariffs.where('tariffs.kind', 'in', filter.kind);
    if (filter.agentId !== undefined) tariffs = tariffs.where('tariffs.agent_id', '=', filter.agentId);
    return tariffs;
  },
  id: sql`tariffs.id`,
  sorts: { name: sql`tariffs.name collate "zh-x-icu"`, createdAt: sql`tariffs.created_at` },
  rowsFor: (db, { caller }) => columnsOf(db.selectFrom('tariffs'), caller),
  toItem: toTariff,
});
