import type { CommandOutcome } from '@voltdeck/charging/station-command';
import { startChargeSeq } from '@voltdeck/tcec102/conversation';
import type { OrderId } from '@voltdeck/units/id';
import { hourMs, instant, secondMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { type Floor, openFloor } from '../charging/test-charging-floor.ts';
import {
  billOf,
  chargeFrom,
  chargeTo,
  dayEnergiesWh,
  type NamedStation,
  openNamedStation,
} from '../charging/test-named-charge.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { deliverOnce } from './deliver/deliver-to-partners.ts';
import { inboundKeys, openTestPartner, ourCode, outboundKeys, type TestPartner } from './test-partner.ts';

let api: TestApi;
let floor: Floor;
let partner: TestPartner;
beforeAll(async () => {
  api = await openTestApi();
  floor = await openFloor(api.database);
  // The ids of a platform that is years old: longer than the four digits that the standard has for them.
  await api.database.pool.query('alter table orders alter column id restart with 12345678');
  await api.database.pool.query('alter table partner_deliveries alter column id restart with 23456789');
  api.clock.now = chargeFrom;
  floor.clock.now = chargeFrom;
  partner = await openTestPartner(api, { siteIds: [floor.siteId], depositFen: 200_000 });
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await partner.close();
  await floor.close();
  await api.close();
});

let stations = 0;
async function newStation(): Promise<NamedStation & { portId: string }> {
  stations += 1;
  const station = await openNamedStation(floor, `330106${String(stations).padStart(8, '0')}`, { ports: 1 });
  await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', station.id).execute();
  await api.database.db
    .updateTable('connectors')
    .set({ state: 'plugged_in' })
    .where('station_id', '=', station.id)
    .execute();
  return { ...station, portId: String(station.connectorIds[0]) };
}

let charges = 0;
const newSequence = () => {
  charges += 1;
  return startChargeSeq(partner.operatorId, chargeFrom, charges);
};

/** Runs rounds until nothing is due. */
async function deliverAll(): Promise<void> {
  while ((await deliverOnce(api.context)) > 0);
}

const orderOf = (sequence: string) =>
  api.database.db
    .selectFrom('orders as o')
    .innerJoin('partner_charges as p', 'p.order_id', 'o.id')
    .selectAll('o')
    .select(['p.confirmation', 'p.dispute', 'p.checked_at'])
    .where('p.sequence', '=', sequence)
    .executeTakeFirst();

/** A charge of 30, 60 and 30 kWh that the partner started; its order is settled. */
async function chargeOnce(station: NamedStation & { portId: string }, sequence: string, by = partner): Promise<void> {
  const release = playHolder(api.context.bus, station.number, async () => ({ kind: 'accepted' }) as CommandOutcome);
  const started = await by.call('query_start_charge', { StartChargeSeq: sequence, ConnectorID: station.portId });
  expect(started.answer).toMatchObject({ SuccStat: 0, StartChargeSeqStat: 1 });
  release();
  const order = await orderOf(sequence);
  const transaction = order?.transaction_key ?? '';
  await station.begin(transaction);
  await station.record(transaction, { bill: billOf(dayEnergiesWh) });
}

describe('a partner at our interfaces', () => {
  test('it gets a token, the stations that are open to it, their states and prices', async () => {
    const station = await newStation();
    const stationsInfo = (await partner.call('query_stations_info', {})).answer;
    expect(stationsInfo).toMatchObject({ PageNo: 1, PageCount: 1, ItemSize: 1 });
    const [site] = stationsInfo?.StationInfos ?? [];
    expect(site).toMatchObject({ StationID: String(floor.siteId), OperatorID: ourCode, StationName: 'Lakeside' });
    expect(site?.EquipmentInfos.map(({ EquipmentID }) => EquipmentID)).toContain(station.number);
    const status = (await partner.call('query_station_status', { StationIDs: [String(floor.siteId), '999'] })).answer;
    expect(status?.Total).toBe(1);
    expect(status?.StationStatusInfos[0]?.ConnectorStatusInfos).toContainEqual(
      expect.objectContaining({ ConnectorID: station.portId, Status: 2 }),
    );
    const named = { EquipBizSeq: newSequence(), ConnectorID: station.portId };
    const policy = (await partner.call('query_equip_business_policy', named)).answer;
    expect(policy).toMatchObject({ SuccStat: 0, SumPeriod: 5 });
    expect(policy?.PolicyInfos?.[0]).toEqual({ StartTime: 0, ElecPrice: 30_000, ServicePrice: 30_000 });
    const auth = { EquipAuthSeq: newSequence(), ConnectorID: station.portId };
    expect((await partner.call('query_equip_auth', auth)).answer).toMatchObject({ SuccStat: 0, FailReason: 0 });
  });

  test('what is not open to it is unknown to it', async () => {
    const station = await newStation();
    const stranger = await openTestPartner(api, { siteIds: [] });
    expect((await stranger.call('query_stations_info', {})).answer).toMatchObject({ ItemSize: 0, StationInfos: [] });
    const auth = { EquipAuthSeq: newSequence(), ConnectorID: station.portId };
    expect((await stranger.call('query_equip_auth', auth)).answer).toMatchObject({ SuccStat: 1, FailReason: 4 });
    const sequence = startChargeSeq(stranger.operatorId, chargeFrom, 1);
    const start = { StartChargeSeq: sequence, ConnectorID: station.portId };
    expect((await stranger.call('query_start_charge', start)).answer).toMatchObject({ SuccStat: 1, FailReason: 1 });
    await stranger.close();
  });

  test('each fault of an envelope has its Ret', async () => {
    const token = await partner.token();
    const body = partner.seal('query_stations_info', {});
    expect((await partner.send('query_stations_info', body, token)).ret).toBe(0);
    const wrong = { ...inboundKeys, sigSecret: 'another' };
    const otherData = { ...inboundKeys, dataSecret: 'another-16-bytes' };
    const faults: [string, number, () => Promise<{ ret: number }>][] = [
      ['replayed', 4003, () => partner.send('query_stations_info', body, token)],
      ['wrong signature', 4001, () => partner.call('query_stations_info', {}, { keys: wrong })],
      ['wrong token', 4002, () => partner.call('query_stations_info', {}, { token: 'wrong' })],
      ['no token', 4002, () => partner.call('query_stations_info', {}, { token: null })],
      ['early clock', 4003, () => partner.call('query_stations_info', {}, { at: instant(chargeFrom - hourMs) })],
      ['late clock', 4003, () => partner.call('query_stations_info', {}, { at: instant(chargeFrom + hourMs) })],
      ['other key of data', 4003, () => partner.call('query_stations_info', {}, { keys: otherData })],
      ['foreign operator', 4003, () => partner.send('query_stations_info', foreign(body), token)],
      ['oversized', 4003, () => partner.send('query_stations_info', `{"Data":"${'A'.repeat(9_000_000)}"}`, token)],
      ['no JSON', 4003, () => partner.send('query_stations_info', 'Data=1', token)],
      ['unknown interface', 4003, () => partner.send('query_everything', body, token)],
      [
        'numbers as strings',
        4003,
        () => partner.send('query_stations_info', body.replace(/"Seq":"(\d+)"/, '"Seq":1'), token),
      ],
    ];
    for (const [what, ret, send] of faults) expect([what, (await send()).ret]).toEqual([what, ret]);
    const lines = JSON.parse(partner.seal('query_stations_info', {})) as { Data: string };
    const broken = JSON.stringify({ ...lines, Data: `${lines.Data.slice(0, 8)}\r\n${lines.Data.slice(8)}` });
    expect((await partner.send('query_stations_info', broken, token)).ret).toBe(0);
  });

  test('whatever type its client says that it sends, it is read as JSON', async () => {
    const token = await partner.token();
    const types = [undefined, '', 'foo', ';;;', 'application/json;charset=GBK', 'multipart/form-data; boundary=x'];
    for (const type of types) {
      const response = await api.app.inject({
        method: 'POST',
        url: '/evcs/v1/query_stations_info',
        headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
        payload: partner.seal('query_stations_info', {}),
      });
      expect([type, response.json()]).toEqual([type, expect.objectContaining({ Ret: 0 })]);
    }
  });

  test('its secrets are in no log of what was said', async () => {
    await partner.token();
    const { rows } = await api.database.pool.query<{ text: string }>(
      `select request || answer as text from partner_exchanges where interface = 'query_token'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain(inboundKeys.operatorSecret);
      expect(text).not.toContain(outboundKeys.operatorSecret);
      expect(text).toMatch(/"(OperatorSecret|AccessToken)":"\*\*\*"/);
    }
  });
});

/** The envelope in another operator's name. */
function foreign(body: string): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), OperatorID: 'MANOBODY1' });
}

describe('a charge of a partner', () => {
  test('it is held against the deposit, priced by our rule, and told from the start to the confirmed order', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const before = await floor.balanceOf(`partner:${partner.id}`);
    await chargeOnce(station, sequence);
    const order = await orderOf(sequence);
    expect(order).toMatchObject({
      state: 'completed',
      payment_type: 'partner',
      payment_state: 'paid',
      amount_fen: 12_900,
    });
    expect(await floor.balanceOf(`partner:${partner.id}`)).toBe(before - 12_900);
    expect(await floor.balanceOf(`partner-held:${partner.id}`)).toBe(0);
    await deliverAll();
    const named = { StartChargeSeq: sequence, ConnectorID: station.portId };
    expect(partner.of('notification_start_charge_result')).toContainEqual(
      expect.objectContaining({ ...named, StartChargeSeqStat: 2 }),
    );
    expect(partner.of('notification_stop_charge_result')).toContainEqual(
      expect.objectContaining({ ...named, StartChargeSeqStat: 4 }),
    );
    const told = partner
      .of('notification_charge_order_info')
      .filter(({ StartChargeSeq }) => StartChargeSeq === sequence);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ ...named, TotalPower: 120_000, TotalMoney: 12_900, SumPeriod: 3 });
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed' });
    expect((await partner.call('query_equip_charge_status', { StartChargeSeq: sequence })).answer).toMatchObject({
      StartChargeSeqStat: 4,
      TotalMoney: 12_900,
    });
  });

  test('a name that comes twice, even at the same time, is one charge with one answer', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const release = playHolder(api.context.bus, station.number, async () => ({ kind: 'accepted' }) as CommandOutcome);
    const start = { StartChargeSeq: sequence, ConnectorID: station.portId };
    const token = await partner.token();
    const answers = await Promise.all([1, 2, 3].map(() => partner.call('query_start_charge', start, { token })));
    expect(answers.map(({ answer }) => answer?.SuccStat)).toEqual([0, 0, 0]);
    const { rows } = await api.database.pool.query(
      `select o.id from orders o join partner_charges p on p.order_id = o.id where p.sequence = $1`,
      [sequence],
    );
    expect(rows).toHaveLength(1);
    release();
  });

  test('a start that the station refuses is told as ended, and the hold goes back', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const before = await floor.balanceOf(`partner:${partner.id}`);
    const release = playHolder(api.context.bus, station.number, async () => ({ kind: 'rejected' }) as CommandOutcome);
    await partner.call('query_start_charge', { StartChargeSeq: sequence, ConnectorID: station.portId });
    await expect.poll(async () => (await orderOf(sequence))?.state).toBe('cancelled');
    release();
    expect(await floor.balanceOf(`partner:${partner.id}`)).toBe(before);
    await deliverAll();
    expect(partner.of('notification_start_charge_result')).toContainEqual(
      expect.objectContaining({ StartChargeSeq: sequence, StartChargeSeqStat: 4 }),
    );
  });

  test('a stop ends a charge that runs, gives up one that has not begun, and finds one that has ended', async () => {
    const station = await newStation();
    const commands: string[] = [];
    const release = playHolder(api.context.bus, station.number, async ({ kind }) => {
      commands.push(kind);
      return { kind: 'accepted' } as CommandOutcome;
    });
    const asked = (sequence: string) => ({ StartChargeSeq: sequence, ConnectorID: station.portId });
    const heldBefore = await floor.balanceOf(`partner-held:${partner.id}`);
    const waiting = newSequence();
    await partner.call('query_start_charge', asked(waiting));
    expect((await partner.call('query_stop_charge', asked(waiting))).answer).toMatchObject({
      SuccStat: 0,
      StartChargeSeqStat: 4,
    });
    expect(await orderOf(waiting)).toMatchObject({ state: 'cancelled' });
    expect(await floor.balanceOf(`partner-held:${partner.id}`)).toBe(heldBefore);
    const running = newSequence();
    await partner.call('query_start_charge', asked(running));
    const transaction = (await orderOf(running))?.transaction_key ?? '';
    await station.begin(transaction);
    expect((await partner.call('query_stop_charge', asked(running))).answer).toMatchObject({
      SuccStat: 0,
      StartChargeSeqStat: 3,
    });
    await expect.poll(() => commands.at(-1)).toBe('stop-charge');
    await station.record(transaction, { bill: billOf(dayEnergiesWh) });
    expect((await partner.call('query_stop_charge', asked(running))).answer).toMatchObject({
      SuccStat: 1,
      FailReason: 3,
    });
    // Nobody stops the charge of another operator.
    const other = await openTestPartner(api, { siteIds: [floor.siteId] });
    expect((await other.call('query_stop_charge', asked(running))).answer).toMatchObject({
      SuccStat: 1,
      FailReason: 1,
    });
    await other.close();
    release();
  });

  test('a partner without deposit begins nothing', async () => {
    const station = await newStation();
    const poor = await openTestPartner(api, { siteIds: [floor.siteId], depositFen: 0 });
    const start = { StartChargeSeq: startChargeSeq(poor.operatorId, chargeFrom, 1), ConnectorID: station.portId };
    expect((await poor.call('query_start_charge', start)).answer).toMatchObject({ SuccStat: 1, FailReason: 7 });
    await poor.close();
  });

  test('its order arrives once though the partner fails for three days, and only ends the try when it answers', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const usual = partner.answer;
    await chargeOnce(station, sequence);
    const heard = () =>
      partner.of('notification_charge_order_info').filter(({ StartChargeSeq }) => StartChargeSeq === sequence).length;
    partner.answer = (name, message) =>
      name === 'notification_charge_order_info' ? { ret: -1 } : usual(name, message);
    for (let hour = 0; hour <= 72; hour += 1) {
      api.clock.now = instant(chargeTo + hour * hourMs);
      await deliverOnce(api.context);
    }
    const tried = heard();
    expect(tried).toBeGreaterThan(10);
    expect(await orderOf(sequence)).toMatchObject({ confirmation: null });
    partner.answer = usual;
    api.clock.now = instant(chargeTo + 74 * hourMs);
    await deliverAll();
    expect(heard()).toBe(tried + 1);
    api.clock.now = instant(chargeTo + 100 * hourMs);
    await deliverAll();
    expect(heard()).toBe(tried + 1);
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed' });
    api.clock.now = chargeFrom;
  });

  test('after three days in which the partner answered nothing, not even a token, its order arrives once', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const usual = partner.answer;
    await deliverAll();
    await chargeOnce(station, sequence);
    partner.answer = () => null;
    for (let hour = 0; hour <= 72; hour += 1) {
      api.clock.now = instant(chargeTo + hour * hourMs);
      await deliverOnce(api.context);
    }
    partner.answer = usual;
    partner.heard.length = 0;
    const { rows } = await api.database.pool.query(
      `select tries, d.state from partner_deliveries d join partner_charges p on p.order_id = d.order_id
        where p.sequence = $1 and d.kind = 'order'`,
      [sequence],
    );
    expect(rows).toEqual([{ tries: expect.toSatisfy((tries: number) => tries > 10), state: 'pending' }]);
    for (const hour of [74, 75, 100]) {
      api.clock.now = instant(chargeTo + hour * hourMs);
      await deliverAll();
    }
    const told = partner.of('notification_charge_order_info').map(({ StartChargeSeq }) => StartChargeSeq);
    expect(told).toEqual([sequence]);
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed', amount_fen: 12_900 });
    api.clock.now = chargeFrom;
  });

  test('the orders of a day are compared in the night after it, and what the partner disputes is kept', async () => {
    const station = await newStation();
    const other = await openTestPartner(api, { siteIds: [floor.siteId] });
    const sequence = startChargeSeq(other.operatorId, chargeFrom, 1);
    const usual = other.answer;
    await chargeOnce(station, sequence, other);
    other.answer = (name, message) =>
      name === 'check_charge_orders'
        ? {
            ...(usual(name, message) as object),
            TotalDisputeOrder: 1,
            TotalDisputePower: 120_000,
            TotalDisputeMoney: 12_900,
            DisputeOrders: [{ StartChargeSeq: sequence, TotalPower: 120_000, TotalMoney: 12_900, DisputeReason: 2 }],
          }
        : usual(name, message);
    api.clock.now = instant(Date.parse('2026-11-21T01:00:00+08:00'));
    await deliverAll();
    const check = other.of('check_charge_orders').at(-1);
    expect(check?.ChargeOrders.map(({ StartChargeSeq }) => StartChargeSeq)).toContain(sequence);
    expect(check?.OrderCount).toBe(check?.ChargeOrders.length);
    expect(check?.CheckOrderSeq).toMatch(new RegExp(`^${ourCode}\\d{18}$`));
    expect(await orderOf(sequence)).toMatchObject({ dispute: 'amount_differs', checked_at: expect.any(Number) });
    const { id } = await api.database.db
      .selectFrom('partner_charges')
      .select('id')
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow();
    const uphold = (key: string) =>
      api.post(`/partner-charges/${id}/agreements`, { reason: 'Both meters read alike' }, { key });
    expect((await uphold('first')).data).toEqual({ id });
    expect(await orderOf(sequence)).toMatchObject({ dispute: null });
    expect((await uphold('second')).envelope.message).toMatchObject({ error: 'roaming.no_dispute' });
    const count = other.of('check_charge_orders').length;
    api.clock.now = instant(Date.parse('2026-11-21T02:00:00+08:00'));
    await deliverAll();
    expect(other.of('check_charge_orders')).toHaveLength(count);
    await other.close();
    api.clock.now = chargeFrom;
  });
});

describe('what a partner is told of gun ports', () => {
  test('of many changes that wait, the latest state is told once', async () => {
    const station = await newStation();
    await deliverAll();
    partner.heard.length = 0;
    const set = (state: 'free' | 'plugged_in' | 'fault') =>
      api.database.db
        .updateTable('connectors')
        .set({ state })
        .where('id', '=', station.connectorIds[0] as never)
        .execute();
    for (const state of ['free', 'plugged_in', 'free', 'fault'] as const) await set(state);
    await deliverAll();
    const told = partner.of('notification_stationStatus').map(({ ConnectorStatusInfo }) => ConnectorStatusInfo);
    expect(told).toEqual([expect.objectContaining({ ConnectorID: station.portId, Status: 255 })]);
    api.clock.now = chargeFrom;
  });

  test('a change during a try is told afterwards', async () => {
    const station = await newStation();
    await deliverAll();
    partner.heard.length = 0;
    const usual = partner.answer;
    const { pool } = api.database;
    let changed: Promise<unknown> | null = null;
    partner.answer = (name, message) => {
      changed ??= pool.query(`update connectors set state = 'fault' where id = $1`, [station.connectorIds[0]]);
      return usual(name, message);
    };
    await pool.query(`update connectors set state = 'free' where id = $1`, [station.connectorIds[0]]);
    await deliverOnce(api.context);
    await changed;
    partner.answer = usual;
    api.clock.now = instant(chargeFrom + secondMs);
    await deliverAll();
    const told = partner.of('notification_stationStatus').map(({ ConnectorStatusInfo }) => ConnectorStatusInfo.Status);
    expect(told.at(-1)).toBe(255);
    api.clock.now = chargeFrom;
  });
});

describe('the platform of an authority', () => {
  test('it is told of every charge at its sites once, of states and of power, in the style of its province', async () => {
    const station = await newStation();
    const platform = await openTestPartner(api, {
      siteIds: [floor.siteId],
      depositFen: 0,
      role: 'supervision',
      profile: { extras: 'zhejiang', spelling: 'service' },
      pushes: ['status', 'orders', 'power'],
    });
    await floor.addCard('A0000000000000AA', 20_000);
    const { transaction = '' } = await station.request({ kind: 'card', cardNumber: 'A0000000000000AA' });
    await station.begin(transaction);
    await station.record(transaction, { bill: billOf(dayEnergiesWh) });
    await deliverAll();
    const orders = platform.of('supervise_notification_charge_order_info');
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      OperatorID: ourCode,
      StationID: String(floor.siteId),
      EquipmentID: station.number,
      ConnectorID: station.portId,
      TotalMoney: 12_900,
      TotalElect: 120_000,
      ValleyElect: 30_000,
      FlatElect: 60_000,
      PeakElect: 30_000,
      PaymentAmount: 12_900,
      PayChannel: 4,
    });
    expect(orders[0]?.OrderNo).toMatch(new RegExp(`^${ourCode}\\d{18}$`));
    const { rows } = await api.database.pool.query('select max(id)::text as id from orders');
    expect(orders[0]?.OrderNo?.slice(-4)).toBe(rows[0].id.slice(-4));
    expect(orders[0]?.Phone).toBeUndefined();
    const [power] = platform.of('supervise_notification_realtime_power_info');
    expect(power?.EquipmentPowerInfos.map(({ EquipmentID }) => EquipmentID)).toContain(station.number);
    await api.database.pool.query(`update connectors set state = 'fault' where id = $1`, [station.connectorIds[0]]);
    await deliverAll();
    const [status] = platform.of('supervise_notification_station_status').at(-1)?.ConnectorStatusInfos ?? [];
    expect(status).toMatchObject({ ConnectorID: station.portId, Status: 255, StatusDesc: '故障' });
    await platform.close();
  });

  test('where its province has no interfaces of its own, it is told by those of the standard', async () => {
    const station = await newStation();
    const platform = await openTestPartner(api, {
      siteIds: [floor.siteId],
      depositFen: 0,
      role: 'supervision',
      pushes: ['orders'],
    });
    const sequence = newSequence();
    await chargeOnce(station, sequence);
    await deliverAll();
    expect(platform.of('notification_charge_order_info').map(({ StartChargeSeq }) => StartChargeSeq)).toEqual([
      sequence,
    ]);
    expect(platform.of('notification_stationStatus')).toEqual([]);
    // What a platform answers is no confirmation of the partner that pays.
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed' });
    expect(
      (await platform.call('query_start_charge', { StartChargeSeq: sequence, ConnectorID: station.portId })).ret,
    ).toBe(4003);
    await platform.close();
  });
});

describe('when things go wrong between two operators', () => {
  test('a charge that the station begins after it was given up is told and billed under its name', async () => {
    const station = await newStation();
    const sequence = newSequence();
    const release = playHolder(api.context.bus, station.number, async () => ({ kind: 'offline' }) as CommandOutcome);
    await partner.call('query_start_charge', { StartChargeSeq: sequence, ConnectorID: station.portId });
    await expect.poll(async () => (await orderOf(sequence))?.state).toBe('cancelled');
    release();
    const transaction = (await orderOf(sequence))?.transaction_key ?? '';
    await station.begin(transaction);
    await station.record(transaction, { bill: billOf(dayEnergiesWh) });
    expect(await orderOf(sequence)).toMatchObject({ state: 'completed', partner_id: partner.id, amount_fen: 12_900 });
    await deliverAll();
    const told = partner
      .of('notification_charge_order_info')
      .filter(({ StartChargeSeq }) => StartChargeSeq === sequence);
    expect(told).toHaveLength(1);
  });

  test('a bill does not wait for the states of many gun ports', async () => {
    const station = await newStation();
    const sequence = newSequence();
    await deliverAll();
    await api.database.pool.query(
      `insert into partner_deliveries (partner_id, kind, subject, connector_id, next_at, created_at)
       select $1, 'status', 'x' || n, $2, 'epoch', now() from generate_series(1, 200) n`,
      [partner.id, station.connectorIds[0]],
    );
    await chargeOnce(station, sequence);
    partner.heard.length = 0;
    await deliverOnce(api.context);
    expect(partner.of('notification_charge_order_info').map(({ StartChargeSeq }) => StartChargeSeq)).toEqual([
      sequence,
    ]);
    // No more than it takes in a second, a token aside.
    expect(partner.heard.filter(({ interfaceName }) => interfaceName !== 'query_token')).toHaveLength(10);
    await deliverAll();
  });

  test('a token that the partner no longer knows is renewed once, however many calls found out', async () => {
    const station = await newStation();
    await deliverAll();
    await api.database.pool.query(
      `insert into partner_deliveries (partner_id, kind, subject, connector_id, next_at, created_at)
       select $1, 'status', 'y' || n, $2, 'epoch', now() from generate_series(1, 8) n`,
      [partner.id, station.connectorIds[0]],
    );
    await api.database.pool.query(`update partner_logins set sealed = $1 where partner_id = $2`, [
      api.context.secrets.seal('partner-token', 'forgotten'),
      partner.id,
    ]);
    partner.heard.length = 0;
    await deliverAll();
    expect(partner.of('query_token')).toHaveLength(1);
    expect(partner.of('notification_stationStatus')).toHaveLength(8);
  });

  test('two nodes tell a partner once', async () => {
    const station = await newStation();
    const sequence = newSequence();
    await deliverAll();
    await chargeOnce(station, sequence);
    partner.heard.length = 0;
    await Promise.all([1, 2, 3].map(() => deliverOnce(api.context)));
    await deliverAll();
    expect(partner.of('notification_charge_order_info')).toHaveLength(1);
  });

  test('an answer that names another charge confirms no bill', async () => {
    const station = await newStation();
    const [sequence, other] = [newSequence(), newSequence()];
    await deliverAll();
    const usual = partner.answer;
    partner.answer = (name, message) => ({
      ...usual(name, message),
      ...(name === 'notification_charge_order_info' && { StartChargeSeq: other }),
    });
    await chargeOnce(station, sequence);
    await deliverAll();
    const order = await orderOf(sequence);
    expect(order).toMatchObject({ confirmation: null });
    const delivery = await api.database.db
      .selectFrom('partner_deliveries')
      .select(['state', 'tries', 'answer'])
      .where('order_id', '=', order?.id as OrderId)
      .where('partner_id', '=', partner.id)
      .where('kind', '=', 'order')
      .executeTakeFirst();
    expect(delivery).toEqual({ state: 'pending', tries: 1, answer: 'StartChargeSeq differs' });
    partner.answer = usual;
    api.clock.now = instant(chargeTo + 10 * hourMs);
    await deliverAll();
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed' });
    api.clock.now = chargeFrom;
  });

  test('an answer that is not signed by the partner confirms nothing', async () => {
    const station = await newStation();
    const sequence = newSequence();
    await deliverAll();
    await chargeOnce(station, sequence);
    await api.database.pool.query(
      `update partner_keys set sealed = $1 where partner_id = $2 and direction = 'outbound'`,
      [
        api.context.secrets.seal('partner-keys', JSON.stringify({ ...outboundKeys, sigSecret: 'of-somebody-else' })),
        partner.id,
      ],
    );
    await deliverOnce(api.context);
    expect(await orderOf(sequence)).toMatchObject({ confirmation: null });
    await api.database.pool.query(
      `update partner_keys set sealed = $1 where partner_id = $2 and direction = 'outbound'`,
      [api.context.secrets.seal('partner-keys', JSON.stringify(outboundKeys)), partner.id],
    );
    api.clock.now = instant(chargeTo + 10 * hourMs);
    await deliverAll();
    expect(await orderOf(sequence)).toMatchObject({ confirmation: 'confirmed' });
    api.clock.now = chargeFrom;
  });
});
