import { expect, test } from 'vitest';
import type { FoundAnswer } from './found-places.ts';
import { type Entry, entryFinder, entryOfAct, groupsOfFound, recentOf } from './search-entries.tsx';
import { spellsPinyin } from './spell-pinyin.ts';

const nothing = () => undefined;
const act = (key: string, label: string): Entry => entryOfAct({ key, label, onClick: nothing }, null);
const screens = [
  { path: '/orderListHistory', title: '历史订单', icon: null, above: ['订单管理'] },
  { path: '/deviceList', title: '充电桩', icon: null, above: [] },
];
const offer = {
  screens,
  groups: [
    { key: 'here', title: '当前页面', entries: [act('add', '添加充电桩'), act('list.refresh', '刷新')] },
    { key: 'console', title: '控制台', entries: [act('logout', '退出登录')] },
  ],
};
const find = entryFinder(offer, { 'menu.deviceList': 'Charging stations' }, spellsPinyin);
const titlesOf = (groups: readonly { entries: readonly Entry[] }[]) =>
  groups.map(({ entries }) => entries.map(({ title }) => title));

test('screens and acts are found together, each in a group', () => {
  const groups = find('充电桩', []);
  expect(titlesOf(groups)).toEqual([['充电桩'], ['添加充电桩']]);
  expect(groups.map(({ distance }) => distance)).toEqual([0, 0.1]);
  expect(titlesOf(find('tcdl', []))).toEqual([['退出登录']]);
  expect(titlesOf(find('charging stations', []))).toEqual([['充电桩']]);
});

test('of equally good matches, those used before come first', () => {
  const alike = entryFinder(
    { screens: [], groups: [{ key: 'here', title: '', entries: [act('a', '刷新甲'), act('b', '刷新乙')] }] },
    {},
    null,
  );
  expect(titlesOf(alike('刷新', []))).toEqual([['刷新甲', '刷新乙']]);
  expect(titlesOf(alike('刷新', [{ act: 'b' }]))).toEqual([['刷新乙', '刷新甲']]);
});

test('recent entries are offered if they are still available, screens by their current name', () => {
  const visits = [
    { act: 'list.refresh' },
    { act: 'order.stop' },
    { title: 'Order history', path: '/orderListHistory' },
    { title: 'ST-1', path: '/deviceDetail?id=1' },
    { title: 'Secret', path: '/user' },
  ];
  const recent = recentOf(visits, offer, (path) => path === '/deviceDetail', null);
  expect(titlesOf(recent)).toEqual([['刷新', '历史订单', 'ST-1']]);
  expect(recentOf([], offer, () => true, null)).toEqual([]);
});

const station = (id: number) => ({ id, number: `ST-${id}`, title: `ST-${id}`, detail: '' });
const found = (items: FoundAnswer['items'], total: number, totalIsAtLeast = false): FoundAnswer => ({
  kind: 'station',
  match: 'part',
  items,
  hasMore: total > items.length,
  totals: [{ list: 'deviceList', filter: 'number', total, totalIsAtLeast }],
});
const grouped = (answer: FoundAnswer, text = 'st') =>
  groupsOfFound(
    [answer],
    text,
    () => true,
    () => 'Stations',
  );

test('a group with hidden matches has a link to all of them, a complete one has none', () => {
  const five = [1, 2, 3, 4, 5].map(station);
  const last = (answer: FoundAnswer) => grouped(answer)[0]?.entries.at(-1);
  expect(last(found(five, 9))).toMatchObject({ title: 'search.all', path: '/deviceList?number=st' });
  expect(last(found(five, 200, true))).toMatchObject({ title: 'search.allAtLeast' });
  expect(last(found(five, 5))).toMatchObject({ title: 'ST-5' });
});

test('the link to all matches has the text that was searched, not the groups of digits that were typed', () => {
  const answer: FoundAnswer = {
    ...found([1, 2, 3, 4, 5].map(station), 9),
    kind: 'customer',
    totals: [{ list: 'registerUser', filter: 'phone', total: 9, totalIsAtLeast: false }],
  };
  for (const [typed, searched] of [
    ['138 0000', '1380000'],
    [' +86 138 0013 8000 ', '13800138000'],
    ['Lake 12', 'Lake+12'],
  ] as const) {
    expect(grouped(answer, typed)[0]?.entries.at(-1)).toMatchObject({ path: `/registerUser?phone=${searched}` });
  }
});

test('a record found by its whole number comes before every screen, even where its number is masked', () => {
  const masked = found([{ id: 1, number: '138****5678', title: '138****5678', detail: '' }], 1);
  const distanceOf = (match: FoundAnswer['match']) => grouped({ ...masked, match })[0]?.distance ?? Number.NaN;
  expect(distanceOf('exact')).toBeLessThan(0);
  expect(distanceOf('beginning')).toBeGreaterThan(0);
  expect(distanceOf('beginning')).toBeLessThan(distanceOf('part'));
});

test('a kind with more matches than are shown, which no list finds by this text, says so in its name', () => {
  const five = [1, 2, 3, 4, 5].map(station);
  expect(grouped({ ...found(five, 9), totals: [] })[0]?.title).toBe('search.someOf');
  expect(grouped(found(five, 9))[0]?.title).toBe('search.kind.station');
});

test('a found record that no screen can show is left out, and its kind with it', () => {
  expect(
    groupsOfFound(
      [found([station(1)], 1)],
      'st',
      () => false,
      () => '',
    ),
  ).toEqual([]);
});
