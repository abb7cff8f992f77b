import { listPartnerDays, type PartnerDay, partnerDaysByDefault, partnerDaysMax } from '@voltdeck/contract/roaming';
import { type DayPeriod, daysOf } from '@voltdeck/units/day-period';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';
import { type FilterOf, listSource } from '../http/list-source.ts';

type Wanted = Pick<FilterOf<typeof listPartnerDays>, 'partnerId' | 'direction'> & DayPeriod;
type Row = Omit<PartnerDay, 'comparedAt'> & { comparedAt: Instant | null };

/** The charges of both directions that ended in a period, with what the comparison found of each. */
function charges({ partnerId, direction, fromOn, toOn }: Wanted): RawBuilder<unknown> {
  const from = sql`${fromOn}::date::timestamp at time zone 'Asia/Shanghai'`;
  const until = sql`(${toOn}::date + 1)::timestamp at time zone 'Asia/Shanghai'`;
  const ofPartner = partnerId === undefined ? sql`` : sql`and c.partner_id = ${partnerId}`;
  // A charge lasts a week at most, which keeps the range of the index small.
  const inbound = sql`
    select c.partner_id, 'inbound' as direction, o.ended_at, o.energy_wh, o.amount_fen, c.dispute, c.checked_at
      from partner_charges c join orders o on o.id = c.order_id
     where c.created_at >= ${from} - interval '8 days' and c.created_at < ${until} ${ofPartner}
       and o.state = 'completed' and o.ended_at >= ${from} and o.ended_at < ${until}`;
  const outbound = sql`
    select c.partner_id, 'outbound' as direction, c.ended_at, c.energy_wh,
           c.amount_fen - c.refunded_fen - c.forgiven_fen as amount_fen,
           coalesce(c.dispute, case when c.state = 'disputed' then 'other' end) as dispute, c.checked_at
      from roaming_charges c
     where c.placed_at >= ${from} - interval '8 days' and c.placed_at < ${until} ${ofPartner}
       and c.state in ('completed', 'disputed') and c.ended_at >= ${from} and c.ended_at < ${until}`;
  switch (direction) {
    case 'inbound':
      return inbound;
    case 'outbound':
      return outbound;
    default:
      return sql`${inbound} union all ${outbound}`;
  }
}

function days(wanted: Wanted): RawBuilder<Row> {
  return sql<Row>`(
    select g.day || '/' || g.partner_id || '/' || g.direction as id, g.day, g.partner_id as "partnerId",
           partners.name as "partnerName", g.direction, g.orders, g.energy_wh as "energyWh", g.amount_fen as "amountFen",
           g.agreed, g.disputed, g.orders - g.agreed - g.disputed as "notCompared", g.disputed_fen as "disputedFen",
           g.compared_at as "comparedAt"
      from (
        select (ended_at at time zone 'Asia/Shanghai')::date as day, partner_id, direction, count(*)::int as orders,
               sum(energy_wh)::bigint as energy_wh, sum(amount_fen)::bigint as amount_fen,
               count(*) filter (where dispute is null and checked_at is not null)::int as agreed,
               count(*) filter (where dispute is not null)::int as disputed,
               coalesce(sum(amount_fen) filter (where dispute is not null), 0)::bigint as disputed_fen,
               max(checked_at) as compared_at
          from (${charges(wanted)}) c group by 1, 2, 3) g
      join partners on partners.id = g.partner_id)`;
}

const column = (name: keyof Row) => sql`${sql.ref(`s.${name}`)}`;

export const partnerDayList = listSource({
  route: listPartnerDays,
  platformOnly: true,
  filtered(db, _caller, filter, at) {
    const wanted = { ...filter, ...daysOf(filter, at, partnerDaysByDefault) };
    const found = db.selectFrom(days(wanted).as<'s'>('s'));
    if (filter.hasDisputes === undefined) return found;
    return found.where('s.disputed', filter.hasDisputes ? '>' : '=', 0);
  },
  id: column('id'),
  sorts: { day: column('day'), disputedFen: column('disputedFen') },
  sums: {
    orders: column('orders'),
    energyWh: column('energyWh'),
    amountFen: column('amountFen'),
    agreed: column('agreed'),
    disputed: column('disputed'),
    disputedFen: column('disputedFen'),
    notCompared: column('notCompared'),
  },
  daysMax: () => partnerDaysMax,
  shown: (filtered) => filtered.selectAll('s'),
  toItem: ({ comparedAt, ...row }) => ({ ...row, comparedAt: isoOrNull(comparedAt) }),
});
