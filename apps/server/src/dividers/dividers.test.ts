import type { DividerIncome, DividerShare } from '@voltdeck/contract/divider-income';
import type { DividedPlace, Divider, DividerTerm } from '@voltdeck/contract/dividers';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentId, DividerId, SiteId } from '@voltdeck/units/id';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveFromNoon, settleNow } from '../finance/test-finance.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';

let api: TestApi;
let made = 0;
beforeAll(async () => {
  api = await openTestApi();
  await liveFromNoon(api);
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

type Ask = NonNullable<Parameters<TestApi['post']>[2]>;
type Created = Divider & { initialPassword: string | null };
type Refused = {
  envelope: { message: { error?: string; message: string; fields?: readonly { path: string; code: string }[] } };
};

const english = { language: 'en' } as const;
const add = (body: object, ask: Ask = {}) => api.post<Created>('/dividers', body, ask);
const rates = (electricityPercent: number, servicePercent = electricityPercent, occupancyPercent = 0) => ({
  electricityPercent,
  servicePercent,
  occupancyPercent,
});
const addTerms = (id: DividerId, body: object, ask: Ask = {}) =>
  api.post<DividerTerm>(`/dividers/${id}/terms`, body, { ...english, ...ask });
const follow = (id: number, body: object) => api.post<DividerTerm>(`/divider-terms/${id}/successors`, body, english);
const end = (id: number, body: object = {}) => api.post<DividerTerm>(`/divider-terms/${id}/endings`, body, english);
const termsOf = async (id: DividerId, ask: Ask = {}) =>
  (await api.get<{ items: DividerTerm[] }>(`/divider-terms?dividerId=${id}&sort=createdAt`, ask)).data.items;
const errorOf = ({ envelope }: Refused) => envelope.message.error;
const saidOf = ({ envelope }: Refused) => envelope.message.message;
const faultsOf = ({ envelope }: Refused) => envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
const dayFromNow = (days: number) => shanghaiDate(instant(api.context.now() + days * dayMs));

type Yard = { agentId: AgentId; place: Place; wang: DividerId; li: DividerId };

/** An agent with a site and two dividers without terms. */
async function newYard(): Promise<Yard> {
  made += 1;
  const agentId = await api.addAgent(`Agent ${made}`);
  await api.database.pool.query('update agents set rate_e4 = 8000 where id = $1', [agentId]);
  const place = await makePlace(api.database, agentId, `yard${made}`);
  const wang = (await add({ name: `Wang ${made}`, agentId })).data.id;
  const li = (await add({ name: `Li ${made}`, agentId })).data.id;
  return { agentId, place, wang, li };
}

const anotherSite = async (agentId: AgentId | null) => {
  made += 1;
  return (await makePlace(api.database, agentId, `other${made}`)).siteId;
};

/** An order that a person settles as it ends, 10 kWh: 7 yuan of electricity and 4 of service. */
const settle = (place: Place, endedAt = api.context.now()) => settleNow(api, place, endedAt);

const dividerFen = (id: DividerId) => balanceOf(api.database, `divider-share:${id}`);

describe('terms of dividers', () => {
  test('whole and decimal percentages decide how the next order is divided', async () => {
    const { place, wang, li } = await newYard();
    expect((await addTerms(wang, { siteId: place.siteId, ...rates(12.5, 33.33) })).status).toBe(200);
    expect((await addTerms(li, { ...rates(10) })).status).toBe(200);
    await settle(place);
    // The agent has 80 % of 700 and of 400: 560 and 320.
    expect(await dividerFen(wang)).toBe(70 + 107);
    expect(await dividerFen(li)).toBe(56 + 32);
    expect(faultsOf(await addTerms(li, rates(0.001)))).toEqual([
      'electricityPercent two_decimals',
      'servicePercent two_decimals',
    ]);
    expect(faultsOf(await addTerms(li, rates(100.01)))).toContain('electricityPercent too_big');
    expect(errorOf(await addTerms(li, rates(0)))).toBe('divider.nothing_shared');
  });

  test('the sum of a fee reaches exactly a whole and never more, and a refusal names who has how much', async () => {
    const { place, wang, li } = await newYard();
    const { siteId } = place;
    expect((await addTerms(wang, { siteId, ...rates(60, 99.99) })).status).toBe(200);
    expect((await addTerms(li, { siteId, ...rates(40, 0.01) })).status).toBe(200);
    const refused = await addTerms(li, { siteId, ...rates(0.01, 0) });
    expect(errorOf(refused)).toBe('divider.no_room');
    expect(saidOf(refused)).toBe(
      `Site yard${made}, electricity: on ${dayFromNow(0)} Wang ${made} 60%, Li ${made} 40% is already given, so 0% is left. Lower the rate or end other terms first`,
    );
    expect(faultsOf(refused)).toEqual(['electricityPercent too_big']);
    expect(faultsOf(await addTerms(li, { siteId, ...rates(0, 0.01) }))).toEqual(['servicePercent too_big']);
    expect(faultsOf(await addTerms(li, { siteId, ...rates(1, 1) }))).toEqual([
      'electricityPercent too_big',
      'servicePercent too_big',
    ]);
    const chinese = await addTerms(li, { siteId, ...rates(0, 0.01) }, { language: 'zh-CN' });
    expect(saidOf(chinese)).toContain(`服务费：${dayFromNow(0)} 已分给`);
    // Occupancy is a fee of its own.
    expect((await addTerms(li, { siteId, ...rates(0, 0, 100) })).status).toBe(200);
    expect(await termsOf(li)).toHaveLength(2);
  });

  test('wider and narrower places are added: all stations, the site and the station come to a whole together', async () => {
    const { agentId, place, wang, li } = await newYard();
    const { siteId, stationId } = place;
    expect((await addTerms(wang, rates(50))).status).toBe(200);
    expect((await addTerms(li, { siteId, ...rates(30) })).status).toBe(200);
    expect(errorOf(await addTerms(wang, { stationId, ...rates(20.01) }))).toBe('divider.no_room');
    expect((await addTerms(wang, { stationId, ...rates(20) })).status).toBe(200);
    // The station is full, so neither its site nor everything has room, while another site has.
    expect(saidOf(await addTerms(li, { siteId, ...rates(1) }))).toContain(`Station yard${made}`);
    expect(errorOf(await addTerms(li, rates(1)))).toBe('divider.no_room');
    const other = await anotherSite(agentId);
    expect((await addTerms(li, { siteId: other, ...rates(50) })).status).toBe(200);
    const seen = (await api.get<DividedPlace>(`/dividers/${li}/divided-places?stationId=${stationId}`)).data;
    expect(seen.dividers.map(({ name, electricityPercent }) => [name, electricityPercent])).toEqual([
      [expect.stringContaining('Wang'), 70],
      [expect.stringContaining('Li'), 30],
    ]);
    expect(seen.remainder).toEqual(rates(0, 0, 100));
    const whole = (await api.get<DividedPlace>(`/dividers/${li}/divided-places`)).data;
    expect(whole.remainder).toEqual(rates(50, 50, 100));
    expect(whole.left).toEqual(rates(0, 0, 100));
  });

  test('the sites and stations to choose from are the holder’s, with those of agents below it', async () => {
    const { agentId, place } = await newYard();
    const below = await api.addAgent(`Below ${made}`, agentId);
    const siteOfBelow = await anotherSite(below);
    await anotherSite(null);
    const shared = await anotherSite(null);
    await api.database.pool.query('update stations set agent_id = $1 where site_id = $2', [below, shared]);
    const chosen = async (path: string, key: 'id' | 'siteId') => {
      const { data } = await api.get<{ items: Record<string, number>[] }>(`${path}?holderId=${agentId}`);
      return data.items.map((item) => item[key]).sort();
    };
    expect(await chosen('/sites', 'id')).toEqual([place.siteId, siteOfBelow, shared].sort());
    expect(await chosen('/stations', 'siteId')).toEqual([place.siteId, siteOfBelow, shared].sort());
  });

  test('two who add at once for the same place do not come to more than a whole', async () => {
    const { agentId, place, wang, li } = await newYard();
    const { siteId } = place;
    const others: DividerId[] = [];
    for (const name of ['Zhao', 'Qian', 'Sun', 'Zhou']) others.push((await add({ name, agentId })).data.id);
    const answers = await Promise.all([wang, li, ...others].map((id) => addTerms(id, { siteId, ...rates(30) })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(new Set(answers.flatMap((answer) => (answer.status === 200 ? [] : [errorOf(answer)])))).toEqual(
      new Set(['divider.no_room']),
    );
    const { rows } = await api.database.pool.query<{ sum: number }>(
      'select sum(electricity_e4)::int as sum from divider_terms where site_id = $1',
      [siteId],
    );
    expect(rows[0]?.sum).toBe(9_000);
  });

  test('holders are apart: another agent and the platform have their own whole', async () => {
    const { place, wang } = await newYard();
    const own = (await add({ name: 'Landlord' })).data.id;
    expect((await addTerms(wang, { siteId: place.siteId, ...rates(100) })).status).toBe(200);
    expect((await addTerms(own, { siteId: place.siteId, ...rates(100) })).status).toBe(200);
    await end((await termsOf(own))[0]?.id ?? 0);
  });

  test('terms share only at places of their holder', async () => {
    const { agentId, wang } = await newYard();
    const other = await anotherSite(await api.addAgent(`Stranger ${made}`));
    const below = await anotherSite(await api.addAgent(`Below ${made}`, agentId));
    expect(faultsOf(await addTerms(wang, { siteId: other, ...rates(1) }))).toEqual(['siteId unknown_reference']);
    expect((await addTerms(wang, { siteId: below, ...rates(1) })).status).toBe(200);
  });

  test('one after the other fits, what overlaps by a day does not, and a gap is the holder’s', async () => {
    const { place, wang, li } = await newYard();
    const { siteId } = place;
    const first = { siteId, fromOn: dayFromNow(10), lastOn: dayFromNow(19) };
    expect((await addTerms(wang, { ...first, ...rates(80) })).status).toBe(200);
    expect(errorOf(await addTerms(li, { siteId, fromOn: dayFromNow(19), ...rates(30) }))).toBe('divider.no_room');
    expect(errorOf(await addTerms(li, { siteId, lastOn: dayFromNow(10), ...rates(30) }))).toBe('divider.no_room');
    expect(saidOf(await addTerms(li, { siteId, ...rates(30) }))).toContain(`on ${dayFromNow(10)}`);
    expect((await addTerms(li, { siteId, lastOn: dayFromNow(9), ...rates(30) })).status).toBe(200);
    expect((await addTerms(li, { siteId, fromOn: dayFromNow(22), ...rates(30) })).status).toBe(200);
    const at = async (days: number | null) => {
      const day = days === null ? '' : `&fromOn=${dayFromNow(days)}`;
      const { data } = await api.get<DividedPlace>(`/dividers/${li}/divided-places?siteId=${siteId}${day}`);
      return data.remainder.electricityPercent;
    };
    const seen = [await at(null), await at(9), await at(10), await at(19), await at(20), await at(22)];
    expect(seen).toEqual([70, 70, 20, 20, 100, 70]);
  });

  test('terms that were agreed in time and entered late share in what settles from then on, and in the rest when it is corrected', async () => {
    const { place, wang } = await newYard();
    const yesterday = instant(api.context.now() - dayMs);
    const settled = await settle(place, yesterday);
    expect(faultsOf(await addTerms(wang, { ...rates(1), fromOn: dayFromNow(-367) }))).toEqual(['fromOn too_many_days']);
    const terms = { siteId: place.siteId, ...rates(10), fromOn: dayFromNow(-2) };
    expect((await addTerms(wang, terms)).data).toMatchObject({ state: 'in_force' });
    expect(errorOf(await addTerms(wang, { siteId: place.siteId, ...rates(91), lastOn: dayFromNow(3) }))).toBe(
      'divider.no_room',
    );
    expect(await dividerFen(wang)).toBe(0);
    await settle(place, yesterday);
    expect(await dividerFen(wang)).toBe(56 + 32);
    const corrected = await api.post(`/orders/${settled}/share-corrections`, { reason: 'The terms were entered late' });
    expect(corrected.status).toBe(200);
    expect(await dividerFen(wang)).toBe(2 * (56 + 32));
  });

  test('terms do not end before they begin, and those that follow others begin now at the earliest', async () => {
    const { wang } = await newYard();
    const turned = { ...rates(1), fromOn: dayFromNow(5), lastOn: dayFromNow(4) };
    expect(faultsOf(await addTerms(wang, turned))).toEqual(['lastOn not_after_start']);
    expect((await addTerms(wang, { ...turned, lastOn: dayFromNow(5) })).status).toBe(200);
    const running = (await addTerms(wang, { ...rates(1.5), lastOn: '9999-12-31' })).data;
    expect(running.to).toBeNull();
    expect(faultsOf(await follow(running.id, { ...rates(2), fromOn: dayFromNow(-1) }))).toEqual(['fromOn in_past']);
    expect((await follow(running.id, { ...rates(2), fromOn: dayFromNow(0) })).data).toMatchObject({
      state: 'in_force',
    });
  });

  test('terms in force are ended and followed by others, and the history keeps both with who ended them', async () => {
    const { place, wang, li } = await newYard();
    const { siteId } = place;
    const before = (await addTerms(wang, { siteId, ...rates(60) })).data;
    await addTerms(li, { siteId, ...rates(40) });
    expect(errorOf(await follow(before.id, rates(60.01)))).toBe('divider.no_room');
    expect((await termsOf(wang)).map(({ to }) => to)).toEqual([null]);
    const first = await settle(place);
    const after = (await follow(before.id, rates(20))).data;
    expect(after).toMatchObject({ siteId, electricityPercent: 20, state: 'in_force', to: null });
    const second = await settle(place);
    expect(await termsOf(wang)).toMatchObject([
      { id: before.id, electricityPercent: 60, state: 'over', to: after.from, endedBy: '系统管理员' },
      { id: after.id, electricityPercent: 20, endedBy: null },
    ]);
    const shares = await api.get<{ items: DividerShare[] }>(`/divider-shares?dividerId=${wang}&sort=at`);
    expect(shares.data.items.map(({ orderId, electricityPercent }) => [orderId, electricityPercent])).toEqual([
      [first, 60],
      [second, 20],
    ]);
    expect(errorOf(await follow(before.id, rates(1)))).toBe('divider.terms_over');
    expect(errorOf(await end(before.id))).toBe('divider.terms_over');
    await expect(
      api.database.pool.query('update divider_terms set electricity_e4 = 1 where id = $1', [after.id]),
    ).rejects.toThrow('are ended, not changed');
    await expect(
      api.database.pool.query('update divider_terms set to_at = null where id = $1', [before.id]),
    ).rejects.toThrow('are ended, not changed');
  });

  test('an end is only moved forward, and terms to come are taken back instead', async () => {
    const { wang } = await newYard();
    const running = (await addTerms(wang, { ...rates(10), lastOn: dayFromNow(30) })).data;
    const coming = (await addTerms(wang, { ...rates(10), fromOn: dayFromNow(40) })).data;
    expect(errorOf(await end(running.id, { lastOn: dayFromNow(31) }))).toBe('divider.terms_end_earlier');
    expect(faultsOf(await end(running.id, { lastOn: dayFromNow(-1) }))).toEqual(['lastOn in_past']);
    expect((await end(running.id, { lastOn: dayFromNow(20) })).data).toMatchObject({ state: 'in_force' });
    expect(errorOf(await end(coming.id))).toBe('divider.terms_to_come');
    expect(errorOf(await api.ask('DELETE', `/divider-terms/${running.id}`))).toBe('divider.terms_begun');
    expect((await api.ask('DELETE', `/divider-terms/${coming.id}`)).status).toBe(200);
    expect((await end(running.id)).data).toMatchObject({ state: 'over' });
  });

  test('the same terms go to many sites at once, with the reason where there is no room', async () => {
    const { agentId, place, wang, li } = await newYard();
    const sites = [place.siteId, await anotherSite(agentId), await anotherSite(agentId)];
    const strange = await anotherSite(await api.addAgent(`Foreign ${made}`));
    await addTerms(wang, { siteId: sites[1], ...rates(95) });
    type Batch = {
      added: number;
      results: { siteId: SiteId; siteName: string | null; termId: number | null; because: string | null }[];
    };
    const body = { siteIds: [...sites, strange], ...rates(10) };
    const { data } = await api.post<Batch>(`/dividers/${li}/term-batches`, body, english);
    expect(data.added).toBe(2);
    expect(data.results).toEqual([
      { siteId: sites[0], siteName: expect.any(String), termId: expect.any(Number), because: null },
      { siteId: sites[1], siteName: expect.any(String), termId: null, because: expect.stringContaining('5% is left') },
      { siteId: sites[2], siteName: expect.any(String), termId: expect.any(Number), because: null },
      { siteId: strange, siteName: null, termId: null, because: expect.any(String) },
    ]);
    expect(await termsOf(li)).toHaveLength(2);
  });
});

describe('dividers', () => {
  test('the list finds a divider by name, phone, holder, place, state and entry date, with what it got', async () => {
    const { agentId, place, wang, li } = await newYard();
    await api.ask('PUT', `/dividers/${wang}`, {
      body: { phone: '13811112222', enteredOn: '2025-03-04', remark: 'Owns the yard' },
    });
    await addTerms(wang, { siteId: place.siteId, ...rates(5, 12.5) });
    await addTerms(wang, { stationId: place.stationId, ...rates(10, 12.5) });
    await settle(place);
    const found = async (query: string, ask: Ask = {}) =>
      (await api.get<{ items: Divider[] }>(`/dividers?agentId=${agentId}&${query}`, ask)).data.items.map(
        ({ id }) => id,
      );
    expect(await found(`name=wang ${made}`)).toEqual([wang]);
    expect(await found('phone=1111')).toEqual([wang]);
    expect(await found('enabled=false')).toEqual([]);
    expect(await found(`siteId=${place.siteId}`)).toEqual([wang]);
    expect(await found(`stationId=${place.stationId}`)).toEqual([wang]);
    await addTerms(li, rates(1));
    expect(await found(`siteId=${place.siteId}`)).toEqual([li, wang]);
    expect(await found('from=2025-03-04T00:00:00%2B08:00&to=2025-03-04T23:59:59%2B08:00')).toEqual([wang]);
    const row = (await api.get<Divider>(`/dividers/${wang}`)).data;
    expect(row).toMatchObject({
      agentName: expect.stringContaining('Agent'),
      enteredOn: '2025-03-04',
      electricityRates: '5–10%',
      serviceRates: '12.5%',
      occupancyRates: '0%',
      termsInForce: 2,
      unpaidFen: 84 + 80,
      incomeFen: 84 + 80,
      balanceFen: 0,
      loginName: null,
    });
  });

  test('a divider, its terms and terms at many sites need a key, and the same key adds them once', async () => {
    const { wang, place } = await newYard();
    const terms = { siteId: place.siteId, ...rates(10) };
    const batch = { siteIds: [place.siteId], ...rates(10) };
    const posts: [string, object][] = [
      ['/dividers', { name: 'Twice' }],
      [`/dividers/${wang}/terms`, terms],
      [`/dividers/${wang}/term-batches`, batch],
    ];
    for (const [path, body] of posts) {
      expect([path, (await api.post(path, body, { key: null })).status]).toEqual([path, 400]);
    }
    const first = await addTerms(wang, terms, { key: `terms-${made}` });
    expect((await addTerms(wang, terms, { key: `terms-${made}` })).data.id).toBe(first.data.id);
    expect(await termsOf(wang)).toHaveLength(1);
    const one = await add({ name: 'Twice' }, { key: `divider-${made}` });
    expect((await add({ name: 'Twice' }, { key: `divider-${made}` })).data.id).toBe(one.data.id);
  });

  test('the same terms are not added twice at a place; other rates, other days and other places are', async () => {
    const { wang, li, place } = await newYard();
    const { siteId, stationId } = place;
    expect((await addTerms(wang, { siteId, ...rates(10, 0), lastOn: dayFromNow(5) })).status).toBe(200);
    const refused = await addTerms(wang, { siteId, ...rates(10, 5) });
    expect(errorOf(refused)).toBe('divider.same_terms');
    expect(saidOf(refused)).toBe(
      `The divider already has 10% of electricity at Site yard${made} since ${dayFromNow(0)}. Change those terms instead, or choose other days`,
    );
    const batch = await api.post<{ added: number; results: { because: string | null }[] }>(
      `/dividers/${wang}/term-batches`,
      { siteIds: [siteId], ...rates(10) },
      english,
    );
    expect(batch.data.added).toBe(0);
    expect(batch.data.results[0]?.because).toContain('already has 10%');
    expect((await addTerms(wang, { siteId, ...rates(0, 10) })).status).toBe(200);
    expect((await addTerms(wang, { siteId, ...rates(3, 0) })).status).toBe(200);
    expect((await addTerms(wang, { siteId, ...rates(10, 0), fromOn: dayFromNow(6) })).status).toBe(200);
    expect((await addTerms(wang, { stationId, ...rates(10, 0) })).status).toBe(200);
    expect((await addTerms(li, { siteId, ...rates(10, 0) })).status).toBe(200);
    expect((await addTerms(wang, rates(4))).status).toBe(200);
    expect(saidOf(await addTerms(wang, rates(4), { language: 'zh-CN' }))).toContain('已有 4% 的分成比例');
  });

  test('an agent manages the dividers of its own tree, and those of others do not exist for it', async () => {
    const { agentId, place, wang } = await newYard();
    const theirs = await newYard();
    const below = await api.addAgent(`Child ${made}`, agentId);
    const permissions: Permission[] = [
      'divider.read',
      'divider.edit',
      'divider.terms',
      'divider.delete',
      'divider.reset_password',
      'divider_income.read',
      'agent_withdrawal.read',
      'agent_withdrawal.create',
      'agent_withdrawal.account',
      'task.read',
    ];
    const user = await api.addUser({ name: `tree${made}`, permissions, scope: 'agent_tree', agentId });
    const ask = { token: user.token, ...english };
    const own = (await add({ name: 'Own', loginName: `own${made}` }, ask)).data;
    expect(own).toMatchObject({ agentId, loginName: `own${made}`, initialPassword: expect.any(String) });
    expect((await add({ name: 'Child’s', agentId: below }, ask)).data.agentId).toBe(below);
    expect((await add({ name: 'Foreign', agentId: theirs.agentId }, ask)).status).toBe(403);
    expect((await addTerms(own.id, { siteId: place.siteId, ...rates(1) }, ask)).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', `/dividers/${theirs.wang}`],
      ['PUT', `/dividers/${theirs.wang}`, { name: 'Mine' }],
      ['PUT', `/dividers/${theirs.wang}/enabled`, { enabled: false }],
      ['POST', `/dividers/${theirs.wang}/terms`, rates(1)],
      ['POST', `/dividers/${theirs.wang}/accounts`, { loginName: 'mine' }],
      ['POST', `/dividers/${theirs.wang}/password-resets`],
      ['DELETE', `/dividers/${theirs.wang}`],
      ['GET', `/divider-income?dividerId=${theirs.wang}`],
    ] as const) {
      expect([path, (await api.ask(method, path, { ...ask, ...(body === undefined ? {} : { body }) })).status]).toEqual(
        [path, 404],
      );
    }
    expect(
      (await api.get<{ items: Divider[] }>(`/dividers?name=${encodeURIComponent(`Wang ${made}`)}`, ask)).data.items,
    ).toEqual([]);
    expect((await api.get(`/dividers/${wang}`, ask)).status).toBe(200);
  });

  test('a divider is deleted only as long as nothing hangs on it', async () => {
    const { wang, li, place } = await newYard();
    const coming = await add({ name: 'Never', loginName: `never${made}` });
    await addTerms(coming.data.id, { ...rates(1), fromOn: dayFromNow(3) });
    expect((await api.ask('DELETE', `/dividers/${coming.data.id}`)).status).toBe(200);
    await addTerms(wang, { siteId: place.siteId, ...rates(10) });
    expect(errorOf(await api.ask('DELETE', `/dividers/${wang}`))).toBe('divider.has_terms');
    expect((await api.ask('DELETE', `/dividers/${li}`)).status).toBe(200);
    expect((await api.get(`/dividers/${li}`)).status).toBe(404);
  });

  test('a site or a station without orders is deleted with its terms', async () => {
    const { agentId, wang } = await newYard();
    const siteId = await anotherSite(agentId);
    await addTerms(wang, { siteId, ...rates(10) });
    await api.post('/share-terms', { siteIds: [siteId], channelFeePercent: 1, ...rates(1) });
    await api.database.pool.query(
      'delete from connectors where station_id in (select id from stations where site_id = $1)',
      [siteId],
    );
    await api.database.pool.query('delete from stations where site_id = $1', [siteId]);
    expect((await api.ask('DELETE', `/sites/${siteId}`)).status).toBe(200);
    expect(await termsOf(wang)).toEqual([]);
  });

  test('a disabled divider is signed out and gets no new terms; its terms go on unless they are ended with it', async () => {
    const { wang, place } = await newYard();
    const account = (await api.post<Created>(`/dividers/${wang}/accounts`, { loginName: `wang${made}` })).data;
    const token = await enter(account);
    await addTerms(wang, { siteId: place.siteId, ...rates(10) });
    await addTerms(wang, { siteId: place.siteId, ...rates(20), fromOn: dayFromNow(9) });
    const enable = (body: object) => api.ask<Divider>('PUT', `/dividers/${wang}/enabled`, { body });
    expect((await enable({ enabled: false })).data).toMatchObject({ enabled: false, termsInForce: 1, termsToCome: 1 });
    expect((await api.get('/divider-income', { token })).status).toBe(401);
    expect((await api.logIn(account.loginName ?? '', 'mine from now on')).status).not.toBe(200);
    expect(errorOf(await addTerms(wang, rates(1)))).toBe('divider.disabled');
    await settle(place);
    expect(await dividerFen(wang)).toBe(56 + 32);
    expect((await enable({ enabled: false, endTerms: true })).data).toMatchObject({ termsInForce: 0, termsToCome: 0 });
    await settle(place);
    expect(await dividerFen(wang)).toBe(56 + 32);
    await enable({ enabled: true });
    expect((await api.logIn(account.loginName ?? '', 'mine from now on')).status).toBe(200);
  });
});

/** Signs in with an initial password and replaces it. */
async function enter({ loginName, initialPassword }: Pick<Created, 'loginName' | 'initialPassword'>): Promise<string> {
  const { token } = (await api.logIn(loginName ?? '', initialPassword ?? '')).data;
  await api.post('/changePwd', { password: initialPassword, newPassword: 'mine from now on' }, { token });
  return (await api.logIn(loginName ?? '', 'mine from now on')).data.token;
}

describe('a divider who signs in', () => {
  test('sees its own income, orders and periods, and nothing of customers, of others or of other screens', async () => {
    const { agentId, place, li } = await newYard();
    const phone = `1380000${String(made).padStart(4, '0')}`;
    const wang = (await add({ name: `Wang of ${made}`, agentId, phone, loginName: `wang-of-${made}` })).data;
    expect(wang.initialPassword).toMatch(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/);
    await addTerms(wang.id, { siteId: place.siteId, ...rates(10, 25) });
    const over = await addTerms(wang.id, rates(1));
    await end(over.data.id);
    const coming = await addTerms(wang.id, { ...rates(2.5, 0), fromOn: dayFromNow(9) });
    await addTerms(li, { siteId: place.siteId, ...rates(37) });
    const orderId = await settle(place);
    await api.post(`/orders/${orderId}/refunds`, { amountFen: 550, reason: 'The gun was broken' });
    const token = await enter(wang);
    const shares = await api.get<{ items: DividerShare[]; total: number }>('/divider-shares?sort=at', { token });
    expect(shares.data.items).toMatchObject([
      {
        cause: 'settled',
        orderId,
        siteName: `Site yard${made}`,
        electricityFen: 56,
        serviceFen: 80,
        amountFen: 136,
        electricityPercent: 10,
        servicePercent: 25,
        energyWh: 10_000,
        periodState: 'open',
      },
      { cause: 'refunded', orderId, electricityFen: -28, serviceFen: -40, amountFen: -68 },
    ]);
    const income = await api.get<DividerIncome>('/divider-income', { token });
    expect(income.data).toMatchObject({
      dividerId: wang.id,
      incomeFen: 68,
      unpaidFen: 68,
      balanceFen: 0,
      terms: [
        { place: 'site', siteName: `Site yard${made}`, state: 'in_force', electricityPercent: 10, servicePercent: 25 },
        { id: coming.data.id, place: 'everywhere', siteName: null, state: 'to_come', electricityPercent: 2.5 },
      ],
      otherTerms: 0,
      days: [{ day: dayFromNow(0), orders: 1, electricityFen: 28, serviceFen: 40, amountFen: 68 }],
      periods: [{ state: 'open', sharesFen: 68, carriedInFen: null, netFen: null, paidOutFen: null }],
    });
    const file = await api.get('/divider-shares/export?format=csv', { token });
    expect(file.text).toContain(shares.data.items[0]?.orderNumber);
    for (const { text } of [shares, income, file]) {
      for (const secret of [place.phone, place.cardNumber, `Customer yard${made}`, `Li ${made}`])
        expect(text).not.toContain(secret);
    }
    const info = await api.get<{ permissions: string[]; dataScope: string; businame: string; busiid: null }>(
      '/user/info',
      { token },
    );
    expect(info.data).toMatchObject({
      dataScope: 'divider',
      permissions: [
        'divider_income.read',
        'agent_withdrawal.read',
        'agent_withdrawal.create',
        'agent_withdrawal.account',
        'task.read',
      ],
      businame: `Wang of ${made}`,
      busiid: null,
    });
    expect((await api.get(`/divider-income?dividerId=${li}`, { token })).status).toBe(404);
    expect((await api.get<{ items: unknown[] }>(`/divider-shares?dividerId=${li}`, { token })).data.items).toEqual([]);
    for (const path of [
      '/dividers',
      '/orders',
      `/orders/${orderId}`,
      `/orders/${orderId}/shares`,
      '/customers',
      '/cards',
      '/agents',
      '/share-terms',
      '/users',
    ]) {
      expect([path, (await api.get(path, { token })).status]).toEqual([path, 403]);
    }
  });

  test('reaches no record but its shares, whatever its position grants', async () => {
    const { agentId, place } = await newYard();
    const wang = (await add({ name: `Wide ${made}`, agentId, loginName: `wide-${made}` })).data;
    await settle(place);
    await api.database.pool.query(
      "update positions set menu_codes = (select menu_codes from positions where data_scope = 'platform' and name_key = 'position.platform') where data_scope = 'divider'",
    );
    const token = await enter(wang);
    for (const path of [
      '/dividers',
      '/divider-terms',
      '/orders',
      '/customers',
      '/cards',
      '/sites',
      '/stations',
      '/agents',
      '/users',
      '/recharges',
    ]) {
      expect([path, (await api.get<{ items: unknown[] }>(path, { token })).data.items]).toEqual([path, []]);
    }
    expect((await add({ name: 'Mine' }, { token })).status).toBe(403);
    expect((await api.get(`/dividers/${wang.id}`, { token })).status).toBe(404);
    expect((await addTerms(wang.id, rates(100), { token })).status).toBe(404);
    await api.database.pool.query(
      "update positions set menu_codes = '{dividerIncome,taskList}' where data_scope = 'divider'",
    );
  });

  test('its account is opened once, its password reset by whoever manages it, and the agent’s freeze leaves it alone', async () => {
    const { agentId, wang } = await newYard();
    expect(errorOf(await api.post(`/dividers/${wang}/password-resets`))).toBe('divider.no_account');
    const account = (await api.post<Created>(`/dividers/${wang}/accounts`, { loginName: `once-${made}` })).data;
    expect(errorOf(await api.post(`/dividers/${wang}/accounts`, { loginName: `twice-${made}` }))).toBe(
      'divider.has_account',
    );
    expect(errorOf(await add({ name: 'Same name', agentId, loginName: `once-${made}` }))).toBe('user.name_taken');
    const token = await enter(account);
    const agent = (await api.get<{ staff: number }>(`/agents/${agentId}`)).data;
    expect(agent.staff).toBe(0);
    expect((await api.post(`/agents/${agentId}/freezes`, { reason: 'because' })).status).toBe(200);
    expect((await api.get('/divider-income', { token })).status).toBe(200);
    const { initialPassword } = (await api.post<{ initialPassword: string }>(`/dividers/${wang}/password-resets`)).data;
    expect((await api.get('/divider-income', { token })).status).toBe(401);
    expect((await api.logIn(`once-${made}`, initialPassword)).status).toBe(200);
    const written = await api.database.db.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(written)).not.toContain(initialPassword);
  });

  test('its account has a position for dividers and its own agent, and nobody else gets one for dividers', async () => {
    const { agentId } = await newYard();
    const wang = (await add({ name: `Kept ${made}`, agentId, loginName: `kept-${made}` })).data;
    const token = await enter(wang);
    const { rows } = await api.database.pool.query<{ id: number; name_key: string }>(
      "select id, name_key from positions where name_key in ('position.agent', 'position.divider', 'position.platform')",
    );
    const idOf = (key: string) => rows.find(({ name_key }) => name_key === key)?.id;
    const change = (id: number | null, body: object) =>
      api.ask('PUT', `/users/${id}`, { body: { realName: 'Wang', ...body }, ...english });
    for (const key of ['position.agent', 'position.platform']) {
      expect(errorOf(await change(wang.userId, { positionId: idOf(key) }))).toBe('user.of_divider');
    }
    const other = await api.addAgent(`Other ${made}`);
    expect(errorOf(await change(wang.userId, { agentId: other }))).toBe('user.of_divider');
    expect(errorOf(await change(wang.userId, { agentId: null }))).toBe('user.of_divider');
    expect((await change(wang.userId, { positionId: idOf('position.divider'), agentId })).status).toBe(200);
    const clerk = await api.addUser({ name: `clerk-${made}`, permissions: ['site.read'], scope: 'agent', agentId });
    expect(errorOf(await change(clerk.id, { positionId: idOf('position.divider') }))).toBe('user.not_of_divider');
    const added = { userName: `made-${made}`, realName: 'Made', agentId, positionId: idOf('position.divider') };
    expect(errorOf(await api.post('/users', added, english))).toBe('user.not_of_divider');
    const scope = await api.ask('PUT', `/positions/${idOf('position.divider')}`, {
      body: { name: 'Dividers', dataScope: 'agent', menuCodes: ['dividerIncome'] },
      ...english,
    });
    expect(faultsOf(scope)).toContain('dataScope in_use');
    expect((await api.get('/divider-income', { token })).status).toBe(200);
  });

  test('is told from staff in the list of users, and found by its kind', async () => {
    const { agentId } = await newYard();
    const wang = (await add({ name: `Told ${made}`, agentId, loginName: `told-${made}` })).data;
    const clerk = await api.addUser({ name: `staff-${made}`, permissions: ['site.read'], scope: 'agent', agentId });
    const listed = async (query: string) =>
      (await api.get<{ items: { id: number; kind: string }[] }>(`/users?agentId=${agentId}${query}`)).data.items.map(
        ({ id, kind }) => [id, kind],
      );
    expect(await listed('&kind=divider')).toEqual([[wang.userId, 'divider']]);
    expect(await listed('&kind=added,registered')).toEqual([[clerk.id, 'added']]);
    expect(await listed('')).toHaveLength(2);
  });

  test('with another position than one for dividers, as of earlier, it has no rights, and a freeze of the agent signs it out', async () => {
    const { agentId } = await newYard();
    const wang = (await add({ name: `Astray ${made}`, agentId, loginName: `astray-${made}` })).data;
    await api.database.pool.query(
      "update users set position_id = (select id from positions where name_key = 'position.agent') where id = $1",
      [wang.userId],
    );
    const token = await enter(wang);
    for (const path of ['/sites', '/orders', '/users', '/divider-income']) {
      expect([path, (await api.get(path, { token })).status]).toEqual([path, 403]);
    }
    await api.post(`/agents/${agentId}/freezes`, { reason: 'because' });
    expect((await api.get('/user/info', { token })).status).toBe(401);
  });
});
