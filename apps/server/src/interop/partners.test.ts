import { partnerInterfaces } from '@voltdeck/contract/partner-interfaces';
import type { PartnerDetail, rotatePartnerKeys } from '@voltdeck/contract/partners';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { AnswerOf } from '@voltdeck/contract/route';
import { interfaceNames } from '@voltdeck/tcec102/messages/all';
import type { PartnerId, SiteId } from '@voltdeck/units/id';
import { hourMs, instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { dayTariff, makePlace } from '../http/test-records.ts';
import { keysAt } from './partner-keys.ts';

type Keys = Record<'operatorSecret' | 'sigSecret' | 'dataSecret' | 'dataSecretIv', string>;
type Created = PartnerDetail & { inbound: Keys; outbound: Keys };

let api: TestApi;
let made = 0;
const now = instant(Date.parse('2026-11-28T04:00:00Z'));
const inbound: Keys = {
  operatorSecret: 'ours-operator-secret-1',
  sigSecret: 'ours-sig-secret-1',
  dataSecret: 'ours-data-key-01',
  dataSecretIv: 'ours-data-iv--01',
};
const outbound: Keys = {
  operatorSecret: 'theirs-operator-secret-1',
  sigSecret: 'theirs-sig-secret-1',
  dataSecret: 'their-data-key-1',
  dataSecretIv: 'their-data-iv--1',
};

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.clock.now = null;
});

const formOf = (more: object = {}) => {
  made += 1;
  const operatorId = `MA0TEST${String(made).padStart(2, '0')}`;
  return { operatorId, name: `Operator ${made}`, role: 'demand', baseUrl: 'https://charge.example/evcs/v1', ...more };
};
const create = (more: object = {}) => api.post<Created>('/partners', formOf(more), { language: 'en' });
const put = <Data = PartnerDetail>(path: string, body: object, ask = {}) =>
  api.ask<Data>('PUT', path, { body, language: 'en', ...ask });
const detailOf = async (id: PartnerId) => (await api.get<PartnerDetail>(`/partners/${id}`)).data;
const rotate = (id: PartnerId, body: object) =>
  api.post<AnswerOf<typeof rotatePartnerKeys>>(`/partners/${id}/key-rotations`, body);
const validKeys = (id: PartnerId, direction: 'inbound' | 'outbound', at = api.context.now()) =>
  keysAt({ db: api.database.db, secrets: api.context.secrets }, id, direction, at);

/** A site with a station that has all that the standard demands. */
const newRule = async (name: string): Promise<number> =>
  (await api.post<{ id: number }>('/tariffs', { name, ...dayTariff })).data.id;

async function openSite(name: string, more: object = {}): Promise<SiteId> {
  const { siteId } = await makePlace(api.database, null, name);
  await api.database.db
    .updateTable('sites')
    .set({
      region_code: '440305',
      kind: 'public',
      place: 'office',
      service_phone: '400-800-1234',
      own_grid: false,
      opened_at: api.context.now(),
      ...more,
    })
    .where('id', '=', siteId)
    .execute();
  return siteId;
}

describe('a partner', () => {
  test('added with the keys that both sides agreed on, it has exactly these', async () => {
    const { status, data } = await create({ inbound, outbound });
    expect(status).toBe(200);
    expect(data).toMatchObject({ inbound, outbound, enabled: true, environment: 'test', pushing: true });
    expect(data.pushes).toEqual(['status', 'charges', 'orders', 'checks']);
    expect(await validKeys(data.id, 'inbound')).toEqual([inbound]);
    expect(await validKeys(data.id, 'outbound')).toEqual([outbound]);
  });

  test('everything that a form has of a partner is kept and shown', async () => {
    const whole = {
      creditCode: '91350100M000100Y43',
      platformName: '沪上出行',
      dockingCode: 'D-42',
      contact: '李雷',
      contactPhone: '13800005678',
      servicePhone: '400-800-1234',
      secondServicePhone: '400-800-5678',
      address: '科苑路 21 号',
      remark: '周一联调\n先测试环境',
      environment: 'production',
      pushing: false,
      pushes: ['status', 'power'],
      pulling: false,
      ratePerSecond: 50,
      startBalanceMinFen: 5_000,
    };
    const { data } = await create(whole);
    expect(data).toMatchObject(whole);
    const { items } = (await api.get<{ items: object[] }>(`/partners?operatorId=${data.operatorId}`)).data;
    expect(items).toMatchObject([whole]);
  });

  test('keys that are left out are generated, all different, of the lengths that AES-128 needs', async () => {
    const { data } = await create({ outbound: { sigSecret: 'theirs-alone' } });
    expect(data.outbound.sigSecret).toBe('theirs-alone');
    const all = [...Object.values(data.inbound), ...Object.values(data.outbound)];
    expect(new Set(all).size).toBe(8);
    for (const { operatorSecret, dataSecret, dataSecretIv } of [data.inbound, data.outbound]) {
      expect(operatorSecret).toMatch(/^[2-9A-Za-z]{32}$/);
      expect(dataSecret).toMatch(/^[2-9A-Za-z]{16}$/);
      expect(dataSecretIv).toMatch(/^[2-9A-Za-z]{16}$/);
    }
    expect(await validKeys(data.id, 'inbound')).toEqual([data.inbound]);
  });

  test('a retry of adding it gets the same answer with the same keys, and adds nothing', async () => {
    const form = formOf();
    const ask = { key: `add-${form.operatorId}` };
    const first = await api.post<Created>('/partners', form, ask);
    const second = await api.post<Created>('/partners', form, ask);
    expect(second.data).toEqual(first.data);
    const listed = await api.get<{ items: unknown[] }>(`/partners?operatorId=${form.operatorId}`);
    expect(listed.data.items).toHaveLength(1);
  });

  test('its keys are in no other answer, list, file or audit entry, and not readable in the database', async () => {
    const { data } = await create({ inbound, outbound, name: 'Keeper' });
    await put(`/partners/${data.id}`, { remark: 'changed' });
    const secrets = [...Object.values(inbound), ...Object.values(outbound)];
    const texts = [
      (await api.get(`/partners/${data.id}`)).text,
      (await api.get('/partners?name=Keeper')).text,
      (await api.get('/partners/export?format=csv&name=Keeper')).text,
      (await api.get('/audit?pageSize=100')).text,
      JSON.stringify((await api.database.pool.query('select * from audit_entries')).rows),
      JSON.stringify((await api.database.pool.query('select * from partners')).rows),
      JSON.stringify((await api.database.pool.query('select answer from idempotency_keys')).rows),
      JSON.stringify((await api.database.pool.query(`select encode(sealed, 'escape') from partner_keys`)).rows),
    ];
    expect(texts[0]).toContain('Keeper');
    expect(texts[1]).toContain('Keeper');
    expect(texts[2]).toContain('Keeper');
    expect(texts[4]).toContain('partner.create');
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
    const { keys } = await detailOf(data.id);
    expect(keys.inbound).toMatchObject([{ hint: 'ou••••-1', until: null }]);
    expect(keys.outbound).toMatchObject([{ hint: 'th••••-1', until: null }]);
  });

  test('a short operator secret is not hinted at', async () => {
    const { data } = await create({ inbound: { operatorSecret: 'elevenchars' } });
    expect(data.keys.inbound).toMatchObject([{ hint: '••••' }]);
  });

  test('a change sets what is sent, keeps the rest, and is refused when somebody else changed it meanwhile', async () => {
    const { data } = await create({ contact: 'Li Lei', profile: { energyDecimals: 4 } });
    const changed = await put(`/partners/${data.id}`, {
      version: data.version,
      allowedAddresses: ['203.0.113.7', '2001:db8::/48'],
      profile: { spelling: 'service' },
      interfaceUrls: { query_token: 'https://auth.example/token' },
      pushes: ['orders', 'orders'],
    });
    expect(changed.data).toMatchObject({
      contact: 'Li Lei',
      allowedAddresses: ['203.0.113.7', '2001:db8::/48'],
      profile: { spelling: 'service', energyDecimals: 4 },
      interfaceUrls: { query_token: 'https://auth.example/token' },
      pushes: ['orders'],
    });
    const late = await put(`/partners/${data.id}`, { version: data.version, contact: 'Han Meimei' });
    expect(late.envelope.message.error).toBe('record.changed');
    expect((await detailOf(data.id)).contact).toBe('Li Lei');
  });

  test('the form offers every interface of the standard', () => {
    expect(partnerInterfaces).toEqual(interfaceNames);
  });

  test.each(interfaceNames)('%s may be at an address of its own', async (name) => {
    const interfaceUrls = { [name]: 'https://elsewhere.example/evcs' };
    expect((await create({ interfaceUrls })).data).toMatchObject({ interfaceUrls });
  });

  test('one organization code is one partner, also when two are added at once, and ours is none', async () => {
    const form = formOf();
    const both = await Promise.all([api.post('/partners', form), api.post('/partners', form)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = await api.post('/partners', { ...form, operatorId: form.operatorId.toLowerCase() });
    expect(again.envelope.message.error).toBe('partner.code_taken');
    await api.database.pool.query(`update configs set value = 'MA1OURS01' where key = 'own_operator_id'`);
    const own = await create({ operatorId: 'MA1OURS01' });
    expect(own.envelope.message.error).toBe('partner.own_code');
  });

  test.each([
    ['operatorId', { operatorId: 'SHORT' }, 'organization_code'],
    ['operatorId', { operatorId: `MA0TES'--` }, 'organization_code'],
    ['name', { name: '' }, 'required'],
    ['role', { role: 'enemy' }, 'not_choice'],
    ['baseUrl', { baseUrl: 'ftp://charge.example' }, 'web_address'],
    ['baseUrl', { baseUrl: 'https://user:secret@charge.example' }, 'web_address'],
    ['baseUrl', { baseUrl: 'https://charge.example/?a=b' }, 'web_address'],
    ['baseUrl', { baseUrl: 'javascript:alert(1)' }, 'web_address'],
    ['baseUrl', { baseUrl: 'https:///nowhere' }, 'web_address'],
    ['creditCode', { creditCode: '91440300MA5DXXXXXX' }, 'credit_code'],
    ['allowedAddresses.1', { allowedAddresses: ['203.0.113.7', '203.0.113.0/33'] }, 'address_range'],
    ['allowedAddresses.0', { allowedAddresses: ['charge.example'] }, 'address_range'],
    ['interfaceUrls.query_secrets', { interfaceUrls: { query_secrets: 'https://a.example' } }, 'unknown_field'],
    ['interfaceUrls.query_token', { interfaceUrls: { query_token: 'file:///etc/passwd' } }, 'web_address'],
    [
      'interfaceUrls.query_stop_charge',
      { interfaceUrls: { query_token: 'https://a.example', query_stop_charge: 'ftp://a.example' } },
      'web_address',
    ],
    ['profile.energyDecimals', { profile: { energyDecimals: 7 } }, 'not_choice'],
    ['ratePerSecond', { ratePerSecond: 0 }, 'too_small'],
    ['startBalanceMinFen', { startBalanceMinFen: -1 }, 'too_small'],
    ['tariffId', { tariffId: 999_999 }, 'unknown_reference'],
    ['inbound.dataSecret', { inbound: { dataSecret: 'fifteen-chars--' } }, 'too_short'],
    ['inbound.dataSecretIv', { inbound: { dataSecretIv: 'seventeen-chars--' } }, 'too_long'],
    ['outbound.sigSecret', { outbound: { sigSecret: 'with space' } }, 'secret_characters'],
    ['outbound.sigSecret', { outbound: { sigSecret: '密钥' } }, 'secret_characters'],
  ])('%s of %j is refused at its field and adds nothing', async (path, more, code) => {
    const before = await api.database.pool.query('select count(*)::integer as count from partners');
    const { status, envelope, text } = await create(more);
    expect(status).toBe(422);
    expect(envelope.message.fields).toMatchObject([{ path, code }]);
    expect(text).not.toContain('user:secret');
    const after = await api.database.pool.query('select count(*)::integer as count from partners');
    expect(after.rows).toEqual(before.rows);
  });

  test('disabled, the tokens that it was given end at once', async () => {
    const { data } = await create();
    await api.database.db
      .insertInto('partner_tokens')
      .values({ hash: Buffer.from('a'), partner_id: data.id, issued_at: now, expires_at: instant(now + hourMs) })
      .execute();
    expect((await put(`/partners/${data.id}/enabled`, { enabled: false })).data.enabled).toBe(false);
    const { rows } = await api.database.pool.query('select 1 from partner_tokens where partner_id = $1', [data.id]);
    expect(rows).toEqual([]);
  });

  test('it is deleted with its keys while nothing refers to it, and not after its first charge', async () => {
    const { data } = await create();
    await api.database.db
      .insertInto('partner_charges')
      .values({ partner_id: data.id, sequence: 'A', port_id: '1', refusal: 'offline', created_at: now })
      .execute();
    const refused = await api.ask('DELETE', `/partners/${data.id}`);
    expect(refused.envelope.message.error).toBe('partner.in_use');
    await api.database.pool.query('delete from partner_charges');
    expect((await api.ask('DELETE', `/partners/${data.id}`)).status).toBe(200);
    expect((await api.get(`/partners/${data.id}`)).status).toBe(404);
    expect(await validKeys(data.id, 'inbound')).toEqual([]);
  });
});

describe('new keys', () => {
  test('the keys before a rotation stay valid until its overlap ends, and not a moment longer', async () => {
    api.clock.now = now;
    const { data } = await create({ inbound, outbound });
    const rotated = await rotate(data.id, { direction: 'inbound', overlapHours: 2 });
    expect(rotated.data).toMatchObject({
      direction: 'inbound',
      from: '2026-11-28T04:00:00.000Z',
      previousUntil: '2026-11-28T06:00:00.000Z',
    });
    const fresh = rotated.data.keys;
    expect(fresh.operatorSecret).not.toBe(inbound.operatorSecret);
    expect(await validKeys(data.id, 'inbound', instant(now + 2 * hourMs - 1))).toEqual([fresh, inbound]);
    expect(await validKeys(data.id, 'inbound', instant(now + 2 * hourMs))).toEqual([fresh]);
    expect(await validKeys(data.id, 'outbound')).toEqual([outbound]);
    const { keys } = await detailOf(data.id);
    expect(keys.inbound).toMatchObject([{ until: null }, { hint: 'ou••••-1', until: '2026-11-28T06:00:00.000Z' }]);
    const audited = await api.database.pool.query(
      `select after from audit_entries where action = 'partner.rotate_keys' and record_id = $1`,
      [String(data.id)],
    );
    expect(audited.rows).toEqual([{ after: { direction: 'inbound', overlapHours: 2 } }]);
  });

  test('without an overlap, every set before ends at once, those of an earlier overlap and their tokens too', async () => {
    const { data } = await create({ inbound, outbound });
    await rotate(data.id, { direction: 'inbound', overlapHours: 168 });
    const at = api.context.now();
    await api.database.db
      .insertInto('partner_tokens')
      .values({ hash: Buffer.from('b'), partner_id: data.id, issued_at: at, expires_at: instant(at + hourMs) })
      .execute();
    const { data: rotated } = await rotate(data.id, { direction: 'inbound', keys: outbound, overlapHours: 0 });
    expect(rotated.keys).toEqual(outbound);
    expect(await validKeys(data.id, 'inbound')).toEqual([outbound]);
    const { rows } = await api.database.pool.query('select 1 from partner_tokens where partner_id = $1', [data.id]);
    expect(rows).toEqual([]);
  });

  test('rotations sent at once leave one present set', async () => {
    const { data } = await create();
    const all = await Promise.all(Array.from({ length: 5 }, () => rotate(data.id, { direction: 'outbound' })));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { keys } = await detailOf(data.id);
    expect(keys.outbound.filter(({ until }) => until === null)).toHaveLength(1);
  });

  test('the usual overlap is a day, and more than a week is refused', async () => {
    api.clock.now = now;
    const { data } = await create();
    const { data: rotated } = await rotate(data.id, { direction: 'inbound' });
    expect(rotated.previousUntil).toBe('2026-11-29T04:00:00.000Z');
    const refused = await rotate(data.id, { direction: 'inbound', overlapHours: 169 });
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'overlapHours', code: 'too_big' }]);
  });
});

describe('sites of a partner', () => {
  test('exactly the given ones are open to it, and a shorter list closes the others', async () => {
    const { data } = await create();
    const [north, south] = [await openSite('north'), await openSite('south')];
    const both = await put(`/partners/${data.id}/sites`, { siteIds: [north, south, north] });
    expect(both.data.sites.map(({ siteId }) => siteId).sort()).toEqual([north, south].sort());
    expect(both.data.siteCount).toBe(2);
    const one = await put(`/partners/${data.id}/sites`, { siteIds: [south] });
    expect(one.data.sites).toMatchObject([{ siteId: south, opened: true, tariffId: null }]);
    const seen = await api.get<{ items: { id: number }[] }>(`/partners?siteId=${south}`);
    expect(seen.data.items).toMatchObject([{ id: data.id }]);
    expect((await put(`/partners/${data.id}/sites`, { siteIds: [] })).data.sites).toEqual([]);
  });

  test('a site may have its own price for it, which stays until another one is sent', async () => {
    const { data } = await create();
    const siteId = await openSite('priced');
    const tariffId = (await api.database.pool.query('select id from tariffs limit 1')).rows[0].id;
    const prices = [{ siteId, tariffId }];
    expect((await put(`/partners/${data.id}/sites`, { siteIds: [siteId], prices })).data.sites).toMatchObject(prices);
    expect((await put(`/partners/${data.id}/sites`, { siteIds: [siteId] })).data.sites).toMatchObject(prices);
    const cleared = { siteIds: [siteId], prices: [{ siteId, tariffId: null }] };
    expect((await put(`/partners/${data.id}/sites`, cleared)).data.sites).toMatchObject([{ siteId, tariffId: null }]);
  });

  test('a billing rule that was agreed on cannot be deleted, and a deleted one cannot be agreed on', async () => {
    const siteId = await openSite('agreed');
    const [forAll, forOne, gone] = [await newRule('for all'), await newRule('for one'), await newRule('gone')];
    const { data } = await create({ tariffId: forAll });
    await put(`/partners/${data.id}/sites`, { siteIds: [siteId], prices: [{ siteId, tariffId: forOne }] });
    const remove = async (id: number) => (await api.ask('DELETE', `/tariffs/${id}`)).envelope.message.error;
    expect([await remove(forAll), await remove(forOne)]).toEqual(['tariff.in_use', 'tariff.in_use']);

    expect(await remove(gone)).toBeUndefined();
    const atSite = { siteIds: [siteId], prices: [{ siteId, tariffId: gone }] };
    for (const [path, body, field] of [
      [`/partners/${data.id}`, { tariffId: gone }, 'tariffId'],
      [`/partners/${data.id}/sites`, atSite, 'prices.0.tariffId'],
    ] as const) {
      const { envelope } = await put(path, body);
      expect(envelope.message.fields).toMatchObject([{ path: field, code: 'unknown_reference' }]);
    }
    expect(await detailOf(data.id)).toMatchObject({ tariffId: forAll, sites: [{ tariffId: forOne }] });

    await put(`/partners/${data.id}/sites`, { siteIds: [siteId], prices: [{ siteId, tariffId: null }] });
    expect(await remove(forOne)).toBeUndefined();
  });

  test('a site that is not opened or lacks what the standard demands is refused by name, and none is opened', async () => {
    const { data } = await create();
    const good = await openSite('good');
    const closed = await openSite('closed', { opened_at: null });
    const bare = await openSite('bare', { service_phone: '', kind: null });
    const names = await api.database.pool.query('select id, name from sites where id = any($1)', [[closed, bare]]);
    const nameOf = (id: SiteId) => names.rows.find((row: { id: number }) => row.id === id).name;
    const refused = await put(`/partners/${data.id}/sites`, { siteIds: [good, closed, bare] });
    expect(refused.envelope.message).toMatchObject({ status: 409, error: 'partner.opening_failed' });
    const { message } = refused.envelope.message;
    expect(message).toContain('Interconnection Opening Failed');
    expect(message).toContain(`${nameOf(closed)} (the opening to operators)`);
    expect(message).toMatch(new RegExp(`${nameOf(bare)} \\([^)]*, [^)]*\\)`));
    expect((await detailOf(data.id)).sites).toEqual([]);
  });

  test('one that was withdrawn meanwhile hinders no other, and is shown as withdrawn', async () => {
    const { data } = await create();
    const [kept, added] = [await openSite('kept'), await openSite('added')];
    await put(`/partners/${data.id}/sites`, { siteIds: [kept] });
    await api.database.pool.query('update sites set opened_at = null where id = $1', [kept]);
    const { data: now } = await put(`/partners/${data.id}/sites`, { siteIds: [kept, added] });
    expect(now.sites.find(({ siteId }) => siteId === kept)).toMatchObject({ opened: false });
  });

  test('an unknown site or billing rule is refused at its place', async () => {
    const { data } = await create();
    const siteId = await openSite('known');
    const refused = await put(`/partners/${data.id}/sites`, {
      siteIds: [siteId, 999_999],
      prices: [
        { siteId, tariffId: 999_999 },
        { siteId: 888_888, tariffId: null },
      ],
    });
    expect(refused.envelope.message.fields).toMatchObject([
      { path: 'siteIds.1', code: 'unknown_reference' },
      { path: 'prices.0.tariffId', code: 'unknown_reference' },
      { path: 'prices.1.siteId', code: 'unknown_reference' },
    ]);
  });
});

test('for people of agents no partner exists, whatever their position grants', async () => {
  const { data } = await create();
  const agentId = await api.addAgent('Outsider');
  const everything = Object.keys(permissions) as Permission[];
  const { token } = await api.addUser({ name: 'outsider', agentId, scope: 'agent_tree', permissions: everything });
  expect((await api.get('/partners', { token })).status).toBe(403);
  expect((await api.get(`/partners/${data.id}`, { token })).status).toBe(404);
  expect((await api.post('/partners', formOf(), { token })).status).toBe(403);
  for (const [method, path, body] of [
    ['PUT', `/partners/${data.id}`, { remark: 'mine' }],
    ['PUT', `/partners/${data.id}/enabled`, { enabled: false }],
    ['PUT', `/partners/${data.id}/sites`, { siteIds: [] }],
    ['POST', `/partners/${data.id}/key-rotations`, { direction: 'inbound' }],
    ['DELETE', `/partners/${data.id}`, undefined],
  ] as const) {
    expect((await api.ask(method, path, { token, ...(body === undefined ? {} : { body }) })).status, path).toBe(404);
  }
  expect(await detailOf(data.id)).toMatchObject({ remark: '', enabled: true });
});

test('reading partners permits none of the acts on them', async () => {
  const { data } = await create();
  const { token } = await api.addUser({ name: 'reader', permissions: ['partner.read'] });
  expect((await api.get(`/partners/${data.id}`, { token })).status).toBe(200);
  expect((await api.post('/partners', formOf(), { token })).status).toBe(403);
  expect((await api.post(`/partners/${data.id}/key-rotations`, { direction: 'inbound' }, { token })).status).toBe(403);
  expect((await put(`/partners/${data.id}/sites`, { siteIds: [] }, { token })).status).toBe(403);
});
