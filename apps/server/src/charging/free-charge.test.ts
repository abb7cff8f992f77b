import type { OrderId, StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import { placeOrder } from '../orders/place-order.ts';
import { connectStation, type Floor, openFloor } from './test-charging-floor.ts';
import { billOf, dayEnergiesWh, openNamedStation } from './test-named-charge.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

const platform = platformCaller();

const setFree = (id: StationId, free: boolean) =>
  database.db.updateTable('stations').set({ free }).where('id', '=', id).execute();

async function billed(stationId: StationId) {
  const order = await database.db
    .selectFrom('orders')
    .selectAll()
    .where('station_id', '=', stationId)
    .executeTakeFirstOrThrow();
  const count = async (table: 'order_flags' | 'readings' | 'order_lines') => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where order_id = $1`,
      [order.id],
    );
    return rows[0]?.count;
  };
  const { id }: { id: OrderId } = order;
  const { rows: lines } = await database.pool.query(
    'select sum(energy_wh)::int as wh, sum(electricity_fee_fen + service_fee_fen)::int as fen from order_lines where order_id = $1',
    [id],
  );
  return { order, lines: lines[0], flags: await count('order_flags'), readings: await count('readings') };
}

/** A charge of two hours and 12 kWh that an OCPP station reports as it happens, or all of it now. */
async function charge(number: string, card: string, from: Instant, { isLate = false } = {}): Promise<void> {
  const passTo = (at: Instant) => {
    if (!isLate) floor.clock.now = at;
  };
  passTo(from);
  const station = await connectStation(floor, number);
  expect(await station.call('Authorize', { idTag: card })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  const begun = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: card,
    meterStart: 1_000,
    timestamp: toIso(from),
  });
  expect(begun.idTagInfo).toMatchObject({ status: 'Accepted' });
  const { transactionId } = begun;
  passTo(instant(from + hourMs));
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: toIso(instant(from + hourMs)), sampledValue: [{ value: '7000' }] }],
  });
  passTo(instant(from + 2 * hourMs));
  await station.call('StopTransaction', {
    transactionId,
    idTag: card,
    meterStop: 13_000,
    timestamp: toIso(instant(from + 2 * hourMs)),
  });
  await station.end();
  floor.clock.now = null;
}

const free = { state: 'completed', payment_state: 'paid', energy_wh: 12_000, amount_fen: 0, paid_fen: 0 };

describe('a free station', () => {
  test('a free station needs no rule, lets an empty card charge, holds nothing and keeps energy and readings', async () => {
    const { id } = await floor.addStation('FREE-1', { tariff: false });
    await setFree(id, true);
    const cardId = await floor.addCard('F000000000000001', 0);
    await charge('FREE-1', 'F000000000000001', instant(Date.now()));
    const { order, lines, flags, readings } = await billed(id);
    expect(order).toMatchObject({ ...free, held_fen: 0, holds: 0, tariff_id: null, card_id: cardId });
    expect(lines).toEqual({ wh: 12_000, fen: 0 });
    expect({ flags, readings }).toEqual({ flags: 0, readings: 1 });
  });

  test('a card with money keeps all of it while and after it charges at a free station', async () => {
    const { id } = await floor.addStation('FREE-2');
    await setFree(id, true);
    const cardId = await floor.addCard('F000000000000002', 8_000);
    await charge('FREE-2', 'F000000000000002', instant(Date.now()));
    expect((await billed(id)).order).toMatchObject(free);
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(8_000);
    expect(await floor.balanceOf(`card-held:${cardId}`)).toBe(0);
  });

  test('a charge reported late is free if its station was free when it began, whatever it is now', async () => {
    const began = instant(Date.now() - 5 * hourMs);
    const freeFrom = (id: StationId, from: number, to: number | null) =>
      database.pool.query(
        `update station_free_times set from_at = to_timestamp($2 / 1000.0), to_at = to_timestamp($3 / 1000.0)
          where station_id = $1`,
        [id, from, to],
      );
    const was = await floor.addStation('WAS-FREE');
    await setFree(was.id, true);
    await setFree(was.id, false);
    await freeFrom(was.id, began - hourMs, began + 3 * hourMs);
    await floor.addCard('F000000000000003', 20_000);
    await charge('WAS-FREE', 'F000000000000003', began, { isLate: true });
    expect((await billed(was.id)).order).toMatchObject(free);

    const is = await floor.addStation('IS-FREE');
    await setFree(is.id, true);
    await freeFrom(is.id, began + hourMs, null);
    await floor.addCard('F000000000000004', 20_000);
    await charge('IS-FREE', 'F000000000000004', began, { isLate: true });
    const { order } = await billed(is.id);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 12_000 });
    expect(order.amount_fen).toBeGreaterThan(0);
  });

  test('a free station that prices by itself gets a promise that fills a vehicle, and its own sum is of no account', async () => {
    const station = await openNamedStation(floor, '32010600000777', { tariff: false });
    await setFree(station.id, true);
    const cardId = await floor.addCard('F000000000000005', 0);
    const decided = await station.request({ kind: 'card', cardNumber: 'F000000000000005' });
    expect(decided).toMatchObject({ authorization: 'accepted', availableFen: 50_000 });
    await station.begin(decided.transaction ?? '');
    await station.record(decided.transaction ?? '', { bill: billOf(dayEnergiesWh), cardNumber: 'F000000000000005' });
    const { order, lines, flags } = await billed(station.id);
    expect(order).toMatchObject({ ...free, energy_wh: 120_000, held_fen: 0 });
    expect({ lines, flags }).toEqual({ lines: { wh: 120_000, fen: 0 }, flags: 0 });
    expect(await floor.balanceOf(`receivable:card:${cardId}`)).toBe(0);
  });

  test('a person starts a free charge for an empty card, and nothing is held', async () => {
    const { id, connectorIds } = await floor.addStation('FREE-4', { tariff: false });
    await setFree(id, true);
    await floor.addCard('F000000000000007', 0);
    const station = await connectStation(floor, 'FREE-4');
    await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        `select 1 from stations s join connectors c on c.station_id = s.id
          where s.id = $1 and s.online and c.number = 1 and c.state = 'plugged_in'`,
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    const [connectorId] = connectorIds;
    if (connectorId === undefined) throw new Error('no port');
    const asked = { connectorId, cardNumber: 'F000000000000007' };
    const placed = await placeOrder(floor.context.on('money'), platform, asked, (work) => transact(database.db, work));
    expect(placed).toMatchObject({ ok: true });
    expect((await billed(id)).order).toMatchObject({ state: 'placed', held_fen: 0, tariff_id: null });
    await station.end();
  });

  test('a blocked card is refused at a free station, too', async () => {
    const { id } = await floor.addStation('FREE-3');
    await setFree(id, true);
    const cardId = await floor.addCard('F000000000000006', 0);
    await database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', cardId).execute();
    const station = await connectStation(floor, 'FREE-3');
    expect(await station.call('Authorize', { idTag: 'F000000000000006' })).toMatchObject({
      idTagInfo: { status: 'Blocked' },
    });
    await station.end();
  });
});
