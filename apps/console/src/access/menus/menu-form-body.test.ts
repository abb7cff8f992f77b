import type { Menu } from '@voltdeck/contract/menus';
import { expect, test } from 'vitest';
import { bodyOf, newMenu, valuesOf } from './menu-form-body.ts';

const history: Menu = {
  code: 'history',
  parentCode: 'orders',
  nameZh: '历史订单',
  nameEn: 'Order history',
  kind: 'menu',
  frontendUrl: '/orderListHistory',
  backendUrl: '',
  icon: 'history',
  permission: 'order.read',
  sort: 30,
  shown: true,
  enabled: true,
  builtIn: true,
};

test('a menu that was opened and saved stays as it was', () => {
  const { code: _, permission: __, builtIn: ___, ...form } = history;
  expect(bodyOf(valuesOf(history))).toEqual(form);
});

test('a menu without a route is a group, and a button has neither route nor icon', () => {
  expect(bodyOf({ ...valuesOf(history), frontendUrl: ' ' }).frontendUrl).toBeNull();
  expect(bodyOf({ ...valuesOf(history), kind: 'button' })).toMatchObject({ frontendUrl: null, icon: null });
});

test('a new menu stands behind its siblings', () => {
  expect(newMenu([history], { ...history, code: 'orders' }).sort).toBe(40);
  expect(newMenu([history], null)).not.toHaveProperty('parentCode');
});
