import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { rehearseAll } from '../rehearsals/test-rehearse-all.ts';
import { connectStation, type Floor, openFloor } from './test-charging-floor.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

const orderOf = (transaction: unknown) =>
  database.db
    .selectFrom('orders')
    .selectAll()
    .where('transaction_number', '=', Number(transaction))
    .executeTakeFirstOrThrow();

test.each([
  ['is missing', undefined],
  ['is null', null],
  ['is text', 'n/a'],
])(
  'a stop whose register %s closes the order at its last reading, for a person to look at',
  async (what, meterStop) => {
    const number = `REGISTER ${what}`;
    await floor.addStation(number, { ports: 1 });
    await floor.addCard(number, 20_000);
    const station = await connectStation(floor, number);
    const begunAt = floor.context.now() - 10 * minuteMs;
    const at = (minute: number) => toIso(instant(begunAt + minute * minuteMs));
    const { transactionId } = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: number,
      meterStart: 1_000,
      timestamp: at(0),
    });
    await station.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: at(6), sampledValue: [{ value: '7000' }] }],
    });
    const stop = { transactionId, timestamp: at(9), ...(meterStop !== undefined && { meterStop }) };
    expect(await station.call('StopTransaction', stop)).toEqual({});
    const order = await orderOf(transactionId);
    expect(order).toMatchObject({ state: 'completed', energy_wh: 6_000, meter_stop_wh: 7_000, abnormal: true });
    expect(await station.call('StopTransaction', stop)).toEqual({});
    expect(await orderOf(transactionId)).toEqual(order);
    expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
    await station.end();
  },
);

test('every charge that was settled above is reproduced to the fen by its rehearsal', async () => {
  const { settled, again, unpriced } = await rehearseAll(database);
  expect(settled.charges).toBeGreaterThan(0);
  expect(unpriced).toEqual([]);
  expect(again).toEqual(settled);
});
