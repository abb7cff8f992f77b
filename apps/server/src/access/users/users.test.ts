import type { Permission } from '@voltdeck/contract/permissions';
import type { Position } from '@voltdeck/contract/positions';
import type { User } from '@voltdeck/contract/users';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSessions } from '../../caller/sessions.ts';
import { platformCaller } from '../../caller/test-caller.ts';
import { type Trx, transact } from '../../database/transact.ts';
import { openTestApi, type TestApi, userPassword } from '../../http/test-api.ts';
import { enableUser } from './enable-user.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
});
afterEach(() => api.close());

type Created = { user: User; initialPassword: string | null };
const create = (body: object, ask: object = {}) => api.post<Created>('/users', { realName: 'Somebody', ...body }, ask);
const change = (id: number, body: object, token?: string) =>
  api.ask<User>('PUT', `/users/${id}`, {
    body: { realName: 'Somebody', ...body },
    ...(token === undefined ? {} : { token }),
  });
const enable = (id: number, enabled: boolean, token?: string) =>
  api.ask<User>('PUT', `/users/${id}/enabled`, { body: { enabled }, ...(token === undefined ? {} : { token }) });
const errorOf = async (answer: Promise<{ envelope: { message: { error?: string } } }>) =>
  (await answer).envelope.message.error;
const position = async (menuCodes: string[], dataScope = 'platform', agentId: number | null = null) => {
  const name = `${dataScope} ${agentId} ${menuCodes.join()}`.slice(0, 32);
  return (await api.post<Position>('/positions', { name, dataScope, menuCodes, agentId })).data;
};
const seen = async (token: string) => (await api.get('/user/info', { token })).envelope.message;
const manager: readonly Permission[] = [
  'user.read',
  'user.edit',
  'user.reset_password',
  'user.sign_out',
  'session.end',
  'order.read',
];

describe('a system user', () => {
  test('a new user gets an initial password that is shown once and must be changed before anything else', async () => {
    const { id: positionId } = await position(['user']);
    const made = await create({ userName: 'newcomer', phone: '13800000001', positionId });
    expect(made.data.user).toMatchObject({
      userName: 'newcomer',
      phone: '13800000001',
      kind: 'added',
      admin: false,
      enabled: true,
      passwordIsInitial: true,
      positionId,
      agentId: null,
      lastLoginAt: null,
      lastLoginAddress: null,
      sessions: 0,
    });
    const password = made.data.initialPassword ?? '';
    expect(password).toMatch(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/);
    const { token } = (await api.logIn('newcomer', password)).data;
    expect(await errorOf(api.get('/users', { token }))).toBe('password.must_change');
    await api.post('/changePwd', { password, newPassword: 'mine from now on' }, { token });
    const { token: own } = (await api.logIn('13800000001', 'mine from now on')).data;
    const again = await api.get<User>(`/users/${made.data.user.id}`, { token: own });
    expect(again.data).toMatchObject({ passwordIsInitial: false, sessions: 1, lastLoginAddress: '127.0.0.1' });
    expect(again.text).not.toContain(password);
    const written = await api.database.db.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(written)).not.toContain(password);
    expect(written.map(({ action }) => action)).toContain('user.create');
  });

  test('a user may be given a password, which is not repeated and must not be among the commonest', async () => {
    const made = await create({ userName: 'given', password: 'a long enough one' });
    expect(made.data).toMatchObject({ initialPassword: null, user: { passwordIsInitial: true } });
    expect((await api.logIn('given', 'a long enough one')).status).toBe(200);
    expect(await errorOf(create({ userName: 'weak', password: '123456' }))).toBe('password.too_common');
    const reset = api.post(`/users/${made.data.user.id}/password-resets`, { password: 'given123' });
    expect(await errorOf(reset)).toBe('password.too_common');
  });

  test('a repeated request creates a user once, with one password', async () => {
    const first = await create({ userName: 'once' }, { key: 'make-once' });
    const second = await create({ userName: 'once' }, { key: 'make-once' });
    expect(second.data).toEqual(first.data);
    expect(await errorOf(create({ userName: 'once' }))).toBe('user.name_taken');
  });

  test('a user has a name and a phone that open no other account', async () => {
    const { data } = await create({ userName: 'Wang', phone: '13800000002' });
    await create({ userName: '13800000003' });
    expect(await errorOf(create({ userName: 'wANG' }))).toBe('user.name_taken');
    expect(await errorOf(create({ userName: '13800000002' }))).toBe('user.name_taken');
    expect(await errorOf(create({ userName: 'li', phone: '13800000002' }))).toBe('user.phone_taken');
    expect(await errorOf(create({ userName: 'li', phone: '13800000003' }))).toBe('user.phone_taken');
    expect(await errorOf(change(data.user.id, { phone: '13800000003' }))).toBe('user.phone_taken');
    expect((await change(data.user.id, { phone: '13800000002' })).status).toBe(200);
    expect((await change(data.user.id, { phone: null })).data.phone).toBeNull();
  });

  test('a user is found by any known field, in the requested order', async () => {
    const now = instant(Date.parse('2026-11-21T04:00:00Z'));
    api.clock.now = now;
    api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
    const { id: positionId } = await position(['user']);
    const one = (await create({ userName: 'find-b', realName: '王海宁', phone: '13900000001', positionId })).data;
    api.clock.now = instant(now + minuteMs);
    const two = (await create({ userName: 'find-A', realName: '刘思敏' })).data;
    await enable(two.user.id, false);
    await api.logIn('find-b', one.initialPassword ?? '');
    const found = async (query: string) =>
      (await api.get<{ items: User[]; total: number }>(`/users?${query}`)).data.items.map(({ userName }) => userName);
    expect(await found('userName=FIND&sort=userName')).toEqual(['find-A', 'find-b']);
    expect(await found('userName=find&sort=createdAt')).toEqual(['find-b', 'find-A']);
    expect(await found('userName=find&sort=-lastLoginAt')).toEqual(['find-b', 'find-A']);
    expect(await found(`text=${encodeURIComponent('海宁')}`)).toEqual(['find-b']);
    expect(await found('text=139000')).toEqual(['find-b']);
    expect(await found(`positionId=${positionId}`)).toEqual(['find-b']);
    expect(await found('enabled=false')).toEqual(['find-A']);
    expect(await found('kind=registered')).toEqual([]);
    expect(await found('awaiting=true')).toEqual(['find-A']);
    expect(await found('awaiting=false&sort=userName')).toEqual(['admin', 'find-b']);
    expect(await found('userName=f_nd')).toEqual([]);
    expect(await errorOf(api.get('/users?page=101&pageSize=100'))).toBe('list.too_deep');
  });

  test('a user has a new position’s rights at the next request', async () => {
    const { id, token } = await api.addUser({ name: 'promoted', permissions: ['order.read'] });
    expect((await api.get('/users', { token })).status).toBe(403);
    await change(id, { positionId: (await position(['user'])).id });
    expect((await api.get('/users', { token })).status).toBe(200);
    await change(id, { positionId: null });
    expect((await api.get('/users', { token })).status).toBe(403);
  });

  test('a disabled user is signed out at once, and can sign in when enabled again', async () => {
    const { id, token } = await api.addUser({ name: 'leaver', permissions: ['order.read'] });
    expect((await seen(token)).status).toBe(200);
    expect((await enable(id, false)).data).toMatchObject({ enabled: false, sessions: 0 });
    expect(await seen(token)).toMatchObject({ error: 'session.replaced' });
    expect(await errorOf(api.logIn('leaver', userPassword))).toBe('login.disabled');
    await enable(id, true);
    expect((await api.logIn('leaver', userPassword)).status).toBe(200);
    expect((await seen(token)).status).not.toBe(200);
  });

  test('a user is signed out at once when the password is reset', async () => {
    const { id, token } = await api.addUser({ name: 'forgetful', permissions: ['order.read'] });
    const { initialPassword } = (await api.post<Created>(`/users/${id}/password-resets`, {})).data;
    expect(await seen(token)).toMatchObject({ error: 'session.replaced' });
    expect((await api.logIn('forgetful', userPassword)).status).toBe(401);
    const { token: next } = (await api.logIn('forgetful', initialPassword ?? '')).data;
    expect(await errorOf(api.get('/orders', { token: next }))).toBe('password.must_change');
  });

  test('who added a user, reset the password or changed the phone is recorded, and nothing later hides it', async () => {
    const { user, initialPassword } = (await create({ userName: 'kept' })).data;
    const givers = async () =>
      (
        await api.database.db
          .selectFrom('access_givers')
          .select('giver_id')
          .where('user_id', '=', user.id)
          .orderBy('id')
          .execute()
      ).map(({ giver_id }) => Number(giver_id));
    const { token: second, id: secondId } = await api.addUser({ name: 'second', permissions: manager });
    expect(await givers()).toEqual([1]);
    expect((await change(user.id, { phone: '13800000009' }, second)).status).toBe(200);
    expect(await givers()).toEqual([1, secondId]);
    await change(user.id, { realName: 'Other' });
    expect(await givers()).toEqual([1, secondId]);
    expect((await api.post(`/users/${user.id}/password-resets`, { password: 'quiet-river-88' })).status).toBe(200);
    expect(await givers()).toEqual([1, secondId, 1]);
    const { token } = (await api.logIn('kept', 'quiet-river-88')).data;
    const own = { password: 'quiet-river-88', newPassword: `${initialPassword}-own` };
    expect((await api.post('/changePwd', own, { token })).status).toBe(200);
    expect(await givers()).toEqual([1, secondId, 1]);
  });

  test('a user can be signed out everywhere', async () => {
    const { id, token } = await api.addUser({ name: 'roaming', permissions: ['order.read'] });
    const second = (await api.logIn('roaming', userPassword)).data.token;
    expect((await api.post(`/users/${id}/sign-outs`)).data).toEqual({ ended: 2 });
    for (const one of [token, second]) expect(await seen(one)).toMatchObject({ error: 'session.replaced' });
    expect((await api.post(`/users/${id}/sign-outs`)).data).toEqual({ ended: 0 });
  });

  test('a user ends their own other sessions and keeps this one', async () => {
    const { token } = await api.addUser({ name: 'careful', permissions: ['order.read'] });
    const second = (await api.logIn('careful', userPassword)).data.token;
    expect((await seen(second)).status).toBe(200);
    expect((await api.post('/users/me/sign-outs', undefined, { token })).status).toBe(200);
    expect(await seen(second)).toMatchObject({ error: 'session.missing' });
    expect((await seen(token)).status).toBe(200);
  });
});

const administrator = (userId: UserId) => platformCaller({ userId, userName: 'administrator' });

describe('nobody', () => {
  test('no user disables, moves or resets themselves', async () => {
    const { id, token } = await api.addUser({ name: 'self', permissions: manager });
    expect(await errorOf(enable(id, false, token))).toBe('user.yourself');
    expect(await errorOf(change(id, { positionId: null }, token))).toBe('user.yourself');
    const agentId = await api.addAgent('Own');
    expect(await errorOf(change(id, { agentId }, token))).toBe('user.yourself');
    expect(await errorOf(api.post(`/users/${id}/password-resets`, {}, { token }))).toBe('user.yourself');
    expect((await change(id, { realName: 'Renamed', phone: '13800000009' }, token)).data.realName).toBe('Renamed');
    expect(await errorOf(enable(1, false))).toBe('user.yourself');
  });

  test('only an administrator can change an administrator', async () => {
    const { token } = await api.addUser({ name: 'ambitious', permissions: manager });
    expect((await api.get('/users/1', { token })).status).toBe(200);
    expect(await errorOf(change(1, {}, token))).toBe('position.beyond_own');
    expect(await errorOf(enable(1, false, token))).toBe('position.beyond_own');
    expect(await errorOf(api.post('/users/1/password-resets', {}, { token }))).toBe('position.beyond_own');
    expect(await errorOf(api.post('/users/1/sign-outs', undefined, { token }))).toBe('position.beyond_own');
    expect((await seen(api.adminToken)).status).toBe(200);
  });

  test('the console always keeps an administrator, even when two disable each other at once', async () => {
    const { db } = api.database;
    const second = await api.addUser({ name: 'second', permissions: [] });
    await db.updateTable('users').set({ admin: true }).where('id', '=', second.id).execute();
    const sessions = createSessions(db);
    const now = instant(Date.parse('2026-11-21T04:00:00Z'));
    const disable = (trx: Trx, by: UserId, id: UserId) => enableUser(trx, sessions, administrator(by), id, false, now);
    const mayCommit = Promise.withResolvers<void>();
    const hasActed = Promise.withResolvers<void>();
    const one = transact(db, async (trx) => {
      const result = await disable(trx, 1 as UserId, second.id);
      hasActed.resolve();
      await mayCommit.promise;
      return result;
    });
    await hasActed.promise;
    let isThrough = false;
    const other = transact(db, (trx) => disable(trx, second.id, 1 as UserId)).finally(() => {
      isThrough = true;
    });
    const waits = async () =>
      (
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
      ).rows.length > 0;
    await expect.poll(async () => isThrough || (await waits())).toBe(true);
    mayCommit.resolve();
    expect(await one).toMatchObject({ ok: true });
    expect(await other).toEqual({ ok: false, error: { code: 'user.last_admin' } });
  });

  test('no user changes, resets or signs out somebody with more rights, nor grants what they lack', async () => {
    const { token } = await api.addUser({ name: 'clerk', permissions: manager });
    const strong = await api.addUser({ name: 'strong', permissions: ['order.refund'] });
    const weak = await api.addUser({ name: 'weak', permissions: ['order.read'] });
    for (const attempt of [
      change(strong.id, {}, token),
      enable(strong.id, false, token),
      api.post(`/users/${strong.id}/password-resets`, {}, { token }),
      api.post(`/users/${strong.id}/sign-outs`, undefined, { token }),
    ]) {
      expect(await errorOf(attempt)).toBe('position.beyond_own');
    }
    const { id: session } = await api.database.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', strong.id)
      .executeTakeFirstOrThrow();
    expect(await errorOf(api.ask('DELETE', `/sessions/${session}`, { token }))).toBe('position.beyond_own');
    expect((await seen(strong.token)).status).toBe(200);
    const { id: refunds } = await position(['order.refund']);
    expect(await errorOf(change(weak.id, { positionId: refunds }, token))).toBe('position.beyond_own');
    const made = api.post('/users', { userName: 'mine', realName: 'x', positionId: refunds }, { token });
    expect(await errorOf(made)).toBe('position.beyond_own');
    expect((await change(weak.id, { positionId: (await position(['orderListReal'])).id }, token)).status).toBe(200);
  });
});

describe('an agent’s people', () => {
  let alpha: AgentId;
  let beta: AgentId;
  let boss: { id: UserId; token: string };
  beforeEach(async () => {
    [alpha, beta] = [await api.addAgent('alpha'), await api.addAgent('beta')];
    boss = await api.addUser({ name: 'boss', permissions: manager, scope: 'agent_tree', agentId: alpha });
  });

  test('an agent’s people add staff of their own agents, of the nearest one by default', async () => {
    const below = await api.addAgent('below', alpha);
    const { token } = (await api.logIn('boss', userPassword)).data;
    const made = async (userName: string, body: object = {}) =>
      (await create({ userName, ...body }, { token })).data.user.agentName;
    expect(await made('one')).toBe('alpha');
    expect(await made('two', { agentId: null })).toBe('alpha');
    expect(await made('three', { agentId: below })).toBe('below');
    const foreign = await create({ userName: 'four', agentId: beta }, { token });
    expect(foreign.envelope.message.error).toBe('access.denied');
  });

  test('an agent’s people see and change only their own', async () => {
    const theirs = await api.addUser({ name: 'theirs', permissions: [], scope: 'agent', agentId: beta });
    const { items } = (await api.get<{ items: User[] }>('/users', { token: boss.token })).data;
    expect(items.map(({ userName }) => userName)).toEqual(['boss']);
    const before = await api.database.db.selectFrom('users').selectAll().where('id', '=', theirs.id).execute();
    for (const id of [theirs.id, 1]) {
      for (const attempt of [
        api.get(`/users/${id}`, { token: boss.token }),
        change(id, { realName: 'Taken', agentId: alpha }, boss.token),
        enable(id, false, boss.token),
        api.post(`/users/${id}/password-resets`, {}, { token: boss.token }),
        api.post(`/users/${id}/sign-outs`, undefined, { token: boss.token }),
      ]) {
        expect(await errorOf(attempt)).toBe('record.not_found');
      }
    }
    const after = await api.database.db.selectFrom('users').selectAll().where('id', '=', theirs.id).execute();
    expect(after).toEqual(before);
    expect((await seen(theirs.token)).status).toBe(200);
  });

  test('an agent’s people cannot move staff to another agent or to the platform', async () => {
    const own = await api.addUser({ name: 'own', permissions: [], scope: 'agent', agentId: alpha });
    expect(await errorOf(change(own.id, { agentId: beta }, boss.token))).toBe('access.denied');
    expect((await change(own.id, { agentId: null }, boss.token)).data.agentId).toBe(alpha);
  });

  test('an agent’s people give positions of their own or of the platform, never another agent’s nor a platform-wide one', async () => {
    const own = await api.addUser({ name: 'own', permissions: [], scope: 'agent', agentId: alpha });
    const give = (positionId: number, token?: string) => change(own.id, { positionId }, token);
    const mine = await position(['orderListReal'], 'agent', alpha);
    const lent = await position(['orderListReal'], 'agent');
    const foreign = await position(['orderListReal'], 'agent', beta);
    const wide = await position(['orderListReal'], 'platform');
    expect((await give(mine.id, boss.token)).data.positionName).toBe(mine.name);
    expect((await give(lent.id, boss.token)).data.positionName).toBe(lent.name);
    for (const { id } of [foreign, wide]) {
      const refused = await give(id, boss.token);
      expect(refused.envelope.message.fields).toMatchObject([{ path: 'positionId', code: 'unknown_reference' }]);
    }
    // Not even the platform's own people do.
    expect((await give(foreign.id)).envelope.message.fields).toMatchObject([{ code: 'unknown_reference' }]);
    expect((await give(wide.id)).envelope.message.fields).toMatchObject([{ path: 'positionId', code: 'invalid' }]);
  });
});
