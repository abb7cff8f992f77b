import type { Approval } from '@voltdeck/contract/approval-records';
import type { ApprovalKind, Waits } from '@voltdeck/contract/approvals';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentWithdrawalId, ApprovalId, OrderId } from '@voltdeck/units/id';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddedChannels } from '../channels/test-channels.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { fundBalance, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { secondPersonLimits } from '../second-person/limits.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const permissions: Permission[] = [
  'approval.read',
  'approval.decide',
  'card.read',
  'card.cancel',
  'customer.read',
  'withdrawal.read',
  'withdrawal.review',
  'agent_withdrawal.read',
  'agent_withdrawal.review',
  'agent_withdrawal.return',
  'debt.read',
  'debt.write_off',
  'recharge.read',
  'recharge.refund',
  'order.read',
  'order.refund',
  'order.settle',
  'recharge.create',
  'gift.create',
  'gift.deduct',
  'card.edit',
  'customer.merge',
];

let api: TestApi;
let place: Place;
let asker: { token: string };
let first: { token: string };
let second: { token: string };
beforeEach(async () => {
  api = await openTestApi({ channelsOf: embeddedChannels() });
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  place = await makePlace(api.database, null, 'west');
  asker = await api.addUser({ name: 'asker', permissions });
  first = await api.addUser({ name: 'first', permissions });
  second = await api.addUser({ name: 'second', permissions });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

type Act = {
  name: string;
  kind: ApprovalKind;
  amountFen: number;
  /** Whether the same may be done a second time. */
  isRepeatable?: true;
  /** Makes the record; answers its id, and how the act is called and the record is read. */
  prepare(): Promise<{ method?: 'PUT'; path: string; body: unknown; record: string; before: object; after: object }>;
};

const settled = (electricityFeeFen: number) =>
  makeSettledOrder(api.database, place, { electricityFeeFen, serviceFeeFen: 0, settledAt: instant(now - minuteMs) });

async function failedRefund(orderId: OrderId, amountFen: number): Promise<number> {
  const { id } = await api.database.db
    .insertInto('order_refunds')
    .values({
      number: `F-failed-${orderId}`,
      state: 'failed',
      channel: 'original',
      order_id: orderId,
      site_id: place.siteId,
      card_id: place.cardId,
      amount_fen: fen(amountFen),
      electricity_fee_fen: zeroFen,
      service_fee_fen: zeroFen,
      reason: 'The gun was broken',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An agent's application of 40 yuan. */
async function agentWithdrawal(): Promise<AgentWithdrawalId> {
  const agentId = await api.addAgent('Lingnan');
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 5_000);
  const rights = ['agent_withdrawal.create', 'agent_withdrawal.read'] as const;
  const { token } = await api.addUser({ name: 'lingnan', permissions: rights, scope: 'agent', agentId });
  const applied = await api.post<{ id: AgentWithdrawalId }>('/agent-withdrawals', { amountFen: 4_000 }, { token });
  return applied.data.id;
}

const acts: readonly Act[] = [
  {
    name: 'a cancellation of a card that pays its money out',
    kind: 'card_cancellation',
    amountFen: 10_000,
    prepare: async () => ({
      path: `/cards/${place.cardId}/cancellations`,
      body: { reason: 'Moved away' },
      record: `/cards/${place.cardId}`,
      before: { state: 'active', balanceFen: 10_000 },
      after: { state: 'cancelled', balanceFen: 0 },
    }),
  },
  {
    name: 'a withdrawal',
    kind: 'withdrawal',
    amountFen: 4_000,
    async prepare() {
      await api.post('/recharges', { customerId: place.customerId, amountFen: 5_000 });
      const applied = await api.post<{ id: number }>('/withdrawals', {
        way: 'embedded',
        payeeAccount: 'oX-rider-88',
        payeeName: 'Li',
        customerId: place.customerId,
        amountFen: 4_000,
      });
      return {
        path: `/withdrawals/${applied.data.id}/reviews`,
        body: { decision: 'pass' },
        record: `/withdrawals/${applied.data.id}`,
        before: { state: 'waiting', frozen: true },
        after: { state: 'in_review', frozen: true },
      };
    },
  },
  {
    name: 'a withdrawal of an agent',
    kind: 'agent_withdrawal',
    amountFen: 4_000,
    async prepare() {
      const id = await agentWithdrawal();
      return {
        path: `/agent-withdrawals/${id}/reviews`,
        body: { decision: 'pass' },
        record: `/agent-withdrawals/${id}`,
        before: { state: 'waiting', frozen: true },
        after: { state: 'in_review', frozen: true },
      };
    },
  },
  {
    name: 'an agent’s withdrawal that came back',
    kind: 'agent_withdrawal_return',
    amountFen: 4_000,
    async prepare() {
      const id = await agentWithdrawal();
      await setLimit('agent_withdrawal', 'off');
      expect((await api.post(`/agent-withdrawals/${id}/reviews`, { decision: 'pass' })).status).toBe(200);
      expect((await api.post(`/agent-withdrawals/${id}/payments`, { receipt: 'T-1' })).status).toBe(200);
      return {
        path: `/agent-withdrawals/${id}/returns`,
        body: { reason: 'Account closed' },
        record: `/agent-withdrawals/${id}`,
        before: { state: 'withdrawn', failure: null },
        after: { state: 'failed', frozen: false, failure: 'Account closed' },
      };
    },
  },
  {
    name: 'a write-off',
    kind: 'write_off',
    amountFen: 2_000,
    async prepare() {
      const id = await settled(12_000);
      return {
        path: `/orders/${id}/write-offs`,
        body: { reason: 'Cannot be reached' },
        record: `/orders/${id}`,
        before: { owedFen: 2_000, writtenOffFen: 0 },
        after: { owedFen: 0, writtenOffFen: 2_000, paymentState: 'written_off' },
      };
    },
  },
  {
    name: 'a refund of a recharge',
    kind: 'recharge_refund',
    amountFen: 2_000,
    async prepare() {
      const { data } = await api.post<{ id: number }>('/recharges', { cardNumber: place.cardNumber, amountFen: 3_000 });
      return {
        path: `/recharges/${data.id}/refunds`,
        body: { amountFen: 2_000, reason: 'Moved away' },
        record: `/cards/${place.cardId}`,
        before: { balanceFen: 13_000 },
        after: { balanceFen: 11_000 },
      };
    },
  },
  {
    name: 'a failed refund that is made again',
    kind: 'order_refund',
    amountFen: 3_000,
    async prepare() {
      const id = await settled(6_000);
      const refundId = await failedRefund(id, 3_000);
      return {
        path: `/refunds/${refundId}/retries`,
        body: undefined,
        record: `/orders/${id}`,
        before: { refundedFen: 0, refunds: [{ state: 'failed' }] },
        after: { refundedFen: 3_000, refunds: [{ state: 'done' }] },
      };
    },
  },
  {
    name: 'an acceptance of a proposed bill',
    kind: 'order_settlement',
    amountFen: 2_200,
    async prepare() {
      const endedAt = instant(now - 60 * minuteMs);
      const id = await makeOrder(api.database, place, instant(now - 90 * minuteMs), {
        state: 'settling',
        waits_for: 'person',
        payment_state: 'unpaid',
        abnormal: true,
        unhandled: true,
        proposal: JSON.stringify({ energyWh: 20_000, endedAt: toIso(endedAt), lines: null }),
        ended_at: endedAt,
        settled_at: null,
        amount_fen: zeroFen,
        electricity_fee_fen: zeroFen,
        service_fee_fen: zeroFen,
        paid_fen: zeroFen,
      });
      return {
        path: `/orders/${id}/acceptances`,
        body: { reason: 'Both meters agree' },
        record: `/orders/${id}`,
        before: { state: 'settling', amountFen: 0, unhandled: true },
        after: { state: 'completed', amountFen: 2_200, paidFen: 2_200, unhandled: false },
      };
    },
  },
  {
    name: 'a gift',
    kind: 'gift',
    amountFen: 3_000,
    isRepeatable: true,
    prepare: async () => ({
      path: '/gifts',
      body: { cardNumber: place.cardNumber, amountFen: 3_000, reason: 'A welcome' },
      record: `/cards/${place.cardId}`,
      before: { paidFen: 10_000, giftFen: 0 },
      after: { paidFen: 10_000, giftFen: 3_000 },
    }),
  },
  {
    name: 'a deduction of gifts',
    kind: 'gift_deduction',
    amountFen: 2_000,
    async prepare() {
      await api.post('/gifts', { cardId: place.cardId, amountFen: 3_000, reason: 'A welcome' });
      return {
        path: '/gift-deductions',
        body: { cardId: place.cardId, amountFen: 2_000, reason: 'By mistake' },
        record: `/cards/${place.cardId}`,
        before: { paidFen: 10_000, giftFen: 3_000 },
        after: { paidFen: 10_000, giftFen: 1_000 },
      };
    },
  },
  {
    name: 'a merge of two records with money and a card',
    kind: 'customer_merge',
    // With the card of the record that stays.
    amountFen: 25_500,
    async prepare() {
      const into = await makePlace(api.database, null, 'into');
      await api.post('/recharges', { customerId: place.customerId, amountFen: 5_000 });
      await api.post('/gifts', { customerId: place.customerId, amountFen: 500, reason: 'A welcome' });
      return {
        path: `/customers/${place.customerId}/merges`,
        body: { intoId: into.customerId, reason: 'One person' },
        record: `/customers/${place.customerId}`,
        before: { state: 'normal', paidFen: 5_000, giftFen: 500 },
        after: { state: 'merged', paidFen: 0, giftFen: 0 },
      };
    },
  },
  {
    name: 'another holder of a card with money',
    kind: 'card_holder',
    amountFen: 10_000,
    isRepeatable: true,
    async prepare() {
      const other = await makePlace(api.database, null, 'other');
      return {
        method: 'PUT',
        path: `/cards/${place.cardId}/holder`,
        body: { customerPhone: other.phone },
        record: `/cards/${place.cardId}`,
        before: { customerId: place.customerId, balanceFen: 10_000 },
        after: { customerId: other.customerId, balanceFen: 10_000 },
      };
    },
  },
];

/** Acts that only name who is responsible or let somebody pay. */
const movesNothing: readonly ApprovalKind[] = ['card_holder', 'agent_withdrawal'];

const setLimit = (kind: ApprovalKind, value: number | 'off') =>
  api.database.db
    .updateTable('configs')
    .set({ value: String(value) })
    .where('key', '=', secondPersonLimits[kind].key)
    .execute();
/** Everything that moves money, and the movements of wallets. */
async function moved(): Promise<string> {
  const { rows } = await api.database.pool.query<{ moved: string }>(
    `select (select count(*) from ledger_transfers) || ' ' || (select count(*) from ledger_postings) || ' ' ||
            (select count(*) from movements) || ' ' || (select count(*) from channel_payouts) || ' ' || (select coalesce(sum(balance_fen), 0) from ledger_accounts
                                                         where balance_fen > 0) as moved`,
  );
  return rows[0]?.moved ?? '';
}
const payouts = async () => (await api.database.db.selectFrom('channel_payouts').select('id').execute()).length;
const decide = (id: ApprovalId, decision: 'approve' | 'refuse', { token }: { token: string }) =>
  api.post<Approval>(
    `/approvals/${id}/decisions`,
    { decision, ...(decision === 'refuse' ? { reason: 'Not ours' } : {}) },
    { token, language: 'en' },
  );

const call = <Answer>(
  { method, path, body }: { method?: 'PUT'; path: string; body: unknown },
  ask: Parameters<TestApi['post']>[2],
) => (method === 'PUT' ? api.ask<Answer>('PUT', path, { ...ask, body }) : api.post<Answer>(path, body, ask));

describe.each(acts)('$name', ({ kind, amountFen, isRepeatable, prepare }) => {
  async function waiting() {
    const prepared = await prepare();
    await setLimit(kind, amountFen - 1);
    const before = await moved();
    const ask = { token: asker.token, language: 'en', key: 'asked-once' } as const;
    const answer = await call<Waits>(prepared, ask);
    expect(answer.envelope.message).toMatchObject({ status: 200 });
    expect(answer.data.waitsFor.hasDecider).toBe(true);
    expect((await call<Waits>(prepared, ask)).data).toEqual(answer.data);
    return { ...prepared, movedBefore: before, id: answer.data.waitsFor.id };
  }
  const read = async (path: string) => (await api.get(path)).data;

  test('above the limit it waits and moves nothing, and who asked cannot approve it', async () => {
    const { id, record, before, movedBefore } = await waiting();
    expect(await read(record)).toMatchObject(before);
    expect(await read(`/approvals/${id}`)).toMatchObject({ kind, amountFen, state: 'waiting' });
    expect((await decide(id, 'approve', asker)).envelope.message.error).toBe('approval.own');
    expect(await read(record)).toMatchObject(before);
    expect(await moved()).toBe(movedBefore);
  });

  test('of two people who approve it at once one wins, and it is done exactly once', async () => {
    const { id, record, after, movedBefore, ...prepared } = await waiting();
    const answers = await Promise.all([decide(id, 'approve', first), decide(id, 'approve', second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)?.data).toMatchObject({ state: 'approved', failure: null });
    expect(await read(record)).toMatchObject(after);
    const done = await moved();
    if (!movesNothing.includes(kind)) expect(done).not.toBe(movedBefore);
    expect(await payouts()).toBe(kind === 'withdrawal' ? 1 : 0);
    expect((await decide(id, 'approve', first)).envelope.message.error).toBe('approval.already_decided');
    if (isRepeatable) return;
    await setLimit(kind, 'off');
    const again = await call(prepared, { token: asker.token });
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(await moved()).toBe(done);
  });

  test('refused, it has moved nothing', async () => {
    const { id, record, before, movedBefore } = await waiting();
    expect((await decide(id, 'refuse', first)).data).toMatchObject({ state: 'refused' });
    expect(await read(record)).toMatchObject(before);
    expect(await moved()).toBe(movedBefore);
    expect((await decide(id, 'approve', second)).envelope.message.error).toBe('approval.already_decided');
  });

  test('up to the limit it is done at once', async () => {
    const { record, after, ...prepared } = await prepare();
    await setLimit(kind, amountFen);
    const answer = await call(prepared, { token: asker.token, language: 'en' });
    expect(answer.envelope.message).toMatchObject({ status: 200 });
    expect(answer.data).not.toHaveProperty('waitsFor.id');
    expect(await read(record)).toMatchObject(after);
  });
});
