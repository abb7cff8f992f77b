import type { Agent, AgentDetail, HandOverPreview } from '@voltdeck/contract/agents';
import type { StoredFile } from '@voltdeck/contract/files';
import type { Permission } from '@voltdeck/contract/permissions';
import type { Position } from '@voltdeck/contract/positions';
import type { User } from '@voltdeck/contract/users';
import type { AgentId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { drawPng, uploadFile } from '../content/files/test-upload.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, makeSettledOrder } from '../http/test-records.ts';
import { changeAgent } from './change-agent.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
});
afterEach(() => api.close());

type Created = AgentDetail & { initialPassword: string };
type Ask = NonNullable<Parameters<TestApi['post']>[2]>;

let made = 0;
/** Adds an agent whose login name and phone nobody has. */
const add = (body: object = {}, ask: Ask = {}) => {
  made += 1;
  const number = String(made).padStart(4, '0');
  const form = {
    loginName: `agent-${number}`,
    realName: `Agent ${number}`,
    phone: `1390000${number}`,
    sharePercent: 80,
  };
  return api.post<Created>('/agents', { ...form, ...body }, ask);
};
const change = (id: AgentId, body: object, ask: Ask = {}) =>
  api.ask<AgentDetail>('PUT', `/agents/${id}`, { body, ...ask });
const act = <Answer = AgentDetail>(id: AgentId, what: string, body?: object, ask: Ask = {}) =>
  api.post<Answer>(`/agents/${id}/${what}`, body, ask);
const listed = async (query = '', ask: Ask = {}) =>
  (await api.get<{ items: Agent[] }>(`/agents?sort=realName${query}`, ask)).data.items;
const errorOf = async (answer: Promise<{ envelope: { message: { error?: string } } }>) =>
  (await answer).envelope.message.error;
const faultsOf = async (
  answer: Promise<{ envelope: { message: { fields?: readonly { path: string; code: string }[] | undefined } } }>,
) => (await answer).envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);

/** Signs in with an initial password and replaces it. */
async function enter({ loginName, initialPassword }: { loginName: string | null; initialPassword: string }) {
  const { token } = (await api.logIn(loginName ?? '', initialPassword)).data;
  await api.post('/changePwd', { password: initialPassword, newPassword: 'mine from now on' }, { token });
  return (await api.logIn(loginName ?? '', 'mine from now on')).data.token;
}

const bill = { electricityFeeFen: 700, serviceFeeFen: 400 };

const account = {
  payoutKind: 'corporate',
  payoutHolder: '深圳湾新能源有限公司',
  payoutBank: '招商银行',
  payoutBranch: '深圳湾支行',
  payoutBankCode: '308584001012',
  payoutNumber: '755900001234567',
};

describe('adding an agent', () => {
  test('an agent gets a main account whose initial password is shown once and must be changed before anything else', async () => {
    const { data } = await add({
      loginName: 'lingnan',
      realName: '岭南充电',
      phone: '13800000001',
      sharePercent: 62.55,
    });
    expect(data).toMatchObject({
      loginName: 'lingnan',
      realName: '岭南充电',
      phone: '13800000001',
      sharePercent: 62.55,
      kind: 'agent',
      state: 'normal',
      parentId: null,
      positionName: '代理商',
      passwordIsInitial: true,
      lastLoginAt: null,
      subscribedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      staff: 1,
      stationCount: 0,
    });
    expect(data.initialPassword).toMatch(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/);
    const { token } = (await api.logIn('13800000001', data.initialPassword)).data;
    expect(await errorOf(api.get('/agents', { token }))).toBe('password.must_change');
    const own = await enter(data);
    expect(await listed('', { token: own })).toMatchObject([{ id: data.id, passwordIsInitial: false }]);
    const written = await api.database.db.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(written)).not.toContain(data.initialPassword);
    const again = await api.get(`/agents/${data.id}`);
    expect(again.text).not.toContain(data.initialPassword);
  });

  test('a repeated request adds an agent once, with one password, which the database holds only sealed', async () => {
    const body = { loginName: 'once', phone: '13800000009' };
    const first = await add({ ...body, realName: 'Once' }, { key: 'agent-once' });
    made -= 1;
    const second = await add({ ...body, realName: 'Once' }, { key: 'agent-once' });
    expect(second.data).toEqual(first.data);
    expect(await listed()).toHaveLength(1);
    const kept = await api.database.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(first.data.initialPassword);
  });

  test('the credit code, the bank code, the account and the share are checked at their fields', async () => {
    expect(await faultsOf(add({ creditCode: '91350100M000100Y44' }))).toEqual(['creditCode credit_code']);
    expect(await faultsOf(add({ ...account, payoutBankCode: '123' }))).toEqual(['payoutBankCode bank_code']);
    expect(await faultsOf(add({ payoutKind: 'corporate', payoutHolder: 'A', payoutBank: 'B' }))).toEqual([
      'payoutNumber required',
      'payoutBranch required',
      'payoutBankCode required',
    ]);
    expect(await faultsOf(add({ sharePercent: 12.345 }))).toEqual(['sharePercent two_decimals']);
    expect(await faultsOf(add({ sharePercent: 100.01 }))).toEqual(['sharePercent too_big']);
    expect((await add({ creditCode: '91350100m000100y43', ...account })).data).toMatchObject({
      creditCode: '91350100M000100Y43',
      ...account,
    });
    expect(await listed()).toHaveLength(1);
  });

  test('phone and account number are masked for whoever may not see them, and in the audit log', async () => {
    const { data } = await add({ ...account, phone: '13812345678' });
    const { token } = await api.addUser({ name: 'desk', permissions: ['agent.read', 'audit.read'] });
    const [seen] = await listed('', { token });
    expect(seen).toMatchObject({ phone: '138****5678', payoutHolder: account.payoutHolder });
    expect(seen?.payoutNumber).toMatch(/^755\*+567$/);
    const log = await api.get(`/audit-entries?recordKind=agent&recordId=${data.id}`, { token });
    expect(log.text).not.toContain(account.payoutNumber);
    expect(await listed('&phone=1234', { token })).toEqual([]);
    expect(await listed('&phone=13812345678', { token })).toHaveLength(1);
  });

  test('the licence is a picture that only those see who see the agent', async () => {
    const uploaded = await uploadFile(api, 'licence', await drawPng(40, 30), 'licence.png');
    const file = (uploaded as { data: StoredFile }).data;
    const { data } = await add({ licenceFileId: file.id });
    expect(data.licenceUrl).toBe(`/api/files/${file.id}/content`);
    const own = await enter(data);
    const other = await enter((await add()).data);
    const path = data.licenceUrl?.replace('/api', '') ?? '';
    expect((await api.get(path, { token: own })).status).toBe(200);
    expect((await api.get(path, { token: other })).status).toBe(404);
    expect(await errorOf(api.ask('DELETE', `/files/${file.id}`))).toBe('file.in_use');
    expect((await change(data.id, { licenceFileId: null })).data.licenceUrl).toBeNull();
  });
});

describe('the tree of agents', () => {
  test('an agent adds and changes agents below itself, sees only its own tree, and nothing of itself is its to change', async () => {
    const top = (await add({ realName: 'Top' })).data;
    const beside = (await add({ realName: 'Beside' })).data;
    const token = await enter(top);
    const below = (await add({ realName: 'Below', sharePercent: 50 }, { token })).data;
    expect(below).toMatchObject({ parentId: top.id, parentName: 'Top', sharePercent: 50 });
    expect((await listed('', { token })).map(({ realName }) => realName)).toEqual(['Below', 'Top']);
    expect(await listed(`&parentId=${top.id}`, { token })).toMatchObject([{ realName: 'Below' }]);
    expect((await change(below.id, { sharePercent: 40.5 }, { token })).data.sharePercent).toBe(40.5);
    for (const path of [`/agents/${beside.id}`]) expect((await api.get(path, { token })).status).toBe(404);
    expect(await errorOf(change(beside.id, { sharePercent: 1 }, { token }))).toBe('record.not_found');
    expect(await errorOf(change(top.id, { sharePercent: 100 }, { token }))).toBe('agent.own');
    expect(await errorOf(act(top.id, 'freezes', { reason: 'because' }, { token }))).toBe('agent.own');
    expect(await errorOf(act(top.id, 'password-resets', undefined, { token }))).toBe('agent.own');
    expect(await faultsOf(add({ parentId: beside.id }, { token }))).toEqual(['parentId unknown_reference']);
    expect(await faultsOf(change(below.id, { parentId: beside.id }, { token }))).toEqual([
      'parentId unknown_reference',
    ]);
    // Who is above it is not for an agent to see.
    const inner = await enter(below);
    expect((await listed('', { token: inner }))[0]).toMatchObject({
      realName: 'Below',
      parentId: null,
      parentName: null,
    });
    expect(await listed(`&parentId=${top.id}`, { token: inner })).toEqual([]);
  });

  test('no agent comes to be below itself or deeper than five levels, also where two move at once', async () => {
    const [a, b] = [(await add()).data, (await add()).data];
    // Neither touches the other's rows, so only what both lock keeps them apart.
    const [belowA, belowB] = [(await add({ parentId: a.id })).data, (await add({ parentId: b.id })).data];
    const { db, pool } = api.database;
    const other = await db.transaction().execute(async (trx) => {
      const moved = await changeAgent(trx, platformCaller(), a.id, { parentId: belowB.id }, instant(Date.now()));
      expect(moved.ok).toBe(true);
      const meanwhile = errorOf(change(b.id, { parentId: belowA.id }));
      const waiting = `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
                        where datname = current_database() and locktype = 'advisory' and not granted`;
      await expect.poll(async () => (await pool.query<{ count: number }>(waiting)).rows[0]?.count).toBe(1);
      return { meanwhile };
    });
    expect(await other.meanwhile).toBe('agent.circle');
    expect(await errorOf(change(a.id, { parentId: a.id }))).toBe('agent.circle');
    let parentId: AgentId = (await add()).data.id;
    const top = parentId;
    for (let level = 2; level <= 5; level += 1) parentId = (await add({ parentId })).data.id;
    expect(await errorOf(add({ parentId }))).toBe('agent.too_deep');
    const above = (await add()).data;
    expect(await errorOf(change(top, { parentId: above.id }))).toBe('agent.too_deep');
    expect(await errorOf(change(top, { parentId }))).toBe('agent.circle');
    expect((await change(parentId, { parentId: null })).data.parentId).toBeNull();
    expect((await change(top, { parentId: above.id })).data.parentName).toBe(above.realName);
  });

  test('an agent whose people have positions of the one above stays below it until they have others', async () => {
    const top = (await add()).data;
    const below = (await add({ parentId: top.id })).data;
    const { data: lent } = await api.post<Position>('/positions', {
      name: 'Lent',
      dataScope: 'agent',
      menuCodes: ['deviceList'],
      agentId: top.id,
    });
    const staff = { userName: 'lent-one', realName: 'Lent One', positionId: lent.id, agentId: below.id };
    expect((await api.post('/users', staff)).status).toBe(200);
    expect(await errorOf(change(below.id, { parentId: null }))).toBe('agent.positions_of_parent');
    expect((await change(top.id, { parentId: null })).status).toBe(200);
  });
});

describe('freezing and resetting', () => {
  test('a frozen agent’s people are signed out at once and stay out until it is unfrozen, and its tree goes on', async () => {
    const top = (await add()).data;
    const token = await enter(top);
    const below = (await add({}, { token })).data;
    const inner = await enter(below);
    const frozen = await act(top.id, 'freezes', { reason: 'Contract ended' });
    expect(frozen.data).toMatchObject({ state: 'frozen', frozenReason: 'Contract ended', sessions: 0 });
    expect(await errorOf(api.get('/agents', { token }))).toBe('session.replaced');
    expect(await errorOf(api.logIn(top.loginName ?? '', 'mine from now on'))).toBe('login.disabled');
    expect((await api.get('/agents', { token: inner })).status).toBe(200);
    expect(await listed('&state=frozen')).toMatchObject([{ id: top.id }]);
    // A new member of staff stays out too.
    const staff = await api.post<{ user: User; initialPassword: string }>('/users', {
      userName: 'late-one',
      realName: 'Late One',
      agentId: top.id,
    });
    expect(await errorOf(api.logIn('late-one', staff.data.initialPassword))).toBe('login.disabled');
    expect((await act(top.id, 'unfreezes')).data).toMatchObject({ state: 'normal', frozenReason: '' });
    expect((await api.logIn(top.loginName ?? '', 'mine from now on')).status).toBe(200);
    const log = await api.database.db.selectFrom('audit_entries').select('action').execute();
    expect(log.map(({ action }) => action).filter((action) => /freeze/.test(action))).toEqual([
      'agent.freeze',
      'agent.unfreeze',
    ]);
  });

  test('a reset gives a new initial password once and ends the sessions of the main account', async () => {
    const agent = (await add()).data;
    const token = await enter(agent);
    const reset = await act<{ initialPassword: string }>(agent.id, 'password-resets');
    expect(reset.data).toEqual({ initialPassword: expect.stringMatching(/^\S{16}$/) });
    expect((await api.get('/agents', { token })).status).toBe(401);
    expect(await errorOf(api.logIn(agent.loginName ?? '', 'mine from now on'))).toBe('login.failed');
    const entered = await enter({ ...agent, initialPassword: reset.data.initialPassword });
    expect(await listed('', { token: entered })).toHaveLength(1);
    const without = await api.addAgent('Of an earlier version');
    expect(await errorOf(act(without, 'password-resets'))).toBe('agent.no_account');
  });

  test('a changed phone opens the main account, and nobody else’s phone is taken', async () => {
    const [a, b] = [(await add()).data, (await add()).data];
    expect(await errorOf(change(a.id, { phone: b.phone ?? '' }))).toBe('user.phone_taken');
    expect((await change(a.id, { phone: '13711112222', address: 'Nanhai Road 1' })).data).toMatchObject({
      phone: '13711112222',
      address: 'Nanhai Road 1',
    });
    expect((await api.logIn('13711112222', a.initialPassword)).status).toBe(200);
  });
});

describe('deleting an agent', () => {
  test('an agent is deleted with its main account only while nothing belongs to it and nobody signed in for it', async () => {
    const agent = (await add({ loginName: 'mistyped' })).data;
    const remove = (id: AgentId) => api.ask('DELETE', `/agents/${id}`);
    const below = (await add({ parentId: agent.id })).data;
    expect(await errorOf(remove(agent.id))).toBe('agent.has_subordinates');
    expect((await remove(below.id)).status).toBe(200);
    await api.post('/users', { userName: 'helper', realName: 'Helper', agentId: agent.id });
    expect(await errorOf(remove(agent.id))).toBe('agent.has_staff');
    const users = await api.get<{ items: User[] }>('/users?userName=helper');
    await api.ask('PUT', `/users/${users.data.items[0]?.id}`, { body: { realName: 'Helper', agentId: null } });
    expect((await remove(agent.id)).status).toBe(200);
    expect(await errorOf(api.logIn('mistyped', agent.initialPassword))).toBe('login.failed');
    expect((await add({ loginName: 'mistyped' })).status).toBe(200);
    const used = (await add()).data;
    await enter(used);
    expect(await errorOf(remove(used.id))).toBe('agent.was_used');
    // Every table that refers to agents is asked.
    const recharged = (await add()).data;
    await act(recharged.id, 'recharges', { amountFen: 100, reason: 'Paid in beforehand' });
    expect(await errorOf(remove(recharged.id))).toBe('agent.has_records');
    const past = (await add()).data;
    const place = await makePlace(api.database, past.id, 'past');
    await makeSettledOrder(api.database, place, bill);
    const to = (await add()).data;
    await api.database.db.updateTable('tariffs').set({ agent_id: null }).execute();
    await act(past.id, 'hand-overs', { toAgentId: to.id, everything: true, reason: 'because' });
    expect(await errorOf(remove(past.id))).toBe('agent.has_records');
    const owner = (await add()).data;
    await makePlace(api.database, owner.id, 'owned');
    expect(await errorOf(remove(owner.id))).toBe('agent.has_stations');
  });
});

describe('handing over', () => {
  const agentOf = (table: 'sites' | 'stations' | 'orders' | 'cards', id: number) =>
    api.database.pool
      .query<{ agent_id: number | null }>(`select agent_id::int from ${table} where id = $1`, [id])
      .then(({ rows }) => rows[0]?.agent_id ?? null);

  test('stations and sites move with their audit entries, and orders, running charges and cards stay', async () => {
    const [from, to] = [(await add({ realName: 'From' })).data, (await add({ realName: 'To' })).data];
    const place = await makePlace(api.database, from.id, 'handed');
    // A rule of the agent itself would price the station of another one.
    await api.database.db.updateTable('tariffs').set({ agent_id: null }).execute();
    const running = await makeOrder(api.database, place, instant(Date.now()), { state: 'charging' });
    const settled = await makeSettledOrder(api.database, place, bill);
    const token = await enter(to);
    expect((await api.get(`/stations/${place.stationId}`, { token })).status).toBe(404);
    const wanted = { toAgentId: to.id, siteIds: [place.siteId] };
    const preview = await act<HandOverPreview>(from.id, 'hand-over-previews', wanted);
    expect(preview.data).toEqual({
      sites: 1,
      stations: 1,
      ports: 2,
      runningCharges: 1,
      stationsOfOthers: 0,
      withoutSite: 0,
      refusedCount: 0,
      refused: [],
    });
    expect(await agentOf('stations', place.stationId)).toBe(from.id);
    const handed = await act<HandOverPreview & { handed: boolean }>(from.id, 'hand-overs', {
      ...wanted,
      reason: 'Sold',
    });
    expect(handed.data).toEqual({ ...preview.data, handed: true });
    expect(await agentOf('stations', place.stationId)).toBe(to.id);
    expect(await agentOf('sites', place.siteId)).toBe(to.id);
    expect(await agentOf('orders', running)).toBe(from.id);
    expect(await agentOf('orders', settled)).toBe(from.id);
    expect(await agentOf('cards', place.cardId)).toBe(from.id);
    expect((await api.get(`/stations/${place.stationId}`, { token })).status).toBe(200);
    const { rows } = await api.database.pool.query(
      `select action, record_kind from audit_entries where action in ('site.change', 'station.change', 'agent.hand_over')
        order by id`,
    );
    expect(rows).toEqual([
      { action: 'site.change', record_kind: 'site' },
      { action: 'station.change', record_kind: 'station' },
      { action: 'agent.hand_over', record_kind: 'agent' },
    ]);
    expect(await errorOf(act(from.id, 'hand-overs', { toAgentId: null, everything: true, reason: 'because' }))).toBe(
      'agent.nothing_to_hand',
    );
  });

  test('a station that the agent’s own rule prices keeps everything where it is, and the answer names it', async () => {
    const from = (await add()).data;
    const place = await makePlace(api.database, from.id, 'priced');
    await api.database.db.updateTable('tariffs').set({ agent_id: from.id }).execute();
    const wanted = { toAgentId: null, everything: true };
    const answer = await act<HandOverPreview & { handed: boolean }>(from.id, 'hand-overs', {
      ...wanted,
      reason: 'Sold',
    });
    expect(answer.data).toMatchObject({
      handed: false,
      refusedCount: 1,
      refused: [{ number: place.stationNumber, because: 'rule_of_agent' }],
    });
    expect(await agentOf('sites', place.siteId)).toBe(from.id);
  });

  test('an agent hands over within its tree only, and never to the platform', async () => {
    const top = (await add()).data;
    const beside = (await add()).data;
    const token = await enter(top);
    const below = (await add({}, { token })).data;
    const place = await makePlace(api.database, top.id, 'within');
    await api.database.db.updateTable('tariffs').set({ agent_id: null }).execute();
    const give = (toAgentId: AgentId | null) =>
      act<HandOverPreview & { handed: boolean }>(
        top.id,
        'hand-overs',
        { toAgentId, stationIds: [place.stationId], reason: 'because' },
        { token },
      );
    expect(await errorOf(give(null))).toBe('access.denied');
    expect(await faultsOf(give(beside.id))).toEqual(['toAgentId unknown_reference']);
    expect((await give(below.id)).data).toMatchObject({ handed: true, sites: 0, stations: 1, withoutSite: 1 });
    expect(await faultsOf(give(below.id))).toEqual(['stationIds unknown_reference']);
  });
});

describe('an agent that signs in', () => {
  test('an agent finds exactly its own stations, and runs its own staff with positions of its own', async () => {
    const [mine, other] = [(await add()).data, (await add()).data];
    const place = await makePlace(api.database, mine.id, 'mine');
    const foreign = await makePlace(api.database, other.id, 'theirs');
    const token = await enter(mine);
    const stations = await api.get<{ items: { number: string }[] }>('/stations', { token });
    expect(stations.data.items.map(({ number }) => number)).toEqual([place.stationNumber]);
    expect((await api.get(`/stations/${foreign.stationId}`, { token })).status).toBe(404);
    const position = await api.post<Position>(
      '/positions',
      { name: 'Duty', dataScope: 'agent', menuCodes: ['deviceList'] },
      { token },
    );
    expect(position.data).toMatchObject({ agentId: mine.id });
    const staff = await api.post<{ user: User; initialPassword: string }>(
      '/users',
      { userName: 'duty-one', realName: 'Duty One', positionId: position.data.id },
      { token },
    );
    expect(staff.data.user).toMatchObject({ agentId: mine.id, agentName: mine.realName });
    const users = await api.get<{ items: User[] }>('/users', { token });
    expect(users.data.items.map(({ userName }) => userName).sort()).toEqual(['duty-one', mine.loginName].sort());
    const duty = await enter({ loginName: 'duty-one', initialPassword: staff.data.initialPassword });
    const seen = await api.get<{ items: { number: string }[] }>('/stations', { token: duty });
    expect(seen.data.items.map(({ number }) => number)).toEqual([place.stationNumber]);
    expect((await api.get('/users', { token: duty })).status).toBe(403);
  });

  test('somebody whose position reaches only their own agent adds none below it', async () => {
    const agent = await api.addAgent('Alone');
    const permissions: Permission[] = ['agent.read', 'agent.edit'];
    const { token } = await api.addUser({ name: 'alone', permissions, scope: 'agent', agentId: agent });
    expect(await errorOf(add({}, { token }))).toBe('access.denied');
  });
});

test('charges and what they cost are counted for the agent of the order, whoever has the station later', async () => {
  const [from, to] = [(await add({ realName: 'A' })).data, (await add({ realName: 'B' })).data];
  const place = await makePlace(api.database, from.id, 'counted');
  await makeSettledOrder(api.database, place, bill);
  const figures = async () => (await listed()).map(({ useCount, amountFen }) => [useCount, amountFen]);
  expect((await listed()).map(({ stationCount }) => stationCount)).toEqual([1, 0]);
  const [[uses, amountFen] = []] = await figures();
  expect(uses).toBe(1);
  expect(amountFen).toBeGreaterThan(0);
  await api.database.db.updateTable('stations').set({ agent_id: to.id }).execute();
  expect(await figures()).toEqual([
    [1, amountFen],
    [0, 0],
  ]);
  await makeSettledOrder(api.database, { ...place, agentId: to.id }, bill);
  expect((await figures())[1]).toEqual([1, amountFen]);
});
