import type { OwnRoamingCharge } from '@voltdeck/contract/own-roaming';
import type { PartnerDay, RoamingChargeDetail } from '@voltdeck/contract/roaming';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { wattHours } from '@voltdeck/units/energy';
import { dayMs, type Instant, instant, minuteMs, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import type { CodeMessage } from '../../sms/sms-sender.ts';
import { openTestPartner, type TestPartner } from '../test-partner.ts';
import { collectRoamingDebts } from './collect-roaming-debts.ts';
import { followOnce } from './follow-roaming.ts';
import { enterRider, type Rider, rechargeRider } from './test-two-operators.ts';

const start = instant(Date.parse('2026-11-20T12:00:00+08:00'));
let api: TestApi;
let partner: TestPartner;
let portId: number;
let now: Instant = start;
const messages: CodeMessage[] = [];

/** How the other operator answers; each test may replace one. */
type Answers = { [Name in InterfaceName]?: (asked: Message<Name, 'request'>) => object | null };
let answers: Answers;

beforeAll(async () => {
  api = await openTestApi({
    sms: {
      async sendCode(message) {
        messages.push(message);
        return { ok: true, value: null };
      },
    },
  });
  api.clock.now = start;
  partner = await openTestPartner(api, { role: 'infrastructure', depositFen: 0 });
  const usual = partner.answer;
  partner.answer = (name, message) => {
    const given = answers[name] as ((asked: unknown) => object | null) | undefined;
    return given === undefined ? usual(name, message) : given(message);
  };
  const { rows } = await api.database.pool.query<{ id: number }>(
    `with s as (
       insert into pulled_sites (partner_id, code, operator_code, owner_code, name, region_code, address, longitude, latitude,
                                 kind, place, state, service_phone, told, added_at, changed_at, seen_at)
       values ($1, 'S1', 'MATEST001', 'MATEST001', 'Riverside', '330106', 'x', 120.1, 30.2, 'public', 'other', 'open',
               '4001', '{}', now(), now(), now()) returning id),
     t as (insert into pulled_stations (site_id, partner_id, code, power_w, added_at)
           select id, $1, 'E1', 2000000, now() from s returning id)
     insert into pulled_ports (station_id, partner_id, code, kind, national_standard, voltage_min_v, voltage_max_v,
                               current_a, power_w, state, added_at)
     select id, $1, 'C1', 'dc_plug', 'gbt_2015', 200, 750, 250, 2000000, 'plugged_in', now() from t returning id`,
    [partner.id],
  );
  portId = rows[0]?.id ?? 0;
});
afterAll(async () => {
  const { token } = (await api.logIn('admin', 'correct horse battery')).data;
  expect((await api.get('/ledger/proof', { token })).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await partner.close();
  await api.close();
});

const ended = { ElecPrice: 60_000, ServicePrice: 40_000 };
beforeEach(() => {
  now = instant(now + 10 * minuteMs);
  api.clock.now = now;
  answers = {
    query_equip_business_policy: ({ EquipBizSeq, ConnectorID }) => ({
      EquipBizSeq,
      ConnectorID,
      SuccStat: 0,
      FailReason: 0,
      SumPeriod: 1,
      PolicyInfos: [{ StartTime: 0, ...ended }],
    }),
    query_equip_auth: ({ EquipAuthSeq, ConnectorID }) => ({ EquipAuthSeq, ConnectorID, SuccStat: 0, FailReason: 0 }),
    query_start_charge: ({ StartChargeSeq, ConnectorID }) => ({
      StartChargeSeq,
      StartChargeSeqStat: 1,
      ConnectorID,
      SuccStat: 0,
      FailReason: 0,
    }),
    query_stop_charge: ({ StartChargeSeq }) => ({ StartChargeSeq, StartChargeSeqStat: 3, SuccStat: 0, FailReason: 0 }),
    query_equip_charge_status: () => ({ ret: 4004 }),
  };
});

let riders = 0;
async function newRider(balanceFen: number): Promise<Rider> {
  riders += 1;
  const rider = await enterRider(api, messages, `1380000${String(riders).padStart(4, '0')}`);
  await rechargeRider(api.database, rider.id, balanceFen, now);
  return rider;
}

const begin = (rider: Rider, key?: string) =>
  api.post<OwnRoamingCharge>(
    '/my/roaming-charges',
    { portId },
    { token: rider.token, language: 'en', ...(key && { key }) },
  );
const charge = async (rider: Rider, id: number) =>
  (await api.get<OwnRoamingCharge>(`/my/roaming-charges/${id}`, { token: rider.token })).data;
const money = async (rider: Rider) => {
  const { data } = await api.get<{ balanceFen: number; heldFen: number; owedFen: number }>('/my/balance', {
    token: rider.token,
  });
  return { balanceFen: data.balanceFen, heldFen: data.heldFen, owedFen: data.owedFen };
};
const newest = async (rider: Rider) =>
  (await api.get<{ items: OwnRoamingCharge[] }>('/my/roaming-charges', { token: rider.token })).data.items[0];
const admin = async () => (await api.logIn('admin', 'correct horse battery')).data.token;

const began = (StartChargeSeq: string) =>
  partner.call('notification_start_charge_result', {
    StartChargeSeq,
    StartChargeSeqStat: 2,
    ConnectorID: 'C1',
    StartTime: now,
  });
const stopped = (StartChargeSeq: string) =>
  partner.call('notification_stop_charge_result', {
    StartChargeSeq,
    StartChargeSeqStat: 4,
    ConnectorID: 'C1',
    SuccStat: 0,
    FailReason: 0,
  });
const status = (StartChargeSeq: string, energyWh: number, stage: 2 | 4 = 2) =>
  partner.call('notification_equip_charge_status', {
    StartChargeSeq,
    StartChargeSeqStat: stage,
    ConnectorID: 'C1',
    ConnectorStatus: 3,
    CurrentA: 100_000,
    VoltageA: 400_000,
    Soc: 55,
    StartTime: now,
    EndTime: now,
    TotalPower: energyWh,
    ElecMoney: Math.round(energyWh * 0.06),
    ServiceMoney: Math.round(energyWh * 0.04),
    TotalMoney: Math.round(energyWh * 0.06) + Math.round(energyWh * 0.04),
  } as never);
/** A state without energy, as it is asked for. */
const stateOf = (StartChargeSeq: string, stage: 1 | 2 | 4) => ({
  StartChargeSeq,
  StartChargeSeqStat: stage,
  ConnectorID: 'C1',
  ConnectorStatus: 3,
  CurrentA: 0,
  VoltageA: 0,
  Soc: 0,
  EndTime: now,
  TotalPower: 0,
});
const bill = (StartChargeSeq: string, energyWh: number, more: object = {}) =>
  partner.call('notification_charge_order_info', {
    StartChargeSeq,
    ConnectorID: 'C1',
    StartTime: instant(now - 5 * minuteMs),
    EndTime: now,
    TotalPower: wattHours(energyWh),
    TotalElecMoney: fen(Math.round(energyWh * 0.06)),
    TotalServiceMoney: fen(Math.round(energyWh * 0.04)),
    TotalMoney: fen(Math.round(energyWh * 0.06) + Math.round(energyWh * 0.04)),
    StopReason: 0,
    ...more,
  } as never);
const confirmOf = async (told: ReturnType<typeof bill>) => (await told).answer?.ConfirmResult;

describe('the start of a charge at another operator', () => {
  test('a retry with the same key is the same charge, asked for once', async () => {
    const rider = await newRider(10_000);
    const before = partner.of('query_start_charge').length;
    const [first, second] = [await begin(rider, 'same-key'), await begin(rider, 'same-key')];
    expect(first.data).toMatchObject({ state: 'starting', heldFen: 5_000 });
    expect(second.data).toEqual(first.data);
    expect(partner.of('query_start_charge').length - before).toBe(1);
    expect(await money(rider)).toEqual({ balanceFen: 5_000, heldFen: 5_000, owedFen: 0 });
  });

  test('a clear refusal gives the hold back and is told in words', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = ({ StartChargeSeq, ConnectorID }) => ({
      StartChargeSeq,
      StartChargeSeqStat: 4,
      ConnectorID,
      SuccStat: 1,
      FailReason: 2,
    });
    expect((await begin(rider)).envelope.message).toMatchObject({
      error: 'roaming.refused',
      message: 'The operator refused: Station offline',
    });
    expect(await newest(rider)).toMatchObject({ state: 'cancelled', refusal: 'station_offline' });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
  });

  test('after a silence the money stays held until the operator says that it never got the request', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = () => null;
    expect((await begin(rider)).data).toMatchObject({ state: 'starting' });
    const { id } = (await newest(rider)) ?? { id: 0 };
    api.clock.now = now = instant(now + 3 * minuteMs);
    await followOnce(api.context);
    expect(await charge(rider, id)).toMatchObject({ state: 'starting' });
    api.clock.now = now = instant(now + 2 * minuteMs);
    await followOnce(api.context);
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled', refusal: 'no_answer' });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
  });

  test('a charge that was given up and begins late is held again, stopped, and billed', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = () => null;
    const { id, sequence } = (await begin(rider)).data;
    for (const minutes of [3, 2]) {
      api.clock.now = now = instant(now + minutes * minuteMs);
      await followOnce(api.context);
    }
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled' });
    await began(sequence);
    expect(await charge(rider, id)).toMatchObject({ state: 'charging', heldFen: 5_000, refusal: null });
    const before = partner.of('query_stop_charge').length;
    await followOnce(api.context);
    expect(partner.of('query_stop_charge').length - before).toBe(1);
    expect(await confirmOf(bill(sequence, 1_000))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', amountFen: 100, paidFen: 100 });
    expect(await money(rider)).toEqual({ balanceFen: 9_900, heldFen: 0, owedFen: 0 });
  });

  test('what the operator itself refused, or what was given up a day ago, does not begin late, and its bill waits', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = ({ StartChargeSeq, ConnectorID }) => ({
      StartChargeSeq,
      StartChargeSeqStat: 4,
      ConnectorID,
      SuccStat: 1,
      FailReason: 2,
    });
    await begin(rider);
    const refused = await newest(rider);
    answers.query_start_charge = () => null;
    const silent = (await begin(rider)).data;
    for (const minutes of [3, 2]) {
      api.clock.now = now = instant(now + minutes * minuteMs);
      await followOnce(api.context);
    }
    expect(await charge(rider, silent.id)).toMatchObject({ state: 'cancelled', refusal: 'no_answer' });
    await began(refused?.sequence ?? '');
    await status(refused?.sequence ?? '', 1_000);
    api.clock.now = now = instant(now + dayMs);
    await began(silent.sequence);
    for (const { id, sequence } of [refused, silent].filter((one) => one !== undefined)) {
      expect(await charge(rider, id)).toMatchObject({ state: 'cancelled' });
      expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
      expect(await confirmOf(bill(sequence, 1_000))).toBe(1);
      expect(await charge(rider, id)).toMatchObject({ state: 'disputed', paidFen: 0 });
    }
  });

  test('an operator that only ever says that a charge is starting holds nobody’s money for ever', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    answers.query_equip_charge_status = ({ StartChargeSeq }) => stateOf(StartChargeSeq, 1);
    const before = partner.of('query_stop_charge').length;
    for (let minutes = 0; minutes < 14; minutes += 2) {
      api.clock.now = now = instant(now + 2 * minuteMs);
      await followOnce(api.context);
      await partner.call('notification_equip_charge_status', stateOf(sequence, 1) as never);
    }
    expect(await charge(rider, id)).toMatchObject({ state: 'starting', heldFen: 5_000 });
    expect(partner.of('query_stop_charge').length).toBe(before);
    api.clock.now = now = instant(now + 2 * minuteMs);
    await followOnce(api.context);
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled', refusal: 'no_answer' });
    expect(partner.of('query_stop_charge').length - before).toBe(1);
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
  });

  test('a charge of a week is asked to stop, and a person may settle it although it is heard of', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    const settle = async () =>
      api.post<RoamingChargeDetail>(
        `/roaming-charges/${id}/settlements`,
        { energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, reason: 'Never ends' },
        { token: await admin(), key: `week-${id}-${now}` },
      );
    const week = instant(now + 7 * dayMs);
    api.clock.now = now = instant(week - minuteMs);
    await status(sequence, 0);
    expect((await settle()).envelope.message).toMatchObject({ error: 'roaming.still_running' });
    expect(await charge(rider, id)).toMatchObject({ stopAskedAt: null });
    api.clock.now = now = week;
    await status(sequence, 0);
    const before = partner.of('query_stop_charge').length;
    await followOnce(api.context);
    expect(partner.of('query_stop_charge').length - before).toBe(1);
    expect((await settle()).data).toMatchObject({ state: 'cancelled', heldFen: 0 });
  });

  test('what an operator answers of another charge or port is no answer to this one', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    answers.query_equip_charge_status = ({ StartChargeSeq }) => ({
      ...stateOf(StartChargeSeq, 4),
      StartChargeSeq: `${StartChargeSeq.slice(0, -4)}XXXX`,
      TotalPower: 60_000,
    });
    api.clock.now = now = instant(now + 10 * minuteMs);
    await followOnce(api.context);
    expect(await charge(rider, id)).toMatchObject({ state: 'charging', energyWh: 0 });
    answers.query_equip_business_policy = ({ EquipBizSeq }) => ({
      EquipBizSeq,
      ConnectorID: 'OTHER',
      SuccStat: 0,
      FailReason: 0,
      SumPeriod: 1,
      PolicyInfos: [{ StartTime: 0, ...ended }],
    });
    expect((await begin(rider)).envelope.message).toMatchObject({ error: 'roaming.no_price' });
  });

  test('a price that rose since the rider saw it begins no charge', async () => {
    const rider = await newRider(10_000);
    const seen = (priceMaxE5: number) =>
      api.post<OwnRoamingCharge>('/my/roaming-charges', { portId, priceMaxE5 }, { token: rider.token, language: 'en' });
    const before = partner.of('query_start_charge').length;
    expect((await seen(99_999)).envelope.message).toMatchObject({ error: 'roaming.price_changed' });
    expect(partner.of('query_start_charge').length).toBe(before);
    expect(await money(rider)).toMatchObject({ heldFen: 0 });
    expect((await seen(100_000)).data).toMatchObject({ state: 'starting' });
  });

  test('a rider with too little, in debt, or with five charges begins none', async () => {
    const poor = await newRider(999);
    expect((await begin(poor)).envelope.message).toMatchObject({ error: 'balance.insufficient' });
    expect((await begin(await newRider(1_000))).data).toMatchObject({ state: 'starting', heldFen: 1_000 });
    const rider = await newRider(100_000);
    const started = await Promise.all(Array.from({ length: 7 }, () => begin(rider)));
    const errors = started.flatMap(({ envelope }) => envelope.message.error ?? []);
    expect(errors).toEqual(['my.too_many_charges', 'my.too_many_charges']);
    expect(await money(rider)).toMatchObject({ heldFen: 25_000 });
  });

  test('an operator that tells no price, or is switched off, is charged at by nobody', async () => {
    const rider = await newRider(10_000);
    answers.query_equip_business_policy = ({ EquipBizSeq, ConnectorID }) => ({
      EquipBizSeq,
      ConnectorID,
      SuccStat: 1,
      FailReason: 1,
    });
    expect((await begin(rider)).envelope.message).toMatchObject({ error: 'roaming.no_price' });
    const set = (enabled: boolean) =>
      api.database.pool.query('update partners set enabled = $1 where id = $2', [enabled, partner.id]);
    await set(false);
    expect((await begin(rider)).envelope.message).toMatchObject({ error: 'roaming.closed' });
    await set(true);
  });
});

describe('the bill of a charge at another operator', () => {
  test('the same bill again moves money once, another one is disputed', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await Promise.all([bill(sequence, 20_000), bill(sequence, 20_000)].map(confirmOf))).toEqual([0, 0]);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', amountFen: 2_000, paidFen: 2_000 });
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
    expect(await confirmOf(bill(sequence, 25_000))).toBe(1);
    expect(await charge(rider, id)).toMatchObject({ amountFen: 2_000 });
    expect(await money(rider)).toEqual({ balanceFen: 8_000, heldFen: 0, owedFen: 0 });
  });

  test('messages in any order end in the same: bill, stop, state and start', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
    await stopped(sequence);
    await status(sequence, 30_000);
    await began(sequence);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', energyWh: 20_000, amountFen: 2_000 });
    expect(await money(rider)).toEqual({ balanceFen: 8_000, heldFen: 0, owedFen: 0 });
  });

  test('an older state changes nothing, and a stop waits for the bill', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await status(sequence, 10_000);
    expect(await charge(rider, id)).toMatchObject({
      state: 'charging',
      energyWh: 10_000,
      amountFen: 1_000,
      socPercent: 55,
    });
    await status(sequence, 5_000);
    expect(await charge(rider, id)).toMatchObject({ energyWh: 10_000, amountFen: 1_000 });
    await stopped(sequence);
    expect(await charge(rider, id)).toMatchObject({ state: 'settling', heldFen: 5_000 });
  });

  test('a bill above the hold is paid from the balance, and what is missing is owed and collected later', async () => {
    const rider = await newRider(6_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, 70_000))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ amountFen: 7_000, paidFen: 6_000, owedFen: 1_000 });
    expect(await money(rider)).toEqual({ balanceFen: 0, heldFen: 0, owedFen: 1_000 });
    await rechargeRider(api.database, rider.id, 400, now);
    await collectRoamingDebts(api.context);
    expect(await money(rider)).toEqual({ balanceFen: 0, heldFen: 0, owedFen: 600 });
    await rechargeRider(api.database, rider.id, 5_000, now);
    await collectRoamingDebts(api.context);
    expect(await charge(rider, id)).toMatchObject({ paidFen: 7_000, owedFen: 0 });
    expect(await money(rider)).toEqual({ balanceFen: 4_400, heldFen: 0, owedFen: 0 });
  });

  test.each([
    [
      'costs more than any price that was told',
      { TotalMoney: 9_000, TotalElecMoney: 5_000, TotalServiceMoney: 4_000 },
      'above_price',
    ],
    [
      'is of more energy than the port gives',
      { TotalPower: 300_000_000_000, TotalMoney: 0, TotalElecMoney: 0, TotalServiceMoney: 0 },
      'energy_above_power',
    ],
    [
      'is of another time',
      { StartTime: instant(Date.parse('2019-01-01')), EndTime: instant(Date.parse('2030-01-01')) },
      'times_differ',
    ],
    ['names another port', { ConnectorID: 'C2' }, 'port_differs'],
    ['does not add up', { TotalServiceMoney: 1 }, 'fees_differ'],
  ])('a bill that %s waits for a person, who settles what was agreed', async (_, wrong, doubt) => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, 20_000, wrong))).toBe(1);
    const token = await admin();
    const seen = (await api.get<RoamingChargeDetail>(`/roaming-charges/${id}`, { token })).data;
    expect(seen).toMatchObject({ state: 'disputed', doubts: expect.arrayContaining([doubt]), canSettle: true });
    expect(await money(rider)).toMatchObject({ heldFen: 5_000 });
    const body = { energyWh: 20_000, electricityFeeFen: 1_200, serviceFeeFen: 700, reason: 'Agreed by phone' };
    const settle = (key: string) =>
      api.post<RoamingChargeDetail>(`/roaming-charges/${id}/settlements`, body, { token, key });
    expect((await settle(`settle-${id}`)).data).toMatchObject({ state: 'completed', amountFen: 1_900, paidFen: 1_900 });
    expect((await settle(`settle-${id}`)).data).toMatchObject({ amountFen: 1_900 });
    expect((await settle(`again-${id}`)).envelope.message).toMatchObject({ error: 'roaming.not_open' });
    expect(await money(rider)).toEqual({ balanceFen: 8_100, heldFen: 0, owedFen: 0 });
  });

  test('a bill of less than was told before waits for a person', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await status(sequence, 20_000);
    expect(await confirmOf(bill(sequence, 0))).toBe(1);
    expect(await charge(rider, id)).toMatchObject({ state: 'disputed', heldFen: 5_000 });
  });

  test('a state takes no more of the balance than its energy costs, and costs that where it says no fee', async () => {
    const rider = await newRider(100_000);
    const { id, sequence } = (await begin(rider)).data;
    const told = (more: object) =>
      partner.call('notification_equip_charge_status', {
        StartChargeSeq: sequence,
        StartChargeSeqStat: 2,
        ConnectorID: 'C1',
        ConnectorStatus: 3,
        CurrentA: 100_000,
        VoltageA: 400_000,
        Soc: 55,
        StartTime: now,
        EndTime: now,
        ...more,
      } as never);
    await told({ TotalPower: 10, ElecMoney: 3_000_000, ServiceMoney: 2_000_000, TotalMoney: 5_000_000 });
    expect(await charge(rider, id)).toMatchObject({ state: 'charging', heldFen: 5_000 });
    expect((await charge(rider, id)).amountFen).toBeLessThan(10);
    // 40 kWh at 1.00 yuan leave less than 20 yuan of the hold.
    await told({ TotalPower: 40_000 });
    expect(await charge(rider, id)).toMatchObject({ heldFen: 10_000, energyWh: 40_000 });
    await told({ TotalPower: 4_000_000_000, TotalMoney: 100 });
    expect(await charge(rider, id)).toMatchObject({ energyWh: 40_000 });
  });

  test('a state or bill is taken although the operator has a status, a charge level or a reason of its own', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await partner.call('notification_equip_charge_status', {
      ...stateOf(sequence, 2),
      ConnectorStatus: 7,
      Soc: 255,
      TotalPower: 5_000,
    } as never);
    expect(await charge(rider, id)).toMatchObject({ state: 'charging', energyWh: 5_000, socPercent: null });
    expect(await confirmOf(bill(sequence, 6_000, { StopReason: 255 }))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', stopReason: 'other' });
  });

  test('a stop that is under way is no end: what is told afterwards still counts', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    await partner.call('notification_stop_charge_result', {
      StartChargeSeq: sequence,
      StartChargeSeqStat: 3,
      ConnectorID: 'C1',
      SuccStat: 0,
      FailReason: 0,
    });
    await status(sequence, 8_000);
    expect(await charge(rider, id)).toMatchObject({ state: 'charging', energyWh: 8_000 });
    await stopped(sequence);
    expect(await charge(rider, id)).toMatchObject({ state: 'settling' });
  });

  test('what a person closed without a bill stays closed, whatever comes late', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    await stopped(sequence);
    const body = { energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, reason: 'It never charged' };
    await api.post(`/roaming-charges/${id}/settlements`, body, { token: await admin() });
    await began(sequence);
    await status(sequence, 10_000);
    expect(await confirmOf(bill(sequence, 10_000))).toBe(1);
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled', refusal: 'by_hand', paidFen: 0 });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
  });

  test('pressed again and again, a stop is asked for once', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    const before = partner.of('query_stop_charge').length;
    for (let presses = 0; presses < 5; presses += 1) {
      const pressed = await api.post(`/my/roaming-charges/${id}/stops`, {}, { token: rider.token });
      expect(pressed.data).toEqual({ agreed: true });
    }
    expect(partner.of('query_stop_charge').length - before).toBe(1);
  });

  test('a corrected bill of a disputed charge is paid', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, 20_000, { TotalServiceMoney: 1 }))).toBe(1);
    expect(await confirmOf(bill(sequence, 20_000, { TotalServiceMoney: 1 }))).toBe(1);
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', amountFen: 2_000 });
  });

  test('a bill of far too much energy that is corrected is paid, and one of less than was heard is not', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await status(sequence, 20_000);
    expect(await confirmOf(bill(sequence, 20_000_000))).toBe(1);
    expect(await charge(rider, id)).toMatchObject({ state: 'disputed' });
    expect(await confirmOf(bill(sequence, 2_000))).toBe(1);
    expect(await confirmOf(bill(sequence, 21_000))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', amountFen: 2_100 });
  });

  test('a bill that is corrected in its port alone is paid', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, 20_000, { ConnectorID: 'C2' }))).toBe(1);
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
    expect(await charge(rider, id)).toMatchObject({ state: 'completed', amountFen: 2_000 });
  });

  test('a bill of a charge that was refused is disputed and takes nothing by itself', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = () => ({ ret: 4004 });
    await begin(rider);
    const { id, sequence } = (await newest(rider)) ?? { id: 0, sequence: '' };
    expect(await confirmOf(bill(sequence, 20_000))).toBe(1);
    expect(await charge(rider, id)).toMatchObject({ state: 'disputed', paidFen: 0 });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
    const body = { energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, reason: 'It never charged' };
    const closed = await api.post<RoamingChargeDetail>(`/roaming-charges/${id}/settlements`, body, {
      token: await admin(),
    });
    expect(closed.data).toMatchObject({ state: 'cancelled', refusal: 'by_hand', amountFen: 0 });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
  });

  test('another operator can neither bill, stop nor see a charge', async () => {
    const rider = await newRider(10_000);
    const { id, sequence } = (await begin(rider)).data;
    const other = await openTestPartner(api, { role: 'infrastructure', depositFen: 0 });
    const told = await other.call('notification_charge_order_info', {
      StartChargeSeq: sequence,
      ConnectorID: 'C1',
      StartTime: now,
      EndTime: now,
      TotalPower: wattHours(1_000),
      TotalMoney: fen(100),
      StopReason: 0,
    } as never);
    expect(told.answer).toMatchObject({ ConfirmResult: 2 });
    expect(await charge(rider, id)).toMatchObject({ state: 'starting' });
    await other.close();
  });

  test('an operator with charges of our customers can be neither deleted nor given another code', async () => {
    await begin(await newRider(10_000));
    const token = await admin();
    const address = `/partners/${partner.id}`;
    expect((await api.ask('DELETE', address, { token })).envelope.message).toMatchObject({ error: 'partner.in_use' });
    const change = (body: object) => api.ask('PUT', address, { token, body });
    expect((await change({ operatorId: 'MA0OTHER1' })).envelope.message).toMatchObject({
      error: 'partner.code_in_use',
    });
    expect((await change({ role: 'demand' })).envelope.message).toMatchObject({ error: 'partner.role_in_use' });
    expect((await change({ role: 'both' })).status).toBe(200);
  });

  test('a rider reads and stops their own charges alone', async () => {
    const [mine, theirs] = [await newRider(10_000), await newRider(10_000)];
    const { id } = (await begin(mine)).data;
    const foreign = { token: theirs.token };
    expect((await api.get(`/my/roaming-charges/${id}`, foreign)).status).toBe(404);
    expect((await api.post(`/my/roaming-charges/${id}/stops`, {}, foreign)).status).toBe(404);
    expect((await api.get<{ items: unknown[] }>('/my/roaming-charges', foreign)).data.items).toEqual([]);
  });
});

describe('what is owed to another operator', () => {
  test('a payment takes it off once, never below zero, and what was given back is owed again', async () => {
    const rider = await newRider(10_000);
    const { sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
    const token = await admin();
    const payable = async () =>
      (await api.get<{ payableFen: number }>(`/partners/${partner.id}`, { token })).data.payableFen;
    const before = await payable();
    expect(before).toBeGreaterThanOrEqual(2_000);
    const pay = (amountFen: number, key: string) =>
      api.post<{ amountFen: number; payableAfterFen: number }>(
        `/partners/${partner.id}/payments`,
        { amountFen, remark: 'Bank transfer of November' },
        { token, key, language: 'en' },
      );
    const paid = await pay(1_500, 'pay-once');
    expect(paid.data).toMatchObject({ amountFen: 1_500, payableAfterFen: before - 1_500 });
    expect((await pay(1_500, 'pay-once')).data).toEqual(paid.data);
    expect(await payable()).toBe(before - 1_500);
    const tooMuch = await pay(before - 1_499, 'pay-more');
    expect(tooMuch.envelope.message).toMatchObject({ error: 'partner.payment_range' });
    expect((await pay(-1_501, 'back-more')).envelope.message).toMatchObject({ error: 'partner.payment_range' });
    expect((await pay(0, 'nothing')).status).toBe(422);
    expect((await pay(-500, 'back')).data).toMatchObject({ payableAfterFen: before - 1_000 });
    expect(await payable()).toBe(before - 1_000);
    const listed = await api.get<{ items: { amountFen: number }[] }>(`/partner-payments?partnerId=${partner.id}`, {
      token,
    });
    expect(listed.data.items.map(({ amountFen }) => amountFen)).toEqual([-500, 1_500]);
  });

  test('two payments at once never pay more than is owed', async () => {
    const token = await admin();
    const { payableFen } = (await api.get<{ payableFen: number }>(`/partners/${partner.id}`, { token })).data;
    const body = { amountFen: payableFen, remark: 'Everything' };
    const paid = await Promise.all(
      ['one', 'two'].map((key) => api.post(`/partners/${partner.id}/payments`, body, { token, key: `all-${key}` })),
    );
    expect(paid.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('the correction of a paid charge', () => {
  type Outcome = RoamingChargeDetail & { waitsFor?: { id: number } };
  const correct = async (id: number, how: string, body: object, key = `${how}-${id}`) =>
    api.post<Outcome>(`/roaming-charges/${id}/${how}`, body, { token: await admin(), key, language: 'en' });
  const paidCharge = async (balanceFen: number, energyWh: number) => {
    const rider = await newRider(balanceFen);
    const { id, sequence } = (await begin(rider)).data;
    await began(sequence);
    expect(await confirmOf(bill(sequence, energyWh))).toBe(0);
    return { rider, id, sequence };
  };
  const payable = async () =>
    (await api.get<{ payableFen: number }>(`/partners/${partner.id}`, { token: await admin() })).data.payableFen;

  test('a refund reaches the wallet once, the partner gets that much less, and its corrected bill is confirmed', async () => {
    const { rider, id, sequence } = await paidCharge(10_000, 20_000);
    const before = await payable();
    expect(await confirmOf(bill(sequence, 15_000))).toBe(1);
    const token = await admin();
    expect((await api.get<RoamingChargeDetail>(`/roaming-charges/${id}`, { token })).data).toMatchObject({
      compared: 'amount_differs',
      refundableFen: 2_000,
      secondBill: { energyWh: 15_000, amountFen: 1_500 },
    });
    const body = { amountFen: 500, reason: 'Meter read wrongly, agreed with their desk' };
    const done = await correct(id, 'refunds', body);
    expect(done.data).toMatchObject({ refundedFen: 500, refundableFen: 1_500, compared: null, amountFen: 2_000 });
    expect(done.data.corrections).toMatchObject([{ kind: 'refund', amountFen: 500, reason: body.reason }]);
    expect((await correct(id, 'refunds', body)).data).toMatchObject({ refundedFen: 500 });
    expect(await money(rider)).toEqual({ balanceFen: 8_500, heldFen: 0, owedFen: 0 });
    expect(await payable()).toBe(before - 500);
    expect(await charge(rider, id)).toMatchObject({ paidFen: 2_000, refundedFen: 500 });
    // What it told second is what is paid now, and what it told first is not.
    expect(await confirmOf(bill(sequence, 15_000))).toBe(0);
    expect(await confirmOf(bill(sequence, 20_000))).toBe(1);
    expect((await correct(id, 'agreements', { reason: 'Told once more by mistake' })).data.compared).toBeNull();
  });

  test('no more goes back than was paid, and nothing of a charge that is not paid', async () => {
    const { id } = await paidCharge(10_000, 20_000);
    const tooMuch = await correct(id, 'refunds', { amountFen: 2_001, reason: 'Too much' });
    expect(tooMuch.envelope.message).toMatchObject({ error: 'order.refund_too_high' });
    expect((await correct(id, 'refunds', { amountFen: 0, reason: 'Nothing' })).status).toBe(422);
    const two = await Promise.all(
      ['a', 'b'].map((key) => correct(id, 'refunds', { amountFen: 1_200, reason: 'At once' }, `${key}-${id}`)),
    );
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await correct(id, 'write-offs', { reason: 'Nothing owed' })).envelope.message).toMatchObject({
      error: 'order.nothing_owed',
    });
    expect((await correct(id, 'agreements', { reason: 'Nothing to agree' })).envelope.message).toMatchObject({
      error: 'roaming.no_dispute',
    });
    const open = (await begin(await newRider(10_000))).data;
    for (const [how, body] of [
      ['refunds', { amountFen: 1, reason: 'Too early' }],
      ['write-offs', { reason: 'Too early' }],
      ['agreements', { reason: 'Too early' }],
    ] as const) {
      expect((await correct(open.id, how, body)).envelope.message).toMatchObject({ error: 'roaming.not_paid' });
    }
  });

  test('a refund reduces a debt first, and a second person writes the rest off', async () => {
    const { rider, id } = await paidCharge(1_500, 20_000);
    expect(await money(rider)).toEqual({ balanceFen: 0, heldFen: 0, owedFen: 500 });
    const before = await payable();
    await correct(id, 'refunds', { amountFen: 200, reason: 'Agreed' });
    expect(await money(rider)).toEqual({ balanceFen: 0, heldFen: 0, owedFen: 300 });
    expect(await payable()).toBe(before - 200);
    const asked = await correct(id, 'write-offs', { reason: 'Cannot be reached any more' });
    const approvalId = asked.data.waitsFor?.id;
    expect(approvalId).toEqual(expect.any(Number));
    expect(await money(rider)).toMatchObject({ owedFen: 300 });
    const second = await api.addUser({
      name: 'second',
      permissions: ['partner_order.settle', 'approval.read', 'approval.decide'],
    });
    const decided = await api.post(
      `/approvals/${approvalId}/decisions`,
      { decision: 'approve', reason: 'Seen' },
      { token: second.token, key: `write-off-${id}` },
    );
    expect(decided.status).toBe(200);
    expect(await money(rider)).toEqual({ balanceFen: 0, heldFen: 0, owedFen: 0 });
    // The partner is paid all the same.
    expect(await payable()).toBe(before - 200);
    await rechargeRider(api.database, rider.id, 1_000, now);
    await collectRoamingDebts(api.context);
    expect(await money(rider)).toMatchObject({ balanceFen: 1_000 });
  });

  test('what was paid is upheld against a second bill, and the same bill does not open the dispute again', async () => {
    const { id, sequence } = await paidCharge(10_000, 20_000);
    expect(await confirmOf(bill(sequence, 30_000))).toBe(1);
    expect((await correct(id, 'agreements', { reason: 'They withdrew it' })).data).toMatchObject({
      compared: null,
      corrections: [{ kind: 'upheld', amountFen: 0 }],
    });
    expect(await confirmOf(bill(sequence, 30_000))).toBe(1);
    const token = await admin();
    expect((await api.get<RoamingChargeDetail>(`/roaming-charges/${id}`, { token })).data.compared).toBeNull();
    expect(await confirmOf(bill(sequence, 20_000))).toBe(0);
  });
});

describe('the comparison of a day', () => {
  test('what both sides say of their charges is found, and each difference is named', async () => {
    const rider = await newRider(50_000);
    const sequences: string[] = [];
    const from = instant(now - 30_000);
    for (const energyWh of [10_000, 20_000, 30_000, 40_000]) {
      const { sequence } = (await begin(rider)).data;
      await began(sequence);
      expect(await confirmOf(bill(sequence, energyWh))).toBe(0);
      sequences.push(sequence);
    }
    const [agreed = '', dearer = '', more = '', missing = ''] = sequences;
    const orders = [
      { StartChargeSeq: agreed, TotalPower: 10_000, TotalMoney: 1_000 },
      { StartChargeSeq: dearer, TotalPower: 20_000, TotalMoney: 2_100 },
      { StartChargeSeq: more, TotalPower: 31_000, TotalMoney: 3_000 },
      { StartChargeSeq: `${agreed.slice(0, -1)}X`, TotalPower: 1_000, TotalMoney: 100 },
    ];
    const check = (EndTime: Instant) =>
      partner.call('check_charge_orders', {
        CheckOrderSeq: agreed,
        StartTime: from,
        EndTime,
        OrderCount: orders.length,
        TotalOrderPower: 62_000,
        TotalOrderMoney: 6_200,
        ChargeOrders: orders,
      } as never);
    const { answer } = await check(instant(now + minuteMs));
    expect(answer?.DisputeOrders.map(({ StartChargeSeq, DisputeReason }) => [StartChargeSeq, DisputeReason])).toEqual([
      [dearer, 2],
      [more, 3],
      [`${agreed.slice(0, -1)}X`, 1],
      [missing, 1],
    ]);
    const listed = await api.get<{ items: { sequence: string; compared: string }[] }>('/roaming-charges?pageSize=20', {
      token: await admin(),
    });
    const found = new Map(listed.data.items.map(({ sequence, compared }) => [sequence, compared]));
    expect(sequences.map((sequence) => found.get(sequence))).toEqual([
      'agreed',
      'amount_differs',
      'energy_differs',
      'missing',
    ]);
    expect((await check(instant(from - 1))).ret).toBe(4004);
    const days = await api.get<{ items: PartnerDay[] }>(`/partner-days?partnerId=${partner.id}&direction=outbound`, {
      token: await admin(),
    });
    // And what other tests left: a second bill that contradicted the first, and a disputed bill of nothing.
    const [today] = days.data.items;
    expect(today).toMatchObject({
      day: shanghaiDate(now),
      agreed: 1,
      disputed: 5,
      disputedFen: 11_000,
      comparedAt: toIso(now),
    });
    expect(today?.orders).toBe(1 + 5 + (today?.notCompared ?? 0));
    const quiet = await api.get<{ items: PartnerDay[] }>(
      `/partner-days?hasDisputes=false&from=${encodeURIComponent(toIso(instant(now - dayMs / 2)))}`,
      { token: await admin() },
    );
    expect(quiet.data.items).toEqual([]);
  });
});

describe('a charge that was given up', () => {
  test('a charge that used nothing stays closed when its start is told after its bill', async () => {
    const rider = await newRider(10_000);
    answers.query_start_charge = () => null;
    const { id, sequence } = (await begin(rider)).data;
    for (const minutes of [3, 2]) {
      api.clock.now = now = instant(now + minutes * minuteMs);
      // Charges of other tests are due as well, a few in each round.
      while ((await followOnce(api.context)) > 0);
    }
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled', refusal: 'no_answer' });
    expect(await confirmOf(bill(sequence, 0))).toBe(0);
    await began(sequence);
    await status(sequence, 0);
    expect(await charge(rider, id)).toMatchObject({ state: 'cancelled', heldFen: 0 });
    expect(await money(rider)).toEqual({ balanceFen: 10_000, heldFen: 0, owedFen: 0 });
    expect(await confirmOf(bill(sequence, 0))).toBe(0);
  });
});
