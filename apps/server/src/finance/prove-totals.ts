import type { OrderAcrossDays, ProofFailure, ProvenTotal, TotalProof } from '@voltdeck/contract/total-proofs';
import { acrossDaysNamedMax, provenTotals } from '@voltdeck/contract/total-proofs';
import type { UserId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { type Fen, fen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isOutOfTime, sumsReach } from '../database/is-database-away.ts';
import { saleText } from '../database/sales.ts';
import type { Tables } from '../database/tables.generated.ts';
import { shownName } from '../http/shown-name.ts';

/** The kept sums of statements with what they do not hold yet. */
const statements = `(
  select day, electricity_fen, service_fen, coupon_fen, received_fen, refunded_fen from statement_days
  union all select day, electricity_fen, service_fen, coupon_fen, received_fen, refunded_fen from statement_tail())`;
const statementShares = `(
  select shared_fen from statement_shares union all select shared_fen from statement_share_tail())`;
const booksOf = (prefixes: readonly string[]) =>
  `(select coalesce(sum(balance_fen), 0) from ledger_accounts where prefix in (${prefixes.map((prefix) => `'${prefix}'`).join(', ')}))`;
const incomeOf = (party: 'agent' | 'divider') => `
  ${booksOf([`${party}-share`, `${party}-balance`, `${party}-frozen`])}
  + (select coalesce(sum(amount_fen), 0) from agent_withdrawals
      where party = '${party}' and state in ('withdrawn', 'processed'))`;
const sharesWhere = (condition: string) => `(select coalesce(sum(amount_fen), 0) from order_shares where ${condition})`;

/** What was posted of orders, by the day on which it was. */
const posted = `(
  select orders.id, orders.number, orders.amount_fen, orders.discount_fen, orders.ended_at, t.created_at as posted_at
    from ledger_transfers t join orders on orders.id = t.order_id where t.reason = 'charge_settled')`;
/** What statements leave out of sales: discounts, and bills that moved no money. */
const leftOut = `
  select coalesce(sum(case when t.id is null then orders.amount_fen else orders.discount_fen end), 0)
    from orders left join ledger_transfers t on t.order_id = orders.id and t.reason = 'charge_settled'
   where ${saleText}`;
const statementSum = 'coalesce(sum(electricity_fen + service_fen - coupon_fen), 0)';

type Places = readonly [one: string, other: string];

/**
 * The two places of each figure. What moved no money in the books, such as a free charge, is in none of them but those of
 * the home page.
 */
const placesOn = (day: string): Readonly<Record<ProvenTotal, Places>> => ({
  ...places,
  home: [
    `(select coalesce(sum(amount_fen), 0) from orders where ${saleText} and ended_at is not null)`,
    `(select ${statementSum} from ${statements} s) + (${leftOut})`,
  ],
  home_yesterday: [
    `(select coalesce(sum(amount_fen), 0) from orders where ${saleText} and ${isOn('ended_at', day)})`,
    `(select ${statementSum} from ${statements} s where s.day = '${day}') + (${leftOut} and ${isOn('orders.ended_at', day)})
     + (select coalesce(sum(case when ${isOn('ended_at', day)} then 1 else -1 end * (amount_fen - discount_fen)), 0)
          from ${posted} p where ${isAcross(day)})`,
  ],
});

/** Whether an instant is of a day in China, "2026-11-01". */
const isOn = (at: string, day: string) =>
  `(${at} >= '${day}'::timestamp at time zone 'Asia/Shanghai'
    and ${at} < ('${day}'::date + 1)::timestamp at time zone 'Asia/Shanghai')`;
const isAcross = (day: string) => `${isOn('ended_at', day)} is distinct from ${isOn('posted_at', day)}`;

const places: Readonly<Record<Exclude<ProvenTotal, 'home' | 'home_yesterday'>, Places>> = {
  charged: [
    `(select coalesce(sum(o.amount_fen - o.discount_fen), 0) from orders o
       where exists (select from ledger_transfers t where t.order_id = o.id and t.reason = 'charge_settled'))`,
    `(select coalesce(sum(electricity_fen + service_fen - coupon_fen), 0) from ${statements} s)`,
  ],
  received: [
    '(select coalesce(sum(paid_fen - refunded_fen), 0) from orders)',
    `(select coalesce(sum(received_fen - refunded_fen), 0) from ${statements} s)`,
  ],
  shared: ['(select coalesce(sum(paid_fen - refunded_fen), 0) from orders)', sharesWhere('true')],
  statement_shares: [
    sharesWhere(`party <> 'platform'`),
    `(select coalesce(sum(shared_fen), 0) from ${statementShares} s)`,
  ],
  agent_income: [sharesWhere(`party = 'agent'`), incomeOf('agent')],
  divider_income: [sharesWhere(`party = 'divider'`), incomeOf('divider')],
  commission: [sharesWhere(`reason = 'commission'`), booksOf(['commission'])],
  channel_fee: [sharesWhere(`reason = 'channel_fee'`), booksOf(['channel-fee'])],
  closed_periods: [
    `(select coalesce(sum(s.amount_fen), 0) from settlement_periods p join order_shares s on s.period_id = p.id
       where p.state <> 'open')`,
    `(select coalesce(sum(shares_fen), 0) from settlement_periods where state <> 'open')`,
  ],
  paid_out: [
    `(select coalesce(sum(paid_out_fen), 0) from settlement_periods where state = 'paid_out')`,
    `(select coalesce(sum(amount_fen), 0) from ledger_transfers where reason = 'shares_paid_out')`,
  ],
};

/** One statement adds up a table of ten million rows. */
const statementMaxMs = 10 * minuteMs;

/** `elsewhere`: another proof is running, and nothing was done. */
export type ProofOutcome =
  | { outcome: 'proven'; differing: number }
  | { outcome: 'failed'; failure: ProofFailure; error: unknown }
  | { outcome: 'elsewhere' };

/**
 * Adds up every figure in both of its places, as they are at one moment, and records what that found and who asked, or
 * at which figure it failed. It reads whole tables: nightly, or when somebody asks; one at a time.
 */
export async function proveTotals(db: Kysely<Tables>, userId: UserId | null, at: Instant): Promise<ProofOutcome> {
  const beganMs = performance.now();
  const day = shanghaiDate(instant(at - dayMs));
  const rows: TotalProof['rows'] = [];
  let acrossDays: TotalProof['acrossDays'] = null;
  let failed: { failure: ProofFailure; error: unknown } | null = null;
  try {
    acrossDays = await addUp(db, day, rows);
    if (acrossDays === null) return { outcome: 'elsewhere' };
  } catch (error) {
    failed = { failure: failureOf(error), error };
  }
  const differing = rows.filter(({ oneFen, otherFen }) => oneFen !== otherFen).length;
  await db
    .insertInto('total_proofs')
    .values({
      proven_at: at,
      took_ms: Math.round(performance.now() - beganMs),
      user_id: userId,
      rows: JSON.stringify(rows),
      differing,
      across_days: acrossDays === null ? null : JSON.stringify(acrossDays),
      failure: failed?.failure ?? null,
      failed_total: failed === null ? null : (provenTotals[rows.length] ?? null),
    })
    .execute();
  return failed === null ? { outcome: 'proven', differing } : { outcome: 'failed', ...failed };
}

/** Adds the figures to `rows`, one after the other; null where another proof is running. */
async function addUp(
  db: Kysely<Tables>,
  day: string,
  rows: TotalProof['rows'],
): Promise<TotalProof['acrossDays'] | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { rows: locks } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('proof of totals', 0)) as free,
               set_config('statement_timeout', ${`${statementMaxMs}`}, true)`.execute(trx);
      if (locks[0]?.free !== true) return null;
      const add = async (place: string) => {
        const found = await sql<{ amount: Fen }>`select (${sql.raw(place)})::bigint as amount`.execute(trx);
        return fen(found.rows[0]?.amount ?? 0);
      };
      const looked = placesOn(day);
      for (const total of provenTotals) {
        const [one, other] = looked[total];
        rows.push({ total, oneFen: await add(one), otherFen: await add(other) });
      }
      return ordersAcross(trx, day);
    });
}

/** Why a proof did not come to its end. */
export function failureOf(error: unknown): ProofFailure {
  if (isOutOfTime(error)) return 'out_of_time';
  return sumsReach(error) === null ? 'other' : 'sums_behind';
}

/** The orders that ended on a day and were posted on another, or the other way round. */
async function ordersAcross(trx: Kysely<Tables>, day: string): Promise<TotalProof['acrossDays']> {
  const { rows } = await sql<OrderAcrossDays & { count: number; ended: Fen; posted: Fen }>`
    select p.id, p.number, (p.ended_at at time zone 'Asia/Shanghai')::date::text as "endedOn",
           (p.posted_at at time zone 'Asia/Shanghai')::date::text as "postedOn", p.amount_fen as "amountFen",
           (count(*) over ())::int as count,
           coalesce(sum(p.amount_fen) filter (where ${sql.raw(isOn('p.ended_at', day))}) over (), 0)::bigint as ended,
           coalesce(sum(p.amount_fen) filter (where ${sql.raw(isOn('p.posted_at', day))}) over (), 0)::bigint as posted
      from ${sql.raw(posted)} p where ${sql.raw(isAcross(day))}
     order by p.amount_fen desc, p.id limit ${acrossDaysNamedMax}`.execute(trx);
  const [first] = rows;
  return {
    day,
    endedFen: first?.ended ?? zeroFen,
    postedFen: first?.posted ?? zeroFen,
    count: first?.count ?? 0,
    orders: rows.map(({ count: _, ended: __, posted: ___, ...order }) => order),
  };
}

export async function findTotalProof(
  db: Kysely<Tables>,
  { language }: Pick<Caller, 'language'>,
): Promise<TotalProof | null> {
  const row = await db
    .selectFrom('total_proofs as p')
    .leftJoin('users', 'users.id', 'p.user_id')
    .select(['p.proven_at', 'p.took_ms as tookMs', 'p.rows', 'p.differing', 'p.across_days'])
    .select(['p.failed_total', 'p.failure'])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'))
    .orderBy('p.proven_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { proven_at: provenAt, rows, across_days: acrossDays, failed_total: total, failure, ...proof } = row;
  return {
    ...proof,
    provenAt: toIso(provenAt),
    rows: rows as TotalProof['rows'],
    acrossDays: acrossDays as TotalProof['acrossDays'],
    failed: failure === null ? null : { total: total as ProvenTotal | null, failure: failure as ProofFailure },
  };
}
