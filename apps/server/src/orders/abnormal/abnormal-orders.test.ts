import type { AbnormalOrder, StopTarget } from '@voltdeck/contract/abnormal-orders';
import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import { summaryKeptMs } from '@voltdeck/contract/overview';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectStation, type Floor, openFloor, type TestStation } from '../../charging/test-charging-floor.ts';
import type { Database } from '../../database/database.ts';
import { freshDatabase } from '../../database/test-database.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { makeOrder, makePlace } from '../../http/test-records.ts';
import { lockOrder } from '../order-row.ts';
import { changeOrder } from '../write-order.ts';

let database: Database;
let api: TestApi;
let floor: Floor;
let stations = 0;
beforeAll(async () => {
  database = await freshDatabase();
  api = await openTestApi({ database });
  floor = await openFloor(database);
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await floor.close();
  await api.close();
});

/** Within the valley period of the test tariff: 0.60 yuan a kWh. */
const start = instant(Date.parse('2026-11-20T01:00:00+08:00'));
const at = (minutes: number): Instant => instant(start + minutes * minuteMs);

async function bench() {
  stations += 1;
  const number = `ABN${stations}`;
  const card = `AB${String(stations).padStart(14, '0')}`;
  await floor.addStation(number);
  const cardId = await floor.addCard(card, 20_000);
  const station = await connectStation(floor, number);
  return { station, number, card, cardId };
}
type Bench = Awaited<ReturnType<typeof bench>>;

const begin = async (
  { station, card }: Pick<Bench, 'station' | 'card'>,
  { minute = 0, meterWh = 0, port = 1 } = {},
): Promise<number> => {
  const timestamp = toIso(at(minute));
  const begun = await station.call('StartTransaction', {
    connectorId: port,
    idTag: card,
    meterStart: meterWh,
    timestamp,
  });
  return begun.transactionId as number;
};
const stop = (station: TestStation, transactionId: number, minute: number, meterStop: number, more: object = {}) =>
  station.call('StopTransaction', { transactionId, meterStop, timestamp: toIso(at(minute)), reason: 'Local', ...more });
const read = (station: TestStation, transactionId: number, minute: number, meterWh: number) =>
  station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: toIso(at(minute)), sampledValue: [{ value: String(meterWh) }] }],
  });

const listed = async (query: string) =>
  (await api.get<{ items: AbnormalOrder[]; total: number }>(`/abnormal-orders?${query}`)).data;
const only = async (query: string): Promise<AbnormalOrder> => {
  const { items } = await listed(query);
  expect(items).toHaveLength(1);
  return items[0] as AbnormalOrder;
};
const detailOf = async (id: OrderId) => (await api.get<OrderDetail>(`/orders/${id}`)).data;
const accept = (id: OrderId, more: { token?: string; key?: string; reason?: string } = {}) => {
  const { reason = 'Meter read on site', ...ask } = more;
  return api.post<Order>(`/orders/${id}/acceptances`, { reason }, { language: 'en', ...ask });
};

/** An order that waits for a person: an impossible stop after a sane reading of 10 kWh. */
async function waiting() {
  const made = await bench();
  const transaction = await begin(made);
  await read(made.station, transaction, 10, 10_000);
  await stop(made.station, transaction, 10.3, 80_000);
  return { ...made, order: await only(`stationNumber=${made.number}`) };
}

/** An order that is settled and flagged all the same: a stop with other energy came after it. */
async function settled() {
  const made = await bench();
  const transaction = await begin(made);
  await stop(made.station, transaction, 30, 5_000);
  await stop(made.station, transaction, 31, 6_000);
  return { ...made, order: await only(`stationNumber=${made.number}`) };
}

describe('the list of abnormal orders', () => {
  test('an abnormal order shows its rules with their evidence, the proposal with its amount, and since when it waits', async () => {
    const { order, station } = await waiting();
    expect(order).toMatchObject({
      state: 'settling',
      waitsFor: 'person',
      unhandled: true,
      proposal: { energyWh: 10_000, amountFen: 600 },
      atStakeFen: 600,
      unhandledSince: order.flags[0]?.at,
    });
    expect(order.flags.map(({ rule }) => rule)).toContain('meter_jump');
    expect(order.flags.every(({ handled }) => handled === null)).toBe(true);
    await station.end();
  });

  test('a settled order puts its bill less what was given back at stake', async () => {
    const { order, station } = await settled();
    expect(order).toMatchObject({ state: 'completed', amountFen: 300, atStakeFen: 300, proposal: null });
    await api.post(`/orders/${order.id}/refunds`, { amountFen: 100, reason: 'Agreed by phone' });
    expect(await only(`number=${order.number}`)).toMatchObject({ atStakeFen: 200 });
    await station.end();
  });

  test('the list finds orders by rule and by whether they are handled, and leaves out those without a flag', async () => {
    const place = await makePlace(database, null, 'plain');
    await makeOrder(database, place, instant(Date.now()));
    expect((await listed(`stationNumber=${place.stationNumber}`)).items).toEqual([]);
    const { order, station, number } = await settled();
    const of = (query: string) => listed(`stationNumber=${number}&${query}`);
    expect((await of('rule=stop_differs,clock_wrong&handled=false')).total).toBe(1);
    expect((await of('rule=clock_wrong')).total).toBe(0);
    expect((await of('handled=true')).total).toBe(0);
    await accept(order.id);
    expect((await of('handled=false')).total).toBe(0);
    expect((await of('rule=stop_differs&handled=true')).total).toBe(1);
    await station.end();
  });

  test("an agent's user finds flagged orders of that agent only", async () => {
    const agentId = await api.addAgent('Flagged');
    const flag = { rule: 'clock_wrong', at: start, evidence: JSON.stringify({ stationTime: '1970' }) };
    const ids: OrderId[] = [];
    for (const owner of [agentId, null]) {
      const place = await makePlace(database, owner, `scope${owner}`);
      const id = await makeOrder(database, place, start, { abnormal: true, unhandled: true });
      await database.db
        .insertInto('order_flags')
        .values({ order_id: id, ...flag })
        .execute();
      ids.push(id);
    }
    const { token } = await api.addUser({
      name: 'flag-reader',
      permissions: ['order.read', 'order.settle'],
      scope: 'agent',
      agentId,
    });
    const mine = await api.get<{ items: Order[] }>('/abnormal-orders?rule=clock_wrong', { token });
    expect(mine.data.items.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await accept(ids[1] as OrderId, { token })).status).toBe(404);
    const both = { ids, reason: 'Meter read on site' };
    expect((await api.post('/orders/acceptances', both, { token })).status).toBe(404);
    expect((await accept(ids[0] as OrderId, { token })).status).toBe(200);
  });

  test('the file of the list tells the evidence in the words of its reader', async () => {
    const { order, station } = await settled();
    const file = (language: 'en' | 'zh-CN') =>
      api.get(`/abnormal-orders/export?format=csv&number=${order.number}`, { language });
    expect((await file('en')).text).toContain('A stop after the settlement reports 6.000 kWh; 5.000 kWh were billed');
    expect((await file('zh-CN')).text).toContain('结算后收到停止：6.000 kWh，已结算 5.000 kWh');
    await station.end();
  });

  test('the home page counts the flagged orders that nobody has dealt with', async () => {
    const count = async () => {
      api.clock.now = instant((api.clock.now ?? Date.now()) + 2 * summaryKeptMs);
      return (await api.get<{ abnormalOrders: number }>('/overview/summary')).data.abnormalOrders;
    };
    const { order, station } = await settled();
    const before = await count();
    expect(before).toBe((await listed('handled=false&pageSize=10')).total);
    await accept(order.id);
    expect(await count()).toBe(before - 1);
    api.clock.now = null;
    await station.end();
  });
});

describe('accepting an abnormal order as it is', () => {
  test('accepting a settled order leaves its bill and notes who accepted it and why', async () => {
    const { order, station } = await settled();
    const accepted = await accept(order.id, { reason: 'Both meters agree' });
    expect(accepted.data).toMatchObject({ amountFen: 300, paidFen: 300, abnormal: true, unhandled: false });
    const detail = await detailOf(order.id);
    expect(detail.flags).toMatchObject([{ handled: { how: 'accepted', reason: 'Both meters agree' } }]);
    expect(detail.flags[0]?.handled?.userName).toBeTruthy();
    expect(detail.timeline.at(-1)).toMatchObject({ event: 'accepted', params: { reason: 'Both meters agree' } });
    expect((await accept(order.id)).envelope.message.error).toBe('order.already_handled');
    await station.end();
  });

  test('accepting an order that waits settles it with exactly the proposed bill', async () => {
    const { order, station, cardId } = await waiting();
    const accepted = await accept(order.id);
    expect(accepted.data).toMatchObject({ state: 'completed', energyWh: 10_000, amountFen: 600, unhandled: false });
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(19_400);
    expect((await detailOf(order.id)).flags.every(({ handled }) => handled?.how === 'accepted')).toBe(true);
    await station.end();
  });

  test('the same acceptance sent twice settles once', async () => {
    const { order, station, cardId } = await waiting();
    const key = 'accept-twice';
    expect((await accept(order.id, { key })).envelope).toEqual((await accept(order.id, { key })).envelope);
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(19_400);
    await station.end();
  });

  test('an order that still charges or waits without a proposal cannot be accepted', async () => {
    const made = await bench();
    await begin(made);
    const order = await database.db
      .updateTable('orders')
      .set({ abnormal: true, unhandled: true })
      .where('card_number', '=', made.card)
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await accept(order.id)).envelope.message.error).toBe('order.still_open');
    await database.db
      .updateTable('orders')
      .set({ state: 'settling', waits_for: 'person' })
      .where('id', '=', order.id)
      .execute();
    expect((await accept(order.id)).envelope.message.error).toBe('order.no_proposal');
    await made.station.end();
  });

  test('orders are accepted together or not at all, and none of them moves money', async () => {
    const [one, other, waits] = [await settled(), await settled(), await waiting()];
    const ids = [one.order.id, other.order.id];
    const many = (wanted: OrderId[]) =>
      api.post<{ accepted: number }>('/orders/acceptances', { ids: wanted, reason: 'Looked at the curves' });
    expect((await many([...ids, waits.order.id])).envelope.message.error).toBe('order.still_open');
    expect((await listed(`number=${one.order.number}&handled=false`)).total).toBe(1);
    expect((await many(ids)).data).toEqual({ accepted: 2 });
    for (const { order } of [one, other]) expect(await detailOf(order.id)).toMatchObject({ unhandled: false });
    expect((await many(ids)).envelope.message.error).toBe('order.already_handled');
    for (const { station } of [one, other, waits]) await station.end();
  });

  test('accepting needs the right to settle orders', async () => {
    const { order, station } = await settled();
    const { token } = await api.addUser({ name: 'only-reads', permissions: ['order.read'] });
    expect((await accept(order.id, { token })).status).toBe(403);
    await station.end();
  });
});

describe('what deals with a flag besides accepting', () => {
  test('settling by hand and refunding handle the flags of their order', async () => {
    const byHand = await waiting();
    const body = { energyWh: 9_000, endedAt: toIso(at(10)), reason: 'Meter read on site' };
    await api.post(`/orders/${byHand.order.id}/settlements`, body);
    expect((await detailOf(byHand.order.id)).flags.map(({ handled }) => handled?.how)).toContain('settled');
    const refunded = await settled();
    await api.post(`/orders/${refunded.order.id}/refunds`, { amountFen: 50, reason: 'Agreed by phone' });
    expect((await detailOf(refunded.order.id)).flags).toMatchObject([
      { handled: { how: 'refunded', reason: 'Agreed by phone' } },
    ]);
    for (const { station } of [byHand, refunded]) await station.end();
  });

  test('a flag that was handled stays handled when its rule finds the same again, and a new rule opens the order', async () => {
    const { order, station } = await settled();
    await accept(order.id);
    const { transactionNumber } = await database.db
      .selectFrom('orders')
      .select('transaction_number as transactionNumber')
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow();
    await stop(station, transactionNumber ?? 0, 32, 7_000);
    expect(await detailOf(order.id)).toMatchObject({ unhandled: false, flags: [{ rule: 'stop_differs' }] });
    const flags = [{ rule: 'clock_wrong', evidence: { stationTime: '1970' } }] as const;
    await database.db.transaction().execute(async (trx) => {
      await changeOrder(trx, await lockOrder(trx, order.id), { flags, at: at(40) });
    });
    expect(await only(`number=${order.number}&handled=false`)).toMatchObject({ unhandledSince: toIso(at(40)) });
    expect((await accept(order.id)).status).toBe(200);
    expect((await detailOf(order.id)).flags.map(({ handled }) => handled?.reason)).toEqual([
      'Meter read on site',
      'Meter read on site',
    ]);
    await station.end();
  });
});

describe('a parked stop', () => {
  /** A stop of a transaction that we never began. */
  async function parked(made: Bench, transaction: number, meterWh: number, minute = 30) {
    await stop(made.station, transaction, minute, meterWh);
    return only(`stationNumber=${made.number}&rule=start_missing`);
  }

  test('a parked stop that is dismissed charges nothing, and its repetition does not bring it back', async () => {
    const made = await bench();
    const order = await parked(made, 987_654, 4_000);
    expect(order).toMatchObject({ state: 'settling', waitsFor: 'person', cardNumber: null });
    const dismissed = await api.post<Order>(`/orders/${order.id}/dismissals`, { reason: 'A test of the installer' });
    expect(dismissed.data).toMatchObject({ state: 'cancelled', unhandled: false, amountFen: 0 });
    expect((await detailOf(order.id)).flags).toMatchObject([
      { handled: { how: 'dismissed', reason: 'A test of the installer' } },
    ]);
    await stop(made.station, 987_654, 30, 4_000);
    expect((await listed(`stationNumber=${made.number}`)).total).toBe(1);
    expect((await listed(`stationNumber=${made.number}&handled=false`)).total).toBe(0);
    await made.station.end();
  });

  test('a charge that its payer asked for is not dismissed', async () => {
    const { order, station } = await waiting();
    const refused = await api.post(`/orders/${order.id}/dismissals`, { reason: 'Too much work' });
    expect(refused.envelope.message.error).toBe('order.not_dismissible');
    const ended = await settled();
    const late = await api.post(`/orders/${ended.order.id}/dismissals`, { reason: 'Too much work' });
    expect(late.envelope.message.error).toBe('order.already_ended');
    for (const each of [station, ended.station]) await each.end();
  });

  test('a parked stop given to the order that it ends is billed there and nowhere else', async () => {
    const made = await bench();
    const transaction = await begin(made, { meterWh: 1_000 });
    await read(made.station, transaction, 10, 5_000);
    const order = await parked(made, 987_655, 6_000);
    const targets = await api.get<StopTarget[]>(`/orders/${order.id}/stop-targets`);
    expect(targets.data).toMatchObject([{ connectorNumber: 1, cardNumber: made.card }]);
    const orderNumber = targets.data[0]?.number ?? '';
    const assigned = await api.post<Order>(`/orders/${order.id}/assignments`, { orderNumber, reason: 'Same card' });
    expect(assigned.data).toMatchObject({ state: 'cancelled', unhandled: false });
    const ended = (await api.get<{ items: Order[] }>(`/orders?number=${orderNumber}`)).data.items[0];
    expect(ended).toMatchObject({ state: 'completed', energyWh: 5_000, amountFen: 300 });
    expect(await floor.balanceOf(`card:${made.cardId}`)).toBe(19_700);
    expect((await detailOf(order.id)).timeline.map(({ event }) => event)).toContain('stop_assigned');
    await made.station.end();
  });

  test('a parked stop whose bill is above the limit waits for a second person, who sees the bill and carries it out', async () => {
    const { db } = api.database;
    const setLimit = (value: string) =>
      db.updateTable('configs').set({ value }).where('key', '=', 'second_person_order_settlement_fen').execute();
    const made = await bench();
    const transaction = await begin(made, { meterWh: 1_000 });
    await read(made.station, transaction, 10, 5_000);
    const order = await parked(made, 987_657, 6_000);
    const { data: targets } = await api.get<StopTarget[]>(`/orders/${order.id}/stop-targets`);
    const orderNumber = targets[0]?.number ?? '';
    await setLimit('299');
    const before = await floor.balanceOf(`card:${made.cardId}`);
    const body = { orderNumber, reason: 'Same card' };
    const { waitsFor } = (await api.post<Waits>(`/orders/${order.id}/assignments`, body)).data;
    await setLimit('50000');
    const target = async () => (await api.get<{ items: Order[] }>(`/orders?number=${orderNumber}`)).data.items[0];
    expect(await target()).toMatchObject({ state: 'charging' });
    expect((await detailOf(order.id)).state).toBe('settling');
    expect(await floor.balanceOf(`card:${made.cardId}`)).toBe(before);
    const { token } = await api.addUser({
      name: 'second-of-stops',
      permissions: ['approval.read', 'approval.decide', 'order.settle', 'order.read'],
    });
    const asked = await api.get<ApprovalDetail>(`/approvals/${waitsFor.id}`, { token });
    expect(asked.data).toMatchObject({
      kind: 'order_settlement',
      amountFen: 300,
      subjectText: orderNumber,
      facts: [
        { name: 'bill', after: 300 },
        { name: 'stopOf', after: order.number },
      ],
    });
    const decided = await api.post(`/approvals/${waitsFor.id}/decisions`, { decision: 'approve' }, { token });
    expect(decided.data).toMatchObject({ state: 'approved', failure: null });
    expect(await target()).toMatchObject({ state: 'completed', energyWh: 5_000, amountFen: 300 });
    expect((await detailOf(order.id)).state).toBe('cancelled');
    expect(await floor.balanceOf(`card:${made.cardId}`)).toBe(19_700);
    await made.station.end();
  });

  test('a parked stop is given only to an order of its station that awaits its stop', async () => {
    const [made, other] = [await bench(), await bench()];
    await begin(other);
    const foreign = (await api.get<{ items: Order[] }>(`/orders?stationNumber=${other.number}`)).data.items[0];
    const order = await parked(made, 987_656, 6_000);
    const assign = (id: OrderId, orderNumber: string) =>
      api.post(`/orders/${id}/assignments`, { orderNumber, reason: 'Same card' });
    const codeOf = async (answer: ReturnType<typeof assign>) => (await answer).envelope.message.error;
    expect(await codeOf(assign(order.id, foreign?.number ?? ''))).toBe('order.not_awaiting_stop');
    expect(await codeOf(assign(order.id, order.number))).toBe('order.not_awaiting_stop');
    const { order: done, station } = await settled();
    const { order: notParked, station: third } = await waiting();
    expect(await codeOf(assign(order.id, done.number))).toBe('order.not_awaiting_stop');
    expect(await codeOf(assign(notParked.id, notParked.number))).toBe('order.not_awaiting_stop');
    for (const each of [made.station, other.station, station, third]) await each.end();
  });
});
