import type { StartDropOut } from '@voltdeck/charging/start-attempt';
import {
  attemptsBehind,
  type getQuality,
  type getQualityLeague,
  leagueSubjects,
  type StartAttempt,
} from '@voltdeck/contract/quality';
import type { AnswerOf } from '@voltdeck/contract/route';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteRefusedStart, refusalRowsPerMinute } from '../attempts/note-refused-start.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { StationsTable } from '../database/tables.generated.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { keepAttemptSums } from './keep-attempt-sums.ts';
import { startAttemptList } from './queries.ts';

type Quality = AnswerOf<typeof getQuality>;
type League = AnswerOf<typeof getQualityLeague>;
type Filter = Readonly<Record<string, unknown>>;

/** Beyond the rows that refusals of one minute have. */
const floodedTimes = refusalRowsPerMinute + 5;

let api: TestApi;
let places: { own: Place; alpha: Place; beta: Place };
let tokens: { alpha: string; none: string };
/** The beginning of a day in China, two days ago. */
let day: Instant;
let period: { from: string; to: string };

beforeAll(async () => {
  api = await openTestApi();
  day = instant(shanghaiDayStart(instant(Date.now())) - 2 * dayMs);
  period = { from: toIso(day), to: toIso(instant(day + dayMs - 1)) };
  const [alphaId, betaId] = [await api.addAgent('alpha'), await api.addAgent('beta')];
  places = {
    own: await makePlace(api.database, null, 'own'),
    alpha: await makePlace(api.database, alphaId, 'alpha'),
    beta: await makePlace(api.database, betaId, 'beta'),
  };
  const user = async (name: string, permissions: ('quality.read' | 'order.read')[], agentId?: AgentId) =>
    (await api.addUser({ name, permissions, ...(agentId === undefined ? {} : { scope: 'agent', agentId }) })).token;
  tokens = {
    alpha: await user('alpha-clerk', ['quality.read'], alphaId),
    none: await user('nobody', ['order.read']),
  };
  await api.database.db
    .updateTable('stations')
    .set({ created_at: instant(day - dayMs) })
    .execute();
  await setStation(places.own, { vendor: 'Volta', model: 'V60', firmware_version: '1.2' });
  await setStation(places.alpha, { vendor: 'Volta', model: 'V120', firmware_version: '' });
  await setStation(places.beta, { equipment_type: 'two-wheel' });
  await setSite(places.own, '970201');
  await setSite(places.alpha, '310115');
  await setSite(places.beta, '330106');
  for (const place of Object.values(places)) {
    const at = (hours: number, minutes = 0) => instant(day + hours * hourMs + minutes * minuteMs);
    await makeOrder(api.database, place, at(0));
    await makeOrder(api.database, place, instant(day + dayMs - 1));
    // The same person tries again within ten minutes.
    await makeOrder(api.database, place, at(9), { stop_reason: 'emergency_stop', energy_wh: wattHours(100) });
    await makeOrder(api.database, place, at(9, 5), { stop_reason: 'station_fault' });
    await makeOrder(api.database, place, at(11), { energy_wh: wattHours(0) });
    await makeOrder(api.database, place, at(12), { state: 'charging', settled_at: null, ended_at: null });
    await keepAttemptSums(api.database.db);
    await makeOrder(api.database, place, at(13), { start_mode: 'scan' });
    await makeOrder(api.database, place, instant(day - 1));
    await makeOrder(api.database, place, instant(day + dayMs));
  }
  for (let asked = 0; asked < floodedTimes; asked += 1) {
    const at = instant(day + 15 * hourMs + asked * 100);
    await noteRefusedStart(api.database.db, {
      at,
      stationId: places.alpha.stationId,
      startMode: 'card',
      cardNumber: 'NOBODY',
      dropOut: 'card_unknown',
    });
  }
});
afterAll(() => api.close());

const setStation = ({ stationId }: Place, values: Updateable<StationsTable>) =>
  api.database.db.updateTable('stations').set(values).where('id', '=', stationId).execute();
const setSite = ({ siteId }: Place, regionCode: string) =>
  api.database.db.updateTable('sites').set({ region_code: regionCode }).where('id', '=', siteId).execute();

const addressOf = (path: string, filter: Filter) =>
  `${path}?${Object.entries(filter)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')}`;

async function ask<Answer>(path: string, filter: Filter = {}, token?: string): Promise<Answer> {
  const answer = await api.get<Answer>(addressOf(path, filter), token === undefined ? {} : { token });
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.data;
}

/** What the list of attempts says for these filters: how often somebody tried, and in how many rows. */
async function listed(filter: Filter, token?: string): Promise<{ attempts: number; rows: number }> {
  const { total, sums } = await ask<{ total: number; sums: { times: number } }>(
    '/start-attempts/totals',
    filter,
    token,
  );
  const { items } = await ask<{ items: StartAttempt[] }>('/start-attempts', { ...filter, pageSize: 100 }, token);
  expect(items).toHaveLength(total);
  expect(items.reduce((sum, { times }) => sum + times, 0)).toBe(sums.times);
  return { attempts: sums.times, rows: total };
}

describe('a figure and the attempts behind it', () => {
  const filters: [string, () => Filter][] = [
    ['the whole network', () => ({})],
    ['a site', () => ({ siteId: places.alpha.siteId })],
    ['an agent', () => ({ agentId: places.beta.agentId })],
    ['a region', () => ({ regionCode: '330000' })],
    ['a kind of equipment', () => ({ equipmentType: 'two-wheel' })],
    ['a kind of start', () => ({ startMode: 'scan' })],
    ['two kinds of start at a site', () => ({ startMode: 'scan,card', siteId: places.alpha.siteId })],
  ];

  test.each(filters)('every step, reason and visit of %s leads to as many attempts as it says', async (_, filterOf) => {
    const filter = { ...period, ...filterOf() };
    const quality = await ask<Quality>('/quality', filter);
    for (const { step, attempts, underWay, dropOuts } of quality.steps) {
      expect((await listed({ ...filter, ...attemptsBehind.step(step) })).attempts, step).toBe(attempts);
      if (step !== 'ended_clean') {
        expect((await listed({ ...filter, ...attemptsBehind.underWay(step) })).attempts, step).toBe(underWay);
      }
      for (const { dropOut, attempts: fallen } of dropOuts) {
        expect((await listed({ ...filter, ...attemptsBehind.dropOut(step, dropOut) })).attempts, dropOut).toBe(fallen);
      }
    }
    expect((await listed({ ...filter, ...attemptsBehind.visits })).rows).toBe(quality.visits);
    expect((await listed({ ...filter, ...attemptsBehind.firstTimes })).rows).toBe(quality.firstTimes);
  });

  test.each(leagueSubjects)('every row of the league by %s leads to its attempts, reported or not', async (by) => {
    const { rows } = await ask<League>('/quality/league', { ...period, by });
    expect(rows.length).toBeGreaterThan(1);
    if (by !== 'site') expect(rows.some((row) => row[by] === '')).toBe(true);
    for (const row of rows) {
      const filter = { ...period, ...attemptsBehind.leagueRow(row) };
      expect((await listed(filter)).attempts, JSON.stringify(filter)).toBe(row.attempts);
    }
    const { steps } = await ask<Quality>('/quality', period);
    expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(steps[0]?.attempts);
  });

  test('a flood of refusals counts as often as somebody was refused, in figure and list, though few rows are kept', async () => {
    const { steps } = await ask<Quality>('/quality', period);
    const fallen = (dropOut: StartDropOut) =>
      steps.flatMap(({ dropOuts }) => dropOuts).find((each) => each.dropOut === dropOut)?.attempts;
    expect(fallen('card_unknown')).toBe(floodedTimes);
    expect(await listed({ ...period, ...attemptsBehind.dropOut('asked', 'card_unknown') })).toEqual({
      attempts: floodedTimes,
      rows: refusalRowsPerMinute,
    });
    const file = await api.get(
      addressOf('/start-attempts/export', { ...period, format: 'csv', dropOut: 'card_unknown' }),
    );
    expect(file.text.trim().split('\n').slice(1)).toHaveLength(refusalRowsPerMinute);
  });
});

test('attempts that are under way, or at stations that told nothing, are found without reading all others', async () => {
  const { db, pool } = api.database;
  const { rows } = await pool.query<{ underWay: number; noModel: number }>(`
    select count(*) filter (where drop_out is null and step <> 'ended_clean')::int as "underWay",
           count(*) filter (where model = '')::int as "noModel" from start_attempts`);
  const filters = { underWay: { isUnderWay: true }, noModel: { unreported: ['model' as const] } };
  const plans: Record<string, string> = {};
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`
      insert into start_attempts (at, visit_id, site_id, station_id, equipment_type, start_mode, make, model, firmware, step)
      select now() - g * interval '1 hour', 0, 1, 1, 'four-wheel', 'card', 'M', 'M', 'F', 'ended_clean'
        from generate_series(1, 20000) g`);
    await client.query('analyze start_attempts');
    for (const [name, filter] of Object.entries(filters)) {
      const query = await startAttemptList.filtered(db, platformCaller(), filter, day);
      if (query === null || 'length' in query) throw new Error('one query');
      const { sql: text, parameters } = query.select('start_attempts.id').compile();
      const found = await client.query<{ id: number }>(text, [...parameters]);
      expect([name, found.rowCount]).toEqual([name, rows[0]?.[name as keyof typeof filters]]);
      const plan = await client.query(`explain ${text}`, [...parameters]);
      plans[name] = JSON.stringify(plan.rows);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(plans.underWay).not.toContain('Seq Scan on start_attempts ');
  expect(plans.underWay).toContain('start_attempts_pkey');
  expect(plans.noModel).toContain('start_attempts_no_model');
});

test('the figures of one kind of start are those of its attempts, from sums and from what they lack', async () => {
  const of = (startMode: string) => ask<Quality>('/quality', { ...period, startMode });
  const [scan, card, all] = [await of('scan'), await of('card'), await ask<Quality>('/quality', period)];
  expect(scan).toMatchObject({ visits: 3, firstTimes: 3, charges: 3, energyWh: 30_000 });
  for (const figure of ['visits', 'firstTimes', 'charges', 'energyWh', 'occupiedMs'] as const) {
    expect(scan[figure] + card[figure], figure).toBe(all[figure]);
  }
  expect(scan).toMatchObject({ portDays: all.portDays, bill: all.bill });
  const { rows } = await ask<League>('/quality/league', { ...period, startMode: 'scan', by: 'site' });
  expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

test.each([
  ['90', '900000'],
  ['33', '330000'],
  ['3101', '310100'],
])('the leading digits %s of a region have the figures and attempts of all of it', async (given, whole) => {
  const { portDays, steps } = await ask<Quality>('/quality', { ...period, regionCode: given });
  expect(portDays).toBeGreaterThan(0);
  expect({ portDays, steps }).toEqual(pick(await ask<Quality>('/quality', { ...period, regionCode: whole })));
  const { attempts } = await listed({ ...period, regionCode: given });
  expect(attempts).toBeGreaterThan(0);
  expect(attempts).toBe(steps[0]?.attempts);
});
const pick = ({ portDays, steps }: Quality) => ({ portDays, steps });

describe('what a caller is shown', () => {
  test("an agent's user has the figures and attempts of its stations alone, whatever site, agent or region is asked for", async () => {
    const all = await ask<Quality>('/quality', period, tokens.alpha);
    expect(all).toMatchObject(await ask<Quality>('/quality', { ...period, agentId: places.alpha.agentId }));
    expect(all.steps[0]?.attempts).toBe(7 + floodedTimes);
    expect((await listed(period, tokens.alpha)).attempts).toBe(7 + floodedTimes);
    for (const filter of [
      { siteId: places.beta.siteId },
      { agentId: places.beta.agentId },
      { regionCode: '330000' },
      { regionCode: '33' },
    ]) {
      const asked = { ...period, ...filter };
      const { steps, visits, portDays } = await ask<Quality>('/quality', asked, tokens.alpha);
      expect([steps[0]?.attempts, visits, portDays], JSON.stringify(filter)).toEqual([0, 0, 0]);
      for (const by of leagueSubjects) {
        expect((await ask<League>('/quality/league', { ...asked, by }, tokens.alpha)).rows).toEqual([]);
      }
      expect(await listed(asked, tokens.alpha)).toEqual({ attempts: 0, rows: 0 });
    }
  });

  test('nobody without the permission gets figures, a league or attempts', async () => {
    for (const path of [
      '/quality',
      '/quality/league',
      '/start-attempts',
      '/start-attempts/totals',
      '/start-attempts/export',
    ]) {
      expect((await api.get(path, { token: tokens.none })).status, path).toBe(403);
      expect((await api.get(path, { token: null })).status, path).toBe(401);
    }
  });
});

describe('a question that means nothing', () => {
  test.each([
    ['a reversed period', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'from'],
    ['a period of more than a year', { from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    ['a text for an instant', { from: 'yesterday' }, 'from'],
    ['a text for a site', { siteId: 'north' }, 'siteId'],
    ['a text for an agent', { agentId: 'alpha' }, 'agentId'],
    ['a name for a region', { regionCode: 'Zhejiang' }, 'regionCode'],
    ['an unknown kind of equipment', { equipmentType: 'ship' }, 'equipmentType'],
    ['a test run, which is no attempt', { startMode: 'test' }, 'startMode'],
  ])('%s is refused with its field', async (_, filter, field) => {
    for (const path of ['/quality', '/quality/league']) {
      const answer = await api.get(addressOf(path, filter));
      expect(answer.status, path).toBe(422);
      expect(answer.text).toContain(`"path":"${field}"`);
    }
  });

  test('an unknown subject of the league is refused, and an unknown site has no figures', async () => {
    expect((await api.get('/quality/league?by=colour')).status).toBe(422);
    expect((await ask<Quality>('/quality', { siteId: 999_999 })).visits).toBe(0);
  });
});
