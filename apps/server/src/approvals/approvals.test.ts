import type { Approval, ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { ApprovalKind, Waits } from '@voltdeck/contract/approvals';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { Recharge } from '@voltdeck/contract/payments';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentId, ApprovalId, OrderId, UserId } from '@voltdeck/units/id';
import { dayMs, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, dayTariff, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { secondPersonLimits } from '../second-person/limits.ts';
import { approvedActs } from './approved-acts.ts';
import { lapseApprovals } from './lapse-approvals.ts';
import { tellApproval } from './tell-approval.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const moneyActs = ['order.refund', 'order.settle', 'recharge.create', 'recharge.reverse', 'tariff.edit'] as const;
const maker: Permission[] = [...moneyActs, 'tariff.platform_default', 'order.read', 'recharge.read', 'approval.read'];
const checker: Permission[] = [...maker, 'approval.decide'];

type Person = { id: UserId; token: string };
type List = { items: Approval[]; total: number };

let api: TestApi;
let place: Place;
let clerk: Person;
let chief: Person;
beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  place = await makePlace(api.database, null, 'west');
  clerk = await api.addUser({ name: 'clerk', permissions: maker });
  chief = await api.addUser({ name: 'chief', permissions: checker });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function setLimit(kind: ApprovalKind, value: number | 'off'): Promise<void> {
  await api.database.db
    .updateTable('configs')
    .set({ value: String(value) })
    .where('key', '=', secondPersonLimits[kind].key)
    .execute();
}

const paidOrder = (at: Place = place) =>
  makeSettledOrder(api.database, at, { electricityFeeFen: 4_000, serviceFeeFen: 2_000, settledAt: now });
const refund = (orderId: OrderId, amountFen: number, { token }: Person = clerk, key?: string) =>
  api.post<Waits | Order>(
    `/orders/${orderId}/refunds`,
    { amountFen, reason: 'The gun was broken' },
    { token, language: 'en', ...(key === undefined ? {} : { key }) },
  );
const decide = (id: ApprovalId, decision: 'approve' | 'refuse', { token }: Person = chief, more: object = {}) =>
  api.post<Approval>(
    `/approvals/${id}/decisions`,
    { decision, ...(decision === 'refuse' ? { reason: 'Not ours' } : {}) },
    { token, language: 'en', ...more },
  );
const withdraw = (id: ApprovalId, { token }: Person = clerk) =>
  api.post<Approval>(`/approvals/${id}/withdrawals`, undefined, { token });
const detailOf = async (id: ApprovalId, { token }: Person = chief) =>
  (await api.get<ApprovalDetail>(`/approvals/${id}`, { token, language: 'en' })).data;
const list = async (query: string, { token }: Person = chief) =>
  (await api.get<List>(`/approvals?${query}`, { token })).data.items.map(({ number }) => number);
const errorOf = (answer: { envelope: { message: { error?: string } } }) => answer.envelope.message.error;

function waitsOf(answer: { status: number; data: unknown }): Waits['waitsFor'] {
  expect(answer.status).toBe(200);
  return (answer.data as Waits).waitsFor;
}

async function waitingRefund(asker: Person = clerk, at: Place = place) {
  await setLimit('order_refund', 1_000);
  const orderId = await paidOrder(at);
  return { orderId, ...waitsOf(await refund(orderId, 5_000, asker)) };
}

describe('a refund above the limit', () => {
  test('it waits, its order says so, and nothing moves until somebody else approves it', async () => {
    const { orderId, id, number } = await waitingRefund();
    const waiting = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    expect(waiting.waits).toEqual([{ id, number, kind: 'order_refund', amountFen: 5_000 }]);
    expect(waiting).toMatchObject({ refundedFen: 0, refunds: [], postings: [{}, {}] });
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(4_000);

    expect(await detailOf(id)).toMatchObject({
      number,
      kind: 'order_refund',
      state: 'waiting',
      amountFen: 5_000,
      subjectKind: 'order',
      subjectText: waiting.number,
      reason: 'The gun was broken',
      askerName: 'clerk',
      undecidable: null,
      facts: [
        { name: 'bill', kind: 'money', before: null, after: 6_000 },
        { name: 'givenBack', kind: 'money', before: 0, after: 5_000 },
        { name: 'refundable', kind: 'money', before: 6_000, after: 1_000 },
      ],
    });
    const approved = await decide(id, 'approve');
    expect(approved.data).toMatchObject({ state: 'approved', deciderName: 'chief', resultId: orderId, failure: null });
    const refunded = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    expect(refunded).toMatchObject({ refundedFen: 5_000, waits: [] });
    expect(refunded.refunds).toMatchObject([{ amountFen: 5_000, reason: 'The gun was broken', userName: 'clerk' }]);
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(9_000);
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'user_id'])
      .where('action', 'in', ['approval.ask', 'approval.approve', 'order.refund'])
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { action: 'approval.ask', user_id: clerk.id },
      { action: 'order.refund', user_id: clerk.id },
      { action: 'approval.approve', user_id: chief.id },
    ]);
  });

  test('a retried request gets the same waiting act, and a retried decision the same answer', async () => {
    await setLimit('order_refund', 1_000);
    const orderId = await paidOrder();
    const first = waitsOf(await refund(orderId, 5_000, clerk, 'once'));
    expect(waitsOf(await refund(orderId, 5_000, clerk, 'once'))).toEqual(first);
    expect(await list('')).toEqual([first.number]);
    const decided = await decide(first.id, 'approve', chief, { key: 'decided' });
    expect((await decide(first.id, 'approve', chief, { key: 'decided' })).data).toEqual(decided.data);
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(9_000);
    expect(errorOf(await decide(first.id, 'approve', chief, { key: null }))).toBe('request.key_missing');
  });

  test('an invalid refund is refused at once and does not wait', async () => {
    await setLimit('order_refund', 1_000);
    const orderId = await paidOrder();
    expect(errorOf(await refund(orderId, 6_001))).toBe('order.refund_too_high');
    expect(await list('')).toEqual([]);
  });

  test('a refused one moves nothing and needs a reason', async () => {
    const { orderId, id } = await waitingRefund();
    const bare = await api.post(`/approvals/${id}/decisions`, { decision: 'refuse' }, { token: chief.token });
    expect(bare.envelope.message.fields).toMatchObject([{ path: 'reason', code: 'required' }]);
    expect((await decide(id, 'refuse')).data).toMatchObject({ state: 'refused', decisionReason: 'Not ours' });
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ refundedFen: 0, waits: [] });
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.already_decided');
  });

  test('it fails for good where the money went meanwhile, and nothing moves', async () => {
    const { orderId, id } = await waitingRefund();
    await setLimit('order_refund', 'off');
    expect((await refund(orderId, 2_000)).status).toBe(200);
    const failed = await decide(id, 'approve');
    expect(failed.data).toMatchObject({
      state: 'failed',
      resultId: null,
      failure: { code: 'order.refund_too_high', message: 'The refund must be between 0 and ¥40.00' },
    });
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ refundedFen: 2_000, waits: [] });
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.already_decided');
  });
});

describe('who decides', () => {
  test('nobody decides what they asked for, not even an administrator or a second account with the same phone', async () => {
    const admin = { id: 1 as UserId, token: api.adminToken };
    const { id } = await waitingRefund(admin);
    expect(errorOf(await decide(id, 'approve', admin))).toBe('approval.own');
    expect(await detailOf(id, admin)).toMatchObject({ undecidable: 'approval.own' });
    expect((await decide(id, 'refuse', chief)).status).toBe(200);

    const own = await waitingRefund(chief);
    const twin = await api.addUser({ name: '13900000077', permissions: checker });
    await api.database.db.updateTable('users').set({ phone: '13900000077' }).where('id', '=', chief.id).execute();
    expect(errorOf(await decide(own.id, 'approve', twin))).toBe('approval.same_phone');
    expect(await detailOf(own.id, twin)).toMatchObject({ undecidable: 'approval.same_phone' });
    expect(await list('mine=waits', twin)).toEqual([]);
  });

  test('an account does not decide for who gave it its access shortly before, nor the other way round', async () => {
    const { db } = api.database;
    const give = (id: UserId, by: UserId, days: number) =>
      db
        .insertInto('access_givers')
        .values({ user_id: id, giver_id: by, at: instant(now - days * dayMs) })
        .execute();
    const forget = () => db.deleteFrom('access_givers').execute();
    const { id, number } = await waitingRefund();
    const decidable = async () => {
      const { undecidable } = await detailOf(id);
      expect(await list('mine=waits')).toEqual(undecidable === null ? [number] : []);
      return undecidable;
    };
    await give(chief.id, clerk.id, 6);
    expect(await decidable()).toBe('approval.access_given');
    const refused = await decide(id, 'approve');
    expect(errorOf(refused)).toBe('approval.access_given');
    expect(refused.envelope.message.message).toMatch(/within 7 days before this was asked for/);
    await forget();
    await give(chief.id, clerk.id, 7);
    expect(await decidable()).toBeNull();
    // Given after the act was asked for.
    await give(chief.id, clerk.id, -3);
    expect(await decidable()).toBe('approval.access_given');
    await forget();
    await give(clerk.id, chief.id, 1);
    expect(await decidable()).toBe('approval.access_given');
    // A later change of phone by somebody else hides nothing.
    const passerBy = await api.addUser({ name: 'passer-by', permissions: checker });
    await give(clerk.id, passerBy.id, 0);
    expect(await decidable()).toBe('approval.access_given');
    await forget();
    // Both by one person, through another one: not where an administrator added everybody.
    const other = await api.addUser({ name: 'other', permissions: checker });
    const link = await api.addUser({ name: 'link', permissions: checker });
    await give(clerk.id, other.id, 1);
    await give(link.id, other.id, 1);
    await give(chief.id, link.id, 1);
    expect(await decidable()).toBe('approval.access_given');
    await db.updateTable('users').set({ admin: true }).where('id', '=', other.id).execute();
    expect(await decidable()).toBeNull();
    expect((await decide(id, 'approve')).data).toMatchObject({ state: 'approved' });
  });

  test('a decision needs the permission to decide and the permission of the act', async () => {
    const { id, number } = await waitingRefund();
    const other = await api.addUser({
      name: 'other',
      permissions: ['approval.read', 'approval.decide', 'order.settle'],
    });
    expect(errorOf(await decide(id, 'approve', other))).toBe('approval.act_not_permitted');
    expect(errorOf(await decide(id, 'refuse', other))).toBe('approval.act_not_permitted');
    const colleague = await api.addUser({ name: 'colleague', permissions: maker });
    expect(errorOf(await decide(id, 'approve', colleague))).toBe('access.denied');
    expect(await list('mine=waits', other)).toEqual([]);
    expect(await list('mine=waits', colleague)).toEqual([]);
    expect(await list('', colleague)).toEqual([number]);
    expect(await list('mine=waits', chief)).toEqual([number]);
    expect(await list('mine=asked', clerk)).toEqual([number]);
  });

  test('people of another agent neither see nor decide it, those of its own do', async () => {
    const [own, stranger] = [await api.addAgent('own'), await api.addAgent('stranger')];
    const personOf = (name: string, agentId: AgentId) =>
      api.addUser({ name, permissions: checker, scope: 'agent', agentId });
    const asker = await personOf('asker', own);
    const colleague = await personOf('colleague', own);
    const outsider = await personOf('outsider', stranger);
    const ofAgent = await makePlace(api.database, own, 'agents');
    const { id, number } = await waitingRefund(asker, ofAgent);
    expect(errorOf(await decide(id, 'approve', outsider))).toBe('record.not_found');
    expect((await api.get(`/approvals/${id}`, { token: outsider.token })).status).toBe(404);
    expect(await list('', outsider)).toEqual([]);
    expect(await list('mine=waits', colleague)).toEqual([number]);
    expect((await decide(id, 'approve', colleague)).data).toMatchObject({ state: 'approved', agentName: 'own' });

    const platforms = await waitingRefund(clerk);
    expect(errorOf(await decide(platforms.id, 'approve', colleague))).toBe('record.not_found');
  });

  test('who asked sees their own act without the right to read approvals', async () => {
    const plain = await api.addUser({ name: 'plain', permissions: ['order.refund', 'order.read'] });
    const { id, number } = await waitingRefund(plain);
    expect(await detailOf(id, plain)).toMatchObject({ number });
    expect((await api.get('/approvals', { token: plain.token })).status).toBe(403);
    expect((await withdraw(id, plain)).data).toMatchObject({ state: 'withdrawn' });
  });
});

describe('the rights of who asked', () => {
  test('nothing is carried out for an account that is disabled, and it can still be refused', async () => {
    const { orderId, id } = await waitingRefund();
    await api.database.db.updateTable('users').set({ enabled: false }).where('id', '=', clerk.id).execute();
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.asker_disabled');
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ refundedFen: 0 });
    expect((await decide(id, 'refuse')).data).toMatchObject({ state: 'refused' });
  });

  test('nothing is carried out for an account that lost the permission or moved to an agent', async () => {
    const { id } = await waitingRefund();
    const { db } = api.database;
    const positionOf = (permissions: Permission[], name: string) =>
      api.addUser({ name, permissions }).then(async (user) => {
        const row = await db.selectFrom('users').select('position_id').where('id', '=', user.id).executeTakeFirst();
        return row?.position_id ?? null;
      });
    const powerless = await positionOf(['order.read'], 'powerless');
    const before = await db.selectFrom('users').select('position_id').where('id', '=', clerk.id).executeTakeFirst();
    await db.updateTable('users').set({ position_id: powerless }).where('id', '=', clerk.id).execute();
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.asker_rights_lost');
    const agentId = await api.addAgent('elsewhere');
    await db
      .updateTable('users')
      .set({ position_id: before?.position_id ?? null, agent_id: agentId })
      .where('id', '=', clerk.id)
      .execute();
    await db
      .updateTable('positions')
      .set({ data_scope: 'agent' })
      .where('id', '=', before?.position_id ?? null)
      .execute();
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.asker_rights_lost');
    await db
      .updateTable('positions')
      .set({ data_scope: 'platform' })
      .where('id', '=', before?.position_id ?? null)
      .execute();
    expect((await decide(id, 'approve')).data).toMatchObject({ state: 'approved' });
  });
});

describe('races', () => {
  test('of two people who decide at once one wins, and the refund happens once', async () => {
    const { orderId, id } = await waitingRefund();
    const second = await api.addUser({ name: 'second', permissions: checker });
    const answers = await Promise.all([
      decide(id, 'approve', chief),
      decide(id, 'approve', second),
      decide(id, 'refuse', { id: 1 as UserId, token: api.adminToken }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => errorOf(answer) === 'approval.already_decided')).toHaveLength(2);
    const { refunds } = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    const isApproved = answers.slice(0, 2).some(({ status }) => status === 200);
    expect(refunds).toHaveLength(isApproved ? 1 : 0);
  });

  test('of an approval and a withdrawal at once one wins', async () => {
    for (let round = 0; round < 4; round += 1) {
      const ofRound = await makePlace(api.database, null, `round${round}`);
      const { orderId, id } = await waitingRefund(clerk, ofRound);
      const [decided, withdrawn] = await Promise.all([decide(id, 'approve'), withdraw(id)]);
      expect([decided.status, withdrawn.status].sort()).toEqual([200, 409]);
      const { refunds } = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
      expect(refunds).toHaveLength(decided.status === 200 ? 1 : 0);
    }
  });

  test('only who asked takes it back, and only while it waits', async () => {
    const { id } = await waitingRefund();
    expect(errorOf(await withdraw(id, chief))).toBe('record.not_found');
    expect((await withdraw(id)).data).toMatchObject({ state: 'withdrawn', deciderName: 'clerk' });
    expect(errorOf(await withdraw(id))).toBe('approval.already_decided');
    expect(errorOf(await decide(id, 'approve'))).toBe('approval.already_decided');
  });
});

describe('the other acts', () => {
  async function waitingOrder(): Promise<OrderId> {
    return makeOrder(api.database, place, instant(now - 90 * minuteMs), {
      state: 'settling',
      waits_for: 'person',
      payment_state: 'unpaid',
      ended_at: instant(now - 60 * minuteMs),
      settled_at: null,
      amount_fen: zeroFen,
      electricity_fee_fen: zeroFen,
      service_fee_fen: zeroFen,
      paid_fen: zeroFen,
    });
  }
  const settle = (orderId: OrderId, energyWh: number) =>
    api.post<Waits | Order>(
      `/orders/${orderId}/settlements`,
      { energyWh, endedAt: toIso(instant(now - 60 * minuteMs)), reason: 'Read from the meter' },
      { token: clerk.token },
    );

  test('a settlement by hand is measured by the bill it makes', async () => {
    await setLimit('order_settlement', 1_000);
    const orderId = await waitingOrder();
    const { id } = waitsOf(await settle(orderId, 20_000));
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ state: 'settling', amountFen: 0 });
    expect(await detailOf(id)).toMatchObject({
      amountFen: 2_200,
      facts: [
        { name: 'bill', before: 0, after: 2_200 },
        { name: 'energy', kind: 'energyWh', before: 10_000, after: 20_000 },
        { name: 'endedAt', kind: 'instant' },
      ],
    });
    expect((await decide(id, 'approve')).data).toMatchObject({ state: 'approved', resultId: orderId });
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({
      state: 'completed',
      amountFen: 2_200,
      paidFen: 2_200,
    });
    const small = await waitingOrder();
    expect((await settle(small, 5_000)).data).toMatchObject({ state: 'completed', amountFen: 550 });
  });

  test('a settlement whose bill has become another one is not carried out', async () => {
    await setLimit('order_settlement', 1_000);
    const orderId = await waitingOrder();
    const { id } = waitsOf(await settle(orderId, 20_000));
    const prices = { ...dayTariff.prices, flat: dayTariff.prices.peak };
    await api.database.db
      .updateTable('orders')
      .set({ tariff: JSON.stringify({ ...dayTariff, prices }) })
      .where('id', '=', orderId)
      .execute();
    expect((await decide(id, 'approve')).data).toMatchObject({
      state: 'failed',
      failure: { code: 'approval.amount_changed' },
    });
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ state: 'settling', amountFen: 0 });
  });

  test('a recharge waits with its card, and its balance and debt are shown as it would leave them', async () => {
    await setLimit('recharge', 1_000);
    await makeSettledOrder(api.database, place, { electricityFeeFen: 8_000, serviceFeeFen: 4_000, settledAt: now });
    const recharge = (amountFen: number) =>
      api.post<Waits | Recharge>(
        '/recharges',
        { cardNumber: place.cardNumber, amountFen, remark: 'Paid by bank' },
        { token: clerk.token },
      );
    const { id } = waitsOf(await recharge(5_000));
    expect(await detailOf(id)).toMatchObject({
      kind: 'recharge',
      subjectKind: 'card',
      reason: 'Paid by bank',
      facts: [
        { name: 'balance', before: 0, after: 3_000 },
        { name: 'owed', before: 2_000, after: 0 },
      ],
    });
    const approved = await decide(id, 'approve');
    expect(approved.data).toMatchObject({ state: 'approved' });
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(3_000);
    const recharges = (await api.get<{ items: Recharge[] }>('/recharges')).data.items;
    expect(recharges).toMatchObject([{ amountFen: 5_000, repaidFen: 2_000, operatorName: 'clerk', waits: [] }]);

    const masked = await api.addUser({ name: 'masked', permissions: checker });
    expect((await detailOf(id, masked)).subjectText).toBe(place.cardNumber.replace(/^(.{4}).*(.{4})$/, '$1********$2'));
  });

  test('a recharge is measured with the gift of its promotion, which is shown and must still be the same', async () => {
    const promote = async (name: string, giftFen: number) => {
      await setLimit('recharge', giftFen);
      const form = { name, satisfiedFen: 1, giftFen, timesPerPerson: 9, effective: true, displayed: false };
      expect((await api.post('/promotions', form)).status).toBe(200);
      await setLimit('recharge', 100_000);
    };
    const recharge = (amountFen: number) =>
      api.post<Waits | Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen }, { token: clerk.token });
    await promote('Generous', 9_000_000);
    const { id } = waitsOf(await recharge(1));
    const gift = { name: 'gift', kind: 'money', before: null, after: 9_000_000 };
    expect(await detailOf(id)).toMatchObject({ amountFen: 9_000_001, facts: [{ name: 'balance' }, gift] });

    await promote('More generous', 10_000_000);
    expect((await decide(id, 'approve')).data).toMatchObject({
      state: 'failed',
      failure: { code: 'approval.amount_changed' },
    });
    expect(await balanceOf(api.database, `card-gift:${place.cardId}`)).toBe(0);

    const again = waitsOf(await recharge(1));
    expect((await decide(again.id, 'approve')).data).toMatchObject({ state: 'approved' });
    expect(await balanceOf(api.database, `card-gift:${place.cardId}`)).toBe(10_000_000);
    const beyond = await recharge(1);
    expect(beyond.envelope.message.error).toBe('recharge.day_limit');
  });

  test('a transfer waits with the card that gives, and names who receives', async () => {
    await setLimit('transfer', 1_000);
    const other = await makePlace(api.database, null, 'east');
    const mover = await api.addUser({ name: 'mover', permissions: ['transfer.create', 'approval.read'] });
    const judge = await api.addUser({
      name: 'judge',
      permissions: ['transfer.create', 'approval.decide', 'approval.read'],
    });
    const { id } = waitsOf(
      await api.post(
        '/transfers',
        { fromCardNumber: place.cardNumber, toCardNumber: other.cardNumber, amountFen: 4_000, reason: 'Sold the car' },
        { token: mover.token },
      ),
    );
    expect((await detailOf(id, judge)).facts).toMatchObject([
      { name: 'balance', before: 10_000, after: 6_000 },
      { name: 'receiver', after: other.cardNumber.replace(/^(.{4}).*(.{4})$/, '$1********$2') },
    ]);
    expect(errorOf(await decide(id, 'approve', chief))).toBe('approval.act_not_permitted');
    expect((await decide(id, 'approve', judge)).data).toMatchObject({ state: 'approved' });
    expect(await balanceOf(api.database, `card:${other.cardId}`)).toBe(14_000);
  });

  test('a reversal waits with its recharge, which says so', async () => {
    await setLimit('recharge_refund', 0);
    const made = await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen: 700 });
    const { id, number } = waitsOf(
      await api.post(`/recharges/${made.data.id}/reversals`, { reason: 'Wrong card' }, { token: clerk.token }),
    );
    const waits = [{ id, number, kind: 'recharge_refund', amountFen: 700 }];
    expect((await api.get<{ items: Recharge[] }>('/recharges')).data.items).toMatchObject([
      { reversedAt: null, waits },
    ]);
    expect((await detailOf(id)).facts).toMatchObject([
      { name: 'recharged', after: 700 },
      { name: 'balance', before: 10_700, after: 10_000 },
    ]);
    expect((await decide(id, 'approve')).data).toMatchObject({ state: 'approved', resultId: made.data.id });
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(10_000);
  });

  test('the people of an agent do not decide about the platform’s money, though it goes to or comes from their card', async () => {
    await setLimit('recharge', 1_000);
    await setLimit('recharge_refund', 1_000);
    const agentId = await api.addAgent('Own');
    const theirs = await makePlace(api.database, agentId, 'theirs');
    const permissions = [...checker, 'recharge.create', 'recharge.reverse', 'recharge.refund'] as Permission[];
    const ofAgent = await api.addUser({ name: 'their chief', permissions, scope: 'agent', agentId });
    const recharge = (amountFen: number) => api.post<Recharge>('/recharges', { cardId: theirs.cardId, amountFen });
    const acts = [await recharge(5_000)];
    await setLimit('recharge', 'off');
    const made = await recharge(4_000);
    acts.push(await api.post(`/recharges/${made.data.id}/reversals`, { reason: 'Wrong card' }));
    acts.push(await api.post(`/recharges/${made.data.id}/refunds`, { amountFen: 3_000, reason: 'Wrong card' }));
    for (const { id } of acts.map(waitsOf)) {
      expect(errorOf(await decide(id, 'approve', ofAgent))).toBe('record.not_found');
      expect((await detailOf(id)).agentId).toBeNull();
    }
    expect(await list('mine=waits', ofAgent)).toEqual([]);
  });

  test('a recharge with a gift by hand is decided by who may give gifts', async () => {
    await setLimit('recharge', 1_000);
    const body = { cardNumber: place.cardNumber, amountFen: 900, giftFen: 200 };
    const { id, number } = waitsOf(await api.post('/recharges', body));
    const permissions = [...checker, 'recharge.create'] as Permission[];
    const plain = await api.addUser({ name: 'plain', permissions });
    expect((await detailOf(id, plain)).undecidable).toBe('approval.act_not_permitted');
    expect(await list('mine=waits', plain)).toEqual([]);
    expect(errorOf(await decide(id, 'approve', plain))).toBe('approval.act_not_permitted');
    const giver = await api.addUser({ name: 'giver', permissions: [...permissions, 'recharge.gift'] });
    expect(await list('mine=waits', giver)).toEqual([number]);
    expect((await decide(id, 'approve', giver)).data).toMatchObject({ state: 'approved' });
  });

  test('a default rule waits where it changes a price by more than the limit', async () => {
    const give = (isDefault: boolean) =>
      api.ask<Waits | { stationsGiven: number }>('PUT', `/tariffs/${place.tariffId}/default`, {
        body: { for: 'platform', equipmentType: 'four-wheel', isDefault },
        token: clerk.token,
      });
    expect((await give(true)).data).toMatchObject({ stationsGiven: 0 });
    expect((await give(false)).status).toBe(200);
    await setLimit('tariff_default', 100_000);
    const { id } = waitsOf(await give(true));
    expect(await detailOf(id)).toMatchObject({
      amountFen: null,
      priceChangeE5: 110_000,
      subjectText: 'Rule west',
      facts: [
        { name: 'defaultRule', before: null, after: 'Rule west' },
        { name: 'equipment', after: 'equipment-type.four-wheel' },
        { name: 'givesToStations', after: 'list.no' },
        { name: 'largestPriceChange', kind: 'priceE5', after: 110_000 },
      ],
    });
    const ruler = await api.addUser({
      name: 'ruler',
      permissions: ['approval.read', 'approval.decide', 'tariff.edit'],
    });
    expect(errorOf(await decide(id, 'approve', ruler))).toBe('approval.act_not_permitted');
    expect(await list('mine=waits', ruler)).toEqual([]);
    expect((await decide(id, 'approve')).data).toMatchObject({ state: 'approved', resultId: place.tariffId });
    expect(await api.database.db.selectFrom('tariff_defaults').select('rule_id').execute()).toEqual([
      { rule_id: place.tariffId },
    ]);
  });
});

describe('what waits is told and ends', () => {
  test('consoles hear of it when it begins to wait and when it is decided', async () => {
    const { id } = await waitingRefund();
    const heard: ConsoleEvent[] = [];
    api.context.bus.subscribe(({ event }) => heard.push(event));
    await tellApproval(api.context, { approvalId: id });
    await decide(id, 'approve');
    await tellApproval(api.context, { approvalId: id });
    expect(heard).toMatchObject([
      { kind: 'approval-changed', approvalId: id, state: 'waiting' },
      { kind: 'order-changed' },
      { kind: 'approval-changed', approvalId: id, state: 'approved' },
    ]);
    const jobs = await api.database.pool.query(`select key from graphile_worker.jobs where key = $1`, [
      `approval-${id}`,
    ]);
    expect(jobs.rowCount).toBe(1);
  });

  test('what nobody decided for thirty days lapses', async () => {
    const { id } = await waitingRefund();
    const { db } = api.database;
    expect(await lapse(30 * dayMs)).toBe(0);
    expect(await lapse(30 * dayMs + 1)).toBe(1);
    expect(await detailOf(id)).toMatchObject({ state: 'withdrawn', deciderName: null });
    const audited = await db
      .selectFrom('audit_entries')
      .select('user_id')
      .where('action', '=', 'approval.lapse')
      .execute();
    expect(audited).toEqual([{ user_id: null }]);
    expect(await lapse(31 * dayMs)).toBe(0);
  });
});

const lapse = (afterMs: number) => lapseApprovals(api.database.db, instant(now + afterMs));

describe('the figures of an act', () => {
  const transferring: Permission[] = ['transfer.create'];
  const facts = async (id: ApprovalId, person: Person = chief) =>
    (await detailOf(id, person)).facts.map(({ name, before, after }) => ({ name, before, after }));
  const balance = (before: number, after: number) => ({ name: 'balance', before, after });

  let transfers = 0;
  async function waitingTransfer(amountFen: number) {
    transfers += 1;
    await setLimit('transfer', 0);
    const other = await makePlace(api.database, null, `east ${transfers}`);
    const mover = await api.addUser({ name: `mover${transfers}`, permissions: transferring });
    const judge = await api.addUser({
      name: `judge${transfers}`,
      permissions: [...transferring, 'approval.decide', 'approval.read'],
    });
    const body = {
      fromCardNumber: place.cardNumber,
      toCardNumber: other.cardNumber,
      amountFen,
      reason: 'Sold the car',
    };
    const { id } = waitsOf(await api.post('/transfers', body, { token: mover.token }));
    return { id, mover, judge };
  }

  const rechargeCard = (amountFen: number) => api.post('/recharges', { cardNumber: place.cardNumber, amountFen });

  test('an approved transfer keeps the balance from before it, whatever happens to the wallet later', async () => {
    await setLimit('recharge', 'off');
    await rechargeCard(490_000);
    const { id, mover, judge } = await waitingTransfer(200_000);
    expect(await facts(id, mover)).toMatchObject([balance(500_000, 300_000), { name: 'receiver' }]);
    expect((await decide(id, 'approve', judge)).data).toMatchObject({ state: 'approved' });
    expect(await facts(id, judge)).toMatchObject([balance(500_000, 300_000), { name: 'receiver' }]);
    await rechargeCard(70_000);
    expect(await facts(id, judge)).toMatchObject([balance(500_000, 300_000), { name: 'receiver' }]);
    expect(await facts(id, mover)).toMatchObject([balance(500_000, 300_000), { name: 'receiver' }]);
  });

  test.each(['refused', 'withdrawn', 'lapsed'])('a %s transfer keeps those of its end', async (end) => {
    await setLimit('recharge', 'off');
    const { id, mover, judge } = await waitingTransfer(4_000);
    await rechargeCard(1_000);
    if (end === 'refused') await decide(id, 'refuse', judge);
    if (end === 'withdrawn') await withdraw(id, mover);
    if (end === 'lapsed') await lapse(30 * dayMs + 1);
    await rechargeCard(1_000);
    expect(await facts(id, mover)).toMatchObject([balance(11_000, 7_000), { name: 'receiver' }]);
  });

  test('a transfer that fails keeps the balance that was too low for it', async () => {
    await setLimit('recharge', 'off');
    const { id, judge } = await waitingTransfer(4_000);
    await setLimit('transfer', 'off');
    const third = await makePlace(api.database, null, 'north');
    const body = { fromCardNumber: place.cardNumber, toCardNumber: third.cardNumber, amountFen: 7_000, reason: 'Sold' };
    expect((await api.post('/transfers', body)).status).toBe(200);
    expect((await decide(id, 'approve', judge)).data).toMatchObject({ state: 'failed' });
    await rechargeCard(1_000);
    expect(await facts(id, judge)).toMatchObject([balance(3_000, -1_000), { name: 'receiver' }]);
  });

  test('an act whose figures cannot be read holds up no other, and is still refused, taken back and lapses', async () => {
    const { db } = api.database;
    const refused = await waitingTransfer(4_000);
    const breakFacts = (id: ApprovalId) =>
      db
        .updateTable('approvals')
        .set({ detail: JSON.stringify({ caller: { language: 'en' } }) as never })
        .where('id', '=', id)
        .execute();
    await breakFacts(refused.id);
    expect(await detailOf(refused.id, refused.judge)).toMatchObject({ state: 'waiting', facts: [] });
    expect((await decide(refused.id, 'refuse', refused.judge)).data).toMatchObject({ state: 'refused' });
    const withdrawn = await waitingTransfer(4_100);
    await breakFacts(withdrawn.id);
    expect((await withdraw(withdrawn.id, withdrawn.mover)).status).toBe(200);
    const [lapsed, beside] = [await waitingTransfer(4_200), await waitingTransfer(4_300)];
    await breakFacts(lapsed.id);
    expect(await lapse(30 * dayMs + 1)).toBe(2);
    const { rows: told } = await api.database.pool.query<{ unread: string | null }>(
      `select payload ->> 'unread' as unread from graphile_worker._private_jobs where key = any($1) order by id`,
      [[refused, withdrawn, lapsed, beside].map(({ id }) => `approval-${id}`)],
    );
    const because = expect.stringMatching('Error');
    expect(told.map(({ unread }) => unread)).toEqual([because, because, because, null]);
    const rows = await db
      .selectFrom('approvals')
      .select(['state', 'facts'])
      .where('id', 'in', [refused.id, withdrawn.id, lapsed.id, beside.id])
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { state: 'refused', facts: null },
      { state: 'withdrawn', facts: null },
      { state: 'withdrawn', facts: null },
      { state: 'withdrawn', facts: [{ name: 'balance' }, { name: 'receiver' }] },
    ]);
  });

  test('a page that is read while its act is approved shows the state and the figures of one moment', async () => {
    const { id, judge } = await waitingTransfer(4_000);
    const read = approvedActs.transfer.factsOf;
    const reading = vi.spyOn(approvedActs.transfer, 'factsOf').mockImplementationOnce(async (...act) => {
      expect((await decide(id, 'approve', judge)).data).toMatchObject({ state: 'approved' });
      return read(...act);
    });
    const page = await detailOf(id, judge);
    reading.mockRestore();
    expect(page).toMatchObject({ state: 'waiting', facts: [balance(10_000, 6_000), { name: 'receiver' }] });
    expect(await detailOf(id, judge)).toMatchObject({ state: 'approved', facts: page.facts });
  });

  test('one that ended before figures were kept shows none', async () => {
    const { id, judge } = await waitingTransfer(4_000);
    await decide(id, 'refuse', judge);
    await api.database.db.updateTable('approvals').set({ facts: null }).where('id', '=', id).execute();
    expect(await detailOf(id, judge)).toMatchObject({ state: 'refused', facts: [] });
  });

  test('who asked sees none after they lost the permission of the act or moved to an agent', async () => {
    const { id, mover, judge } = await waitingTransfer(4_000);
    const { db } = api.database;
    const idle = await api.addUser({ name: 'idle', permissions: ['order.read'] });
    const positionOf = async (userId: UserId) =>
      (await db.selectFrom('users').select('position_id').where('id', '=', userId).executeTakeFirstOrThrow())
        .position_id;
    const own = await positionOf(mover.id);
    const setPosition = (position_id: typeof own) =>
      db.updateTable('users').set({ position_id }).where('id', '=', mover.id).execute();
    let seenAt = now;
    // Rights are kept for a moment.
    const asMover = () => {
      seenAt = instant(seenAt + minuteMs);
      api.clock.now = seenAt;
      return detailOf(id, mover);
    };
    expect((await asMover()).facts).toHaveLength(2);
    await setPosition(await positionOf(idle.id));
    expect(await asMover()).toMatchObject({ state: 'waiting', facts: [] });
    await setPosition(own);
    expect((await asMover()).facts).toHaveLength(2);
    const agentId = await api.addAgent('elsewhere');
    await db.updateTable('users').set({ agent_id: agentId }).where('id', '=', mover.id).execute();
    await db.updateTable('positions').set({ data_scope: 'agent' }).where('id', '=', own).execute();
    expect(await asMover()).toMatchObject({ state: 'waiting', facts: [] });
    await decide(id, 'refuse', judge);
    expect(await asMover()).toMatchObject({ state: 'refused', facts: [] });
    expect((await detailOf(id, judge)).facts).toHaveLength(2);
  });
});

describe('the list of approvals', () => {
  test('every filter finds its own', async () => {
    const first = await waitingRefund();
    const ofAgent = await makePlace(api.database, await api.addAgent('Agent X'), 'agents');
    const second = await waitingRefund(chief, ofAgent);
    await decide(second.id, 'refuse', { id: 1 as UserId, token: api.adminToken });
    const subject = (await detailOf(first.id)).subjectText;
    expect(await list(`subject=${subject}`)).toEqual([first.number]);
    expect(await list('state=refused')).toEqual([second.number]);
    expect(await list('state=waiting,refused&sort=amountFen')).toHaveLength(2);
    expect(await list(`askerId=${chief.id}`)).toEqual([second.number]);
    expect(await list(`agentId=${ofAgent.agentId}`)).toEqual([second.number]);
    expect(await list(`number=${first.number.toLowerCase()}`)).toEqual([first.number]);
    expect(await list('kind=recharge')).toEqual([]);
    expect(await list(`from=${toIso(instant(now + minuteMs))}`)).toEqual([]);
    expect((await api.get<{ sums: object }>('/approvals/totals')).data.sums).toEqual({ amountFen: fen(10_000) });
  });

  test('with thirty thousand of them, what waits for one person is read by its index', async () => {
    const { id } = await waitingRefund();
    const { pool } = api.database;
    await pool.query(
      `insert into approvals (number, kind, state, amount_fen, subject_kind, subject_id, subject_text, detail, reason,
                              asker_id, asked_at, decided_at)
       select 'P' || n, 'order_refund', 'approved', n % 100000, 'order', n, 'O' || n, '{}', '', $1,
              timestamptz '2026-11-01' - n * interval '1 minute', now()
         from generate_series(1, 30000) n`,
      [clerk.id],
    );
    await pool.query('vacuum analyze approvals');
    expect(await list('mine=waits')).toEqual([(await detailOf(id)).number]);
    const asked = [
      `state = 'waiting' order by asked_at desc, id desc`,
      'true order by asked_at desc, id desc',
      'true order by amount_fen desc nulls last, id desc',
      'asker_id = 1 order by asked_at desc, id desc',
      `subject_kind = 'order' and subject_id = 7 and state = 'waiting' order by id`,
      `subject_text = 'O77' order by asked_at desc, id desc`,
    ];
    for (const condition of asked) {
      const { rows } = await pool.query(`explain select id from approvals where ${condition} limit 20`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan, condition).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
      expect(plan, condition).not.toContain('Seq Scan');
    }
  });
});
