import type { ChargeEnd, Flag } from '@voltdeck/charging/charge/charge';
import {
  type Billing,
  decideSettlement,
  mayBePaid,
  type Proposal,
  type ReadRegister,
  suspicionOf,
} from '@voltdeck/charging/charge/decide-settlement';
import { doubtedRegisters } from '@voltdeck/charging/charge/plausibility';
import type { Reading } from '@voltdeck/charging/reading';
import { isOwnMoney, type PaymentState, readingDoubts } from '@voltdeck/charging/states';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { OrderDetail } from '@voltdeck/contract/orders';
import { bestCouponAt } from '@voltdeck/ledger/coupon';
import { noParts, type Parts, totalOf } from '@voltdeck/ledger/parts';
import { dueAfterCoupon, type Settlement, settleTransfer } from '@voltdeck/ledger/settle';
import { divide, type SharePlan } from '@voltdeck/ledger/share';
import { type ShareParties, sharePlanAt } from '@voltdeck/ledger/share-plan';
import type { Bill, BillLine } from '@voltdeck/tariffs/bill';
import { isPricedByPeak } from '@voltdeck/tariffs/hour-meter';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { CompiledQuery, type RawBuilder, sql, type Transaction, type Updateable } from 'kysely';
import { TransactionConflict } from '../database/is-database-away.ts';
import { valueIn } from '../database/parameter.ts';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { insertReadings } from '../journal/readings.ts';
import { countingOf, creditOfSettlement, creditRate, creditRateText } from '../ledger/credit.ts';
import { type Movement, postingOf } from '../ledger/post-transfer.ts';
import { type SharePartiesRow, sharePartiesBeside } from '../ledger/share-parties.ts';
import { chargedByFee, type PostedShares, platformAlone, sharesToPost, writingOf } from '../ledger/write-shares.ts';
import { type ChosenCoupon, couponsBeside, type PayerCoupon, takeCoupon } from './order-coupons.ts';
import { readingMarginMs } from './order-readings.ts';
import { appendTimeline, type TimelineFact, timelineEntries } from './order-record.ts';
import { chargeOf, foundColumns, heldParts, type OrderRow, orderColumns, walletKeyOf, walletOf } from './order-row.ts';
import { flagsOfStationBill, type PricedBy, priceBilling } from './price-billing.ts';
import { returnPotOfOrderLater } from './return-pot-later.ts';
import { tellOtherChargesLater } from './tell-balance.ts';
import { changeOrder, nothingBilled, releasedHold, releaseHold, writeFlags } from './write-order.ts';

/** What a settlement needs beside the order itself. */
export type SettlementFacts = {
  readings: ReadRegister[];
  ratedPowerW: number;
  /** The tariff that the station ran when the charge began; null while unknown. */
  runningTariff: Tariff | null;
  /** What the payer has free. */
  available: Parts;
  /** Of the payer, valid for the order. */
  coupons: readonly PayerCoupon[];
  /** What a really paid yuan gives for the credit score. */
  pointsPerYuan: number;
  shareParties: ShareParties;
};

type FactsRow = {
  wallet_paid_fen: Fen | null;
  wallet_gift_fen: Fen | null;
  rated_power_w: number;
  credit_rate: string | null;
  running_tariff: Tariff | null;
  /** Null without readings. */
  read_at: Instant[] | null;
  read_energy_wh: (number | null)[] | null;
  read_power_w: (number | null)[] | null;
  /** Null without coupons. */
  coupons: readonly PayerCoupon[] | null;
} & SharePartiesRow;

type StoredProposal = NonNullable<OrderDetail['proposal']>;

type Ended = {
  end: ChargeEnd;
  /** Readings that the station sent with the stop. */
  readings: readonly Reading[];
  bill: StationBill | null;
  flags: readonly Flag[];
  /** Why a person must look at it whatever its figures, where that is already known. */
  doubt?: Flag | null;
  /** The station's own account of the charge. */
  record: Updateable<OrdersTable>;
  /** Read while the order was being locked; absent where it has yet to be read. */
  known?: SettlementFacts | null;
  now: Instant;
};

/**
 * Closes a charge whose end has come: bills, pays and writes it where its figures are credible and can be priced, or
 * leaves it waiting for a person with a proposal. The order must be locked and awaiting its stop.
 */
export async function settleCharge(trx: Transaction<Tables>, order: OrderRow, ended: Ended): Promise<OrderRow> {
  const { end, bill, record, now } = ended;
  await keepReadings(trx, order, ended);
  const suspicion = ended.doubt ?? (await suspicionAt(trx, order, end.endedAt));
  const facts = (ended.readings.length === 0 ? ended.known : null) ?? (await readFacts(trx, order));
  const { readings, ratedPowerW } = facts;
  const known = {
    charge: chargeOf(order),
    end,
    readings,
    bill,
    ratedPowerW,
    isPricedByPeak: isPricedByPeak(order.tariff as Tariff | null),
    now,
  };
  const decision = decideSettlement({ ...known, suspicion });
  const flags = [...ended.flags, ...decision.flags];
  if (flags.some(({ rule }) => readingDoubts.some((doubt) => doubt === rule))) await noteDoubts(trx, order, facts);
  if (decision.kind === 'wait') {
    const { endedAt, meterStopWh } = decision;
    // Figures without doubts are proposed as they would have been billed.
    const asked = suspicion === null ? decision : decideSettlement({ ...known, suspicion: null });
    const proposal = { ...decision.proposal, bill: asked.kind === 'bill' ? billOf(order, asked.billing, facts) : null };
    return waitForPerson(trx, order, { endedAt, meterStopWh, proposal, reason: end.reason, flags, record, now });
  }
  const { billing } = decision;
  const proposal = { energyWh: billing.meterStopWh - billing.meterStartWh, endedAt: billing.endedAt, bill: null };
  const waiting = {
    endedAt: billing.endedAt,
    meterStopWh: billing.meterStopWh,
    proposal,
    reason: end.reason,
    record,
    now,
  };
  if (order.tariff === null) {
    return waitForPerson(trx, order, { ...waiting, flags: [...flags, { rule: 'price_missing', evidence: {} }] });
  }
  const priced = priceBilling(order.tariff as Tariff, billing, facts.runningTariff);
  if (!priced.ok) {
    const failure: Flag = { rule: 'settlement_failed', evidence: { because: priced.error.code } };
    return waitForPerson(trx, order, { ...waiting, flags: [...flags, failure] });
  }
  if (bill !== null) {
    const told = { ...billing, bill };
    flags.push(...flagsOfStationBill(order.tariff as Tariff, facts.runningTariff, told, priced.value));
  }
  if (!mayBePaid(chargeOf(order), { amountFen: priced.value.bill.amountFen, availableFen: totalOf(facts.available) })) {
    const evidence = {
      because: 'above_balance',
      amountFen: priced.value.bill.amountFen,
      cardNumber: order.card_number,
    };
    return waitForPerson(trx, order, {
      ...waiting,
      proposal: { ...proposal, bill: priced.value.bill },
      flags: [...flags, { rule: 'record_unasked', evidence }],
    });
  }
  return payBill(trx, order, { ...priced.value, billing, reason: end.reason, flags, record, facts, now });
}

function billOf(order: OrderRow, billing: Billing, { runningTariff }: SettlementFacts): Bill | null {
  const priced = order.tariff === null ? null : priceBilling(order.tariff as Tariff, billing, runningTariff);
  return priced?.ok === true ? priced.value.bill : null;
}

type PricedByHand = { bill: Bill; forgoneFen: Fen };

/**
 * A person's figures, whatever they are, with the `proposed` bill they were shown if they accepted it, otherwise priced
 * by `tariff`. Null when the tariff cannot price them.
 */
export function priceByHand(tariff: Tariff, billing: Billing, proposed: Bill | null): PricedByHand | null {
  if (proposed !== null) return { bill: proposed, forgoneFen: zeroFen };
  const priced = priceBilling(tariff, billing, null);
  return priced.ok ? priced.value : null;
}

/** Closes the charge with a person's figures. */
export async function settleByHand(
  trx: Transaction<Tables>,
  order: OrderRow,
  byHand: { billing: Billing; priced: PricedByHand; userName: string; reason: string; now: Instant },
): Promise<OrderRow> {
  const { billing, priced, userName, reason, now } = byHand;
  return payBill(trx, order, {
    ...priced,
    pricedBy: 'hand',
    billing,
    reason: 'manual_settlement',
    flags: [],
    record: {},
    facts: await readFacts(trx, order),
    now,
    byHand: { userName, reason },
  });
}

/** Nothing is paid: the order keeps its hold and its proposal until a person settles it. */
async function waitForPerson(
  trx: Transaction<Tables>,
  order: OrderRow,
  waiting: {
    endedAt: Instant;
    meterStopWh: number | null;
    proposal: Proposal & { bill: Bill | null };
    reason: ChargeEnd['reason'];
    flags: readonly Flag[];
    record: Updateable<OrdersTable>;
    now: Instant;
  },
): Promise<OrderRow> {
  const { endedAt, meterStopWh, proposal, reason, flags, record, now } = waiting;
  // Nobody asked for the charge, so it holds none of its card's money.
  const isUnasked = flags.some(({ rule }) => rule === 'record_unasked');
  if (isUnasked) await releaseHold(trx, order, now);
  const energyWh = wattHours(
    Math.max(0, meterStopWh === null ? proposal.energyWh : meterStopWh - (order.meter_start_wh ?? 0)),
  );
  return changeOrder(trx, order, {
    set: {
      ...record,
      ...nothingBilled,
      ...(isUnasked && releasedHold),
      state: 'settling',
      waits_for: 'person',
      proposal: JSON.stringify(proposalColumn(proposal)) as never,
      ended_at: endedAt,
      meter_stop_wh: meterStopWh === null ? null : wattHours(meterStopWh),
      energy_wh: energyWh,
      stop_reason: reason,
      power_w: null,
    },
    flags,
    facts: [
      ...(order.state === 'charging' ? [endedFact({ endedAt, meterStopWh, reason })] : []),
      { event: 'settlement_waits', params: { because: 'person' } },
    ],
    at: now,
  });
}

function proposalColumn({ energyWh, endedAt, bill }: Proposal & { bill: Bill | null }): StoredProposal {
  const lines = bill?.lines.map((line) => ({ ...line, from: toIso(line.from), to: toIso(line.to) })) ?? null;
  return { energyWh: wattHours(energyWh), endedAt: toIso(endedAt), lines };
}

async function keepReadings(trx: Transaction<Tables>, order: OrderRow, { readings, now }: Ended): Promise<void> {
  await insertReadings(
    (text, values) => trx.executeQuery(CompiledQuery.raw(text, values)),
    readings.map((reading) => ({
      orderId: order.id,
      connectorId: order.connector_id,
      reading,
      receivedAt: now,
      maybeRepeated: true,
      doubt: null,
    })),
  );
}

/** Marks the readings that the bill leaves out, including those that arrived late. */
async function noteDoubts(
  trx: Transaction<Tables>,
  order: OrderRow,
  { readings, ratedPowerW }: SettlementFacts,
): Promise<void> {
  const startedAt = order.started_at ?? order.placed_at;
  const registers = readings.flatMap(({ at, energyWh }) =>
    energyWh !== null && at >= startedAt ? [{ at, energyWh }] : [],
  );
  const startWh = order.meter_start_wh ?? registers[0]?.energyWh;
  if (startWh === undefined) return;
  const doubted = doubtedRegisters({ at: startedAt, energyWh: startWh }, registers, ratedPowerW);
  if (doubted.length === 0) return;
  await sql`
    update readings r set doubt = d.doubt
      from unnest(${doubted.map(({ at }) => new Date(at))}::timestamptz[], ${doubted.map(({ doubt }) => doubt)}::text[])
           as d (at, doubt)
     where r.order_id = ${order.id} and r.at = d.at and r.doubt is null`.execute(trx);
}

function endedFact(end: { endedAt: Instant; meterStopWh: number | null; reason: ChargeEnd['reason'] }): TimelineFact {
  return { event: 'ended', params: { at: toIso(end.endedAt), meterWh: end.meterStopWh, reason: end.reason } };
}

async function payBill(
  trx: Transaction<Tables>,
  order: OrderRow,
  due: {
    bill: Bill;
    pricedBy: PricedBy;
    forgoneFen: Fen;
    billing: Billing;
    reason: ChargeEnd['reason'];
    flags: readonly Flag[];
    record: Updateable<OrdersTable>;
    facts: SettlementFacts;
    now: Instant;
    byHand?: { userName: string; reason: string };
  },
): Promise<OrderRow> {
  const { bill, facts, now } = due;
  // A customer's coupon is for what they pay themselves.
  const best =
    walletOf(order) === null || !isOwnMoney(order.payment_type)
      ? null
      : bestCouponAt(facts.coupons, bill.serviceFeeFen, now);
  const coupon = best === null ? null : { ...best.coupon, amountFen: best.amountFen };
  const money = reckonMoney(order, bill, facts.available, coupon);
  const flags = [...due.flags];
  if (money.shortfallFen > 0 || due.forgoneFen > 0) {
    const evidence = {
      heldFen: order.held_fen,
      amountFen: bill.amountFen,
      ...(money.shortfallFen > 0 && { shortfallFen: money.shortfallFen }),
      ...(due.forgoneFen > 0 && { forgoneFen: due.forgoneFen }),
    };
    flags.push({ rule: 'amount_above_prepaid', evidence });
  }
  const isFlagged = await writeFlags(trx, order.id, flags, now);
  if (Object.keys(due.record).length > 0) {
    await trx.updateTable('orders').set(due.record).where('id', '=', order.id).execute();
  }
  await tellOtherChargesLater(trx, order);
  if (order.payment_type === 'member') await returnPotOfOrderLater(trx, order);
  if (coupon !== null) await takeCoupon(trx, order.id, coupon, now);
  const credit = creditOfSettlement(order, money.paid.paidFen, facts.pointsPerYuan);
  const sharePlan = sharePlanAt(facts.shareParties, due.billing.endedAt);
  const shares = shareOut(order, bill, { plan: sharePlan, receivedFen: totalOf(money.paid), coupon });
  await writeSettlement(trx, order, { ...due, money, credit, coupon, isFlagged, sharePlan, shares });
  return {
    ...order,
    state: 'completed',
    waits_for: null,
    energy_wh: bill.energyWh,
    electricity_fee_fen: bill.electricityFeeFen,
    service_fee_fen: bill.serviceFeeFen,
    amount_fen: bill.amountFen,
  };
}

const factsColumns = sql`w.balance_fen as wallet_paid_fen, g.balance_fen as wallet_gift_fen,
  s.max_power_w as rated_power_w, ${creditRateText} as credit_rate, t.detail as running_tariff, r.read_at,
  r.read_energy_wh, r.read_power_w, k.coupons, p.share_parties`;

/**
 * Beside an order `o` that began at `from`. The payer's balance is read without a lock: if it is spent in the meantime,
 * the ledger's floor refuses the transfer and the settlement is decided again.
 */
function factsBeside(from: Instant): RawBuilder<unknown> {
  return sql`
      join stations s on s.id = o.station_id
      left join ledger_accounts w
        on w.key = ${walletKeyOf('o', 'paid')}
      left join ledger_accounts g
        on g.key = ${walletKeyOf('o', 'gift')}
      left join tariffs t on t.id = (
        select tariff_id from station_tariffs
         where station_id = s.id and kind = 'running' and from_at <= to_timestamp(${from} / 1000.0)
         order by from_at desc limit 1)
      left join lateral (
        select array_agg(at) as read_at, array_agg(energy_wh) as read_energy_wh, array_agg(power_w) as read_power_w
          from (select at, energy_wh, power_w from readings
                 where order_id = o.id and at >= to_timestamp(${from - readingMarginMs} / 1000.0)
                 order by at) read) r on true
      ${couponsBeside}
      ${sharePartiesBeside}`;
}

/** What a settlement needs, in one statement. */
export async function readFacts(trx: Transaction<Tables>, order: OrderRow): Promise<SettlementFacts> {
  const { rows } = await sql<FactsRow>`
    select ${factsColumns} from orders o ${factsBeside(beginningOf(order))} where o.id = ${order.id}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error(`order ${order.number} has no station`);
  return factsOf(row);
}

/**
 * The one order that `where` selects, locked until the transaction ends, and what its settlement needs if it began at
 * `from` as expected. A statement that waits for the row sees other tables as they were before. That is safe: an order
 * settled in the meantime is no longer awaiting its stop, spent money is guarded by the ledger's floor, and readings
 * stored in the meantime show in the order’s last one.
 */
export async function lockToSettle(
  trx: Transaction<Tables>,
  where: RawBuilder<unknown>,
  from: Instant,
): Promise<{ order: OrderRow | null; settlement: SettlementFacts | null }> {
  const { rows } = await sql<OrderRow & FactsRow>`
    with o as (select ${orderColumns} from orders as o where ${where} for update of o)
    select ${foundColumns}, ${factsColumns} from o ${factsBeside(from)}`.execute(trx);
  const order = rows[0] ?? null;
  const isCurrent = order !== null && beginningOf(order) === from && isReadToItsLast(order);
  return { order, settlement: isCurrent ? factsOf(order) : null };
}

function isReadToItsLast({ last_reading_at: last, read_at: at }: OrderRow & FactsRow): boolean {
  return last === null || last <= (at?.at(-1) ?? Number.NEGATIVE_INFINITY);
}

function beginningOf(order: OrderRow): Instant {
  return order.started_at ?? order.placed_at;
}

function factsOf(row: FactsRow): SettlementFacts {
  const { read_at: at, read_energy_wh: energyWh, read_power_w: powerW } = row;
  return {
    readings: (at ?? []).map((readAt, index) => ({
      at: readAt,
      energyWh: energyWh?.[index] ?? null,
      powerW: powerW?.[index] ?? null,
    })),
    ratedPowerW: row.rated_power_w,
    runningTariff: row.running_tariff,
    available: { paidFen: row.wallet_paid_fen ?? zeroFen, giftFen: row.wallet_gift_fen ?? zeroFen },
    coupons: row.coupons ?? [],
    pointsPerYuan: valueIn(creditRate, row.credit_rate),
    shareParties: row.share_parties,
  };
}

/** Why a charge that nobody asked for is suspect; null where it was asked for or is credible. */
async function suspicionAt(trx: Transaction<Tables>, order: OrderRow, endedAt: Instant): Promise<Flag | null> {
  const charge = chargeOf(order);
  if (charge.wasPlaced) return null;
  const from = charge.startedAt ?? endedAt;
  const { rows } = await sql<{
    offline_card: boolean;
    own_card: boolean;
    other: string | null;
    started_at: Instant | null;
    ended_at: Instant | null;
  }>`
    select exists (select 1 from station_cards
                    where station_id = ${order.station_id}
                      and physical_number in (select physical_number from cards
                                               where id = ${order.card_id} or number = ${order.card_number})) as offline_card,
           exists (select 1 from cards c where c.id = ${order.card_id}
                      and c.agent_id is not distinct from ${order.agent_id}::bigint) as own_card,
           o.number as other, o.started_at, o.ended_at
      from (select 1) one
      left join lateral (
        select number, started_at, ended_at from orders
         where connector_id = ${order.connector_id} and id <> ${order.id} and state <> 'cancelled'
           and started_at < to_timestamp(${endedAt} / 1000.0) and started_at is not null
           and (ended_at > to_timestamp(${from} / 1000.0) or state = 'charging')
         order by started_at desc limit 1) o on true`.execute(trx);
  const row = rows[0];
  return suspicionOf({
    charge,
    isOfflineCard: row?.offline_card === true,
    isOwnCard: row?.own_card === true,
    overlaps:
      row === undefined || row.other === null
        ? null
        : { number: row.other, startedAt: row.started_at, endedAt: row.ended_at },
  });
}

type Money = Omit<Settlement, 'released'>;

function reckonMoney(order: OrderRow, bill: Bill, available: Parts, coupon: ChosenCoupon | null): Money {
  const wallet = walletOf(order);
  // Unknown payer: no account of the books owes the charge until a person finds out who it was.
  if (wallet === null) return { transfer: null, paid: noParts, shortfallFen: bill.amountFen };
  const settled = settleTransfer({
    orderId: order.id,
    siteId: order.site_id,
    wallet,
    held: heldParts(order),
    available,
    electricityFeeFen: bill.electricityFeeFen,
    serviceFeeFen: bill.serviceFeeFen,
    coupon,
  });
  if (!settled.ok) throw new Error(`order ${order.number} cannot be settled: ${JSON.stringify(settled.error)}`);
  return settled.value;
}

function shareOut(
  order: OrderRow,
  bill: Bill,
  { plan, receivedFen, coupon }: { plan: SharePlan | null; receivedFen: Fen; coupon: ChosenCoupon | null },
): PostedShares {
  const shares = divide(plan ?? platformAlone, { receivedFen, ...chargedByFee(bill, coupon) });
  return sharesToPost({ id: order.id, siteId: order.site_id }, 1, shares);
}

/** Writes bill, order, station, money and its shares in one statement. */
async function writeSettlement(
  trx: Transaction<Tables>,
  order: OrderRow,
  settled: {
    bill: Bill;
    pricedBy: PricedBy;
    money: Money;
    coupon: ChosenCoupon | null;
    credit: ReturnType<typeof creditOfSettlement>;
    billing: Billing;
    reason: ChargeEnd['reason'];
    now: Instant;
    isFlagged: boolean;
    sharePlan: SharePlan | null;
    shares: PostedShares;
    byHand?: { userName: string; reason: string };
  },
): Promise<void> {
  const { bill, pricedBy, money, credit, coupon, billing, reason, now, isFlagged, sharePlan, shares, byHand } = settled;
  const named = { id: order.id, siteId: order.site_id };
  const { endedAt, meterStopWh } = billing;
  const paidFen = totalOf(money.paid);
  const facts: TimelineFact[] = [
    ...(order.state === 'charging' ? [endedFact({ endedAt, meterStopWh, reason })] : []),
    byHand === undefined
      ? { event: 'settled', params: { amountFen: bill.amountFen, paidFen } }
      : { event: 'settled_by_hand', params: { amountFen: bill.amountFen, ...byHand } },
  ];
  const { rows } = await sql<{ moved: number }>`
    with billed as (
      insert into order_lines (order_id, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5,
                               service_price_e5, tier_from_w, tier_to_w, steps, step_minutes, fee_fen_per_step,
                               electricity_fee_fen, service_fee_fen)
      select ${order.id}::bigint, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5, service_price_e5,
             tier_from_w, tier_to_w, steps, step_minutes, fee_fen_per_step, electricity_fee_fen, service_fee_fen
        from jsonb_to_recordset(${JSON.stringify(bill.lines.map(columnsOf))}::jsonb)
          as l (line int, kind text, from_at timestamptz, to_at timestamptz, period text, energy_wh bigint,
                electricity_price_e5 int, service_price_e5 int, tier_from_w int, tier_to_w int, steps int,
                step_minutes int, fee_fen_per_step bigint, electricity_fee_fen bigint, service_fee_fen bigint)
      returning 1
    ), moved as (
      update orders
         set state = 'completed', waits_for = null, priced_by = ${pricedBy}, payment_state = ${paymentStateOf(dueAfterCoupon(bill.amountFen, coupon), money.shortfallFen)},
             abnormal = abnormal or ${isFlagged}, unhandled = unhandled or ${isFlagged}, ended_at = to_timestamp(${endedAt} / 1000.0),
             settled_at = to_timestamp(${now} / 1000.0), meter_stop_wh = ${meterStopWh},
             started_at = coalesce(started_at, to_timestamp(${billing.startedAt} / 1000.0)),
             meter_start_wh = coalesce(meter_start_wh, ${billing.meterStartWh}),
             energy_wh = ${bill.energyWh}, electricity_fee_fen = ${bill.electricityFeeFen},
             service_fee_fen = ${bill.serviceFeeFen}, amount_fen = ${bill.amountFen}, paid_fen = ${paidFen},
             gift_paid_fen = ${money.paid.giftFen}, discount_fen = ${coupon?.amountFen ?? 0},
             share_plan = ${sharePlan === null ? null : JSON.stringify(sharePlan)}::jsonb,
             stop_reason = ${reason}, power_w = null, timeline = ${appendTimeline(...timelineEntries(facts, now))}
       where id = ${order.id} and state = ${order.state} returning 1
    ), delivered as (
      update stations set total_energy_wh = total_energy_wh + ${bill.energyWh} where id = ${order.station_id} returning 1
    )
    select m.count as moved, ${postingOf(money.transfer, now, { movements: consumptionOf(order, money.paid) })},
           ${postingOf(shares.transfer, now)}, ${writingOf(named, shares, now)}, ${countingOf(credit, now)} from
      -- Posted last: the wallet and the score are locked until the commit.
      (select count(*) from billed) b, (select count(*)::int as count from moved) m, (select count(*) from delivered) d`.execute(
    trx,
  );
  if (rows[0]?.moved !== 1) throw new TransactionConflict(`order ${order.number} is no longer ${order.state}`);
}

function paymentStateOf(amountFen: Fen, shortfallFen: Fen): PaymentState {
  if (shortfallFen === 0) return 'paid';
  return shortfallFen === amountFen ? 'unpaid' : 'partly_paid';
}

/** What a settlement takes of its payer's wallet; nothing where nobody known pays. */
function consumptionOf(order: OrderRow, { paidFen, giftFen }: Parts): Movement[] {
  const wallet = walletOf(order);
  if (wallet === null) return [];
  const agentId = order.agent_id;
  return [{ wallet, type: 'consume', number: order.number, paidFen: -paidFen, giftFen: -giftFen, agentId }];
}

/** A row of order_lines as JSON, without the columns that its kind of line lacks. */
function columnsOf(line: BillLine, index: number) {
  const both = {
    line: index + 1,
    kind: line.kind,
    from_at: toIso(line.from),
    to_at: toIso(line.to),
    energy_wh: line.energyWh,
    electricity_fee_fen: line.electricityFeeFen,
    service_fee_fen: line.serviceFeeFen,
  };
  return line.kind === 'energy'
    ? {
        ...both,
        period: line.period,
        electricity_price_e5: line.electricityPriceE5,
        service_price_e5: line.servicePriceE5,
      }
    : {
        ...both,
        tier_from_w: line.tierFromW,
        tier_to_w: line.tierToW,
        steps: line.steps,
        step_minutes: line.stepMinutes,
        fee_fen_per_step: line.feeFenPerStep,
      };
}
