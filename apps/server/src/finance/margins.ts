import { listMargins, type Margin, marginDaysMax } from '@voltdeck/contract/grid-bills';
import { addDays, daysFromTo, firstOfMonth, lastOfMonth } from '@voltdeck/units/day';
import { type Instant, parseIso, shanghaiDate } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';
import { type ChargedEnergy, chargedEnergy, lossOf } from './grid-bills/queries.ts';
import { statementRows } from './statements.ts';

type MarginRow = Pick<Margin, 'id' | 'month' | 'siteId' | 'siteName' | 'agentId' | 'agentName'> & {
  receivedFen: Fen;
  sharesFen: Fen;
};

/** Months that are shown without a period. */
const monthsByDefault = 12;

/** The first days of the first and the last month of a filter. */
function monthsOf({ from, to }: FilterOf<typeof listMargins>, at: Instant): { first: string; last: string } {
  const last = firstOfMonth(shanghaiDate((to === undefined ? null : parseIso(to)) ?? at));
  const given = from === undefined ? null : parseIso(from);
  if (given !== null) return { first: firstOfMonth(shanghaiDate(given)), last };
  return { first: firstOfMonth(last, 1 - monthsByDefault), last };
}

/** Whether a column names an agent of the caller. */
function isOf({ agents }: Pick<Caller, 'agents'>): (agentId: RawBuilder<unknown>) => RawBuilder<boolean> {
  return (agentId) =>
    agents === 'all' ? sql<boolean>`true` : sql<boolean>`${agentId} = any(${[...agents]}::bigint[])`;
}

/** Who had a site at the end of a month. */
const holderAtEnd = sql`
  select h.agent_id from site_holders h
   where h.site_id = sites.id and h.from_at < (m.month + interval '1 month') at time zone 'Asia/Shanghai'
   order by h.from_at desc, h.id desc limit 1`;

/** Months of sites in which they earned something or were billed by the grid. */
function marginRows(caller: Caller, filter: FilterOf<typeof listMargins>, at: Instant): RawBuilder<MarginRow> {
  const { first, last } = monthsOf(filter, at);
  const end = sql`(${last}::date + interval '1 month' - interval '1 day')::date`;
  const parts = [sql`true`];
  const isOwn = isOf(caller);
  if (caller.agents !== 'all') {
    // Whoever has stations at somebody else's site has no bill for it.
    parts.push(sql`exists (
      select 1 from site_holders h
       where h.site_id = sites.id and ${isOwn(sql`h.agent_id`)}
         and h.from_at < (m.month + interval '1 month') at time zone 'Asia/Shanghai'
         and (h.to_at is null or h.to_at >= m.month::timestamp at time zone 'Asia/Shanghai'))`);
  }
  if (filter.agentId !== undefined) parts.push(sql`holder.agent_id = ${filter.agentId}`);
  if (filter.siteId !== undefined) parts.push(sql`sites.id = ${filter.siteId}`);
  const earned = statementRows(caller, {
    by: 'site',
    unit: 'month',
    ...(filter.siteId === undefined ? {} : { siteId: filter.siteId }),
    fromOn: first,
    toOn: lastOfMonth(last),
  });
  // What the platform keeps as commission is its own; agents keep what neither dividers nor those above got.
  const shares =
    caller.agents === 'all'
      ? sql`coalesce(e."channelFeeFen" + e."agentSharesFen" + e."dividerSharesFen", 0)`
      : sql`coalesce(e."receivedFen" - e."refundsFen" - e."agentSharesFen", 0)`;
  return sql<MarginRow>`(
    select m.month || '/' || sites.id as id, m.month, sites.id as "siteId", sites.name as "siteName",
           agents.id as "agentId", agents.name as "agentName",
           coalesce(e."receivedFen" - e."refundsFen", 0)::bigint as "receivedFen", ${shares}::bigint as "sharesFen"
      from ${earned} e
      full join (
        select distinct site_id, month::date as month
          from grid_bills
          cross join lateral generate_series(date_trunc('month', greatest(from_on, ${first}::date)),
                                             least(to_on, ${end}), interval '1 month') as month
         where from_on <= ${end} and to_on >= ${first}::date and ${isOwn(sql`grid_bills.agent_id`)}) billed
        on billed.site_id = e."siteId" and billed.month = e.day
      cross join lateral (select coalesce(e.day, billed.month) as month, coalesce(e."siteId", billed.site_id) as site_id) m
      join sites on sites.id = m.site_id
      left join lateral (${holderAtEnd}) holder on true
      left join agents on agents.id = holder.agent_id and ${isOwn(sql`agents.id`)}
     where ${sql.join(parts, sql` and `)})`;
}

type Bill = {
  accountNumber: string;
  fromOn: string;
  toOn: string;
  energyWh: number;
  amountFen: number;
  isOwn: boolean;
};

/** Days, both included. */
type Days = { fromOn: string; toOn: string };

/**
 * The bills of the site that the caller sees with a day in the month, which of them the caller bears, and the accounts
 * that it ever had one of.
 */
const billsFor = (caller: Caller) => sql<{ bills: Bill[]; accounts: string[] }>`(
  select jsonb_build_object(
           'bills', coalesce(jsonb_agg(jsonb_build_object(
             'accountNumber', b.account_number, 'fromOn', b.from_on, 'toOn', b.to_on, 'energyWh', b.energy_wh,
             'amountFen', b.amount_fen, 'isOwn', ${caller.agents === 'all' ? sql`b.agent_id is null` : sql`true`}) order by b.account_number, b.from_on)
             filter (where b.from_on <= s.last_day and b.to_on >= s.month), '[]'),
           'accounts', coalesce(jsonb_agg(distinct b.account_number), '[]'))
    from grid_bills b where b.site_id = s."siteId" and ${isOf(caller)(sql`b.agent_id`)})`;

/** The days of the month on which somebody else had the site. A day belongs to who had it at its end. */
const daysOfOthers = (caller: Caller) =>
  caller.agents === 'all'
    ? sql<Days[]>`'[]'::jsonb`
    : sql<Days[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('fromOn', days.from_on, 'toOn', days.to_on) order by days.from_on), '[]')
          from site_holders h
          cross join lateral (
            select greatest((h.from_at at time zone 'Asia/Shanghai')::date, s.month) as from_on,
                   least((h.to_at at time zone 'Asia/Shanghai')::date - 1, s.last_day) as to_on) days
         where h.site_id = s."siteId" and not coalesce(${isOf(caller)(sql`h.agent_id`)}, false)
           and days.to_on >= days.from_on)`;

export const marginList = listSource({
  route: listMargins,
  filtered(db, caller, filter, at) {
    const rows = marginRows(caller, filter, at);
    return db.selectFrom(
      sql<MarginRow & { last_day: string }>`(
        select r.*, (r.month + interval '1 month' - interval '1 day')::date as last_day from ${rows} r)`.as<'s'>('s'),
    );
  },
  id: sql`s.id`,
  sorts: { month: sql`s.month` },
  daysMax: () => marginDaysMax,
  shown: (filtered, { caller, at }) =>
    filtered
      .selectAll('s')
      .select([
        billsFor(caller).as('billed'),
        daysOfOthers(caller).as('ofOthers'),
        chargedEnergy(caller, 's.siteId', 's.month', 's.last_day').as('charged'),
        sql<string>`least(s.last_day, ${shanghaiDate(at)}::date)`.as('until'),
      ]),
  toItem: ({ billed, ofOthers, charged, until, last_day: _, ...row }) =>
    toMargin(row, { ...billed, ofOthers }, charged, until),
});

/**
 * The bills of a month, or of what there is of it up to today, against what the ports counted and what was earned. Bills
 * that reach into other months count by their days. While a day on which the site was the reader's has no bill, cost and
 * margin are not known. What an agent bears is no cost of the platform, which has given it its share.
 */
function toMargin(
  row: MarginRow,
  { bills: found, accounts, ofOthers }: { bills: Bill[]; accounts: string[]; ofOthers: Days[] },
  charged: ChargedEnergy,
  until: string,
): Margin {
  const { billed, metered } = charged;
  const missing =
    accounts.length === 0
      ? gapsIn(ofOthers, row.month, until).map((gap) => ({ accountNumber: null, ...gap }))
      : accounts.flatMap((accountNumber) =>
          gapsIn(
            inOrder([...found.filter((bill) => bill.accountNumber === accountNumber), ...ofOthers]),
            row.month,
            until,
          ).map((gap) => ({ accountNumber: accounts.length === 1 ? null : accountNumber, ...gap })),
        );
  const isWhole = missing.length === 0;
  const sum = (of: 'energyWh' | 'amountFen', bills = found) =>
    bills.reduce((total, bill) => total + partOf(bill, row.month, until)[of], 0);
  const costFen = isWhole
    ? fen(
        sum(
          'amountFen',
          found.filter(({ isOwn }) => isOwn),
        ),
      )
    : null;
  const gridWh = isWhole ? sum('energyWh') : null;
  const marginFen = costFen === null ? null : fen(row.receivedFen - row.sharesFen - costFen);
  return {
    ...row,
    costFen,
    marginFen,
    marginPerKwhE5: marginFen === null || billed === 0 ? null : Math.round((marginFen * 1_000_000) / billed),
    gridWh: gridWh as Margin['gridWh'],
    billedWh: billed as Margin['billedWh'],
    meteredWh: metered as Margin['meteredWh'],
    ...lossOf(gridWh, charged),
    missing: missing as Margin['missing'],
  };
}

const inOrder = (days: readonly Days[]) => days.toSorted((one, other) => (one.fromOn < other.fromOn ? -1 : 1));

/** Days from the first to the last that no bill has; the bills are in the order of their days. */
function gapsIn(of: readonly Days[], first: string, last: string): { fromOn: string; toOn: string }[] {
  const gaps: { fromOn: string; toOn: string }[] = [];
  let next = first;
  for (const { fromOn, toOn } of of) {
    if (fromOn > next && next <= last)
      gaps.push({ fromOn: next, toOn: addDays(fromOn < last ? fromOn : addDays(last, 1), -1) });
    if (toOn >= next) next = addDays(toOn, 1);
  }
  if (next <= last) gaps.push({ fromOn: next, toOn: last });
  return gaps;
}

/**
 * What the days of a bill from the first to the last cost: the rounded cost up to the last less that before the first, so
 * that all months of a bill add up to it.
 */
function partOf({ fromOn, toOn, energyWh, amountFen }: Bill, first: string, last: string) {
  const before = fromOn > first ? 0 : daysWithin(fromOn, first) - 1;
  const until = daysWithin(fromOn, toOn < last ? toOn : last);
  const whole = daysWithin(fromOn, toOn);
  const part = (of: number) => Math.round((of * until) / whole) - Math.round((of * before) / whole);
  return { energyWh: part(energyWh), amountFen: part(amountFen) };
}

/** With both of them. */
const daysWithin = (first: string, last: string) => daysFromTo(first, last) + 1;
