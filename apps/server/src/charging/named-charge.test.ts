import { timeLimits } from '@voltdeck/charging/charge/decide-time';
import { closedSiteStates, type SiteState } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import { customerAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { wattHours } from '@voltdeck/units/energy';
import type { CardId, OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import type { Transact } from '../http/bind.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { dismissOrder } from '../orders/abnormal/dismiss-order.ts';
import { cancelPlaced } from '../orders/cancel-order.ts';
import { findBalance } from '../orders/find-balance.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { lockOrder } from '../orders/order-row.ts';
import { placeOrder } from '../orders/place-order.ts';
import { findOrderDetail, storedProposal } from '../orders/queries.ts';
import { settleCharge } from '../orders/settle-charge.ts';
import { settleOrder } from '../orders/settle-order.ts';
import { rehearseAll } from '../rehearsals/test-rehearse-all.ts';
import { notePlainEvent } from './on-station-event.ts';
import { takeStop } from './take-stop.ts';
import { type Floor, openFloor, testTariff } from './test-charging-floor.ts';
import {
  billOf,
  chargeFrom,
  chargeTo,
  dayEnergiesWh,
  type NamedStation,
  openNamedStation,
} from './test-named-charge.ts';
import { watchOnce } from './watch-orders.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  await database.db
    .insertInto('users')
    .values({ user_name: 'admin', real_name: 'admin', password_hash: 'x' })
    .execute();
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

const inTransaction: Transact = (work) => transact(database.db, work);

let stations = 0;
/** A new station, and a card with 200 yuan. */
async function stationAndCard(options: { ports?: number; tariff?: boolean; balanceFen?: number } = {}) {
  stations += 1;
  const station = await openNamedStation(floor, `320106${String(stations).padStart(8, '0')}`, options);
  const cardNumber = `A${String(stations).padStart(15, '0')}`;
  const cardId = await floor.addCard(cardNumber, options.balanceFen ?? 20_000);
  const wallet = async () => ({
    free: await floor.balanceOf(`card:${cardId}`),
    held: await floor.balanceOf(`card-held:${cardId}`),
    owed: await floor.balanceOf(`receivable:card:${cardId}`),
  });
  return { station, cardNumber, cardId, wallet };
}

const ordersOf = (station: NamedStation) =>
  database.db.selectFrom('orders').selectAll().where('station_id', '=', station.id).orderBy('id').execute();

async function onlyOrder(station: NamedStation) {
  const orders = await ordersOf(station);
  expect(orders).toHaveLength(1);
  const [order] = orders;
  if (order === undefined) throw new Error('no order');
  return order;
}

async function flagsOf(orderId: OrderId) {
  const rows = await database.db
    .selectFrom('order_flags')
    .select(['rule', 'evidence'])
    .where('order_id', '=', orderId)
    .orderBy('rule')
    .execute();
  return Object.fromEntries(rows.map(({ rule, evidence }) => [rule, evidence]));
}

const admin = { agents: 'all', customerId: null, language: 'en', userId: 1, userName: 'admin' } as never;
const detailOf = async (orderId: OrderId) => {
  const detail = await findOrderDetail(database.db, admin, orderId);
  if (detail === null) throw new Error('no detail');
  return detail;
};

/** 129.00 yuan over three periods. */
const dayBill = { energy_wh: 120_000, amount_fen: 12_900, electricity_fee_fen: 900 + 4_200 + 3_000 };

async function accepted(station: NamedStation, cardNumber: string): Promise<string> {
  const decided = await station.request({ kind: 'card', cardNumber });
  expect(decided.authorization).toBe('accepted');
  if (decided.transaction === undefined) throw new Error('a charge without a name');
  return decided.transaction;
}

describe('a charge asked for at the station', () => {
  test('a charge requested with a card is placed, held and named before the answer', async () => {
    const { station, cardNumber, cardId, wallet } = await stationAndCard();
    const decided = await station.request({ kind: 'card', cardNumber });
    expect(decided).toMatchObject({ authorization: 'accepted', cardNumber, availableFen: 20_000 });
    expect(decided.transaction).toMatch(new RegExp(`^${station.number}01261120063000\\d{4}$`));
    expect(await onlyOrder(station)).toMatchObject({
      state: 'placed',
      start_mode: 'card',
      payment_type: 'card',
      card_id: cardId,
      transaction_key: decided.transaction,
      held_fen: 5_000,
      tariff: testTariff,
    });
    expect(await wallet()).toMatchObject({ free: 15_000, held: 5_000 });
  });

  test('a repeated request is the same order with one hold, which counts as available', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const first = await station.request({ kind: 'card', cardNumber });
    const other = await station.again();
    const [second, third] = await Promise.all([
      station.request({ kind: 'card', cardNumber }),
      other.request({ kind: 'card', cardNumber: cardNumber.toLowerCase() }),
    ]);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    await onlyOrder(station);
    expect(await wallet()).toMatchObject({ free: 15_000, held: 5_000 });
  });

  test('a request on two sockets at once is one order', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const sockets = [station, await station.again(), await station.again(), await station.again()];
    const decided = await Promise.all(sockets.map((socket) => socket.request({ kind: 'card', cardNumber })));
    expect(new Set(decided.map(({ transaction }) => transaction)).size).toBe(1);
    await onlyOrder(station);
    expect(await wallet()).toMatchObject({ free: 15_000, held: 5_000 });
  });

  test('one card requested at two gun ports at once begins at one of them', async () => {
    const { station, cardNumber } = await stationAndCard();
    const other = await station.again();
    const decided = await Promise.all([
      station.request({ kind: 'card', cardNumber }, { connectorNumber: 1 }),
      other.request({ kind: 'card', cardNumber }, { connectorNumber: 2 }),
    ]);
    expect(decided.map(({ authorization }) => authorization).sort()).toEqual(['accepted', 'already_charging']);
    await onlyOrder(station);
  });

  test('a vehicle at two gun ports together begins at both, under two names', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const ask = (connectorNumber: number) =>
      station.request({ kind: 'card', cardNumber }, { connectorNumber, parallelKey: '261120063000' });
    const [one, two] = [await ask(1), await ask(2)];
    expect([one.authorization, two.authorization]).toEqual(['accepted', 'accepted']);
    expect(one.transaction).not.toBe(two.transaction);
    expect(await wallet()).toMatchObject({ free: 10_000, held: 10_000 });
  });

  test('a vehicle at two gun ports together is promised half at each from the start, and all when the other ends', async () => {
    const { station, cardNumber, cardId } = await stationAndCard({ ports: 2 });
    const ask = (connectorNumber: number) =>
      station.request({ kind: 'card', cardNumber }, { connectorNumber, parallelKey: '261120063002' });
    const promised = async (connectorNumber: number) =>
      (await findBalance(database.db, { stationId: station.id, connectorNumber }))?.availableFen;
    const told = async (besideOrderId: number | undefined) => {
      const key = `tell-balance:card:${cardId}:${besideOrderId}`;
      const { rowCount } = await database.pool.query('select from graphile_worker.jobs where key = $1', [key]);
      return rowCount;
    };
    const first = await ask(1);
    await station.begin(first.transaction ?? '');
    expect(first.availableFen).toBe(10_000);
    expect(await promised(1)).toBe(10_000);

    const second = await ask(2);
    const [one, two] = await ordersOf(station);
    expect(await told(two?.id)).toBe(1);
    await station.begin(second.transaction ?? '', chargeFrom, 2);
    expect([await promised(1), await promised(2)]).toEqual([10_000, 10_000]);

    await database.pool.query('delete from graphile_worker._private_jobs');
    await station.record(second.transaction ?? '', { connectorNumber: 2, cardNumber });
    const [, ended] = await ordersOf(station);
    expect(ended).toMatchObject({ state: 'completed', paid_fen: expect.any(Number) });
    expect(await told(two?.id)).toBe(1);
    expect(await told(one?.id)).toBe(0);
    expect(await promised(1)).toBe(20_000 - (ended?.paid_fen ?? 0));
  });

  test('a vehicle at two gun ports together begins at both even on little money', async () => {
    const { station, cardNumber, wallet } = await stationAndCard({ balanceFen: 301 });
    for (const connectorNumber of [1, 2]) {
      const by = { kind: 'card', cardNumber } as const;
      const decided = await station.request(by, { connectorNumber, parallelKey: '261120063001' });
      expect(decided.authorization).toBe('accepted');
    }
    expect(await wallet()).toMatchObject({ free: 0, held: 301 });
  });

  test('a request that never begins is cancelled after five minutes, or later when its station is lost', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    const setOnline = (online: boolean, onlineAt: number) =>
      database.db
        .updateTable('stations')
        .set({ online, online_at: instant(onlineAt) })
        .where('id', '=', station.id)
        .execute();
    const stateAfter = async (minutes: number) => {
      floor.clock.now = instant(chargeFrom + minutes * minuteMs);
      await watchOnce(floor.context.on('money'));
      floor.clock.now = null;
      return (await onlyOrder(station)).state;
    };
    await setOnline(false, chargeFrom - minuteMs);
    expect(await stateAfter(20)).toBe('placed');
    await setOnline(true, chargeFrom + 18 * minuteMs);
    expect(await stateAfter(20)).toBe('placed');
    expect(await stateAfter(24)).toBe('cancelled');
    expect(await wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
    expect(await station.begin(transaction)).toMatchObject({ authorization: 'blocked' });
    await setOnline(false, chargeFrom);
    await accepted(station, cardNumber);
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['cancelled', 'placed']);
    floor.clock.now = instant(chargeFrom + timeLimits.unheardStartMs + minuteMs);
    await watchOnce(floor.context.on('money'));
    floor.clock.now = null;
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  test('two requests in the same second at one gun port have two names', async () => {
    const { station, cardNumber } = await stationAndCard();
    const first = await accepted(station, cardNumber);
    await station.record(first, { failedToStart: true, bill: billOf({}), reason: 'start_failed' });
    expect(await accepted(station, cardNumber)).not.toBe(first);
  });

  test('a refused request leaves no order and gives a reason the station understands', async () => {
    const { station, cardNumber, cardId, wallet } = await stationAndCard();
    const ask = async (card: string, port = 1) =>
      (await station.request({ kind: 'card', cardNumber: card }, { connectorNumber: port })).authorization;
    expect(await ask('00000000DEADBEEF')).toBe('unknown');
    expect((await station.request({ kind: 'account', account: '13800000000', passwordHash: '00' })).authorization).toBe(
      'not_supported',
    );
    expect((await station.request({ kind: 'vehicle', vin: 'LSVAM4187C2184841' })).authorization).toBe(
      'vehicle_unknown',
    );
    const poor = await stationAndCard({ balanceFen: 99 });
    expect(await ask(poor.cardNumber)).toBe('no_balance');
    const { db } = database;
    await db.updateTable('connectors').set({ open: false }).where('station_id', '=', station.id).execute();
    expect(await ask(cardNumber)).toBe('station_closed');
    await db.updateTable('connectors').set({ open: true }).where('station_id', '=', station.id).execute();
    await db.updateTable('stations').set({ enabled: false }).where('id', '=', station.id).execute();
    expect(await ask(cardNumber)).toBe('station_closed');
    await db.updateTable('stations').set({ enabled: true }).where('id', '=', station.id).execute();
    const setSite = (state: SiteState) =>
      db.updateTable('sites').set({ state }).where('id', '=', floor.siteId).execute();
    for (const state of closedSiteStates) {
      await setSite(state);
      expect(await ask(cardNumber)).toBe('station_closed');
    }
    await setSite('normal');
    await db.updateTable('stations').set({ card_tariff_id: null }).where('id', '=', station.id).execute();
    expect(await ask(cardNumber)).toBe('station_closed');
    await db.updateTable('stations').set({ card_tariff_id: floor.tariffId }).where('id', '=', station.id).execute();
    await db.updateTable('cards').set({ state: 'lost' }).where('id', '=', cardId).execute();
    expect(await ask(cardNumber)).toBe('blocked');
    expect(await ordersOf(station)).toEqual([]);
    await db.updateTable('cards').set({ state: 'active' }).where('id', '=', cardId).execute();
    expect(await ask(cardNumber)).toBe('accepted');
    const second = await stationAndCard();
    expect(await ask(second.cardNumber)).toBe('already_charging');
    expect(await ask(cardNumber, 2)).toBe('already_charging');
    expect(await wallet()).toMatchObject({ free: 15_000, held: 5_000 });
  });

  test('a charge by VIN is paid by the card the vehicle was registered with', async () => {
    const { station, cardId, cardNumber, wallet } = await stationAndCard();
    const vin = 'LSVAM4187C2184847';
    await database.db.insertInto('vehicles').values({ vin, card_id: cardId }).execute();
    const decided = await station.request({ kind: 'vehicle', vin: vin.toLowerCase() });
    expect(decided).toMatchObject({ authorization: 'accepted', cardNumber });
    expect(await onlyOrder(station)).toMatchObject({ start_mode: 'vin', vin, card_id: cardId });
    await station.record(decided.transaction ?? '', { vin });
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed', start_mode: 'vin', vin });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a short chip number that the station fills with zeros is the same card', async () => {
    const { station, cardId, cardNumber } = await stationAndCard();
    await database.db.updateTable('cards').set({ physical_number: '04A1B2C3' }).where('id', '=', cardId).execute();
    const decided = await station.request({ kind: 'card', cardNumber: '0000000004A1B2C3' });
    expect(decided).toMatchObject({ authorization: 'accepted', cardNumber });
  });
});

describe('a charge started from the console at a station that names charges before they begin', () => {
  afterEach(() => {
    floor.clock.now = null;
  });
  const caller = { agents: 'all', customerId: null, userId: null, userName: 'admin', remoteAddress: '::1' } as never;

  /** The station's ports are free, and it answers every command alike. */
  async function listening(station: NamedStation, outcome: CommandOutcome) {
    floor.clock.now = chargeFrom;
    const asked: StationCommand[] = [];
    const end = playHolder(floor.context.bus, station.number, async (command) => {
      asked.push(command);
      return outcome;
    });
    await database.db.updateTable('stations').set({ online: true }).where('id', '=', station.id).execute();
    await station.portState('free', chargeFrom);
    const [connectorId] = station.connectorIds;
    if (connectorId === undefined) throw new Error('no port');
    return { asked, connectorId, end };
  }

  test('a remote start gives the station name, card and money, and the record ends that order', async () => {
    const { station, cardNumber, cardId, wallet } = await stationAndCard();
    const { asked, connectorId, end } = await listening(station, { kind: 'scheduled' });
    await database.db.updateTable('cards').set({ physical_number: '04B1B2C3' }).where('id', '=', cardId).execute();
    const placed = await placeOrder(
      floor.context.on('money'),
      caller,
      { connectorId, cardNumber: '04B1B2C3' },
      inTransaction,
    );
    expect(placed.ok).toBe(true);
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ state: 'placed', start_mode: 'remote' });
    expect(asked).toEqual([
      {
        kind: 'start-charge',
        connectorNumber: 1,
        transaction: order.transaction_key,
        cardNumber,
        physicalCardNumber: '04B1B2C3',
        availableFen: 20_000,
      },
    ]);
    await station.begin(order.transaction_key ?? '');
    await station.record(order.transaction_key ?? '', { cardNumber: '04B1B2C3' });
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed', start_mode: 'remote' });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
    end();
  });

  test('a remote start for a customer without a card shows digits that stand for this charge alone', async () => {
    const { station } = await stationAndCard();
    const { asked, connectorId, end } = await listening(station, { kind: 'accepted' });
    const { db } = database;
    const person = await db
      .insertInto('customers')
      .values({ phone: '13900000001', nickname: 'Li' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const wallet = customerAccount(person.id);
    const transfer = rechargeTransfer({ id: 900_001, channel: 'front-desk', wallet, amountFen: fen(30_000) });
    await db.transaction().execute((trx) => postTransfer(trx, soundTransfer(transfer), chargeFrom));
    const placed = await placeOrder(
      floor.context.on('money'),
      caller,
      { connectorId, customerPhone: '13900000001' },
      inTransaction,
    );
    expect(placed.ok).toBe(true);
    const order = await onlyOrder(station);
    expect(asked).toEqual([
      {
        kind: 'start-charge',
        connectorNumber: 1,
        transaction: order.transaction_key,
        cardNumber: expect.stringMatching(/^\d{1,16}$/),
        availableFen: 30_000,
      },
    ]);
    // The chip that stopped the charge does not decide who pays.
    const other = await stationAndCard();
    await station.record(order.transaction_key ?? '', { cardNumber: other.cardNumber });
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed', payment_type: 'online' });
    expect(await floor.balanceOf(`customer:${person.id}`)).toBe(17_100);
    expect(await other.wallet()).toMatchObject({ free: 20_000 });
    end();
  });

  test('a remote start that the station refuses is cancelled with its reason, and blocked if it begins after all', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const { connectorId, end } = await listening(station, { kind: 'rejected', reason: 'fault' });
    const placed = await placeOrder(floor.context.on('money'), caller, { connectorId, cardNumber }, inTransaction);
    expect(placed).toMatchObject({
      ok: false,
      error: { code: 'station.refused_because', words: { because: 'rejection-reason.fault' } },
    });
    const order = await onlyOrder(station);
    expect(order.state).toBe('cancelled');
    expect(order.timeline).toMatchObject([
      { event: 'placed' },
      { event: 'start_refused', params: { outcome: 'rejected', because: 'fault' } },
      { event: 'cancelled' },
    ]);
    expect(await wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
    expect(await station.begin(order.transaction_key ?? '')).toMatchObject({ authorization: 'blocked' });
    end();
  });
});

describe('the record of a charge', () => {
  test('a record is billed by its periods to the fen, one line each, and shown with what the station reported', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    expect(await station.begin(transaction)).toMatchObject({ kind: 'charge-started', authorization: 'accepted' });
    await station.read(transaction, instant(chargeFrom + 30 * minuteMs), 30_000);
    await station.read(transaction, instant(chargeFrom + 90 * minuteMs), 90_000);
    await station.record(transaction, { vin: 'LSVAM4187C2184840' });
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ ...dayBill, state: 'completed', payment_state: 'paid', stop_reason: 'vehicle_full' });
    const detail = await detailOf(order.id);
    expect(
      detail.lines.map((line) => [
        line.kind === 'energy' && line.period,
        line.energyWh,
        line.electricityFeeFen,
        line.serviceFeeFen,
      ]),
    ).toEqual([
      ['peak', 30_000, 3_000, 1_500],
      ['flat', 60_000, 4_200, 2_400],
      ['valley', 30_000, 900, 900],
    ]);
    expect(new Set(detail.lines.map(({ from, to }) => `${Date.parse(from)} ${Date.parse(to)}`))).toEqual(
      new Set([`${chargeFrom} ${chargeTo}`]),
    );
    expect(detail).toMatchObject({
      vin: 'LSVAM4187C2184840',
      transactionKey: transaction,
      stopCode: '0x41',
      stationBill: billOf(dayEnergiesWh),
      flags: [],
      abnormal: false,
    });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a record sent many times, on several sockets at once, is billed once', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    const sockets = [station, await station.again(), await station.again(), await station.again()];
    await Promise.all(sockets.map((socket) => socket.begin(transaction)));
    await Promise.all(sockets.map((socket) => socket.record(transaction)));
    await station.record(transaction);
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed', abnormal: false });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
    const settled = await database.db
      .selectFrom('ledger_transfers')
      .select('id')
      .where('order_id', '=', (await onlyOrder(station)).id)
      .where('reason', '=', 'charge_settled')
      .execute();
    expect(settled).toHaveLength(1);
  });

  test('a record that arrives before any live data begins and ends the order', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await (await station.again()).record(transaction);
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ ...dayBill, state: 'completed', started_at: chargeFrom, ended_at: chargeTo });
    expect(await flagsOf(order.id)).toEqual({});
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a record without a start that cannot be processed waits on its order for a person', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await sql`create function refuse_bills() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$`.execute(database.db);
    await sql`create trigger refuse_bills before insert on order_lines execute function refuse_bills()`.execute(
      database.db,
    );
    try {
      await station.say(billStop(transaction), chargeTo);
    } finally {
      await sql`drop trigger refuse_bills on order_lines`.execute(database.db);
    }
    floor.clock.now = instant(chargeTo + 3 * timeLimits.unheardStartMs);
    await watchOnce(floor.context.on('money'));
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ state: 'settling', waits_for: 'person', abnormal: true });
    expect(Object.keys(await flagsOf(order.id))).toEqual(['message_failed']);
    expect(await wallet()).toEqual({ free: 15_000, held: 5_000, owed: 0 });
  });

  test('a record without a usable total is kept and waits for a person, who settles it by its periods', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction);
    await station.read(transaction, instant(chargeFrom + minuteMs), 0);
    const bill = { ...billOf(dayEnergiesWh), energyTenthsWh: 0xffff_ffff };
    const { meterStopWh: _, ...stop } = billStop(transaction);
    await station.say({ ...stop, bill, at: chargeTo }, chargeTo);
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ state: 'settling', waits_for: 'person', station_bill: bill, ended_at: chargeTo });
    expect(order.proposal).toMatchObject({ energyWh: 120_000 });
    expect(Object.keys(await flagsOf(order.id))).toEqual(['record_contradicts', 'register_missing']);
    expect(await wallet()).toEqual({ free: 15_000, held: 5_000, owed: 0 });
    const byHand = { energyWh: 120_000, endedAt: toIso(chargeTo), reason: 'by its periods' };
    await inTransaction((trx) => settleOrder(trx, admin, order.id, byHand, chargeTo));
    expect(await onlyOrder(station)).toMatchObject({ state: 'completed', energy_wh: 120_000 });
  });

  test('a record of an unknown charge looks up its card once', async () => {
    const { station, cardNumber, cardId } = await stationAndCard();
    let asked = 0;
    const counts: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('as payer_card_id')) asked += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const event = { ...billStop('7'.repeat(32)), cardNumber };
    await database.db
      .transaction()
      .execute((trx) => takeStop(trx.withPlugin(counts) as typeof trx, station.session, event, chargeTo));
    expect(await onlyOrder(station)).toMatchObject({ card_id: cardId, energy_wh: 120_000 });
    expect(asked).toBe(1);
  });

  describe('of which nothing can be read but its name', () => {
    const unreadable = { message: '683B…', fault: 'the body is shorter than its table says' };
    const unread = (transaction: string) =>
      ({
        kind: 'charge-stopped',
        transaction,
        connectorNumber: 1,
        stationTime: '',
        reason: 'other',
        readings: [],
        unreadable,
      }) as const;

    test('a record readable only by name puts its charge before a person at once, with the last reading as a proposal', async () => {
      const { station, cardNumber, wallet } = await stationAndCard();
      const transaction = await accepted(station, cardNumber);
      await station.begin(transaction);
      await station.read(transaction, instant(chargeFrom + 20 * minuteMs), 20_000);
      for (const minute of [31, 32]) await station.say(unread(transaction), instant(chargeFrom + minute * minuteMs));
      const order = await onlyOrder(station);
      expect(order).toMatchObject({ state: 'settling', waits_for: 'person', energy_wh: 20_000, abnormal: true });
      expect(order.proposal).toMatchObject({
        energyWh: 20_000,
        endedAt: toIso(instant(chargeFrom + 20 * minuteMs)),
        lines: [{ energyWh: 20_000 }],
      });
      expect((await flagsOf(order.id)).message_failed).toEqual({
        ...unreadable,
        receivedAt: toIso(instant(chargeFrom + 31 * minuteMs)),
      });
      expect(await wallet()).toMatchObject({ owed: 0 });
      // The whole record may still arrive; the person sees it.
      await station.record(transaction);
      const told = await onlyOrder(station);
      expect(told).toMatchObject({ state: 'settling', waits_for: 'person' });
      expect(told.station_bill).toMatchObject({ energyTenthsWh: 1_200_000 });
    });

    test('a record readable only by name puts an order without a start before a person', async () => {
      const { station, cardNumber, wallet } = await stationAndCard();
      const transaction = await accepted(station, cardNumber);
      await station.say(unread(transaction), chargeTo);
      expect(await onlyOrder(station)).toMatchObject({ state: 'settling', waits_for: 'person', energy_wh: 0 });
      expect(await wallet()).toEqual({ free: 15_000, held: 5_000, owed: 0 });
    });

    test('a record readable only by name becomes a single order without a payer where the charge is unknown', async () => {
      const { station } = await stationAndCard();
      for (const _ of [1, 2]) await station.say(unread('9'.repeat(32)), chargeTo);
      const order = await onlyOrder(station);
      expect(order).toMatchObject({ state: 'settling', waits_for: 'person', transaction_key: '9'.repeat(32) });
      expect(Object.keys(await flagsOf(order.id))).toEqual(['message_failed']);
    });
  });

  test('a record corrects the start of a charge that was reported late', async () => {
    const { station, cardNumber } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction, instant(chargeFrom + 45 * minuteMs));
    await station.record(transaction);
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, started_at: chargeFrom, ended_at: chargeTo });
    // Eight hours before the request means a clock without its time zone.
    const wrong = await accepted(station, cardNumber);
    await station.begin(wrong, chargeFrom);
    await station.record(wrong, { from: instant(chargeFrom - 480 * minuteMs) });
    expect((await ordersOf(station))[1]).toMatchObject({ amount_fen: 12_900, started_at: chargeFrom });
  });

  test('a record without a start, only the stop, is billed all the same', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    const bill = billOf(dayEnergiesWh);
    const stop = {
      kind: 'charge-stopped',
      transaction,
      connectorNumber: 1,
      meterStopWh: 120_000 as never,
      at: chargeTo,
      stationTime: 'x',
      reason: 'local',
      readings: [],
      bill,
    } as const;
    await Promise.all([station.say(stop, chargeTo), (await station.again()).say(stop, chargeTo)]);
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed' });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a record 40 minutes after its gun port was free settles the order that waited for it', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction);
    await station.portState('charging', chargeFrom);
    await station.read(transaction, instant(chargeFrom + 60 * minuteMs), 20_000);
    await station.portState('free', chargeTo);
    await database.db
      .updateTable('stations')
      .set({ online: true, online_at: chargeFrom })
      .where('id', '=', station.id)
      .execute();
    floor.clock.now = instant(chargeTo + timeLimits.freePortMs + minuteMs);
    await watchOnce(floor.context.on('money'));
    floor.clock.now = null;
    const waiting = await onlyOrder(station);
    expect(waiting).toMatchObject({ state: 'settling', stop_reason: 'no_stop_received', abnormal: true });
    expect(await wallet()).toMatchObject({ free: 15_000, held: 5_000 });
    const late = instant(chargeTo + 40 * minuteMs);
    // The process that knew the charge is gone.
    const other = await station.again();
    await Promise.all([other.record(transaction, {}, late), station.record(transaction, {}, late)]);
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed', ended_at: chargeTo });
    expect(Object.keys(await flagsOf(waiting.id))).toEqual(['no_stop_received']);
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a charge that began before the server was killed continues where it was', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction);
    await station.read(transaction, instant(chargeFrom + 30 * minuteMs), 30_000);
    const restarted = await station.again();
    expect([...restarted.session.orders.values()]).toMatchObject([{ transactionKey: transaction, energyWh: 30_000 }]);
    await restarted.begin(transaction, instant(chargeFrom + 31 * minuteMs));
    await restarted.read(transaction, instant(chargeFrom + 60 * minuteMs), 60_000);
    expect([...restarted.session.orders.values()]).toMatchObject([{ energyWh: 60_000 }]);
    await restarted.record(transaction);
    expect(await onlyOrder(station)).toMatchObject({ ...dayBill, state: 'completed' });
    expect(restarted.session.orders.size).toBe(0);
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a record that arrives while the next charge runs on its gun port leaves that one alone', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const next = await stationAndCard();
    const first = await accepted(station, cardNumber);
    await station.begin(first);
    await station.portState('plugged_in', chargeTo);
    const second = await accepted(station, next.cardNumber);
    await station.begin(second, instant(chargeTo + minuteMs));
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['settling', 'charging']);
    await station.record(first, {}, instant(chargeTo + 2 * minuteMs));
    const offline = `${station.number}012611200600000001`.padEnd(32, '0');
    const before = { from: instant(chargeFrom - 180 * minuteMs), at: instant(chargeFrom - 60 * minuteMs) };
    await station.record(offline, { ...before, cardNumber: next.cardNumber }, instant(chargeTo + 3 * minuteMs));
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['completed', 'charging', 'completed']);
    expect([...station.session.orders.values()]).toMatchObject([{ transactionKey: second }]);
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });
});

describe('a record without a name', () => {
  test('a record without a name belongs to the charge that began at its time on its gun port, repeated or not', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const nameless = '0'.repeat(32);
    const said = { connectorNumber: 2, cardNumber, stationTime: '2026-11-19T22:30:00.000Z' };
    const running = await stationAndCard();
    const other = await accepted(station, running.cardNumber);
    await station.begin(other);
    for (let time = 0; time < 2; time += 1) {
      await station.say(
        { kind: 'charge-started', ...said, meterStartWh: 0 as never, at: chargeFrom, transaction: nameless },
        chargeTo,
      );
      await station.say({ ...billStop(nameless), ...said, at: chargeTo, reasonCode: '0x45' }, chargeTo);
    }
    const orders = await ordersOf(station);
    expect(orders.map(({ state }) => state)).toEqual(['charging', 'completed']);
    expect(orders[1]).toMatchObject({ ...dayBill, stop_code: '0x45', station_bill: billOf(dayEnergiesWh) });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });
});

describe('a start that failed', () => {
  test('the record of a failed start releases the hold once, however often it arrives', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    const failed = { failedToStart: true, bill: billOf({}), reason: 'start_failed', reasonCode: '0x59' } as const;
    await Promise.all([station.record(transaction, failed), (await station.again()).record(transaction, failed)]);
    await station.record(transaction, failed);
    const order = await onlyOrder(station);
    expect(order).toMatchObject({
      state: 'cancelled',
      stop_reason: 'start_failed',
      stop_code: '0x59',
      abnormal: false,
    });
    expect(order.timeline).toMatchObject([
      { event: 'placed' },
      { event: 'start_refused', params: { stopReason: 'start_failed', stopCode: '0x59' } },
      { event: 'cancelled' },
    ]);
    expect(await wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
  });

  test('the record of a failed start cancels an order that live data had begun, which does not begin again', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction);
    await station.read(transaction, instant(chargeFrom + minuteMs), 0, 0);
    await station.record(transaction, { failedToStart: true, bill: billOf({}), reason: 'start_failed' });
    expect(await onlyOrder(station)).toMatchObject({ state: 'cancelled' });
    expect(station.session.orders.size).toBe(0);
    expect(await wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
    expect(await station.begin(transaction)).toMatchObject({ authorization: 'blocked' });
    await onlyOrder(station);
  });

  test('the record of a failed start under an unknown name leaves nothing behind', async () => {
    const { station } = await stationAndCard();
    await station.record('9'.repeat(32), { failedToStart: true, bill: billOf({}), reason: 'start_failed' });
    expect(await ordersOf(station)).toEqual([]);
  });
});

describe('a charge whose order was cancelled', () => {
  async function cancelled() {
    const made = await stationAndCard();
    const transaction = await accepted(made.station, made.cardNumber);
    const order = await onlyOrder(made.station);
    await cancelPlaced(floor.context, order.id, { event: 'cancelled', params: {} });
    expect(await made.wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
    return { ...made, transaction, order };
  }

  test('the start of a cancelled order is refused, each time, and the order stays cancelled', async () => {
    const { station, transaction } = await cancelled();
    expect(await station.begin(transaction)).toMatchObject({ authorization: 'blocked' });
    expect(await station.begin(transaction)).toMatchObject({ authorization: 'blocked' });
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['cancelled']);
  });

  test('the energy on record of a cancelled order becomes an order of its own, paid once and flagged', async () => {
    const { station, transaction, order, cardId, wallet } = await cancelled();
    await station.begin(transaction);
    await Promise.all([station.record(transaction), (await station.again()).record(transaction)]);
    await station.record(transaction);
    const orders = await ordersOf(station);
    expect(orders).toHaveLength(2);
    expect(orders[1]).toMatchObject({
      ...dayBill,
      state: 'completed',
      abnormal: true,
      card_id: cardId,
      start_mode: 'card',
    });
    expect(await flagsOf(orders[1]?.id as OrderId)).toMatchObject({
      start_missing: { transaction, cancelledOrder: order.number },
    });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('the record of a cancelled order without a usable time is kept too, by the stop alone', async () => {
    const { station, transaction, wallet } = await cancelled();
    const stop = { ...billStop(transaction), stationTime: 'none' };
    await station.say(stop, chargeTo);
    await station.say(stop, chargeTo);
    const orders = await ordersOf(station);
    expect(orders.map(({ state, amount_fen }) => [state, amount_fen])).toEqual([
      ['cancelled', 0],
      ['completed', 12_900],
    ]);
    expect(Object.keys(await flagsOf(orders[1]?.id as OrderId))).toContain('start_missing');
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('the record of a cancelled order without energy leaves nothing behind', async () => {
    const { station, transaction } = await cancelled();
    await station.say({ ...billStop(transaction), meterStopWh: 0 as never, bill: billOf({}) }, chargeTo);
    expect((await ordersOf(station)).map(({ state }) => state)).toEqual(['cancelled']);
  });
});

function billStop(transaction: string) {
  return {
    kind: 'charge-stopped',
    transaction,
    connectorNumber: 1,
    meterStopWh: 120_000 as never,
    stationTime: 'x',
    reason: 'local',
    readings: [],
    bill: billOf(dayEnergiesWh),
  } as const;
}

describe('a charge that began offline', () => {
  const offlineName = (station: NamedStation) => `${station.number}01${'261120063000'}0001`;

  test('an offline charge with a card in its record is paid by that card', async () => {
    const { station, cardNumber, cardId, wallet } = await stationAndCard();
    await station.record(offlineName(station), { cardNumber });
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ ...dayBill, state: 'completed', payment_state: 'paid', card_id: cardId });
    expect(await flagsOf(order.id)).toEqual({});
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('an offline charge runs unflagged while its payer is unknown, and finds its payer at the end', async () => {
    const { station, cardNumber, cardId, wallet } = await stationAndCard();
    const name = offlineName(station);
    expect(await station.begin(name)).toMatchObject({ authorization: 'accepted' });
    const running = await onlyOrder(station);
    expect(running).toMatchObject({ state: 'charging', card_id: null, abnormal: false, transaction_key: name });
    await station.record(name, { cardNumber });
    expect(await onlyOrder(station)).toMatchObject({
      ...dayBill,
      state: 'completed',
      card_id: cardId,
      payment_state: 'paid',
    });
    expect(await flagsOf(running.id)).toEqual({});
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  /** Gives the card a successor with 200 yuan, and that one another with all of it, as `replaceCard` does. */
  async function replaced(cardId: CardId, cardNumber: string, replacedAt: Instant, lostAt: Instant | null = null) {
    const { db } = database;
    const [second, third] = ['B', 'C'].map((letter) => `${letter}${cardNumber.slice(1)}`) as [string, string];
    const middleId = await floor.addCard(second, 0);
    const presentId = await floor.addCard(third, 20_000);
    await db.updateTable('cards').set({ created_at: replacedAt }).where('id', '=', middleId).execute();
    for (const [id, successor_id] of [
      [cardId, middleId],
      [middleId, presentId],
    ] as const) {
      await db.updateTable('cards').set({ state: 'cancelled', successor_id }).where('id', '=', id).execute();
    }
    await db.updateTable('cards').set({ lost_at: lostAt }).where('id', '=', cardId).execute();
    return presentId;
  }

  test('an offline charge of a card that was replaced before its record arrived is paid by the card that stands in for it', async () => {
    for (const isReportedLive of [false, true]) {
      const { station, cardNumber, cardId, wallet } = await stationAndCard({ balanceFen: 0 });
      const presentId = await replaced(cardId, cardNumber, instant(chargeFrom + minuteMs));
      const name = offlineName(station);
      if (isReportedLive) await station.begin(name);
      await station.record(name, { cardNumber });
      const order = await onlyOrder(station);
      expect(order).toMatchObject({ ...dayBill, state: 'completed', payment_state: 'paid', card_id: presentId });
      expect(order.card_number).toBe(cardNumber);
      expect(await flagsOf(order.id)).toEqual({});
      expect(await floor.balanceOf(`card:${presentId}`)).toBe(7_100);
      expect(await wallet()).toEqual({ free: 0, held: 0, owed: 0 });
    }
  });

  test.each([
    ['replaced', chargeFrom - minuteMs, null],
    ['reported lost and later replaced', chargeTo + minuteMs, instant(chargeFrom - minuteMs)],
  ])(
    'an offline charge with a card %s before waits for a person, and its successor pays or owes',
    async (_ended, replacedAt, lostAt) => {
      for (const isReportedLive of [false, true]) {
        const { station, cardNumber, cardId } = await stationAndCard({ balanceFen: 0 });
        const presentId = await replaced(cardId, cardNumber, instant(replacedAt), lostAt);
        const name = offlineName(station);
        expect((await station.request({ kind: 'card', cardNumber })).authorization).toBe('blocked');
        if (isReportedLive) await station.begin(name);
        await station.record(name, { cardNumber });
        const order = await onlyOrder(station);
        expect(order).toMatchObject({ state: 'settling', waits_for: 'person', card_id: presentId, amount_fen: 0 });
        expect(await flagsOf(order.id)).toMatchObject({
          card_not_accepted: { cardNumber, authorization: 'blocked' },
          record_unasked: { cardNumber, because: 'card_not_accepted' },
        });
        const settled = await inTransaction((trx) =>
          settleOrder(
            trx,
            admin,
            order.id,
            { energyWh: wattHours(240_000), endedAt: toIso(chargeTo), reason: 'As on the meter' },
            instant(chargeTo + minuteMs),
          ),
        );
        expect(settled.ok).toBe(true);
        const { amount_fen: amountFen } = await onlyOrder(station);
        expect(amountFen).toBeGreaterThan(20_000);
        expect(await floor.balanceOf(`card:${presentId}`)).toBe(0);
        expect(await floor.balanceOf(`receivable:card:${presentId}`)).toBe(20_000 - amountFen);
        expect(await floor.balanceOf(`receivable:card:${cardId}`)).toBe(0);
      }
    },
  );

  test('an offline charge of a card that was reported lost or cancelled takes nothing by itself and is flagged with the card', async () => {
    for (const state of ['lost', 'cancelled'] as const) {
      for (const isReportedLive of [false, true]) {
        const { station, cardNumber, cardId, wallet } = await stationAndCard();
        await database.db.updateTable('cards').set({ state }).where('id', '=', cardId).execute();
        const name = offlineName(station);
        if (isReportedLive) await station.begin(name);
        await station.record(name, { cardNumber });
        const order = await onlyOrder(station);
        // Without a payer nothing waits for one: the order says what nobody paid.
        expect(order).toMatchObject(
          isReportedLive
            ? { ...dayBill, state: 'completed', payment_state: 'unpaid', paid_fen: 0, card_id: null }
            : { state: 'settling', waits_for: 'person', paid_fen: 0, card_id: cardId },
        );
        expect(order).toMatchObject({ abnormal: true, unhandled: true });
        expect(await flagsOf(order.id)).toMatchObject({ card_not_accepted: { cardNumber, authorization: 'blocked' } });
        expect(await wallet()).toEqual({ free: 20_000, held: 0, owed: 0 });
      }
    }
  });

  test('an offline charge without a known card is recorded as owed and flagged', async () => {
    const one = await stationAndCard();
    await one.station.record(offlineName(one.station));
    const order = await onlyOrder(one.station);
    expect(order).toMatchObject({ ...dayBill, state: 'completed', payment_state: 'unpaid', abnormal: true });
    expect(await flagsOf(order.id)).toMatchObject({
      card_not_accepted: { cardNumber: null, authorization: 'unknown' },
    });
    const two = await stationAndCard();
    await two.station.record(offlineName(two.station), { cardNumber: '00000000DEADBEEF' });
    expect(await onlyOrder(two.station)).toMatchObject({ payment_state: 'unpaid', card_number: '00000000DEADBEEF' });
  });

  test('a record that a person dismissed neither comes back nor begins another order when it is repeated', async () => {
    const { station, cardNumber, wallet } = await stationAndCard({ balanceFen: 2_000 });
    const name = offlineName(station);
    await station.record(name, { cardNumber });
    const { id } = await onlyOrder(station);
    const dismissed = await inTransaction((trx) =>
      dismissOrder(trx, admin, id, { reason: 'No vehicle stood there' }, chargeTo),
    );
    expect(dismissed.ok).toBe(true);
    await station.record(name, { cardNumber });
    expect(await onlyOrder(station)).toMatchObject({ id, state: 'cancelled', amount_fen: 0, unhandled: false });
    expect(await wallet()).toMatchObject({ free: 2_000, held: 0, owed: 0 });
  });

  test('an offline charge that costs more than the card holds waits for a person and takes nothing', async () => {
    const { station, cardNumber, wallet } = await stationAndCard({ balanceFen: 2_000 });
    await station.record(offlineName(station), { cardNumber });
    const order = await onlyOrder(station);
    expect(order).toMatchObject({ energy_wh: 120_000, amount_fen: 0, state: 'settling', waits_for: 'person' });
    expect(await wallet()).toMatchObject({ free: 2_000, held: 0, owed: 0 });
    expect(await flagsOf(order.id)).toMatchObject({ record_unasked: { because: 'above_balance', amountFen: 12_900 } });
  });

  test('a person settles a waiting charge by the proposed bill, or by their own figures', async () => {
    const waiting = async () => {
      const { station, cardNumber } = await stationAndCard({ balanceFen: 2_000 });
      await station.record(offlineName(station), { cardNumber });
      return onlyOrder(station);
    };
    const first = await waiting();
    const proposal = storedProposal(first.proposal);
    expect(proposal?.lines?.reduce((sum, line) => sum + line.electricityFeeFen + line.serviceFeeFen, 0)).toBe(12_900);
    const settle = (id: OrderId, energyWh: number) =>
      inTransaction((trx) =>
        settleOrder(trx, admin, id, { energyWh, endedAt: proposal?.endedAt ?? '', reason: 'read on site' }, chargeTo),
      );
    await settle(first.id, proposal?.energyWh ?? 0);
    expect(await detailOf(first.id)).toMatchObject({ state: 'completed', energyWh: 120_000, amountFen: 12_900 });
    const second = await waiting();
    await settle(second.id, 60_000);
    expect(await detailOf(second.id)).toMatchObject({ state: 'completed', energyWh: 60_000 });
  });
});

describe('a station that prices by itself', () => {
  /** Every price 10 fen a kWh higher. */
  const dearer = {
    ...testTariff,
    prices: {
      ...testTariff.prices,
      flat: { electricity: priceE5(80_000), service: priceE5(40_000) },
    },
  };

  async function recorded(
    bill: ReturnType<typeof billOf>,
    prepare?: (made: Awaited<ReturnType<typeof stationAndCard>>) => Promise<void>,
  ) {
    const made = await stationAndCard();
    await prepare?.(made);
    const transaction = await accepted(made.station, made.cardNumber);
    await made.station.begin(transaction);
    await made.station.read(transaction, instant(chargeFrom + 60 * minuteMs), 60_000);
    await made.station.record(transaction, { bill });
    const order = await onlyOrder(made.station);
    return { ...made, order, flags: await flagsOf(order.id) };
  }

  test('a station bill above our rule is flagged with both sums, and ours is paid', async () => {
    const { order, flags, wallet } = await recorded(billOf(dayEnergiesWh, { tariff: dearer }));
    expect(order).toMatchObject({ ...dayBill, state: 'completed', abnormal: true });
    expect(Object.keys(flags)).toEqual(['amount_differs']);
    expect(flags.amount_differs).toMatchObject({
      stationAmountE4: 1_350_000,
      stationFen: 13_500,
      oursFen: 12_900,
      periods: [
        { period: 'sharp' },
        { period: 'peak', stationPriceE5: 150_000, oursPriceE5: 150_000 },
        {
          period: 'flat',
          stationPriceE5: 120_000,
          oursPriceE5: 110_000,
          stationAmountE4: 720_000,
          oursAmountE4: 660_000,
        },
        { period: 'valley', energyTenthsWh: 300_000 },
      ],
    });
    expect(await wallet()).toEqual({ free: 7_100, held: 0, owed: 0 });
  });

  test('a station bill in a period that the rule does not have then is flagged, and the charge is billed by its readings', async () => {
    const { order, flags } = await recorded(billOf({ sharp: 120_000 }));
    expect(order).toMatchObject({ state: 'completed', priced_by: 'readings', energy_wh: 120_000 });
    expect(flags).toMatchObject({
      amount_differs: { stationFen: 21_600, oursFen: order.amount_fen, wrongPeriod: 'sharp' },
    });
  });

  test('a station bill by the tariff that it still runs is not flagged, and that tariff is paid', async () => {
    const { order, flags } = await recorded(billOf(dayEnergiesWh, { tariff: dearer }), async ({ station }) => {
      const { id } = await database.db
        .insertInto('tariffs')
        .values({ name: `Former ${station.number}`, kind: 'energy', detail: JSON.stringify(dearer) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db
        .updateTable('stations')
        .set({ running_tariff_id: id, running_tariff_at: instant(chargeFrom - minuteMs) })
        .where('id', '=', station.id)
        .execute();
    });
    expect(order).toMatchObject({ ...dayBill, abnormal: false });
    expect(flags).toEqual({});
  });

  describe('by other slots', () => {
    /** Valley for an hour longer, at the expense of the flat hour. */
    const shifted = {
      ...testTariff,
      slots: [
        { start: '00:00', end: '08:00', period: 'valley' as const },
        { start: '08:00', end: '15:00', period: 'peak' as const },
        ...testTariff.slots.slice(3),
      ],
    };
    const shiftedBill = () => billOf({ valley: 90_000, peak: 30_000 }, { tariff: shifted });
    const bySlot = [
      ['valley', 30_000, 900, 900],
      ['flat', 60_000, 4_200, 2_400],
      ['peak', 30_000, 3_000, 1_500],
    ];

    async function addTariff(name: string, tariff: typeof testTariff) {
      const { id } = await database.db
        .insertInto('tariffs')
        .values({ name, kind: 'energy', detail: JSON.stringify(tariff) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    }

    async function run({ id }: NamedStation, tariff: typeof testTariff, minutes: number) {
      const set = {
        running_tariff_id: await addTariff(`Running ${id} ${minutes}`, tariff),
        running_tariff_at: instant(chargeFrom + minutes * minuteMs),
      };
      await database.db.updateTable('stations').set(set).where('id', '=', id).execute();
    }

    async function linesOf(orderId: OrderId) {
      const { lines } = await detailOf(orderId);
      return lines.map((line) => [
        line.kind === 'energy' && line.period,
        line.energyWh,
        line.electricityFeeFen,
        line.serviceFeeFen,
      ]);
    }

    test('a station with other slots since before the charge is billed by readings, slot by slot of our tariff', async () => {
      const { order, flags } = await recorded(shiftedBill(), ({ station }) => run(station, shifted, -60));
      expect(order).toMatchObject({ ...dayBill, state: 'completed', priced_by: 'readings', abnormal: false });
      expect(await linesOf(order.id)).toEqual(bySlot);
      expect(flags).toEqual({});
    });

    test('a station that took our tariff during the charge is billed by readings, since the former slots cut the record', async () => {
      const { order } = await recorded(shiftedBill(), async ({ station }) => {
        await run(station, shifted, -60);
        await run(station, testTariff, 60);
      });
      expect(order).toMatchObject({ ...dayBill, priced_by: 'readings' });
      expect(await linesOf(order.id)).toEqual(bySlot);
    });

    test('a station given other slots in the middle of a charge is billed by its record, with the slots and prices it began with', async () => {
      const { station, cardNumber } = await stationAndCard();
      await run(station, testTariff, -60);
      const transaction = await accepted(station, cardNumber);
      await station.begin(transaction);
      await station.read(transaction, instant(chargeFrom + 60 * minuteMs), 60_000);
      const card_tariff_id = await addTariff(`Next ${station.number}`, { ...shifted, prices: dearer.prices });
      await database.db.updateTable('stations').set({ card_tariff_id }).where('id', '=', station.id).execute();
      await run(station, shifted, 60);
      await station.record(transaction, { bill: billOf(dayEnergiesWh) });
      const order = await onlyOrder(station);
      expect(order).toMatchObject({ ...dayBill, priced_by: 'station_periods', abnormal: false });
      expect(await linesOf(order.id)).toEqual(bySlot.toReversed());
    });

    test('a station whose slots are only written differently is billed by its record', async () => {
      const slots = [
        ...testTariff.slots.slice(0, 2),
        { start: '08:00', end: '12:00', period: 'peak' as const },
        { start: '12:00', end: '15:00', period: 'peak' as const },
        ...testTariff.slots.slice(3),
      ];
      const { order } = await recorded(billOf(dayEnergiesWh), ({ station }) =>
        run(station, { ...testTariff, slots }, -60),
      );
      expect(order).toMatchObject({ ...dayBill, priced_by: 'station_periods' });
    });
  });

  test('a station bill a fen off by rounding is not flagged, and one further off is', async () => {
    const exact = billOf(dayEnergiesWh);
    expect((await recorded({ ...exact, amountE4: exact.amountE4 + 100 })).flags).toEqual({});
    expect(Object.keys((await recorded({ ...exact, amountE4: exact.amountE4 + 101 })).flags)).toEqual([
      'amount_differs',
    ]);
  });

  test('a station whose periods do not cover the charge is billed by its readings', async () => {
    const whole = billOf(dayEnergiesWh);
    const periods = whole.periods.map((told) =>
      told.period === 'flat' ? { ...told, energyTenthsWh: told.energyTenthsWh - 1_000 } : told,
    );
    const { order, flags } = await recorded({ ...whole, periods });
    expect(order).toMatchObject({ ...dayBill, state: 'completed' });
    expect(flags).toEqual({});
    const lines = (await detailOf(order.id)).lines;
    // By time of use: the valley ends at 07:00, the peak begins at 08:00.
    expect(lines.map((line) => [line.kind === 'energy' && line.period, line.energyWh])).toEqual([
      ['valley', 30_000],
      ['flat', 60_000],
      ['peak', 30_000],
    ]);
    const wrongSum = await recorded({ ...whole, periods, amountE4: 1 });
    expect(wrongSum.flags).toMatchObject({ amount_differs: { stationFen: 0, oursFen: 12_900, periodsWh: 119_900 } });
  });

  test('a station billed by the hour is billed by the hour', async () => {
    const { order } = await recorded(billOf(dayEnergiesWh), async ({ station }) => {
      const detail = {
        kind: 'hour',
        tiers: [{ fromW: 0, toW: null, feeFenPerStep: 50 }],
        stepMinutes: 60,
        measuredBy: 'average',
        longestRunHours: 10,
      };
      const { id } = await database.db
        .insertInto('tariffs')
        .values({ name: `Hours ${station.number}`, kind: 'hour', detail: JSON.stringify(detail) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db.updateTable('stations').set({ card_tariff_id: id }).where('id', '=', station.id).execute();
    });
    expect(order).toMatchObject({ state: 'completed', billing_type: 'hour', amount_fen: 100, energy_wh: 120_000 });
  });

  test('a station whose registers do not match its energy is flagged with both registers', async () => {
    const bill = billOf(dayEnergiesWh);
    const stop = (meterStopTenthsWh: number) => ({ ...bill, meterStopTenthsWh });
    expect((await recorded(stop(bill.meterStopTenthsWh + 200))).flags).toEqual({});
    expect((await recorded(stop(bill.meterStopTenthsWh + 201))).flags).toEqual({
      meter_jump: { meterStartWh: 1_000_000, meterStopWh: 1_120_020, energyWh: 120_000 },
    });
    expect(Object.keys((await recorded(stop(0))).flags)).toEqual(['meter_backwards']);
    expect((await recorded({ ...bill, meterStartTenthsWh: 0, meterStopTenthsWh: 0 })).flags).toEqual({});
  });

  test('a record in tenths of a Wh is billed in tenths, and the line energies add up to the order', async () => {
    const bill = billOf({ peak: 3_333.3, flat: 3_333.3, valley: 3_333.3 });
    const { order } = await recorded(bill);
    expect(order).toMatchObject({ energy_wh: 10_000, state: 'completed' });
    const { lines } = await detailOf(order.id);
    expect(
      lines.map(({ energyWh, electricityFeeFen, serviceFeeFen }) => [energyWh, electricityFeeFen, serviceFeeFen]),
    ).toEqual([
      [3_333, 333, 167],
      [3_334, 233, 133],
      [3_333, 100, 100],
    ]);
    expect(order.amount_fen).toBe(1_066);
  });
});

describe('a vehicle that introduces itself during a charge', () => {
  test('a vehicle that introduces itself during a charge is noted on its order', async () => {
    const { station, cardNumber } = await stationAndCard();
    // The handshake of battery and charger comes before the energy.
    const transaction = await accepted(station, cardNumber);
    const note = (vin: string) =>
      notePlainEvent(
        floor.context.on('money'),
        station.session,
        {
          kind: 'charge-noted',
          connectorNumber: 1,
          transaction,
          note: { kind: 'vehicle-identified', values: { vin } },
        },
        chargeFrom,
      );
    note('\u0000\u0000\u0000');
    note('LSVAM4187C2184844');
    await expect.poll(async () => (await onlyOrder(station)).vin, { timeout: 30_000 }).toBe('LSVAM4187C2184844');
  });
});

describe('an order that was closed without its record', () => {
  test('a record that arrives after its order was closed is kept, and the difference is flagged', async () => {
    const { station, cardNumber, wallet } = await stationAndCard();
    const transaction = await accepted(station, cardNumber);
    await station.begin(transaction);
    await station.read(transaction, instant(chargeFrom + 30 * minuteMs), 30_000);
    const { id } = await onlyOrder(station);
    await database.db.transaction().execute(async (trx) => {
      const end = { endedAt: chargeTo, meterStopWh: null, reason: 'no_stop_received' } as const;
      const ended = { end, readings: [], bill: null, flags: [], record: {}, now: chargeTo };
      await settleCharge(trx, await lockOrder(trx, id), ended);
    });
    expect(await onlyOrder(station)).toMatchObject({ state: 'completed', amount_fen: 1_800, station_bill: null });
    await station.record(transaction);
    await station.record(transaction);
    expect(await onlyOrder(station)).toMatchObject({ state: 'completed', amount_fen: 1_800, stop_code: '0x41' });
    expect(await flagsOf(id)).toMatchObject({
      amount_differs: { stationFen: 12_900, oursFen: 1_800, energyWh: 120_000, billedWh: 30_000 },
    });
    expect(await wallet()).toEqual({ free: 18_200, held: 0, owed: 0 });
  });
});

test('every charge that was settled above is reproduced to the fen by its rehearsal', async () => {
  const { settled, again, unpriced } = await rehearseAll(database);
  expect(settled.charges).toBeGreaterThan(0);
  expect(unpriced).toEqual([]);
  expect(again).toEqual(settled);
});
