import { describe, expect, test } from 'vitest';
import { type FilterShape, nextSort, readListState, writeListState } from './list-query.ts';

const filters: FilterShape[] = [
  { kind: 'text', name: 'number' },
  { kind: 'choice', name: 'state', choices: [{ value: 'a' }, { value: 'b' }] },
  { kind: 'flag', name: 'abnormal' },
  { kind: 'record', name: 'siteId' },
  { kind: 'region', name: 'regionCode' },
  {
    kind: 'period',
    name: 'period',
    from: 'from',
    to: 'to',
    which: { name: 'time', choices: [{ value: 'placed' }, { value: 'ended' }] },
  },
];
const sorts = ['placedAt'];
const read = (search: string) => readListState(new URLSearchParams(search), filters, sorts);

describe('the address of a list', () => {
  test("an empty address of a list means the first twenty rows in the server's order", () => {
    expect(read('')).toEqual({ page: 1, pageSize: 20, sort: undefined, values: {} });
  });

  test('the address of a list carries every kind of filter', () => {
    const search =
      'number= 12 &state=b,a&abnormal=true&siteId=3&regionCode=330106&from=2026-11-20T16:00:00.000Z&time=ended&page=3&pageSize=50&sort=-placedAt';
    expect(read(search)).toEqual({
      page: 3,
      pageSize: 50,
      sort: '-placedAt',
      values: {
        number: '12',
        state: 'b,a',
        abnormal: 'true',
        siteId: '3',
        regionCode: '330106',
        from: '2026-11-20T16:00:00.000Z',
        time: 'ended',
      },
    });
  });

  test('invalid values in the address of a list are ignored', () => {
    const search =
      'number=&state=x,b,b&abnormal=maybe&siteId=-1&regionCode=33&from=yesterday&time=never&page=0&pageSize=7&sort=amount';
    expect(read(search)).toEqual({ page: 1, pageSize: 20, sort: undefined, values: { state: 'b' } });
  });

  test('the address of a list cannot go to a deeper page than lists allow', () => {
    expect(read('page=99999').page).toBe(500);
    expect(read('page=99999&pageSize=100').page).toBe(100);
  });

  test('the address of a list returns to page 1 on any change except of the page', () => {
    const at = new URLSearchParams('page=3&sort=placedAt&view=tiles');
    expect(writeListState(at, { values: { number: '1' } }).toString()).toBe('sort=placedAt&view=tiles&number=1');
    expect(writeListState(at, { pageSize: 50 }).toString()).toBe('sort=placedAt&view=tiles&pageSize=50');
    expect(writeListState(at, { sort: undefined }).toString()).toBe('view=tiles');
    expect(writeListState(at, { page: 4 }).toString()).toBe('page=4&sort=placedAt&view=tiles');
  });

  test('the address of a list omits defaults', () => {
    expect(writeListState(new URLSearchParams('pageSize=50'), { pageSize: 20 }).toString()).toBe('');
    expect(writeListState(new URLSearchParams('page=2'), { page: 1 }).toString()).toBe('');
  });
});

test("a column head sorts descending, then ascending, then in the server's order", () => {
  expect(nextSort(undefined, 'x')).toBe('-x');
  expect(nextSort('-x', 'x')).toBe('x');
  expect(nextSort('x', 'x')).toBeUndefined();
  expect(nextSort('-y', 'x')).toBe('-x');
  expect(nextSort(undefined, 'x', '-y')).toBe('-x');
  expect(nextSort('x', 'x', '-y')).toBeUndefined();
});

test('the head of the default sort column toggles between ascending and descending', () => {
  expect(nextSort(undefined, 'x', '-x')).toBe('x');
  expect(nextSort('x', 'x', '-x')).toBeUndefined();
  expect(nextSort('y', 'x', '-x')).toBeUndefined();
  expect(nextSort(undefined, 'x', 'x')).toBe('-x');
  expect(nextSort('-x', 'x', 'x')).toBeUndefined();
  expect(nextSort('-y', 'x', 'x')).toBe('-x');
});
