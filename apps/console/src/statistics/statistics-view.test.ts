import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { changeView, dayCount, daysOf, periodParameters, readView, stepsFor } from './statistics-view.ts';

/** 00:30 on the first of March in China, still February in Greenwich. */
const now = instant(Date.UTC(2028, 1, 29, 16, 30));
const read = (address: string) => readView(new URLSearchParams(address), now);

describe('periods', () => {
  test('a preset moves with the day in China, across months and leap days', () => {
    expect(daysOf('today', now)).toEqual({ from: '2028-03-01', to: '2028-03-01' });
    expect(daysOf('yesterday', now)).toEqual({ from: '2028-02-29', to: '2028-02-29' });
    expect(daysOf('last_7_days', now)).toEqual({ from: '2028-02-24', to: '2028-03-01' });
    expect(daysOf('last_30_days', now)).toEqual({ from: '2028-02-01', to: '2028-03-01' });
    expect(daysOf('this_month', now)).toEqual({ from: '2028-03-01', to: '2028-03-01' });
    expect(daysOf('last_month', now)).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(dayCount(daysOf('last_month', now))).toBe(29);
  });

  test('a calendar month is compared with the month before, other days with as many before them', () => {
    for (const address of ['period=this_month', 'period=last_month', 'from=2028-01-01&to=2028-01-31']) {
      expect(read(address).comparedWith, address).toBe('month');
    }
    // Today is the first day of a month.
    for (const address of [
      '',
      'period=last_30_days',
      'from=2028-01-01&to=2028-01-30',
      'from=2028-01-02&to=2028-01-31',
    ]) {
      expect(read(address).comparedWith, address).toBe('span');
    }
  });

  test('only steps that give a period several points and not too many are offered', () => {
    const days = (from: string, to: string) => stepsFor({ from, to });
    expect(days('2028-03-01', '2028-03-01')).toEqual(['hour']);
    expect(days('2028-02-24', '2028-03-01')).toEqual(['hour', 'day']);
    expect(days('2028-02-01', '2028-03-01')).toEqual(['day']);
    expect(days('2027-03-02', '2028-03-01')).toEqual(['day', 'month']);
    expect(days('2026-01-01', '2028-03-01')).toEqual(['month']);
  });
});

describe('the address', () => {
  test('an address that says nothing shows today by the hour', () => {
    expect(read('')).toMatchObject({
      preset: 'today',
      step: 'hour',
      by: 'receivable',
      measure: 'receivable',
      filter: {},
    });
  });

  test('an address brings a view back: its days, step, filters and rankings', () => {
    const view = read(
      'from=2028-02-01&to=2028-02-07&step=hour&regionCode=330000&agentId=3&siteId=7&equipmentType=two-wheel&by=energy&measure=orders',
    );
    expect(view).toEqual({
      preset: null,
      comparedWith: 'span',
      period: { from: '2028-02-01', to: '2028-02-07' },
      step: 'hour',
      steps: ['hour', 'day'],
      by: 'energy',
      measure: 'orders',
      filter: { regionCode: '330000', agentId: 3, siteId: 7, equipmentType: 'two-wheel' },
    });
  });

  test('what makes no sense in an address is ignored: reversed, endless and false days, steps that do not fit, ids', () => {
    for (const days of ['from=2028-02-07&to=2028-02-01', 'from=2000-01-01&to=2028-02-01', 'from=soon&to=2028-02-01']) {
      expect(read(days).preset, days).toBe('today');
    }
    expect(read('step=month').step).toBe('hour');
    expect(read('siteId=-1&agentId=x&regionCode=Zhejiang&equipmentType=boat').filter).toEqual({});
  });

  test('a preset replaces days of one’s own and their step, and filters stay', () => {
    const search = new URLSearchParams('from=2028-02-01&to=2028-02-07&step=hour&siteId=7');
    expect(changeView(search, periodParameters('last_month')).toString()).toBe('siteId=7&period=last_month');
    expect(changeView(search, periodParameters('today')).toString()).toBe('siteId=7');
  });
});
