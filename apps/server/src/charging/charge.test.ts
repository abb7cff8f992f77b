import type { SiteState } from '@voltdeck/charging/states';
import { wattHours } from '@voltdeck/units/energy';
import { type Instant, instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ScopedEvent } from '../bus/bus.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { findOrderDetail } from '../orders/queries.ts';
import { rehearseAll } from '../rehearsals/test-rehearse-all.ts';
import { findStation } from '../stations/queries.ts';
import { catchUp } from './catch-up.ts';
import { loadStationSession, refusedChargesOf } from './station-session.ts';
import { connectStation, type Floor, openFloor, type TestStation } from './test-charging-floor.ts';
import { watchOnce } from './watch-orders.ts';

const at = (text: string): Instant => {
  const value = parseIso(text);
  if (value === null) throw new Error(text);
  return value;
};
const minutes = (start: Instant, count: number): string => toIso((start + count * 60_000) as Instant);

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

async function orderOf(transactionNumber: number) {
  return database.db
    .selectFrom('orders')
    .selectAll()
    .where('transaction_number', '=', transactionNumber)
    .executeTakeFirstOrThrow();
}

const platform = platformCaller();

async function flagsOf(orderId: number): Promise<string[]> {
  const rows = await database.db
    .selectFrom('order_flags')
    .select('rule')
    .where('order_id', '=', orderId as never)
    .orderBy('rule')
    .execute();
  return rows.map(({ rule }) => rule);
}

async function energiesOf(orderId: number) {
  const lines = await database.db
    .selectFrom('order_lines')
    .select(['period', 'energy_wh'])
    .where('order_id', '=', orderId as never)
    .orderBy('line')
    .execute();
  return lines.map(({ period, energy_wh }) => [period, energy_wh]);
}

/** The result of `ask` when it waits for a transaction that commits this statement meanwhile. */
async function whileItWaits<Value>(statement: string, values: unknown[], ask: () => Promise<Value>): Promise<Value> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(statement, values);
    const asked = ask();
    await vi.waitFor(async () => {
      const { rowCount } = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    });
    await client.query('commit');
    return await asked;
  } finally {
    client.release();
  }
}

/** 06:30 to 08:30 in Shanghai: valley, flat and peak. 60 kW, evenly. */
const start = at('2026-11-20T06:30:00+08:00');

async function chargeTwoHours(
  station: TestStation,
  card: string,
  each: (send: () => Promise<unknown>) => Promise<void>,
) {
  let transactionId = 0;
  await each(async () => {
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: card,
      meterStart: 1_000,
      timestamp: toIso(start),
    });
    transactionId = begun.transactionId as number;
    expect(begun.idTagInfo).toMatchObject({ status: 'Accepted' });
  });
  for (let minute = 10; minute < 120; minute += 10) {
    await each(() =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [{ timestamp: minutes(start, minute), sampledValue: [{ value: String(1_000 + minute * 1_000) }] }],
      }),
    );
  }
  await each(() =>
    station.call('StopTransaction', {
      transactionId,
      idTag: card,
      meterStop: 121_000,
      timestamp: minutes(start, 120),
      reason: 'Local',
    }),
  );
  return transactionId;
}

/** 30 kWh at 0.3 + 0.3, 60 kWh at 0.7 + 0.4, 30 kWh at 1.0 + 0.5: 18.00 + 66.00 + 45.00 yuan. */
const twoHourBill = { energy_wh: 120_000, amount_fen: 12_900, electricity_fee_fen: 900 + 4_200 + 3_000 };

describe('a charge', () => {
  test('a charge over three price periods is billed to the fen, and its hold is posted', async () => {
    await floor.addStation('S1');
    const cardId = await floor.addCard('A000000000000001', 20_000);
    const station = await connectStation(floor, 'S1');
    expect(await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })).toMatchObject({
      status: 'Accepted',
    });
    const number = await chargeTwoHours(station, 'a000000000000001', async (send) => void (await send()));
    const order = await orderOf(number);
    expect(order).toMatchObject({ ...twoHourBill, state: 'completed', payment_state: 'paid', paid_fen: 12_900 });
    const lines = await database.db
      .selectFrom('order_lines')
      .selectAll()
      .where('order_id', '=', order.id)
      .orderBy('line')
      .execute();
    expect(lines.map((line) => [line.period, line.energy_wh, line.electricity_fee_fen, line.service_fee_fen])).toEqual([
      ['valley', 30_000, 900, 900],
      ['flat', 60_000, 4_200, 2_400],
      ['peak', 30_000, 3_000, 1_500],
    ]);
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(7_100);
    expect(await floor.balanceOf(`card-held:${cardId}`)).toBe(0);
    expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
    expect(await flagsOf(order.id)).toEqual([]);
    await station.end();
  });

  test('a settled charge adds its energy to the total consumption of its station, once', async () => {
    const { id } = await floor.addStation('S1-TOTAL');
    await floor.addCard('A0000000000000T1', 20_000);
    await database.db
      .updateTable('stations')
      .set({ total_energy_wh: wattHours(5_000) })
      .where('id', '=', id)
      .execute();
    const station = await connectStation(floor, 'S1-TOTAL');
    const total = async () => (await findStation(database.db, platform, id))?.totalEnergyWh;
    await chargeTwoHours(station, 'A0000000000000T1', async (send) => {
      expect(await total()).toBe(5_000);
      await send();
      await send();
    });
    expect(await total()).toBe(125_000);
    await station.end();
  });

  test('a charge reported twice, with the same message id and with a new one, is one order and one bill', async () => {
    await floor.addStation('S2');
    const cardId = await floor.addCard('A000000000000002', 20_000);
    const station = await connectStation(floor, 'S2');
    const number = await chargeTwoHours(station, 'A000000000000002', async (send) => {
      await Promise.all([send(), send()]);
      await send();
    });
    expect(await orderOf(number)).toMatchObject({ ...twoHourBill, state: 'completed' });
    const orders = await database.db
      .selectFrom('orders')
      .select('id')
      .where('card_number', '=', 'A000000000000002')
      .execute();
    expect(orders).toHaveLength(1);
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(7_100);
    await station.end();
  });

  test('a charge interrupted in the middle and reported 40 minutes late is billed by event time', async () => {
    await floor.addStation('S3');
    await floor.addCard('A000000000000003', 20_000);
    let station = await connectStation(floor, 'S3');
    let sent = 0;
    const number = await chargeTwoHours(
      {
        ...station,
        call: (action, payload) => station.call(action, payload),
      },
      'A000000000000003',
      async (send) => {
        sent += 1;
        if (sent === 5) {
          station.socket.terminate();
          station = await connectStation(floor, 'S3');
        }
        await send();
      },
    );
    expect(await orderOf(number)).toMatchObject({ ...twoHourBill, state: 'completed' });
    await station.end();
  });

  test('a charge at a closed site is refused whatever the card, unless it began before the site closed', async () => {
    const { id } = await floor.addStation('S-SITE');
    const { db } = database;
    const { id: siteId } = await db
      .insertInto('sites')
      .values({ name: 'Apart', region_code: '330106', address: 'x', longitude: 120, latitude: 30 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('stations').set({ site_id: siteId }).where('id', '=', id).execute();
    // It has never stood anywhere else.
    await db.deleteFrom('station_places').where('station_id', '=', id).where('site_id', '<>', siteId).execute();
    await floor.addCard('5171E00000000001', 10_000);
    const station = await connectStation(floor, 'S-SITE');
    const begin = async (state: SiteState, minute: number, since = -60) => {
      const changedAt = instant(start + since * minuteMs);
      await db.updateTable('sites').set({ state, changed_at: changedAt }).where('id', '=', siteId).execute();
      const { transactionId, idTagInfo } = await station.call('StartTransaction', {
        connectorId: 1,
        idTag: '5171E00000000001',
        meterStart: 0,
        timestamp: minutes(start, minute),
      });
      await station.call('StopTransaction', {
        transactionId,
        meterStop: 0,
        timestamp: minutes(start, minute + 1),
        reason: 'Local',
      });
      return (idTagInfo as { status: string }).status;
    };
    expect(await begin('closed_for_business', 0)).toBe('Blocked');
    expect(await begin('closed_offline', 2)).toBe('Blocked');
    expect(await begin('building', 4)).toBe('Accepted');
    expect(await begin('closed_offline', 6, 7)).toBe('Accepted');
    expect(await begin('closed_offline', 8, 8)).toBe('Blocked');
    await station.end();
  });

  test('a card is authorised as its start would be: at a closed site, a disabled or an unpriced station only to end a charge', async () => {
    const { id } = await floor.addStation('S-ASKS');
    const { db } = database;
    const { id: siteId } = await db
      .insertInto('sites')
      .values({ name: 'Asked', region_code: '330106', address: 'x', longitude: 120, latitude: 30 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { card_tariff_id: tariffId } = await db
      .updateTable('stations')
      .set({ site_id: siteId })
      .where('id', '=', id)
      .returning('card_tariff_id')
      .executeTakeFirstOrThrow();
    await floor.addCard('5171E00000000002', 10_000);
    const station = await connectStation(floor, 'S-ASKS');
    const idTag = '5171E00000000002';
    const authorize = async () => ((await station.call('Authorize', { idTag })).idTagInfo as { status: string }).status;
    const begin = async () => {
      const timestamp = toIso(floor.context.now());
      return station.call('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp });
    };
    const changes = {
      site: (isWell: boolean) =>
        db
          .updateTable('sites')
          .set({ state: isWell ? 'normal' : 'closed_offline' })
          .where('id', '=', siteId)
          .execute(),
      station: (enabled: boolean) => db.updateTable('stations').set({ enabled }).where('id', '=', id).execute(),
      price: (isWell: boolean) =>
        db
          .updateTable('stations')
          .set({ card_tariff_id: isWell ? tariffId : null })
          .where('id', '=', id)
          .execute(),
    };
    expect(await authorize()).toBe('Accepted');
    for (const change of Object.values(changes)) {
      await change(false);
      expect(await authorize()).toBe('Blocked');
      await change(true);
    }
    const { transactionId } = await begin();
    await changes.site(false);
    expect(await authorize()).toBe('Accepted');
    await station.call('StopTransaction', { transactionId, meterStop: 0, timestamp: toIso(floor.context.now()) });
    expect(await authorize()).toBe('Blocked');
    expect((await begin()).idTagInfo).toMatchObject({ status: 'Blocked' });
    await station.end();
  });

  test('a charge with an unknown card is recorded with a number, refused and flagged', async () => {
    await floor.addStation('S4');
    const station = await connectStation(floor, 'S4');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'NOBODY',
      meterStart: 0,
      timestamp: toIso(start),
    });
    expect(begun.transactionId).toBeGreaterThan(0);
    expect(begun.idTagInfo).toMatchObject({ status: 'Invalid' });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 1_000,
      timestamp: minutes(start, 1),
      reason: 'DeAuthorized',
    });
    const order = await orderOf(begun.transactionId as number);
    expect(order).toMatchObject({
      state: 'completed',
      payment_state: 'unpaid',
      stop_reason: 'card_deauthorized',
      abnormal: true,
    });
    expect(await flagsOf(order.id)).toContain('card_not_accepted');
    await station.end();
  });

  test('a start received after its card was replaced is refused, whatever the clock of the station says', async () => {
    const { db } = database;
    await floor.addStation('S4C');
    const station = await connectStation(floor, 'S4C');
    const [shown, present] = ['D000000000000011', 'E000000000000011'];
    const [oldId, newId] = [await floor.addCard(shown, 10_000), await floor.addCard(present, 10_000)];
    const startTransaction = (connectorId: number) =>
      station.call('StartTransaction', { connectorId, idTag: shown, meterStart: 0, timestamp: toIso(start) });
    const before = await startTransaction(1);
    expect(before.idTagInfo).toMatchObject({ status: 'Accepted' });
    await station.call('StopTransaction', {
      transactionId: before.transactionId,
      meterStop: 1_000,
      timestamp: minutes(start, 10),
    });
    await db
      .updateTable('cards')
      .set({ created_at: instant(Date.now()) })
      .where('id', '=', newId)
      .execute();
    await db.updateTable('cards').set({ state: 'cancelled', successor_id: newId }).where('id', '=', oldId).execute();
    const behind = await startTransaction(2);
    expect(behind.idTagInfo).toMatchObject({ status: 'Blocked' });
    expect((await startTransaction(2)).idTagInfo).toMatchObject({ status: 'Blocked' });
    // Its successor pays for what it began by the time of the station.
    expect(await orderOf(behind.transactionId as number)).toMatchObject({ card_id: newId, held_fen: 5_000 });
    // An answer that was lost is given again.
    expect(await startTransaction(1)).toEqual(before);
    await station.end();
  });

  test('an offline charge of a replaced card is paid by its successor, which owes what it lacks', async () => {
    const { db } = database;
    await floor.addStation('S4R');
    const station = await connectStation(floor, 'S4R');
    let ports = 0;
    for (const isReplacedBefore of [false, true]) {
      ports += 1;
      const [shown, present] = [`D00000000000000${ports}`, `E00000000000000${ports}`];
      const [oldId, newId] = [await floor.addCard(shown, 0), await floor.addCard(present, 10_000)];
      const replacedAt = instant(start + (isReplacedBefore ? -1 : 1) * minuteMs);
      await db.updateTable('cards').set({ created_at: replacedAt }).where('id', '=', newId).execute();
      await db.updateTable('cards').set({ state: 'cancelled', successor_id: newId }).where('id', '=', oldId).execute();
      const begun = await station.call('StartTransaction', {
        connectorId: ports,
        idTag: shown,
        meterStart: 1_000,
        timestamp: toIso(start),
      });
      expect(begun.idTagInfo).toMatchObject({ status: 'Blocked' });
      await station.call('StopTransaction', {
        transactionId: begun.transactionId,
        meterStop: 121_000,
        timestamp: minutes(start, 120),
      });
      const order = await orderOf(begun.transactionId as number);
      expect(order).toMatchObject({
        state: 'completed',
        payment_state: 'partly_paid',
        card_id: newId,
        card_number: shown,
      });
      expect(await flagsOf(order.id)).toEqual(
        isReplacedBefore ? ['amount_above_prepaid', 'card_not_accepted'] : ['amount_above_prepaid'],
      );
      expect(await floor.balanceOf(`card:${newId}`)).toBe(0);
      expect(await floor.balanceOf(`receivable:card:${newId}`)).toBe(10_000 - order.amount_fen);
      expect(await floor.balanceOf(`receivable:card:${oldId}`)).toBe(0);
    }
    await station.end();
  });

  test('a stop of transaction -1 is matched by card and meter, and an unmatched stop is parked once', async () => {
    const { id } = await floor.addStation('S5');
    await floor.addCard('A000000000000005', 20_000);
    const station = await connectStation(floor, 'S5');
    const begun = await station.call('StartTransaction', {
      connectorId: 2,
      idTag: 'A000000000000005',
      meterStart: 500,
      timestamp: toIso(start),
    });
    const stop = { transactionId: -1, idTag: 'A000000000000005', meterStop: 1_500, timestamp: minutes(start, 6) };
    await station.call('StopTransaction', stop);
    await station.call('StopTransaction', stop);
    expect(await orderOf(begun.transactionId as number)).toMatchObject({ state: 'completed', energy_wh: 1_000 });
    const stray = { transactionId: 2_000_000_000, meterStop: 77, timestamp: minutes(start, 7) };
    await station.call('StopTransaction', stray);
    await station.call('StopTransaction', stray);
    const parked = await database.db
      .selectFrom('orders')
      .selectAll()
      .where('station_id', '=', id)
      .where('transaction_number', 'is', null)
      .execute();
    expect(parked).toHaveLength(1);
    expect(parked[0]).toMatchObject({ state: 'settling', abnormal: true });
    expect(await flagsOf(parked[0]?.id ?? 0)).toEqual(['start_missing']);
    await station.end();
  });

  test('a charge whose meter goes backwards costs nothing and is flagged with both registers', async () => {
    await floor.addStation('S6');
    await floor.addCard('A000000000000006', 20_000);
    const station = await connectStation(floor, 'S6');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A000000000000006',
      meterStart: 5_000,
      timestamp: toIso(start),
    });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 4_999,
      timestamp: minutes(start, 6),
    });
    const order = await orderOf(begun.transactionId as number);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 0, amount_fen: 0, abnormal: true });
    expect(await flagsOf(order.id)).toEqual(['meter_backwards']);
    expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
    await station.end();
  });

  test('a charge with the clock at 1970 is billed by the time of receipt and flagged', async () => {
    await floor.addStation('S7');
    await floor.addCard('A000000000000007', 20_000);
    const station = await connectStation(floor, 'S7');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A000000000000007',
      meterStart: 0,
      timestamp: '1970-01-01T00:00:10Z',
    });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 0,
      timestamp: '1970-01-01T00:10:10Z',
    });
    const order = await orderOf(begun.transactionId as number);
    expect(order.state).toBe('completed');
    expect(Date.now() - (order.started_at ?? 0)).toBeLessThan(60_000);
    expect(await flagsOf(order.id)).toEqual(['clock_wrong']);
    await station.end();
  });

  test('a charge on a port whose last one never ended leaves that one ten minutes for its stop, then closes it at its last reading', async () => {
    await floor.addStation('S8', { ports: 1 });
    await floor.addCard('A000000000000008', 20_000);
    await floor.addCard('A00000000000000B', 20_000);
    const station = await connectStation(floor, 'S8');
    const first = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A000000000000008',
      meterStart: 0,
      timestamp: toIso(start),
    });
    await station.call('MeterValues', {
      connectorId: 1,
      transactionId: first.transactionId,
      meterValue: [{ timestamp: minutes(start, 6), sampledValue: [{ value: '6', unit: 'kWh' }] }],
    });
    const second = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A00000000000000B',
      meterStart: 6_000,
      timestamp: minutes(start, 30),
    });
    expect(await orderOf(first.transactionId as number)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    floor.clock.now = instant(Date.now() + 11 * 60_000);
    await watchOnce(floor.context.on('money'));
    floor.clock.now = null;
    const closed = await orderOf(first.transactionId as number);
    expect(closed).toMatchObject({
      state: 'completed',
      energy_wh: 6_000,
      stop_reason: 'no_stop_received',
      ended_at: start + 360_000,
    });
    expect(await flagsOf(closed.id)).toEqual(['no_stop_received']);
    expect(await orderOf(second.transactionId as number)).toMatchObject({ state: 'charging', energy_wh: 0 });
    await station.end();
  });

  test('an offline charge reported late leaves the gun port to the newer charge that runs there', async () => {
    const { id } = await floor.addStation('S8L', { ports: 1 });
    await floor.addCard('A0000000000000L1', 20_000);
    await floor.addCard('A0000000000000L2', 20_000);
    const station = await connectStation(floor, 'S8L');
    const begin = async (idTag: string, minute: number, meterStart: number) =>
      (await station.call('StartTransaction', { connectorId: 1, idTag, meterStart, timestamp: minutes(start, minute) }))
        .transactionId as number;
    const running = await begin('A0000000000000L2', 30, 6_000);
    const late = await begin('A0000000000000L1', 0, 0);
    await station.call('MeterValues', {
      connectorId: 1,
      meterValue: [{ timestamp: minutes(start, 36), sampledValue: [{ value: '7', unit: 'kWh' }] }],
    });
    expect(await orderOf(running)).toMatchObject({ state: 'charging', waits_for: null });
    expect(await orderOf(late)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    await station.call('StopTransaction', { transactionId: late, meterStop: 6_000, timestamp: minutes(start, 20) });
    await station.call('StopTransaction', { transactionId: running, meterStop: 8_000, timestamp: minutes(start, 40) });
    expect(await orderOf(late)).toMatchObject({ state: 'completed', energy_wh: 6_000, abnormal: false });
    expect(await orderOf(running)).toMatchObject({ state: 'completed', energy_wh: 2_000, abnormal: false });
    const readings = await database.db
      .selectFrom('readings')
      .innerJoin('orders', 'orders.id', 'readings.order_id')
      .select('orders.transaction_number')
      .where('orders.station_id', '=', id)
      .execute();
    expect(readings).toEqual([{ transaction_number: running }]);
    await station.end();
  });

  test('a charge reported late keeps the readings reported with it', async () => {
    await floor.addStation('S8R', { ports: 1 });
    await floor.addCard('A0000000000000R1', 20_000);
    await floor.addCard('A0000000000000R2', 20_000);
    const station = await connectStation(floor, 'S8R');
    const begin = async (idTag: string, minute: number, meterStart: number) =>
      (await station.call('StartTransaction', { connectorId: 1, idTag, meterStart, timestamp: minutes(start, minute) }))
        .transactionId as number;
    const running = await begin('A0000000000000R2', 100, 60_000);
    const late = await begin('A0000000000000R1', 0, 0);
    await station.call('MeterValues', {
      connectorId: 1,
      transactionId: late,
      meterValue: [{ timestamp: minutes(start, 30), sampledValue: [{ value: '50', unit: 'kWh' }] }],
    });
    await station.call('StopTransaction', { transactionId: late, meterStop: 60_000, timestamp: minutes(start, 60) });
    const order = await orderOf(late);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 60_000, abnormal: false });
    expect(await energiesOf(order.id)).toEqual([
      ['valley', 50_000],
      ['flat', 10_000],
    ]);
    expect(await orderOf(running)).toMatchObject({ state: 'charging' });
    await station.end();
  });

  test('a charge does not reopen the former one on its port that is settled at the same moment', async () => {
    await floor.addStation('S8E', { ports: 1 });
    await floor.addCard('A0000000000000E1', 20_000);
    await floor.addCard('A0000000000000E2', 20_000);
    const station = await connectStation(floor, 'S8E');
    const begin = async (idTag: string, minute: number) =>
      (
        await station.call('StartTransaction', {
          connectorId: 1,
          idTag,
          meterStart: 0,
          timestamp: minutes(start, minute),
        })
      ).transactionId as number;
    const former = await begin('A0000000000000E1', 0);
    const next = await whileItWaits(
      "update orders set state = 'completed' where transaction_number = $1",
      [former],
      () => begin('A0000000000000E2', 30),
    );
    expect(await orderOf(former)).toMatchObject({ state: 'completed', waits_for: null });
    expect(await flagsOf((await orderOf(former)).id)).toEqual([]);
    expect(await orderOf(next)).toMatchObject({ state: 'charging' });
    await station.end();
  });

  test('a charge is billed by readings that another connection stored at the same moment', async () => {
    await floor.addStation('S8S', { ports: 1 });
    await floor.addCard('A0000000000000S1', 20_000);
    const station = await connectStation(floor, 'S8S');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A0000000000000S1',
      meterStart: 0,
      timestamp: toIso(start),
    });
    const { id, connector_id } = await orderOf(begun.transactionId as number);
    await whileItWaits(
      `with read as (insert into readings (order_id, at, connector_id, energy_wh, received_at)
                     values ($1, $2, $3, 50000, now()) returning order_id, at)
       update orders set last_reading_at = read.at from read where id = read.order_id`,
      [id, minutes(start, 30), connector_id],
      () =>
        station.call('StopTransaction', {
          transactionId: begun.transactionId,
          meterStop: 60_000,
          timestamp: minutes(start, 60),
        }),
    );
    expect(await energiesOf(id)).toEqual([
      ['valley', 50_000],
      ['flat', 10_000],
    ]);
    await station.end();
  });

  test('a running charge is shown by its stored readings, which are newer than its row', async () => {
    await floor.addStation('S8FIG', { ports: 1 });
    await floor.addCard('A0000000000000F1', 20_000);
    const station = await connectStation(floor, 'S8FIG');
    const begun = { connectorId: 1, idTag: 'A0000000000000F1', meterStart: 0, timestamp: toIso(start) };
    const { transactionId } = await station.call('StartTransaction', begun);
    const tell = (minute: number, value: number) =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [{ timestamp: minutes(start, minute), sampledValue: [{ value: String(value) }] }],
      });
    await tell(10, 10_000);
    await tell(11, 11_000);
    // No cable carries that: it is stored and does not count.
    await tell(12, 9_000_000);
    const row = await orderOf(transactionId as number);
    expect(row.energy_wh).toBe(10_000);
    const shown = await findOrderDetail(database.db, platform, row.id);
    // 11 kWh in the valley, at 0.30 yuan for each of the two fees.
    expect(shown).toMatchObject({ energyWh: 11_000, electricityFeeFen: 330, serviceFeeFen: 330, amountFen: 660 });
    await station.end();
  });

  test('a charge that waits for its stop is not shown as running after its station came back', async () => {
    const { id } = await floor.addStation('S8W', { ports: 1 });
    await floor.addCard('A0000000000000W1', 20_000);
    const station = await connectStation(floor, 'S8W');
    for (const minute of [0, 30]) {
      const timestamp = minutes(start, minute);
      await station.call('StartTransaction', {
        connectorId: 1,
        idTag: 'A0000000000000W1',
        meterStart: minute,
        timestamp,
      });
    }
    await station.end();
    const place = { id, number: 'S8W', siteId: floor.siteId, agentId: null };
    const session = await loadStationSession(database, place);
    const told: ScopedEvent[] = [];
    const end = floor.context.bus.subscribe((event) => told.push(event));
    catchUp(floor.context, session, { add: ({ onStored }) => onStored?.() });
    end();
    expect([...session.orders.values()].map(({ isRunning }) => isRunning).sort()).toEqual([false, true]);
    expect(told).toHaveLength(1);
  });

  test('a refused charge is known as such beside an older one that was reported late', async () => {
    const { id } = await floor.addStation('S8N', { ports: 1 });
    await floor.addCard('A0000000000000N1', 20_000);
    const station = await connectStation(floor, 'S8N');
    const begin = async (idTag: string, minute: number) =>
      (
        await station.call('StartTransaction', {
          connectorId: 1,
          idTag,
          meterStart: 0,
          timestamp: minutes(start, minute),
        })
      ).transactionId as number;
    const running = await begin('NOBODY-OF-OURS', 30);
    await begin('A0000000000000N1', 0);
    await station.end();
    const place = { id, number: 'S8N', siteId: floor.siteId, agentId: null };
    const session = await loadStationSession(database, place);
    expect(refusedChargesOf(session)).toEqual([{ connectorNumber: 1, transaction: running }]);
  });

  test('a charge is stopped when the balance runs out', async () => {
    await floor.addStation('S9');
    await floor.addCard('A000000000000009', 6_000);
    const station = await connectStation(floor, 'S9');
    await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A000000000000009',
      meterStart: 0,
      timestamp: toIso(start),
    });
    const read = (minute: number, value: number) =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId: begun.transactionId,
        meterValue: [
          {
            timestamp: minutes(start, minute),
            sampledValue: [{ value: String(value) }, { value: '60000', measurand: 'Power.Active.Import', unit: 'W' }],
          },
        ],
      });
    // 60 yuan at 0.60 and then 1.10 a kWh: 30 kWh cost 18, the other 42 last for 38.2 kWh.
    await read(30, 30_000);
    await read(60, 60_000);
    expect(station.asked.map(([action]) => action)).not.toContain('RemoteStopTransaction');
    await read(67, 67_500);
    await expect.poll(() => station.asked.map(([action]) => action)).toContain('RemoteStopTransaction');
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 68_000,
      timestamp: minutes(start, 68),
      reason: 'Remote',
    });
    const order = await orderOf(begun.transactionId as number);
    expect(order).toMatchObject({
      state: 'completed',
      stop_reason: 'balance_exhausted',
      payment_state: 'paid',
      holds: 2,
    });
    await station.end();
  });

  test('a charge reported in a burst is shown and listed by its last reading', async () => {
    await floor.addStation('S21');
    await floor.addCard('A000000000000021', 20_000);
    const station = await connectStation(floor, 'S21');
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A000000000000021',
      meterStart: 0,
      timestamp: toIso(start),
    });
    const order = await orderOf(begun.transactionId as number);
    let shownWh = -1;
    const stopListening = floor.context.bus.subscribe(({ event }) => {
      if (event.kind === 'order-changed' && event.orderId === order.id) shownWh = event.energyWh;
    });
    for (const minute of [1, 2, 3, 4]) {
      await station.call('MeterValues', {
        connectorId: 1,
        transactionId: begun.transactionId,
        meterValue: [{ timestamp: minutes(start, minute), sampledValue: [{ value: String(minute * 1_000) }] }],
      });
    }
    await expect.poll(() => shownWh).toBe(4_000);
    floor.clock.now = (Date.now() + 20_000) as Instant;
    const listedWh = async () => (await orderOf(begun.transactionId as number)).energy_wh;
    await expect.poll(listedWh).toBe(4_000);
    floor.clock.now = null;
    stopListening();
    await station.end();
  });

  test('a card can authorise the stop of its own charge, though all its money is held', async () => {
    await floor.addStation('S10');
    await floor.addCard('A00000000000000A', 1_000);
    const station = await connectStation(floor, 'S10');
    const authorize = () => station.call('Authorize', { idTag: 'A00000000000000A' });
    expect(await authorize()).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A00000000000000A',
      meterStart: 0,
      timestamp: toIso(start),
    });
    expect(await authorize()).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    await floor.addStation('S11');
    const elsewhere = await connectStation(floor, 'S11');
    expect(await elsewhere.call('Authorize', { idTag: 'A00000000000000A' })).toMatchObject({
      idTagInfo: { status: 'ConcurrentTx' },
    });
    await station.call('StopTransaction', {
      transactionId: begun.transactionId,
      meterStop: 0,
      timestamp: minutes(start, 1),
    });
    expect(await authorize()).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    await station.end();
    await elsewhere.end();
  });

  test('a charge billed by the hour is stopped after the longest run', async () => {
    const { id } = await floor.addStation('S12', { tariff: false });
    const detail = {
      kind: 'hour',
      tiers: [{ fromW: 0, toW: null, feeFenPerStep: 50 }],
      stepMinutes: 60,
      measuredBy: 'average',
      longestRunHours: 2,
    };
    const tariff = await database.db
      .insertInto('tariffs')
      .values({ name: 'Bikes', kind: 'hour', detail: JSON.stringify(detail) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.db.updateTable('stations').set({ card_tariff_id: tariff.id }).where('id', '=', id).execute();
    await floor.addCard('A00000000000000C', 1_000);
    const station = await connectStation(floor, 'S12');
    await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'A00000000000000C',
      meterStart: 0,
      timestamp: toIso(start),
    });
    const transactionId = begun.transactionId;
    const read = (minute: number) =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [{ timestamp: minutes(start, minute), sampledValue: [{ value: String(minute * 5) }] }],
      });
    await read(119);
    expect(station.asked.map(([action]) => action)).not.toContain('RemoteStopTransaction');
    await read(120);
    await expect.poll(() => station.asked.map(([action]) => action)).toContain('RemoteStopTransaction');
    const stop = { transactionId, meterStop: 605, timestamp: minutes(start, 121), reason: 'Remote' };
    await station.call('StopTransaction', stop);
    expect(await orderOf(transactionId as number)).toMatchObject({
      state: 'completed',
      stop_reason: 'time_limit',
      amount_fen: 100,
      billing_type: 'hour',
    });
    await station.end();
  });
});

test('every charge that was settled above is reproduced to the fen by its rehearsal', async () => {
  const { settled, again, unpriced } = await rehearseAll(database);
  expect(settled.charges).toBeGreaterThan(0);
  expect(unpriced).toEqual([]);
  expect(again).toEqual(settled);
});

test('a card whose chip number is shown with leading zeros charges once at a time, whatever number is shown', async () => {
  const cardId = await floor.addCard('PRINTED1', 20_000);
  await database.pool.query(`update cards set physical_number = '12345678' where id = $1`, [cardId]);
  await floor.addStation('CHIP-1');
  await floor.addStation('CHIP-2');
  const stations = [await connectStation(floor, 'CHIP-1'), await connectStation(floor, 'CHIP-2')];
  for (const station of stations) {
    await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  }
  const start = (at: number, idTag: string) =>
    stations[at]?.call('StartTransaction', {
      connectorId: 1,
      idTag,
      meterStart: 0,
      timestamp: new Date().toISOString(),
    });
  expect(await start(0, '0000000012345678')).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  expect(await stations[1]?.call('Authorize', { idTag: '0000000012345678' })).toMatchObject({
    idTagInfo: { status: 'ConcurrentTx' },
  });
  for (const idTag of ['0000000012345678', '12345678', 'PRINTED1']) {
    expect(await start(1, idTag), idTag).toMatchObject({ idTagInfo: { status: 'ConcurrentTx' } });
  }
});
