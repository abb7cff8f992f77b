import {
  type DividerIncome,
  type getDividerIncome,
  incomeDaysMax,
  incomePeriodsMax,
  listDividerShares,
  type ShareCause,
} from '@voltdeck/contract/divider-income';
import type { ApiError } from '@voltdeck/contract/errors';
import type { QueryOf } from '@voltdeck/contract/route';
import type { SettlementState } from '@voltdeck/ledger/settlement';
import type { DividerId, SettlementPeriodId } from '@voltdeck/units/id';
import {
  dayMs,
  type Instant,
  instant,
  isoOrNull,
  parseIso,
  parseShanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByDivider } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { partyIncomeOf } from '../ledger/party-income.ts';
import { findTermsOf } from './term-queries.ts';

const { incomeFen, unpaidFen, balanceFen } = partyIncomeOf('divider', 'dividers.id');

/** The divider's own rate in the plan that the order was settled by: the platform's dividers, then those of each agent. */
const rateOf = (fee: 'electricity' | 'service' | 'occupancy') => sql<number | null>`(
  select (d.entry -> 'rateE4' ->> ${sql.lit(fee)})::integer
    from jsonb_array_elements(
           (orders.share_plan -> 'dividers')
           || coalesce((select jsonb_agg(each) from jsonb_array_elements(orders.share_plan -> 'agents') a,
                               jsonb_array_elements(a -> 'dividers') each), '[]')) as d (entry)
   where (d.entry ->> 'id')::bigint = order_shares.divider_id limit 1)`;

/** A correction takes back what was posted and posts anew, in two postings of one moment. */
const cause = sql<ShareCause>`(case when order_shares.number = 1 then 'settled'
  when exists (select 1 from order_shares beside where beside.order_id = order_shares.order_id
                  and beside.created_at = order_shares.created_at
                  and beside.number > 1 and abs(beside.number - order_shares.number) = 1) then 'corrected'
  when order_shares.amount_fen < 0 then 'refunded' else 'paid_later' end)`;

function sharesAsShown(db: Kysely<Tables>) {
  return db
    .selectFrom('order_shares')
    .innerJoin('dividers', 'dividers.id', 'order_shares.divider_id')
    .innerJoin('orders', 'orders.id', 'order_shares.order_id')
    .innerJoin('sites', 'sites.id', 'order_shares.site_id')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .leftJoin('connectors', 'connectors.id', 'orders.connector_id')
    .innerJoin('settlement_periods as period', 'period.id', 'order_shares.period_id')
    .select([
      'order_shares.id',
      'order_shares.created_at as at',
      cause.as('cause'),
      'orders.id as orderId',
      'orders.number as orderNumber',
      'dividers.id as dividerId',
      'dividers.name as dividerName',
      'sites.name as siteName',
      'stations.name as stationName',
      'stations.number as stationNumber',
      'connectors.number as connectorNumber',
      'orders.started_at as startedAt',
      'orders.ended_at as endedAt',
      'orders.energy_wh as energyWh',
    ])
    .select([
      rateOf('electricity').as('electricityE4'),
      rateOf('service').as('serviceE4'),
      rateOf('occupancy').as('occupancyE4'),
      'order_shares.electricity_fen as electricityFen',
      'order_shares.service_fen as serviceFen',
      'order_shares.occupancy_fen as occupancyFen',
      'order_shares.amount_fen as amountFen',
      'period.from_on as periodFrom',
      'period.to_on as periodTo',
      'period.state as periodState',
    ]);
}

const percentOrNull = (rateE4: number | null) => (rateE4 === null ? null : rateE4 / 100);

export const dividerShareList = listSource({
  route: listDividerShares,
  filtered(db, caller, filter) {
    let shares = db.selectFrom('order_shares').where('order_shares.divider_id', 'is not', null);
    if (caller.dividerId !== null) shares = shares.where('order_shares.divider_id', '=', caller.dividerId);
    else if (caller.agents !== 'all') {
      const seen = scoped(db.selectFrom('dividers'), caller, 'dividers.agent_id').select('dividers.id');
      shares = shares.where('order_shares.divider_id', 'in', seen);
    }
    const { dividerId, orderNumber, siteId } = filter;
    if (dividerId !== undefined) shares = shares.where('order_shares.divider_id', '=', dividerId);
    if (orderNumber !== undefined) {
      const named = db.selectFrom('orders').select('orders.id').where('orders.number', '=', orderNumber);
      shares = shares.where('order_shares.order_id', 'in', named);
    }
    if (siteId !== undefined) shares = shares.where('order_shares.site_id', '=', siteId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) shares = shares.where('order_shares.created_at', '>=', from);
    if (to !== null) shares = shares.where('order_shares.created_at', '<=', to);
    return shares;
  },
  id: sql`order_shares.id`,
  sorts: { at: sql`order_shares.created_at` },
  sums: {
    amountFen: sql`order_shares.amount_fen`,
    electricityFen: sql`order_shares.electricity_fen`,
    serviceFen: sql`order_shares.service_fen`,
    occupancyFen: sql`order_shares.occupancy_fen`,
  },
  neverShrinks: true,
  rows: sharesAsShown,
  toItem: ({ electricityE4, serviceE4, occupancyE4, ...row }) => ({
    ...row,
    at: toIso(row.at),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    electricityPercent: percentOrNull(electricityE4),
    servicePercent: percentOrNull(serviceE4),
    occupancyPercent: percentOrNull(occupancyE4),
  }),
});

/** The income of the divider who calls, or of one that the caller may ask about. */
export async function findDividerIncome(
  db: Kysely<Tables>,
  caller: Caller,
  query: QueryOf<typeof getDividerIncome>,
  at: Instant,
): Promise<Result<DividerIncome, ApiError>> {
  const dividerId = caller.dividerId ?? query.dividerId;
  if (dividerId === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'dividerId', code: 'required' }] });
  }
  const span = spanOf(query, at);
  if (!span.ok) return span;
  const divider = await scopedByDivider(db.selectFrom('dividers'), caller, 'dividers.agent_id', 'dividers.id')
    .select(['dividers.id', 'dividers.name'])
    .select([incomeFen.as('incomeFen'), unpaidFen.as('unpaidFen'), balanceFen.as('balanceFen')])
    .where('dividers.id', '=', query.dividerId ?? dividerId)
    .executeTakeFirst();
  if (divider === undefined) return failed({ code: 'record.not_found' });
  const { id, name, ...money } = divider;
  const [terms, days, periods] = await Promise.all([
    findTermsOf(db, id, at),
    daysOf(db, id, span.value),
    periodsOf(db, id),
  ]);
  return ok({ dividerId: id, dividerName: name, ...money, ...terms, days, periods });
}

type Span = { fromMs: Instant; toMs: Instant };
const usualDays = 30;

function spanOf(
  { fromOn, lastOn }: Pick<QueryOf<typeof getDividerIncome>, 'fromOn' | 'lastOn'>,
  at: Instant,
): Result<Span, ApiError> {
  const last = (lastOn === undefined ? null : parseShanghaiDate(lastOn)) ?? shanghaiDayStart(at);
  const first = (fromOn === undefined ? null : parseShanghaiDate(fromOn)) ?? instant(last - (usualDays - 1) * dayMs);
  const fault = last < first ? 'not_after_start' : last - first >= incomeDaysMax * dayMs ? 'too_many_days' : null;
  if (fault !== null) {
    return failed({
      code: 'request.invalid',
      fields: [{ path: 'lastOn', code: fault, params: { max: incomeDaysMax } }],
    });
  }
  return ok({ fromMs: first, toMs: instant(last + dayMs) });
}

async function daysOf(db: Kysely<Tables>, id: DividerId, { fromMs, toMs }: Span): Promise<DividerIncome['days']> {
  const { rows } = await sql<DividerIncome['days'][number]>`
    select (created_at at time zone 'Asia/Shanghai')::date::text as day, count(distinct order_id)::integer as orders,
           sum(electricity_fen)::bigint as "electricityFen", sum(service_fen)::bigint as "serviceFen",
           sum(occupancy_fen)::bigint as "occupancyFen", sum(amount_fen)::bigint as "amountFen"
      from order_shares
     where divider_id = ${id} and created_at >= to_timestamp(${fromMs} / 1000.0) and created_at < to_timestamp(${toMs} / 1000.0)
     group by 1 order by 1 desc`.execute(db);
  return rows;
}

async function periodsOf(db: Kysely<Tables>, id: DividerId): Promise<DividerIncome['periods']> {
  const { rows } = await sql<{
    id: SettlementPeriodId;
    from: string;
    to: string;
    state: SettlementState;
    sharesFen: Fen;
    carriedInFen: Fen | null;
    netFen: Fen | null;
    paidOutFen: Fen | null;
    paidOutAt: Instant | null;
  }>`
    select p.id, p.from_on::text as from, p.to_on::text as to, p.state,
           coalesce(p.shares_fen, (select sum(s.amount_fen) from order_shares s where s.period_id = p.id), 0)::bigint
             as "sharesFen",
           p.carried_in_fen as "carriedInFen", p.net_fen as "netFen", p.paid_out_fen as "paidOutFen",
           p.paid_out_at as "paidOutAt"
      from settlement_periods p where p.divider_id = ${id}
     order by p.from_on desc limit ${incomePeriodsMax}`.execute(db);
  return rows.map((row) => ({ ...row, paidOutAt: isoOrNull(row.paidOutAt) }));
}
