import type { Agent, AgentDetail, getAgentIncome, ShareOfDay } from '@voltdeck/contract/agents';
import type { AnswerOf } from '@voltdeck/contract/route';
import { payOutTransfer } from '@voltdeck/ledger/settlement';
import type { AgentId, OrderId, SettlementPeriodId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleNow } from '../finance/test-finance.ts';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';
import { fundBalance, makePlace, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

let api: TestApi;
let above: AgentId;
let agentId: AgentId;
let place: Place;
/** Noon in Shanghai. */
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  above = await api.addAgent('Province');
  agentId = await api.addAgent('City', above);
  await api.database.pool.query('update agents set rate_e4 = case id when $1 then 9000 else 8000 end', [above]);
  place = await makePlace(api.database, agentId, 'income');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

/** A charge that a person settles at an instant, at 0.70 yuan of electricity and 0.40 of service a kWh. */
async function charge(at: Instant, energyWh: number): Promise<OrderId> {
  await moveTo(at);
  return await settleNow(api, place, instant(at - minuteMs), energyWh);
}

async function moveTo(at: Instant): Promise<void> {
  api.clock.now = at;
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
}

const sharesOf = async (id: AgentId) => {
  const { rows } = await api.database.pool.query<{ sum: number }>(
    'select coalesce(sum(amount_fen), 0)::bigint as sum from order_shares where agent_id = $1',
    [id],
  );
  return rows[0]?.sum;
};
const agentOf = async (id: AgentId, token?: string) =>
  (await api.get<AgentDetail>(`/agents/${id}`, token === undefined ? {} : { token })).data;
type Income = AnswerOf<typeof getAgentIncome>;
const daysOf = async (id: AgentId, before?: string) =>
  (await api.get<Income>(`/agents/${id}/income${before === undefined ? '' : `?before=${before}`}`)).data;

test('an agent’s income is its shares of orders to the fen, wherever the money is by now', async () => {
  await charge(instant(now - 80 * dayMs), 10_000);
  await charge(instant(now - 20 * dayMs), 20_000);
  // Just before and after midnight in Shanghai.
  await charge(instant(Date.parse('2026-11-20T15:59:00Z')), 10_000);
  await charge(instant(Date.parse('2026-11-20T16:01:00Z')), 10_000);
  const refunded = await charge(instant(now - minuteMs), 30_000);
  await moveTo(now);
  const refund = await api.post(`/orders/${refunded}/refunds`, { amountFen: 501, reason: 'The gun was broken' });
  expect(refund.status).toBe(200);

  const earned = await sharesOf(agentId);
  expect(earned).toBeGreaterThan(0);
  expect(await agentOf(agentId)).toMatchObject({ incomeFen: earned, unpaidFen: earned, balanceFen: 0, frozenFen: 0 });

  // A period is paid out, and a part of it withdrawn.
  const paidOut = payOutTransfer(7 as SettlementPeriodId, { kind: 'agent', id: agentId }, fen(3_000));
  if (paidOut === null || !paidOut.ok) throw new Error('no transfer');
  const { value } = paidOut;
  await api.database.db.transaction().execute((trx) => postTransfer(trx, value, now));
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 1);
  const rights = ['agent.read', 'agent_withdrawal.read', 'agent_withdrawal.create'] as const;
  const { token } = await api.addUser({ name: 'city', permissions: rights, scope: 'agent', agentId });
  const apply = (amountFen: number) => api.post<{ id: number }>('/agent-withdrawals', { amountFen }, { token });
  const { data: paid } = await apply(1_000);
  await api.post(`/agent-withdrawals/${paid.id}/reviews`, { decision: 'pass' });
  await api.post(`/agent-withdrawals/${paid.id}/payments`, { receipt: 'T-1' });
  await apply(500);
  const figures = { incomeFen: earned, unpaidFen: (earned ?? 0) - 3_001, balanceFen: 1_501 };
  expect(await agentOf(agentId)).toMatchObject({ ...figures, frozenFen: 500, openWithdrawals: 1 });
  expect(await agentOf(agentId, token)).toMatchObject(figures);
  expect((await api.get('/agent-withdrawals/income', { token })).data).toMatchObject({
    ...figures,
    frozenFen: 500,
    withdrawnFen: 1_000,
  });

  const { data: list } = await api.get<{ items: Agent[] }>('/agents');
  const listed = new Map(list.items.map((agent) => [agent.id, agent.incomeFen]));
  expect(listed.get(agentId)).toBe(earned);
  expect(listed.get(above)).toBe(await sharesOf(above));
  const { data: totals } = await api.get<{ sums: Record<string, number> }>('/agents/totals');
  expect(totals.sums.incomeFen).toBe((earned ?? 0) + ((await sharesOf(above)) ?? 0));
});

test('days are those of Shanghai with shares, the latest first, and add up to the income over all pages', async () => {
  const first = await daysOf(agentId);
  const counts = (days: readonly ShareOfDay[]) => days.map(({ day, orders }) => [day, orders]);
  expect(counts(first.days)).toEqual([
    ['2026-11-21', 2],
    ['2026-11-20', 1],
    ['2026-11-01', 1],
  ]);
  // 700 and 400, of which the province gets 90 % and the city 80 % of that.
  expect(first.days[1]).toMatchObject({ electricityFen: 504, serviceFen: 288, occupancyFen: 0, amountFen: 792 });
  expect(first.before).toBe('2026-10-22');
  const second = await daysOf(agentId, first.before ?? '');
  expect(counts(second.days)).toEqual([['2026-09-02', 1]]);
  expect(second.before).toBeNull();
  const sum = [...first.days, ...second.days].reduce((all, { amountFen }) => all + amountFen, 0);
  expect(sum).toBe(await sharesOf(agentId));
  expect(await daysOf(agentId, '2026-09-02')).toEqual({ days: [], before: null });
  expect((await api.get(`/agents/${agentId}/income?before=tomorrow`)).status).toBe(422);
});

test('a page of days is read by the index of the agent alone', async () => {
  const client = await api.database.pool.connect();
  await client.query('set enable_seqscan = off');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain select sum(amount_fen) from order_shares
      where agent_id = 1 and created_at >= now() - interval '31 days' and created_at < now()`,
  );
  client.release(true);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('order_shares_agent');
});
