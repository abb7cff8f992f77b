import type { ApiError } from '@voltdeck/contract/errors';
import { balanceAccount } from '@voltdeck/ledger/settlement';
import { type ShareParties, sharePlanAt } from '@voltdeck/ledger/share-plan';
import { applyForBalance } from '@voltdeck/server/agent-withdrawals/apply-withdrawal';
import type { Caller } from '@voltdeck/server/caller/caller';
import type { Trx } from '@voltdeck/server/database/transact';
import { addTerms } from '@voltdeck/server/dividers/add-terms';
import { createDivider } from '@voltdeck/server/dividers/create-divider';
import { createBill, lockOrUnlock } from '@voltdeck/server/finance/grid-bills/write-bill';
import { applyInConsole } from '@voltdeck/server/invoices/apply-invoice';
import { ordersToInvoice, toOrderToInvoice } from '@voltdeck/server/invoices/invoiced-orders';
import { reviewInvoice } from '@voltdeck/server/invoices/review-invoice';
import { setSeller } from '@voltdeck/server/invoices/sellers';
import { redLetterInvoice } from '@voltdeck/server/invoices/void-invoice';
import { lockAccounts } from '@voltdeck/server/ledger/lock-accounts';
import { sharePartiesBeside } from '@voltdeck/server/ledger/share-parties';
import { shareByPlan } from '@voltdeck/server/ledger/write-shares';
import { closePeriods, payOutPeriods } from '@voltdeck/server/settlements/settle-periods';
import { setDefault } from '@voltdeck/server/shares/share-terms';
import type { WattHours } from '@voltdeck/units/energy';
import type { OrderId, SettlementPeriodId, SiteId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { monthFrom } from './month.ts';
import { type Office, readCaller, type Work } from './work.ts';
import { readMark } from './world-mark.ts';

/** Months that shares go back: two whole ones, of which periods are over. */
const sharedMonths = 2;
/** Charges of an agent and month that are shared: enough for a statement, soon written. */
const sharedPerMonth = 40;
/** No statement takes long. */
const sharedPerStatement = 5_000;
/** Whose people apply for their balance, and who is settled by hand, in `agents.ts`. */
const withdrawing = { userName: 'lingnan', agentId: 3 } as const;
const settledByHand = 1;
const dividedAgents = [3, 1] as const;
const gridBilledSites = 2;
/** What the grid counts beyond the ports, and what it charges for a kWh, in fen. */
const grid = { lossShare: 1.05, fenPerKwh: 63 } as const;

const notThere = failed({ code: 'record.not_found' } as const);

/** When the whole past is written. */
const isWhole = async ({ context }: Office) => (await readMark(context.database.pool))?.daysLeft === 0;

/** What the money screens show: terms, shares with their settlement, a withdrawal, bills of the grid, and invoices. */
export const moneyWorks: readonly Work[] = [
  {
    name: 'share-terms',
    isReady: isWhole,
    do: (trx, caller, _, at) =>
      setDefault(
        trx,
        caller,
        { channelFeePercent: 0.6, electricityPercent: 5, servicePercent: 10, occupancyPercent: 10 },
        at,
      ),
  },
  { name: 'dividers', isReady: isWhole, do: (trx, caller, _, at) => addDividers(trx, caller, at) },
  { name: 'shares', isReady: isWhole, do: (trx, _, __, at) => shareThePast(trx, at) },
  { name: 'settlements', isReady: isWhole, do: (trx, caller, _, at) => settle(trx, caller, at) },
  { name: 'agent-withdrawal', isReady: isWhole, do: (trx, _, __, at) => applyForHalf(trx, at) },
  { name: 'rest-of-shares', isReady: isWhole, do: (trx) => leaveTheRest(trx) },
  { name: 'grid-bills', isReady: isWhole, do: (trx, caller, _, at) => enterGridBills(trx, caller, at) },
  { name: 'invoices', isReady: isWhole, do: (trx, caller, office, at) => applyForInvoices(trx, caller, office, at) },
  {
    name: 'red-letter',
    isReady: async (office) => (await isWhole(office)) && (await issuedInvoices(office)) >= 2,
    do: async (trx, caller, { context }, at) => {
      const row = await trx
        .selectFrom('invoices')
        .select('id')
        .where('kind', '=', 'blue')
        .where('step', '=', 'issued')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return notThere;
      return redLetterInvoice(trx, context.invoiceProvider, caller, row.id, { reason: '抬头有误，客户要求重开' }, at);
    },
  },
];

async function issuedInvoices({ context }: Office): Promise<number> {
  const { count } = await context.database.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', 'blue')
    .where('step', '=', 'issued')
    .executeTakeFirstOrThrow();
  return count;
}

async function addDividers(trx: Trx, caller: Caller, at: Instant): Promise<Result<unknown, ApiError>> {
  const fromOn = shanghaiDate(monthFrom(at, -sharedMonths));
  const names = ['深圳湾物业服务有限公司', '北辰停车管理有限公司'];
  for (const [index, agentId] of dividedAgents.entries()) {
    const form = { name: names[index] ?? '', agentId: agentId as never, enteredOn: fromOn, remark: '场地合作方' };
    const created = await createDivider(trx, caller, form, at);
    if (!created.ok) return created;
    const percents = { electricityPercent: 0, servicePercent: 15 + 5 * index, occupancyPercent: 10 };
    const added = await addTerms(trx, caller, created.value.id, { ...percents, fromOn }, at);
    if (!added.ok) return added;
  }
  return ok(null);
}

/** Charges of the last months, shared at their time as if the terms had been in force then. */
async function shareThePast(trx: Trx, at: Instant): Promise<Result<unknown, ApiError>> {
  const { rows } = await sql<{ id: OrderId; ended_at: Instant }>`
    select o.id, o.ended_at from (
      select id, ended_at, row_number() over (
               partition by agent_id, date_trunc('month', ended_at at time zone 'Asia/Shanghai') order by id) as place
        from orders
       where state = 'completed' and agent_id is not null and paid_fen > refunded_fen and settled_at is not null
         and ended_at >= ${toIso(monthFrom(at, -sharedMonths))}::timestamptz) o
     where o.place <= ${sharedPerMonth}
       and not exists (select 1 from order_shares s where s.order_id = o.id and s.party <> 'platform')
     order by o.id`.execute(trx);
  for (const { id, ended_at } of rows) {
    await sql`select 1 from orders where id = ${id} for no key update`.execute(trx);
    const found = await sql<{ share_parties: ShareParties }>`
      select p.share_parties from orders o ${sharePartiesBeside} where o.id = ${id}`.execute(trx);
    const [parties] = found.rows;
    if (parties === undefined) throw new Error(`order ${id} is gone`);
    await shareByPlan(trx, id, sharePlanAt(parties.share_parties, ended_at), ended_at);
  }
  return ok(null);
}

/** What all others took is the platform's, as it is of orders from before there were shares. */
async function leaveTheRest(trx: Trx): Promise<Result<unknown, ApiError>> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ last: number | null }>`
      with batch as (
        select id, site_id, settled_at, amount_fen, electricity_fee_fen, paid_fen - refunded_fen as received_fen
          from orders where id > ${after} and state = 'completed' and amount_fen > 0 and paid_fen > refunded_fen
         order by id limit ${sharedPerStatement}),
      written as (
        insert into order_shares (order_id, number, party, reason, electricity_fen, service_fen, occupancy_fen, site_id, created_at)
          select id, 1, 'platform', 'remainder', electricity_fen, received_fen - electricity_fen, 0, site_id, settled_at
            from (select *, (2 * received_fen * electricity_fee_fen + amount_fen) / (2 * amount_fen) as electricity_fen
                    from batch) rest
           where not exists (select from order_shares s where s.order_id = rest.id))
      select max(id) as last from batch`.execute(trx);
    const last = rows[0]?.last ?? null;
    if (last === null) return ok(null);
    after = last;
  }
}

/** Closes what is over and pays it out, but for one agent, whose closed periods wait for a person. */
async function settle(trx: Trx, caller: Caller, at: Instant): Promise<Result<unknown, ApiError>> {
  const { rows } = await sql<{ id: SettlementPeriodId; agent_id: number | null }>`
    select id, agent_id from settlement_periods
     where state = 'open' and to_on < ${shanghaiDate(at)}::date order by from_on, id`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return ok(null);
  await closePeriods(trx, caller, ids, at);
  const paid = rows.filter(({ agent_id }) => agent_id !== settledByHand).map(({ id }) => id);
  if (paid.length > 0) await payOutPeriods(trx, caller, paid, at);
  return ok(null);
}

async function applyForHalf(trx: Trx, at: Instant): Promise<Result<unknown, ApiError>> {
  const caller = await readCaller(trx, withdrawing.userName);
  if (caller === null) return notThere;
  const balance = balanceAccount({ kind: 'agent', id: withdrawing.agentId as never });
  const balanceFen = (await lockAccounts(trx, [balance]))(balance);
  const wholeYuan = Math.floor(balanceFen / 200);
  return applyForBalance(trx, caller, { amountFen: fen(wholeYuan * 100), remark: '上月分成' }, at);
}

/** Two months of the sites that took most, the earlier one locked. */
async function enterGridBills(trx: Trx, caller: Caller, at: Instant): Promise<Result<unknown, ApiError>> {
  for (const monthsAgo of [2, 1]) {
    const from = monthFrom(at, -monthsAgo);
    const until = monthFrom(at, 1 - monthsAgo);
    const { rows } = await sql<{ id: SiteId; grid_account: string; energy_wh: number }>`
      select s.id, s.grid_account, sum(o.energy_wh)::bigint as energy_wh
        from sites s join orders o on o.site_id = s.id
       where s.grid_account <> '' and o.state = 'completed'
         and o.ended_at >= ${toIso(from)}::timestamptz and o.ended_at < ${toIso(until)}::timestamptz
       group by s.id having sum(o.energy_wh) > 0
       order by sum(o.energy_wh) desc, s.id limit ${gridBilledSites}`.execute(trx);
    for (const { id: siteId, grid_account: accountNumber, energy_wh } of rows) {
      const energyWh = Math.round(energy_wh * grid.lossShare) as WattHours;
      const bill = {
        siteId,
        accountNumber,
        fromOn: shanghaiDate(from),
        toOn: shanghaiDate(instant(until - dayMs)),
        energyWh,
        multiplier: 1,
        amountFen: fen(Math.round((energyWh / 1000) * grid.fenPerKwh)),
        remark: '',
      };
      const entered = await createBill(trx, caller, bill, at);
      if (!entered.ok) return entered;
      if (monthsAgo === 1) continue;
      const locked = await lockOrUnlock(trx, caller, entered.value.id, { locked: true }, at);
      if (!locked.ok) return locked;
    }
  }
  return ok(null);
}

/** What becomes of each application, and under which header. */
const applications = [
  { header: '杭州云岚网络科技有限公司', taxNumber: '91350100M000100Y43', becomes: 'wait' },
  { header: '张伟', taxNumber: null, becomes: 'wait' },
  { header: '上海禾谷物流有限公司', taxNumber: '91350100M000100Y43', becomes: 'reject' },
  { header: '北京远行出租汽车有限公司', taxNumber: '91350100M000100Y43', becomes: 'pass' },
  { header: '李静', taxNumber: null, becomes: 'pass' },
  { header: '广州南粤餐饮管理有限公司', taxNumber: '91350100M000100Y43', becomes: 'pass' },
] as const;
/** Among the latest orders so many are looked at: one payer each. */
const ordersLookedAt = 400;

async function applyForInvoices(
  trx: Trx,
  caller: Caller,
  { context }: Office,
  at: Instant,
): Promise<Result<unknown, ApiError>> {
  const seller = { name: '伏特充电科技有限公司', taxNumber: '91330106673959654P', drawer: '刘思敏' };
  const rates = { electricityRateBp: 1300, serviceRateBp: 600, allowed: 'both' } as const;
  const set = await setSeller(trx, caller, { ...seller, ...rates }, at);
  if (!set.ok) return set;
  const rows = await ordersToInvoice(trx)
    .where('orders.state', '=', 'completed')
    .where('orders.customer_id', 'is not', null)
    .where('sites.invoice_available', '=', true)
    .orderBy('orders.id', 'desc')
    .limit(ordersLookedAt)
    .execute();
  const byPayer = new Map(
    rows
      .map(toOrderToInvoice)
      .filter(({ obstacle }) => obstacle === null)
      .map((order) => [order.customerId, order]),
  );
  const orders = [...byPayer.values()];
  for (const [index, { header, taxNumber, becomes }] of applications.entries()) {
    const order = orders[index];
    // A small network has fewer payers.
    if (order === undefined) break;
    const title =
      taxNumber === null ? { titleKind: 'personal' as const } : { titleKind: 'company' as const, taxNumber };
    const applied = await applyInConsole(trx, caller, { orderIds: [order.id], title: header, ...title }, at);
    if (!applied.ok) return applied;
    if (becomes === 'wait') continue;
    const review =
      becomes === 'pass' ? { decision: becomes } : { decision: becomes, reason: '抬头与税号不一致，请核对后重新申请' };
    const reviewed = await reviewInvoice(trx, context.invoiceProvider, caller, applied.value, review, at);
    if (!reviewed.ok) return reviewed;
  }
  return ok(null);
}
