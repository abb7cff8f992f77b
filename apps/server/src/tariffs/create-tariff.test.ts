import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const firstFault = async (body: unknown, language: 'en' | 'zh-CN') => {
  const [fault] = (await api.post('/tariffs', body, { language })).envelope.message.fields ?? [];
  return fault === undefined ? null : [fault.path, fault.message];
};

describe('billing rules', () => {
  const prices = Object.fromEntries(
    ['sharp', 'peak', 'flat', 'valley'].map((period) => [period, { electricity: 100, service: 50 }]),
  );
  const slot = (start: string, end: string, period = 'flat') => ({ start, end, period });
  const energy = (slots: object[]) => ({ kind: 'energy', name: 'Day', prices, slots });

  test('an energy rule is returned as given, in the order of the day', async () => {
    const made = await api.post<{ id: number }>(
      '/tariffs',
      energy([slot('07:00', '24:00'), slot('00:00', '07:00', 'valley')]),
    );
    const read = await api.get(`/tariffs/${made.data.id}`);
    expect(read.data).toMatchObject({
      name: 'Day',
      kind: 'energy',
      stationCount: 0,
      detail: { kind: 'energy', prices, slots: [slot('00:00', '07:00', 'valley'), slot('07:00', '24:00')] },
    });
  });

  test('an hour rule has its defaults filled in', async () => {
    const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 100 }];
    const made = await api.post('/tariffs', { kind: 'hour', name: 'Bikes', tiers });
    expect(made.data).toMatchObject({
      kind: 'hour',
      detail: { kind: 'hour', stepMinutes: 60, measuredBy: 'average', longestRunHours: 12, tiers },
    });
  });

  test.each([
    [
      'a gap',
      energy([slot('00:00', '07:00'), slot('08:00', '24:00')]),
      'slots.1.start',
      '07:00 to 08:00 has no slot',
      '07:00 至 08:00 没有时段',
    ],
    [
      'an overlap',
      energy([slot('00:00', '08:00'), slot('07:00', '24:00')]),
      'slots.1.start',
      'Slots overlap from 07:00 to 08:00',
      '07:00 至 08:00 时段重叠',
    ],
    [
      'a start that is the end',
      energy([slot('00:00', '24:00'), slot('08:00', '08:00')]),
      'slots.1.end',
      'Start and end must differ',
      '开始与结束时间不能相同',
    ],
    [
      'a start after the end',
      energy([slot('00:00', '24:00'), slot('09:00', '08:00')]),
      'slots.1.end',
      'The start must be before the end',
      '开始时间须早于结束时间',
    ],
    [
      'a quarter of an hour',
      energy([slot('00:00', '00:15'), slot('00:15', '24:00')]),
      'slots.0.end',
      '00:15 must be on the hour or half hour',
      '时间 00:15 须为整点或半点',
    ],
    [
      'a missing price',
      { ...energy([slot('00:00', '24:00')]), prices: { ...prices, peak: { electricity: 1 } } },
      'prices.peak.service',
      'Required',
      '必填',
    ],
    [
      'a negative price',
      { ...energy([slot('00:00', '24:00')]), prices: { ...prices, peak: { electricity: -1, service: 0 } } },
      'prices.peak.electricity',
      'Must be at least 0',
      '不能小于 0',
    ],
    ['no slot', energy([]), 'slots', 'Required', '必填'],
    [
      '49 slots',
      energy(Array.from({ length: 49 }, () => slot('00:00', '00:30'))),
      'slots',
      'At most 48 entries',
      '最多 48 项',
    ],
    [
      'another kind',
      { kind: 'weight', name: 'x' },
      'kind',
      'Choose one of: energy, hour',
      '请从可选项中选择：energy, hour',
    ],
    [
      'tiers with a hole',
      { kind: 'hour', name: 'x', tiers: [{ fromW: 10, toW: null, feeFenPerStep: 1 }] },
      'tiers.0.fromW',
      '0 W to 10 W has no tier',
      '0 W 至 10 W 没有功率档',
    ],
  ])('%s is reported at its field in both languages', async (_what, body, path, english, chinese) => {
    expect(await firstFault(body, 'en')).toEqual([path, english]);
    expect(await firstFault(body, 'zh-CN')).toEqual([path, chinese]);
  });
});
