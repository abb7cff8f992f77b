import { changeMenu, type Menu } from '@voltdeck/contract/menus';
import { expect, test } from 'vitest';
import { bodyOf, newMenu } from './menu-form-body.ts';

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

test('a menu that is sent unchanged stays unchanged', () => {
  const { code: _, permission: __, builtIn: ___, ...form } = history;
  expect(bodyOf(history)).toEqual(form);
  expect(changeMenu.body?.safeParse(bodyOf(history)).success).toBe(true);
});

test('a new menu comes after its siblings', () => {
  expect(newMenu([history], { ...history, code: 'orders' }).sort).toBe(40);
  expect(newMenu([history], null)).not.toHaveProperty('parentCode');
});
