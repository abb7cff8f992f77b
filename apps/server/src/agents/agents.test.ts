import type { AgentRecharge } from '@voltdeck/contract/agents';
import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Recharge } from '@voltdeck/contract/payments';
import type { Permission } from '@voltdeck/contract/permissions';
import type { AgentId } from '@voltdeck/units/id';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';
import { secondPersonLimits } from '../second-person/limits.ts';

let api: TestApi;
let agent: AgentId;
let below: AgentId;
let place: Place;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  agent = await api.addAgent('Lingnan');
  below = await api.addAgent('Shenzhen', agent);
  place = await makePlace(api.database, agent, 'prepaid');
  ({ token } = await api.addUser({
    name: 'lingnan',
    permissions: ['recharge.create', 'recharge.read', 'recharge.reverse', 'agent.recharge', 'agent.read'],
    scope: 'agent_tree',
    agentId: agent,
  }));
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const fill = (amountFen: number, ask = {}) =>
  api.post<AgentRecharge>(`/agents/${agent}/recharges`, { amountFen, reason: 'Bank transfer of May' }, ask);
const recharge = (body: object, ask = {}) => api.post<Recharge>('/recharges', body, { token, language: 'en', ...ask });
const prepaidFen = () => balanceOf(api.database, `agent-prepaid:${agent}`);
const cardFen = () => balanceOf(api.database, `card:${place.cardId}`);

describe('an agent', () => {
  test('an agent without a prepaid balance cannot recharge, and the refusal says what is available', async () => {
    const before = await cardFen();
    const refused = await recharge({ cardNumber: place.cardNumber, amountFen: 10_000 });
    expect(refused.envelope.message).toMatchObject({
      status: 409,
      error: 'agent.prepaid_too_low',
      message: 'The prepaid account has ¥0.00 left, which is not enough for this recharge',
    });
    const chinese = await recharge({ cardNumber: place.cardNumber, amountFen: 1 }, { language: 'zh-CN' });
    expect(chinese.envelope.message.message).toBe('预存余额不足，当前可用 0.00 元');
    expect(await cardFen()).toBe(before);
  });

  test('an agent recharges cards and customers from its prepaid account, and the answer says what is left', async () => {
    const filled = await fill(30_000);
    expect(filled.data).toMatchObject({
      agentId: agent,
      agentName: 'Lingnan',
      amountFen: 30_000,
      balanceBeforeFen: 0,
      balanceAfterFen: 30_000,
      reason: 'Bank transfer of May',
    });
    expect(filled.data.number).toMatch(/^A\d{20}$/);
    const before = await cardFen();
    const card = await recharge({ cardNumber: place.cardNumber, amountFen: 10_000 });
    expect(card.data).toMatchObject({ agentId: agent, prepaidAfterFen: 20_000, balanceAfterFen: before + 10_000 });
    const customer = await recharge({ customerPhone: place.phone, amountFen: 5_000 });
    expect(customer.data).toMatchObject({ agentId: agent, prepaidAfterFen: 15_000, balanceAfterFen: 5_000 });
    const tooMuch = await recharge({ cardNumber: place.cardNumber, amountFen: 15_001 });
    expect(tooMuch.envelope.message.message).toBe(
      'The prepaid account has ¥150.00 left, which is not enough for this recharge',
    );
    expect(await prepaidFen()).toBe(15_000);
    const listed = await api.get<{ items: object[] }>('/agents', { token });
    expect(listed.data.items).toMatchObject([
      { realName: 'Shenzhen', prepaidFen: 0 },
      { realName: 'Lingnan', prepaidFen: 15_000 },
    ]);
    const { rows } = await api.database.pool.query(
      `select f.key from ledger_postings p join ledger_transfers t on t.id = p.transfer_id
         join ledger_accounts f on f.id = p.from_account_id where t.key = $1`,
      [`recharge:${card.data.id}`],
    );
    expect(rows).toEqual([{ key: `agent-prepaid:${agent}` }]);
  });

  test('an agent spends every fen once when it recharges many at once', async () => {
    const before = await prepaidFen();
    expect(before).toBe(15_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => recharge({ cardNumber: place.cardNumber, amountFen: 1_001 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
    expect(await prepaidFen()).toBe(15_000 - 14 * 1_001);
  });

  test('an agent cannot fill any prepaid account, whatever its position grants', async () => {
    const before = await prepaidFen();
    expect((await fill(1_000_000, { token })).envelope.message).toMatchObject({ status: 403, error: 'access.denied' });
    const other = await api.addAgent('Other');
    const body = { amountFen: 1, reason: 'because' };
    expect((await api.post(`/agents/${other}/recharges`, body, { token })).status).toBe(404);
    expect(await prepaidFen()).toBe(before);
  });

  test('an agent undoes its own recharges into its prepaid account, and none of the platform’s', async () => {
    const before = await prepaidFen();
    const mine = await recharge({ cardNumber: place.cardNumber, amountFen: 500 });
    const reason = { reason: 'The wrong card' };
    const undone = await api.post(`/recharges/${mine.data.id}/reversals`, reason, { token });
    expect(undone.status).toBe(200);
    expect(await prepaidFen()).toBe(before);
    const theirs = await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen: 500 });
    const refused = await api.post(`/recharges/${theirs.data.id}/reversals`, reason, { token });
    expect(refused.envelope.message).toMatchObject({ status: 403, error: 'access.denied' });
  });

  test('a sub-agent pays from its own account', async () => {
    const sub = await api.addUser({
      name: 'shenzhen',
      permissions: ['recharge.create'],
      scope: 'agent_tree',
      agentId: below,
    });
    const there = await makePlace(api.database, below, 'below');
    const refused = await recharge({ cardNumber: there.cardNumber, amountFen: 1 }, { token: sub.token });
    expect(refused.envelope.message.error).toBe('agent.prepaid_too_low');
    // The parent agent recharges its sub-agents' cards, and pays for it.
    const before = await prepaidFen();
    const fromAbove = await recharge({ cardNumber: there.cardNumber, amountFen: 100 });
    expect(fromAbove.data).toMatchObject({ agentId: agent, prepaidAfterFen: before - 100 });
  });
});

describe('the platform', () => {
  test('the platform recharges from outside, up to the limit of a call', async () => {
    const waits = await api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 10_000_000 });
    expect(waits.data).toMatchObject({ waitsFor: { hasDecider: false } });
    await api.database.db
      .updateTable('configs')
      .set({ value: 'off' })
      .where('key', '=', secondPersonLimits.recharge.key)
      .execute();
    const made = await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen: 10_000_000 });
    expect(made.data).toMatchObject({ agentId: null, prepaidAfterFen: null });
    const beyond = await api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 10_000_001 });
    expect(beyond.envelope.message.fields).toMatchObject([{ path: 'amountFen', code: 'too_big' }]);
    expect((await fill(1_000_000_001)).envelope.message.fields).toMatchObject([{ path: 'amountFen', code: 'too_big' }]);
    expect((await fill(100, { token: api.adminToken })).status).toBe(200);
  });

  test('users who do not manage agents choose them by name and see nothing else of them', async () => {
    const { token: reader } = await api.addUser({ name: 'station-duty', permissions: ['station.read'] });
    expect((await api.get('/agents', { token: reader })).status).toBe(403);
    const listed = await api.get<{ items: object[] }>('/agent-names?name=ling', { token: reader });
    expect(listed.data.items).toEqual([{ id: agent, name: 'Lingnan' }]);
    const one = await api.get<{ items: object[] }>(`/agent-names?id=${below}`, { token });
    expect(one.data.items).toEqual([{ id: below, name: 'Shenzhen' }]);
  });

  test('prepaid money above its limit waits for a second person, counts in the day limit and is booked once approved', async () => {
    const { db } = api.database;
    const setConfig = (key: string, value: string) =>
      db.updateTable('configs').set({ value }).where('key', '=', key).execute();
    const permissions: Permission[] = ['agent.recharge', 'agent.read', 'approval.read', 'approval.decide'];
    const maker = await api.addUser({ name: 'maker', permissions });
    const checker = await api.addUser({ name: 'checker', permissions });
    const before = await prepaidFen();
    await setConfig(secondPersonLimits.agent_recharge.key, '1000');
    expect((await fill(600, { token: maker.token })).data).toMatchObject({ amountFen: 600 });
    const waits = (await fill(600, { token: maker.token })).data as unknown as Waits;
    expect(await prepaidFen()).toBe(before + 600);
    const detail = await api.get<ApprovalDetail>(`/approvals/${waits.waitsFor.id}`, { token: checker.token });
    expect(detail.data).toMatchObject({
      kind: 'agent_recharge',
      subjectText: 'Lingnan',
      facts: [{ name: 'prepaid', before: before + 600, after: before + 1_200 }],
    });
    const ask = { token: checker.token };
    const approved = await api.post(`/approvals/${waits.waitsFor.id}/decisions`, { decision: 'approve' }, ask);
    expect(approved.data).toMatchObject({ state: 'approved' });
    expect(await prepaidFen()).toBe(before + 1_200);
    await setConfig('recharge_day_limit_fen', '1500');
    const beyond = await fill(301, { token: maker.token, language: 'en' });
    expect(beyond.envelope.message).toMatchObject({
      error: 'recharge.day_limit',
      message: 'The limit of ¥15.00 per user and day leaves ¥3.00 today',
    });
    expect(await prepaidFen()).toBe(before + 1_200);
    await setConfig('recharge_day_limit_fen', '20000000');
    await setConfig(secondPersonLimits.agent_recharge.key, '1000000');
  });

  test('a repeated request fills an account once', async () => {
    const before = await prepaidFen();
    const first = await fill(77, { key: 'fill-once' });
    const again = await fill(77, { key: 'fill-once' });
    expect(again.envelope).toEqual(first.envelope);
    expect(await prepaidFen()).toBe(before + 77);
    const log = await api.get<{ items: object[] }>('/audit-entries?action=agent.recharge');
    expect(log.data.items[0]).toMatchObject({ recordId: String(agent), kind: 'money' });
  });
});
