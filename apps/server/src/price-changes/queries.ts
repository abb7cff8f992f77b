import {
  listPriceChangeStations,
  listPriceChanges,
  type PriceChange,
  type PriceChangeState,
  type PriceChangeStation,
} from '@voltdeck/contract/price-changes';
import type { PriceChangeId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';

type Tally = PriceChange['tally'];

const hasRow = (states: string) =>
  `exists (select 1 from price_change_stations r where r.price_change_id = price_changes.id and r.state in (${states}))`;

/** Derived from the rows of its stations, which triggers keep up to date. */
const shownState: RawBuilder<PriceChangeState> = sql.raw(`case
  when price_changes.state <> 'applied' then price_changes.state
  when ${hasRow("'refused', 'offline'")} then 'partly'
  when ${hasRow("'waiting', 'sent'")} then 'running'
  else 'done' end`);

const tally: RawBuilder<Partial<Tally> | null> = sql.raw(`(
  select jsonb_object_agg(state, count) from (
    select r.state, count(*) as count from price_change_stations r
     where r.price_change_id = price_changes.id group by r.state) counted)`);

function withNames<O>(query: SelectQueryBuilder<Tables, 'price_changes', O>, { language }: Pick<Caller, 'language'>) {
  return query
    .innerJoin('tariffs as rule', 'rule.id', 'price_changes.rule_id')
    .leftJoin('tariffs as given', 'given.id', 'price_changes.tariff_id')
    .leftJoin('agents', 'agents.id', 'price_changes.agent_id')
    .leftJoin('users', 'users.id', 'price_changes.created_by')
    .select([
      'price_changes.id',
      'price_changes.name',
      'price_changes.rule_id as ruleId',
      'rule.name as ruleName',
      'given.version',
      'price_changes.slots',
      'price_changes.effective_at as effectiveAt',
      'price_changes.remark',
      shownState.as('state'),
      tally.as('tally'),
      'price_changes.agent_id as agentId',
      'agents.name as agentName',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('createdBy'),
      'price_changes.created_at as createdAt',
      'price_changes.applied_at as appliedAt',
      'price_changes.cancelled_at as cancelledAt',
    ]);
}

type Row = Omit<PriceChange, 'tally' | 'stations' | 'effectiveAt' | 'createdAt' | 'appliedAt' | 'cancelledAt'> & {
  tally: Partial<Tally> | null;
  effectiveAt: Instant;
  createdAt: Instant;
  appliedAt: Instant | null;
  cancelledAt: Instant | null;
};

function toPriceChange({ tally: counted, ...row }: Row): PriceChange {
  const all = { waiting: 0, sent: 0, taken: 0, refused: 0, offline: 0, skipped: 0, ...counted };
  return {
    ...row,
    tally: all,
    stations: Object.values(all).reduce((sum, count) => sum + count, 0),
    effectiveAt: toIso(row.effectiveAt),
    createdAt: toIso(row.createdAt),
    appliedAt: isoOrNull(row.appliedAt),
    cancelledAt: isoOrNull(row.cancelledAt),
  };
}

export async function findPriceChange(
  db: Kysely<Tables>,
  caller: Caller,
  id: PriceChangeId,
): Promise<PriceChange | null> {
  const row = await withNames(scoped(db.selectFrom('price_changes'), caller, 'price_changes.agent_id'), caller)
    .where('price_changes.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toPriceChange(row);
}

export const priceChangeList = listSource({
  route: listPriceChanges,
  filtered(db, caller, filter) {
    let changes = scoped(db.selectFrom('price_changes'), caller, 'price_changes.agent_id');
    const { name, state, ruleId, agentId } = filter;
    if (name !== undefined) changes = changes.where('price_changes.name', 'ilike', containing(name));
    if (state !== undefined) changes = changes.where(sql<boolean>`${shownState} = any(${[...state]})`);
    if (ruleId !== undefined) {
      changes = changes.where(
        sql<boolean>`price_changes.rule_id = (select rule_id from tariffs where tariffs.id = ${ruleId})`,
      );
    }
    if (agentId !== undefined) changes = changes.where('price_changes.agent_id', '=', agentId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) changes = changes.where('price_changes.effective_at', '>=', from);
    if (to !== null) changes = changes.where('price_changes.effective_at', '<=', to);
    return changes;
  },
  id: sql`price_changes.id`,
  sorts: { effectiveAt: sql`price_changes.effective_at`, createdAt: sql`price_changes.created_at` },
  rows: (db, read) => withNames(db.selectFrom('price_changes'), read),
  toItem: toPriceChange,
});

export const priceChangeStationList = listSource({
  route: listPriceChangeStations,
  filtered(db, caller, filter) {
    let rows = scoped(
      db
        .selectFrom('price_change_stations')
        .innerJoin('price_changes', 'price_changes.id', 'price_change_stations.price_change_id')
        .innerJoin('stations', 'stations.id', 'price_change_stations.station_id'),
      caller,
      'price_changes.agent_id',
    );
    const { priceChangeId, state, stationNumber, protocol } = filter;
    if (priceChangeId !== undefined) rows = rows.where('price_change_stations.price_change_id', '=', priceChangeId);
    if (state !== undefined) rows = rows.where('price_change_stations.state', 'in', state);
    if (stationNumber !== undefined) rows = rows.where('stations.number', 'ilike', containing(stationNumber));
    if (protocol !== undefined) rows = rows.where('stations.protocol', 'in', protocol);
    return rows;
  },
  id: sql`price_change_stations.id`,
  sorts: { chosen: sql`price_change_stations.id`, answeredAt: sql`price_change_stations.answered_at` },
  sometimesAbsent: ['answeredAt'],
  rowsFor: (db, { caller }) =>
    db
      .selectFrom('price_change_stations')
      .innerJoin('stations', 'stations.id', 'price_change_stations.station_id')
      .leftJoin(
        // A station that has gone to somebody else is shown by its number alone.
        (eb) =>
          scoped(eb.selectFrom('stations'), caller, 'stations.agent_id')
            .innerJoin('sites', 'sites.id', 'stations.site_id')
            .select(['stations.id', 'stations.name', 'stations.online', 'sites.name as siteName'])
            .as('own'),
        (join) => join.onRef('own.id', '=', 'price_change_stations.station_id'),
      )
      .select([
        'price_change_stations.id',
        'price_change_stations.price_change_id as priceChangeId',
        'price_change_stations.station_id as stationId',
        'stations.number as stationNumber',
        'own.name as stationName',
        'own.siteName',
        'stations.protocol',
        'own.online',
        'price_change_stations.state',
        'price_change_stations.reason',
        'price_change_stations.applied_at as appliedAt',
        'price_change_stations.sent_at as sentAt',
        'price_change_stations.answered_at as answeredAt',
      ]),
  toItem: (row): PriceChangeStation => ({
    ...row,
    appliedAt: isoOrNull(row.appliedAt),
    sentAt: isoOrNull(row.sentAt),
    answeredAt: isoOrNull(row.answeredAt),
  }),
});
