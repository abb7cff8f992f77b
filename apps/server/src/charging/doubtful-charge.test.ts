import { wattHours } from '@voltdeck/units/energy';
import type { StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { isConflict } from '../database/is-database-away.ts';
import { freshDatabase } from '../database/test-database.ts';
import { insertOrder, reserveNumbers } from '../orders/write-order.ts';
import { rehearseAll } from '../rehearsals/test-rehearse-all.ts';
import { onStationEvent } from './on-station-event.ts';
import { loadStationSession } from './station-session.ts';
import { connectStation, type Floor, openFloor, type TestStation } from './test-charging-floor.ts';
import { watchOnce } from './watch-orders.ts';

let database: Database;
let floor: Floor;
let stations = 0;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterEach(() => {
  floor.clock.now = null;
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

/** Within the valley period of the test tariff: 0.60 yuan a kWh. */
const start = instant(Date.parse('2026-11-20T01:00:00+08:00'));
const at = (minutes: number): Instant => instant(start + minutes * minuteMs);

type Bench = { station: TestStation; number: string; card: string; cardId: number; stationId: number; ports: number[] };

async function bench({ balanceFen = 20_000, ports = 2 } = {}): Promise<Bench> {
  stations += 1;
  const number = `DOUBT${stations}`;
  const card = `D${String(stations).padStart(15, '0')}`;
  const { id, connectorIds } = await floor.addStation(number, { ports });
  const cardId = await floor.addCard(card, balanceFen);
  return { station: await connectStation(floor, number), number, card, cardId, stationId: id, ports: connectorIds };
}

async function begin({ station, card }: Bench, more: { minute?: number; meterWh?: number; port?: number } = {}) {
  const { minute = 0, meterWh = 0, port = 1 } = more;
  const begun = await station.call('StartTransaction', {
    connectorId: port,
    idTag: card,
    meterStart: meterWh,
    timestamp: toIso(at(minute)),
  });
  return begun.transactionId as number;
}

const read = ({ station }: Bench, transactionId: number | null, minute: number, meterWh: number, port = 1) =>
  station.call('MeterValues', {
    connectorId: port,
    ...(transactionId !== null && { transactionId }),
    meterValue: [{ timestamp: toIso(at(minute)), sampledValue: [{ value: String(meterWh) }] }],
  });

const stop = ({ station }: Bench, transactionId: number, minute: number, meterWh: unknown) =>
  station.call('StopTransaction', { transactionId, meterStop: meterWh, timestamp: toIso(at(minute)), reason: 'Local' });

const orderOf = (transactionNumber: number) =>
  database.db
    .selectFrom('orders')
    .selectAll()
    .where('transaction_number', '=', transactionNumber)
    .executeTakeFirstOrThrow();

async function rulesOf(orderId: number): Promise<string[]> {
  const rows = await database.db
    .selectFrom('order_flags')
    .select('rule')
    .where('order_id', '=', orderId as never)
    .orderBy('rule')
    .execute();
  return rows.map(({ rule }) => rule);
}

const wallet = async ({ cardId }: Bench) => ({
  free: await floor.balanceOf(`card:${cardId}`),
  held: await floor.balanceOf(`card-held:${cardId}`),
  owed: 0 - (await floor.balanceOf(`receivable:card:${cardId}`)),
});

describe('energy that a station could not deliver', () => {
  test.each([
    ['2,147 MWh in an instant', 0.001, 2_147_483_647],
    ['71 MWh in ten minutes', 10, 71_000_000],
  ])('implausible energy is paid by nobody until a person looks: %s', async (_title, minutes, meterWh) => {
    const made = await bench();
    const transaction = await begin(made);
    await stop(made, transaction, minutes, meterWh);
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'settling', waits_for: 'person', amount_fen: 0, abnormal: true });
    expect(order.proposal).toEqual({ energyWh: 0, endedAt: expect.any(String), lines: null });
    expect(await wallet(made)).toEqual({ free: 15_000, held: 5_000, owed: 0 });
    await made.station.end();
  });

  test('implausible energy after a sane reading leads to a proposal at that reading', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 10, 10_000);
    await stop(made, transaction, 10.3, 80_000);
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'settling', waits_for: 'person', proposal: { energyWh: 10_000 } });
    expect(await rulesOf(order.id)).toContain('meter_jump');
    await made.station.end();
  });

  test('a single wild reading neither stops the charge nor is billed', async () => {
    const made = await bench({ balanceFen: 6_000 });
    await made.station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    const transaction = await begin(made);
    await read(made, transaction, 10, 10_000);
    await read(made, transaction, 11, 999_999_999);
    await read(made, transaction, 20, 20_000);
    await stop(made, transaction, 30, 30_000);
    expect(made.station.asked.map(([action]) => action)).not.toContain('RemoteStopTransaction');
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 30_000, amount_fen: 1_800, payment_state: 'paid' });
    expect(await rulesOf(order.id)).toEqual(['meter_jump']);
    await made.station.end();
  });
});

describe('a meter that restarts during a charge', () => {
  test.each(['stays connected', 'comes back over another connection'])(
    'a charge whose meter restarts is stopped when the money is used up: its station %s',
    async (title) => {
      const made = await bench({ balanceFen: 2_400 });
      const boot = () => made.station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
      await boot();
      const transaction = await begin(made);
      // 24 yuan last for 40 kWh: 30 before the restart and 10 after it.
      await read(made, transaction, 15, 15_000);
      await read(made, transaction, 30, 30_000);
      await read(made, transaction, 31, 0);
      await read(made, transaction, 36, 5_000);
      if (title !== 'stays connected') {
        await made.station.end();
        made.station = await connectStation(floor, made.number);
        await boot();
      }
      expect(made.station.asked.map(([action]) => action)).not.toContain('RemoteStopTransaction');
      await read(made, transaction, 41, 10_100);
      await expect.poll(() => made.station.asked.map(([action]) => action)).toContain('RemoteStopTransaction');
      await stop(made, transaction, 42, 10_500);
      const order = await orderOf(transaction);
      expect(order).toMatchObject({ state: 'settling', waits_for: 'person', abnormal: true, unhandled: true });
      expect(order.proposal).toMatchObject({ energyWh: 40_500 });
      expect(await rulesOf(order.id)).toEqual(['meter_backwards']);
      await made.station.end();
    },
  );
});

describe('a stop', () => {
  test('a stop that arrives after a newer start on its port bills its own charge', async () => {
    const made = await bench();
    const first = await begin(made);
    const second = await begin(made, { minute: 40, meterWh: 1_500 });
    expect(await orderOf(first)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    await stop(made, first, 30, 1_500);
    expect(await orderOf(first)).toMatchObject({ state: 'completed', energy_wh: 1_500, amount_fen: 90 });
    expect(await orderOf(second)).toMatchObject({ state: 'charging' });
    await made.station.end();
  });

  test.each([
    ['without a register', undefined],
    ['with a register of null', null],
    ['with a register that is a text', 'many'],
  ])('a stop %s ends the charge at its last reading', async (_title, meterWh) => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 10, 8_000);
    await stop(made, transaction, 12, meterWh);
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 8_000, amount_fen: 480 });
    expect(await rulesOf(order.id)).toEqual(['register_missing']);
    await made.station.end();
  });

  test('a repeated stop without a name ends no other charge', async () => {
    const made = await bench();
    const first = await begin(made);
    await stop(made, -1, 30, 15_000);
    expect(await orderOf(first)).toMatchObject({ state: 'completed', energy_wh: 15_000 });
    const second = await begin(made, { minute: 40, meterWh: 15_000 });
    await stop(made, -1, 30, 15_000);
    expect(await orderOf(second)).toMatchObject({ state: 'charging' });
    await made.station.end();
  });

  test('a repeated stop without a name and without a usable clock ends no other charge', async () => {
    const made = await bench();
    const first = await begin(made);
    await read(made, first, 20, 15_000);
    const minuteBefore = -30;
    await stop(made, 0, minuteBefore, 15_000);
    expect(await orderOf(first)).toMatchObject({ state: 'completed', energy_wh: 15_000 });
    const second = await begin(made, { minute: 40, meterWh: 15_000 });
    await stop(made, 0, minuteBefore, 15_000);
    expect(await orderOf(second)).toMatchObject({ state: 'charging' });
    await made.station.end();
  });

  test('a stop without a name ends the charge of its own time, not the one that has begun on its port since', async () => {
    const made = await bench();
    const first = await begin(made);
    const second = await begin(made, { minute: 40, meterWh: 1_500 });
    await stop(made, -1, 30, 1_500);
    expect(await orderOf(first)).toMatchObject({ state: 'completed', energy_wh: 1_500, amount_fen: 90 });
    expect(await orderOf(second)).toMatchObject({ state: 'charging' });
    await stop(made, second, 50, 9_500);
    expect(await orderOf(second)).toMatchObject({ state: 'completed', energy_wh: 8_000, amount_fen: 480 });
    await made.station.end();
  });

  test('a stop whose energy differs from what was billed without it is kept for a person', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 10, 8_000);
    await begin({ ...made, card: 'D00000000NOBODY1' }, { minute: 40, meterWh: 9_000 });
    floor.clock.now = instant(Date.now() + 11 * minuteMs);
    await watchOnce(floor.context.on('money'));
    expect(await orderOf(transaction)).toMatchObject({ state: 'completed', energy_wh: 8_000 });
    await stop(made, transaction, 12, 9_000);
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 8_000, amount_fen: 480 });
    expect(await rulesOf(order.id)).toEqual(['no_stop_received', 'stop_differs']);
    await made.station.end();
  });

  test('a stop that cannot be processed waits on its order for a person before the station may forget it', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await sql`create or replace function refuse_bills() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$`.execute(database.db);
    await sql`create trigger refuse_bills before insert on order_lines execute function refuse_bills()`.execute(
      database.db,
    );
    try {
      expect(await stop(made, transaction, 30, 15_000)).toEqual({});
    } finally {
      await sql`drop trigger refuse_bills on order_lines`.execute(database.db);
    }
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'settling', waits_for: 'person', abnormal: true });
    const flag = await database.db
      .selectFrom('order_flags')
      .select(['rule', 'evidence'])
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow();
    expect(flag).toMatchObject({ rule: 'message_failed', evidence: { fault: 'broken' } });
    expect(JSON.parse((flag.evidence as { message: string }).message)).toMatchObject({ meterStopWh: 15_000 });
    await made.station.end();
  });
});

describe('a start', () => {
  test('a charge whose start has register -1 is billed from its first reading', async () => {
    const made = await bench();
    const transaction = await begin(made, { meterWh: -1 });
    await read(made, transaction, 1, 500_000);
    await stop(made, transaction, 31, 515_000);
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 15_000, amount_fen: 900 });
    expect(await rulesOf(order.id)).toEqual(['register_missing']);
    await made.station.end();
  });

  test('the start of a cancelled order is charged to its placer and must not go on', async () => {
    const made = await bench();
    const token = 'VD000000000777';
    await database.db.transaction().execute(async (trx) => {
      const { id } = await reserveNumbers(trx);
      await insertOrder(
        trx,
        id,
        {
          number: `GIVEN-UP-${id}`,
          state: 'cancelled',
          payment_type: 'card',
          start_mode: 'remote',
          billing_type: 'energy',
          site_id: floor.siteId,
          station_id: made.stationId as never,
          connector_id: made.ports[0] as never,
          connector_number: 1,
          agent_id: null,
          customer_id: null,
          card_id: made.cardId as never,
          card_number: token,
          tariff_id: floor.tariffId,
          tariff: sql`(select detail from tariffs where id = ${floor.tariffId})`,
          placed_at: start,
        },
        { hold: null, flags: [], facts: [], at: start },
      );
    });
    const begun = await made.station.call('StartTransaction', {
      connectorId: 1,
      idTag: token,
      meterStart: 0,
      timestamp: toIso(at(6)),
    });
    expect(begun.idTagInfo).toMatchObject({ status: 'Blocked' });
    await stop(made, begun.transactionId as number, 16, 5_000);
    const order = await orderOf(begun.transactionId as number);
    expect(order).toMatchObject({ state: 'completed', card_id: made.cardId, amount_fen: 300, payment_state: 'paid' });
    expect(await rulesOf(order.id)).toEqual(['card_not_accepted', 'start_missing']);
    await made.station.end();
  });

  test('a start sent over two sockets at once is one order: the loser reads it again', async () => {
    const made = await bench();
    const station = { id: made.stationId as StationId, number: made.number, siteId: floor.siteId, agentId: null };
    const money = floor.context.on('money');
    const say = async () => {
      const session = await loadStationSession(database, station);
      const event = {
        kind: 'charge-started',
        connectorNumber: 1,
        cardNumber: made.card,
        meterStartWh: wattHours(0),
        at: start,
        stationTime: toIso(start),
      } as const;
      for (;;) {
        const answered = await onStationEvent(money, session, event, start).catch((error: unknown) => error);
        if (answered instanceof Error && isConflict(answered)) continue;
        if (answered instanceof Error) throw answered;
        return answered;
      }
    };
    const answers = await Promise.all(Array.from({ length: 8 }, say));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: 'charge-started', authorization: 'accepted' });
    expect(await wallet(made)).toMatchObject({ free: 15_000, held: 5_000 });
    await made.station.end();
  });

  test('a start on an unregistered port is flagged', async () => {
    const made = await bench({ ports: 1 });
    const transaction = await begin(made, { port: 99 });
    await stop(made, transaction, 10, 5_000);
    expect(await rulesOf((await orderOf(transaction)).id)).toEqual(['port_unregistered']);
    await made.station.end();
  });

  test('a start that failed on an unregistered port begins on a port that exists when it is repeated', async () => {
    const made = await bench({ ports: 1 });
    await sql`create or replace function refuse_orders() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$`.execute(database.db);
    await sql`create trigger refuse_orders before insert on orders execute function refuse_orders()`.execute(
      database.db,
    );
    try {
      await expect(begin(made, { port: 99 })).rejects.toThrow('InternalError');
    } finally {
      await sql`drop trigger refuse_orders on orders`.execute(database.db);
    }
    const order = await orderOf(await begin(made, { port: 99 }));
    const ports = await database.db
      .selectFrom('connectors')
      .select(['id', 'number'])
      .where('station_id', '=', order.station_id)
      .where('number', '=', 99)
      .execute();
    expect(ports).toEqual([{ id: order.connector_id, number: 99 }]);
    await made.station.end();
  });

  test('a start reported late is priced by the tariff that was in force when the charge began', async () => {
    const made = await bench();
    const dearer = await database.db
      .insertInto('tariffs')
      .values({
        name: 'Dearer',
        kind: 'energy',
        detail: sql`(select jsonb_set(detail, '{prices,valley,electricity}', '900000') from tariffs
                      where id = ${floor.tariffId})` as never,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.db
      .updateTable('stations')
      .set({ card_tariff_id: dearer.id })
      .where('id', '=', made.stationId as never)
      .execute();
    const transaction = await begin(made);
    await stop(made, transaction, 30, 10_000);
    expect(await orderOf(transaction)).toMatchObject({ amount_fen: 600, tariff_id: floor.tariffId });
    await made.station.end();
  });
});

describe('time that passes', () => {
  test('the watch does not end a charge on a port that was free before it began', async () => {
    const made = await bench();
    await made.station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
    await database.db
      .updateTable('connectors')
      .set({ state_at: instant(Date.now() - 10 * minuteMs) })
      .where('station_id', '=', made.stationId as never)
      .execute();
    await database.db
      .updateTable('stations')
      .set({ online: true, online_at: instant(Date.now() - 20 * minuteMs) })
      .where('id', '=', made.stationId as never)
      .execute();
    const transaction = await begin(made);
    await watchOnce(floor.context.on('money'));
    expect(await orderOf(transaction)).toMatchObject({ state: 'charging' });
    await made.station.end();
  });

  test('the watch frees the card of a station that stays lost, and settles what was read', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 10, 8_000);
    await made.station.end();
    const later = (hours: number) => {
      floor.clock.now = instant(Date.now() + hours * hourMs);
      return watchOnce(floor.context.on('money'));
    };
    await expect
      .poll(async () => {
        await later(1);
        return rulesOf((await orderOf(transaction)).id);
      })
      .toEqual(['station_lost']);
    await later(25);
    expect(await orderOf(transaction)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    await later(50);
    expect(await orderOf(transaction)).toMatchObject({ state: 'completed', energy_wh: 8_000, amount_fen: 480 });
    expect(await wallet(made)).toEqual({ free: 19_520, held: 0, owed: 0 });
  });

  test('the watch leaves a charge last read days ago ten minutes for its stop once the next one begins', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 6, 6_000);
    await begin({ ...made, card: 'D00000000NOBODY1' }, { minute: 40, meterWh: 9_000 });
    floor.clock.now = instant(Date.now() + 9 * minuteMs);
    await watchOnce(floor.context.on('money'));
    expect(await orderOf(transaction)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    await stop(made, transaction, 12, 9_000);
    expect(await orderOf(transaction)).toMatchObject({ state: 'completed', energy_wh: 9_000, amount_fen: 540 });
    await made.station.end();
  });

  test('the watch dates what it settles when it does, however long its round takes', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 10, 8_000);
    await begin({ ...made, card: 'D00000000NOBODY1' }, { minute: 40, meterWh: 9_000 });
    const began = instant(Date.now() + 11 * minuteMs);
    let looks = 0;
    const now = () => {
      looks += 1;
      return looks === 1 ? began : instant(began + 5 * minuteMs);
    };
    await watchOnce({ ...floor.context.on('money'), now });
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', settled_at: began + 5 * minuteMs });
    await made.station.end();
  });

  test('the watch settles a charge with a missing stop by all its readings, also before its figures were written', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await read(made, transaction, 6, 6_000);
    await read(made, transaction, 12, 12_000);
    await begin({ ...made, card: 'D00000000NOBODY1' }, { minute: 40, meterWh: 18_000 });
    expect(await orderOf(transaction)).toMatchObject({ state: 'settling', waits_for: 'stop' });
    await read(made, transaction, 18, 18_000);
    floor.clock.now = instant(Date.now() + 11 * minuteMs);
    await watchOnce(floor.context.on('money'));
    const order = await orderOf(transaction);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 18_000, amount_fen: 1_080, ended_at: at(18) });
    await made.station.end();
  });

  test('the watch releases the hold of an order that no person settles for a week', async () => {
    const made = await bench();
    const transaction = await begin(made);
    await stop(made, transaction, 10, 71_000_000);
    expect(await wallet(made)).toMatchObject({ held: 5_000 });
    floor.clock.now = instant(Date.now() + 8 * 24 * hourMs);
    await watchOnce(floor.context.on('money'));
    expect(await wallet(made)).toEqual({ free: 20_000, held: 0, owed: 0 });
    expect(await orderOf(transaction)).toMatchObject({ state: 'settling', waits_for: 'person', held_fen: 0 });
    await made.station.end();
  });

  test('the watch leaves the readings of a port to the charge that runs there now', async () => {
    const made = await bench();
    const first = await begin(made);
    const second = await begin(made, { minute: 40, meterWh: 1_000 });
    await read(made, null, 50, 6_000);
    const { rows } = await sql<{ order_id: number }>`
      select order_id from readings where order_id in (${(await orderOf(first)).id}, ${(await orderOf(second)).id})`.execute(
      database.db,
    );
    expect(rows).toEqual([{ order_id: (await orderOf(second)).id }]);
    await made.station.end();
  });
});

test('every charge that was settled above is reproduced to the fen by its rehearsal', async () => {
  const { settled, again, unpriced } = await rehearseAll(database);
  expect(settled.charges).toBeGreaterThan(0);
  expect(unpriced).toEqual([]);
  expect(again).toEqual(settled);
});
