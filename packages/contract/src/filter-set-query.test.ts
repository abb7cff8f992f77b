import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { movesWithDay, queryToKeep, valuesNow } from './filter-set-query.ts';

const parameters = ['state', 'from', 'to', 'sort'];
// 09:30 in Shanghai.
const now = instant(Date.parse('2026-11-21T01:30:00Z'));
const tomorrow = instant(Date.parse('2026-11-22T03:00:00Z'));
const keep = (text: string) => queryToKeep(new URLSearchParams(text), parameters, now);

test('a filter set keeps the filters and the sort of its list, and nothing else from the address', () => {
  expect(keep('state=fault,free&page=3&pageSize=50&do=edit&of=7&sort=-number')).toBe('sort=-number&state=fault%2Cfree');
  expect(keep('page=3&state=')).toBe('');
});

test('a period that ends today moves with the day', () => {
  const today = keep('from=2026-11-20T16:00:00.000Z&to=2026-11-21T15:59:59.000Z');
  expect(movesWithDay(today)).toBe(true);
  expect(valuesNow(today, parameters, tomorrow)).toEqual({
    state: undefined,
    from: '2026-11-21T16:00:00.000Z',
    to: '2026-11-22T15:59:59.000Z',
    sort: undefined,
  });
  const week = keep('from=2026-11-14T16:00:00Z&to=2026-11-21T15:59:59Z');
  expect(valuesNow(week, parameters, tomorrow).from).toBe('2026-11-15T16:00:00.000Z');
  const since = keep('from=2026-11-20T16:00:00Z');
  expect(valuesNow(since, parameters, tomorrow)).toMatchObject({ from: '2026-11-21T16:00:00.000Z', to: undefined });
  const yesterday = keep('from=2026-11-19T16:00:00Z&to=2026-11-20T15:59:59Z');
  expect(valuesNow(yesterday, parameters, tomorrow)).toMatchObject({
    from: '2026-11-20T16:00:00.000Z',
    to: '2026-11-21T15:59:59.000Z',
  });
});

test('a period with explicit dates stays fixed', () => {
  const text = 'from=2026-11-01T16%3A00%3A00Z&to=2026-11-05T15%3A59%3A59Z';
  expect(keep(text)).toBe(text);
  expect(movesWithDay(text)).toBe(false);
  expect(valuesNow(text, parameters, tomorrow)).toMatchObject({
    from: '2026-11-01T16:00:00Z',
    to: '2026-11-05T15:59:59Z',
  });
});

test('a text that looks like a day of a period stays a text', () => {
  const kept = queryToKeep(new URLSearchParams('name=@5'), ['name', ...parameters], now);
  expect(valuesNow(kept, ['name', ...parameters], tomorrow)).toMatchObject({ name: '@5' });
});
