import type { ChargeLog, ChargeNoteRow, ChargeReading } from '@voltdeck/contract/readings';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { sheetRows } from '../http/test-sheets.ts';
import { packCurve } from '../orders/kept-curve.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
/** Begins an hour before now, five readings ten minutes apart; the fourth register leaps. */
const startAt = instant(now - 60 * minuteMs);

let api: TestApi;
let place: Place;
let charge: OrderId;
let longAgo: OrderId;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  place = await makePlace(api.database, null, 'log');
  charge = await makeOrder(api.database, place, startAt, { vin: 'LSVAM4187C2184847', plate: '浙A12345' });
  longAgo = await makeOrder(api.database, place, instant(now - 40 * dayMs), { connector_number: 2 });
  const { db } = api.database;
  await sql`select make_partitions('readings', interval '7 days', to_timestamp(${now - 60 * dayMs} / 1000.0),
    to_timestamp(${now + 7 * dayMs} / 1000.0))`.execute(db);
  const reading = (orderId: OrderId, at: Instant, energyWh: number, doubt: 'meter_jump' | null = null) => ({
    order_id: orderId,
    at,
    connector_id: place.connectorId,
    energy_wh: wattHours(energyWh),
    power_w: 60_000 as never,
    voltage_mv: 400_100 as never,
    current_ma: 150_000 as never,
    soc_percent: 40,
    vehicle_temperature_c: 31,
    cable_temperature_c: 45.5,
    ambient_temperature_c: 22,
    doubt,
    received_at: now,
  });
  const registers = [2_000, 4_000, 6_000, 900_000, 8_000];
  await db
    .insertInto('readings')
    .values(
      registers.map((energyWh, index) =>
        reading(charge, instant(startAt + index * 5 * minuteMs), energyWh, index === 3 ? 'meter_jump' : null),
      ),
    )
    .execute();
  await db
    .insertInto('readings')
    .values(reading(longAgo, instant(now - 40 * dayMs + minuteMs), 1_500))
    .execute();
  await db
    .insertInto('charge_notes')
    .values([
      {
        at: instant(startAt + minuteMs),
        order_id: charge,
        station_id: place.stationId,
        connector_number: 1,
        kind: 'demand',
        detail: JSON.stringify({ demandVoltageMv: 410_000, demandCurrentMa: -160_000, chargeMode: 'constant_current' }),
      },
      {
        at: instant(startAt + 20 * minuteMs),
        order_id: charge,
        station_id: place.stationId,
        connector_number: 1,
        kind: 'vehicle-abort',
        detail: JSON.stringify({ reasons: ['target_soc'], faults: ['insulation_untrusted'], errors: [] }),
      },
    ])
    .execute();
});
afterAll(() => api.close());

type Page<Row> = { items: Row[]; total: number };
const readings = async (query: string) => (await api.get<Page<ChargeReading>>(`/readings?${query}`)).data;
const numberOf = async (id: OrderId) =>
  (await api.database.db.selectFrom('orders').select('number').where('id', '=', id).executeTakeFirstOrThrow()).number;

describe('the charging log', () => {
  test('a reading shows what was measured, with the energy of the charge and the register', async () => {
    const { items, total } = await readings(`orderNumber=${await numberOf(charge)}`);
    expect(total).toBe(5);
    expect(items[0]).toEqual({
      id: `${charge}_${startAt + 20 * minuteMs}`,
      at: toIso(instant(startAt + 20 * minuteMs)),
      orderId: charge,
      orderNumber: await numberOf(charge),
      stationId: place.stationId,
      stationNumber: place.stationNumber,
      connectorNumber: 1,
      powerW: 60_000,
      voltageMv: 400_100,
      currentMa: 150_000,
      socPercent: 40,
      energyWh: 7_000,
      registerWh: 8_000,
      vehicleTemperatureC: 31,
      cableTemperatureC: 45.5,
      ambientTemperatureC: 22,
      doubt: null,
    });
  });

  test.each([
    ['everything', () => '', 6],
    ['a station', () => `stationNumber=${place.stationNumber}`, 6],
    ['a gun port', () => `stationNumber=${place.stationNumber}&connectorNumber=2`, 1],
    [
      'a period',
      () => `from=${toIso(instant(startAt + 5 * minuteMs))}&to=${toIso(instant(startAt + 15 * minuteMs - 1))}`,
      2,
    ],
    ['an order by its id', () => `orderId=${longAgo}`, 1],
    ['what was doubted, anywhere', () => 'doubted=true', 1],
    ['what was doubted in an order', () => `orderId=${charge}&doubted=true`, 1],
    ['what was not doubted in an order', () => `orderId=${charge}&doubted=false`, 4],
    ['a station that does not exist', () => 'stationNumber=nowhere', 0],
    ['an order that does not exist', () => 'orderNumber=99999999', 0],
  ])('the log is filtered by %s', async (_what, query, count) => {
    expect((await readings(query())).items).toHaveLength(count);
  });

  test('the newest come first, or the oldest', async () => {
    const times = async (sort: string) => (await readings(`orderId=${charge}&sort=${sort}`)).items.map(({ at }) => at);
    const newest = await times('-at');
    expect(newest).toEqual([...newest].sort().reverse());
    expect(await times('at')).toEqual([...newest].reverse());
  });

  test('the export has the rows of the list, with units in its heads', async () => {
    const query = `orderId=${charge}`;
    const { items } = await readings(query);
    const [heads, ...rows] = sheetRows((await api.get(`/readings/export?${query}`, { language: 'en' })).bytes);
    expect(heads).toContain('Voltage (V)');
    expect(heads).toContain('Gun and cable (°C)');
    const column = heads?.indexOf('Register (kWh)') ?? -1;
    expect(rows.map((row) => Number(row[column]) * 1_000)).toEqual(items.map(({ registerWh }) => registerWh));
  });

  test('no partition outside the period of the charges is read', async () => {
    const found = await api.database.db
      .selectFrom('orders')
      .select(['started_at', 'ended_at'])
      .where('id', '=', charge)
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off)
      select readings.at from readings
       where readings.order_id = any(${[charge]}::bigint[])
         and readings.at >= to_timestamp(${(found.started_at ?? 0) - 10 * minuteMs} / 1000.0)
         and readings.at < to_timestamp(${(found.ended_at ?? 0) + 10 * minuteMs} / 1000.0)
       order by readings.at desc, readings.order_id desc limit 20`.execute(api.database.db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const scanned = new Set([...plan.matchAll(/ on (readings_\w+)/g)].map(([, name]) => name));
    expect(scanned).toContain('readings_20261116');
    expect([...scanned].filter((name) => name !== 'readings_20261116' && name !== 'readings_stray')).toEqual([]);
    expect(plan).not.toMatch(/Seq Scan on readings_\d/);
  });
});

describe('one charge of the log', () => {
  const log = async (id: OrderId) => (await api.get<ChargeLog>(`/charge-logs/${id}`)).data;

  test('a charge comes with its curve, the doubted readings and what the battery asked for', async () => {
    const found = await log(charge);
    expect(found).toMatchObject({
      id: charge,
      plate: '浙A12345',
      vin: 'LSVAM4187C2184847',
      source: 'readings',
      ratedPowerW: 120_000,
      demands: [{ at: toIso(instant(startAt + minuteMs)), voltageMv: 410_000, currentMa: 160_000 }],
    });
    expect(found.points.map(({ doubt }) => doubt)).toEqual([null, null, null, 'meter_jump', null]);
    // The leap moves the curve no more than the bill.
    expect(found.points.map(({ energyWh }) => energyWh)).toEqual([1_000, 3_000, 5_000, 5_000, 7_000]);
  });

  test('the vehicle, the money and the bill of a charge are shown with the right to see orders only', async () => {
    const reader = await api.addUser({ name: 'log reader', permissions: ['log.read'] });
    const clerk = await api.addUser({
      name: 'order reader',
      permissions: ['log.read', 'order.read', 'personal.reveal'],
    });
    const seen = async ({ token }: { token: string }) =>
      (await api.get<ChargeLog>(`/charge-logs/${charge}`, { token })).data;
    const { points, flags, energyWh } = await log(charge);
    expect(await seen(reader)).toMatchObject({
      points,
      flags,
      energyWh,
      vin: null,
      plate: null,
      amountFen: null,
      electricityFeeFen: null,
      serviceFeeFen: null,
      tariff: null,
      lines: null,
    });
    expect(await seen(clerk)).toEqual(await log(charge));
    expect(await log(charge)).toMatchObject({ vin: 'LSVAM4187C2184847', amountFen: expect.any(Number), lines: [] });
  });

  test('the curve that was kept is shown when the readings are gone', async () => {
    const { db } = api.database;
    const bare = await makeOrder(api.database, place, instant(now - 500 * dayMs));
    const { points } = await log(charge);
    await db
      .insertInto('order_curves')
      .values({ order_id: bare, points: JSON.stringify(packCurve(points)) })
      .execute();
    expect(await log(bare)).toMatchObject({ source: 'curve', points });
  });

  test('charges are found by a part of their number, or by their station', async () => {
    const find = async (text: string) =>
      (await api.get<{ items: { id: number }[] }>(`/charge-logs?text=${encodeURIComponent(text)}`)).data.items.map(
        ({ id }) => id,
      );
    expect(await find(await numberOf(charge))).toEqual([charge]);
    expect(await find(place.stationNumber)).toEqual(expect.arrayContaining([charge, longAgo]));
    expect(await find('no such thing')).toEqual([]);
  });
});

describe('what vehicle and charger told each other', () => {
  test('a message is listed with its values and by its kind', async () => {
    const { items } = (await api.get<Page<ChargeNoteRow>>(`/charge-notes?orderId=${charge}`)).data;
    expect(items.map(({ kind }) => kind)).toEqual(['vehicle-abort', 'demand']);
    expect(items[1]?.values).toMatchObject({ demandVoltageMv: 410_000 });
    const aborts = (await api.get<Page<ChargeNoteRow>>(`/charge-notes?orderId=${charge}&kind=vehicle-abort`)).data;
    expect(aborts.items).toHaveLength(1);
  });

  test.each([
    [
      'zh-CN',
      '需求电压：410.0 V；需求电流：160.0 A；充电模式：恒流',
      '中止原因：达到SOC目标值；故障：绝缘故障（不可信）；错误：无',
    ],
    [
      'en',
      'Demanded voltage: 410.0 V; Demanded current: 160.0 A; Mode: constant current',
      'Reasons: target SOC reached; Faults: insulation (untrusted); Errors: none',
    ],
  ] as const)('the export says in words what a message means, in %s', async (language, demand, abort) => {
    const [heads, ...rows] = sheetRows((await api.get(`/charge-notes/export?orderId=${charge}`, { language })).bytes);
    const column = (heads?.length ?? 0) - 1;
    expect(rows.map((row) => row[column])).toEqual([abort, demand]);
  });
});
