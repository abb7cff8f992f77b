import { siteStates } from '@voltdeck/charging/states';
import type { StoredFile } from '@voltdeck/contract/files';
import type { Site, SiteDetail } from '@voltdeck/contract/sites';
import type { Station } from '@voltdeck/contract/stations';
import type { AgentId } from '@voltdeck/units/id';
import { hourMs, instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPng, uploadFile } from '../content/files/test-upload.ts';
import { whileChanging } from '../database/test-database.ts';
import { say } from '../http/say.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace } from '../http/test-records.ts';

let api: TestApi;
let agentId: AgentId;
let agent: { id: number; token: string };
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  agentId = await api.addAgent('Alpha');
  agent = await api.addUser({ name: 'alpha', permissions: ['site.edit', 'site.open'], scope: 'agent', agentId });
});
afterAll(() => api.close());

const form = {
  name: '南山科苑路超级充电站',
  regionCode: '440305',
  address: '科苑路21号',
  longitude: 113.943,
  latitude: 22.54,
} as const;
/** Every field that a form has. */
const whole = {
  ...form,
  state: 'maintenance',
  openAllDay: false,
  openingHours: '周一至周日 08:00-22:00',
  sitePhone: '0755-26010001',
  servicePhone: '400-800-1234',
  parkingFee: 'reduced',
  parkingInfo: '前2小时免停车费',
  bayCount: 48,
  invoiceAvailable: true,
  reservable: true,
  facilities: ['wifi', 'toilet', 'lounge'],
  vehicles: '小型车、轻型货车',
  directions: 'B2 层 F 区',
  paymentInfo: '刷卡、线上',
  remark: '雨天减速',
  kind: 'public',
  place: 'office',
  level: 'underground',
  capacityKva: 1250,
  powerCapacityKw: 1000,
  staffed: true,
  ownGrid: true,
  gridAccount: '4403-0012345678',
  publicCarPark: true,
  carParkNumber: 'P-0731',
} as const;

const create = (body: object = form, ask = {}) => api.post<Site>('/sites', body, ask);
const change = (id: number, body: object, ask = {}) => api.ask<Site>('PUT', `/sites/${id}`, { body, ...ask });
const open = (id: number, opened: boolean, ask = {}) =>
  api.ask<Site>('PATCH', `/sites/${id}`, { body: { opened }, ...ask });
const read = async (id: number, ask = {}) => (await api.get<SiteDetail>(`/sites/${id}`, ask)).data;
const list = async (query: string, ask = {}) =>
  (await api.get<{ items: Site[]; total: number }>(`/sites?${query}`, ask)).data;
const picture = async (name: string, ask = {}): Promise<StoredFile> => {
  const { data } = await uploadFile(api, 'site', await drawPng(8, 6), name, ask);
  return data;
};
const faultsOf = ({ envelope }: Awaited<ReturnType<typeof create>>) =>
  envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);

describe('a site', () => {
  test('every field of a site is stored and answered, with its region and facilities in the caller’s language', async () => {
    const cover = await picture('entrance.png');
    const more = await picture('sign.png');
    const pictures = [
      { key: more.key, slot: 'sign' },
      { key: cover.key, slot: 'entrance' },
    ];
    const { data, status } = await create({ ...whole, agentId, pictures }, { language: 'en' });
    expect(status).toBe(200);
    const { pictures: _, ...fields } = { ...whole, pictures };
    expect(data).toMatchObject({
      ...fields,
      version: 1,
      agentId,
      agentName: 'Alpha',
      regionNames: ['Guangdong Province', 'Shenzhen City', 'Nanshan District'],
      facilityNames: ['Free WiFi', 'Toilet', 'Lounge'],
      opened: false,
      createdAt: '2026-11-21T04:00:00.000Z',
      createdByName: 'Administrator',
    });
    expect(data.pictures).toEqual([
      { id: more.id, key: more.key, name: 'sign.png', url: more.url, slot: 'sign' },
      { id: cover.id, key: cover.key, name: 'entrance.png', url: cover.url, slot: 'entrance' },
    ]);
    const chinese = await read(data.id, { language: 'zh-CN' });
    expect(chinese.regionNames).toEqual(['广东省', '深圳市', '南山区']);
    expect(chinese.facilityNames).toEqual(['免费WiFi', '厕所', '休息室']);
  });

  test('a new site has its defaults, and a change is noted with who made it and when', async () => {
    const { data: site } = await create({ ...form, name: 'Defaults' });
    expect(site).toMatchObject({
      state: 'normal',
      parkingFee: 'free',
      invoiceAvailable: false,
      facilities: [],
      pictures: [],
      kind: null,
      capacityKva: null,
      stationCount: 0,
      connectors: { free: 0, occupied: 0, fault: 0, offline: 0 },
    });
    api.clock.now = instant(now + hourMs);
    const changed = await change(site.id, { ...form, name: 'Renamed' });
    expect(changed.data).toMatchObject({
      name: 'Renamed',
      version: 2,
      createdAt: '2026-11-21T04:00:00.000Z',
      changedAt: '2026-11-21T05:00:00.000Z',
    });
    const entries = await api.database.db
      .selectFrom('audit_entries')
      .select('action')
      .where('record_kind', '=', 'site')
      .where('record_id', '=', String(site.id))
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['site.create', 'site.change']);
  });

  test('the state, pictures and agent of a site stay where a change omits them', async () => {
    const { key } = await picture('kept.png');
    const { data: site } = await create({
      ...form,
      name: 'Kept',
      state: 'building',
      agentId,
      pictures: [{ key, slot: 'other' }],
    });
    const { data } = await change(site.id, { ...form, name: 'Kept' });
    expect(data).toMatchObject({ state: 'building', agentId, pictures: [{ key }] });
    const emptied = await change(site.id, { ...form, name: 'Kept', agentId: null, pictures: [] });
    expect(emptied.data).toMatchObject({ agentId: null, pictures: [] });
  });

  test('a site whose stations are priced by rules of their agent does not go to another agent', async () => {
    const { siteId, stationId } = await makePlace(api.database, agentId, 'priced');
    const refused = await change(siteId, { ...form, name: 'Priced', agentId: null });
    expect(refused.envelope.message.fields).toMatchObject([
      { path: 'agentId', code: 'stations_rules_of_other_agent', params: { count: 1 } },
    ]);
    const { agentId: ownerId } = (await api.get<Site>(`/sites/${siteId}`)).data;
    expect(ownerId).toBe(agentId);
    const { tariffId } = await makePlace(api.database, null, 'of the platform');
    await api.database.db
      .updateTable('stations')
      .set({ card_tariff_id: tariffId })
      .where('id', '=', stationId)
      .execute();
    expect((await change(siteId, { ...form, name: 'Priced', agentId: null })).data.agentId).toBeNull();
  });

  test('a station that was handed to somebody else stays theirs when its site goes to another agent', async () => {
    const [aliceId, bobId] = [await api.addAgent('Giver'), await api.addAgent('Taker')];
    const { siteId, stationId, tariffId } = await makePlace(api.database, aliceId, 'given away');
    const others = await makePlace(api.database, bobId, 'handed over');
    const ofPlatform = await makePlace(api.database, null, 'rule of all');
    const stations = api.database.db.updateTable('stations');
    await stations.set({ card_tariff_id: ofPlatform.tariffId }).where('id', '=', stationId).execute();
    await stations.set({ site_id: siteId }).where('id', '=', others.stationId).execute();
    const ownerOf = async (id: number) => (await api.get<Station>(`/stations/${id}`)).data.agentId;
    const entriesOf = async (id: number) =>
      (
        await api.database.pool.query(
          `select before, after from audit_entries where action = 'station.change' and record_id = $1 order by id`,
          [String(id)],
        )
      ).rows;

    const given = await change(siteId, { ...form, name: 'Given', agentId: null });
    expect(given.status).toBe(200);
    expect([await ownerOf(stationId), await ownerOf(others.stationId)]).toEqual([null, bobId]);
    expect(await entriesOf(stationId)).toEqual([{ before: { agentId: aliceId }, after: { agentId: null } }]);
    await change(siteId, { ...form, name: 'Given', agentId: aliceId });
    expect([await ownerOf(stationId), await ownerOf(others.stationId)]).toEqual([aliceId, bobId]);
    expect(await entriesOf(others.stationId)).toEqual([]);

    // Those that follow alone are counted.
    await stations.set({ card_tariff_id: tariffId }).where('id', '=', stationId).execute();
    const refused = await change(siteId, { ...form, name: 'Given', agentId: null });
    expect(refused.envelope.message.fields).toMatchObject([{ params: { count: 1 } }]);
  });

  test('a station that is handed over while its site goes to another agent goes where it was handed', async () => {
    const [aliceId, bobId] = [await api.addAgent('Site giver'), await api.addAgent('Station taker')];
    const { siteId, stationId } = await makePlace(api.database, aliceId, 'contested');
    const { tariffId } = await makePlace(api.database, null, 'rule for all');
    const stations = api.database.db.updateTable('stations').set({ card_tariff_id: tariffId });
    await stations.where('id', '=', stationId).execute();
    const moved = await whileChanging(
      api.database.pool,
      ['update stations set agent_id = $1 where id = $2', [bobId, stationId]],
      () => change(siteId, { ...form, name: 'Contested', agentId: null }),
    );
    expect(moved.status).toBe(200);
    expect((await api.get<Station>(`/stations/${stationId}`)).data.agentId).toBe(bobId);
  });

  test('of two people who edit a site at once, the second is refused and changes nothing', async () => {
    const { data: site } = await create({ ...form, name: 'Contested' });
    const edits = ['First', 'Second'].map((name) => change(site.id, { ...form, name, version: site.version }));
    const answers = await Promise.all(edits);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.envelope.message).toMatchObject({ error: 'record.changed' });
    const won = answers.find(({ status }) => status === 200);
    expect((await read(site.id)).name).toBe(won?.data.name);
    expect((await read(site.id)).version).toBe(2);
  });
});

describe('what a form cannot say by itself', () => {
  test('required fields are named: name, region, address and position', async () => {
    expect(faultsOf(await create({}))).toEqual([
      'name required',
      'regionCode required',
      'address required',
      'longitude required',
      'latitude required',
    ]);
  });

  test('a region must be named down to its county', async () => {
    for (const regionCode of ['440000', '440300', '449999']) {
      expect(faultsOf(await create({ ...form, regionCode }))).toEqual(['regionCode not_region']);
    }
  });

  test.each([
    ['swapped coordinates', { longitude: 22.54, latitude: 30 }, ['longitude outside_china']],
    ['a misplaced decimal point', { longitude: 113.9, latitude: 2.254 }, ['latitude outside_china']],
    ['degrees that do not exist', { longitude: 181, latitude: -91 }, ['longitude too_big', 'latitude too_small']],
  ])('a Chinese region refuses %s', async (_, position, faults) => {
    expect(faultsOf(await create({ ...form, ...position }))).toEqual(faults);
  });

  test('a region abroad takes a position abroad', async () => {
    const paris = { name: 'Paris', regionCode: '925001', longitude: 2.35, latitude: 48.86 };
    expect((await create({ ...form, ...paris })).data).toMatchObject(paris);
  });

  test('pictures must be uploaded for sites, at most five and each once, and those of another agent are refused', async () => {
    const mine = await picture('mine.png');
    const advert = (await uploadFile(api, 'advert', await drawPng(8, 6), 'advert.png')).data;
    const withKeys = (keys: readonly string[], ask = {}) =>
      create({ ...form, name: 'Pictures', pictures: keys.map((key) => ({ key, slot: 'other' })) }, ask);
    expect(faultsOf(await withKeys([mine.key, 'unknown']))).toEqual(['pictures.1.key unknown_reference']);
    expect(faultsOf(await withKeys([advert.key]))).toEqual(['pictures.0.key unknown_reference']);
    expect(faultsOf(await withKeys([mine.key, mine.key]))).toEqual(['pictures.1.key unknown_reference']);
    expect(faultsOf(await withKeys([mine.key], { token: agent.token }))).toEqual(['pictures.0.key unknown_reference']);
    expect(faultsOf(await withKeys(Array.from({ length: 6 }, () => mine.key)))).toEqual(['pictures too_many']);
    const theirs = await picture('theirs.png', { token: agent.token });
    expect((await withKeys([theirs.key], { token: agent.token })).status).toBe(200);
  });

  test('an agent may keep the pictures that the platform gave its site', async () => {
    const { key } = await picture('given.png');
    const pictures = [{ key, slot: 'sign' }];
    const { data: site } = await create({ ...form, name: 'Given', agentId, pictures });
    const kept = await change(site.id, { ...form, name: 'Given', pictures }, { token: agent.token });
    expect(kept.data.pictures).toMatchObject(pictures);
  });

  test('a picture that a site shows is not deleted from the files', async () => {
    const { key, id } = await picture('shown.png');
    const { data: site } = await create({ ...form, name: 'Shows', pictures: [{ key, slot: 'sign' }] });
    const refused = await api.ask('DELETE', `/files/${id}`);
    expect(refused.envelope.message).toMatchObject({ error: 'file.in_use' });
    await api.ask('DELETE', `/sites/${site.id}`);
    expect((await api.ask('DELETE', `/files/${id}`)).status).toBe(200);
  });
});

describe('facilities', () => {
  const setFacilities = async (value: string, language: 'zh-CN' | 'en' = 'en') => {
    const { items } = (await api.get<{ items: { id: number; name: string }[] }>('/sysConfig/list?key=site_facilities'))
      .data;
    const { id = 0, name = '' } = items[0] ?? {};
    return api.post('/sysConfig/editConfig', { id, name, key: 'site_facilities', value }, { language });
  };

  test('configured facilities come after those of the specification, in the caller’s language', async () => {
    await setFacilities('massage=按摩椅|Massage chair');
    const ask = async (language: 'zh-CN' | 'en') =>
      (await api.get<{ code: string; name: string }[]>('/site-facilities', { language })).data;
    expect(await ask('en')).toEqual([
      { code: 'wifi', name: 'Free WiFi' },
      { code: 'store', name: 'Convenience store' },
      { code: 'car_wash', name: 'Car wash' },
      { code: 'toilet', name: 'Toilet' },
      { code: 'massage', name: 'Massage chair' },
    ]);
    expect((await ask('zh-CN')).map(({ name }) => name)).toEqual(['免费WiFi', '便利店', '洗车', '厕所', '按摩椅']);
  });

  test('a site keeps a facility that is no longer configured, and a new site cannot get it', async () => {
    await setFacilities('massage=按摩椅|Massage chair');
    const { data: site } = await create({ ...form, name: 'Massage', facilities: ['massage', 'wifi'] });
    await setFacilities('');
    expect(await read(site.id, { language: 'en' })).toMatchObject({ facilityNames: ['massage', 'Free WiFi'] });
    const kept = await change(site.id, { ...form, name: 'Massage', facilities: ['massage'] });
    expect(kept.data.facilities).toEqual(['massage']);
    const refused = await create({ ...form, name: 'Another', facilities: ['wifi', 'massage'] });
    expect(faultsOf(refused)).toEqual(['facilities.1 unknown_reference']);
  });

  test.each([
    ['a line without an English name', 'massage=按摩椅'],
    ['a code with capitals', 'Massage=按摩椅|Massage'],
    ['the same code twice', 'a=甲|A\na=乙|B'],
    ['the code of a built-in facility', 'wifi=无线|Wireless'],
    ['an empty name', 'massage=按摩椅| '],
  ])('the parameter refuses %s and says what a line looks like', async (_, value) => {
    const refused = await setFacilities(value);
    expect(refused.envelope.message.fields).toEqual([
      {
        path: 'value',
        code: 'facilities_format',
        message: 'One facility per line, each code once and none of the built-in ones: code=Chinese name|English name',
      },
    ]);
  });
});

describe('the list', () => {
  test('each filter finds its sites: name, region, state, agent, parking fee, invoice, opened and kind', async () => {
    const { data: site } = await create({
      ...form,
      name: 'Lijiang Old Town North',
      regionCode: '530702',
      longitude: 100.23,
      latitude: 26.87,
      state: 'closed_offline',
      parkingFee: 'limited',
      invoiceAvailable: true,
      kind: 'taxi',
      place: 'roadside',
      servicePhone: '400-1',
      agentId,
    });
    const found = async (query: string) => (await list(`${query}&pageSize=100`)).items.map(({ id }) => id);
    for (const query of [
      'name=town',
      'regionCode=530000',
      'regionCode=530700',
      'regionCode=530702',
      'regionCode=53',
      'state=closed_offline,building',
      `agentId=${agentId}`,
      'parkingFee=limited',
      'invoiceAvailable=true',
      'opened=false',
      'kind=taxi',
    ]) {
      expect([query, await found(query)]).toEqual([query, expect.arrayContaining([site.id])]);
    }
    for (const query of [
      'name=village',
      'regionCode=440000',
      'state=normal',
      'parkingFee=free,charged',
      'invoiceAvailable=false',
      'opened=true',
      'kind=public',
    ]) {
      expect(await found(query)).not.toContain(site.id);
    }
  });

  test('the parking fee can be filtered coarsely, as free or charged, and finely', async () => {
    await create({ ...form, name: 'Coarse free', parkingFee: 'free' });
    await create({ ...form, name: 'Coarse charged', parkingFee: 'charged' });
    const names = async (query: string) => (await list(`name=Coarse&${query}`)).items.map(({ name }) => name).sort();
    expect(await names('parkingFee=free')).toEqual(['Coarse free']);
    expect(await names('parkingFee=free,charged')).toEqual(['Coarse charged', 'Coarse free']);
  });

  test('an index serves each filter and each sort of the list among twenty thousand sites', async () => {
    const { db } = api.database;
    const before = await db
      .selectFrom('sites')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst();
    await db.transaction().execute(async (trx) => {
      await sql`
        insert into sites (name, region_code, address, longitude, latitude, state, kind, parking_fee, invoice_available,
                           opened_at, agent_id, created_at)
        select 'Bulk ' || md5(n::text), (330100 + n % 9000)::text, 'x', 120, 30,
               case when n % 50 = 0 then 'building' else 'normal' end, case when n % 40 = 0 then 'bus' end,
               case when n % 30 = 0 then 'other' else 'free' end, n % 60 <> 0,
               case when n % 100 = 0 then now() end, case when n % 3 = 0 then ${agentId}::bigint end,
               now() - n * interval '1 minute'
          from generate_series(1, 20000) as n`.execute(trx);
      await sql`analyze sites`.execute(trx);
      const planOf = async (where: string, order = 'created_at desc, id desc') => {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from sites where ${sql.raw(where)}
          order by ${sql.raw(order)} limit 20`.execute(trx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      for (const [where, order] of [
        ['true'],
        ['true', 'name collate "zh-x-icu", id'],
        ['true', 'changed_at desc, id desc'],
        [`agent_id = ${agentId}`],
        [`region_code >= '330100' and region_code <= '330199'`],
        [`state in ('building')`],
        [`kind in ('bus')`],
        [`parking_fee in ('other')`],
        ['invoice_available = false'],
        ['opened_at is not null'],
        [`text_pieces(name, 2) @> text_pieces('c4ca', 2) and name ilike '%c4ca%'`],
      ] as const) {
        expect([where, order, await planOf(where, order)]).toEqual([
          where,
          order,
          expect.not.stringContaining('Seq Scan'),
        ]);
      }
      await sql`delete from sites where name like 'Bulk %'`.execute(trx);
    });
    const after = await db
      .selectFrom('sites')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst();
    expect(after).toEqual(before);
  });
});

test.each(siteStates)('a site can be %s, and the list finds it by that state', async (state) => {
  const { data: site } = await create({ ...form, name: `In ${state}`, state });
  expect(site.state).toBe(state);
  const found = (await list(`name=In ${state}&state=${state}`)).items;
  expect(found.map(({ id }) => id)).toEqual([site.id]);
  const others = siteStates.filter((other) => other !== state).join(',');
  expect((await list(`name=In ${state}&state=${others}`)).items).toEqual([]);
  for (const language of ['zh-CN', 'en'] as const) {
    const { text } = await api.get(`/sites/export?format=csv&state=${state}`, { language });
    expect(text).toContain(say(language, `site-state.${state}`));
  }
});

describe('opening to interconnected operators', () => {
  const ready = { kind: 'public', place: 'office', servicePhone: '400-800-1234' } as const;

  test('opening fails with every reason in the caller’s language, and nothing changes', async () => {
    const { data: site } = await create({ ...form, name: 'Bare', ownGrid: true });
    const refused = await open(site.id, true, { language: 'en' });
    expect(refused.status).toBe(409);
    expect(refused.envelope.message.message).toBe(
      'Interconnection Opening Failed: the site still lacks its kind, the place it is built in, a service phone, the account number of its grid connection, gun ports',
    );
    const chinese = await open(site.id, true, { language: 'zh-CN' });
    expect(chinese.envelope.message.message).toBe(
      '互联互通开放失败：站点尚缺少站点类型、建设场所、服务电话、独立报装的户号、充电枪口',
    );
    expect(await read(site.id)).toMatchObject({ opened: false, version: 1 });
  });

  test('a site with all that the standard demands is opened and withdrawn, each once in the audit log', async () => {
    const { siteId } = await makePlace(api.database, agentId, 'opened');
    const { id, name, regionCode, address, longitude, latitude } = await read(siteId);
    const body = { name, regionCode, address, longitude, latitude, ...ready };
    expect((await change(id, body)).status).toBe(200);
    expect((await open(id, true)).data).toMatchObject({ opened: true });
    expect((await open(id, true)).data).toMatchObject({ opened: true });
    expect((await list('opened=true&pageSize=100')).items.map((site) => site.id)).toContain(id);

    const undone = await change(id, { ...body, servicePhone: '', kind: null });
    expect(faultsOf(undone)).toEqual(['kind needed_while_opened', 'servicePhone needed_while_opened']);
    expect((await open(id, false)).data).toMatchObject({ opened: false });
    expect((await change(id, { ...body, servicePhone: '' })).status).toBe(200);
    const entries = await api.database.db
      .selectFrom('audit_entries')
      .select('action')
      .where('record_kind', '=', 'site')
      .where('record_id', '=', String(id))
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['site.change', 'site.open', 'site.withdraw', 'site.change']);
  });

  test('a site abroad is not opened under the Chinese standard', async () => {
    const { data: site } = await create({ ...form, ...ready, name: 'Abroad', regionCode: '925001' });
    const refused = await open(site.id, true, { language: 'en' });
    expect(refused.envelope.message.message).toContain('a region in China');
  });

  test('editing sites does not include opening them', async () => {
    const editor = await api.addUser({ name: 'editor', permissions: ['site.edit'] });
    const { data: site } = await create({ ...form, name: 'Guarded' });
    expect((await open(site.id, true, { token: editor.token })).status).toBe(403);
  });
});

describe('the page of a site', () => {
  test('the page has its stations by connection, their power together and the prices in use', async () => {
    const { siteId } = await makePlace(api.database, agentId, 'paged');
    await api.database.db.updateTable('stations').set({ online: true }).where('site_id', '=', siteId).execute();
    const site = await read(siteId);
    expect(site).toMatchObject({
      stations: { online: 1, offline: 0 },
      stationCount: 1,
      tariffs: [{ stationCount: 1 }],
    });
    expect(site.installedPowerKw).toBeGreaterThan(0);
  });

  test('the tally of ports follows their states and counts those of an offline station as offline', async () => {
    const { siteId, connectorId } = await makePlace(api.database, agentId, 'tallied');
    const { db } = api.database;
    expect((await read(siteId)).connectors).toEqual({ free: 0, occupied: 0, fault: 0, offline: 2 });
    await db.updateTable('stations').set({ online: true }).where('site_id', '=', siteId).execute();
    await db.updateTable('connectors').set({ state: 'free' }).execute();
    await db.updateTable('connectors').set({ state: 'fault' }).where('id', '=', connectorId).execute();
    expect((await read(siteId)).connectors).toEqual({ free: 1, occupied: 0, fault: 1, offline: 0 });
  });
});

test('8.2.10 a site with stations cannot be deleted, in both languages, and one without can', async () => {
  const { siteId } = await makePlace(api.database, agentId, 'deleted');
  const remove = (id: number, language: 'zh-CN' | 'en') => api.ask('DELETE', `/sites/${id}`, { language });
  const english = await remove(siteId, 'en');
  expect([english.status, english.envelope.message.message]).toEqual([409, 'A site with stations cannot be deleted']);
  expect((await remove(siteId, 'zh-CN')).envelope.message.message).toBe('站点下存在充电桩，不能删除');
  expect((await read(siteId)).stationCount).toBe(1);
  const { data: empty } = await create({ ...form, name: 'Empty' });
  expect((await remove(empty.id, 'en')).status).toBe(200);
  expect((await api.get(`/sites/${empty.id}`)).status).toBe(404);
});

test('a site that goes to another agent while its own deletes it stays', async () => {
  const otherId = await api.addAgent('Taker');
  const { data: site } = await create({ ...form, name: 'Going', agentId });
  const refused = await whileChanging(
    api.database.pool,
    ['update sites set agent_id = $1 where id = $2', [otherId, site.id]],
    () => api.ask('DELETE', `/sites/${site.id}`, agent),
  );
  expect(refused.envelope.message.error).toBe('record.not_found');
  expect((await read(site.id)).agentId).toBe(otherId);
});

test('a site that several people delete at once is deleted once, and the audit log says so once', async () => {
  const { data: site } = await create({ ...form, name: 'Deleted at once' });
  const removed = await Promise.all(Array.from({ length: 4 }, () => api.ask('DELETE', `/sites/${site.id}`)));
  expect(removed.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=site&recordId=${site.id}`);
  expect(log.data.items.map(({ action }) => action)).toEqual(['site.delete', 'site.create']);
});

test.each([
  ['zh-CN', /历史订单/],
  ['en', /past orders/],
] as const)(
  'a site whose stations have moved away but whose orders refer to it is not deleted, and says so: %s',
  async (language, words) => {
    const { db } = api.database;
    const left = await makePlace(api.database, agentId, `left ${language}`);
    const now = await makePlace(api.database, agentId, `now ${language}`);
    await makeOrder(api.database, left, instant(Date.now()));
    await db.updateTable('stations').set({ site_id: now.siteId }).where('id', '=', left.stationId).execute();
    const { status, envelope } = await api.ask('DELETE', `/sites/${left.siteId}`, { language });
    expect([status, envelope.message.error]).toEqual([409, 'site.has_orders']);
    expect(envelope.message.message).toMatch(words);
    expect((await api.get(`/sites/${left.siteId}`)).status).toBe(200);
  },
);
