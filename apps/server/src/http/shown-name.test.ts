import type { Language } from '@voltdeck/contract/languages';
import type { Position } from '@voltdeck/contract/positions';
import type { Config } from '@voltdeck/contract/settings';
import type { User } from '@voltdeck/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const listed = async <Item>(path: string, language: Language) =>
  (await api.get<{ items: Item[] }>(path, { language })).data.items;
const positions = (language: Language, query = '') => listed<Position>(`/positions?sort=name${query}`, language);
const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);

const han = /\p{Script=Han}/u;

describe('what came with the product', () => {
  test('records of the product are named in the reader’s language: positions, parameters and the administrator', async () => {
    expect(namesOf(await positions('en'))).toEqual(['Agent', 'Divider', 'Platform operations', 'Registered user']);
    expect(namesOf(await positions('zh-CN')).sort()).toEqual(['代理商', '分成方', '平台运营', '注册用户']);
    const configs = await listed<Config>('/sysConfig/list', 'en');
    expect(configs.map(({ name, remark }) => `${name} ${remark}`).filter((text) => han.test(text))).toEqual([]);
    expect((await listed<Config>('/sysConfig/list', 'zh-CN')).every(({ name }) => han.test(name))).toBe(true);
    const names = async (language: Language) => [
      (await api.get<{ name: string }>('/user/info', { language })).data.name,
      (await listed<User>('/users', language))[0]?.realName,
      (await listed<{ realName: string }>('/sign-ins', language))[0]?.realName,
    ];
    expect(await names('en')).toEqual(['Administrator', 'Administrator', 'Administrator']);
    expect(await names('zh-CN')).toEqual(['系统管理员', '系统管理员', '系统管理员']);
  });

  test('a record of the product is found by the name shown', async () => {
    expect(namesOf(await positions('en', '&name=agent'))).toEqual(['Agent']);
    expect(namesOf(await positions('zh-CN', '&name=agent'))).toEqual([]);
    const configs = await listed<Config>('/sysConfig/list?name=debt', 'en');
    expect(configs.map(({ key }) => key)).toEqual(['debt_limit_fen', 'second_person_write_off_fen']);
    const users = await listed<User>('/users?text=dministrat', 'en');
    expect(users.map(({ userName }) => userName)).toEqual(['admin']);
  });

  test('a record of the product keeps its names when a form sends them back unchanged', async () => {
    const [agent] = await positions('en', '&name=agent');
    const { id, name, dataScope, menuCodes } = agent as Position;
    await api.ask('PUT', `/positions/${id}`, {
      language: 'en',
      body: { name, dataScope, menuCodes, description: 'Changed' },
    });
    expect(await positions('zh-CN', '&name=代理商')).toMatchObject([{ description: 'Changed' }]);

    const [limit] = await listed<Config>('/sysConfig/list?key=debt_limit_fen', 'en');
    const { id: configId, key, remark } = limit as Config;
    const edit = (body: object) =>
      api.post('/sysConfig/editConfig', { id: configId, key, ...body }, { language: 'en' });
    await edit({ name: limit?.name, remark, value: '2000' });
    const shown = async () => (await listed<Config>('/sysConfig/list?key=debt_limit_fen', 'zh-CN'))[0];
    expect(await shown()).toMatchObject({ name: '欠费上限（分）', value: '2000', remark: expect.stringMatching(han) });
    await edit({ name: 'Arrears', remark });
    expect(await shown()).toMatchObject({ name: 'Arrears', remark: expect.stringMatching(han) });

    const [admin] = await listed<User>('/users', 'en');
    const rename = (realName: string) =>
      api.ask('PUT', `/users/${admin?.id}`, { language: 'en', body: { realName, phone: '13812345678' } });
    expect((await rename('Administrator')).status).toBe(200);
    expect((await listed<User>('/users', 'zh-CN'))[0]).toMatchObject({ realName: '系统管理员', phone: '13812345678' });
  });

  test('a record that a person renamed has that name in every language', async () => {
    const [platform] = await positions('en', '&name=Platform');
    const { id, dataScope, menuCodes } = platform as Position;
    const named = await api.ask('PUT', `/positions/${id}`, {
      language: 'en',
      body: { name: 'Head office', dataScope, menuCodes },
    });
    expect(named.data).toMatchObject({ name: 'Head office' });
    expect(namesOf(await positions('zh-CN', '&name=Head'))).toEqual(['Head office']);
    const [admin] = await listed<User>('/users', 'en');
    await api.ask('PUT', `/users/${admin?.id}`, { language: 'en', body: { realName: 'Zhang Wei' } });
    expect((await api.get<{ name: string }>('/user/info', { language: 'zh-CN' })).data.name).toBe('Zhang Wei');
  });
});
