import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = instant(Date.parse('2026-11-21T04:00:00Z'));
});
afterEach(() => api.close());

describe('menus and configuration', () => {
  type Menu = { code: string; name: string; frontendUrl: string | null; children: Menu[] };
  const menus = async (ask: object) => (await api.get<Menu[]>('/menu/getUserMenu', ask)).data;

  test('the administrator has every group of section 2 with its screens, in both languages', async () => {
    const chinese = await menus({ language: 'zh-CN' });
    expect(chinese.map(({ code }) => code)).toEqual([
      'home',
      'statistics',
      'total',
      'plot',
      'device',
      'deviceLog',
      'chargeOrderList',
      'invoice',
      'card',
      'rulesmanage',
      'register',
      'rechargeParent',
      'credit',
      'operator',
      'groupCharge',
      'hlht',
      'systemUser',
      'feedback',
      'advert',
      'promotion',
      'finance',
      'file',
      'config',
      'news',
      'accountChildrenParent',
      'taskList',
    ]);
    const device = chinese.find(({ code }) => code === 'device');
    expect(device?.children.map(({ code }) => code)).toEqual(['deviceList', 'portList']);
    expect(device?.children[0]).toMatchObject({ name: '充电桩', frontendUrl: '/deviceList' });
    const english = (await menus({ language: 'en' })).find(({ code }) => code === 'device');
    expect(english?.children[0]?.name).toBe('Charging stations');
  });

  test('a position brings its menus and no empty group', async () => {
    const { token } = await api.addUser({ name: 'guard', permissions: ['connector.read'] });
    const own = await menus({ token });
    expect(own.map(({ code, children }) => [code, ...children.map((child) => child.code)])).toEqual([
      ['device', 'portList'],
    ]);
    expect(await menus({ token: (await api.addUser({ name: 'new', permissions: [] })).token })).toEqual([]);
  });

  test('the title is public; anything not marked so is not told', async () => {
    const config = (key: string) => api.get(`/sysConfig/getInfoByKey?configKey=${key}`, { token: null });
    expect((await config('sys_title')).data).toBe('Voltdeck');
    await api.database.db
      .insertInto('configs')
      .values([
        { key: 'inner', name: 'inner', value: 'v' },
        { key: 'hidden', name: 'hidden', value: '', secret: true, sealed: Buffer.from('v') },
      ])
      .execute();
    expect((await config('inner')).data).toBeNull();
    expect((await config('hidden')).data).toBeNull();
    expect((await config('')).envelope.message.fields).toMatchObject([{ path: 'configKey', code: 'required' }]);
  });
});
