import type { MenuEntry } from '@voltdeck/contract/access';
import type { Menu } from '@voltdeck/contract/menus';
import type { Position } from '@voltdeck/contract/positions';
import { ok } from '@voltdeck/units/result';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../database/transact.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { menuDepthMax } from './menu-tree.ts';
import { productMenus } from './product-menus.ts';
import { seedMenus } from './seed-menus.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  return () => api.close();
});

const plain = {
  parentCode: null,
  nameZh: '自定义',
  nameEn: 'Own',
  kind: 'menu',
  frontendUrl: null,
  icon: null,
  sort: 5_000,
  shown: true,
  enabled: true,
};
const list = async (query = '', ask: object = {}) => (await api.get<Menu[]>(`/menus${query}`, ask)).data;
const menuOf = async (code: string) => {
  const menu = (await list()).find((one) => one.code === code);
  if (menu === undefined) throw new Error(`no menu ${code}`);
  return menu;
};
const create = (code: string, body: object = {}, ask: object = {}) =>
  api.post<Menu>('/menus', { code, ...plain, ...body }, ask);
/** The whole form of a menu as it is, with these changes. */
const change = async (code: string, changes: object, ask: object = {}) => {
  const { code: _code, permission: _permission, builtIn: _builtIn, ...form } = await menuOf(code);
  return api.ask<Menu>('PUT', `/menus/${code}`, { body: { ...form, ...changes }, ...ask });
};
const remove = (code: string, ask: object = {}) => api.ask('DELETE', `/menus/${code}`, ask);
const errorOf = async (answer: Promise<{ envelope: { message: { error?: string } } }>) =>
  (await answer).envelope.message.error;
const fieldsOf = async (
  answer: Promise<{ envelope: { message: { fields?: readonly { path: string; code: string }[] } } }>,
) => (await answer).envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
const codesOf = (menus: readonly MenuEntry[]): string[] =>
  menus.flatMap((menu) => [menu.code, ...codesOf(menu.children)]);
const shownTo = async (token: string) => codesOf((await api.get<MenuEntry[]>('/menu/getUserMenu', { token })).data);

describe('the menus', () => {
  test('the menus are the product’s with their buttons, each after its parent', async () => {
    const menus = await list();
    expect(menus.map(({ code }) => code)).toEqual(productMenus.map(({ code }) => code));
    expect(await menuOf('order.refund')).toMatchObject({
      kind: 'button',
      parentCode: 'orderListHistory',
      nameZh: '订单退款',
      nameEn: 'Refund orders',
      permission: 'order.refund',
      backendUrl: '/api/refunds/{id}/retries, /api/orders/{id}/refunds',
      builtIn: true,
    });
    expect(await menuOf('rulesList')).toMatchObject({ frontendUrl: '/rules/list', permission: 'tariff.read' });
    expect(await menuOf('tixianRecods')).toMatchObject({ shown: false });
  });

  test('the grantable menus are the caller’s own with their groups', async () => {
    const { token } = await api.addUser({ name: 'granter', permissions: ['position.read', 'order.refund'] });
    const codes = (await list('?grantable=true', { token })).map(({ code }) => code);
    expect(codes).toEqual(['chargeOrderList', 'orderListHistory', 'order.refund', 'systemUser', 'role']);
    expect((await list('?grantable=true')).length).toBe((await list()).length);
  });

  test('menus can be renamed, moved, hidden and disabled, and stay so after the next start', async () => {
    expect(
      (await change('plotList', { nameZh: '场站', parentCode: 'device', icon: 'home', shown: false })).status,
    ).toBe(200);
    await transact(api.database.db, async (trx) => ok(await seedMenus(trx)));
    expect(await menuOf('plotList')).toMatchObject({
      nameZh: '场站',
      parentCode: 'device',
      icon: 'home',
      shown: false,
      permission: 'site.read',
    });
    await change('plotList', { nameZh: '站点', parentCode: 'plot', icon: 'site', shown: true });
  });

  test('menus of the product keep their type and cannot be deleted', async () => {
    for (const changes of [{ kind: 'button' }, { frontendUrl: '/elsewhere' }, { backendUrl: '/api/other' }]) {
      expect(await errorOf(change('cardList', changes))).toBe('menu.built_in');
    }
    expect(await errorOf(remove('cardList'))).toBe('menu.built_in');
  });

  test('a disabled menu takes its permission, and those below it, from everyone who has them', async () => {
    const { token } = await api.addUser({ name: 'tariffs', permissions: ['tariff.read', 'tariff.edit'] });
    const may = async () =>
      [...(await api.get<{ permissions: string[] }>('/user/info', { token })).data.permissions].sort();
    expect(await may()).toEqual(['tariff.edit', 'tariff.read']);
    await change('tariff.edit', { enabled: false });
    expect(await may()).toEqual(['tariff.read']);
    expect((await api.post('/tariffs', {}, { token })).status).toBe(403);
    await change('tariff.edit', { enabled: true });
    await change('rulesmanage', { enabled: false });
    expect(await may()).toEqual([]);
    expect(await shownTo(token)).toEqual([]);
    expect((await api.get('/tariffs', { token })).status).toBe(403);
    await change('rulesmanage', { enabled: true });
    expect((await api.get('/tariffs', { token })).status).toBe(200);
    expect((await api.post('/tariffs', {}, { token })).status).toBe(422);
  });

  test('the menu screen and its parents cannot be hidden, disabled or moved below a menu that is', async () => {
    for (const code of ['menu', 'systemUser']) {
      for (const changes of [{ shown: false }, { enabled: false }]) {
        expect(await errorOf(change(code, changes))).toBe('menu.not_hideable');
      }
    }
    await create('hidden-group', { shown: false });
    expect(await errorOf(change('systemUser', { parentCode: 'hidden-group' }))).toBe('menu.not_hideable');
    const order = { parentCode: 'hidden-group', codes: ['menu'] };
    expect(await errorOf(api.ask('PUT', '/menu-order', { body: order }))).toBe('menu.not_hideable');
    await remove('hidden-group');
  });

  test('menus cannot form a circle', async () => {
    expect(await errorOf(change('device', { parentCode: 'device' }))).toBe('menu.circle');
    expect(await errorOf(change('device', { parentCode: 'deviceList' }))).toBe('menu.circle');
    const order = { parentCode: 'deviceList', codes: ['device'] };
    expect(await errorOf(api.ask('PUT', '/menu-order', { body: order }))).toBe('menu.circle');
  });
});

describe('a menu made by hand', () => {
  test('a menu made by hand opens a screen under another name and grants nothing by itself', async () => {
    const made = await create('myScreen', { frontendUrl: '/mine', parentCode: 'device', backendUrl: '/api/x' });
    expect(made.data).toMatchObject({ builtIn: false, permission: null, backendUrl: '/api/x' });
    const { id, token } = await api.addUser({ name: 'own-screen', permissions: [] });
    const body = { name: 'Own screen', dataScope: 'platform', menuCodes: ['myScreen'] };
    const { data } = await api.post<Position>('/positions', body);
    await api.ask('PUT', `/users/${id}`, { body: { realName: 'x', positionId: data.id } });
    expect(await shownTo(token)).toEqual(['device', 'myScreen']);
    expect((await api.get<{ permissions: string[] }>('/user/info', { token })).data.permissions).toEqual([]);
    expect(await errorOf(create('myScreen'))).toBe('menu.code_taken');
    expect(await errorOf(create('other', { frontendUrl: '/mine' }))).toBe('menu.url_taken');
    expect(await errorOf(create('other', { frontendUrl: '/deviceList' }))).toBe('menu.url_taken');
    expect((await change('myScreen', { frontendUrl: '/mine/too', nameEn: 'Renamed' })).data).toMatchObject({
      frontendUrl: '/mine/too',
      nameEn: 'Renamed',
    });
    // A later menu with this code is not granted because the earlier one was.
    expect((await remove('myScreen')).status).toBe(200);
    expect((await api.get<Position>(`/positions/${data.id}`)).data.menuCodes).toEqual([]);
    expect(await shownTo(token)).toEqual([]);
  });

  test('a button belongs below a menu, and the tree has five levels at most', async () => {
    expect(await fieldsOf(create('b', { kind: 'button' }))).toEqual(['parentCode required']);
    expect(await fieldsOf(create('b', { kind: 'button', parentCode: 'order.refund' }))).toEqual(['parentCode invalid']);
    const withAddress = create('b', { kind: 'button', parentCode: 'device', frontendUrl: '/b' });
    expect(await fieldsOf(withAddress)).toEqual(['frontendUrl invalid']);
    expect(await fieldsOf(create('b', { parentCode: 'nowhere' }))).toEqual(['parentCode unknown_reference']);
    let parentCode: string | null = null;
    for (let level = 1; level <= menuDepthMax; level += 1) {
      expect((await create(`level-${level}`, { parentCode })).status).toBe(200);
      parentCode = `level-${level}`;
    }
    expect(await fieldsOf(create('level-6', { parentCode }))).toEqual(['parentCode too_deep']);
    // The whole branch counts, wherever it is moved.
    expect(await fieldsOf(change('level-1', { parentCode: 'device' }))).toEqual(['parentCode too_deep']);
    expect(await fieldsOf(change('level-1', { kind: 'button', parentCode: 'device' }))).toEqual(['kind invalid']);
    expect(await errorOf(remove('level-4'))).toBe('menu.has_children');
    for (let level = menuDepthMax; level >= 1; level -= 1) expect((await remove(`level-${level}`)).status).toBe(200);
  });

  test('a menu made by hand gives way to one of a later version, and its grants are removed', async () => {
    const { db } = api.database;
    await db.deleteFrom('menus').where('code', 'in', ['news', 'newsList', 'article.edit']).execute();
    await create('newsList', { frontendUrl: '/other-news' });
    await create('article.edit');
    await create('mine', { frontendUrl: '/newsList' });
    const body = { name: 'Before', dataScope: 'platform', menuCodes: ['newsList', 'mine', 'cardList'] };
    const { data } = await api.post<Position>('/positions', body);
    await transact(db, async (trx) => ok(await seedMenus(trx)));
    expect(await menuOf('newsList')).toMatchObject({
      frontendUrl: '/newsList',
      parentCode: 'news',
      builtIn: true,
      permission: 'article.read',
    });
    expect(await menuOf('article.edit')).toMatchObject({ kind: 'button', parentCode: 'newsList', builtIn: true });
    expect(await menuOf('mine')).toMatchObject({ frontendUrl: null, builtIn: false });
    expect((await api.get<Position>(`/positions/${data.id}`)).data.menuCodes).toEqual(['cardList', 'mine']);
  });
});

describe('the order', () => {
  test('menus get the requested order, and listed menus move below the parent', async () => {
    const below = async (parent: string) =>
      (await list()).filter(({ parentCode, kind }) => parentCode === parent && kind === 'menu').map(({ code }) => code);
    const order = (parentCode: string | null, codes: string[]) =>
      api.ask('PUT', '/menu-order', { body: { parentCode, codes } });
    expect((await order('chargeOrderList', ['orderListRefund', 'orderListReal'])).status).toBe(200);
    expect(await below('chargeOrderList')).toEqual([
      'orderListRefund',
      'orderListReal',
      'orderListHistory',
      'orderListAbnormal',
    ]);
    expect((await order('device', ['plotList', 'deviceList', 'portList'])).status).toBe(200);
    expect(await below('device')).toEqual(['plotList', 'deviceList', 'portList', 'stationStock']);
    expect(await below('plot')).toEqual([]);
    expect(await fieldsOf(order('device', ['nowhere']))).toEqual(['codes.0 unknown_reference']);
    expect(await fieldsOf(order(null, ['order.refund']))).toEqual(['parentCode required']);
    const { token } = await api.addUser({ name: 'orders-only', permissions: ['order.read'] });
    expect((await shownTo(token)).slice(0, 3)).toEqual(['chargeOrderList', 'orderListRefund', 'orderListReal']);
  });
});

test('users with an agent’s scope cannot change everyone’s menus', async () => {
  const agentId = await api.addAgent('Agent');
  const { token } = await api.addUser({ name: 'agents', permissions: ['menu.edit'], scope: 'agent_tree', agentId });
  for (const attempt of [
    create('sneaked', {}, { token }),
    change('config', { enabled: false }, { token }),
    remove('config', { token }),
    api.ask('PUT', '/menu-order', { body: { parentCode: null, codes: ['config'] }, token }),
  ]) {
    expect(await errorOf(attempt)).toBe('access.denied');
  }
});

test('every change of a menu is audited', async () => {
  await create('noted');
  await change('noted', { nameEn: 'Noted' });
  await remove('noted');
  const entries = await api.database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('record_kind', '=', 'menu')
    .where('record_id', '=', 'noted')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['menu.create', 'menu.change', 'menu.delete']);
});

describe('links (specification section 5)', () => {
  const links = ['https://help.example/guide?a=1', 'http://help.example', 'mailto:help@example.com', 'tel:4008001234'];

  test('a menu may link out of the console by http, https, mailto and tel, and by nothing else', async () => {
    for (const [index, frontendUrl] of links.entries()) {
      expect((await create(`out${index}`, { frontendUrl })).status).toBe(200);
    }
    const entries = (await api.get<MenuEntry[]>('/menu/getUserMenu')).data;
    expect(entries.slice(-4).map(({ frontendUrl }) => frontendUrl)).toEqual(links);
    for (const frontendUrl of [
      'javascript:alert(1)',
      '//help.example',
      'help.example',
      'https://',
      'data:text/html,x',
    ]) {
      expect(await fieldsOf(create('bad', { frontendUrl }))).toEqual(['frontendUrl route_format']);
    }
  });

  test('an icon is a name that the console draws, or a link', async () => {
    for (const [index, icon] of [...links, 'home'].entries()) {
      expect((await create(`pictured${index}`, { icon })).status).toBe(200);
    }
    for (const icon of ['no-such-icon', 'javascript:alert(1)', '/files/icon.png', '']) {
      expect(await fieldsOf(create('bad', { icon }))).toEqual(['icon icon_format']);
    }
  });
});
