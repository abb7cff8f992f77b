import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { Station, StationDetail } from '@voltdeck/contract/stations';
import type { ConnectorId, StationId, TariffId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import type { Tables } from '../database/tables.generated.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { dayTariff, makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { startJobs } from '../jobs/run-jobs.ts';
import { lockOrder } from '../orders/order-row.ts';
import { tellOtherChargesLater } from '../orders/tell-balance.ts';
import { cancelOrderRow } from '../orders/write-order.ts';
import { checkTariff, giveTariff } from './tariffs/answer-tariff.ts';
import { stationTariffOf, tariffVersionOf } from './tariffs/station-tariff.ts';
import { tariffWatchLimits, watchTariffsOnce } from './tariffs/watch-tariffs.ts';

vi.setConfig({ testTimeout: 60_000 });

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi({ ykcPort: 8_768 });
  place = await makePlace(api.database, null, 'river');
});
afterAll(() => api.close());

let made = 0;
const nextNumber = () => {
  made += 1;
  return `3301060000${String(made).padStart(4, '0')}`;
};
const form = (number: string, rest: object = {}) => ({
  number,
  name: 'By the river',
  type: 'fast',
  equipmentType: 'four-wheel',
  protocol: 'ykc',
  siteId: place.siteId,
  connectorCount: 2,
  maxPowerKw: 120,
  cardTariffId: place.tariffId,
  ...rest,
});
const create = async (rest: object = {}) => {
  const answer = await api.post<Station & { password: string | null }>('/stations', form(nextNumber(), rest));
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};
const newTariff = async (name: string) => {
  const answer = await api.post<{ id: TariffId }>('/tariffs', { name, ...dayTariff });
  expect(answer.status).toBe(200);
  return answer.data.id;
};
const setOnline = (id: StationId, sinceMs = 10 * minuteMs) =>
  api.database.db
    .updateTable('stations')
    .set({ online: true, online_at: instant(Date.now() - sinceMs) })
    .where('id', '=', id)
    .execute();
const hold = (number: string, outcome: CommandOutcome) => {
  const asked: StationCommand[] = [];
  const end = playHolder(api.context.bus, number, async (command) => {
    asked.push(command);
    return outcome;
  });
  return { asked, end };
};
const runningOf = async (id: StationId) => (await api.get<Station>(`/stations/${id}`)).data.runningTariff;
const asking = (id: StationId) => ({ stationId: id, agentId: null });
const report = (id: StationId, version: string) => checkTariff(api.context, asking(id), version, api.context.now());

describe('a station whose protocol has no password', () => {
  test('a YKC station is registered under 14 digits and gets no password', async () => {
    const station = await create();
    expect(station).toMatchObject({ protocol: 'ykc', password: null, runningTariff: { state: 'unknown' } });
    const row = await api.database.db
      .selectFrom('stations')
      .select('password_hash')
      .where('id', '=', station.id)
      .executeTakeFirstOrThrow();
    expect(row.password_hash).toBeNull();
    const renewed = await api.post(`/stations/${station.id}/passwords`);
    expect([renewed.status, renewed.envelope.message.error]).toEqual([409, 'station.no_password']);
  });

  test.each([
    ['GATE-1', 'A YKC station number has 14 digits'],
    ['3301060000001', 'A YKC station number has 14 digits'],
    ['330106000000123', 'A YKC station number has 14 digits'],
  ])('a YKC station cannot have the number %s', async (number, text) => {
    const answer = await api.post('/stations', form(number), { language: 'en' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('station_number_ykc');
    expect(answer.text).toContain(text);
  });

  test('a YKC station cannot get a password, nor another number than 14 digits when it is changed', async () => {
    const given = await api.post('/stations', form(nextNumber(), { password: 'sixteen-bytes-ok' }));
    expect(given.status).toBe(422);
    expect(given.text).toContain('"no_password"');
    const station = await create();
    const { protocol: _, ...body } = form('GATE-2');
    const changed = await api.ask('PUT', `/stations/${station.id}`, { body });
    expect(changed.status).toBe(422);
    expect(changed.text).toContain('station_number_ykc');
  });

  test('a YKC station is adopted without a password', async () => {
    const { id } = await api.database.db
      .insertInto('unknown_stations')
      .values({
        number: nextNumber(),
        protocol: 'ykc',
        remote_address: '203.0.113.5',
        first_seen_at: instant(1_000),
        last_seen_at: instant(2_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { number: _, protocol: __, ...body } = form('');
    const adopted = await api.post<Station & { password: string | null }>(`/unknown-stations/${id}/adoptions`, body);
    expect(adopted.data).toMatchObject({ protocol: 'ykc', password: null });
  });

  test('a YKC station connects by host and port, and its connection help says so', async () => {
    const station = await create();
    const help = await api.get(`/stations/${station.id}/connection`, { headers: { host: 'charge.example.cn:8080' } });
    expect(help.data).toMatchObject({
      protocol: 'ykc',
      url: 'tcp://charge.example.cn:8768',
      identity: station.number,
      subprotocol: null,
      hasPassword: false,
    });
  });

  test('a YKC station’s details show its version, its ports and their ground locks', async () => {
    const station = await create();
    const detail = () => api.get<StationDetail>(`/stations/${station.id}`);
    expect((await detail()).data).toMatchObject({ protocolVersion: null, reportedConnectors: null });
    await api.database.db
      .updateTable('stations')
      .set({ protocol_version: '1.6', reported_connectors: 3 })
      .where('id', '=', station.id)
      .execute();
    await api.database.db
      .updateTable('connectors')
      .set({
        ground_lock: 'raised',
        parking_bay: 'occupied',
        ground_lock_battery: 80,
        ground_lock_alarm: '0x02',
        ground_lock_at: instant(1_000),
      })
      .where('station_id', '=', station.id)
      .where('number', '=', 1)
      .execute();
    const told = (await detail()).data;
    expect(told).toMatchObject({ protocolVersion: '1.6', reportedConnectors: 3 });
    expect(told.ports.map(({ groundLock }) => groundLock)).toEqual([
      { state: 'raised', bay: 'occupied', batteryPercent: 80, alarm: '0x02', at: '1970-01-01T00:00:01.000Z' },
      null,
    ]);
  });
});

describe('the tariff of a station that prices by itself', () => {
  test('a station tariff has a version of four digits that is never 0000', () => {
    const versions = [1, 9_998, 9_999, 10_000, 19_999].map((id) => tariffVersionOf(id as TariffId));
    expect(versions).toEqual(['0001', '9998', '9999', '0001', '0001']);
  });

  test('a station tariff has the period of each half hour', () => {
    const { slots, prices } = stationTariffOf(7 as TariffId, dayTariff);
    expect(slots).toHaveLength(48);
    expect([slots[0], slots[13], slots[14], slots[47]]).toEqual(['valley', 'valley', 'flat', 'flat']);
    expect(prices.sharp).toEqual({ electricityE5: 120_000, serviceE5: 60_000 });
  });

  test('a station tariff is current only when we gave it, not when a version happens to match', async () => {
    const station = await create();
    const version = tariffVersionOf(place.tariffId);
    expect(await report(station.id, version)).toEqual({ kind: 'tariff-checked', isCurrent: false });
    expect(await runningOf(station.id)).toMatchObject({ state: 'differs', version, tariffId: null });
    const given = await giveTariff(api.context, asking(station.id), api.context.now());
    expect(given).toMatchObject({ kind: 'tariff', tariff: { version } });
    expect(await runningOf(station.id)).toMatchObject({ state: 'current', version, tariffId: place.tariffId });
    expect(await report(station.id, version)).toEqual({ kind: 'tariff-checked', isCurrent: true });
    expect(await report(station.id, '0000')).toEqual({ kind: 'tariff-checked', isCurrent: false });
    expect(await runningOf(station.id)).toMatchObject({ state: 'differs', version: '0000', tariffId: null });
  });

  test('a station has no tariff without a rule by energy, and one billed by the hour keeps what it has', async () => {
    const bare = await create({ cardTariffId: undefined });
    expect(await runningOf(bare.id)).toMatchObject({ state: 'none' });
    expect(await report(bare.id, '0000')).toEqual({ kind: 'tariff-checked', isCurrent: false });
    expect(await giveTariff(api.context, asking(bare.id), api.context.now())).toEqual({ kind: 'tariff', tariff: null });
    const { id: byHour } = await api.database.db
      .insertInto('tariffs')
      .values({ name: 'By the hour', kind: 'hour', detail: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const timed = await create({ cardTariffId: byHour });
    expect(await runningOf(timed.id)).toMatchObject({ state: 'none' });
    expect(await report(timed.id, '0007')).toEqual({ kind: 'tariff-checked', isCurrent: true });
    const both = await create({ cardTariffId: byHour, wechatTariffId: place.tariffId });
    expect(await runningOf(both.id)).toMatchObject({ state: 'unknown' });
  });

  test('stations are filtered by their tariff’s state, which others do not have', async () => {
    const station = await create({ name: 'Filtered' });
    await api.post('/stations', form('FILTERED-1', { name: 'Filtered', protocol: 'ocpp1.6' }));
    const numbers = async (state: string) =>
      (await api.get<{ items: Station[] }>(`/stations?name=Filtered&tariffState=${state}`)).data.items.map(
        ({ number }) => number,
      );
    expect(await numbers('unknown')).toEqual([station.number]);
    expect(await numbers('current,differs,none')).toEqual([]);
    await report(station.id, '4711');
    expect(await numbers('differs')).toEqual([station.number]);
  });

  test('a station tariff is sent by hand, and its outcome is stored', async () => {
    const station = await create();
    const refused = hold(station.number, { kind: 'rejected' });
    const send = () => api.post<CommandOutcome>(`/stations/${station.id}/commands`, { kind: 'set-tariff' });
    expect((await send()).data).toEqual({ kind: 'rejected' });
    expect(await runningOf(station.id)).toMatchObject({ state: 'unknown', outcome: 'rejected' });
    refused.end();
    const { asked, end } = hold(station.number, { kind: 'accepted' });
    expect((await send()).data).toEqual({ kind: 'accepted' });
    expect(asked).toEqual([{ kind: 'set-tariff', tariff: stationTariffOf(place.tariffId, dayTariff) }]);
    expect(await runningOf(station.id)).toMatchObject({ state: 'current', outcome: 'accepted' });
    end();
    const bare = await create({ cardTariffId: undefined });
    const missing = await api.post(`/stations/${bare.id}/commands`, { kind: 'set-tariff' });
    expect(missing.envelope.message.error).toBe('tariff.missing');
  });

  test('a changed station tariff is sent at once, or after the charge when the station is charging', async () => {
    const station = await create();
    await giveTariff(api.context, asking(station.id), api.context.now());
    await setOnline(station.id);
    const { asked, end } = hold(station.number, { kind: 'accepted' });
    const change = async (cardTariffId: TariffId) => {
      const { protocol: _, ...body } = form(station.number, { cardTariffId });
      expect((await api.ask('PUT', `/stations/${station.id}`, { body })).status).toBe(200);
    };
    const next = await newTariff('Next');
    await change(next);
    await expect
      .poll(() => runningOf(station.id), { timeout: 30_000 })
      .toMatchObject({ state: 'current', tariffId: next });
    expect(asked).toHaveLength(1);

    const { orderId, connectorId } = await charging(station.id, place);
    await change(place.tariffId);
    await watchTariffsOnce(api.context);
    expect(await runningOf(station.id)).toMatchObject({ state: 'differs', tariffId: next });
    await api.database.db.updateTable('orders').set({ state: 'completed' }).where('id', '=', orderId).execute();
    await api.database.db.updateTable('connectors').set({ state: 'free' }).where('id', '=', connectorId).execute();
    // It was asked a moment ago, but for another rule. The try that the change began may still be under way.
    await expect
      .poll(async () => {
        await watchTariffsOnce(api.context);
        return runningOf(station.id);
      })
      .toMatchObject({ state: 'current', tariffId: place.tariffId });
    expect(asked).toHaveLength(2);
    end();
  });

  test('a station tariff that many stations get together is sent at once, also to one that refused the former one', async () => {
    const station = await create();
    await setOnline(station.id);
    const refusing = hold(station.number, { kind: 'rejected' });
    await watchTariffsOnce(api.context);
    refusing.end();
    const { asked, end } = hold(station.number, { kind: 'accepted' });
    const next = await newTariff('For many');
    await api.post('/station-changes', { kind: 'set-card-rule', stationIds: [station.id], cardTariffId: next });
    await expect
      .poll(() => runningOf(station.id), { timeout: 30_000 })
      .toMatchObject({ state: 'current', tariffId: next });
    expect(asked).toHaveLength(1);
    end();
  });

  test('a station tariff is tried automatically at most once in five minutes', async () => {
    const station = await create();
    await setOnline(station.id);
    const { asked, end } = hold(station.number, { kind: 'rejected' });
    await watchTariffsOnce(api.context);
    await watchTariffsOnce(api.context);
    expect(asked).toHaveLength(1);
    api.clock.now = instant(Date.now() + tariffWatchLimits.againAfterMs + 1_000);
    await watchTariffsOnce(api.context);
    api.clock.now = null;
    expect(asked).toHaveLength(2);
    end();
  });

  test('a station tariff is tried by one of several nodes that check at the same time', async () => {
    const station = await create();
    await setOnline(station.id);
    const answer = Promise.withResolvers<CommandOutcome>();
    let asked = 0;
    const end = playHolder(api.context.bus, station.number, () => {
      asked += 1;
      return answer.promise;
    });
    const first = watchTariffsOnce(api.context);
    await expect.poll(() => asked).toBe(1);
    const second = watchTariffsOnce(api.context);
    answer.resolve({ kind: 'rejected' });
    await Promise.all([first, second]);
    expect(asked).toBe(1);
    end();
  });

  test('a round of the watch of station tariffs tries each station once, however many do not answer', async () => {
    const { againAfterMs, stationsAtOnce } = tariffWatchLimits;
    const { db, pool } = api.database;
    await db.updateTable('stations').set({ online: false }).execute();
    const count = 2 * stationsAtOnce;
    const { rows } = await pool.query<{ number: string }>(
      `insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w, card_tariff_id,
                             online, online_at)
       select '3301070000' || lpad(n::text, 4, '0'), 'Silent', 'fast', 'four-wheel', 'ykc', $1, 120000, $2,
              true, now() - interval '1 hour'
         from generate_series(1, $3) n
       returning number`,
      [place.siteId, place.tariffId, count],
    );
    const asked: string[] = [];
    api.clock.now = instant(Date.now());
    const ends = rows.map(({ number }) =>
      playHolder(api.context.bus, number, async () => {
        asked.push(number);
        if (asked.length > 2 * count) throw new Error('it tries them again and again');
        // The time that those asked together take to time out.
        if (asked.length % stationsAtOnce === 0) {
          api.clock.now = instant((api.clock.now ?? Date.now()) + againAfterMs + 1_000);
        }
        return { kind: 'timed-out' };
      }),
    );
    try {
      await watchTariffsOnce(api.context);
      expect(asked.sort()).toEqual(rows.map(({ number }) => number).sort());
    } finally {
      api.clock.now = null;
      for (const end of ends) end();
      await db.updateTable('stations').set({ online: false }).execute();
    }
  });

  test('a station tariff is left to the station’s own request just after its login', async () => {
    const station = await create();
    await setOnline(station.id, 0);
    const { asked, end } = hold(station.number, { kind: 'accepted' });
    await watchTariffsOnce(api.context);
    expect(asked).toEqual([]);
    end();
  });
});

/** A charge running at the station's first port, paid by the place's card. */
async function charging(stationId: StationId, payer: Place) {
  const { id: connectorId } = await api.database.db
    .selectFrom('connectors')
    .select('id')
    .where('station_id', '=', stationId)
    .where('number', '=', 1)
    .executeTakeFirstOrThrow();
  const orderId = await makeOrder(
    api.database,
    { ...payer, stationId, connectorId: connectorId as ConnectorId },
    instant(Date.now()),
    { state: 'charging', ended_at: null, settled_at: null },
  );
  return { orderId, connectorId };
}

/** Runs the jobs that a process finds at its start. */
const withWorkers = async (act: () => Promise<void>): Promise<void> => {
  const workers = await startJobs(api.database.url, api.context);
  await act().finally(() => workers.stop());
};

describe('a command to a station that names no charges by itself', () => {
  const command = async (station: Station, body: object, outcome: CommandOutcome = { kind: 'accepted' }) => {
    const { asked, end } = hold(station.number, outcome);
    const answer = await api.post<CommandOutcome>(`/stations/${station.id}/commands`, body, { language: 'en' });
    end();
    return { answer, asked };
  };

  test('a remote start without an order is refused for a station that does not name charges itself', async () => {
    const { answer, asked } = await command(await create(), {
      kind: 'start-charge',
      connectorNumber: 1,
      cardNumber: 'C1',
    });
    expect([answer.status, answer.envelope.message.error, asked]).toEqual([409, 'station.start_needs_order', []]);
    expect(answer.envelope.message.message).toContain('POST /orders');
  });

  test('a command that the protocol lacks is not sent', async () => {
    const { answer, asked } = await command(await create(), { kind: 'clear-cache' });
    expect([answer.data, asked]).toEqual([{ kind: 'not-supported' }, []]);
  });

  test('a balance command shows the payer’s money, holds included', async () => {
    const payer = await makePlace(api.database, null, 'payer');
    const station = await create();
    const body = { kind: 'update-balance', connectorNumber: 1 };
    expect((await command(station, body)).answer.envelope.message.error).toBe('order.not_charging');
    const { orderId } = await charging(station.id, payer);
    await api.database.db
      .updateTable('orders')
      .set({ held_fen: 2_500 as never })
      .where('id', '=', orderId)
      .execute();
    const { asked } = await command(station, body);
    expect(asked).toEqual([{ ...body, availableFen: 12_500, physicalCardNumber: expect.stringMatching(/^\S+$/) }]);
  });

  test('a balance command follows a recharge, even if the process dies right after it', async () => {
    const payer = await makePlace(api.database, null, 'recharger');
    const station = await create();
    await charging(station.id, payer);
    const { asked, end } = hold(station.number, { kind: 'accepted' });
    const recharged = await api.post('/recharges', { cardNumber: payer.cardNumber, amountFen: 5_000 });
    expect(recharged.status).toBe(200);
    expect(asked).toEqual([]);
    await withWorkers(() =>
      expect
        .poll(() => asked, { timeout: 30_000 })
        .toMatchObject([{ kind: 'update-balance', connectorNumber: 1, availableFen: 15_000 }]),
    );
    end();
  });

  test('a balance command follows when another charge of the same customer takes or returns money', async () => {
    const payer = await makePlace(api.database, null, 'customer');
    const [first, second] = [await create(), await create()];
    const online = { payment_type: 'online', card_id: null, customer_id: payer.customerId } as const;
    const { orderId: running } = await charging(first.id, payer);
    const { orderId: other } = await charging(second.id, payer);
    for (const id of [running, other]) {
      await api.database.db.updateTable('orders').set(online).where('id', '=', id).execute();
    }
    const held = [hold(first.number, { kind: 'accepted' }), hold(second.number, { kind: 'accepted' })] as const;
    const inTransaction = <Done>(work: (trx: Transaction<Tables>) => Promise<Done>) =>
      api.database.db.transaction().execute(work);
    await inTransaction(async (trx) => tellOtherChargesLater(trx, await lockOrder(trx, other)));
    await withWorkers(async () => {
      await expect.poll(() => held[0].asked, { timeout: 30_000 }).toHaveLength(1);
      await inTransaction(async (trx) =>
        cancelOrderRow(trx, await lockOrder(trx, other), { at: api.context.now(), facts: [] }),
      );
      await expect.poll(() => held[0].asked, { timeout: 30_000 }).toHaveLength(2);
    });
    expect(held[0].asked[1]).toMatchObject({ kind: 'update-balance', connectorNumber: 1, availableFen: 0 });
    expect(held[1].asked).toEqual([]);
    for (const one of held) one.end();
  });

  test('a command with offline cards finds them by either number, within the caller’s scope', async () => {
    const station = await create();
    const card = await api.database.db
      .selectFrom('cards')
      .select(['number', 'physical_number as physicalNumber'])
      .where('id', '=', place.cardId)
      .executeTakeFirstOrThrow();
    const stored = await command(station, { kind: 'store-cards', cardNumbers: [card.number, card.physicalNumber] });
    expect(stored.asked).toEqual([{ kind: 'store-cards', cards: [card] }]);
    const cleared = await command(station, { kind: 'clear-cards', cardNumbers: [card.number] });
    expect(cleared.asked).toEqual([{ kind: 'clear-cards', physicalNumbers: [card.physicalNumber] }]);
    const unknown = await command(station, { kind: 'query-cards', cardNumbers: [card.number, 'NOBODYS'] });
    expect([unknown.answer.status, unknown.asked]).toEqual([422, []]);
    expect(unknown.answer.text).toContain('cardNumbers.1');
  });

  test('a command with offline cards is stored as far as the station agreed, until it clears them', async () => {
    const station = await create();
    const [first, second] = [await makePlace(api.database, null, 'c1'), await makePlace(api.database, null, 'c2')];
    const cards = await api.database.db
      .selectFrom('cards')
      .select(['number', 'physical_number as physicalNumber'])
      .where('id', 'in', [first.cardId, second.cardId])
      .orderBy('id')
      .execute();
    const held = () =>
      api.database.db
        .selectFrom('station_cards')
        .select('physical_number')
        .where('station_id', '=', station.id)
        .execute()
        .then((rows) => rows.map((row) => row.physical_number));
    const done = (which: readonly boolean[]): CommandOutcome => ({
      kind: 'cards',
      cards: cards.map(({ physicalNumber }, index) => ({ physicalNumber, done: which[index] === true })),
    });
    const cardNumbers = cards.map(({ number }) => number);
    const say = async (kind: string, outcome: CommandOutcome) => {
      const { end } = hold(station.number, outcome);
      expect((await api.post(`/stations/${station.id}/commands`, { kind, cardNumbers })).status).toBe(200);
      end();
    };
    await say('store-cards', done([true, false]));
    expect(await held()).toEqual([cards[0]?.physicalNumber]);
    await say('store-cards', done([true, true]));
    await say('clear-cards', done([true, false]));
    expect(await held()).toEqual([cards[1]?.physicalNumber]);
  });

  test('a firmware command is completed from the station’s details, and its password stays out of the audit log', async () => {
    const station = await create();
    const body = {
      kind: 'update-firmware',
      host: '203.0.113.9',
      port: 21,
      user: 'ftp',
      password: 'very-secret-ftp',
      path: '/fw/v2.bin',
      when: 'when_idle',
      timeoutMinutes: 30,
    };
    const { asked } = await command(station, body);
    const { kind, ...source } = body;
    expect(asked).toEqual([{ kind, firmware: { ...source, current: 'dc', ratedPowerKw: 120 } }]);
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select('after')
      .where('action', '=', 'station.command.update-firmware')
      .execute();
    expect(JSON.stringify(audited)).toContain('/fw/v2.bin');
    expect(JSON.stringify(audited)).not.toContain('very-secret-ftp');
  });
});
