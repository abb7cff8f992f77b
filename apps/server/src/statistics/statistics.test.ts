import type { AnswerOf } from '@voltdeck/contract/route';
import * as contract from '@voltdeck/contract/statistics';
import type { BusinessTotal } from '@voltdeck/contract/totals';
import type { AgentId, CustomerId } from '@voltdeck/units/id';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  minuteMs,
  shanghaiDate,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { whileLocked } from '../database/test-database.ts';
import { askedForFile } from '../http/list-export.ts';
import { batchRows } from '../http/list-source.ts';
import { type Answer, openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { sheetRows } from '../http/test-sheets.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { keepSales } from './keep-sales.ts';
import { rebuildSales } from './rebuild-sales.ts';

let api: TestApi;
let places: { own: Place; alpha: Place; beta: Place };
let tokens: { alpha: string; beta: string; none: string };
/** The beginning of a day in China, three days ago. */
let day: Instant;
type Totals = { items: BusinessTotal[]; total: number; sums: Record<string, number> };

beforeAll(async () => {
  api = await openTestApi();
  day = instant(shanghaiDayStart(instant(Date.now())) - 3 * dayMs);
  const [alphaId, betaId] = [await api.addAgent('alpha'), await api.addAgent('beta')];
  places = {
    own: await makePlace(api.database, null, 'own'),
    alpha: await makePlace(api.database, alphaId, 'alpha'),
    beta: await makePlace(api.database, betaId, 'beta'),
  };
  const user = async (name: string, agentId: typeof alphaId) =>
    (await api.addUser({ name, permissions: ['statistics.read', 'total.read'], scope: 'agent', agentId })).token;
  tokens = {
    alpha: await user('alpha-clerk', alphaId),
    beta: await user('beta-clerk', betaId),
    none: (await api.addUser({ name: 'nobody', permissions: ['overview.read'] })).token,
  };
  // Ends at 00:00, 10:30 and 23:59:59.999 of the day, and at 00:00 of the next; some are kept, some still wait.
  const ends = [0, 10.5 * hourMs, dayMs - 1, dayMs];
  for (const [index, place] of Object.values(places).entries()) {
    for (const end of ends) {
      const endedAt = instant(day + end);
      await makeSettledOrder(api.database, place, {
        electricityFeeFen: 500 + index,
        serviceFeeFen: 200,
        settledAt: instant(endedAt + minuteMs),
      });
    }
    await keepSales(api.database.db);
  }
  await makeOrder(api.database, places.own, instant(day + hourMs), {
    ...asTestRun,
    ended_at: instant(day + 2 * hourMs),
  });
  const waiting = await makeSettledOrder(api.database, places.alpha, {
    electricityFeeFen: 2_000,
    serviceFeeFen: 500,
    settledAt: instant(day + 12 * hourMs),
  });
  const refund = { amountFen: 300, reason: 'The gun was broken' };
  expect((await api.post(`/orders/${waiting}/refunds`, refund, { key: 'refund-1' })).status).toBe(200);
});
afterAll(() => api.close());

const ask = async <Answer>(path: string, token?: string) => {
  const answer = await api.get<Answer>(path, token === undefined ? {} : { token });
  expect(answer.status, path).toBe(200);
  return answer.data;
};

/** What the orders themselves say. */
async function truth(from: Instant, to: Instant, where = 'true') {
  const { rows } = await api.database.pool.query(
    `select count(*)::int as orders, coalesce(sum(energy_wh), 0)::int as "energyWh",
            coalesce(sum(electricity_fee_fen), 0)::int as "electricityFeeFen",
            coalesce(sum(service_fee_fen), 0)::int as "serviceFeeFen", coalesce(sum(paid_fen), 0)::int as "receivedFen",
            coalesce(sum(refunded_fen), 0)::int as "refundedFen", coalesce(sum(amount_fen), 0)::int as "amountFen"
       from orders where state = 'completed' and start_mode <> 'test' and ended_at >= $1 and ended_at <= $2 and ${where}`,
    [new Date(from), new Date(to)],
  );
  return rows[0];
}

describe('figures over time', () => {
  test('every step of a period has its figures, and together they are what the orders say, to the millisecond', async () => {
    const spans: [Instant, Instant][] = [
      [day, instant(day + dayMs - 1)],
      [instant(day + 1), instant(day + dayMs - 2)],
      [instant(day - 40 * dayMs), instant(day + dayMs)],
      [instant(day + 10 * hourMs), instant(day + 11 * hourMs)],
      [instant(day + 10.25 * hourMs), instant(day + 10.4 * hourMs)],
    ];
    for (const [from, to] of spans) {
      for (const step of ['hour', 'day', 'month']) {
        if (step === 'hour' && to - from > 30 * dayMs) continue;
        const { items } = await ask<AnswerOf<typeof contract.getStatistics>>(
          `/statistics?from=${toIso(from)}&to=${toIso(to)}&step=${step}`,
        );
        const sums = Object.fromEntries(
          Object.keys(await truth(from, to)).map((key) => [
            key,
            items.reduce((sum, item) => sum + Number(item[key as 'orders']), 0),
          ]),
        );
        expect(sums, `${toIso(from)} ${toIso(to)} ${step}`).toEqual(await truth(from, to));
      }
    }
  });

  test('a day may be given by its date, and its hours are 24, most of them zero', async () => {
    const date = shanghaiDate(day);
    const { items } = await ask<AnswerOf<typeof contract.getStatistics>>(
      `/statistics?from=${date}&to=${date}&step=hour`,
    );
    expect(items).toHaveLength(24);
    expect(items[0]).toMatchObject({ at: toIso(day), orders: 3 });
    expect(items.filter(({ orders }) => orders > 0).map(({ at }) => (Date.parse(at) - day) / hourMs)).toEqual([
      0, 10, 11, 23,
    ]);
    expect(items.reduce((sum, { refundedFen }) => sum + refundedFen, 0)).toBe(300);
  });

  test('a site, a station and a port have figures of their own', async () => {
    const { alpha } = places;
    for (const filter of [
      `siteId=${alpha.siteId}`,
      `stationId=${alpha.stationId}`,
      `connectorId=${alpha.connectorId}`,
    ]) {
      for (const step of ['hour', 'day']) {
        const { items } = await ask<AnswerOf<typeof contract.getStatistics>>(
          `/statistics?from=${shanghaiDate(day)}&to=${shanghaiDate(day)}&step=${step}&${filter}`,
        );
        expect(
          items.reduce((sum, { orders }) => sum + orders, 0),
          `${filter} ${step}`,
        ).toBe(4);
        expect(items.reduce((sum, { receivedFen }) => sum + receivedFen, 0)).toBe(3 * 701 + 2_500);
      }
    }
  });

  test('a period of too many steps and one that is no time are refused, and so is a reversed one', async () => {
    const long = await api.get('/statistics?from=2020-01-01&to=2026-01-01&step=hour', { language: 'en' });
    expect(long.status).toBe(422);
    expect((await api.get('/statistics?from=yesterday')).status).toBe(422);
    for (const path of ['/statistics/summary', '/totals']) {
      expect((await api.get(`${path}?from=2010-01-01&to=2026-01-01`)).status, path).toBe(422);
    }
    expect((await api.get('/statistics?from=2026-01-02&to=2026-01-01')).status).toBe(422);
    for (const path of ['/statistics', '/statistics/summary', '/statistics/sites', '/totals', '/quality']) {
      expect((await api.get(`${path}?from=9999-12-31T00:00:00Z&to=9999-12-31T15:59:59Z`)).status, path).toBeLessThan(
        500,
      );
    }
  });
});

test('the summary splits what charges brought, and each split adds up to it', async () => {
  const range = `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}`;
  const summary = await ask<AnswerOf<typeof contract.getSalesSummary>>(`/statistics/summary?${range}`);
  expect(summary.now).toMatchObject(await truth(day, instant(day + dayMs - 1)));
  expect(summary.now.receivableFen).toBe(summary.now.amountFen - summary.now.discountFen);
  for (const split of [summary.payments, summary.startModes, summary.stationTypes]) {
    expect(split.reduce((sum, { receivedFen }) => sum + receivedFen, 0)).toBe(summary.now.receivedFen);
  }
  expect(summary.periods.reduce((sum, { energyWh }) => sum + energyWh, 0)).toBe(summary.now.energyWh);
  expect(summary.bands).toEqual([9, 0, 1, 0, 0, 0]);
  expect(summary.newCustomers).toBe(3);
  expect(summary.newCustomers + summary.returningOrders + summary.otherOrders).toBe(10);
  expect(summary.past.orders).toBe(0);
  expect(summary.period.isRunning).toBe(false);
  const next = await ask<AnswerOf<typeof contract.getSalesSummary>>(
    `/statistics/summary?from=${shanghaiDate(instant(day + dayMs))}&to=${shanghaiDate(instant(day + dayMs))}`,
  );
  expect(next.past).toEqual(summary.now);
});

test('a calendar month is compared with the one before, if it is asked for so', async () => {
  const month = 'from=2026-03-01&to=2026-03-31';
  const beforeOf = async (more: string) =>
    (await ask<AnswerOf<typeof contract.getSalesSummary>>(`/statistics/summary?${month}${more}`)).before;
  expect(await beforeOf('&comparedWith=month')).toEqual({
    from: '2026-01-31T16:00:00.000Z',
    to: '2026-02-28T16:00:00.000Z',
  });
  expect((await beforeOf('')).from).toBe('2026-01-28T16:00:00.000Z');
});

test('sites, ports and hours of the week show the same charges', async () => {
  const range = `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}`;
  const ranking = await ask<AnswerOf<typeof contract.getSiteRanking>>(`/statistics/sites?${range}&by=receivable`);
  expect(ranking.sites).toBe(3);
  expect(ranking.top.map(({ siteId }) => siteId)).toEqual([places.alpha, places.beta, places.own].map((p) => p.siteId));
  expect(ranking.top[0]).toMatchObject({
    orders: 4,
    ports: 2,
    utilisationE4: Math.round((4 * 1_800 * 10_000) / (2 * 86_400)),
  });
  const use = await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${range}`);
  expect(use.ports).toBe(6);
  expect(use.bands.reduce((sum, count) => sum + count, 0)).toBe(6);
  expect(use.top[0]).toMatchObject({ connectorId: places.alpha.connectorId, orders: 4, durationS: 4 * 1_800 });
  const week = await ask<AnswerOf<typeof contract.getWeekHours>>(`/statistics/hours?${range}`);
  expect(week.items.reduce((sum, { orders }) => sum + orders, 0)).toBe(10);
  expect(week.days.reduce((sum, count) => sum + count, 0)).toBe(1);
});

describe('business totals', () => {
  const ofDay = () => `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}`;

  test.each(['agent', 'site', 'station', 'day'])(
    'by %s, rows add up to the sums, and these to the books',
    async (by) => {
      const { items, sums } = await ask<Totals>(`/totals?by=${by}&${ofDay()}`);
      for (const key of Object.keys(sums)) {
        expect(
          items.reduce((sum, item) => sum + Number(item[key as 'orders'] ?? 0), 0),
          key,
        ).toBe(sums[key]);
      }
      expect(sums).toMatchObject({ orders: 10, receivedFen: 3 * 3 * 700 + 3 * 3 + 2_500, refundedFen: 300 });
      const { rows } = await api.database.pool.query<{ income: number; agents: number }>(
        `select sum(case when g.prefix in ('electricity-income:site', 'service-income:site') then p.amount_fen
                       when f.prefix in ('electricity-income:site', 'service-income:site') and t.reason = 'refund_order'
                       then -p.amount_fen else 0 end)::int as income,
              coalesce(sum(case when g.prefix = 'agent-share' then p.amount_fen when f.prefix = 'agent-share' then -p.amount_fen end), 0)::int as agents
         from ledger_transfers t join ledger_postings p on p.transfer_id = t.id
         join ledger_accounts f on f.id = p.from_account_id join ledger_accounts g on g.id = p.to_account_id
         join orders o on o.id = t.order_id
        where o.ended_at >= $1 and o.ended_at < $2 and t.reason in ('charge_settled', 'refund_order', 'order_shared')`,
        [new Date(day), new Date(day + dayMs)],
      );
      expect(sums.netFen).toBe(rows[0]?.income);
      expect(sums.agentShareFen).toBe(rows[0]?.agents);
      expect((sums.agentShareFen ?? 0) + (sums.dividerShareFen ?? 0) + (sums.platformShareFen ?? 0)).toBe(sums.netFen);
    },
  );

  test('a file of totals has the rows of the list', async () => {
    const file = await api.get(`/totals/export?format=csv&by=site&${ofDay()}`);
    expect(file.status).toBe(200);
    expect(file.text.split('\n').filter((line) => line.includes('Site '))).toHaveLength(3);
  });
});

test('a region given by its whole code or its leading digits has the charges of its sites', async () => {
  const range = `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}`;
  const { rows } = await api.database.pool.query<{ code: string }>('select region_code as code from sites limit 1');
  const code = rows[0]?.code ?? '';
  for (const region of [`${code.slice(0, 2)}0000`, code.slice(0, 2), code]) {
    const summary = await ask<AnswerOf<typeof contract.getSalesSummary>>(
      `/statistics/summary?${range}&regionCode=${region}`,
    );
    expect(summary.now.orders, region).toBe(10);
    const use = await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${range}&regionCode=${region}`);
    expect(use.ports, region).toBe(6);
    const orders = await ask<{ total: number }>(
      `/orders?state=completed&time=ended&from=${toIso(day)}&to=${toIso(instant(day + dayMs - 1))}&regionCode=${region}`,
    );
    expect(orders.total, region).toBe(11);
  }
  const elsewhere = await ask<{ total: number }>('/orders?regionCode=650000');
  expect(elsewhere.total).toBe(0);
});

test('the workbook of a period has a sheet for each chart, for each reader with their own charges', async () => {
  const range = `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}&step=hour`;
  const fileFor = async (token?: string) => {
    const asked = token === undefined ? {} : { token };
    const file = await api.get(`/statistics/file?${range}`, { language: 'en', ...asked });
    expect(file.status).toBe(200);
    return file.bytes;
  };
  const file = await fileFor();
  const [heads = [], figures = []] = sheetRows(file);
  const charges = heads.indexOf('Charges');
  const received = heads.indexOf('Received (CNY)');
  expect([figures[charges], figures[received]]).toEqual(['10', String((3 * 3 * 700 + 3 * 3 + 2_500) / 100)]);
  const hours = sheetRows(file, 2);
  expect(hours).toHaveLength(25);
  expect(hours.slice(1).reduce((sum, row) => sum + Number(row[hours[0]?.indexOf('Charges') ?? 0]), 0)).toBe(10);
  // Five price periods, the last of charges that are billed by the hour.
  expect(sheetRows(file, 3).map(([name]) => name)).toContain('Sharp');
  expect(sheetRows(file, 13)).toHaveLength(1 + 6);
  const [, own = []] = sheetRows(await fileFor(tokens.beta));
  expect(own[charges]).toBe('3');
  const { rows } = await api.database.pool.query(
    "select 1 from audit_entries where record_kind = 'export' and record_id = 'statistics'",
  );
  expect(rows).toHaveLength(2);
});

test('agents see what their stations brought and nothing of others', async () => {
  const range = `from=${shanghaiDate(day)}&to=${shanghaiDate(day)}`;
  const orders = { alpha: 4, beta: 3 } as const;
  for (const name of ['alpha', 'beta'] as const) {
    const token = tokens[name];
    const seen = [
      (await ask<AnswerOf<typeof contract.getStatistics>>(`/statistics?${range}`, token)).items[0]?.orders,
      (await ask<AnswerOf<typeof contract.getSalesSummary>>(`/statistics/summary?${range}`, token)).now.orders,
      (await ask<AnswerOf<typeof contract.getSiteRanking>>(`/statistics/sites?${range}`, token)).top[0]?.orders,
      (await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${range}`, token)).top[0]?.orders,
      (await ask<AnswerOf<typeof contract.getWeekHours>>(`/statistics/hours?${range}`, token)).items.reduce(
        (sum, { orders: n }) => sum + n,
        0,
      ),
      (await ask<Totals>(`/totals?by=agent&${range}`, token)).sums.orders,
    ];
    expect(seen, name).toEqual(Array(6).fill(orders[name]));
    const ports = await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${range}`, token);
    expect(ports.ports).toBe(2);
    const { items } = await ask<Totals>(`/totals?by=site&${range}`, token);
    expect(items.map(({ siteId }) => siteId)).toEqual([places[name].siteId]);
    expect(items[0]).toMatchObject({ channelFeeFen: null, commissionFen: null });
    // Another agent's site is an empty one.
    const other = places[name === 'alpha' ? 'beta' : 'alpha'];
    expect(
      (
        await ask<AnswerOf<typeof contract.getSalesSummary>>(
          `/statistics/summary?${range}&siteId=${other.siteId}`,
          token,
        )
      ).now.orders,
    ).toBe(0);
  }
  for (const path of ['/statistics', '/statistics/summary', '/totals', '/statistics/proof']) {
    expect((await api.get(path, { token: tokens.none })).status, path).toBe(403);
  }
  expect((await api.get('/statistics/proof', { token: tokens.alpha })).status).toBe(403);
});

test('a comparison is asked for once at a time, and its result is shown', async () => {
  const before = await ask<AnswerOf<typeof contract.getSalesProof>>('/statistics/proof');
  expect(before.waiting).toBeGreaterThan(0);
  const { pool } = api.database;
  let asking: Promise<Answer<contract.SalesRebuild>>[] = [];
  await whileLocked(pool, 'sale_rebuilds', async () => {
    asking = ['first', 'second'].map((key) => api.post<contract.SalesRebuild>('/statistics/rebuilds', {}, { key }));
    const waiting = async () =>
      (
        await pool.query(
          `select count(*) as count from pg_locks l join pg_database d on d.oid = l.database
            where not l.granted and d.datname = current_database()`,
        )
      ).rows[0];
    await expect.poll(waiting).toEqual({ count: 2 });
  });
  const answers = await Promise.all(asking);
  const [asked, ...others] = answers.toSorted((a, b) => a.status - b.status);
  expect(others.map(({ status }) => status)).toEqual([409]);
  expect(asked?.data).toMatchObject({ because: 'asked', days: 0, doneAt: null, differing: 0 });
  expect((await api.post('/statistics/rebuilds', {}, { key: 'third' })).status).toBe(409);
  await rebuildSales({ db: api.database.db, log: api.context.log, now: () => instant(Date.now()) });
  const { rebuilds } = await ask<AnswerOf<typeof contract.getSalesProof>>('/statistics/proof');
  expect(rebuilds[0]).toMatchObject({ because: 'asked', differing: 0, doneAt: expect.any(String) });
  expect(rebuilds[0]?.days).toBe(rebuilds[0]?.daysInAll);
});

test('an order is counted in the band of amounts that is shown for it, at every border', async () => {
  for (const [band, [from, below]] of contract.amountBands.entries()) {
    const inside = [from * 100, below === null ? 10_000_000 : below * 100 - 1];
    const { rows } = await api.database.pool.query(
      'select array_agg(amount_band(due)) as bands from unnest($1::bigint[]) due',
      [inside],
    );
    expect(rows).toEqual([{ bands: [band, band] }]);
  }
});

test('a first charge stays the first one when all of it is refunded, and the next is that of a returning customer', async () => {
  const place = await makePlace(api.database, null, 'refunded');
  const charge = (minutesAgo: number) =>
    makeSettledOrder(api.database, place, {
      electricityFeeFen: 500,
      serviceFeeFen: 200,
      settledAt: instant(Date.now() - minutesAgo * minuteMs),
    });
  const counts = async () => {
    const { data } = await api.get<AnswerOf<typeof contract.getSalesSummary>>(
      `/statistics/summary?siteId=${place.siteId}`,
    );
    return [data.newCustomers, data.returningOrders, data.now.refundedFen];
  };
  const first = await charge(90);
  const refund = { amountFen: 700, reason: 'The gun was broken' };
  expect((await api.post(`/orders/${first}/refunds`, refund, { key: 'refund-all' })).status).toBe(200);
  expect(await counts()).toEqual([1, 0, 700]);
  await charge(30);
  expect(await counts()).toEqual([1, 1, 700]);
});

test('a person whose two records are merged is new once', async () => {
  const { rows } = await api.database.pool.query<{ id: CustomerId }>(
    `insert into customers (phone, nickname) values ('13800000001', 'old'), ('13800000002', 'kept') returning id`,
  );
  const [oldId, intoId] = rows.map(({ id }) => id) as [CustomerId, CustomerId];
  const charge = (customerId: CustomerId, at: Instant) =>
    makeOrder(api.database, places.own, at, {
      payment_type: 'online',
      customer_id: customerId,
      card_id: null,
      ended_at: at,
    });
  const news = async () => (await api.get<{ newCustomers: number }>('/statistics/summary')).data.newCustomers;
  const at = instant(Date.now() - hourMs);
  const before = await news();
  await charge(oldId, at);
  const merged = await api.post(`/customers/${oldId}/merges`, { intoId, reason: 'the same person' });
  expect(merged.status, merged.text).toBe(200);
  await charge(intoId, instant(at + minuteMs));
  expect(await news()).toBe(before + 1);
});

test('an agent whose station went to another agent reads neither whose it is now nor whether it is online', async () => {
  const place = await makePlace(api.database, await api.addAgent('former'), 'moved');
  const { rows } = await api.database.pool.query<{ agent_id: AgentId }>('select agent_id from sites where id = $1', [
    place.siteId,
  ]);
  const formerId = (rows[0] as { agent_id: AgentId }).agent_id;
  const clerk = { name: 'former-clerk', permissions: ['total.read'], scope: 'agent', agentId: formerId } as const;
  const { token } = await api.addUser(clerk);
  const laterId = await api.addAgent('later');
  await makeSettledOrder(api.database, place, {
    electricityFeeFen: 500,
    serviceFeeFen: 200,
    settledAt: instant(Date.now() - 5 * minuteMs),
  });
  const read = async (by: string) =>
    (await api.get<Totals>(`/totals?by=${by}`, { token })).data.items.map(({ agentName, online }) => [
      agentName,
      online,
    ]);
  expect(await read('station')).toEqual([['former', expect.any(Boolean)]]);
  await api.database.pool.query('update stations set agent_id = $1, online = true where id = $2', [
    laterId,
    place.stationId,
  ]);
  await api.database.pool.query('update sites set agent_id = $1 where id = $2', [laterId, place.siteId]);
  expect(await read('station')).toEqual([[null, null]]);
  expect(await read('site')).toEqual([[null, null]]);
});

test('a file of totals has every station once, although charges end while it is written', async () => {
  const { own } = places;
  const { rows: known } = await api.database.pool.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_name = 'stations' and column_name not in ('id', 'number') and is_generated = 'NEVER'`,
  );
  const names = known[0]?.names;
  await api.database.pool.query(
    `insert into stations (number, ${names}) select 'E' || i, ${names} from stations, generate_series(1, ${batchRows + 5}) i
      where id = $1`,
    [own.stationId],
  );
  const charge = (where: string, amount: string) =>
    api.database.pool.query(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
         connector_id, connector_number, agent_id, card_id, placed_at, started_at, ended_at, settled_at, energy_wh,
         amount_fen, electricity_fee_fen, service_fee_fen, paid_fen)
       select 'O' || gen_random_uuid(), 'completed', 'paid', 'card', 'card', 'energy', site_id, id, $1, 1, null, $2, t, t, t, t,
         9000, ${amount}, ${amount}, 0, ${amount} from stations, (select timestamptz '2026-01-20 10:00+08' as t) day
        where ${where}`,
      [own.connectorId, own.cardId],
    );
  await charge(`number like 'E%'`, '1000 + id');
  const { batches, parseStored } = exportableLists.listTotals;
  const { filter, sort } = parseStored({ by: 'station', from: '2026-01-20', to: '2026-01-20' });
  const asked = askedForFile({ caller: platformCaller(), at: instant(Date.now()) });
  const written: string[] = [];
  for await (const rows of batches(api.database.db, asked, filter, sort)) {
    for (const { stationNumber } of rows as { stationNumber: string }[]) written.push(stationNumber);
    // A car leaves at the station that was to come last.
    if (written.length === batchRows) await charge(`number = 'E1'`, '9000');
  }
  expect(written).toHaveLength(batchRows + 5);
  expect(new Set(written).size).toBe(batchRows + 5);
});

test('of a charge across midnight, each day’s utilisation has the part within it, also where no order ended, and none exceeds the day', async () => {
  const place = await makePlace(api.database, await api.addAgent('nightly'), 'nightly');
  const midnight = instant(day - 10 * dayMs);
  // From 20:00 to 04:00, and 30 hours from the next midnight to 06:00 of the day after.
  for (const [from, hours] of [
    [midnight - 4 * hourMs, 8],
    [midnight + dayMs, 30],
  ] as const) {
    await makeOrder(api.database, place, instant(from), { ended_at: instant(from + hours * hourMs) });
  }
  await keepSales(api.database.db);
  const useOf = async (from: Instant, to: Instant) => {
    const range = `from=${toIso(from)}&to=${toIso(to)}&siteId=${place.siteId}`;
    const use = await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${range}`);
    const ranking = await ask<AnswerOf<typeof contract.getSiteRanking>>(`/statistics/sites?${range}&by=utilisation`);
    const { items } = await ask<Totals>(`/totals?by=site&${range}`);
    const [port] = use.top;
    expect(port?.connectorId).toBe(place.connectorId);
    expect(ranking.top[0]?.utilisationE4).toBe(use.utilisationE4);
    expect(items).toHaveLength(1);
    expect(items[0]?.utilisationPercent).toBeCloseTo(use.utilisationE4 / 100, 1);
    expect(items[0]?.orders).toBe(use.top[0]?.orders);
    return [port?.durationS, port?.utilisationE4];
  };
  const dayAt = (days: number) => useOf(instant(midnight + days * dayMs), instant(midnight + (days + 1) * dayMs - 1));
  const share = (hours: number) => [hours * 3_600, Math.round((hours / 24) * 10_000)];
  expect(await dayAt(-1)).toEqual(share(4));
  expect(await dayAt(0)).toEqual(share(4));
  expect(await dayAt(1)).toEqual(share(24));
  expect(await dayAt(2)).toEqual(share(6));
  // An hour in the middle of a charge that ended after it, and one in which it ended.
  expect(await useOf(instant(midnight), instant(midnight + hourMs - 1))).toEqual([3_600, 10_000]);
  expect(await useOf(instant(midnight + 3.5 * hourMs), instant(midnight + 4.5 * hourMs - 1))).toEqual([1_800, 5_000]);
  // The first hour of a charge that ended more than 24 hours after it, as the hints say.
  const first = `from=${toIso(instant(midnight + dayMs))}&to=${toIso(instant(midnight + dayMs + hourMs - 1))}`;
  const late = await ask<AnswerOf<typeof contract.getPortUse>>(`/statistics/ports?${first}&siteId=${place.siteId}`);
  expect(late.utilisationE4).toBe(0);
  const range = `from=${shanghaiDate(instant(midnight + dayMs))}&to=${shanghaiDate(instant(midnight + 2 * dayMs))}`;
  const { items } = await ask<Totals>(`/totals?by=day&${range}&siteId=${place.siteId}`);
  // By day, all of a charge counts where it ended, as the column says.
  expect(items.map(({ day: on, utilisationPercent }) => [on, utilisationPercent])).toEqual([
    [shanghaiDate(instant(midnight + 2 * dayMs)), 62.5],
  ]);
});
