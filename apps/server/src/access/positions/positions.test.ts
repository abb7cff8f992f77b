import type { MenuEntry } from '@voltdeck/contract/access';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { Position } from '@voltdeck/contract/positions';
import type { AgentId } from '@voltdeck/units/id';
import { instant, secondMs } from '@voltdeck/units/instant';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, userPassword } from '../../http/test-api.ts';
import { productMenus } from '../menus/product-menus.ts';

const everything = Object.keys(permissions) as Permission[];
let api: TestApi;
let made = 0;
beforeAll(async () => {
  api = await openTestApi();
  return () => api.close();
});

type Given = Partial<{
  name: string;
  description: string;
  dataScope: string;
  menuCodes: string[];
  agentId: number | null;
}>;
const form = (given: Given = {}) => {
  made += 1;
  return { name: `Position ${made}`, dataScope: 'platform', menuCodes: ['plotList'], ...given };
};
const create = async (given: Given = {}, token?: string) =>
  api.post<Position>('/positions', form(given), token === undefined ? {} : { token });
const change = (id: number, body: unknown, token?: string) =>
  api.ask<Position>('PUT', `/positions/${id}`, { body, ...(token === undefined ? {} : { token }) });
const give = (userId: number, positionId: number) =>
  api.database.db
    .updateTable('users')
    .set({ position_id: positionId as never })
    .where('id', '=', userId as never)
    .execute();
const menusOf = async (token: string) => {
  const flat = (menus: readonly MenuEntry[]): string[] =>
    menus.flatMap((menu) => [...(menu.frontendUrl === null ? [] : [menu.code]), ...flat(menu.children)]);
  return flat((await api.get<MenuEntry[]>('/menu/getUserMenu', { token })).data);
};
const permissionsOf = async (token: string) =>
  (await api.get<{ permissions: Permission[] }>('/user/info', { token })).data.permissions;

describe('a position', () => {
  test('a position is found by name and scope, in the requested order', async () => {
    const { data: one } = await create({ name: '甲 finder', dataScope: 'agent', description: 'first' });
    const { data: two } = await create({ name: '乙 finder', dataScope: 'self' });
    const names = async (query: string) =>
      (await api.get<{ items: Position[] }>(`/positions?${query}`)).data.items.map(({ id }) => id);
    expect(await names('name=finder&sort=createdAt')).toEqual([one.id, two.id]);
    expect(await names('name=finder&dataScope=self')).toEqual([two.id]);
    expect(await names('name=finder&sort=name')).toEqual([one.id, two.id]);
    expect((await api.get(`/positions/${one.id}`)).data).toMatchObject({
      name: '甲 finder',
      description: 'first',
      dataScope: 'agent',
      menuCodes: ['plotList'],
      agentId: null,
      agentName: null,
      users: 0,
      changeable: true,
    });
  });

  test('the name of a position is unique per owner', async () => {
    const agentId = await api.addAgent('Owner');
    const name = 'Guard';
    expect((await create({ name })).status).toBe(200);
    const again = await create({ name });
    expect(again.envelope.message).toMatchObject({ status: 409, error: 'position.name_taken' });
    const agents = await create({ name, dataScope: 'agent', agentId });
    expect(agents.data).toMatchObject({ agentId, agentName: 'Owner' });
    const other = await create();
    expect((await change(other.data.id, form({ name }))).envelope.message.error).toBe('position.name_taken');
  });

  test('a position grants screens and buttons, groups are included automatically, and unknown codes are refused', async () => {
    const { data } = await create({ menuCodes: ['device', 'portList', 'order.start', 'portList'] });
    expect(data.menuCodes).toEqual(['order.start', 'portList']);
    const wrong = await create({ menuCodes: ['portList', 'nonsense'] });
    expect(wrong.envelope.message.fields).toMatchObject([{ path: 'menuCodes', code: 'unknown_reference' }]);
  });

  test('a changed position takes effect at its users’ next request', async () => {
    const { id, token } = await api.addUser({ name: 'mover', permissions: [] });
    const { data } = await create({ menuCodes: ['orderListReal', 'order.stop'] });
    await give(id, data.id);
    await change(data.id, form({ name: data.name, menuCodes: ['orderListReal', 'order.stop', 'user'] }));
    expect((await permissionsOf(token)).sort()).toEqual(['order.read', 'order.stop', 'user.read']);
    expect((await api.get('/users', { token })).status).toBe(200);
    await change(data.id, form({ name: data.name, menuCodes: ['orderListReal'] }));
    expect(await permissionsOf(token)).toEqual(['order.read']);
    expect((await api.get('/users', { token })).envelope.message.error).toBe('access.denied');
  });

  test('a position shows exactly its menus, though others need the same permission', async () => {
    const { id, token } = await api.addUser({ name: 'live-only', permissions: [] });
    const { data } = await create({ menuCodes: ['orderListReal'] });
    await give(id, data.id);
    await change(data.id, form({ name: data.name, menuCodes: ['orderListReal'] }));
    expect(await menusOf(token)).toEqual(['orderListReal']);
  });

  test('a button does not grant its menu', async () => {
    const { id, token } = await api.addUser({ name: 'button-only', permissions: [] });
    const { data } = await create({ menuCodes: ['order.refund'] });
    await give(id, data.id);
    await change(data.id, form({ name: data.name, menuCodes: ['order.refund'] }));
    expect(await permissionsOf(token)).toEqual(['order.refund']);
    expect(await menusOf(token)).toEqual([]);
    expect((await api.get('/orders', { token })).status).toBe(403);
  });

  test('a position can be deleted once nobody has it', async () => {
    const { data } = await create();
    const { id } = await api.addUser({ name: 'holder', permissions: [] });
    await give(id, data.id);
    const refused = await api.ask('DELETE', `/positions/${data.id}`, { language: 'en' });
    expect(refused.envelope.message).toMatchObject({ status: 409, error: 'position.in_use' });
    await give(id, (await create()).data.id);
    expect((await api.ask('DELETE', `/positions/${data.id}`)).status).toBe(200);
    expect((await api.get(`/positions/${data.id}`)).status).toBe(404);
  });

  test('changes of a position are audited with before and after', async () => {
    const { data } = await create({ menuCodes: ['plotList'] });
    await change(data.id, form({ name: 'Renamed', menuCodes: ['plotList', 'site.edit'] }));
    await api.ask('DELETE', `/positions/${data.id}`);
    const entries = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'before', 'after'])
      .where('record_kind', '=', 'position')
      .where('record_id', '=', String(data.id))
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['position.create', 'position.change', 'position.delete']);
    expect(entries[1]).toMatchObject({
      before: { menuCodes: ['plotList'] },
      after: { name: 'Renamed', menuCodes: ['plotList', 'site.edit'] },
    });
  });
});

test('another node notices a change within five seconds', async () => {
  const other = await openTestApi({ database: api.database });
  const at = instant(Date.parse('2026-11-21T04:00:00Z'));
  other.clock.now = at;
  const { id } = await api.addUser({ name: 'two-nodes', permissions: [] });
  const { data } = await create({ menuCodes: ['user'] });
  await give(id, data.id);
  const { token } = (await other.logIn('two-nodes', userPassword)).data;
  expect((await other.get('/users', { token })).status).toBe(200);
  await change(data.id, form({ name: data.name, menuCodes: [] }));
  other.clock.now = instant(at + 5 * secondMs);
  expect((await other.get('/users', { token })).status).toBe(403);
  await other.close();
});

describe('nobody can grant more than they have', () => {
  const staff: readonly Permission[] = ['position.read', 'position.edit', 'position.delete', 'user.read', 'order.read'];

  test('a permission or a scope beyond one’s own is refused when a position is created and changed', async () => {
    const { token } = await api.addUser({ name: 'clerk', permissions: staff });
    const beyond = { status: 403, error: 'position.beyond_own' };
    const mine = await create({ menuCodes: ['orderListReal'] }, token);
    expect(mine.status).toBe(200);
    expect((await create({ menuCodes: ['order.refund'] }, token)).envelope.message).toMatchObject(beyond);
    const wider = await change(mine.data.id, form({ menuCodes: ['order.refund'] }), token);
    expect(wider.envelope.message).toMatchObject(beyond);
    // A position with more rights than one's own cannot be reduced or deleted either.
    const more = await create({ menuCodes: ['order.refund', 'orderListReal'] });
    expect((await api.get<Position>(`/positions/${more.data.id}`, { token })).data.changeable).toBe(false);
    const cut = await change(more.data.id, form({ menuCodes: ['orderListReal'] }), token);
    expect(cut.envelope.message).toMatchObject(beyond);
    expect((await api.ask('DELETE', `/positions/${more.data.id}`, { token })).envelope.message).toMatchObject(beyond);
    const agentId = await api.addAgent('Narrow');
    const narrow = await api.addUser({ name: 'narrow', permissions: staff, scope: 'agent', agentId });
    expect((await create({ dataScope: 'platform', menuCodes: [] }, narrow.token)).status).toBe(422);
    const tree = await create({ dataScope: 'agent_tree', menuCodes: [] }, narrow.token);
    expect(tree.envelope.message).toMatchObject(beyond);
    expect((await create({ dataScope: 'agent', menuCodes: [] }, narrow.token)).data.agentId).toBe(agentId);
  });

  test('an agent’s people see their positions and the platform’s that they could give, and change only theirs', async () => {
    const [alpha, beta] = [await api.addAgent('alpha'), await api.addAgent('beta')];
    const userOf = (name: string, agentId: AgentId) =>
      api.addUser({ name, permissions: [...staff, 'user.edit'], scope: 'agent_tree', agentId });
    const a = await userOf('boss-alpha', alpha);
    const b = await userOf('boss-beta', beta);
    const lent = await create({ name: 'Lent', dataScope: 'agent', menuCodes: ['orderListReal'] });
    const kept = await create({ name: 'Kept', dataScope: 'agent', menuCodes: ['order.refund'] });
    const own = await create({ name: 'Own', dataScope: 'agent', menuCodes: ['orderListReal'] }, a.token);
    const seen = async (token: string) => {
      const { items } = (await api.get<{ items: Position[] }>('/positions?pageSize=100', { token })).data;
      return new Map(items.map((item) => [item.name, item.changeable]));
    };
    const byAlpha = await seen(a.token);
    expect(byAlpha.get('Lent')).toBe(false);
    expect(byAlpha.get('Own')).toBe(true);
    expect(byAlpha.has('Kept')).toBe(false);
    const byBeta = await seen(b.token);
    expect(byBeta.has('Own')).toBe(false);
    expect((await change(lent.data.id, form({ dataScope: 'agent' }), a.token)).status).toBe(403);
    expect((await change(kept.data.id, form({ dataScope: 'agent' }), a.token)).status).toBe(404);
    expect((await change(own.data.id, form({ dataScope: 'agent' }), b.token)).status).toBe(404);
    expect((await create({ dataScope: 'agent', agentId: beta }, a.token)).status).toBe(403);
  });

  test('an agent’s position is never platform-wide, whoever creates it', async () => {
    const agentId = await api.addAgent('Bounded');
    const wide = await create({ agentId });
    expect(wide.envelope.message.fields).toMatchObject([{ path: 'dataScope', code: 'not_choice' }]);
    const held = await create({ dataScope: 'agent' });
    const { id } = await api.addUser({ name: 'bounded', permissions: [], scope: 'agent', agentId });
    await give(id, held.data.id);
    const widened = await change(held.data.id, form({ dataScope: 'platform' }));
    expect(widened.envelope.message.fields).toMatchObject([{ path: 'dataScope', code: 'in_use' }]);
    const elsewhere = await change(
      held.data.id,
      form({ dataScope: 'agent', agentId: await api.addAgent('Elsewhere') }),
    );
    expect(elsewhere.envelope.message.fields).toMatchObject([{ path: 'agentId', code: 'in_use' }]);
  });

  test('no request gives a user rights that its sender lacks', async () => {
    const codes = productMenus.filter(({ frontendUrl, kind }) => frontendUrl !== null || kind === 'button');
    const own = everything.filter((_, index) => index % 3 !== 0);
    const { token } = await api.addUser({
      name: 'maker',
      permissions: [...new Set<Permission>([...own, 'position.edit', 'user.edit', 'user.read'])],
    });
    const has = new Set(await permissionsOf(token));
    const holder = await api.addUser({ name: 'receiver', permissions: [] });
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(
          codes.map(({ code }) => code),
          { maxLength: 4 },
        ),
        fc.constantFrom('platform', 'agent_tree', 'agent', 'self'),
        async (menuCodes, dataScope) => {
          const answer = await create({ menuCodes, dataScope }, token);
          if (answer.status !== 200) {
            expect(answer.envelope.message.error).toBe('position.beyond_own');
            return;
          }
          granted += 1;
          const body = { realName: 'x', positionId: answer.data.id };
          expect((await api.ask('PUT', `/users/${holder.id}`, { token, body })).status).toBe(200);
          for (const permission of await permissionsOf(holder.token)) expect(has).toContain(permission);
        },
      ),
      { numRuns: 40 },
    );
    expect(granted).toBeGreaterThan(0);
  });
});

test('the data scopes to choose from are the caller’s own and narrower ones, by name (section 7)', async () => {
  const scopes = async (ask: object, query = '') =>
    (await api.get<{ value: string; name: string }[]>(`/getDataScopeList${query}`, ask)).data;
  expect(await scopes({ language: 'en' })).toEqual([
    { value: 'platform', name: 'All records' },
    { value: 'agent_tree', name: 'Own agent and those below' },
    { value: 'agent', name: 'Own agent only' },
    { value: 'divider', name: 'Own shares only' },
    { value: 'self', name: 'Own records only' },
  ]);
  // The specification's `data` field is accepted, not shown, and has no effect.
  expect(await scopes({ language: 'en' }, '?data=agent')).toEqual(await scopes({ language: 'en' }));
  expect((await api.get('/getDataScopeList?dta=agent')).status).toBe(422);
  const agentId = await api.addAgent('Scoped');
  const { token } = await api.addUser({ name: 'scoped', permissions: [], scope: 'agent', agentId });
  expect(await scopes({ token })).toEqual([
    { value: 'agent', name: '仅本代理商' },
    { value: 'divider', name: '仅本人分成' },
    { value: 'self', name: '仅本人' },
  ]);
  const { id, token: bare } = await api.addUser({ name: 'bare', permissions: [] });
  await api.ask('PUT', `/users/${id}`, { body: { realName: 'bare', positionId: null } });
  expect(await scopes({ token: bare })).toEqual([]);
});
