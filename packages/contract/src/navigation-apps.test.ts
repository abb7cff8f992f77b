import { expect, test } from 'vitest';
import { configuredNavigation } from './navigation-apps.ts';

test.each([
  ['amap', ['amap']],
  ['Tencent, amap', ['tencent', 'amap']],
  ['baidu，apple', ['baidu', 'apple']],
  ['', []],
  ['none', []],
  ['amap,google', null],
  ['amap,amap', null],
  ['none,amap', null],
])('the navigation parameter "%s" offers %j', (value, expected) => {
  expect(configuredNavigation(value)).toEqual(expected);
});
