import type { Reading } from '@voltdeck/charging/reading';
import { instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectStation, type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { insertReadings, type JournalReading } from './readings.ts';
import { StationJournal } from './station-journal.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

const at = instant(Date.parse('2026-11-22T04:00:00Z'));
let orders = 1_000;

function taken(reading: Partial<Reading>, given: Partial<JournalReading> = {}): JournalReading {
  return {
    orderId: orders as never,
    connectorId: 1 as never,
    reading: { at, ...reading } as Reading,
    receivedAt: at,
    maybeRepeated: false,
    doubt: null,
    ...given,
  };
}

/** Stores through the journal, like a gateway. */
async function store(...readings: JournalReading[]): Promise<'stored' | 'lost'> {
  const journal = new StationJournal(database.pool, pino({ level: 'silent' }));
  const outcome = await new Promise<'stored' | 'lost'>((resolve) => {
    journal.add({ readings, onStored: () => resolve('stored'), onLost: () => resolve('lost') });
  });
  await journal.close();
  return outcome;
}

async function stored(orderId: number) {
  const { rows } = await database.pool.query(
    'select energy_wh, power_w, current_ma, soc_percent, vehicle_temperature_c, signed_data from readings where order_id = $1',
    [orderId],
  );
  return rows;
}

describe('readings that no column holds', () => {
  const absurd: Partial<Reading> = {
    energyWh: 1e300 as never,
    powerW: 4_294_967_295 as never,
    currentMa: -4_294_967_295 as never,
    socPercent: 1e300,
    vehicleTemperatureC: Number.NaN,
    signedData: 'a\0b',
  };
  const kept = {
    energy_wh: Number.MAX_SAFE_INTEGER,
    power_w: 2_147_483_647,
    current_ma: -2_147_483_648,
    soc_percent: expect.closeTo(3.4028235e38, -33),
    vehicle_temperature_c: null,
    signed_data: 'a\u2400b',
  };

  test.each([
    ['copied', false],
    ['inserted', true],
  ])('readings beyond their column are clamped when they are %s', async (_way, maybeRepeated) => {
    orders += 1;
    expect(await store(taken(absurd, { maybeRepeated }))).toBe('stored');
    expect(await stored(orders)).toEqual([kept]);
  });

  test('readings beyond their column are clamped when a stop brings them', async () => {
    orders += 1;
    await insertReadings(
      (text, values) => database.pool.query(text, values),
      [taken({ ...absurd, energyWh: 1.5 as never })],
    );
    expect(await stored(orders)).toEqual([{ ...kept, energy_wh: 2 }]);
  });

  test('readings beyond their column keep neither the station from being answered nor its charge from being settled', async () => {
    await floor.addStation('ABSURD-1');
    await floor.addCard('ABSURD-CARD', 10_000);
    const station = await connectStation(floor, 'ABSURD-1');
    const now = Date.now();
    const time = (afterMs: number) => new Date(now + afterMs).toISOString();
    const { transactionId } = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: 'ABSURD-CARD',
      meterStart: 0,
      timestamp: time(0),
    });
    // Twenty seconds later, so that the figures of the order are due too.
    floor.clock.now = instant(now + 20_000);
    await station.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [
        {
          timestamp: time(20_000),
          sampledValue: [
            { value: '4294967295', measurand: 'Power.Active.Import', unit: 'W' },
            { value: '100', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          ],
        },
      ],
    });
    floor.clock.now = null;
    await station.call('StopTransaction', { transactionId, meterStop: 100, timestamp: time(30_000) });
    const order = await database.db
      .selectFrom('orders')
      .select('ended_at')
      .where('transaction_number', '=', transactionId as number)
      .executeTakeFirstOrThrow();
    expect(order.ended_at).not.toBeNull();
    await station.end();
  });
});

describe('readings of one second', () => {
  test('readings of one second in two frames keep the values of each', async () => {
    orders += 1;
    await store(taken({ energyWh: 1_000 as never }));
    await store(taken({ powerW: 7_000 as never, socPercent: 40 }, { maybeRepeated: true }));
    expect(await stored(orders)).toEqual([
      expect.objectContaining({ energy_wh: 1_000, power_w: 7_000, soc_percent: 40 }),
    ]);
  });

  test('readings of one second in one frame keep the values of each', async () => {
    orders += 1;
    const outcome = await store(
      taken({ energyWh: 1_000 as never }),
      taken({ powerW: 7_000 as never }, { maybeRepeated: true }),
      taken({ energyWh: 2_000 as never, socPercent: 40 }, { maybeRepeated: true }),
    );
    expect(outcome).toBe('stored');
    expect(await stored(orders)).toEqual([
      expect.objectContaining({ energy_wh: 1_000, power_w: 7_000, soc_percent: 40 }),
    ]);
  });

  test('repeated readings keep the first value', async () => {
    orders += 1;
    await store(taken({ energyWh: 1_000 as never }));
    await store(taken({ energyWh: 1_200 as never }, { maybeRepeated: true }));
    expect(await stored(orders)).toEqual([expect.objectContaining({ energy_wh: 1_000 })]);
  });
});
