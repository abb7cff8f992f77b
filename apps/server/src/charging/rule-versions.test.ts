import { wattHours } from '@voltdeck/units/energy';
import type { StationId, TariffId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { priceE5 } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../caller/caller.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { settleOrder } from '../orders/settle-order.ts';
import { changeTariff } from '../tariffs/change-tariff.ts';
import { takeIntoForce } from '../tariffs/take-into-force.ts';
import { connectStation, type Floor, openFloor, testTariff } from './test-charging-floor.ts';
import { billOf, chargeFrom, openNamedStation } from './test-named-charge.ts';

let database: Database;
let floor: Floor;
let caller: Caller;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  const { id: userId } = await database.db
    .insertInto('users')
    .values({ user_name: 'prices', real_name: 'Prices', password_hash: '-', admin: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  caller = platformCaller({ userId, userName: 'prices' });
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

/** A new version of the floor's rule, in which every kWh costs nine yuan more than in the one before. */
async function raisePrices(): Promise<TariffId> {
  const { detail } = await database.db
    .selectFrom('tariffs')
    .select('detail')
    .where('rule_id', '=', floor.tariffId)
    .where('state', '=', 'in_force')
    .executeTakeFirstOrThrow();
  const before = detail as unknown as typeof testTariff;
  const dearer = ({ electricity, service }: (typeof testTariff.prices)['flat']) => ({
    electricity: (electricity + 900_000) as typeof electricity,
    service,
  });
  const { sharp, peak, flat, valley } = before.prices;
  const prices = { sharp: dearer(sharp), peak: dearer(peak), flat: dearer(flat), valley: dearer(valley) };
  const changed = await database.db
    .transaction()
    .execute((trx) =>
      changeTariff(
        trx,
        caller,
        floor.tariffId,
        { kind: 'energy', name: 'Test', prices, slots: [...before.slots] },
        instant(Date.now()),
      ),
    );
  if (!changed.ok) throw new Error(JSON.stringify(changed.error));
  return changed.value.id;
}

async function newCard(): Promise<string> {
  made += 1;
  const card = `E${String(made).padStart(15, '0')}`;
  await floor.addCard(card, 900_000);
  return card;
}

const orderOfStation = (stationId: number) =>
  database.db
    .selectFrom('orders')
    .select(['id', 'state', 'amount_fen', 'tariff_id', 'started_at'])
    .where('station_id', '=', stationId as never)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

const inForce = async () =>
  (
    await database.db
      .selectFrom('tariffs')
      .select('id')
      .where('rule_id', '=', floor.tariffId)
      .where('state', '=', 'in_force')
      .executeTakeFirstOrThrow()
  ).id;

describe.each(['ocpp1.6', 'ykc'] as const)('a change of prices at a station of %s', (protocol) => {
  /** A charge of 120 kWh on 20 November; `whileItRuns` happens after its start was reported. */
  async function charge(whileItRuns: () => Promise<unknown>): Promise<number> {
    const card = await newCard();
    const number = protocol === 'ykc' ? `3201060000${String(made).padStart(4, '0')}` : `VERSIONS${made}`;
    if (protocol === 'ykc') {
      const station = await openNamedStation(floor, number);
      floor.clock.now = chargeFrom;
      const requested = await station.request({ kind: 'card', cardNumber: card });
      const { transaction } = requested;
      if (transaction === undefined) throw new Error(requested.authorization);
      await station.begin(transaction);
      await whileItRuns();
      await station.record(transaction, { cardNumber: card });
      floor.clock.now = null;
      return station.id;
    }
    const { id } = await floor.addStation(number, { ports: 1 });
    const station = await connectStation(floor, number);
    const begun = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: card,
      meterStart: 0,
      timestamp: toIso(instant(Date.now() - minuteMs)),
    });
    await whileItRuns();
    const stop = { transactionId: begun.transactionId, meterStop: 1_000, reason: 'Local' };
    await station.call('StopTransaction', { ...stop, timestamp: toIso(instant(Date.now())) });
    await station.end();
    return id;
  }

  test('an order that runs across a new version keeps the price that it began with', async () => {
    const stationId = await charge(raisePrices);
    expect(await orderOfStation(stationId)).toMatchObject({
      state: 'completed',
      tariff_id: floor.tariffId,
      amount_fen: protocol === 'ykc' ? 12_900 : expect.any(Number),
    });
    const station = await database.db
      .selectFrom('stations')
      .select('card_tariff_id')
      .where('id', '=', stationId as never)
      .executeTakeFirstOrThrow();
    expect(station.card_tariff_id).toBe(await inForce());
    expect(station.card_tariff_id).not.toBe(floor.tariffId);
  });

  test('a charge begun offline before a new version and reported after it is priced by the version before', async () => {
    const card = await newCard();
    if (protocol === 'ykc') {
      const number = `3201060001${String(made).padStart(4, '0')}`;
      const station = await openNamedStation(floor, number);
      const transaction = `${number}01261120063000${String(made).padStart(4, '0')}`;
      await raisePrices();
      await station.record(transaction, { cardNumber: card, from: chargeFrom }, instant(Date.now()));
      expect(await orderOfStation(station.id)).toMatchObject({ tariff_id: floor.tariffId, amount_fen: 12_900 });
      return;
    }
    const { id } = await floor.addStation(`OFFLINE${made}`, { ports: 1 });
    const station = await connectStation(floor, `OFFLINE${made}`);
    await raisePrices();
    const at = (minutes: number) => toIso(instant(chargeFrom - 300 * minuteMs + minutes * minuteMs));
    const { transactionId } = await station.call('StartTransaction', {
      connectorId: 1,
      idTag: card,
      meterStart: 0,
      timestamp: at(0),
    });
    await station.call('StopTransaction', { transactionId, meterStop: 10_000, timestamp: at(30), reason: 'Local' });
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: floor.tariffId, amount_fen: 600 });
    await station.end();
  });
});

describe('a station with a rule of its own', () => {
  const perKwh = (e5: number) => {
    const price = { electricity: priceE5(e5), service: priceE5(0) };
    return { ...testTariff, prices: { sharp: price, peak: price, flat: price, valley: price } };
  };

  /** A station that has had a rule of one yuan a kWh for two days. */
  async function openStation(protocol: 'ocpp1.6' | 'ykc' = 'ocpp1.6') {
    made += 1;
    const number = protocol === 'ykc' ? `3201060002${String(made).padStart(4, '0')}` : `OWNRULE${made}`;
    const named = protocol === 'ykc' ? await openNamedStation(floor, number, { ports: 1 }) : null;
    const { id } = named ?? (await floor.addStation(number, { ports: 1 }));
    const longAgo = instant(Date.now() - 48 * hourMs);
    const { id: ruleId } = await database.db
      .insertInto('tariffs')
      .values({ name: number, kind: 'energy', detail: JSON.stringify(perKwh(1_000_000)), effective_at: longAgo })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.db
      .updateTable('stations')
      .set({ card_tariff_id: ruleId, created_at: longAgo })
      .where('id', '=', id)
      .execute();
    await database.pool.query(
      "update station_tariffs set from_at = from_at - interval '48 hours' where station_id = $1",
      [id],
    );
    return { id, number, ruleId, named };
  }

  /** A version of two yuan a kWh. */
  const raise = (ruleId: TariffId, at: Instant, takesEffectAt?: Instant) =>
    database.db.transaction().execute(async (trx) => {
      const { prices, slots } = perKwh(2_000_000);
      const form = { kind: 'energy' as const, name: 'Dearer', prices, slots: [...slots] };
      const later = takesEffectAt === undefined ? {} : { takesEffectAt: toIso(takesEffectAt) };
      const changed = await changeTariff(trx, caller, ruleId, { ...form, ...later }, at);
      if (!changed.ok) throw new Error(JSON.stringify(changed.error));
      return changed.value.next?.id ?? changed.value.id;
    });

  /** Ten kWh. */
  async function tellCharge(number: string, from: Instant, to: Instant): Promise<void> {
    const station = await connectStation(floor, number);
    const begun = { connectorId: 1, idTag: await newCard(), meterStart: 0, timestamp: toIso(from) };
    const { transactionId } = await station.call('StartTransaction', begun);
    await station.call('StopTransaction', { transactionId, meterStop: 10_000, timestamp: toIso(to), reason: 'Local' });
    await station.end();
  }

  test('a charge begun after the time of a version that took effect late is priced by that version', async () => {
    const { id, number, ruleId } = await openStation();
    const now = instant(Date.now());
    const version = await raise(ruleId, instant(now - 8 * hourMs), instant(now - 6 * hourMs));
    await database.db.transaction().execute((trx) => takeIntoForce(trx, version, now));
    await tellCharge(number, instant(now - 3 * hourMs), instant(now - 2 * hourMs));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: version, amount_fen: 20_000 });
    await tellCharge(number, instant(now - 9 * hourMs), instant(now - 8 * hourMs));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
  });

  test('a charge reported before its station was given the version that is due is priced by that version', async () => {
    const { id, number, ruleId } = await openStation();
    const now = instant(Date.now());
    const version = await raise(ruleId, instant(now - 8 * hourMs), instant(now - 6 * hourMs));
    await tellCharge(number, instant(now - 3 * hourMs), instant(now - 2 * hourMs));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: version, amount_fen: 20_000 });
    await tellCharge(number, instant(now - 9 * hourMs), instant(now - 8 * hourMs));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
    await tellCharge(number, instant(Date.now()), instant(Date.now()));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: version });
  });

  test('a charge reported before its station was given the rule of a due price change is priced by that rule', async () => {
    const { id, number, ruleId } = await openStation();
    const dearer = await openStation();
    const version = await raise(dearer.ruleId, instant(Date.now() - 40 * hourMs));
    const effectiveAt = instant(Date.now() - 6 * hourMs);
    const change = async (slots: 'card' | 'wechat') => {
      const { id: changeId } = await database.db
        .insertInto('price_changes')
        .values({ name: number, rule_id: dearer.ruleId, slots, effective_at: effectiveAt, created_at: effectiveAt })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db
        .insertInto('price_change_stations')
        .values({ price_change_id: changeId, station_id: id })
        .execute();
    };
    const tell = (hoursAgo: number) =>
      tellCharge(number, instant(Date.now() - hoursAgo * hourMs), instant(Date.now() - (hoursAgo - 1) * hourMs));
    await change('wechat');
    await tell(5);
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
    await change('card');
    await tell(3);
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: version, amount_fen: 20_000 });
    await tell(8);
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
  });

  test('a charge begun minutes before a new version and reported after it is priced by the version before', async () => {
    const { id, number, ruleId } = await openStation();
    const now = instant(Date.now());
    const version = await raise(ruleId, now);
    await tellCharge(number, instant(now - 9 * minuteMs), now);
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
    await tellCharge(number, instant(Date.now()), instant(Date.now()));
    expect(await orderOfStation(id)).toMatchObject({ tariff_id: version });
  });

  describe('the end of a charge whose start is unknown', () => {
    /** Ten kWh, told now; a person settles it. */
    async function settleStray({ id, number }: { id: StationId; number: string }, endedAt: Instant) {
      const station = await connectStation(floor, number);
      const stop = { transactionId: 1_900_000_000 + made, idTag: await newCard(), meterStop: 10_000 };
      await station.call('StopTransaction', { ...stop, timestamp: toIso(endedAt) });
      await station.end();
      const byHand = { energyWh: wattHours(10_000), endedAt: toIso(endedAt), reason: 'read on site' };
      const { id: orderId } = await orderOfStation(id);
      const now = instant(Date.now());
      return database.db.transaction().execute((trx) => settleOrder(trx, caller, orderId, byHand, now));
    }
    const setRule = (id: StationId, ruleId: TariffId | null) =>
      database.db.updateTable('stations').set({ card_tariff_id: ruleId }).where('id', '=', id).execute();

    test('is settled by hand at the prices in force when it ended', async () => {
      const station = await openStation();
      await raise(station.ruleId, instant(Date.now()));
      await settleStray(station, instant(Date.now() - 3 * hourMs));
      expect(await orderOfStation(station.id)).toMatchObject({
        state: 'completed',
        tariff_id: station.ruleId,
        amount_fen: 10_000,
      });
    });

    test('is settled by hand for nothing where its station was free then', async () => {
      const station = await openStation();
      const setFree = (free: boolean) =>
        database.db.updateTable('stations').set({ free }).where('id', '=', station.id).execute();
      await setFree(true);
      await database.pool.query(
        "update station_free_times set from_at = from_at - interval '5 hours' where station_id = $1",
        [station.id],
      );
      await setFree(false);
      await settleStray(station, instant(Date.now() - 3 * hourMs));
      expect(await orderOfStation(station.id)).toMatchObject({ state: 'completed', tariff_id: null, amount_fen: 0 });
    });

    test('is settled by hand at the present prices where its station had none then, and keeps them', async () => {
      const station = await openStation();
      await database.pool.query('update station_tariffs set tariff_id = null where station_id = $1', [station.id]);
      await settleStray(station, instant(Date.now() - 3 * hourMs));
      expect(await orderOfStation(station.id)).toMatchObject({
        state: 'completed',
        tariff_id: station.ruleId,
        amount_fen: 10_000,
      });
    });

    test('is not priced by a rule that only another agent has', async () => {
      const station = await openStation();
      const agent = await database.db
        .insertInto('agents')
        .values({ name: station.number })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db.updateTable('tariffs').set({ agent_id: agent.id }).where('id', '=', station.ruleId).execute();
      await database.pool.query('update station_tariffs set tariff_id = null where station_id = $1', [station.id]);
      const settled = await settleStray(station, instant(Date.now() - 3 * hourMs));
      expect(settled).toMatchObject({ ok: false, error: { code: 'tariff.missing' } });
      await setRule(station.id, floor.tariffId);
      expect(await settleStray(station, instant(Date.now() - 2 * hourMs))).toMatchObject({ ok: true });
    });
  });

  describe('a charge begun offline before a new version and first heard of while it runs', () => {
    /** Heard of now, nine minutes after the new version. */
    async function hearLive() {
      const { number, ruleId, named: station } = await openStation('ykc');
      if (station === null) throw new Error('no station');
      const version = await raise(ruleId, instant(Date.now() - 9 * minuteMs));
      const transaction = `${number}01261120063000${String(made).padStart(4, '0')}`;
      const heardAt = instant(Date.now());
      await station.begin(transaction, heardAt);
      expect(await orderOfStation(station.id)).toMatchObject({ state: 'charging', tariff_id: version });
      return { station, transaction, ruleId, version, heardAt, cardNumber: await newCard() };
    }
    const bill = billOf({ flat: 10_000 });

    test('is priced by the version before once its record tells when it began', async () => {
      const { station, transaction, ruleId, heardAt, cardNumber } = await hearLive();
      const from = instant(heardAt - 30 * minuteMs);
      await station.record(transaction, { cardNumber, from, at: heardAt, bill }, heardAt);
      expect(await orderOfStation(station.id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
    });

    test('is priced by the version before where only its end tells when it began', async () => {
      const { station, transaction, ruleId, heardAt, cardNumber } = await hearLive();
      const startedAt = instant(heardAt - 30 * minuteMs);
      const at = instant(heardAt - 5 * minuteMs);
      const end = { kind: 'charge-stopped', connectorNumber: 1, transaction, cardNumber, startedAt, at, bill } as const;
      const told = { meterStopWh: wattHours(10_000), reason: 'local', readings: [], stationTime: transaction } as const;
      await station.say({ ...end, ...told }, heardAt);
      expect(await orderOfStation(station.id)).toMatchObject({ tariff_id: ruleId, amount_fen: 10_000 });
    });

    test('keeps the new version where its record says that it began after it', async () => {
      const { station, transaction, version, heardAt, cardNumber } = await hearLive();
      const from = instant(heardAt - 8 * minuteMs);
      await station.record(transaction, { cardNumber, from, at: heardAt, bill }, heardAt);
      expect(await orderOfStation(station.id)).toMatchObject({ tariff_id: version, amount_fen: 20_000 });
    });
  });

  test('a charge of which only the end is told is priced by the rule of the beginning that its record names', async () => {
    const { number, ruleId, named: station } = await openStation('ykc');
    if (station === null) throw new Error('no station');
    const at = instant(Date.now());
    await raise(ruleId, instant(at - 9 * minuteMs));
    const startedAt = instant(at - 30 * minuteMs);
    const transaction = `${number}01261120063000${String(made).padStart(4, '0')}`;
    const bill = billOf({ flat: 10_000 });
    const end = { kind: 'charge-stopped', connectorNumber: 1, transaction, startedAt, at, bill } as const;
    const told = { meterStopWh: wattHours(10_000), reason: 'local', readings: [], stationTime: transaction } as const;
    await station.say({ ...end, ...told, cardNumber: await newCard() }, at);
    expect(await orderOfStation(station.id)).toMatchObject({
      state: 'completed',
      started_at: startedAt,
      tariff_id: ruleId,
      amount_fen: 10_000,
    });
  });

  test('a charge begun minutes before its station became free of charge, or while it was, is billed so', async () => {
    const { id, number } = await openStation();
    const setFree = (free: boolean) => database.db.updateTable('stations').set({ free }).where('id', '=', id).execute();
    await setFree(true);
    await tellCharge(number, instant(Date.now() - 9 * minuteMs), instant(Date.now()));
    expect(await orderOfStation(id)).toMatchObject({ amount_fen: 10_000 });
    await database.pool.query(
      "update station_free_times set from_at = from_at - interval '1 hour' where station_id = $1",
      [id],
    );
    await setFree(false);
    await tellCharge(number, instant(Date.now() - 5 * minuteMs), instant(Date.now()));
    expect(await orderOfStation(id)).toMatchObject({ amount_fen: 0 });
  });
});
