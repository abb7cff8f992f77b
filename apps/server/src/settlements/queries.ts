import {
  listSettledShares,
  listSettlementPeriods,
  type SettledShare,
  type SettlementPeriod,
} from '@voltdeck/contract/settlements';
import type { SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedByDivider } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { isFirstAfter } from './keep-period-sums.ts';

const dayOf = (at: Instant) => sql<string>`(${toIso(at)}::timestamptz at time zone 'Asia/Shanghai')::date`;

function periodRows(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>, at: Instant) {
  return db
    .selectFrom('settlement_periods as p')
    .leftJoin('agents as a', 'a.id', 'p.agent_id')
    .leftJoin('dividers as d', 'd.id', 'p.divider_id')
    .leftJoin('users as closers', 'closers.id', 'p.closed_by')
    .leftJoin('users as payers', 'payers.id', 'p.paid_out_by')
    .leftJoin('settlement_failures as f', 'f.period_id', 'p.id')
    .leftJoin('settlement_periods as rest', 'rest.id', 'p.rest_period_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('settlement_progress as g')
          .leftJoin('settlement_sums as k', (on) => on.onRef('k.period_id', '=', 'p.id'))
          .leftJoin('order_shares as s', (on) => on.onRef('s.period_id', '=', 'p.id').onRef('s.id', '>', 'g.kept_to'))
          .select([
            sql<number>`(coalesce(max(k.orders), 0)
              + count(distinct s.order_id) filter (where ${isFirstAfter('g.kept_to')}))::int`.as('orders'),
            sql<Fen>`(coalesce(max(k.shares_fen), 0) + coalesce(sum(s.amount_fen), 0))::bigint`.as('shares_fen'),
          ])
          .where('p.state', '=', 'open')
          .as('so_far'),
      (join) => join.onTrue(),
    )
    .select([
      'p.id',
      'p.party',
      'p.agent_id as agentId',
      'p.divider_id as dividerId',
      sql<string>`coalesce(a.name, d.name)`.as('partyName'),
      sql<string>`p.from_on::text`.as('fromOn'),
      sql<string>`p.to_on::text`.as('toOn'),
      'p.state',
      sql<boolean>`p.to_on < ${dayOf(at)}`.as('hasEnded'),
      sql<number>`coalesce(p.orders, so_far.orders)`.as('orders'),
      sql<Fen>`coalesce(p.shares_fen, so_far.shares_fen)`.as('sharesFen'),
      'p.carried_in_fen as carriedInFen',
      sql<Fen>`(select coalesce(sum(r.net_fen - r.paid_out_fen), 0)::bigint from settlement_periods r
                 where r.rest_period_id = p.id)`.as('restsInFen'),
      'p.net_fen as netFen',
      'p.paid_out_fen as paidOutFen',
      'p.rest_period_id as restPeriodId',
      sql<string | null>`rest.from_on::text`.as('restFromOn'),
      sql<string | null>`rest.to_on::text`.as('restToOn'),
      'p.cycle',
      sql<boolean>`coalesce(a.settles_itself, d.settles_itself)`.as('settlesItself'),
      'p.closed_at as closedAt',
      'p.paid_out_at as paidOutAt',
      shownName<string | null>(language, 'user', 'closers.real_name', 'closers.real_name_key').as('closedByName'),
      shownName<string | null>(language, 'user', 'payers.real_name', 'payers.real_name_key').as('paidOutByName'),
      'f.failure',
    ]);
}

type PeriodRow = Awaited<ReturnType<ReturnType<typeof periodRows>['executeTakeFirstOrThrow']>>;

/** Agents and dividers see neither the platform's people nor what went wrong inside it. */
function toPeriod(row: PeriodRow, caller: Pick<Caller, 'agents'>): SettlementPeriod {
  const hidden = caller.agents === 'all' ? {} : { closedByName: null, paidOutByName: null, failure: null };
  return { ...row, ...hidden, closedAt: isoOrNull(row.closedAt), paidOutAt: isoOrNull(row.paidOutAt) };
}

export async function findPeriod(
  db: Kysely<Tables>,
  caller: Caller,
  id: SettlementPeriodId,
  at: Instant,
): Promise<SettlementPeriod | null> {
  const row = await scopedByDivider(periodRows(db, caller, at), caller, 'p.of_agent_id', 'p.divider_id')
    .where('p.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toPeriod(row, caller);
}

export const settlementPeriodList = listSource({
  route: listSettlementPeriods,
  filtered(db, caller, filter, at) {
    let periods = scopedByDivider(db.selectFrom('settlement_periods as p'), caller, 'p.of_agent_id', 'p.divider_id');
    if (filter.party !== undefined) periods = periods.where('p.party', 'in', filter.party);
    if (filter.agentId !== undefined) periods = periods.where('p.agent_id', '=', filter.agentId);
    if (filter.dividerId !== undefined) periods = periods.where('p.divider_id', '=', filter.dividerId);
    if (filter.state !== undefined) periods = periods.where('p.state', 'in', filter.state);
    if (filter.ended !== undefined) {
      periods = periods.where(sql<boolean>`(p.to_on < ${dayOf(at)}) = ${filter.ended}`);
    }
    if (filter.failed !== undefined) {
      const isSeen = caller.agents === 'all';
      const failures = sql<boolean>`${isSeen} and exists (select 1 from settlement_failures where period_id = p.id)`;
      periods = periods.where(filter.failed ? failures : sql<boolean>`not ${failures}`);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) periods = periods.where(sql<boolean>`p.to_on >= ${dayOf(from)}`);
    if (to !== null) periods = periods.where(sql<boolean>`p.from_on <= ${dayOf(to)}`);
    return periods;
  },
  id: sql`p.id`,
  sorts: { toOn: sql`p.to_on` },
  // Not the net: what is below zero is carried into the next period, and would count twice.
  sums: { paidOutFen: sql`p.paid_out_fen` },
  rowsFor: (db, { caller, at }) => periodRows(db, caller, at),
  toItem: (row, { caller }) => toPeriod(row, caller),
});

function shareRows(db: Kysely<Tables>) {
  return db
    .selectFrom('order_shares as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('sites', 'sites.id', 's.site_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('order_shares as first')
          .innerJoin('settlement_periods as corrected', 'corrected.id', 'first.period_id')
          .select([
            'corrected.id',
            sql<string>`corrected.from_on::text`.as('from_on'),
            sql<string>`corrected.to_on::text`.as('to_on'),
          ])
          .whereRef('first.order_id', '=', 's.order_id')
          .where(
            sql<boolean>`first.agent_id is not distinct from s.agent_id and first.divider_id is not distinct from s.divider_id`,
          )
          .whereRef('first.period_id', '<>', 's.period_id')
          .whereRef('first.number', '<', 's.number')
          .orderBy('first.number')
          .limit(sql.lit(1))
          .as('earlier'),
      (join) => join.onTrue(),
    )
    .select([
      's.id',
      's.order_id as orderId',
      'o.number as orderNumber',
      'sites.name as siteName',
      's.number',
      's.reason',
      's.electricity_fen as electricityFen',
      's.service_fen as serviceFen',
      's.occupancy_fen as occupancyFen',
      's.amount_fen as amountFen',
      'earlier.id as correctsPeriodId',
      'earlier.from_on as correctsFromOn',
      'earlier.to_on as correctsToOn',
      's.created_at as at',
    ]);
}

export const settledShareList = listSource({
  route: listSettledShares,
  filtered(db, caller, { periodId, orderNumber }) {
    let shares = db
      .selectFrom('order_shares as s')
      .where(
        's.period_id',
        'in',
        scopedByDivider(db.selectFrom('settlement_periods as p'), caller, 'p.of_agent_id', 'p.divider_id').select(
          'p.id',
        ),
      );
    if (periodId !== undefined) shares = shares.where('s.period_id', '=', periodId);
    if (orderNumber !== undefined) {
      shares = shares.where('s.order_id', 'in', db.selectFrom('orders').select('id').where('number', '=', orderNumber));
    }
    return shares;
  },
  id: sql`s.id`,
  sorts: { id: sql`s.id` },
  sums: {
    electricityFen: sql`s.electricity_fen`,
    serviceFen: sql`s.service_fen`,
    occupancyFen: sql`s.occupancy_fen`,
    amountFen: sql`s.amount_fen`,
  },
  rows: (db) => shareRows(db),
  toItem: (row): SettledShare => ({ ...row, at: toIso(row.at) }),
});
