import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { connectStation, type Floor, openFloor } from './test-charging-floor.ts';
import { openNamedStation } from './test-named-charge.ts';

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

let made = 0;
/** A station, a card with money, and the vehicle that the card pays for. */
async function vehicleAtStation(balanceFen = 20_000) {
  made += 1;
  const number = String(made).padStart(6, '0');
  const vin = `LSVAM4187C2${number}`;
  const plate = `浙A${number.slice(1)}`;
  const cardNumber = `B${number.padStart(15, '0')}`;
  const cardId = await floor.addCard(cardNumber, balanceFen);
  await database.db.insertInto('vehicles').values({ vin, plate, card_id: cardId }).execute();
  const station = await openNamedStation(floor, `32010700${number}`);
  const orders = () =>
    database.db
      .selectFrom('orders')
      .select(['state', 'start_mode', 'vin', 'plate', 'card_number', 'card_id'])
      .where('card_id', '=', cardId)
      .execute();
  return { vin, plate, cardId, cardNumber, station, orders };
}

describe('a charge that begins when a vehicle is plugged in', () => {
  test.each([
    ['as registered', (vin: string) => vin],
    ['in small letters with spaces', (vin: string) => ` ${vin.toLowerCase()} `],
    ['padded with zero bytes', (vin: string) => `${vin}\0\0`],
    ['last character first', (vin: string) => [...vin].reverse().join('')],
  ])('a VIN that a station reports %s is billed to the card of its vehicle, with its plate', async (_how, told) => {
    const { vin, plate, cardNumber, cardId, station, orders } = await vehicleAtStation();
    const decided = await station.request({ kind: 'vehicle', vin: told(vin) });
    expect(decided).toMatchObject({ authorization: 'accepted', cardNumber });
    expect(await orders()).toEqual([
      { state: 'placed', start_mode: 'vin', vin, plate, card_number: cardNumber, card_id: cardId },
    ]);
  });

  test.each([
    ['unknown', 'LSVAM4187C2999999'],
    ['empty', ''],
    ['of bytes FF', '\ufffd'.repeat(17)],
    ['of zeros', '0'.repeat(17)],
    ['cut off', 'LSVAM4187C2'],
  ])('a VIN that is %s is refused, so that the station can say so', async (_what, vin) => {
    const { station, orders } = await vehicleAtStation();
    expect((await station.request({ kind: 'vehicle', vin })).authorization).toBe('vehicle_unknown');
    expect(await orders()).toEqual([]);
  });

  test('a vehicle whose card is blocked or has no money is refused for that reason', async () => {
    const poor = await vehicleAtStation(0);
    expect((await poor.station.request({ kind: 'vehicle', vin: poor.vin })).authorization).toBe('no_balance');
    const lost = await vehicleAtStation();
    await database.db.updateTable('cards').set({ state: 'lost' }).where('id', '=', lost.cardId).execute();
    expect((await lost.station.request({ kind: 'vehicle', vin: lost.vin })).authorization).toBe('blocked');
    expect([...(await poor.orders()), ...(await lost.orders())]).toEqual([]);
  });

  test('an order keeps the plate that the vehicle had', async () => {
    const { vin, plate, station, orders } = await vehicleAtStation();
    const { transaction = '' } = await station.request({ kind: 'vehicle', vin });
    await database.db.updateTable('vehicles').set({ plate: null }).where('vin', '=', vin).execute();
    await station.record(transaction, { vin });
    expect(await orders()).toMatchObject([{ state: 'completed', vin, plate }]);
  });

  test('an order keeps the vehicle that it was begun by, whatever the record at its end says', async () => {
    const { vin, plate, station, orders } = await vehicleAtStation();
    const other = await vehicleAtStation();
    const { transaction = '' } = await station.request({ kind: 'vehicle', vin });
    await station.record(transaction, { vin: other.vin });
    expect(await orders()).toMatchObject([{ state: 'completed', vin, plate }]);
    // Without a plate it takes that of no other vehicle, either.
    const bare = await vehicleAtStation();
    await database.db.updateTable('vehicles').set({ plate: null }).where('vin', '=', bare.vin).execute();
    const begun = await bare.station.request({ kind: 'vehicle', vin: bare.vin });
    await bare.station.record(begun.transaction ?? '', { vin: 'X'.repeat(17) });
    expect(await bare.orders()).toMatchObject([{ state: 'completed', vin: bare.vin, plate: null }]);
  });
});

describe('a vehicle that an OCPP station shows in place of a card', () => {
  test.each([
    ['alone', ''],
    ['after "VIN"', 'VIN'],
  ])('an idTag with the VIN %s begins a charge by the vehicle, which is billed to its card', async (_how, before) => {
    const { vin, plate, cardNumber, orders } = await vehicleAtStation();
    const number = `OCPP-${vin.slice(-6)}`;
    await floor.addStation(number);
    const station = await connectStation(floor, number);
    const idTag = `${before}${vin}`;
    expect(await station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag,
      meterStart: 0,
      timestamp: new Date(instant(Date.now())).toISOString(),
    });
    expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(await orders()).toMatchObject([
      { state: 'charging', start_mode: 'vin', vin, plate, card_number: cardNumber },
    ]);
    // The driver may stop it with the same tag, and the card is busy elsewhere.
    expect(await station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    await floor.addStation(`${number}-2`);
    const elsewhere = await connectStation(floor, `${number}-2`);
    expect(await elsewhere.call('Authorize', { idTag: cardNumber })).toMatchObject({
      idTagInfo: { status: 'ConcurrentTx' },
    });
  });

  test.each([0, -1])(
    'a stop with the invented number %i and the VIN ends the charge that the vehicle began, and is paid once',
    async (transactionId) => {
      const { vin, cardId, orders } = await vehicleAtStation();
      const number = `OCPP-${vin.slice(-6)}`;
      await floor.addStation(number);
      const station = await connectStation(floor, number);
      const idTag = `VIN${vin}`;
      const at = (minute: number) => toIso(instant(Date.now() + (minute - 60) * minuteMs));
      await station.call('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp: at(0) });
      // The vehicle is given another card meanwhile, which changes nothing of this charge.
      const otherId = await floor.addCard(`B${vin.slice(-6)}`, 20_000);
      await database.db.updateTable('vehicles').set({ card_id: otherId }).where('vin', '=', vin).execute();
      const stop = { transactionId, idTag, meterStop: 10_000, timestamp: at(30), reason: 'Local' };
      await station.call('StopTransaction', stop);
      await station.call('StopTransaction', stop);
      await station.end();
      expect(await orders()).toMatchObject([{ state: 'completed', start_mode: 'vin', vin, card_id: cardId }]);
      const { count } = await database.db
        .selectFrom('orders')
        .innerJoin('stations', 'stations.id', 'orders.station_id')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('stations.number', '=', number)
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(1);
    },
  );

  test('an idTag with the VIN of no vehicle is invalid', async () => {
    await floor.addStation('OCPP-STRANGER');
    const station = await connectStation(floor, 'OCPP-STRANGER');
    expect(await station.call('Authorize', { idTag: 'LSVAM4187C2777777' })).toMatchObject({
      idTagInfo: { status: 'Invalid' },
    });
  });
});
