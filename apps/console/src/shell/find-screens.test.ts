import { describe, expect, test } from 'vitest';
import { screenFinder } from './find-screens.ts';

const screen = (path: string, title: string) => ({ path, title, icon: null, above: [] });
const find = screenFinder([
  screen('/home', '首页'),
  screen('/deviceList', '充电桩'),
  screen('/orderListReal', '实时订单'),
  screen('/orderListHistory', '历史订单'),
  screen('/user', 'System users'),
]);
const paths = (text: string) => find(text).map(({ path }) => path);

describe('the search for screens (specification section 2: title and path, threshold 0.4)', () => {
  test('the search for screens finds by a part of the title', () => {
    expect(paths('订单')).toEqual(expect.arrayContaining(['/orderListReal', '/orderListHistory']));
    expect(paths('充电')).toEqual(['/deviceList']);
  });

  test('the search for screens finds by the path', () => {
    expect(paths('history')).toEqual(['/orderListHistory']);
  });

  test('the search for screens forgives a letter', () => {
    expect(paths('sistem')).toContain('/user');
    expect(paths('devicelst')).toContain('/deviceList');
  });

  test('the search for screens finds nothing for something else', () => {
    expect(paths('zzzzqqq')).toEqual([]);
    expect(paths('   ')).toEqual([]);
  });
});
