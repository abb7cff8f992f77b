import type { ForecastAnswer } from '@voltdeck/contract/statistics';
import { dayMs, hourMs, type Instant, instant, shanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { keepSales } from './keep-sales.ts';

let api: TestApi;
let alpha: Place;
let beta: Place;
let tokens: { alpha: string; beta: string };
/** A Tuesday in August 2026: no holiday is within its history. */
const today = Date.UTC(2026, 7, 25) - 8 * hourMs;
const kWhOfDay = 24 * 10;

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = instant(today + 9 * hourMs);
  const [alphaId, betaId] = [await api.addAgent('alpha'), await api.addAgent('beta')];
  [alpha, beta] = [await makePlace(api.database, alphaId, 'alpha'), await makePlace(api.database, betaId, 'beta')];
  const user = async (name: string, agentId: typeof alphaId) =>
    (await api.addUser({ name, permissions: ['statistics.read'], scope: 'agent', agentId })).token;
  tokens = { alpha: await user('alpha-clerk', alphaId), beta: await user('beta-clerk', betaId) };
  // Kept sums as the orders of a steady site would have left them: 10 kWh and 10.00 each hour for 90 days.
  await api.database.pool.query(
    `insert into sale_site_hours (hour_at, site_id, agent_id, equipment_type, orders, energy_wh, busy_s, electricity_fen,
       service_fen, amount_fen, discount_fen, paid_fen, refunded_fen)
     select hour_at, $1, $2, 'four-wheel', 1, 10000, 1800, 600, 500, 1100, 100, 1000, 0
       from generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') hour_at`,
    [alpha.siteId, alphaId, new Date(today - 90 * dayMs), new Date(today)],
  );
  await api.database.pool.query(
    `insert into sale_agent_hours (hour_at, agent_id, equipment_type, orders, energy_wh, busy_s, electricity_fen,
       service_fen, amount_fen, discount_fen, paid_fen, refunded_fen)
     select hour_at, agent_id, equipment_type, orders, energy_wh, busy_s, electricity_fen, service_fen, amount_fen,
            discount_fen, paid_fen, refunded_fen from sale_site_hours`,
  );
});
afterAll(() => api.close());

async function ask(query = '', token?: string) {
  const answer = await api.get<ForecastAnswer>(`/statistics/forecast${query}`, token === undefined ? {} : { token });
  expect(answer.status).toBe(200);
  return answer.data;
}

test('tomorrow is forecast hour by hour, and yesterday’s forecast stands beside what happened', async () => {
  for (const query of [`?siteId=${alpha.siteId}`, '']) {
    const { firstOn, tomorrow, yesterday } = await ask(query);
    expect(firstOn).not.toBeNull();
    expect(tomorrow).toMatchObject({ day: '2026-08-26', dayKind: 'ordinary', isCalendarKnown: true });
    const steady = { expected: kWhOfDay * 1_000, low: kWhOfDay * 1_000, high: kWhOfDay * 1_000 };
    expect(tomorrow.forecast?.energyWh).toEqual(steady);
    expect(tomorrow.forecast?.receivableFen.expected).toBe(24 * 1_000);
    expect(tomorrow.forecast?.hours).toHaveLength(24);
    expect(tomorrow.forecast?.hours[7]).toMatchObject({ hour: 7, powerW: { expected: 10_000 } });
    expect(yesterday).toMatchObject({
      day: '2026-08-24',
      actual: { energyWh: kWhOfDay * 1_000, receivableFen: 24_000 },
      energyErrorE4: 0,
      receivableErrorE4: 0,
    });
  }
});

test('yesterday’s forecast knows nothing of yesterday, and its error says by how much it was too high', async () => {
  const site = `?siteId=${alpha.siteId}`;
  const before = await ask(site);
  const yesterdayAt = instant(today - dayMs);
  const where = `site_id = $1 and hour_at >= $2 and hour_at < $3`;
  const values = [alpha.siteId, new Date(yesterdayAt), new Date(today)];
  await api.database.pool.query(`update sale_site_hours set energy_wh = 5000 where ${where}`, values);
  const after = await ask(site);
  expect(after.yesterday.forecast).toEqual(before.yesterday.forecast);
  expect(after.yesterday.energyErrorE4).toBe(10_000);
  expect(after.yesterday.actual.hours.map(({ powerW }) => powerW)).toEqual(Array.from({ length: 24 }, () => 5_000));
  await api.database.pool.query(`update sale_site_hours set energy_wh = 10000 where ${where}`, values);
});

test('what ends today changes nothing, and what ended yesterday counts before it is kept', async () => {
  const before = await ask(`?siteId=${alpha.siteId}`);
  const settle = (settledAt: Instant) =>
    makeSettledOrder(api.database, alpha, { electricityFeeFen: 5_000, serviceFeeFen: 0, settledAt });
  await settle(instant(today + 2 * hourMs));
  expect(await ask(`?siteId=${alpha.siteId}`)).toEqual(before);
  await settle(instant(today - 2 * hourMs));
  const after = await ask(`?siteId=${alpha.siteId}`);
  expect(after.yesterday.actual.receivableFen).toBe(before.yesterday.actual.receivableFen + 5_000);
  expect(after.yesterday.receivableErrorE4).toBeLessThan(0);
  await keepSales(api.database.db);
  expect(await ask(`?siteId=${alpha.siteId}`)).toEqual(after);
});

test('an agent sees the forecast of its own sites only, and without history there is none', async () => {
  expect((await ask('', tokens.alpha)).tomorrow).toEqual((await ask(`?siteId=${alpha.siteId}`)).tomorrow);
  const nothing = { firstOn: null, tomorrow: { forecast: null }, yesterday: { forecast: null, energyErrorE4: null } };
  expect(await ask('', tokens.beta)).toMatchObject(nothing);
  expect(await ask(`?siteId=${alpha.siteId}`, tokens.beta)).toMatchObject(nothing);
  expect((await ask(`?siteId=${beta.siteId}`)).yesterday.actual).toMatchObject({ energyWh: 0, receivableFen: 0 });
});

test('a site of three weeks has no forecast yet, and the answer says since when it is known', async () => {
  const { rows } = await api.database.pool.query<{ count: number }>(
    `delete from sale_site_hours where site_id = $1 and hour_at < $2 returning 1 as count`,
    [alpha.siteId, new Date(today - 21 * dayMs)],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(await ask(`?siteId=${alpha.siteId}`)).toMatchObject({
    firstOn: shanghaiDate(shanghaiDayStart(instant(today - 21 * dayMs))),
    tomorrow: { forecast: null },
  });
});
