import { type StartMode, startModes } from '@voltdeck/charging/states';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { readTotals } from '../http/list-source.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { keepSales } from '../statistics/keep-sales.ts';
import { askRebuild, rebuildSales } from '../statistics/rebuild-sales.ts';
import { saleTableNames } from '../statistics/sale-tables.ts';
import { findWholeFrom } from '../statistics/sales-summary.ts';
import type { OrderFilter } from './filter-orders.ts';
import { orderList } from './queries.ts';
import { salesOfList } from './sales-of-list.ts';

let api: TestApi;
let north: Place;
let south: Place;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const ago = (minutes: number) => instant(now - minutes * minuteMs);

beforeAll(async () => {
  api = await openTestApi();
  north = await makePlace(api.database, null, 'north');
  south = await makePlace(api.database, null, 'south');
  await makeOrder(api.database, north, ago(300), { number: 'OLD', start_mode: 'remote' });
  await makeOrder(api.database, south, ago(200), {
    number: 'REFUNDED',
    payment_state: 'refunded',
    refunded_fen: fen(1_100),
    connector_number: 2,
  });
  await makeOrder(api.database, north, ago(100), {
    number: 'CANCELLED',
    state: 'cancelled',
    payment_state: 'unpaid',
    started_at: null,
    ended_at: ago(99),
    energy_wh: 0 as never,
    amount_fen: fen(0),
    electricity_fee_fen: fen(0),
    service_fee_fen: fen(0),
    paid_fen: fen(0),
    stop_reason: null,
  });
  await makeOrder(api.database, south, ago(40), {
    number: 'ODD',
    abnormal: true,
    billing_type: 'hour',
    vin: 'LSVAM4187C2184847',
    plate: '浙A12345',
  });
  await api.database.db
    .insertInto('vehicles')
    .values({ vin: 'LSVAM4187C2184847', card_id: south.cardId, plate: '浙A12345' })
    .execute();
  await makeOrder(api.database, north, ago(20), {
    number: 'RUNNING',
    state: 'charging',
    payment_state: 'unpaid',
    ended_at: null,
    settled_at: null,
    stop_reason: null,
    paid_fen: fen(0),
    power_w: 42_000 as never,
    soc_percent: 61,
  });
});
afterAll(() => api.close());

type List = { items: Order[]; total: number | null; totalIsAtLeast?: boolean };
const list = async (query: string) => {
  const answer = await api.get<List>(`/orders${query}`);
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};
const numbers = async (query: string) => (await list(query)).items.map(({ number }) => number);

describe('the list of orders', () => {
  test('the list of orders refuses a filter that names nothing and an impossible gun port', async () => {
    const faults = async (path: string) => (await api.get(path)).envelope.message.fields?.map(({ code }) => code);
    for (const list of ['/orders', '/orders/totals', '/orders/export']) {
      expect(await faults(`${list}?state=,`)).toEqual(['required']);
      expect(await faults(`${list}?connectorNumber=2147483648`)).toEqual(['too_big']);
    }
    expect(await faults('/cards?state=,,')).toEqual(['required']);
  });

  test('the list of orders comes newest first, with the names of all related records', async () => {
    const { items, total } = await list('');
    expect(items.map(({ number }) => number)).toEqual(['RUNNING', 'ODD', 'CANCELLED', 'REFUNDED', 'OLD']);
    expect(total).toBe(5);
    expect(items[0]).toMatchObject({
      state: 'charging',
      siteName: 'Site north',
      stationNumber: north.stationNumber,
      stationName: 'Station north',
      userName: 'Customer north',
      phone: north.phone,
      cardNumber: north.cardNumber,
      billingType: 'energy',
      paymentType: expect.stringMatching(/^(online|card)$/),
      powerW: 42_000,
      socPercent: 61,
      placedAt: toIso(ago(20)),
      endedAt: null,
    });
  });

  test.each([
    ['number', '?number=OLD', ['OLD']],
    ['states', '?state=cancelled,charging', ['RUNNING', 'CANCELLED']],
    ['payment state', '?paymentState=refunded', ['REFUNDED']],
    ['start mode', '?startMode=remote', ['OLD']],
    ['billing type', '?billingType=hour', ['ODD']],
    ['abnormal', '?abnormal=true', ['ODD']],
    ['not abnormal', '?abnormal=false&state=completed', ['REFUNDED', 'OLD']],
    ['connector', '?connectorNumber=2', ['REFUNDED']],
    ['part of a name', '?userName=mer%20so', ['ODD', 'REFUNDED']],
    ['a name nobody has', '?userName=nobody', []],
    ['a percent sign as it stands', '?userName=%25', []],
    ['site', () => `?siteId=${south.siteId}`, ['ODD', 'REFUNDED']],
    ['station', () => `?stationId=${south.stationId}`, ['ODD', 'REFUNDED']],
    ['part of a station number', '?stationNumber=st-sou', ['ODD', 'REFUNDED']],
    ['phone', () => `?phone=${south.phone}`, ['ODD', 'REFUNDED']],
    ['the end of a phone', () => `?phone=${south.phone.slice(-4)}`, ['ODD', 'REFUNDED']],
    ['card, in small letters', () => `?cardNumber=${south.cardNumber.toLowerCase()}`, ['ODD', 'REFUNDED']],
    ['vehicle, in small letters', '?vin=lsvam4187c2184847', ['ODD']],
    ['another vehicle', '?vin=LSVAM4187C2184848', []],
    ['plate', `?plate=${encodeURIComponent('浙a12345')}`, ['ODD']],
    ['a plate that nobody has', '?plate=A1', []],
    ['customer', () => `?customerId=${south.customerId}`, ['ODD', 'REFUNDED']],
    ['time of placing', () => `?from=${toIso(ago(210))}&to=${toIso(ago(90))}`, ['CANCELLED', 'REFUNDED']],
    ['time of the start', () => `?time=started&from=${toIso(ago(210))}&to=${toIso(ago(30))}`, ['ODD', 'REFUNDED']],
    ['time of the end', () => `?time=ended&from=${toIso(ago(100))}`, ['ODD', 'CANCELLED']],
    ['two of them', () => `?siteId=${north.siteId}&state=completed`, ['OLD']],
  ] as const)('the list of orders is filtered by %s', async (_what, query, expected) => {
    expect(await numbers(typeof query === 'string' ? query : query())).toEqual(expected);
  });

  test('no order is missing when the list is sorted by another time', async () => {
    expect(await numbers('?sort=-endedAt')).toEqual(['ODD', 'CANCELLED', 'REFUNDED', 'OLD', 'RUNNING']);
    expect(await numbers('?sort=endedAt')).toEqual(['RUNNING', 'OLD', 'REFUNDED', 'CANCELLED', 'ODD']);
    expect(await numbers('?sort=-startedAt')).toEqual(['RUNNING', 'ODD', 'REFUNDED', 'OLD', 'CANCELLED']);
    expect(await numbers('?sort=placedAt')).toEqual(['OLD', 'REFUNDED', 'CANCELLED', 'ODD', 'RUNNING']);
  });

  test('consecutive pages have neither gaps nor repetitions, and each shows the total', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?pageSize=2&page=${page}`)));
    expect(pages.map(({ items }) => items.map(({ number }) => number))).toEqual([
      ['RUNNING', 'ODD'],
      ['CANCELLED', 'REFUNDED'],
      ['OLD'],
      [],
    ]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  test('a page without a requested total says that it has none', async () => {
    const page = await list('?pageSize=2&total=none');
    expect([page.items.map(({ number }) => number), page.total]).toEqual([['RUNNING', 'ODD'], null]);
    // The last page knows it anyway.
    expect((await list('?pageSize=2&page=3&total=none')).total).toBe(5);
    expect((await list('?userName=nobody&total=none')).total).toBe(0);
    expect((await api.get('/orders/totals')).data).toMatchObject({ total: 5 });
    expect((await api.get(`/orders/totals?siteId=${south.siteId}&state=completed`)).data).toMatchObject({ total: 2 });
  });

  test('the sums are those of the filtered orders', async () => {
    const sums = await api.get(`/orders/totals?siteId=${south.siteId}`);
    expect(sums.data).toEqual({
      total: 2,
      sums: {
        energyWh: 20_000,
        amountFen: 2_200,
        electricityFeeFen: 1_400,
        serviceFeeFen: 800,
        paidFen: 2_200,
        refundedFen: 1_100,
      },
    });
  });
});

describe('beyond what is counted', () => {
  test('more orders than are counted have the sums of their sales and of the orders that are none', async () => {
    const many = await openTestApi();
    const { database } = many;
    const [one, two] = [await many.addAgent('one'), await many.addAgent('two')];
    const places = [await makePlace(database, one, 'east'), await makePlace(database, two, 'west')];
    const [east, west] = places as [Place, Place];
    const zero = fen(0);
    const nothing = {
      amount_fen: zero,
      electricity_fee_fen: zero,
      service_fee_fen: zero,
      paid_fen: zero,
      discount_fen: zero,
      card_id: null,
      customer_id: null,
    };
    const dayStart = instant(Date.parse('2026-11-19T16:00:00Z'));
    for (const [index, place] of [east, west, east, west, east].entries()) {
      const minutes = 50 * index;
      await makeOrder(database, place, instant(dayStart - 100 * minuteMs + minutes * minuteMs), {
        start_mode: startModes[index] as StartMode,
        payment_type: index === 1 ? 'online' : 'card',
      });
      await makeOrder(database, place, instant(dayStart + minutes * minuteMs), {
        ...nothing,
        start_mode: 'test',
        payment_type: 'none',
      });
      await makeOrder(database, place, instant(dayStart + minutes * minuteMs), { state: 'cancelled' });
    }
    await makeOrder(database, east, instant(dayStart), { state: 'settling' });
    await keepSales(database.db);
    await makeOrder(database, west, instant(dayStart + 1));
    const admin = { caller: platformCaller(), at: now, sessionId: null, secrets: null };
    const agent = { ...admin, caller: { ...admin.caller, agents: [one] } };
    const { kept: _sums, ...withoutSums } = orderList;
    // As the console's link from a figure of the statistics.
    const countedStartModes = startModes.filter((mode) => mode !== 'test');
    const filters: OrderFilter[] = [
      {},
      { siteId: east.siteId },
      { stationId: west.stationId },
      { agentId: one },
      { regionCode: '33' },
      { equipmentType: 'four-wheel' },
      { equipmentType: 'two-wheel' },
      { state: ['completed'] },
      { state: ['completed', 'cancelled'] },
      { state: ['completed'], startMode: countedStartModes },
      { state: ['completed'], startMode: countedStartModes, stationId: west.stationId },
      { startMode: ['scan', 'test'] },
      { startMode: ['remote'], paymentType: ['card'] },
      { paymentType: ['online', 'none'] },
      { paymentType: ['none'], siteId: east.siteId },
      { from: toIso(dayStart) },
      { to: toIso(instant(dayStart + 50 * minuteMs)) },
      { from: toIso(instant(dayStart - 10 * minuteMs)), to: toIso(instant(dayStart + 90 * minuteMs)) },
    ];
    for (const filter of filters) {
      for (const asked of [admin, agent]) {
        const wanted = { time: 'ended' as const, ...filter };
        const counted = await readTotals(withoutSums, database.db, asked, wanted);
        const kept = await readTotals(orderList, database.db, asked, wanted, { max: -1 });
        expect([wanted, kept]).toEqual([wanted, counted]);
      }
    }
    const unkept: OrderFilter[] = [
      {},
      { time: 'placed' },
      { time: 'ended', vin: 'LSVAM4187C2184847' },
      { time: 'ended', state: ['cancelled'] },
    ];
    for (const filter of unkept) {
      expect([filter, salesOfList(admin.caller, filter, now)]).toEqual([filter, null]);
    }
    const ofAll = (limits: { max: number; besideMax: number }) =>
      readTotals(orderList, database.db, admin, { time: 'ended' }, limits);
    expect((await ofAll({ max: 1, besideMax: 11 })).total).toBe(17);
    // With too many beside the sums, what is counted is.
    expect((await ofAll({ max: 1, besideMax: 10 })).sums).toBeNull();
    expect((await ofAll({ max: 17, besideMax: 10 })).total).toBe(17);
    await many.close();
  });

  test('no orders are counted where sums are kept of all of them', async () => {
    const many = await openTestApi();
    const { db } = many.database;
    const place = await makePlace(many.database, null, 'sold');
    for (const minutes of [10, 20, 30]) await makeOrder(many.database, place, ago(minutes + 3_000));
    await keepSales(db);
    const admin = { caller: platformCaller(), at: now, sessionId: null, secrets: null };
    // No order can be read for this.
    const unreadable = sql`orders.energy_wh / (orders.id - orders.id)`;
    const list = { ...orderList, sums: { ...orderList.sums, energyWh: unreadable } };
    const filter: OrderFilter = { time: 'ended', state: ['completed'], startMode: ['card', 'scan'] };
    expect(await readTotals(list, db, admin, filter)).toMatchObject({ total: 3, sums: { energyWh: 30_000 } });
    await expect(readTotals(list, db, admin, { ...filter, time: 'placed' })).rejects.toThrow('division by zero');
    await many.close();
  });

  test('a day that is not in the sums yet is in no totals of theirs, also where it failed and waits for the night', async () => {
    const many = await openTestApi();
    const { db, pool } = many.database;
    const place = await makePlace(many.database, null, 'with a past');
    const days = ['2026-05-01', '2026-05-02', '2026-05-03'] as const;
    const noon = (day: string) => instant(Date.parse(`${day}T12:00:00+08:00`));
    for (const day of days) await makeOrder(many.database, place, noon(day));
    await keepSales(db);
    // An installation that had these orders before its sums.
    for (const table of saleTableNames) await pool.query(`delete from ${table}`);
    await askRebuild(db, { fromOn: days[0], toOn: days[2], because: 'first', userId: null, at: now });
    await pool.query(`
      create function out_of_time() returns trigger language plpgsql as $$ begin
        if new.failed = old.failed and old.next_on = '2026-05-02' then
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end if;
        return new;
      end $$;
      create trigger out_of_time before update on sale_rebuilds for each row execute function out_of_time()`);
    const rebuildAt = async (at: Instant) => {
      while ((await rebuildSales({ db, log: many.context.log, now: () => at })) !== null);
    };
    const admin = { caller: platformCaller(), at: now, sessionId: null, secrets: null };
    const totals = async (filter: OrderFilter) => {
      const { total, sums } = await readTotals(orderList, db, admin, { time: 'ended', ...filter }, { max: 0 });
      return [total, sums?.energyWh];
    };
    const dayOf = (day: string) => ({ from: `${day}T00:00:00+08:00`, to: `${day}T23:59:59.999+08:00` });
    const none = [0, undefined];
    expect(await totals({})).toEqual(none);
    await rebuildAt(instant(Date.now()));
    expect(await totals({})).toEqual(none);
    expect(await findWholeFrom(db)).toBe('2026-05-03');
    const ofDays = async () => {
      const all = [];
      for (const day of days) all.push((await totals(dayOf(day)))[0]);
      return all;
    };
    expect(await ofDays()).toEqual([1, 0, 1]);
    await rebuildAt(instant(Date.now() + dayMs));
    expect(await totals({})).toEqual(none);
    await pool.query('drop trigger out_of_time on sale_rebuilds');
    await rebuildAt(instant(Date.now() + 3 * dayMs));
    expect(await ofDays()).toEqual([1, 1, 1]);
    expect(await totals({})).toEqual([3, 30_000]);
    expect(await findWholeFrom(db)).toBeNull();
    await many.close();
  });

  test('orders of a kind of station have no totals of sums while a station that changed its kind waits for them', async () => {
    const many = await openTestApi();
    const { db, pool } = many.database;
    const place = await makePlace(many.database, null, 'changed');
    await makeOrder(many.database, place, instant(Date.now() - 2 * dayMs));
    await keepSales(db);
    const admin = { caller: platformCaller(), at: instant(Date.now()), sessionId: null, secrets: null };
    const totals = async (filter: OrderFilter) => {
      const { total, sums } = await readTotals(orderList, db, admin, { time: 'ended', ...filter }, { max: 0 });
      return sums === null ? null : total;
    };
    const ofKinds = async () => [
      await totals({ equipmentType: 'four-wheel' }),
      await totals({ equipmentType: 'two-wheel' }),
    ];
    expect(await ofKinds()).toEqual([1, 0]);
    await pool.query(`update stations set equipment_type = 'two-wheel'`);
    // There is none of the first kind, so there is nothing to add up.
    expect(await ofKinds()).toEqual([0, null]);
    expect(await totals({})).toBe(1);
    expect(await totals({ equipmentType: 'two-wheel', stationId: place.stationId })).toBe(1);
    await rebuildSales({ db, log: many.context.log, now: () => instant(Date.now()) });
    expect(await ofKinds()).toEqual([0, 1]);
    await many.close();
  });

  test('ten thousand orders and more count as "at least", and fewer are counted exactly', async () => {
    const many = await openTestApi();
    const place = await makePlace(many.database, null, 'busy');
    await makeOrder(many.database, place, ago(1));
    await many.database.pool.query(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                           connector_id, connector_number, placed_at)
       select 'X' || g, case when g % 3 = 0 then 'cancelled' else 'completed' end, 'paid', 'card', 'card', 'energy', $1, $2, $3, 1,
              now() - g * interval '1 minute'
         from generate_series(1, 10200) g`,
      [place.siteId, place.stationId, place.connectorId],
    );
    const ask = async (query: string) => (await many.get<List>(`/orders${query}`)).data;
    for (const _again of ['counted', 'remembered']) {
      expect(await ask('')).toMatchObject({ total: 10_000, totalIsAtLeast: true });
    }
    expect((await many.get('/orders/totals')).data).toMatchObject({
      total: 10_201,
      sums: { energyWh: expect.any(Number) },
    });
    expect(await ask('?total=none')).toMatchObject({ total: 10_000, totalIsAtLeast: true });
    expect((await ask('?state=completed&total=none')).total).toBeNull();
    const cancelled = await ask('?state=cancelled');
    expect([cancelled.total, cancelled.totalIsAtLeast]).toEqual([3_400, undefined]);
    expect((await ask('?page=500&pageSize=20')).items).toHaveLength(20);
    const deeper = await many.get('/orders?page=501&pageSize=20', { language: 'en' });
    expect(deeper.envelope.message.message).toBe('Only the first 10000 rows can be paged. Narrow the filter');
    await many.close();
  });
});

describe('one order', () => {
  test('an order explains its bill, its flags, its money and its timeline', async () => {
    const { db } = api.database;
    const placedAt = ago(600);
    const id = await makeOrder(api.database, north, placedAt, {
      abnormal: true,
      timeline: JSON.stringify([
        { at: toIso(placedAt), event: 'started', params: {} },
        { at: toIso(ago(560)), event: 'ended', params: { reason: 'local' } },
      ]),
    });
    await db
      .insertInto('order_lines')
      .values({
        order_id: id,
        line: 1,
        kind: 'energy',
        from_at: placedAt,
        to_at: ago(570),
        period: 'flat',
        energy_wh: 10_000 as never,
        electricity_price_e5: 70_000 as never,
        service_price_e5: 40_000 as never,
        electricity_fee_fen: fen(700),
        service_fee_fen: fen(400),
      })
      .execute();
    await db
      .insertInto('order_flags')
      .values({ order_id: id, rule: 'meter_jump', at: ago(580), evidence: JSON.stringify({ jumpWh: 900 }) })
      .execute();
    const detail = (await api.get<OrderDetail>(`/orders/${id}`)).data;
    expect(detail.lines).toEqual([
      {
        kind: 'energy',
        from: toIso(placedAt),
        to: toIso(ago(570)),
        period: 'flat',
        energyWh: 10_000,
        electricityPriceE5: 70_000,
        servicePriceE5: 40_000,
        electricityFeeFen: 700,
        serviceFeeFen: 400,
      },
    ]);
    expect(detail.flags).toEqual([
      { rule: 'meter_jump', at: toIso(ago(580)), evidence: { jumpWh: 900 }, handled: null },
    ]);
    expect(detail.tariff).toMatchObject({ name: 'Rule north', kind: 'energy', detail: { kind: 'energy' } });
    expect(detail.timeline.map(({ event }) => event)).toEqual(['started', 'ended']);
    expect(detail.steps).toEqual([
      { step: 'placed', at: toIso(placedAt) },
      { step: 'charging', at: toIso(placedAt) },
      { step: 'ended', at: toIso(ago(570)) },
      { step: 'settling', at: toIso(ago(560)) },
      { step: 'completed', at: toIso(ago(569)) },
    ]);
    expect([detail.meterStartWh, detail.meterStopWh]).toEqual([1_000, 11_000]);
  });

  test('an order refunded through the API shows the refund and its postings once', async () => {
    const placedAt = ago(500);
    const id = await makeOrder(api.database, south, placedAt);
    const body = { amountFen: 300, reason: 'gun was broken' };
    const [first, again] = [
      await api.post<Order>(`/orders/${id}/refunds`, body, { key: 'refund-1' }),
      await api.post<Order>(`/orders/${id}/refunds`, body, { key: 'refund-1' }),
    ];
    expect(first.envelope.message).toMatchObject({ status: 200 });
    expect(again.envelope).toEqual(first.envelope);
    expect(first.data).toMatchObject({ refundedFen: 300, paymentState: 'partly_refunded' });
    const detail = (await api.get<OrderDetail>(`/orders/${id}`)).data;
    expect(detail.refunds).toMatchObject([{ amountFen: 300, reason: 'gun was broken' }]);
    expect(detail.postings.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(300);
    const tooMuch = await api.post(`/orders/${id}/refunds`, { ...body, amountFen: 801 }, { language: 'en' });
    expect(tooMuch.envelope.message).toMatchObject({
      status: 422,
      message: 'The refund must be between 0 and ¥8.00',
    });
    const rest = await api.post<Order>(`/orders/${id}/refunds`, { ...body, amountFen: 800 }, { key: 'refund-2' });
    expect(rest.data).toMatchObject({ refundedFen: 1_100, paymentState: 'refunded' });
  });

  test('a refund whose answer was lost is answered when it is sent again', async () => {
    const id = await makeOrder(api.database, south, ago(400));
    const body = { amountFen: 300, reason: 'gun was broken' };
    await api.post(`/orders/${id}/refunds`, body, { key: 'unanswered' });
    // The state left by a process that dies between the commit and the answer.
    await api.database.db
      .updateTable('idempotency_keys')
      .set({ status: null, answer: JSON.stringify({ recordId: id }) })
      .execute();
    const retried = await api.post<Order>(`/orders/${id}/refunds`, body, { key: 'unanswered' });
    expect(retried.data).toMatchObject({ refundedFen: 300 });
  });
});

describe('the charging curve', () => {
  test('the charging curve counts energy from the start of the charge, never falls, and keeps its peak when thinned', async () => {
    const placedAt = ago(900);
    const id = await makeOrder(api.database, north, placedAt, { ended_at: instant(placedAt + 3 * hourMs) });
    await api.database.pool.query(
      `insert into readings (order_id, at, connector_id, energy_wh, power_w, received_at)
       select $1, to_timestamp($2 / 1000.0) + g * interval '3 s', 1, 1000 + g * 5 - case when g = 50 then 200 else 0 end,
              case when g = 1777 then 99000 else 6000 end, now()
         from generate_series(0, 3000) g`,
      [id, placedAt],
    );
    type Point = { at: string; energyWh: number; powerW: number };
    const curve = (await api.get<Point[]>(`/orders/${id}/readings`)).data;
    expect(curve.length).toBeLessThanOrEqual(1_000);
    expect(curve[0]).toMatchObject({ at: toIso(placedAt), energyWh: 0 });
    expect(curve.at(-1)).toMatchObject({ at: toIso(instant(placedAt + 9_000 * secondMs)), energyWh: 15_000 });
    expect(Math.max(...curve.map(({ powerW }) => powerW))).toBe(99_000);
    const energies = curve.map(({ energyWh }) => energyWh);
    expect(energies).toEqual([...energies].sort((a, b) => a - b));
  });
});

describe('orders that are being settled', () => {
  test('settling orders are filtered by what they wait for, and the home page counts those that wait for a person', async () => {
    const settling = { state: 'settling', payment_state: 'unpaid', settled_at: null, paid_fen: fen(0) } as const;
    await makeOrder(api.database, north, ago(12), { ...settling, number: 'DOUBTED', waits_for: 'person' });
    await makeOrder(api.database, south, ago(11), { ...settling, number: 'UNSTOPPED', waits_for: 'stop' });
    expect(await numbers('?waitsFor=person')).toEqual(['DOUBTED']);
    expect(await numbers('?waitsFor=person,stop&state=placed,charging,settling')).toEqual(['UNSTOPPED', 'DOUBTED']);
    expect((await list('?number=DOUBTED')).items[0]).toMatchObject({ state: 'settling', waitsFor: 'person' });
    expect((await api.get<{ waitingOrders: number }>('/overview/summary')).data).toMatchObject({ waitingOrders: 1 });
  });

  test("a waiting order shows since when and the rules' findings, the first finding first", async () => {
    const settling = { state: 'settling', payment_state: 'unpaid', settled_at: null, paid_fen: fen(0) } as const;
    const parked = { ...settling, abnormal: true, waits_for: 'person', billing_type: 'hour' } as const;
    const since = toIso(ago(5));
    const fact = { at: since, event: 'settlement_waits', params: { because: 'person' } };
    const placed = { at: toIso(ago(30)), event: 'placed', params: {} };
    const id = await makeOrder(api.database, north, ago(30), {
      ...parked,
      number: 'PARKED',
      timeline: JSON.stringify([placed, fact]),
    });
    const flagged = await makeOrder(api.database, north, ago(29), { ...parked, number: 'FLAGGED' });
    const quiet = await makeOrder(api.database, north, ago(28), { ...parked, number: 'QUIET' });
    const flag = (order_id: typeof id, rule: string, minutes: number) => ({
      order_id,
      rule,
      at: ago(minutes),
      evidence: '{}',
    });
    await api.database.db
      .insertInto('order_flags')
      .values([flag(id, 'meter_jump', 6), flag(id, 'energy_implausible', 4), flag(flagged, 'price_missing', 7)])
      .execute();
    const waiting = async (number: string) => (await list(`?number=${number}`)).items[0];
    expect(await waiting('PARKED')).toMatchObject({
      waitsSince: since,
      waitsBecause: ['meter_jump', 'energy_implausible'],
    });
    expect(await waiting('FLAGGED')).toMatchObject({ waitsSince: toIso(ago(7)), waitsBecause: ['price_missing'] });
    expect(await waiting('QUIET')).toMatchObject({ waitsSince: toIso(ago(28)), waitsBecause: [] });
    expect((await api.get<OrderDetail>(`/orders/${quiet}`)).data).toMatchObject({ waitsSince: toIso(ago(28)) });
    expect(await waiting('ODD')).toMatchObject({ waitsSince: null, waitsBecause: [] });
  });

  test('a flagged order names the rules that flagged it, oldest first, and none once it is accepted', async () => {
    const { db } = api.database;
    const id = await makeOrder(api.database, north, ago(20), { abnormal: true, number: 'NAMED' });
    const flag = (rule: string, minutes: number) => ({ order_id: id, rule, at: ago(minutes), evidence: '{}' });
    await db
      .insertInto('order_flags')
      .values([flag('station_lost', 3), flag('meter_backwards', 9)])
      .execute();
    const flaggedBecause = async () => (await list('?number=NAMED')).items[0]?.flaggedBecause;
    expect(await flaggedBecause()).toEqual(['meter_backwards', 'station_lost']);
    await db.updateTable('orders').set({ abnormal: false }).where('id', '=', id).execute();
    expect(await flaggedBecause()).toEqual([]);
  });

  test('an order says whether its station is online now', async () => {
    const { db } = api.database;
    await makeOrder(api.database, north, ago(19), { number: 'AWAY' });
    const stationOnline = async () => (await list('?number=AWAY')).items[0]?.stationOnline;
    for (const online of [true, false]) {
      await db.updateTable('stations').set({ online }).where('id', '=', north.stationId).execute();
      expect(await stationOnline()).toBe(online);
    }
  });

  test('the home page counts the same flagged orders that nobody has dealt with as the list it links to', async () => {
    const today = instant(Date.now());
    const settling = { state: 'settling', payment_state: 'unpaid', settled_at: null, paid_fen: fen(0) } as const;
    const unhandled = { abnormal: true, unhandled: true };
    await makeOrder(api.database, north, today, { ...settling, ...unhandled, waits_for: 'person' });
    await makeOrder(api.database, north, today, { ...unhandled, number: 'ODD-TODAY' });
    await makeOrder(api.database, north, instant(today - dayMs), { ...unhandled, number: 'ODD-YESTERDAY' });
    await makeOrder(api.database, north, today, { abnormal: true, number: 'DEALT-WITH' });
    const { total } = (await api.get<{ total: number }>('/abnormal-orders?handled=false')).data;
    expect(total).toBe(3);
    // The home page caches its figures for a moment.
    const counted = async () => (await api.get<{ abnormalOrders: number }>('/overview/summary')).data.abnormalOrders;
    await expect.poll(counted, { timeout: 15_000 }).toBe(total);
  });
});

test('a charge by time that was paid for before has the hours that were chosen as its expected duration, and no other', async () => {
  const place = await makePlace(api.database, null, 'expected');
  const choice = { amountFen: 300, hours: 2, energyWh: null };
  const prepayment = { kind: 'prepaid', choices: [choice] };
  const tariff = (chosen?: object) => JSON.stringify({ kind: 'hour', prepayment, ...(chosen && { chosen }) });
  const byTime = { billing_type: 'hour' as const };
  await makeOrder(api.database, place, ago(30), { ...byTime, number: 'CHOSEN', tariff: tariff(choice) });
  await makeOrder(api.database, place, ago(20), { ...byTime, number: 'UNCHOSEN', tariff: tariff() });
  await makeOrder(api.database, place, ago(10), { number: 'BYENERGY' });
  const listed = await api.get<{ items: Order[] }>(`/orders?stationId=${place.stationId}`);
  expect(listed.data.items.map(({ number, expectedDurationMs }) => [number, expectedDurationMs])).toEqual([
    ['BYENERGY', null],
    ['UNCHOSEN', null],
    ['CHOSEN', 2 * hourMs],
  ]);
});
