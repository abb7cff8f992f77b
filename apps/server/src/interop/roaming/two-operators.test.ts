import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { OwnRoamingCharge } from '@voltdeck/contract/own-roaming';
import type { PartnerCharge, RoamingCharge } from '@voltdeck/contract/roaming';
import { dayMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../../bus/test-station-holder.ts';
import { connectStation } from '../../charging/test-charging-floor.ts';
import { billOf, chargeFrom, chargeTo, dayEnergiesWh, openNamedStation } from '../../charging/test-named-charge.ts';
import type { TestApi } from '../../http/test-api.ts';
import { openTwoOperators, type Rider, type TwoOperators } from './test-two-operators.ts';

let two: TwoOperators;
beforeAll(async () => {
  two = await openTwoOperators();
});
afterAll(async () => {
  for (const api of [two.stations, two.users]) {
    const { token } = (await api.logIn('admin', 'correct horse battery')).data;
    expect((await api.get('/ledger/proof', { token })).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  }
  await two.close();
});

const plugIn = (stationId: number) =>
  two.stations.database.pool.query(
    `with s as (update stations set online = true where id = $1)
     update connectors set state = 'plugged_in' where station_id = $1`,
    [stationId],
  );

const start = (rider: Rider, portId: number) =>
  two.users.post<OwnRoamingCharge>('/my/roaming-charges', { portId }, { token: rider.token, language: 'en' });
const chargeOf = async (rider: Rider, id: number) =>
  (await two.users.get<OwnRoamingCharge>(`/my/roaming-charges/${id}`, { token: rider.token })).data;

/** The order of a charge at the operator of the stations. */
const orderOf = async (sequence: string) => {
  const { rows } = await two.stations.database.pool.query(
    `select o.id, o.state, o.energy_wh, o.amount_fen, o.paid_fen, o.transaction_key, p.confirmation, p.dispute, p.checked_at
       from partner_charges p join orders o on o.id = p.order_id where p.sequence = $1`,
    [sequence],
  );
  return rows[0] as {
    id: number;
    state: string;
    energy_wh: number;
    amount_fen: number;
    paid_fen: number;
    transaction_key: string;
    confirmation: string | null;
    dispute: string | null;
    checked_at: number | null;
  };
};

const balanceOf = async (rider: Rider) =>
  (await two.users.get<{ balanceFen: number; heldFen: number; owedFen: number }>('/my/balance', { token: rider.token }))
    .data;

const payable = () => two.heldAt(two.users, `payable:partner:${two.stationsId}`);
const deposit = async (api: TestApi = two.stations) =>
  (await two.heldAt(api, `partner:${two.usersId}`)) + (await two.heldAt(api, `partner-held:${two.usersId}`));

describe('two operators over real HTTP', () => {
  test('a charge at an OCPP station is started, watched, stopped by its rider, settled and billed once', async () => {
    const early = instant(chargeFrom - 25 * minuteMs);
    two.at(early);
    const { id: stationId, connectorIds } = await two.floor.addStation('OCPP-ROAM-1', { ports: 1 });
    await plugIn(stationId);
    await two.pull();
    const rider = await two.rider('13700001002', 20_000);
    const socket = await connectStation(two.floor, 'OCPP-ROAM-1');
    const time = (at: Instant) => new Date(at).toISOString();
    await socket.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    await socket.call('StatusNotification', {
      connectorId: 1,
      errorCode: 'NoError',
      status: 'Preparing',
      timestamp: time(early),
    });
    const started = await start(rider, await two.portOf(connectorIds[0] ?? 0));
    expect(started.data).toMatchObject({ state: 'starting' });
    const { id, sequence } = started.data;
    const asked = () => socket.asked.map(([action]) => action);
    await expect.poll(asked).toContain('RemoteStartTransaction');
    const [, remote] = socket.asked.find(([action]) => action === 'RemoteStartTransaction') ?? [];
    const { idTag } = remote as { idTag: string };
    const { transactionId } = await socket.call('StartTransaction', {
      connectorId: 1,
      idTag,
      meterStart: 0,
      timestamp: time(early),
    });
    await two.deliver();
    expect(await chargeOf(rider, id)).toMatchObject({ state: 'charging' });

    const stopped = await two.users.post<{ agreed: boolean }>(
      `/my/roaming-charges/${id}/stops`,
      {},
      { token: rider.token },
    );
    expect(stopped.data).toEqual({ agreed: true });
    await expect.poll(asked).toContain('RemoteStopTransaction');
    const until = instant(early + 20 * minuteMs);
    two.at(until);
    await socket.call('StopTransaction', {
      transactionId,
      meterStop: 20_000,
      timestamp: time(until),
      reason: 'Remote',
    });
    await expect.poll(async () => (await orderOf(sequence)).state).toBe('completed');
    await two.deliver();
    await two.deliver();
    const order = await orderOf(sequence);
    // 20 kWh in the valley at 0.3 + 0.3.
    expect(order).toMatchObject({ amount_fen: 1_200, confirmation: 'confirmed' });
    expect(await chargeOf(rider, id)).toMatchObject({ state: 'completed', amountFen: 1_200, paidFen: 1_200 });
    expect(await balanceOf(rider)).toMatchObject({ balanceFen: 18_800, heldFen: 0 });
    await socket.end();
  });

  test('both see the same codes of a site, its equipment and its connectors', async () => {
    two.at(chargeFrom);
    await two.pull();
    const ask = async (api: TestApi, path: string) => {
      const { token } = (await api.logIn('admin', 'correct horse battery')).data;
      return (await api.get<{ items: Record<string, unknown>[] }>(path, { token })).data.items;
    };
    const shared = {
      site: ['code', 'operatorCode', 'ownerCode', 'name', 'regionCode', 'stateCode', 'kindCode', 'placeCode'],
      station: ['code', 'siteCode', 'typeCode'],
    } as const;
    const only = (row: Record<string, unknown> | undefined, keys: readonly string[]) =>
      Object.fromEntries(keys.map((key) => [key, row?.[key]]));
    const [theirSite] = await ask(two.users, '/pulled-sites');
    const [ourSite] = await ask(two.stations, '/exposed-sites');
    expect(only(theirSite, shared.site)).toEqual(only(ourSite, shared.site));
    expect(theirSite).toMatchObject({ code: String(two.floor.siteId), operatorCode: 'MA1STATNS', name: 'Lakeside' });
    const theirs = await ask(two.users, '/pulled-stations');
    const ours = await ask(two.stations, '/exposed-stations');
    const byCode = (rows: Record<string, unknown>[]) =>
      rows.map((row) => only(row, shared.station)).toSorted((a, b) => (String(a.code) < String(b.code) ? -1 : 1));
    expect(byCode(theirs)).toEqual(byCode(ours));
    const codesOf = (rows: Record<string, unknown>[]) => rows.map(({ code }) => code).toSorted();
    expect(codesOf(await ask(two.users, '/pulled-ports'))).toEqual(codesOf(await ask(two.stations, '/exposed-ports')));
  });

  test('a start that the station refuses gives the whole hold back and says why', async () => {
    two.at(chargeFrom);
    const station = await openNamedStation(two.floor, '33010620000003', { ports: 1 });
    await plugIn(station.id);
    await two.pull();
    const rider = await two.rider('13700001003', 3_000);
    const portId = await two.portOf(station.connectorIds[0] ?? 0);
    await two.stations.database.pool.query(`update connectors set state = 'fault' where station_id = $1`, [station.id]);
    const refused = await start(rider, portId);
    expect(refused.envelope.message).toMatchObject({
      status: 409,
      error: 'roaming.refused',
      message: 'The operator refused: Station fault',
    });
    expect(await balanceOf(rider)).toMatchObject({ balanceFen: 3_000, heldFen: 0 });
  });

  test('a partner that told nothing is asked, and its answer counts like a message', async () => {
    const station = await openNamedStation(two.floor, '33010620000005', { ports: 1 });
    await plugIn(station.id);
    await two.pull();
    const rider = await two.rider('13700001005', 20_000);
    const release = playHolder(
      two.stations.context.bus,
      station.number,
      async () => ({ kind: 'accepted' }) as CommandOutcome,
    );
    const { id, sequence } = (await start(rider, await two.portOf(station.connectorIds[0] ?? 0))).data;
    release();
    await station.begin((await orderOf(sequence)).transaction_key);
    two.at(instant(chargeFrom + 3 * minuteMs));
    expect(await two.follow()).toBeGreaterThan(0);
    expect(await chargeOf(rider, id)).toMatchObject({ state: 'charging', startedAt: toIso(chargeFrom) });
    two.at(instant(chargeFrom + 3 * minuteMs + secondMs));
    expect(await two.follow()).toBe(0);
  });

  test('with nothing left to hold, the charge is asked to stop before it costs more than there is', async () => {
    const station = await openNamedStation(two.floor, '33010620000004', { ports: 1 });
    await plugIn(station.id);
    await two.pull();
    const rider = await two.rider('13700001004', 2_000);
    const commands: string[] = [];
    playHolder(two.stations.context.bus, station.number, async ({ kind }) => {
      commands.push(kind);
      return { kind: 'accepted' } as CommandOutcome;
    });
    const { id, sequence } = (await start(rider, await two.portOf(station.connectorIds[0] ?? 0))).data;
    const transaction = (await orderOf(sequence)).transaction_key;
    await station.begin(transaction);
    await two.deliver();
    // 26 kWh at 0.6 yuan are 15.60 yuan of the 20.00.
    await station.read(transaction, instant(chargeFrom + 26 * minuteMs), 26_000);
    two.at(instant(chargeFrom + 29 * minuteMs));
    await two.deliverStates();
    expect((await chargeOf(rider, id)).stopAskedAt).not.toBeNull();
    expect(await two.follow()).toBeGreaterThan(0);
    await expect.poll(() => commands).toContain('stop-charge');
  });

  test('a charge at a YKC station is found, priced, started, watched, stopped, settled and compared', async () => {
    const tomorrow = instant(chargeFrom + dayMs);
    const end = instant(chargeTo + dayMs);
    two.at(tomorrow);
    const station = await openNamedStation(two.floor, '33010620000001', { ports: 1 });
    const connectorId = station.connectorIds[0] ?? 0;
    await plugIn(station.id);
    await two.pull();
    const rider = await two.rider('13700001001', 20_000);
    const near = await two.users.get<{ items: { name: string; ports: { id: number; state: string }[] }[] }>(
      '/my/partner-sites?longitude=120.1&latitude=30.2&radiusM=5000',
      { token: rider.token },
    );
    const portId = await two.portOf(connectorId);
    expect(near.data.items.map(({ name }) => name)).toEqual(['Lakeside']);
    expect(near.data.items[0]?.ports).toContainEqual(expect.objectContaining({ id: portId, state: 'plugged_in' }));
    const priced = await two.users.post<{ prices: unknown[] }>(
      `/my/partner-ports/${portId}/prices`,
      {},
      { token: rider.token },
    );
    expect(priced.data.prices[0]).toEqual({ fromSecond: 0, electricityPriceE5: 30_000, servicePriceE5: 30_000 });

    const release = playHolder(
      two.stations.context.bus,
      station.number,
      async () => ({ kind: 'accepted' }) as CommandOutcome,
    );
    const before = { payableFen: await payable(), depositFen: await deposit() };
    const started = await start(rider, portId);
    expect(started.data).toMatchObject({ state: 'starting', heldFen: 5_000, siteName: 'Lakeside' });
    release();
    const { id, sequence } = started.data;
    const transaction = (await orderOf(sequence)).transaction_key;
    await station.begin(transaction, tomorrow);
    await two.deliver();
    expect(await chargeOf(rider, id)).toMatchObject({ state: 'charging', startedAt: toIso(tomorrow) });

    await station.read(transaction, instant(tomorrow + 10 * minuteMs), 10_000);
    two.at(instant(tomorrow + 11 * minuteMs));
    await two.deliverStates();
    expect(await chargeOf(rider, id)).toMatchObject({ state: 'charging', energyWh: 10_000, amountFen: 600 });

    two.at(end);
    await station.record(transaction, { bill: billOf(dayEnergiesWh), from: tomorrow, at: end }, end);
    await two.deliver();
    const order = await orderOf(sequence);
    const charge = await chargeOf(rider, id);
    expect(charge).toMatchObject({
      state: 'completed',
      energyWh: 120_000,
      amountFen: 12_900,
      paidFen: 12_900,
      heldFen: 0,
    });
    expect(charge.lines.length).toBeGreaterThan(1);
    expect(order).toMatchObject({
      state: 'completed',
      amount_fen: 12_900,
      paid_fen: 12_900,
      confirmation: 'confirmed',
    });
    expect(await balanceOf(rider)).toMatchObject({ balanceFen: 7_100, heldFen: 0, owedFen: 0 });
    // Both books say the same: what the customer paid is owed to the other operator, whose deposit paid it there.
    expect((await payable()) - before.payableFen).toBe(12_900);
    expect(before.depositFen - (await deposit())).toBe(12_900);

    two.at(instant(Date.parse('2026-11-22T01:00:00+08:00')));
    await two.deliver();
    expect(await orderOf(sequence)).toMatchObject({ dispute: null, checked_at: expect.any(Number) });
    const listed = await two.users.get<{ items: RoamingCharge[] }>(`/roaming-charges?sequence=${sequence}`, {
      token: (await two.users.logIn('admin', 'correct horse battery')).data.token,
    });
    expect(listed.data.items).toEqual([
      expect.objectContaining({ sequence, compared: 'agreed', confirmResult: 0, amountFen: 12_900 }),
    ]);
    const inbound = await two.stations.get<{ items: PartnerCharge[] }>(`/partner-charges?sequence=${sequence}`, {
      token: (await two.stations.logIn('admin', 'correct horse battery')).data.token,
    });
    expect(inbound.data.items).toEqual([
      expect.objectContaining({
        state: 'completed',
        sharpWh: 0,
        peakWh: 30_000,
        flatWh: 60_000,
        valleyWh: 30_000,
        stopReason: 'vehicle_full',
        confirmResult: 0,
        compared: 'agreed',
        tries: 1,
      }),
    ]);
  });
});
