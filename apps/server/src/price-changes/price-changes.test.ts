import type { ListAnswer } from '@voltdeck/contract/fields';
import type { PriceChange, PriceChangeStation } from '@voltdeck/contract/price-changes';
import type { StationId, TariffId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { dayTariff, makePlace, type Place } from '../http/test-records.ts';
import { applyDuePrices } from '../jobs/apply-due-prices.ts';
import { checkTariff, giveTariff } from '../stations/tariffs/answer-tariff.ts';
import { sendTariff } from '../stations/tariffs/send-tariff.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const later = (ms: number) => toIso(instant(now + ms));

const opened: TestApi[] = [];
let api: TestApi;
let north: Place;
let south: Place;
let dearer: TariffId;

beforeEach(async () => {
  api = await openTestApi();
  opened.push(api);
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  north = await makePlace(api.database, await api.addAgent('North'), 'north');
  south = await makePlace(api.database, await api.addAgent('South'), 'south');
  // The clock of the test runs behind the database's.
  await api.database.pool.query("update station_tariffs set from_at = from_at - interval '400 days'");
  dearer = (await api.post<{ id: TariffId }>('/tariffs', { ...dayTariff, name: 'Dearer' })).data.id;
});
afterAll(async () => {
  for (const one of opened) await one.close();
});

/** A station that prices charges itself, connected or not. */
async function addPile(place: Place, number: string, online: boolean): Promise<StationId> {
  const { id } = await api.database.db
    .insertInto('stations')
    .values({
      number,
      name: number,
      type: 'fast',
      equipment_type: 'four-wheel',
      protocol: 'ykc',
      site_id: place.siteId,
      agent_id: place.agentId,
      max_power_w: 60_000 as never,
      card_tariff_id: place.tariffId,
      online,
      online_at: instant(now - hourMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const form = (more: object = {}) => ({
  name: 'New year',
  by: 'sites',
  siteIds: [north.siteId] as number[] | undefined,
  slots: 'both',
  ruleId: dearer,
  effectiveAt: later(hourMs),
  ...more,
});
const create = async (more: object = {}, token?: string) =>
  (await api.post<PriceChange>('/price-changes', form(more), token === undefined ? {} : { token })).data;
const find = async (id: number) => (await api.get<PriceChange>(`/price-changes/${id}`)).data;
const rowsOf = async (id: number, state = '') => {
  const query = `priceChangeId=${id}${state === '' ? '' : `&state=${state}`}`;
  const { data } = await api.get<ListAnswer<PriceChangeStation>>(`/price-change-stations?${query}`);
  return data.items.map((row) => [row.stationNumber, row.state, row.reason]);
};
const tariffsOf = async (id: StationId) =>
  api.database.db
    .selectFrom('stations')
    .select(['card_tariff_id as card', 'wechat_tariff_id as wechat'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
async function passes(ms: number): Promise<void> {
  api.clock.now = instant((api.clock.now ?? now) + ms);
  await applyDuePrices(api.context);
}

test('a price change waits until its time, then gives its stations the rule, from its own time on, once', async () => {
  const change = await create();
  expect(change).toMatchObject({ state: 'waiting', stations: 1, ruleName: 'Dearer', version: null, appliedAt: null });
  expect(change.createdBy).toBe('系统管理员');
  await passes(59 * minuteMs);
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
  await passes(5 * minuteMs);
  await Promise.all([applyDuePrices(api.context), applyDuePrices(api.context)]);
  expect(await tariffsOf(north.stationId)).toEqual({ card: dearer, wechat: dearer });
  expect((await tariffsOf(south.stationId)).card).toBe(south.tariffId);
  expect(await find(change.id)).toMatchObject({ state: 'done', version: 1, tally: { taken: 1 } });
  const { rows } = await api.database.pool.query<{ at: Instant }>(
    "select from_at as at from station_tariffs where station_id = $1 and kind = 'card' and tariff_id = $2",
    [north.stationId, dearer],
  );
  expect(rows).toHaveLength(1);
  const applied = await api.database.pool.query("select 1 from audit_entries where action = 'price_change.apply'");
  expect(applied.rowCount).toBe(1);
});

test('the history of a station begins with the scheduled time, also where the server was away at that moment', async () => {
  await create();
  await passes(9 * hourMs);
  const { rows } = await api.database.pool.query<{ kind: string; at: Instant }>(
    'select kind, from_at as at from station_tariffs where station_id = $1 and tariff_id = $2 order by kind',
    [north.stationId, dearer],
  );
  expect(rows).toEqual([
    { kind: 'card', at: instant(now + hourMs) },
    { kind: 'wechat', at: instant(now + hourMs) },
  ]);
});

test('a price change carried out late gives the version that was in force at its time, before a later version', async () => {
  await create({ slots: 'card' });
  const prices = { ...dayTariff.prices, valley: { electricity: 10_000, service: 0 } };
  const next = { ...dayTariff, prices, name: 'Dearer', takesEffectAt: later(3 * hourMs) };
  const version = (await api.ask<{ id: TariffId }>('PUT', `/tariffs/${dearer}`, { body: next })).data.id;
  await passes(9 * hourMs);
  expect((await tariffsOf(north.stationId)).card).toBe(version);
  const { rows } = await api.database.pool.query(
    'select tariff_id as id, from_at as at from station_tariffs where station_id = $1 and tariff_id = any($2) order by from_at',
    [north.stationId, [dearer, version]],
  );
  expect(rows).toEqual([
    { id: dearer, at: instant(now + hourMs) },
    { id: version, at: instant(now + 3 * hourMs) },
  ]);
});

test('a price change carried out late leaves the rule that somebody gave a station after its time', async () => {
  const { id } = await create();
  const dearest = (await api.post<{ id: TariffId }>('/tariffs', { ...dayTariff, name: 'Dearest' })).data.id;
  api.clock.now = instant(now + 2 * hourMs);
  const corrected = { kind: 'set-card-rule', cardTariffId: dearest, stationIds: [north.stationId] };
  expect((await api.post<{ changed: number }>('/station-changes', corrected)).data.changed).toBe(1);
  await applyDuePrices(api.context);
  expect(await tariffsOf(north.stationId)).toEqual({ card: dearest, wechat: dearer });
  expect(await find(id)).toMatchObject({ state: 'done' });

  const another = await create({ slots: 'card', effectiveAt: later(3 * hourMs) });
  await api.post('/station-changes', { ...corrected, cardTariffId: north.tariffId });
  await passes(2 * hourMs);
  expect(await rowsOf(another.id)).toEqual([[north.stationNumber, 'skipped', 'replaced']]);
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
});

test('a price change that was interrupted goes on, and a newer version that came in between wins at all its stations', async () => {
  const numbers = Array.from({ length: 450 }, (_, index) => `3201060000${String(1_000 + index)}`);
  await api.database.pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, agent_id, max_power_w, card_tariff_id)
     select n, n, 'fast', 'four-wheel', 'ocpp1.6', $1, $2, 60000, $3 from unnest($4::text[]) n`,
    [north.siteId, north.agentId, north.tariffId, numbers],
  );
  const { id } = await create({ slots: 'card' });
  await api.database.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin raise exception 'interrupted'; end $$;
    create trigger wait_for_test before update of card_tariff_id on stations
      for each row when (new.number = '32010600001300') execute function wait_for_test()`);
  await passes(2 * hourMs);
  const given = async () => {
    const { rows } = await api.database.pool.query<{ id: TariffId; count: number }>(
      'select card_tariff_id as id, count(*)::int from stations where site_id = $1 group by 1 order by 1',
      [north.siteId],
    );
    return rows.map((row) => [row.id, row.count]);
  };
  expect(await given()).toEqual([
    [north.tariffId, 251],
    [dearer, 200],
  ]);
  expect((await api.ask('POST', `/price-changes/${id}/cancellation`, { body: {} })).status).toBe(409);
  expect((await find(id)).state).toBe('running');

  const prices = { ...dayTariff.prices, valley: { electricity: 10_000, service: 0 } };
  const newer = (
    await api.ask<{ id: TariffId }>('PUT', `/tariffs/${dearer}`, { body: { ...dayTariff, prices, name: 'Dearer' } })
  ).data.id;
  await api.database.pool.query('drop trigger wait_for_test on stations; drop function wait_for_test()');
  await applyDuePrices(api.context);
  expect(await given()).toEqual([[newer, 451]]);
  expect((await find(id)).state).toBe('done');
  const applied = await api.database.pool.query("select 1 from audit_entries where action = 'price_change.apply'");
  expect(applied.rowCount).toBe(1);
});

test('a price change that is cancelled at the last moment does not hold up the next one', async () => {
  const cancelled = await create({ effectiveAt: later(hourMs) });
  await create({ effectiveAt: later(2 * hourMs), siteIds: [south.siteId] });
  const { db, pool } = api.database;
  const cancelling = await db.startTransaction().execute();
  await cancelling.updateTable('price_changes').set({ state: 'cancelled' }).where('id', '=', cancelled.id).execute();
  const round = passes(3 * hourMs);
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).rowCount,
    )
    .toBe(1);
  await cancelling.commit().execute();
  await round;
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
  expect((await tariffsOf(south.stationId)).card).toBe(dearer);
});

test('the answer of a station to its former tariff leaves the row of a price change waiting', async () => {
  const number = '32010600000031';
  const pile = await addPile(north, number, true);
  const connector = { station_id: pile, number: 1, name: '1', state: 'charging' as const };
  await api.database.db.insertInto('connectors').values(connector).execute();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  playHolder(api.context.bus, number, async () => {
    asked.resolve();
    await answered.promise;
    return { kind: 'accepted' };
  });
  const former = sendTariff(api.context, { id: pile, number, agentId: north.agentId });
  await asked.promise;
  const change = await create({ by: 'stations', siteIds: undefined, stationIds: [pile], slots: 'card' });
  await passes(hourMs);
  expect(await rowsOf(change.id)).toEqual([[number, 'waiting', null]]);
  answered.resolve();
  await former;
  expect(await rowsOf(change.id)).toEqual([[number, 'waiting', null]]);
  const { rows } = await api.database.pool.query(
    'select running_tariff_id, tariff_asked_at, tariff_outcome from stations where id = $1',
    [pile],
  );
  expect(rows).toEqual([{ running_tariff_id: north.tariffId, tariff_asked_at: null, tariff_outcome: null }]);
});

test('each row of a price change says whether its station took the rule, refused it with which answer, or is offline', async () => {
  await addPile(north, '32010600000001', true);
  await addPile(north, '32010600000002', true);
  const away = await addPile(north, '32010600000003', false);
  const answers = new Map<string, 'accepted' | 'rejected'>([
    ['32010600000001', 'accepted'],
    ['32010600000002', 'rejected'],
    ['32010600000003', 'accepted'],
  ]);
  for (const number of answers.keys()) {
    playHolder(api.context.bus, number, async () =>
      answers.get(number) === 'rejected' ? { kind: 'rejected', reason: 'fault' } : { kind: 'accepted' },
    );
  }
  const change = await create({ slots: 'card' });
  await passes(hourMs);
  await expect
    .poll(() => rowsOf(change.id))
    .toEqual([
      [north.stationNumber, 'taken', null],
      ['32010600000001', 'taken', null],
      ['32010600000002', 'refused', 'rejected:fault'],
      ['32010600000003', 'offline', null],
    ]);
  expect(await find(change.id)).toMatchObject({ state: 'partly', tally: { taken: 2, refused: 1, offline: 1 } });
  expect(await rowsOf(change.id, 'refused')).toHaveLength(1);

  // The station takes it at the second try, and the one that was away asks by itself when it is back.
  answers.set('32010600000002', 'accepted');
  const retried = await api.post(`/price-changes/${change.id}/retries`, {});
  expect(retried.data).toEqual({ asked: 1, offline: 1 });
  await expect.poll(() => rowsOf(change.id, 'taken')).toHaveLength(3);
  await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', away).execute();
  expect(await rowsOf(change.id, 'waiting')).toEqual([['32010600000003', 'waiting', null]]);
  await sendTariff(api.context, { id: away, number: '32010600000003', agentId: north.agentId });
  expect(await find(change.id)).toMatchObject({ state: 'done', tally: { taken: 4 } });
});

test('a row whose station never had the answer that gave it the tariff waits again', async () => {
  const pile = await addPile(north, '32010600000777', true);
  await api.database.pool.query("update stations set running_tariff_version = '0042' where id = $1", [pile]);
  const { id } = await create({ by: 'stations', siteIds: undefined, stationIds: [pile] });
  await passes(2 * hourMs);
  const asking = { stationId: pile, agentId: north.agentId };
  await giveTariff(api.context, asking, api.clock.now ?? now);
  expect(await rowsOf(id)).toEqual([['32010600000777', 'taken', null]]);
  await checkTariff(api.context, asking, '0042', api.clock.now ?? now);
  expect(await rowsOf(id)).toEqual([['32010600000777', 'waiting', null]]);
  expect((await find(id)).state).toBe('running');
});

test('a row whose station got another rule before the new one was sent is skipped as replaced', async () => {
  const away = await addPile(north, '32010600000009', false);
  const change = await create({ by: 'stations', siteIds: undefined, stationIds: [away] });
  await passes(hourMs);
  expect(await rowsOf(change.id)).toEqual([['32010600000009', 'offline', null]]);
  await api.database.db
    .updateTable('stations')
    .set({ card_tariff_id: north.tariffId, wechat_tariff_id: north.tariffId })
    .where('id', '=', away)
    .execute();
  expect(await rowsOf(change.id)).toEqual([['32010600000009', 'skipped', 'replaced']]);
  expect((await find(change.id)).state).toBe('done');
});

test('a station that goes to another agent leaves a price change that was carried out, and shows its number alone', async () => {
  const { token } = await api.addUser({
    name: 'northern',
    permissions: ['price_change.read', 'price_change.edit'],
    scope: 'agent',
    agentId: north.agentId ?? undefined,
  });
  const [gone, away] = [await addPile(north, '32010600000021', false), await addPile(north, '32010600000022', false)];
  const change = await create({ by: 'stations', siteIds: undefined, stationIds: [gone, away] }, token);
  const ofPlatform = await create({ by: 'stations', siteIds: undefined, stationIds: [gone] });
  await passes(hourMs);
  const hand = 'update stations set agent_id = $1, site_id = $2 where id = $3';
  const retry = (priceChangeId: number, ask = {}) =>
    api.post<{ asked: number; offline: number }>(`/price-changes/${priceChangeId}/retries`, {}, ask);
  const retried = await whileChanging(api.database.pool, [hand, [south.agentId, south.siteId, gone]], () =>
    retry(change.id, { token }),
  );
  expect(retried.data).toEqual({ asked: 0, offline: 1 });
  await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', gone).execute();
  const { data } = await api.get<ListAnswer<PriceChangeStation>>(`/price-change-stations?priceChangeId=${change.id}`, {
    token,
  });
  expect(data.items).toMatchObject([
    { stationNumber: '32010600000021', stationName: null, siteName: null, online: null, reason: 'moved' },
    { stationNumber: '32010600000022', stationName: '32010600000022', siteName: 'Site north', online: false },
  ]);
  expect(data.items.map(({ state }) => state)).toEqual(['skipped', 'offline']);
  const [[number, state] = []] = await rowsOf(ofPlatform.id);
  expect(number).toBe('32010600000021');
  expect(state).not.toBe('skipped');
});

test('of two price changes for one station the later time wins, and of equal times the one made last', async () => {
  const cheaper = (await api.post<{ id: TariffId }>('/tariffs', { ...dayTariff, name: 'Cheaper' })).data.id;
  await create({ effectiveAt: later(3 * hourMs) });
  await create({ effectiveAt: later(2 * hourMs), ruleId: cheaper });
  await passes(4 * hourMs);
  expect((await tariffsOf(north.stationId)).card).toBe(dearer);
  await create({ effectiveAt: later(5 * hourMs) });
  await create({ effectiveAt: later(5 * hourMs), ruleId: cheaper });
  await passes(2 * hourMs);
  expect((await tariffsOf(north.stationId)).card).toBe(cheaper);
});

test('a price change is cancelled or loses stations before its time only', async () => {
  const pile = await addPile(north, '32010600000011', false);
  const change = await create();
  expect(change.stations).toBe(2);
  const removed = await api.post<PriceChange>(`/price-changes/${change.id}/removals`, { stationIds: [pile] });
  expect(removed.data.stations).toBe(1);
  const last = await api.post(`/price-changes/${change.id}/removals`, { stationIds: [north.stationId] });
  expect(last.envelope.message).toMatchObject({ error: 'price_change.last_station' });
  expect((await find(change.id)).stations).toBe(1);
  expect((await api.post(`/price-changes/${change.id}/retries`, {})).envelope.message).toMatchObject({
    error: 'price_change.not_applied',
  });
  const cancelled = await api.post<PriceChange>(`/price-changes/${change.id}/cancellation`);
  expect(cancelled.data).toMatchObject({ state: 'cancelled', tally: { skipped: 1 } });
  await passes(2 * hourMs);
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
  const again = await api.post(`/price-changes/${change.id}/cancellation`);
  expect(again.envelope.message).toMatchObject({ error: 'price_change.not_waiting' });
});

test('only the chosen one of two rules is replaced', async () => {
  await create({ slots: 'wechat' });
  await passes(hourMs);
  expect(await tariffsOf(north.stationId)).toEqual({ card: north.tariffId, wechat: dearer });
});

test('the stations of a rule are found by any of its versions, and a station that changed hands is left alone', async () => {
  const change = await create({ by: 'rule', siteIds: undefined, usedRuleId: north.tariffId });
  expect(change.stations).toBe(1);
  await api.database.db
    .updateTable('stations')
    .set({ agent_id: south.agentId })
    .where('id', '=', north.stationId)
    .execute();
  await passes(hourMs);
  expect(await rowsOf(change.id)).toEqual([[north.stationNumber, 'skipped', 'moved']]);
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
});

test('a station is left alone where the rule belongs to another agent by the time of the price change', async () => {
  const change = await create({ siteIds: [north.siteId, south.siteId] });
  const { db } = api.database;
  await db.updateTable('tariffs').set({ agent_id: south.agentId }).where('id', '=', dearer).execute();
  await passes(hourMs);
  expect((await rowsOf(change.id)).toSorted()).toEqual([
    [north.stationNumber, 'skipped', 'rule_of_other_agent'],
    [south.stationNumber, 'taken', null],
  ]);
  expect((await tariffsOf(north.stationId)).card).toBe(north.tariffId);
});

test('a preview says in numbers what a price change would do', async () => {
  await addPile(north, '32010600000021', true);
  await addPile(north, '32010600000022', false);
  await create({ by: 'stations', siteIds: undefined, stationIds: [north.stationId] });
  const { name: _name, ...targets } = form({ siteIds: [north.siteId, south.siteId] });
  const preview = await api.post('/price-changes/preview', targets);
  expect(preview.data).toEqual({
    stations: 4,
    sites: 2,
    billing: 2,
    billingOffline: 1,
    fourWheelByTime: 0,
    charging: 0,
    same: 0,
    planned: 1,
  });

  const detail = {
    kind: 'hour',
    stepMinutes: 60,
    measuredBy: 'average',
    tiers: [{ fromW: 0, toW: null, feeFenPerStep: 50 }],
  };
  const { id: ruleId } = await api.database.db
    .insertInto('tariffs')
    .values({ name: 'Bikes', kind: 'hour', detail: JSON.stringify(detail) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const byTime = await api.post('/price-changes/preview', { ...targets, ruleId });
  expect(byTime.data).toMatchObject({ stations: 4, billing: 0, billingOffline: 0, fourWheelByTime: 4 });
});

test('a price change is refused in the past, without stations, and for what the caller does not see', async () => {
  const faults = async (more: object, token?: string) => {
    const { envelope } = await api.post('/price-changes', form(more), token === undefined ? {} : { token });
    return envelope.message.fields?.map(({ path, code }) => `${path} ${code}`) ?? [envelope.message.error];
  };
  expect(await faults({ effectiveAt: later(-2 * minuteMs) })).toEqual(['effectiveAt in_past']);
  expect(await faults({ effectiveAt: later(400 * 24 * hourMs) })).toEqual(['effectiveAt too_many_days']);
  expect(await faults({ by: 'stations' })).toEqual(['stationIds required']);
  expect(await faults({ by: 'rule', usedRuleId: dearer })).toEqual(['price_change.no_stations']);
  const own = { permissions: ['price_change.edit', 'price_change.read'] as never, scope: 'agent' as const };
  const { token } = await api.addUser({ name: 'south', ...own, ...(south.agentId && { agentId: south.agentId }) });
  expect(await faults({}, token)).toEqual(['siteIds unknown_reference']);
  expect(await faults({ siteIds: [south.siteId], ruleId: north.tariffId }, token)).toEqual([
    'ruleId unknown_reference',
  ]);
  expect(await faults({ ruleId: south.tariffId })).toEqual(['ruleId rule_of_other_agent']);
  const mine = await create({ siteIds: [south.siteId] }, token);
  expect(mine.agentName).toBe('South');
  const { data } = await api.get<ListAnswer<PriceChange>>('/price-changes', { token });
  expect(data.items.map(({ id }) => id)).toEqual([mine.id]);
});

test('a rule that a price change waits for is not deleted', async () => {
  const change = await create();
  expect((await api.ask('DELETE', `/tariffs/${dearer}`)).envelope.message).toMatchObject({ error: 'tariff.in_use' });
  await api.post(`/price-changes/${change.id}/cancellation`);
  expect((await api.ask('DELETE', `/tariffs/${dearer}`)).status).toBe(200);
});
