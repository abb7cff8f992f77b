import type { StoryKind } from '@voltdeck/charging/story/story-kinds';
import type { Permission } from '@voltdeck/contract/permissions';
import type { Story } from '@voltdeck/contract/stories';
import type { AgentId, CustomerId, OrderId, SessionId, StationId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, parseIso, secondMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Caller } from '../caller/caller.ts';
import { platformCaller } from '../caller/test-caller.ts';
import { connectStation, type Floor, openFloor, type TestStation } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import { placeOrder } from '../orders/place-order.ts';
import { refundOrder } from '../orders/refund-order.ts';
import { findCustomerStory } from './find-customer-story.ts';
import { findOrderStory } from './find-order-story.ts';
import { findStationStory } from './find-station-story.ts';
import type { Listener } from './telling.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

/** 02:00 in Shanghai, the hour at which such questions are asked. */
const night = parseIso('2026-11-20T02:00:00+08:00') as Instant;
const later = (ms: number): Instant => instant(night + ms);
const goTo = (ms: number): Instant => {
  floor.clock.now = later(ms);
  return later(ms);
};

const listener = (over: Partial<Caller> = {}): Listener => ({
  db: database.db,
  secrets: floor.context.secrets,
  caller: platformCaller(over),
  sessionId: 1 as SessionId,
  now: floor.context.now(),
});

async function storyOf(id: OrderId, over: Partial<Caller> = {}): Promise<Story> {
  await floor.journal.drained();
  const story = await findOrderStory(listener(over), id);
  if (story === null) throw new Error(`order ${id} has no story`);
  return story;
}

const kindsOf = (story: Story, without: readonly StoryKind[] = []) =>
  story.entries.map(({ kind }) => kind).filter((kind) => !without.includes(kind));
const troublesOf = (story: Story) => story.entries.filter(({ weight }) => weight === 'trouble').map(({ kind }) => kind);

async function boot(number: string): Promise<TestStation> {
  const station = await connectStation(floor, number);
  await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  return station;
}

/** Each call when the clock stands at its time. */
type Charge = { transactionId: number; orderId: OrderId };

async function begin(station: TestStation, idTag: string, ms: number): Promise<Charge> {
  const at = goTo(ms);
  await station.call('Authorize', { idTag });
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1_000,
    timestamp: toIso(at),
  });
  const { id } = await database.db
    .selectFrom('orders')
    .select('id')
    .where('transaction_number', '=', transactionId as number)
    .executeTakeFirstOrThrow();
  return { transactionId: transactionId as number, orderId: id };
}

async function read(station: TestStation, { transactionId }: Charge, ms: number, energyWh: number, powerW = 60_000) {
  const at = goTo(ms);
  const sampledValue = [
    { value: String(1_000 + energyWh) },
    { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' },
    { value: '55', measurand: 'SoC', unit: 'Percent' },
  ];
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: toIso(at), sampledValue }],
  });
}

async function stop(station: TestStation, charge: Charge, ms: number, energyWh: number, heardMs = ms) {
  goTo(heardMs);
  await station.call('StopTransaction', {
    transactionId: charge.transactionId,
    meterStop: 1_000 + energyWh,
    timestamp: toIso(later(ms)),
    reason: 'Local',
  });
}

const inTransaction: Parameters<typeof placeOrder>[3] = (work) => transact(database.db, work);
const second = secondMs;

test('a good charge is told from the card to the money, without a trouble', async () => {
  const { id: stationId } = await floor.addStation('GOOD');
  await floor.addCard('00000000000000A1', 20_000);
  goTo(0);
  const station = await boot('GOOD');
  const charge = await begin(station, '00000000000000A1', 10 * second);
  for (let step = 1; step <= 6; step += 1) await read(station, charge, (10 + step * 20) * second, step * 300);
  await stop(station, charge, 150 * second, 2_000);
  goTo(200 * second);
  const story = await storyOf(charge.orderId);
  expect(kindsOf(story, ['booted'])).toEqual([
    'card_accepted',
    'begin_reported',
    'began',
    'held',
    'first_energy',
    'last_energy',
    'end_reported',
    'ended',
    'settled',
    'charged',
  ]);
  expect(troublesOf(story)).toEqual([]);
  expect(story.now).toEqual([{ kind: 'paid', params: { energyWh: 2_000, amountFen: 120, paidFen: 120 } }]);
  const money = story.entries.find(({ kind }) => kind === 'charged');
  expect(money?.params).toEqual({ amountFen: 120, releasedFen: 4_880 });
  const frame = story.entries.find(({ kind }) => kind === 'end_reported');
  expect(frame?.link).toMatchObject({ to: 'frame', stationNumber: 'GOOD' });
  expect(story.acts.map(({ act, because }) => [act, because])).toEqual([
    ['refund', null],
    ['station', null],
    ['log', null],
  ]);
  const atStation = await findStationStory(listener(), stationId, {});
  expect(kindsOf(atStation as Story)).toEqual(expect.arrayContaining(['booted', 'order_placed', 'order_ended']));
  await station.end();
});

test('a refused card is told with what it lacked, and an unknown one as unknown', async () => {
  const { id } = await floor.addStation('REFUSES');
  await floor.addCard('00000000000000B1', 40);
  goTo(0);
  const station = await boot('REFUSES');
  goTo(10 * second);
  await station.call('Authorize', { idTag: '00000000000000B1' });
  goTo(20 * second);
  await station.call('Authorize', { idTag: '00000000000000FF' });
  await database.db.updateTable('cards').set({ state: 'disabled' }).where('number', '=', '00000000000000A1').execute();
  goTo(30 * second);
  await station.call('Authorize', { idTag: '00000000000000A1' });
  goTo(40 * second);
  await floor.journal.drained();
  const story = (await findStationStory(listener(), id, {})) as Story;
  const refused = story.entries.filter(({ weight }) => weight === 'trouble');
  expect(refused.map(({ kind, params }) => [kind, params])).toEqual([
    ['card_too_little', { cardNumber: '00000000000000B1', availableFen: 40, missingFen: 60 }],
    ['card_unknown', { cardNumber: '00000000000000FF' }],
    ['card_disabled', { cardNumber: '00000000000000A1' }],
  ]);
  await station.end();
});

test('a start that the station did not answer is told with the wait and the released hold', async () => {
  const { connectorIds } = await floor.addStation('DEAF');
  await floor.addCard('00000000000000C1', 20_000);
  goTo(0);
  const station = await boot('DEAF');
  await station.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
  station.socket.removeAllListeners('message');
  station.socket.on('message', () => {
    goTo(40 * second);
    station.socket.terminate();
  });
  const placed = await placeOrder(
    floor.context.on('money'),
    platformCaller(),
    { connectorId: connectorIds[0] as never, cardNumber: '00000000000000C1' },
    inTransaction,
  );
  expect(placed.ok).toBe(false);
  const { id } = await database.db
    .selectFrom('orders')
    .select('id')
    .where('card_number', '=', '00000000000000C1')
    .executeTakeFirstOrThrow();
  const story = await storyOf(id);
  expect(kindsOf(story)).toEqual([
    'booted',
    'port_state',
    'placed',
    'held',
    'start_unanswered',
    'placement_failed',
    'cancelled',
    'hold_released',
  ]);
  expect(story.entries.find(({ kind }) => kind === 'placement_failed')?.params.waitedMs).toBe(40 * second);
  expect(story.now[0]).toEqual({ kind: 'cancelled', params: {} });
});

test('a station that fell offline during the charge is told with its silence and the late bill', async () => {
  await floor.addStation('GONE');
  await floor.addCard('00000000000000D1', 20_000);
  goTo(0);
  const station = await boot('GONE');
  const charge = await begin(station, '00000000000000D1', 10 * second);
  await read(station, charge, 40 * second, 300);
  await read(station, charge, 70 * second, 600);
  await read(station, charge, 100 * second, 900);
  await station.end();
  await vi.waitFor(async () => {
    const { online } = await database.db
      .selectFrom('stations')
      .select('online')
      .where('number', '=', 'GONE')
      .executeTakeFirstOrThrow();
    expect(online).toBe(false);
  });
  goTo(10 * minuteMs);
  const running = await storyOf(charge.orderId);
  expect(running.now[0]?.kind).toBe('charging_offline');
  expect(troublesOf(running)).toEqual(['went_offline', 'charging_offline', 'silent']);
  expect(running.acts.find(({ act }) => act === 'stop')?.because).toBe('station.offline');
  expect(running.acts.find(({ act }) => act === 'settle')?.because).toBeNull();
  goTo(40 * minuteMs);
  const again = await boot('GONE');
  await stop(again, charge, 5 * minuteMs, 5_000, 41 * minuteMs);
  goTo(42 * minuteMs);
  const story = await storyOf(charge.orderId);
  expect(troublesOf(story)).toEqual(['went_offline', 'silent', 'energy_unread', 'bill_late', 'hold_released_late']);
  const silence = story.entries.find(({ kind }) => kind === 'silent');
  expect(silence?.params.forMs).toBe(200 * second);
  expect(story.entries.find(({ kind }) => kind === 'bill_late')?.params.lateMs).toBe(36 * minuteMs);
  expect(kindsOf(story)).toContain('came_online');
  await again.end();
});

test('a refund is told with who gave it and why', async () => {
  await floor.addStation('BACK');
  await floor.addCard('00000000000000E1', 20_000);
  goTo(0);
  const station = await boot('BACK');
  const charge = await begin(station, '00000000000000E1', 10 * second);
  await read(station, charge, 30 * second, 2_000);
  await stop(station, charge, 60 * second, 2_000);
  const at = goTo(90 * second);
  const { userId } = await aUser();
  const refunded = await transact(database.db, (trx) =>
    refundOrder(trx, platformCaller({ userId }), charge.orderId, { amountFen: fen(50), reason: 'Sorry' }, at),
  );
  expect(refunded.ok).toBe(true);
  const story = await storyOf(charge.orderId);
  const told = story.entries.at(-1);
  expect(told).toMatchObject({ kind: 'refunded', of: 'refund', params: { amountFen: 50, remark: 'Sorry' } });
  expect(story.now[0]).toMatchObject({ kind: 'refunded', params: { refundedFen: 50 } });
  await station.end();
});

test('a customer with two orders is told of both and of the card that was refused in between', async () => {
  const { id: stationId } = await floor.addStation('TWICE');
  const cardId = await floor.addCard('00000000000000F1', 20_000);
  const { id: customerId } = await database.db
    .insertInto('customers')
    .values({ phone: '13900000077', nickname: 'Lin', created_at: night })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database.db.updateTable('cards').set({ customer_id: customerId }).where('id', '=', cardId).execute();
  goTo(0);
  const station = await boot('TWICE');
  const first = await begin(station, '00000000000000F1', 10 * second);
  await stop(station, first, 60 * second, 1_000);
  await database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', cardId).execute();
  goTo(80 * second);
  await station.call('Authorize', { idTag: '00000000000000F1' });
  await database.db.updateTable('cards').set({ state: 'active' }).where('id', '=', cardId).execute();
  const next = await begin(station, '00000000000000F1', 120 * second);
  await stop(station, next, 180 * second, 1_000);
  goTo(200 * second);
  await floor.journal.drained();
  await database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', cardId).execute();
  const story = (await findCustomerStory(listener(), customerId as CustomerId, {})) as Story;
  expect(kindsOf(story, ['credit_changed'])).toEqual([
    'order_placed',
    'order_ended',
    'card_disabled',
    'order_placed',
    'order_ended',
  ]);
  const told = story.entries.filter(({ kind }) => kind !== 'credit_changed');
  expect(told.map(({ link }) => (link?.to === 'order-story' ? link.id : null))).toEqual([
    first.orderId,
    first.orderId,
    null,
    next.orderId,
    next.orderId,
  ]);
  expect(story.now.map(({ kind }) => kind)).toEqual(['customer_normal', 'balance']);
  expect(await findStationStory(listener(), stationId as StationId, {})).not.toBeNull();
  await station.end();
});

async function aUser() {
  const { id } = await database.db
    .insertInto('users')
    .values({ user_name: 'desk', real_name: 'Desk', password_hash: '', admin: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId: id };
}

test('a source that the caller may not read is left out, and the story says so', async () => {
  const { id } = await database.db
    .selectFrom('orders')
    .select('id')
    .where('card_number', '=', '00000000000000E1')
    .executeTakeFirstOrThrow();
  const reader = { admin: false, permissions: new Set<Permission>(['order.read']) };
  const story = await storyOf(id, reader);
  expect(story.leftOut).toEqual(['connection', 'frame', 'command', 'payment', 'approval', 'person']);
  expect(
    story.entries.every(({ of }) => of === 'order' || of === 'reading' || of === 'ledger' || of === 'refund'),
  ).toBe(true);
  expect(story.acts).toEqual([]);
  expect(await findOrderStory(listener({ agents: [99 as AgentId] }), id)).toBeNull();
});

test('a period longer than a story covers begins later, and the story says so', async () => {
  const { id } = await database.db
    .selectFrom('stations')
    .select('id')
    .where('number', '=', 'GOOD')
    .executeTakeFirstOrThrow();
  goTo(10 * minuteMs);
  const story = (await findStationStory(listener(), id, { from: '2026-11-01T00:00:00Z' })) as Story;
  expect(story.isShortened).toBe(true);
  expect(Date.parse(story.to) - Date.parse(story.from)).toBe(48 * 60 * minuteMs);
  const usual = (await findStationStory(listener(), id, {})) as Story;
  expect(usual.isShortened).toBe(false);
  expect(Date.parse(usual.to) - Date.parse(usual.from)).toBe(6 * 60 * minuteMs);
});
