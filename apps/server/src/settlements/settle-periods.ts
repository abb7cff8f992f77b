import type { SettlementRefusal } from '@voltdeck/contract/settlements';
import { keyOf } from '@voltdeck/ledger/account';
import { carriedIn, payableFen, payOutTransfer, type Settled, shareAccount } from '@voltdeck/ledger/settlement';
import type { AgentId, DividerId, SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, zeroFen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { auditMany, type Who } from '../caller/audit.ts';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

export type Settling = {
  done: SettlementPeriodId[];
  skipped: { id: SettlementPeriodId; because: SettlementRefusal }[];
};

type Period = {
  id: SettlementPeriodId;
  party: Settled['kind'];
  agent_id: AgentId | null;
  divider_id: DividerId | null;
  from_on: string;
  to_on: string;
  state: 'open' | 'closed' | 'paid_out';
  net_fen: Fen | null;
};

/**
 * Closes periods whose last day in China is over, the earliest of each party first: its shares are added up and fixed,
 * with what the period before came to where that was below zero, and what earlier ones could not pay out. Later shares
 * land in the next period.
 */
export async function closePeriods(
  trx: Trx,
  who: Who,
  ids: readonly SettlementPeriodId[],
  at: Instant,
): Promise<Settling> {
  await lockParties(trx, ids);
  const settling: Settling = { done: [], skipped: [] };
  for (const period of await lockPeriods(trx, ids)) {
    const because = await whyNotClosed(trx, period, at);
    if (because !== null) {
      settling.skipped.push({ id: period.id, because });
      continue;
    }
    const carriedInFen = carriedIn(await netBefore(trx, period), await restsInto(trx, period));
    await sql`
      update settlement_periods p
         set state = 'closed', closed_at = to_timestamp(${at} / 1000.0), closed_by = ${who?.userId ?? null},
             carried_in_fen = ${carriedInFen}, shares_fen = s.shares_fen, orders = s.orders
        from (select coalesce(sum(amount_fen), 0)::bigint as shares_fen, count(distinct order_id)::int as orders
                from order_shares where period_id = ${period.id}) s
       where p.id = ${period.id}`.execute(trx);
    settling.done.push(period.id);
  }
  await noteDone(trx, who, 'settlement.close', settling, at);
  return withUnknown(settling, ids);
}

/**
 * Pays out closed periods, each once: what it came to goes from the party's shares to its balance, from which it is
 * withdrawn. Where less is left of the shares, because money went back after the period was closed, that is paid, and an
 * open period carries the rest. One that pays nothing is over without a posting.
 */
export async function payOutPeriods(
  trx: Trx,
  who: Who,
  ids: readonly SettlementPeriodId[],
  at: Instant,
): Promise<Settling> {
  // None of the party's periods is closed meanwhile, so that the rest lands in one that is open.
  await lockParties(trx, ids);
  const settling: Settling = { done: [], skipped: [] };
  for (const period of await lockPeriods(trx, ids)) {
    if (period.state !== 'closed' || period.net_fen === null) {
      settling.skipped.push({ id: period.id, because: 'not_closed' });
      continue;
    }
    const party = partyOf(period);
    const paidOutFen = payableFen(period.net_fen, await shareBalanceOf(trx, party));
    const transfer = payOutTransfer(period.id, party, paidOutFen);
    if (transfer !== null) {
      if (!transfer.ok) throw new Error(`period ${period.id} cannot be paid out: ${transfer.error.code}`);
      if (!(await postTransfer(trx, transfer.value, at))) throw new Error(`period ${period.id} was paid out before`);
    }
    await trx
      .updateTable('settlement_periods')
      .set({ state: 'paid_out', paid_out_at: at, paid_out_by: who?.userId ?? null, paid_out_fen: paidOutFen })
      .set({
        rest_period_id: paidOutFen < period.net_fen && period.net_fen > 0 ? await openPeriodOf(trx, party, at) : null,
      })
      .where('id', '=', period.id)
      .execute();
    settling.done.push(period.id);
  }
  await noteDone(trx, who, 'settlement.pay_out', settling, at);
  return withUnknown(settling, ids);
}

/** Holds up shares of the periods' parties, in the order in which shares are written (migration 0083). */
async function lockParties(trx: Trx, ids: readonly SettlementPeriodId[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(lock) from (
      select distinct settlement_lock(party, coalesce(agent_id, divider_id)) as lock from settlement_periods
       where id = any(${ids}::bigint[]) order by lock) locks`.execute(trx);
}

/** By party and day. Shares may be written into open ones meanwhile, which only refer to them. */
async function lockPeriods(trx: Trx, ids: readonly SettlementPeriodId[]): Promise<Period[]> {
  return trx
    .selectFrom('settlement_periods')
    .select(['id', 'party', 'agent_id', 'divider_id', 'state', 'net_fen'])
    .select([sql<string>`from_on::text`.as('from_on'), sql<string>`to_on::text`.as('to_on')])
    .where('id', 'in', [...ids])
    .orderBy('agent_id')
    .orderBy('divider_id')
    .orderBy('settlement_periods.from_on')
    .forNoKeyUpdate()
    .execute();
}

async function whyNotClosed(trx: Trx, period: Period, at: Instant): Promise<SettlementRefusal | null> {
  if (period.state !== 'open') return 'not_open';
  const { rows } = await sql<{ has_ended: boolean; earlier: boolean }>`
    select ${period.to_on}::date < (${toIso(at)}::timestamptz at time zone 'Asia/Shanghai')::date as has_ended,
           exists (select 1 from settlement_periods
                    where ${isOf(period)} and to_on < ${period.from_on}::date and state = 'open') as earlier`.execute(
    trx,
  );
  if (rows[0]?.has_ended !== true) return 'not_ended';
  return rows[0].earlier ? 'earlier_open' : null;
}

/** What the party's period before came to; null for its first. */
async function netBefore(trx: Trx, period: Period): Promise<Fen | null> {
  const { rows } = await sql<{ net_fen: Fen }>`
    select net_fen from settlement_periods
     where ${isOf(period)} and to_on < ${period.from_on}::date
     order by to_on desc limit 1`.execute(trx);
  return rows[0]?.net_fen ?? null;
}

/** What earlier periods came to and could not pay out, as far as this one carries it. */
async function restsInto(trx: Trx, { id }: Period): Promise<Fen> {
  const { rests } = await trx
    .selectFrom('settlement_periods')
    .select(sql<Fen>`coalesce(sum(net_fen - paid_out_fen), 0)::bigint`.as('rests'))
    .where('rest_period_id', '=', id)
    .executeTakeFirstOrThrow();
  return rests;
}

async function shareBalanceOf(trx: Trx, party: Settled): Promise<Fen> {
  const { balance } = await trx
    .selectFrom('ledger_accounts')
    .select(sql<Fen>`coalesce(sum(balance_fen), 0)::bigint`.as('balance'))
    .where('key', '=', keyOf(shareAccount(party)))
    .executeTakeFirstOrThrow();
  return balance;
}

/** The party's earliest open period, made where it has none. */
async function openPeriodOf(trx: Trx, { kind, id }: Settled, at: Instant): Promise<SettlementPeriodId> {
  const { rows } = await sql<{ id: SettlementPeriodId }>`
    select coalesce(
      (select id from settlement_periods
        where party = ${kind} and coalesce(agent_id, divider_id) = ${id} and state = 'open' order by to_on limit 1),
      settlement_period(${kind}, ${id}, (${toIso(at)}::timestamptz at time zone 'Asia/Shanghai')::date,
        (select settlement_cycle from ${sql.table(kind === 'agent' ? 'agents' : 'dividers')} where id = ${id}),
        ${toIso(at)}::timestamptz)) as id`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('a select of one period gave no row');
  return row.id;
}

/** Periods of the same party, as their index finds them. */
function isOf({ party, agent_id, divider_id }: Pick<Period, 'party' | 'agent_id' | 'divider_id'>) {
  return sql`party = ${party} and coalesce(agent_id, divider_id) = ${agent_id ?? divider_id}`;
}

function partyOf({ agent_id: agentId, divider_id: dividerId }: Period): Settled {
  if (agentId !== null) return { kind: 'agent', id: agentId };
  if (dividerId !== null) return { kind: 'divider', id: dividerId };
  throw new Error('a settlement period belongs to an agent or a divider');
}

async function noteDone(
  trx: Trx,
  who: Who,
  action: 'settlement.close' | 'settlement.pay_out',
  { done }: Settling,
  at: Instant,
): Promise<void> {
  if (done.length === 0) return;
  await trx.deleteFrom('settlement_failures').where('period_id', 'in', done).execute();
  const periods = await trx
    .selectFrom('settlement_periods')
    .select(['id', 'shares_fen', 'carried_in_fen', 'orders', 'paid_out_fen'])
    .where('id', 'in', done)
    .orderBy('id')
    .execute();
  const entries = periods.map((period) => {
    const { id, shares_fen: sharesFen, carried_in_fen: carriedInFen, orders, paid_out_fen: paidOutFen } = period;
    const netFen = addFen(sharesFen ?? zeroFen, carriedInFen ?? zeroFen);
    const after = { orders, sharesFen, netFen, ...(paidOutFen === null ? {} : { paidOutFen }) };
    return { action, recordKind: 'settlement_period', recordId: id, after };
  });
  await auditMany(trx, who, at, entries);
}

function withUnknown({ done, skipped }: Settling, ids: readonly SettlementPeriodId[]): Settling {
  const known = new Set([...done, ...skipped.map(({ id }) => id)]);
  const unknown = [...new Set(ids)].filter((id) => !known.has(id));
  return { done, skipped: [...skipped, ...unknown.map((id) => ({ id, because: 'unknown' as const }))] };
}
