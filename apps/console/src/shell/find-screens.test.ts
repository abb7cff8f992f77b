import { describe, expect, test } from 'vitest';
import { finderOf } from './find-screens.ts';
import { spellsPinyin } from './spell-pinyin.ts';

const screens = [
  { path: '/home', title: '首页', otherTitle: 'Home' },
  { path: '/deviceList', title: '充电桩', otherTitle: 'Charging stations' },
  { path: '/orderListReal', title: '实时订单', otherTitle: 'Live orders' },
  { path: '/orderListHistory', title: '历史订单', otherTitle: 'Order history' },
  { path: '/user', title: 'System users', otherTitle: '系统用户' },
];
const find = finderOf(screens, spellsPinyin);
const paths = (text: string) => find(text).map(({ entry }) => entry.path);

describe('the search for screens (specification section 2: title and path, threshold 0.4)', () => {
  test('the search for screens matches part of the title', () => {
    expect(paths('订单')).toEqual(['/orderListReal', '/orderListHistory']);
    expect(paths('充电')).toEqual(['/deviceList']);
  });

  test('the search for screens matches the path', () => {
    expect(paths('listhistory')).toEqual(['/orderListHistory']);
  });

  test('the search for screens tolerates a wrong letter', () => {
    expect(paths('sistem')).toContain('/user');
    expect(paths('devicelst')).toContain('/deviceList');
  });

  test('the search for screens finds nothing for an unrelated text', () => {
    expect(paths('zzzzqqq')).toEqual([]);
    expect(paths('   ')).toEqual([]);
  });

  test.each([
    ['ssdd', '/orderListReal'],
    ['shishidingdan', '/orderListReal'],
    ['lishi', '/orderListHistory'],
    ['chongdianz', '/deviceList'],
    ['CDZ', '/deviceList'],
    ['xtyh', '/user'],
  ])('the search for screens finds %s by pinyin, in full or by initials', (text, path) => {
    expect(paths(text)[0]).toBe(path);
  });

  test('the search for screens matches the title in the other language', () => {
    expect(paths('charging')[0]).toBe('/deviceList');
    expect(paths('系统用户')[0]).toBe('/user');
  });

  test('exact titles come first, then prefixes, then partial matches, then pinyin', () => {
    const rank = finderOf(
      ['老订单', '订单列表', '订单', '点单'].map((title) => ({ title })),
      spellsPinyin,
    );
    expect(rank('订单').map(({ entry }) => entry.title)).toEqual(['订单', '订单列表', '老订单']);
    expect(rank('dd').map(({ entry }) => entry.title)).toEqual(['老订单', '订单列表', '订单', '点单']);
  });

  test('screens are found without pinyin, which is loaded separately', () => {
    const bare = finderOf(screens);
    expect(bare('订单')).toHaveLength(2);
    expect(bare('ssdd')).toEqual([]);
  });
});
