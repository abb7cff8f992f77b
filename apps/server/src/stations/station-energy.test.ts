import type { AnswerOf } from '@voltdeck/contract/route';
import type { getStationEnergy } from '@voltdeck/contract/stations';
import { wattHours } from '@voltdeck/units/energy';
import { dayMs, hourMs, instant, minuteMs, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';

type Energy = AnswerOf<typeof getStationEnergy>;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  // A day must not end between what is stored and what is asked.
  api.clock.now = instant(Date.now());
});
afterAll(() => api.close());

const today = () => shanghaiDayStart(instant(api.clock.now ?? Number.NaN));
const energyOf = (place: Place, query: string, ask = {}) =>
  api.get<Energy>(`/stations/${place.stationId}/energy${query}`, ask);

/** A charge that lasts from one instant to another, in milliseconds from the beginning of today in Shanghai. */
const charge = (place: Place, fromMs: number, toMs: number, energyWh: number, more: object = {}) =>
  makeOrder(api.database, place, instant(today() + fromMs), {
    started_at: instant(today() + fromMs),
    ended_at: instant(today() + toMs),
    energy_wh: wattHours(energyWh),
    ...more,
  });

test('the energy of a station today is given by the hour, and a charge over midnight is split at it', async () => {
  const place = await makePlace(api.database, null, 'hourly');
  await charge(place, -30 * minuteMs, 90 * minuteMs, 4_000);
  await charge(place, hourMs, hourMs + 30 * minuteMs, 700);
  const { data } = await energyOf(place, '?days=1');
  expect(data).toMatchObject({ by: 'hour', isPartial: false });
  expect(data.stretches).toHaveLength(24);
  expect(data.stretches.slice(0, 3)).toEqual([
    { from: toIso(today()), energyWh: 2_000, charges: 0 },
    { from: toIso(instant(today() + hourMs)), energyWh: 1_700, charges: 2 },
    { from: toIso(instant(today() + 2 * hourMs)), energyWh: 0, charges: 0 },
  ]);
});

test('the energy of a station is given for 7 days unless asked otherwise, day by day in Shanghai, and nobody else’s', async () => {
  const place = await makePlace(api.database, null, 'daily');
  const neighbour = await makePlace(api.database, null, 'next');
  await charge(neighbour, -5 * hourMs, -4 * hourMs, 99_000);
  await charge(place, -hourMs, hourMs, 10_000);
  await charge(place, -6 * dayMs, -6 * dayMs + hourMs, 3_000);
  await charge(place, -7 * dayMs, -7 * dayMs + hourMs, 55_000);
  const week = (await energyOf(place, '')).data;
  expect(week.by).toBe('day');
  expect(week.stretches.map(({ energyWh, charges }) => [energyWh, charges])).toEqual([
    [3_000, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [5_000, 0],
    [5_000, 1],
  ]);
  const month = (await energyOf(place, '?days=30')).data;
  expect(month.stretches).toHaveLength(30);
  expect(month.stretches.reduce((sum, { energyWh }) => sum + energyWh, 0)).toBe(68_000);
});

test('a running charge counts to its latest reading, and one that never began counts nothing', async () => {
  const place = await makePlace(api.database, null, 'running');
  await charge(place, -2 * hourMs, 0, 8_000, {
    state: 'charging',
    ended_at: null,
    last_reading_at: instant(today() - hourMs),
  });
  await charge(place, -2 * hourMs, 0, 0, { state: 'cancelled', started_at: null, ended_at: null });
  const { data } = await energyOf(place, '?days=7');
  expect(data.stretches.at(-2)).toMatchObject({ energyWh: 8_000, charges: 1 });
  expect(data.stretches.at(-1)).toMatchObject({ energyWh: 0, charges: 0 });
});

test('the energy of a station is not shown to another agent, and for days that are offered only', async () => {
  const agentId = await api.addAgent('Meter');
  const [own, other] = [await makePlace(api.database, agentId, 'meter'), await makePlace(api.database, null, 'hidden')];
  const { token } = await api.addUser({ name: 'meter', permissions: ['station.read'], scope: 'agent', agentId });
  expect((await energyOf(own, '', { token })).status).toBe(200);
  expect((await energyOf(other, '', { token })).status).toBe(404);
  expect((await energyOf(own, '?days=2')).envelope.message).toMatchObject({ fields: [{ path: 'days' }] });
});
