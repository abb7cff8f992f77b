import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@voltdeck/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { KnownTotals } from '../http/known-totals.ts';
import { readPage } from '../http/list-source.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { openSecretKey } from '../secrets/open-secret-key.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { configList, unreadableSecrets } from './queries.ts';

const platform = platformCaller();
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

type List = { items: Config[]; total: number };
const list = async (query = '') => (await api.get<List>(`/sysConfig/list${query}`)).data;
const byKey = async (key: string) => (await list(`?key=${key}`)).items.find((item) => item.key === key);
const add = (body: object) => api.post<Config>('/sysConfig/addConfig', body);
const edit = (body: object) => api.post<Config>('/sysConfig/editConfig', body);
const told = async (key: string, token: string | null = null) =>
  (await api.get<string | null>(`/sysConfig/getInfoByKey?configKey=${key}`, { token })).data;
const entries = async () =>
  api.database.db
    .selectFrom('audit_entries')
    .select(['action', 'before', 'after'])
    .where('record_kind', '=', 'config')
    .orderBy('id')
    .execute();
const fieldsOf = (answer: { envelope: { message: { fields?: readonly { path: string; code: string }[] } } }) =>
  answer.envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);

describe('parameters (section 7, /sysConfig)', () => {
  test('built-in parameters exist, and a changed title shows at the next load, without a session', async () => {
    const { items: all } = await list('?pageSize=100');
    expect(all.filter(({ builtIn }) => builtIn).map(({ key, value }) => [key, value])).toEqual([
      ['agent_withdrawal_account_wait_days', '7'],
      ['agent_withdrawal_fee_bp', '0'],
      ['agent_withdrawal_min_fen', '100'],
      ['agent_withdrawals_per_day', '3'],
      ['credit_points_per_yuan', '1'],
      ['debt_limit_fen', '1000'],
      ['navigation_apps', 'amap'],
      ['own_operator_id', ''],
      ['readings_kept_days', '400'],
      ['recharge_day_limit_fen', '20000000'],
      ['reconciliation_tolerance_e4', '100'],
      ['reconciliation_tolerance_wh', '100'],
      ['refund_days', '180'],
      ['screen_url', '/screen'],
      ['second_person_agent_recharge_fen', '1000000'],
      ['second_person_agent_withdrawal_fen', '1000000'],
      ['second_person_card_cancellation_fen', '50000'],
      ['second_person_order_refund_fen', '50000'],
      ['second_person_order_settlement_fen', '50000'],
      ['second_person_recharge_fen', '1000000'],
      ['second_person_recharge_refund_fen', '50000'],
      ['second_person_reconciliation_fen', '50000'],
      ['second_person_reversal_fen', '0'],
      ['second_person_share_correction_fen', '50000'],
      ['second_person_tariff_default_e5', 'off'],
      ['second_person_transfer_fen', '100000'],
      ['second_person_withdrawal_fen', '100000'],
      ['second_person_write_off_fen', '0'],
      [
        'site_facilities',
        'lounge=休息室|Lounge\nrestaurant=餐饮|Restaurant\nvending=自动售货机|Vending machine\ndrinking_water=饮用水|Drinking water\ncanopy=雨棚|Canopy',
      ],
      ['sys_title', 'Voltdeck'],
      ['withdrawal_fee_bp', '0'],
      ['withdrawal_gifts', 'proportional'],
      ['withdrawal_min_fen', '100'],
      ['withdrawals_per_day', '3'],
    ]);
    const title = await byKey('sys_title');
    const changed = await edit({ id: title?.id, name: title?.name, key: 'sys_title', value: 'West Lake Charging' });
    expect(changed.data).toMatchObject({ value: 'West Lake Charging', public: true, builtIn: true });
    expect(await told('sys_title')).toBe('West Lake Charging');
    expect((await entries()).at(-1)).toMatchObject({
      action: 'config.change',
      before: { key: 'sys_title', value: 'Voltdeck' },
      after: { key: 'sys_title', value: 'West Lake Charging' },
    });
  });

  test('parameters are added, found, changed and deleted', async () => {
    const form = { name: 'Hotline', key: 'service_phone', value: '4001', remark: 'day and night' };
    const added = await add(form);
    expect(added.data).toMatchObject({ ...form, hasValue: true, public: false, secret: false, builtIn: false });
    expect((await list('?name=hot')).items.map(({ key }) => key)).toEqual(['service_phone']);
    expect((await add(form)).envelope.message).toMatchObject({ status: 409, error: 'config.key_taken' });
    const renamed = await edit({ id: added.data.id, name: 'Hotline', key: 'hotline', value: '4002' });
    expect(renamed.data).toMatchObject({ key: 'hotline', value: '4002', remark: 'day and night' });
    const taken = await edit({ id: added.data.id, name: 'Hotline', key: 'sys_title', value: 'x' });
    expect(taken.envelope.message).toMatchObject({ status: 409, error: 'config.key_taken' });
    expect((await api.ask('DELETE', `/sysConfig/deleteById?id=${added.data.id}`)).status).toBe(200);
    expect(await byKey('hotline')).toBeUndefined();
    expect((await api.ask('DELETE', `/sysConfig/deleteById?id=${added.data.id}`)).status).toBe(404);
  });

  test('a built-in parameter keeps its key and its marks, and only a usable value is accepted', async () => {
    const screen = await byKey('screen_url');
    const form = { id: screen?.id, name: 'Screen', key: 'screen_url' };
    for (const change of [{ key: 'other' }, { public: false }, { secret: true, public: false }]) {
      expect((await edit({ ...form, ...change })).envelope.message).toMatchObject({ error: 'config.built_in' });
    }
    for (const value of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'screen', 'https://', '']) {
      expect(fieldsOf(await edit({ ...form, value }))).toEqual(['value bad_format']);
    }
    for (const value of ['https://screen.example:8443/wall?x=1', '/screen']) {
      expect((await edit({ ...form, value })).data.value).toBe(value);
    }
    const gone = await api.ask('DELETE', `/sysConfig/deleteById?id=${screen?.id}`);
    expect(gone.envelope.message).toMatchObject({ status: 409, error: 'config.built_in' });
  });

  test('every caller reads public parameters, and others only with the permission to read parameters', async () => {
    await add({ name: 'Inner', key: 'inner', value: 'for us' });
    const { token: guard } = await api.addUser({ name: 'guard', permissions: ['order.read'] });
    const { token: clerk } = await api.addUser({ name: 'clerk', permissions: ['config.read'] });
    expect(await told('inner')).toBeNull();
    expect(await told('inner', guard)).toBeNull();
    expect(await told('inner', 'a token that was never given')).toBeNull();
    expect(await told('inner', clerk)).toBe('for us');
    expect((await api.get('/sysConfig/list', { token: guard })).status).toBe(403);
    const refused = await api.post('/sysConfig/addConfig', { name: 'x', key: 'x', value: 'x' }, { token: clerk });
    expect(refused.status).toBe(403);
  });
});

describe('secrets', () => {
  const secret = 'sk-very-secret-value';

  test('secrets are sealed in the database and never returned, neither by the API nor by the audit log', async () => {
    const added = await add({ name: 'Map key', key: 'map.key', value: secret, secret: true });
    expect(added.data).toMatchObject({ value: '', hasValue: true, secret: true });
    expect(added.text).not.toContain(secret);
    expect((await api.get('/sysConfig/list')).text).not.toContain(secret);
    expect(await told('map.key', api.adminToken)).toBeNull();
    const renamed = await edit({ id: added.data.id, name: 'Map key', key: 'map.secret' });
    expect(renamed.data).toMatchObject({ key: 'map.secret', hasValue: true });
    const stored = await api.database.db
      .selectFrom('configs')
      .select(['value', 'sealed'])
      .where('key', '=', 'map.secret')
      .executeTakeFirstOrThrow();
    expect([stored.value, stored.sealed?.includes(secret)]).toEqual(['', false]);
    expect(stored.sealed === null ? null : api.context.secrets.open('map.secret', stored.sealed)).toEqual({
      ok: true,
      value: secret,
    });
    await edit({ id: added.data.id, name: 'Map key', key: 'map.secret', value: `${secret}-2` });
    await api.ask('DELETE', `/sysConfig/deleteById?id=${added.data.id}`);
    const noted = JSON.stringify(await entries());
    expect(noted).toContain('map.secret');
    expect(noted).not.toContain(secret);
    const { rows } = await api.database.pool.query('select * from idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('secrets cannot be public, and become open only by entering a value', async () => {
    const form = { name: 'Key', key: 'key', value: secret, secret: true };
    expect(fieldsOf(await add({ ...form, public: true }))).toEqual(['public invalid']);
    const { data } = await add(form);
    const opened = await edit({ id: data.id, name: 'Key', key: 'key', secret: false });
    expect(fieldsOf(opened)).toEqual(['value required']);
    const entered = await edit({ id: data.id, name: 'Key', key: 'key', secret: false, value: 'open' });
    expect(entered.data).toMatchObject({ value: 'open', secret: false });
    const closed = await edit({ id: data.id, name: 'Key', key: 'key', secret: true });
    expect(closed.data).toMatchObject({ value: '', hasValue: true });
  });

  test('secrets of a lost key count as unset, are named at the start and can be entered again', async () => {
    const { db } = api.database;
    const { data } = await add({ name: 'Old', key: 'old.key', value: secret, secret: true });
    const other = createSecretBox(Buffer.alloc(32, 7));
    expect(await unreadableSecrets(db, api.context.secrets)).toEqual([]);
    expect(await unreadableSecrets(db, other)).toContain('old.key');
    const asked = { caller: platform, at: api.context.now(), sessionId: null, secrets: other };
    const wanted = { filter: { key: 'old.key' }, sort: undefined, span: { limit: 20, offset: 0 }, total: undefined };
    const shown = await readPage(configList, db, asked, wanted, new KnownTotals());
    expect(shown.items).toMatchObject([{ key: 'old.key', hasValue: false }]);
    expect((await edit({ id: data.id, name: 'Old', key: 'old.key', value: 'again' })).data.hasValue).toBe(true);
  });

  test('secrets open only for their own parameter, with their own key and unchanged', () => {
    const box = createSecretBox(Buffer.alloc(32, 1));
    const sealed = box.seal('a', 'value');
    expect(box.open('a', sealed)).toEqual({ ok: true, value: 'value' });
    expect(box.open('b', sealed)).toEqual({ ok: false, error: 'damaged' });
    expect(createSecretBox(Buffer.alloc(32, 2)).open('a', sealed)).toEqual({ ok: false, error: 'other-key' });
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(box.open('a', changed).ok).toBe(false);
      expect(box.open('a', sealed.subarray(0, at)).ok).toBe(false);
    }
    expect(box.seal('a', 'value').equals(sealed)).toBe(false);
  });
});

describe('the secret key', () => {
  test('the secret key is generated once, for the server alone, and a file that is no key is refused', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-key-'));
    const { box, path } = await openSecretKey(dataDir);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const key = await readFile(path);
    expect(key).toHaveLength(32);
    const again = await openSecretKey(dataDir);
    expect(again.box.open('a', box.seal('a', 'value'))).toEqual({ ok: true, value: 'value' });
    expect(await readFile(path)).toEqual(key);
    await writeFile(path, 'not a key');
    await expect(openSecretKey(dataDir)).rejects.toThrow('is not a key');
    await rm(dataDir, { recursive: true });
  });
});
