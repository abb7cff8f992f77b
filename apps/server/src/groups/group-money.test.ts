import type { GroupMember } from '@voltdeck/contract/group-members';
import type { Group } from '@voltdeck/contract/groups';
import type { MoneyMovement } from '@voltdeck/contract/movements';
import type { Order } from '@voltdeck/contract/orders';
import type { Recharge } from '@voltdeck/contract/payments';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { randomFrom } from '@voltdeck/units/random';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { readPages } from '../http/test-pdf.ts';
import { balanceOf } from '../http/test-records.ts';
import { sheetRows } from '../http/test-sheets.ts';
import { findBalance } from '../orders/find-balance.ts';
import { extendHold } from '../orders/hold-money.ts';
import { secondPersonLimits } from '../second-person/limits.ts';
import { returnPot } from './return-pot.ts';
import { errorOf, type GroupBench, groupBench, noon } from './test-groups.ts';

let api: TestApi;
let bench: GroupBench;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = noon;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  bench = groupBench(api);
});
beforeEach(() => {
  api.clock.now = noon;
});
afterAll(async () => {
  api.clock.now = noon;
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0 });
  await api.close();
});

const movementsOf = async (group: Group) =>
  (await api.get<{ items: MoneyMovement[] }>(`/movements?groupId=${group.id}&pageSize=100`)).data.items;
const told = (movements: readonly MoneyMovement[]) => movements.map(({ type, amountFen }) => [type, amountFen]);
const allocate = (group: Group, body: object) => api.post<{ members: number }>(`/groups/${group.id}/allocations`, body);
const takeBack = (group: Group, body: object = {}) =>
  api.post<{ members: number; amountFen: number }>(`/groups/${group.id}/take-backs`, body, { language: 'en' });
const returnPotOf = ({ id }: GroupMember) => returnPot(api.context, id);

/** A group with money, and a place whose customer is bound to it. */
async function funded(given: Record<string, unknown> = {}, amountFen = 20_000) {
  const group = await bench.addGroup(given);
  await bench.recharge(group, amountFen);
  const place = await bench.addPlace();
  const member = await bench.bind(group, place.phone);
  return { group, place, member };
}

/** Another customer of the place’s station, bound to the group. */
async function another(group: Group) {
  const place = await bench.addPlace();
  return { place, member: await bench.bind(group, place.phone) };
}

describe('recharging a group', () => {
  test('a recharge fills the balance once however often it is sent, and shows in records, movements and the total', async () => {
    const group = await bench.addGroup();
    const body = { amountFen: 5_000, remark: 'first' };
    const first = await api.post<Recharge>(`/groups/${group.id}/recharges`, body, { key: 'group-once' });
    const again = await api.post<Recharge>(`/groups/${group.id}/recharges`, body, { key: 'group-once' });
    expect(again.envelope).toEqual(first.envelope);
    expect(first.data).toMatchObject({ groupId: group.id, groupName: group.name, amountFen: 5_000, cardId: null });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 5_000, rechargedFen: 5_000 });
    expect(told(await movementsOf(group))).toEqual([['system_recharge', 5_000]]);
    const listed = await api.get<{ items: Recharge[] }>(`/recharges?groupId=${group.id}&ofGroup=true`);
    expect(listed.data.items).toMatchObject([{ id: first.data.id, groupName: group.name }]);
    const others = await api.get<{ items: Recharge[] }>('/recharges?ofGroup=false&pageSize=100');
    expect(others.data.items.every(({ groupId }) => groupId === null)).toBe(true);
    expect((await api.post(`/groups/${group.id}/recharges`, body, { key: null })).status).toBe(400);
  });

  test('a recharge is refunded as far as its money is there, and reversed; the total recharge follows', async () => {
    const group = await bench.addGroup();
    const { id } = await bench.recharge(group, 5_000);
    const part = { amountFen: 2_000, reason: 'paid too much' };
    expect((await api.post(`/recharges/${id}/refunds`, part)).data).toMatchObject({ refundedFen: 2_000 });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 3_000, rechargedFen: 3_000 });
    expect(errorOf(await api.post(`/recharges/${id}/refunds`, { ...part, amountFen: 3_001 }))).toBe(
      'recharge.refund_too_high',
    );
    const other = await bench.recharge(group, 700);
    const reversed = await api.post(`/recharges/${other.id}/reversals`, { reason: 'wrong group' });
    expect(reversed.envelope.message).toMatchObject({ status: 200 });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 3_000, rechargedFen: 3_000 });
    expect(told(await movementsOf(group))).toEqual([
      ['withdrawal', -700],
      ['system_recharge', 700],
      ['withdrawal', -2_000],
      ['system_recharge', 5_000],
    ]);
  });

  test('an agent recharges its group from its prepaid money, and no further than that goes', async () => {
    const agentId = await api.addAgent('Pays groups');
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 1_000, reason: 'in advance' });
    const { token } = await api.addUser({
      name: 'pays-groups',
      permissions: ['group.read', 'group.edit', 'recharge.create', 'recharge.read'],
      scope: 'agent',
      agentId,
    });
    const group = await bench.addGroup({}, { token });
    const recharge = (amountFen: number) => api.post(`/groups/${group.id}/recharges`, { amountFen }, { token });
    expect((await recharge(800)).data).toMatchObject({ agentId, prepaidAfterFen: 200 });
    expect(errorOf(await recharge(201))).toBe('agent.prepaid_too_low');
    const listed = await api.get<{ items: Recharge[] }>('/recharges', { token });
    expect(listed.data.items).toMatchObject([{ groupId: group.id, amountFen: 800 }]);
    const foreign = await bench.addGroup();
    expect((await api.post(`/groups/${foreign.id}/recharges`, { amountFen: 1 }, { token })).status).toBe(404);
  });

  test('a large recharge waits for a second person and shows on the group until then', async () => {
    const limit = (value: string) =>
      api.database.db
        .insertInto('configs')
        .values({ name: 'limit', key: secondPersonLimits.recharge.key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    await limit('10000');
    const group = await bench.addGroup();
    const waiting = await api.post<{ waitsFor: { id: number } }>(`/groups/${group.id}/recharges`, {
      amountFen: 10_001,
    });
    expect(waiting.data.waitsFor.id).toBeGreaterThan(0);
    expect(await bench.groupOf(group)).toMatchObject({
      balanceFen: 0,
      waits: [{ kind: 'recharge', amountFen: 10_001 }],
    });
    const { token } = await api.addUser({
      name: 'second',
      permissions: ['approval.decide', 'approval.read', 'recharge.create'],
    });
    const approved = await api.post(
      `/approvals/${waiting.data.waitsFor.id}/decisions`,
      { decision: 'approve' },
      { token },
    );
    expect(approved.envelope.message).toMatchObject({ status: 200 });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 10_001, waits: [] });
    await limit('1000000');
  });
});

describe('allocating', () => {
  test('members get the same amount each, or are filled up to one, and the group reads both sides', async () => {
    const { group, member } = await funded({ funding: 'allocated' });
    const { member: second } = await another(group);
    expect((await allocate(group, { amountFen: 3_000, memberIds: [member.id] })).data).toMatchObject({
      members: 1,
      amountFen: 3_000,
    });
    expect((await allocate(group, { amountFen: 5_000, way: 'fill' })).data).toMatchObject({
      members: 2,
      amountFen: 7_000,
    });
    expect(await bench.memberOf(member)).toMatchObject({ potFen: 5_000 });
    expect(await bench.memberOf(second)).toMatchObject({ potFen: 5_000 });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 10_000, potsFen: 10_000, rechargedFen: 20_000 });
    expect(told(await movementsOf(group))).toEqual([
      ['allocated', -5_000],
      ['allocated', -2_000],
      ['allocated', -3_000],
      ['system_recharge', 20_000],
    ]);
    expect(errorOf(await allocate(group, { amountFen: 5_000, way: 'fill' }))).toBe('group.nothing_to_move');
  });

  test('an allocation that the balance does not suffice for is refused as a whole and says how much is missing', async () => {
    const { group, member } = await funded({ funding: 'allocated' }, 5_000);
    await another(group);
    const refused = await api.post(`/groups/${group.id}/allocations`, { amountFen: 3_000 }, { language: 'en' });
    expect(refused.envelope.message.message).toBe('The balance of the group is ¥10.00 short; ¥50.00 is available');
    expect(await bench.memberOf(member)).toMatchObject({ potFen: 0 });
    const shared = await funded();
    expect(errorOf(await allocate(shared.group, { amountFen: 1 }))).toBe('group.is_shared');
    const foreign = await allocate(group, { amountFen: 1, memberIds: [shared.member.id] });
    expect(foreign.envelope.message.fields).toMatchObject([{ path: 'memberIds', code: 'unknown_reference' }]);
  });

  test('money is taken back down to nothing and never below, and what a running charge holds stays', async () => {
    const { group, place, member } = await funded({ funding: 'allocated' });
    await allocate(group, { amountFen: 8_000 });
    const order = await bench.charge(place);
    expect(order.data).toMatchObject({ isGroupOrder: true, paymentType: 'member', groupName: group.name });
    expect((await takeBack(group, { amountFen: 1_000 })).data).toMatchObject({ members: 1, amountFen: 1_000 });
    expect((await takeBack(group)).data).toMatchObject({ amountFen: 2_000 });
    expect(await bench.memberOf(member)).toMatchObject({ potFen: 0, potHeldFen: 5_000 });
    expect(errorOf(await takeBack(group))).toBe('group.nothing_to_move');
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 15_000, potsFen: 5_000 });
    expect(errorOf(await api.ask('PATCH', `/groups/${group.id}`, { body: { funding: 'shared' } }))).toBe(
      'group.has_pots',
    );
  });

  test('a charge that begins while its money is taken back either has its hold or does not begin', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { group, place, member } = await funded({ funding: 'allocated' });
      await allocate(group, { amountFen: 4_000 });
      const [order, taken] = await Promise.all([bench.charge(place, { payer: 'group' }), takeBack(group)]);
      const { potFen, potHeldFen } = await bench.memberOf(member);
      expect(potFen, `round ${round}`).toBe(0);
      if (order.status === 200) expect([potHeldFen, errorOf(taken)]).toEqual([4_000, 'group.nothing_to_move']);
      else expect([potHeldFen, errorOf(order), taken.data.amountFen]).toEqual([0, 'group.balance', 4_000]);
    }
  });

  test('the pot of a released member goes back to the group, after a running charge has ended', async () => {
    const { group, place, member } = await funded({ funding: 'allocated' });
    await allocate(group, { amountFen: 8_000 });
    const order = await bench.charge(place);
    await api.post(`/group-bindings/${member.id}/releases`);
    await returnPotOf(member);
    expect(await bench.wholeOf('member', member.id)).toBe(8_000);
    await bench.settle(order.data.id, 10_000);
    const jobs = await api.database.pool.query('select from graphile_worker.jobs where key = $1', [
      `return-pot:${member.id}`,
    ]);
    expect(jobs.rowCount).toBe(1);
    await returnPotOf(member);
    await returnPotOf(member);
    expect(await bench.wholeOf('member', member.id)).toBe(0);
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 20_000 - 1_100, potsFen: 0 });
    const refunded = await api.post(`/orders/${order.data.id}/refunds`, { amountFen: 500, reason: 'too much' });
    expect(refunded.envelope.message).toMatchObject({ status: 200 });
    await returnPotOf(member);
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 20_000 - 600, potsFen: 0 });
  });
});

describe('who pays', () => {
  test('the group of a bound customer pays where it can: hold, bill and refund are the group’s', async () => {
    const { group, place } = await funded();
    const order = await bench.charge(place);
    expect(order.data).toMatchObject({
      isGroupOrder: true,
      groupId: group.id,
      groupName: group.name,
      groupCardNumber: group.cardNumber,
      customerId: place.customerId,
      paymentType: 'group',
    });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 15_000, heldFen: 5_000 });
    await bench.settle(order.data.id, 10_000);
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 20_000 - 1_100, heldFen: 0 });
    await api.post(`/orders/${order.data.id}/refunds`, { amountFen: 300, reason: 'too much' });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 20_000 - 800, rechargedFen: 20_000 });
    expect(await balanceOf(api.database, `customer:${place.customerId}`)).toBe(0);
    expect(told(await movementsOf(group))).toEqual([
      ['order_refund', 300],
      ['consume', -1_100],
      ['system_recharge', 20_000],
    ]);
  });

  test('a customer pays themselves when they ask to, and when the group cannot', async () => {
    const { group, place } = await funded({}, 50);
    await api.post('/recharges', { customerId: place.customerId, amountFen: 2_000 });
    const refused = await bench.charge(place, { payer: 'group' });
    expect(refused.envelope.message).toMatchObject({ error: 'group.balance', status: 409 });
    const own = await bench.charge(place);
    expect(own.data).toMatchObject({ isGroupOrder: false, groupId: null, paymentType: 'online' });
    await api.post(`/orders/${own.data.id}/cancellations`);
    await bench.recharge(group, 5_000);
    const asked = await bench.charge(place, { payer: 'self' });
    expect(asked.data).toMatchObject({ isGroupOrder: false });
    const stranger = await bench.addPlace();
    expect(errorOf(await bench.charge(stranger, { payer: 'group' }))).toBe('group.not_bound');
  });

  test('a group pays at its sites and hours alone, and says which of them refuses', async () => {
    const { group, place } = await funded();
    const elsewhere = await bench.addPlace();
    const set = (body: object) => api.ask('PATCH', `/groups/${group.id}`, { body });
    const why = async () => errorOf(await bench.charge(place, { payer: 'group' }));
    await set({ siteIds: [elsewhere.siteId] });
    expect(await why()).toBe('group.site_not_allowed');
    await set({ siteIds: [elsewhere.siteId, place.siteId], hours: '12:01-13:00' });
    expect(await why()).toBe('group.hour_not_allowed');
    const shown = await api.get(`/connectors/${place.connectorId}/payer?customerPhone=${place.phone}`, {
      language: 'en',
    });
    expect(shown.data).toEqual({
      group: {
        name: group.name,
        cannotPay: 'group.hour_not_allowed',
        because: `Group ${group.name} does not pay at this hour, only 12:01-13:00`,
        leftFen: null,
      },
    });
    api.clock.now = instant(noon + minuteMs);
    expect(await why()).toBeUndefined();
    expect((await api.get(`/connectors/${place.connectorId}/payer?customerPhone=13500000000`)).data).toEqual({
      group: null,
    });
  });

  test('the group of an agent without sites of its own pays at that agent’s stations alone', async () => {
    const agentId = await api.addAgent('Reaches its own');
    const group = await bench.addGroup({ agentId });
    await bench.recharge(group, 5_000);
    const [own, foreign] = [await bench.addPlace(agentId), await bench.addPlace()];
    await bench.bind(group, foreign.phone);
    expect(errorOf(await bench.charge(foreign, { payer: 'group' }))).toBe('group.site_not_allowed');
    expect((await bench.charge({ ...own, phone: foreign.phone }, { payer: 'group' })).status).toBe(200);
  });

  test('settled charges and holds of the month count against the limit, and the next month begins anew', async () => {
    const { place, member } = await funded({ monthLimitFen: 6_000 });
    const first = await bench.charge(place);
    expect(await bench.memberOf(member)).toMatchObject({ monthSpentFen: 5_000, monthCharges: 1 });
    await bench.settle(first.data.id, 10_000);
    expect(await bench.memberOf(member)).toMatchObject({ monthSpentFen: 1_100, limitFen: 6_000 });
    const second = await bench.charge(place);
    expect(await bench.memberOf(member)).toMatchObject({ monthSpentFen: 6_000, monthCharges: 2 });
    const third = await bench.charge({ ...(await bench.addPlace()), phone: place.phone }, { payer: 'group' });
    expect(errorOf(third)).toBe('group.member_limit');
    await bench.settle(second.data.id, 44_545);
    expect((await bench.memberOf(member)).monthSpentFen).toBeGreaterThan(5_900);
    expect(errorOf(await bench.charge(place, { payer: 'group' }))).toBe('group.member_limit');
    api.clock.now = instant(Date.parse('2026-11-30T15:59:59Z'));
    const session = api.adminToken;
    api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
    expect(errorOf(await bench.charge(place, { payer: 'group' }))).toBe('group.member_limit');
    api.clock.now = instant(Date.parse('2026-11-30T16:00:00Z'));
    expect((await bench.charge(place, { payer: 'group' })).status).toBe(200);
    expect(await bench.memberOf(member)).toMatchObject({ monthSpentFen: 5_000, monthCharges: 1 });
    api.adminToken = session;
  });

  test('a member charges as often in a month as the group allows, cancelled charges left out', async () => {
    const { place } = await funded({ monthLimitCharges: 2 });
    const cancelled = await bench.charge(place);
    await api.post(`/orders/${cancelled.data.id}/cancellations`);
    for (let time = 0; time < 2; time += 1) {
      const order = await bench.charge(place, { payer: 'group' });
      await bench.settle(order.data.id, 1_000);
    }
    expect(errorOf(await bench.charge(place, { payer: 'group' }))).toBe('group.member_limit');
  });

  test('two charges at once are held to one limit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { place, member } = await funded({ monthLimitFen: 5_050 });
      const other = { ...(await bench.addPlace()), phone: place.phone };
      const both = await Promise.all([
        bench.charge(place, { payer: 'group' }),
        bench.charge(other, { payer: 'group' }),
      ]);
      expect(both.map(errorOf).toSorted(), `round ${round}`).toEqual(['group.member_limit', undefined].toSorted());
      expect((await bench.memberOf(member)).monthSpentFen).toBe(5_000);
    }
  });

  test('the hold of a running charge is never extended beyond the limit, nor is a station promised more', async () => {
    const { place } = await funded({ monthLimitFen: 7_000 });
    const { data: order } = await bench.charge(place);
    await api.database.db
      .updateTable('orders')
      .set({ state: 'charging', started_at: noon, begun_at: noon })
      .where('id', '=', order.id)
      .execute();
    const at = { stationId: place.stationId, connectorNumber: 1 };
    expect(await findBalance(api.database.db, at)).toMatchObject({ availableFen: 7_000 });
    const extend = () => api.database.db.transaction().execute((trx) => extendHold(trx, order.id, noon));
    expect(await extend()).toMatchObject({ heldFen: 7_000 });
    expect(await extend()).toMatchObject({ heldFen: 7_000 });
    expect(await findBalance(api.database.db, at)).toMatchObject({ availableFen: 7_000 });
  });

  test('a debt of a group is listed with the other debts, is nothing of its member’s, and a recharge repays it', async () => {
    const { group, place } = await funded({}, 200);
    const order = await bench.charge(place);
    await bench.settle(order.data.id, 10_000);
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 0, owedFen: 900 });
    const debts = await api.get<{ items: { number: string; owedFen: number }[] }>('/debts?pageSize=100');
    expect(debts.data.items).toMatchObject([{ number: order.data.number, owedFen: 900, groupName: group.name }]);
    expect(await balanceOf(api.database, `receivable:customer:${place.customerId}`)).toBe(0);
    expect(await bench.recharge(group, 1_000)).toMatchObject({ repaidFen: 900, balanceAfterFen: 100 });
    expect(await bench.groupOf(group)).toMatchObject({ balanceFen: 100, owedFen: 0 });
  });

  test('orders of groups are flagged in every list, found by flag and group, and told in files', async () => {
    const { group, place } = await funded();
    const order = await bench.charge(place);
    await bench.settle(order.data.id, 10_000);
    await api.post(`/orders/${order.data.id}/refunds`, { amountFen: 100, reason: 'too much' });
    const own = await bench.charge(place, { payer: 'group' });
    await api.post(`/orders/${own.data.id}/cancellations`);
    const idsOf = async (query: string) =>
      (await api.get<{ items: Order[] }>(`/orders?${query}&pageSize=100`)).data.items.map(({ id }) => id);
    expect(await idsOf(`groupId=${group.id}`)).toEqual([own.data.id, order.data.id]);
    expect(await idsOf('groupOrder=true')).toContain(order.data.id);
    expect(await idsOf('groupOrder=false')).not.toContain(order.data.id);
    const totals = await api.get<{ sums: Record<string, number> }>(`/orders/totals?groupId=${group.id}`);
    expect(totals.data.sums).toMatchObject({ paidFen: 1_100, refundedFen: 100 });
    const refunds = await api.get<{ items: object[] }>(`/refunds?groupId=${group.id}&groupOrder=true`);
    expect(refunds.data.items).toMatchObject([{ isGroupOrder: true, groupName: group.name }]);
    const page = await api.get(`/orders/${order.data.id}`);
    expect(page.data).toMatchObject({ isGroupOrder: true, groupName: group.name, expectedDurationMs: null });
    const file = await api.get(`/orders/export?groupId=${group.id}`, { language: 'en' });
    const [heads = [], row = []] = sheetRows(file.bytes);
    const cell = (head: string) => row[heads.indexOf(head)];
    expect([cell('Group order'), cell('Group'), cell('Group card number')]).toEqual([
      'Yes',
      group.name,
      group.cardNumber,
    ]);
  });
});

describe('the statement of a month', () => {
  test('its parts add up to its balances, which are those of the books to the fen', async () => {
    const { group, place, member } = await funded({ funding: 'allocated' });
    await allocate(group, { amountFen: 9_000 });
    const order = await bench.charge(place);
    await bench.settle(order.data.id, 10_000);
    await api.post(`/orders/${order.data.id}/refunds`, { amountFen: 100, reason: 'too much' });
    await takeBack(group, { amountFen: 2_000 });
    const lines = async (month: string) => {
      const file = await api.get(`/groups/${group.id}/statements/${month}`, { language: 'en' });
      const rows = sheetRows(file.bytes).map(([, line = '', amount = '']) => [line, Number(amount)] as const);
      return new Map(rows.slice(1, 11));
    };
    const november = await lines('2026-11');
    expect(Object.fromEntries(november)).toEqual({
      'Opening balance': 0,
      Recharges: 200,
      Gifts: 0,
      'Recharges refunded or reversed': 0,
      Charges: -11,
      'Order refunds': 1,
      'Closing balance': 190,
      'Of it the group’s balance': 130,
      'Of it in pots': 60,
      'Net allocated this month': 70,
    });
    expect(await bench.wholeOf('group', group.id)).toBe(13_000);
    expect(await bench.wholeOf('member', member.id)).toBe(6_000);
    expect(Object.fromEntries(await lines('2026-12'))).toMatchObject({
      'Opening balance': 190,
      Charges: 0,
      'Closing balance': 190,
    });
    const pdf = await api.get(`/groups/${group.id}/statements/2026-11?format=pdf`, { language: 'en' });
    const text = (await readPages(pdf.bytes)).join('\n');
    for (const part of ['Group statement 2026-11', group.name, '190.00', '11.00', place.phone]) {
      expect(text, part).toContain(part);
    }
    expect((await api.get(`/groups/${group.id}/statements/2026-13`)).status).toBe(422);
    const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=group&recordId=${group.id}`);
    expect(log.data.items[0]).toMatchObject({ action: 'group.statement' });
  });
});

test('whatever happens to a group, its balance and pots are what the books, the movements and the statement say', async () => {
  const seed = Number(process.env.TEST_SEED ?? 20_261_121);
  const random = randomFrom(seed);
  const pick = <Value>(values: readonly Value[]) => values[random(values.length)] as Value;
  const group = await bench.addGroup({ funding: 'allocated' });
  const places = await Promise.all([1, 2, 3].map(() => bench.addPlace()));
  const members: GroupMember[] = [];
  for (const place of places) members.push(await bench.bind(group, place.phone));
  const running = new Map<number, OrderId>();
  const settled: OrderId[] = [];
  const rechargeIds: number[] = [];
  const acts: Record<string, () => Promise<unknown>> = {
    async recharge() {
      rechargeIds.push((await bench.recharge(group, 100 + random(9_000))).id);
    },
    refund: () =>
      rechargeIds.length === 0
        ? Promise.resolve()
        : api.post(`/recharges/${pick(rechargeIds)}/refunds`, { amountFen: 1 + random(500), reason: 'back' }),
    allocate: () => allocate(group, { amountFen: 1 + random(2_000), way: pick(['each', 'fill']) }),
    takeBack: () => takeBack(group, random(2) === 0 ? {} : { amountFen: 1 + random(1_000) }),
    async charge() {
      const index = random(places.length);
      const place = places[index];
      if (place === undefined || running.has(index)) return;
      const order = await bench.charge(place, { payer: 'group' });
      if (order.status === 200) running.set(index, order.data.id);
    },
    async settle() {
      const [index, id] = [...running][0] ?? [];
      if (index === undefined || id === undefined) return;
      await bench.settle(id, 500 + random(20_000));
      running.delete(index);
      settled.push(id);
    },
    async cancel() {
      const [index, id] = [...running].at(-1) ?? [];
      if (index === undefined || id === undefined) return;
      await api.post(`/orders/${id}/cancellations`);
      running.delete(index);
    },
    refundOrder: () =>
      settled.length === 0
        ? Promise.resolve()
        : api.post(`/orders/${pick(settled)}/refunds`, { amountFen: 1 + random(300), reason: 'too much' }),
  };
  for (let step = 0; step < 60; step += 1) await pick(Object.values(acts))();
  const books = await bench.wholeOf('group', group.id);
  const pots = await Promise.all(members.map(({ id }) => bench.wholeOf('member', id)));
  const potsFen = pots.reduce((sum: number, pot) => sum + pot, 0);
  const shown = await bench.groupOf(group);
  expect([shown.balanceFen + shown.heldFen, shown.potsFen], `seed ${seed}`).toEqual([books, potsFen]);
  const { rows } = await api.database.pool.query<{ fen: string }>(
    `select coalesce(sum(paid_fen + gift_fen), 0)::bigint as fen from movements
      where group_id = $1 or member_id = any($2)`,
    [group.id, members.map(({ id }) => id)],
  );
  expect(Number(rows[0]?.fen), `seed ${seed}`).toBe(books + potsFen);
  const file = await api.get(`/groups/${group.id}/statements/2026-11`, { language: 'en' });
  const closing = sheetRows(file.bytes).find(([, line]) => line === 'Closing balance')?.[2];
  expect(Math.round(Number(closing) * 100), `seed ${seed}`).toBe(books + potsFen);
});
