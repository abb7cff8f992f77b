import type { EquipmentType } from '@voltdeck/charging/states';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import {
  type getDefaultTariff,
  listStationTariffs,
  listTariffs,
  type StationTariff,
  type Tariff,
  type TariffVersion,
  tariffVersionsMax,
} from '@voltdeck/contract/tariffs';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isInScope, scoped, scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { stationsWithout } from './stations-without-rule.ts';

/** Everyone may read and use the platform's rules. */
function visible<O>(query: SelectQueryBuilder<Tables, 'tariffs', O>, caller: Caller) {
  return scopedOrPlatform(query, caller, 'tariffs.agent_id');
}

/** Whether a record of `agentId` counts for the caller; a platform rule must not reveal how many others use it. */
function isOwn(caller: Pick<Caller, 'agents'>, agentId: RawBuilder<unknown>): RawBuilder<boolean> {
  return caller.agents === 'all' ? sql`true` : sql`${agentId} = any(${[...caller.agents]}::bigint[])`;
}

/** Stations that have any version of the rule of a row of `tariffs`. */
function stationsOfRule(caller: Caller): RawBuilder<unknown> {
  const own = isOwn(caller, sql`s.agent_id`);
  return sql`(
    select s.id from tariffs v join stations s on s.card_tariff_id = v.id where v.rule_id = tariffs.rule_id and ${own}
    union
    select s.id from tariffs v join stations s on s.wechat_tariff_id = v.id where v.rule_id = tariffs.rule_id and ${own})`;
}

function isInUse(caller: Caller): RawBuilder<boolean> {
  const own = isOwn(caller, sql`s.agent_id`);
  const has = (column: 'card_tariff_id' | 'wechat_tariff_id') =>
    sql`exists (select 1 from tariffs v join stations s on ${sql.ref(`s.${column}`)} = v.id
                 where v.rule_id = tariffs.rule_id and ${own})`;
  return sql<boolean>`(${has('card_tariff_id')} or ${has('wechat_tariff_id')})`;
}

const isPlatformDefault = sql<boolean>`exists (
  select 1 from tariff_defaults d where d.rule_id = tariffs.rule_id and d.agent_id is null)`;

function isAgentDefault(caller: Caller): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from tariff_defaults d
     where d.rule_id = tariffs.rule_id and d.agent_id is not null and ${isOwn(caller, sql`d.agent_id`)})`;
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'tariffs', O>, caller: Caller) {
  return query
    .leftJoin('agents', 'agents.id', 'tariffs.agent_id')
    .select([
      'tariffs.id',
      'tariffs.rule_id as ruleId',
      'tariffs.version',
      'tariffs.state',
      'tariffs.effective_at as effectiveAt',
      'tariffs.name',
      'tariffs.note',
      'tariffs.kind',
      'tariffs.agent_id as agentId',
      'agents.name as agentName',
      'tariffs.detail',
      'tariffs.created_at as createdAt',
    ])
    .select([
      sql<EquipmentType[]>`array(select d.equipment_type from tariff_defaults d
        where d.rule_id = tariffs.rule_id and d.agent_id is null order by 1)`.as('platformDefaultFor'),
      sql<EquipmentType[]>`array(select distinct d.equipment_type from tariff_defaults d
        where d.rule_id = tariffs.rule_id and d.agent_id is not null
          and ${isOwn(caller, sql`d.agent_id`)} order by 1)`.as('agentDefaultFor'),
      sql<number>`(select count(*) from ${stationsOfRule(caller)} as used)`.as('stationCount'),
      sql<{ id: TariffId; version: number; at: number } | null>`(
        select json_build_object('id', w.id, 'version', w.version,
                                 'at', floor(extract(epoch from w.effective_at) * 1000)::bigint)
          from tariffs w where w.rule_id = tariffs.rule_id and w.state = 'waiting'
         order by w.effective_at limit 1)`.as('next'),
    ]);
}

type Row = Omit<Tariff, 'detail' | 'effectiveAt' | 'createdAt' | 'next'> & {
  detail: unknown;
  effectiveAt: Instant;
  createdAt: Instant;
  next: { id: TariffId; version: number; at: number } | null;
};

function toTariff({ detail, effectiveAt, createdAt, next, ...row }: Row): Tariff {
  return {
    ...row,
    detail: detail as Tariff['detail'],
    effectiveAt: toIso(effectiveAt),
    createdAt: toIso(createdAt),
    next: next === null ? null : { id: next.id, version: next.version, effectiveAt: toIso(next.at as Instant) },
  };
}

export async function findTariff(db: Kysely<Tables>, caller: Caller, id: TariffId): Promise<Tariff | null> {
  const row = await columnsOf(visible(db.selectFrom('tariffs'), caller), caller)
    .where('tariffs.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toTariff(row);
}

/** All versions of the rule that any version's id names, the latest first; null where the caller sees no such rule. */
export async function findVersions(
  db: Kysely<Tables>,
  caller: Caller,
  id: TariffId,
): Promise<{ items: TariffVersion[] } | null> {
  const own = isOwn(caller, sql`s.agent_id`);
  const rows = await visible(db.selectFrom('tariffs'), caller)
    .leftJoin('users', 'users.id', 'tariffs.created_by')
    .select([
      'tariffs.id',
      'tariffs.version',
      'tariffs.state',
      'tariffs.effective_at as effectiveAt',
      'tariffs.created_at as createdAt',
      'tariffs.detail',
      shownName<string | null>(caller.language, 'user', 'users.real_name', 'users.real_name_key').as('createdBy'),
      sql<number>`(select count(*) from (
          select s.id from stations s where s.card_tariff_id = tariffs.id and ${own}
          union select s.id from stations s where s.wechat_tariff_id = tariffs.id and ${own}) as used)`.as(
        'stationCount',
      ),
    ])
    .where('tariffs.rule_id', '=', (query) =>
      query.selectFrom('tariffs as named').select('named.rule_id').where('named.id', '=', id),
    )
    .orderBy('tariffs.version', 'desc')
    .limit(tariffVersionsMax)
    .execute();
  if (rows.length === 0) return null;
  return {
    items: rows.map(({ effectiveAt, createdAt, detail, ...row }) => ({
      ...row,
      detail: detail as Tariff['detail'],
      effectiveAt: toIso(effectiveAt),
      createdAt: toIso(createdAt),
    })),
  };
}

export const tariffList = listSource({
  route: listTariffs,
  filtered(db, caller, filter) {
    let tariffs = visible(db.selectFrom('tariffs'), caller)
      .where('tariffs.state', '=', sql.lit('in_force'))
      .where('tariffs.archived_at', 'is', null);
    if (filter.name !== undefined) tariffs = tariffs.where('tariffs.name', 'ilike', containing(filter.name));
    if (filter.kind !== undefined) tariffs = tariffs.where('tariffs.kind', 'in', filter.kind);
    if (filter.agentId !== undefined) tariffs = tariffs.where('tariffs.agent_id', '=', filter.agentId);
    if (filter.default !== undefined) {
      const ways = {
        platform: isPlatformDefault,
        agent: isAgentDefault(caller),
        none: sql<boolean>`not (${isPlatformDefault} or ${isAgentDefault(caller)})`,
      };
      const wanted = filter.default.map((way) => ways[way]);
      tariffs = tariffs.where((query) => query.or(wanted));
    }
    if (filter.inUse !== undefined) {
      tariffs = tariffs.where(sql<boolean>`${isInUse(caller)} = ${filter.inUse}`);
    }
    return tariffs;
  },
  id: sql`tariffs.id`,
  sorts: {
    name: sql`tariffs.name collate "zh-x-icu"`,
    createdAt: sql`tariffs.created_at`,
    effectiveAt: sql`tariffs.effective_at`,
    version: sql`tariffs.version`,
  },
  rowsFor: (db, { caller }) => columnsOf(db.selectFrom('tariffs'), caller),
  toItem: toTariff,
});

/** When the same station's next tariff of this use began. */
const nextFromAt = sql<Instant | null>`(
  select min(n.from_at) from station_tariffs n
   where n.station_id = station_tariffs.station_id and n.kind = station_tariffs.kind
     and n.from_at > station_tariffs.from_at)`;

export const stationTariffList = listSource({
  route: listStationTariffs,
  filtered(db, caller, filter) {
    let had = scoped(
      db.selectFrom('station_tariffs').innerJoin('stations', 'stations.id', 'station_tariffs.station_id'),
      caller,
      'stations.agent_id',
    ).where('station_tariffs.tariff_id', 'is not', null);
    // A station may have come from another agent, whose rules stay its own.
    if (caller.agents !== 'all') {
      had = had.where(sql<boolean>`exists (
        select 1 from tariffs v
         where v.id = station_tariffs.tariff_id and (v.agent_id is null or ${isOwn(caller, sql`v.agent_id`)}))`);
    }
    if (filter.ruleId !== undefined) {
      const version = filter.version === undefined ? sql`true` : sql`v.version = ${filter.version}`;
      had = had.where(sql<boolean>`station_tariffs.tariff_id in (
        select v.id from tariffs v
         where v.rule_id = (select rule_id from tariffs where id = ${filter.ruleId}) and ${version})`);
    } else if (filter.version !== undefined) {
      had = had.where(sql<boolean>`exists (
        select 1 from tariffs v where v.id = station_tariffs.tariff_id and v.version = ${filter.version})`);
    }
    if (filter.stationId !== undefined) had = had.where('station_tariffs.station_id', '=', filter.stationId);
    if (filter.kind !== undefined) had = had.where('station_tariffs.kind', 'in', filter.kind);
    if (filter.isCurrent !== undefined) had = had.where(sql<boolean>`(${nextFromAt} is null) = ${filter.isCurrent}`);
    return had;
  },
  id: sql`station_tariffs.id`,
  sorts: { fromAt: sql`station_tariffs.from_at` },
  rows: (db) =>
    db
      .selectFrom('station_tariffs')
      .innerJoin('stations', 'stations.id', 'station_tariffs.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id')
      .innerJoin('tariffs', 'tariffs.id', 'station_tariffs.tariff_id')
      .select([
        'station_tariffs.id',
        'stations.id as stationId',
        'stations.number as stationNumber',
        'stations.name as stationName',
        'sites.name as siteName',
        'station_tariffs.kind',
        'tariffs.id as tariffId',
        'tariffs.version',
        'station_tariffs.from_at as fromAt',
        nextFromAt.as('untilAt'),
      ]),
  toItem: ({ fromAt, untilAt, ...row }): StationTariff => ({
    ...row,
    fromAt: toIso(fromAt),
    untilAt: isoOrNull(untilAt),
  }),
});

/** Null where the caller may not see that default. */
export async function findDefault(
  db: Kysely<Tables>,
  caller: Caller,
  asked: QueryOf<typeof getDefaultTariff>,
): Promise<AnswerOf<typeof getDefaultTariff> | null> {
  const agentId = asked.for === 'platform' ? null : (asked.agentId ?? ownAgent(caller));
  if (agentId === undefined || (agentId !== null && !isInScope(caller, agentId))) return null;
  const { equipmentType } = asked;
  const [tariff, without] = await Promise.all([
    db
      .selectFrom('tariff_defaults as d')
      .innerJoin('tariffs', (join) =>
        join.onRef('tariffs.rule_id', '=', 'd.rule_id').on('tariffs.state', '=', sql.lit('in_force')),
      )
      .select(['tariffs.id', 'tariffs.name'])
      .where(sql<boolean>`d.agent_id is not distinct from ${agentId}::bigint`)
      .where('d.equipment_type', '=', equipmentType)
      .executeTakeFirst(),
    scoped(stationsWithout(db, agentId, equipmentType), caller, 'stations.agent_id')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { tariff: tariff ?? null, stationsWithout: without.count };
}

function ownAgent(caller: Caller) {
  return caller.agents === 'all' ? undefined : caller.agents[0];
}
