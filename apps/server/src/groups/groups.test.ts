import type { GroupMember } from '@voltdeck/contract/group-members';
import type { Group } from '@voltdeck/contract/groups';
import type { AgentId } from '@voltdeck/units/id';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';
import { errorOf, type GroupBench, groupBench, noon } from './test-groups.ts';

let api: TestApi;
let bench: GroupBench;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = noon;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  bench = groupBench(api);
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0 });
  await api.close();
});

const actionsOf = async (kind: string, id: number) => {
  const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=${kind}&recordId=${id}`);
  return log.data.items.map(({ action }) => action);
};

describe('a group', () => {
  test('a group is added with a name, a contact and a phone alone, and gets a card number', async () => {
    const group = await bench.addGroup({ name: 'Lakeside Taxis' });
    expect(group).toMatchObject({
      name: 'Lakeside Taxis',
      contact: 'Li Lei',
      contactPhone: '13800000000',
      state: 'enabled',
      funding: 'shared',
      agentId: null,
      balanceFen: 0,
      rechargedFen: 0,
      boundCount: 0,
      allSites: true,
      hours: '',
    });
    expect(group.cardNumber).toMatch(/^[0-9A-F]{16}$/);
    expect(await actionsOf('group', group.id)).toEqual(['group.create']);
  });

  test('a group and a card never have one number, whichever comes first', async () => {
    const { cardNumber } = await bench.addGroup({ cardNumber: '0a0b0c0d0e0f0001' });
    expect(cardNumber).toBe('0A0B0C0D0E0F0001');
    expect(errorOf(await api.post('/cards', { number: cardNumber }))).toBe('card.number_taken');
    expect(errorOf(await api.post('/cards', { number: '0A0B0C0D0E0F0009', physicalNumber: cardNumber }))).toBe(
      'card.number_taken',
    );
    const again = { name: 'Again', contact: 'Li', contactPhone: '13800000000', cardNumber };
    expect(errorOf(await api.post('/groups', again))).toBe('card.number_taken');
    const place = await makePlace(api.database, null, 'numbers');
    expect(errorOf(await api.post('/groups', { ...again, cardNumber: place.cardNumber }))).toBe('card.number_taken');
    const bad = await api.post('/groups', { ...again, cardNumber: 'XYZ' });
    expect(bad.envelope.message.fields).toMatchObject([{ path: 'cardNumber', code: 'card_number' }]);
  });

  test('a group is changed field by field; hours are written in one way, and what they are not is refused', async () => {
    const place = await makePlace(api.database, null, 'changed');
    const group = await bench.addGroup({ hours: '8:00-20:00' });
    const body = {
      hours: '22:00～6:00, 9:00-10:00',
      siteIds: [place.siteId],
      monthLimitFen: 50_000,
      title: 'Taxis Ltd',
    };
    const changed = await api.ask<Group>('PATCH', `/groups/${group.id}`, { body });
    expect(changed.data).toMatchObject({
      name: group.name,
      hours: '22:00-06:00, 09:00-10:00',
      allSites: false,
      sites: [{ id: place.siteId }],
      monthLimitFen: 50_000,
      title: 'Taxis Ltd',
    });
    const cleared = await api.ask<Group>('PATCH', `/groups/${group.id}`, { body: { siteIds: [], hours: '' } });
    expect(cleared.data).toMatchObject({ allSites: true, sites: [], hours: '', monthLimitFen: 50_000 });
    const bad = await api.ask('PATCH', `/groups/${group.id}`, { body: { hours: 'all day' } });
    expect(bad.envelope.message.fields).toMatchObject([{ path: 'hours', code: 'hours_format' }]);
    const unknown = await api.ask('PATCH', `/groups/${group.id}`, { body: { siteIds: [999_999] } });
    expect(unknown.envelope.message.fields).toMatchObject([{ path: 'siteIds', code: 'unknown_reference' }]);
    expect(await actionsOf('group', group.id)).toEqual(['group.change', 'group.change', 'group.create']);
  });

  test('a group with bound customers cannot be disabled, nor one with customers who wait, and says so', async () => {
    const group = await bench.addGroup();
    const place = await makePlace(api.database, null, 'disable');
    const member = await bench.name(group, place.phone);
    const disable = (language: 'en' | 'zh-CN' = 'en') =>
      api.ask<Group>('PUT', `/groups/${group.id}/enabled`, { body: { enabled: false }, language });
    expect((await disable()).envelope.message).toMatchObject({ status: 409, error: 'group.has_waiting' });
    await bench.review(member.id, 'agree');
    expect((await disable()).envelope.message.message).toBe('The group has bound customers and cannot be disabled');
    expect((await disable('zh-CN')).envelope.message.message).toBe('团体存在已绑定的用户，不能禁用');
    await api.post(`/group-bindings/${member.id}/releases`);
    expect((await disable()).data).toMatchObject({ state: 'disabled' });
    expect(errorOf(await api.post(`/groups/${group.id}/recharges`, { amountFen: 100 }))).toBe('group.disabled');
    const named = await api.post('/group-bindings', { groupId: group.id, customerPhone: place.phone });
    expect(errorOf(named)).toBe('group.disabled');
    const enabled = await api.ask<Group>('PUT', `/groups/${group.id}/enabled`, { body: { enabled: true } });
    expect(enabled.data).toMatchObject({ state: 'enabled' });
  });

  test('a group that is disabled while somebody is agreed to either has no members or stays enabled', async () => {
    for (let round = 0; round < 6; round += 1) {
      const group = await bench.addGroup();
      const place = await makePlace(api.database, null, `race${round}`);
      const [disabled, named] = await Promise.all([
        api.ask('PUT', `/groups/${group.id}/enabled`, { body: { enabled: false } }),
        api.post<GroupMember>('/group-bindings', { groupId: group.id, customerPhone: place.phone }),
      ]);
      const statuses = [disabled.status, named.status];
      expect(
        statuses.filter((status) => status === 200),
        `round ${round}`,
      ).toHaveLength(1);
    }
  });

  test('only a group that nobody was named in and no money reached can be deleted', async () => {
    const unused = await bench.addGroup({ siteIds: [(await makePlace(api.database, null, 'unused')).siteId] });
    expect((await api.ask('DELETE', `/groups/${unused.id}`)).status).toBe(200);
    expect((await api.get(`/groups/${unused.id}`)).status).toBe(404);
    const paid = await bench.addGroup();
    await bench.recharge(paid, 100);
    expect(errorOf(await api.ask('DELETE', `/groups/${paid.id}`))).toBe('group.has_records');
    const named = await bench.addGroup();
    await bench.name(named, '13511110001');
    expect(errorOf(await api.ask('DELETE', `/groups/${named.id}`))).toBe('group.has_records');
  });

  test('users of an agent make groups of their agent, and see no others', async () => {
    const agentId = await api.addAgent('Owner of groups');
    const other = await api.addAgent('Another owner');
    const permissions = ['group.read', 'group.edit', 'group_member.read', 'group_member.edit'] as const;
    const userOf = (name: string, id: AgentId) => api.addUser({ name, permissions, scope: 'agent', agentId: id });
    const { token } = await userOf('owner', agentId);
    const { token: stranger } = await userOf('stranger', other);
    const own = await bench.addGroup({ name: 'Of the agent' }, { token });
    expect(own).toMatchObject({ agentId, agentName: 'Owner of groups' });
    const given = { name: 'x', contact: 'x', contactPhone: '13800000000', agentId: other };
    expect((await api.post('/groups', given, { token })).envelope.message.fields).toMatchObject([{ path: 'agentId' }]);
    const member = await bench.name(own, '13511110002');
    const listed = await api.get<{ items: Group[] }>('/groups?pageSize=100', { token });
    expect(listed.data.items.map(({ id }) => id)).toEqual([own.id]);
    expect((await api.get(`/groups/${own.id}`, { token: stranger })).status).toBe(404);
    expect((await api.get(`/group-bindings/${member.id}`, { token: stranger })).status).toBe(404);
    const seen = await api.get<{ items: GroupMember[] }>('/group-bindings', { token: stranger });
    expect(seen.data.items).toEqual([]);
    const named = { groupId: own.id, customerPhone: '13511110003' };
    const refused = await api.post('/group-bindings', named, { token: stranger });
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'groupId', code: 'unknown_reference' }]);
  });
});

describe('a binding', () => {
  test('a registered user waits for a review, and is bound when it is agreed to', async () => {
    const group = await bench.addGroup();
    const place = await makePlace(api.database, null, 'waits');
    const member = await bench.name(group, place.phone, { name: 'Driver Wang' });
    expect(member).toMatchObject({
      state: 'waiting',
      source: 'office',
      name: 'Driver Wang',
      customerId: place.customerId,
      groupName: group.name,
    });
    const agreed = await bench.review(member.id, 'agree', 'Seen the contract');
    expect(agreed.data).toMatchObject({ state: 'bound', opinion: 'Seen the contract', reviewedAt: noonIso });
    expect(await bench.groupOf(group)).toMatchObject({ boundCount: 1, waitingCount: 0 });
    expect(errorOf(await bench.review(member.id, 'refuse', 'Too late'))).toBe('group_member.not_waiting');
    const released = await api.post<GroupMember>(`/group-bindings/${member.id}/releases`);
    expect(released.data).toMatchObject({ state: 'released', releasedAt: noonIso });
    expect(errorOf(await api.post(`/group-bindings/${member.id}/releases`))).toBe('group_member.over');
    expect(await actionsOf('group_member', member.id)).toEqual([
      'group_member.release',
      'group_member.agree',
      'group_member.create',
    ]);
  });
  const noonIso = '2026-11-21T04:00:00.000Z';

  test('a phone that nobody has registered is not bound, and waits as soon as somebody does', async () => {
    const group = await bench.addGroup();
    const member = await bench.name(group, '13522220001');
    expect(member).toMatchObject({ state: 'not_bound', customerId: null });
    const customer = await api.post<{ id: number }>('/customers', { phone: '13522220001', nickname: 'Han' });
    expect(await bench.memberOf(member)).toMatchObject({ state: 'waiting', customerId: customer.data.id });
  });

  test('a binding that was agreed to before the phone was registered binds at once, in the first group alone', async () => {
    const [first, second, refused] = [await bench.addGroup(), await bench.addGroup(), await bench.addGroup()];
    const early = await bench.name(first, '13522220002');
    const later = await bench.name(second, '13522220002');
    const never = await bench.name(refused, '13522220002');
    expect((await bench.review(early.id, 'agree')).data).toMatchObject({ state: 'not_bound', isAgreed: true });
    await bench.review(later.id, 'agree');
    await bench.review(never.id, 'refuse', 'Not ours');
    await api.post('/customers', { phone: '13522220002', nickname: 'Mei' });
    expect(await bench.memberOf(early)).toMatchObject({ state: 'bound' });
    expect(await bench.memberOf(later)).toMatchObject({ state: 'waiting' });
    expect(await bench.memberOf(never)).toMatchObject({ state: 'refused', opinion: 'Not ours' });
  });

  test('a refusal needs an opinion, and the user can be named again afterwards', async () => {
    const group = await bench.addGroup();
    const member = await bench.name(group, '13522220003');
    expect(errorOf(await bench.review(member.id, 'refuse'))).toBe('group_member.opinion_required');
    const named = { groupId: group.id, customerPhone: '13522220003' };
    expect(errorOf(await api.post('/group-bindings', named))).toBe('group_member.named_already');
    expect((await bench.review(member.id, 'refuse', 'No contract')).data).toMatchObject({ state: 'refused' });
    expect((await api.post('/group-bindings', named)).status).toBe(200);
    const wrong = await api.post('/group-bindings', { groupId: group.id, customerPhone: '135' });
    expect(wrong.envelope.message.fields).toMatchObject([{ path: 'customerPhone', code: 'phone_length' }]);
  });

  test('several bindings are decided together or not at all', async () => {
    const group = await bench.addGroup();
    const members = [await bench.name(group, '13522220011'), await bench.name(group, '13522220012')];
    const ids = members.map(({ id }) => id);
    await bench.review(ids[1] ?? 0, 'refuse', 'No contract');
    const both = await api.post('/group-bindings/reviews', { ids, decision: 'agree' });
    expect(errorOf(both)).toBe('group_member.not_waiting');
    const [first] = members;
    expect(first === undefined ? null : await bench.memberOf(first)).toMatchObject({ isAgreed: false });
    const one = await api.post('/group-bindings/reviews', { ids: [ids[0]], decision: 'agree' });
    expect(one.data).toEqual({ decided: 1 });
  });

  test('a customer is bound to one group at a time, and to another one after leaving it', async () => {
    const [here, there] = [await bench.addGroup(), await bench.addGroup()];
    const place = await makePlace(api.database, null, 'one');
    const waiting = await bench.name(there, place.phone);
    const member = await bench.bind(here, place.phone);
    expect(errorOf(await bench.review(waiting.id, 'agree'))).toBe('group_member.bound_elsewhere');
    const third = await bench.addGroup();
    const named = { groupId: third.id, customerPhone: place.phone };
    expect(errorOf(await api.post('/group-bindings', named))).toBe('group_member.bound_elsewhere');
    await api.post(`/group-bindings/${member.id}/releases`);
    expect((await bench.review(waiting.id, 'agree')).data).toMatchObject({ state: 'bound' });
  });

  test('two groups that bind one customer at the same moment bind them once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const place = await makePlace(api.database, null, `twice${round}`);
      const named = await Promise.all(
        [await bench.addGroup(), await bench.addGroup()].map((group) => bench.name(group, place.phone)),
      );
      const agreed = await Promise.all(named.map(({ id }) => bench.review(id, 'agree')));
      expect(agreed.map(errorOf).toSorted(), `round ${round}`).toEqual(
        ['group_member.bound_elsewhere', undefined].toSorted(),
      );
    }
  });

  test('a member’s own limits hold instead of those of the group, until they are cleared', async () => {
    const group = await bench.addGroup({ monthLimitFen: 10_000, monthLimitCharges: 20 });
    const member = await bench.name(group, '13522220021', { monthLimitFen: 3_000 });
    expect(member).toMatchObject({ monthLimitFen: 3_000, limitFen: 3_000, limitCharges: 20 });
    const changed = await api.ask<GroupMember>('PATCH', `/group-bindings/${member.id}`, {
      body: { monthLimitFen: null, monthLimitCharges: 5, name: 'Han' },
    });
    expect(changed.data).toMatchObject({ limitFen: 10_000, limitCharges: 5, name: 'Han' });
  });

  test('a merged record hands its group over, unless the other one has a group', async () => {
    const [alone, both] = [await bench.addGroup(), await bench.addGroup()];
    const [old, kept] = [await makePlace(api.database, null, 'm1'), await makePlace(api.database, null, 'm2')];
    const member = await bench.bind(alone, old.phone);
    const merge = (id: number, intoId: number) =>
      api.post(`/customers/${id}/merges`, { intoId, reason: 'same person' });
    expect((await merge(old.customerId, kept.customerId)).status).toBe(200);
    expect(await bench.memberOf(member)).toMatchObject({ state: 'bound', customerId: kept.customerId });
    const third = await makePlace(api.database, null, 'm3');
    const other = await bench.bind(both, third.phone);
    expect((await merge(third.customerId, kept.customerId)).status).toBe(200);
    expect(await bench.memberOf(other)).toMatchObject({ state: 'released' });
    expect(await bench.memberOf(member)).toMatchObject({ state: 'bound' });
  });
});
