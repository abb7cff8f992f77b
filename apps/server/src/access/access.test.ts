import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drawPng, uploadFile } from '../content/files/test-upload.ts';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = instant(Date.parse('2026-11-21T04:00:00Z'));
});
afterEach(() => api.close());

describe('the session user (specification section 3)', () => {
  test('the session user has token, name, menus, avatar, userId, admin flag and userInfo, and the agent they work for', async () => {
    const signedIn = (await api.logIn('admin', adminPassword)).data;
    expect(signedIn).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      userName: 'admin',
      userInfo: { id: expect.any(Number), admin: true },
    });
    const agentId = await api.addAgent('Shore');
    const { id, token } = await api.addUser({ name: 'clerk', permissions: ['site.read'], scope: 'agent', agentId });
    const picture = await uploadFile(api, 'avatar', await drawPng(40, 40), 'me.png', { token });
    await api.ask('PUT', '/user/avatar', { token, body: { fileId: picture.data.id } });
    expect((await api.get('/user/info', { token })).data).toMatchObject({
      id,
      name: 'clerk',
      userName: 'clerk',
      admin: false,
      avatar: picture.data.url,
      busiid: agentId,
      businame: 'Shore',
    });
    expect((await api.get<{ code: string }[]>('/menu/getUserMenu', { token })).data).toMatchObject([{ code: 'plot' }]);
    expect((await api.get('/user/info')).data).toMatchObject({ admin: true, busiid: null, businame: null });
  });
});

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
      'approvalList',
      'taskList',
    ]);
    const device = chinese.find(({ code }) => code === 'device');
    expect(device?.children.map(({ code }) => code)).toEqual(['deviceList', 'portList', 'stationStock']);
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

  test('sys_title is public, and parameters not marked public are refused', async () => {
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
