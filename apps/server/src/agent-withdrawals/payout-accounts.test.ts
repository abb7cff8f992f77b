import type { AgentWithdrawal, AgentWithdrawalTerms } from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { fundBalance } from '../http/test-records.ts';

type Person = { id: UserId; token: string };

let api: TestApi;
let agentId: AgentId;
let owner: Person;
let reviewer: Person;
let payer: Person;
let above: Person;

const ofPlatform = [
  'agent.read',
  'agent.edit',
  'agent.freeze',
  'agent_withdrawal.read',
  'agent_withdrawal.review',
  'agent_withdrawal.pay',
  'agent_withdrawal.return',
  'approval.read',
  'approval.decide',
] as const;
const ofAgent = ['agent_withdrawal.read', 'agent_withdrawal.create', 'agent_withdrawal.account'] as const;

beforeEach(async () => {
  api = await openTestApi();
  const parentId = await api.addAgent('South');
  agentId = await api.addAgent('Lingnan', parentId);
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 500_000);
  owner = await api.addUser({ name: 'owner', permissions: ofAgent, scope: 'agent', agentId });
  above = await api.addUser({
    name: 'above',
    permissions: ['agent.read', 'agent.edit', 'agent.freeze'],
    scope: 'agent_tree',
    agentId: parentId,
  });
  reviewer = await api.addUser({ name: 'reviewer', permissions: ofPlatform });
  payer = await api.addUser({ name: 'payer', permissions: ofPlatform });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const errorOf = ({ envelope }: { envelope: { message: { error?: string } } }) => envelope.message.error;
const apply = async (amountFen: number) =>
  (await api.post<AgentWithdrawal>('/agent-withdrawals', { amountFen }, { token: owner.token })).data;
const act = <Data = AgentWithdrawal>(id: number, what: string, body: object, { token }: Person) =>
  api.post<Data>(`/agent-withdrawals/${id}/${what}`, body, { language: 'en', token });
const pass = (id: number, by = reviewer) => act<Partial<Waits>>(id, 'reviews', { decision: 'pass' }, by);
const pay = (id: number, receipt: string, by = payer, way = 'bank') => act(id, 'payments', { receipt, way }, by);
const isWaiting = ({ data }: { data: Partial<Waits> }) => data.waitsFor !== undefined;
const account = {
  payoutKind: 'private',
  payoutHolder: 'A. Thief',
  payoutBank: 'Bank of the Isles',
  payoutNumber: '6228480000009999999',
};
const changeAccount = (by: Person, body: object = account) =>
  api.ask('PUT', `/agents/${agentId}`, { body, language: 'en', token: by.token });
const setOwn = (body: object = account, { token } = owner) =>
  api.ask<AgentWithdrawalTerms>('PUT', '/agent-withdrawals/account', { body, language: 'en', token });
const makeOld = (days: number) =>
  api.database.pool.query('update payout_account_changes set changed_at = changed_at - make_interval(days => $1)', [
    days,
  ]);

describe('a payout account', () => {
  test('whoever set it neither passes nor pays nor approves what goes there, and another one can', async () => {
    await api.database.db
      .updateTable('configs')
      .set({ value: '0' })
      .where('key', 'like', '%account_wait_days')
      .execute();
    expect((await changeAccount(reviewer)).status).toBe(200);
    const { id } = await apply(20_000);
    expect(errorOf(await pass(id))).toBe('withdrawal.own');
    expect((await pass(id, payer)).status).toBe(200);
    expect(errorOf(await pay(id, 'R-1', reviewer))).toBe('withdrawal.own');
    expect((await api.get(`/agent-withdrawals/${id}/payee`, { token: reviewer.token })).status).toBe(403);
    expect((await pay(id, 'R-1')).status).toBe(200);
    // A harmless change by somebody else does not free who brought the account in.
    await changeAccount(payer, { payoutBranch: 'Harbour East' });
    const { id: next } = await apply(20_000);
    expect(errorOf(await pass(next))).toBe('withdrawal.own');
    expect(errorOf(await pass(next, payer))).toBe('withdrawal.own');
  });

  test('that was set lately has every withdrawal to it wait, and who decides sees who set it, when and what it replaced', async () => {
    await changeAccount(payer);
    const { id } = await apply(100);
    const asked = await pass(id);
    expect(isWaiting(asked)).toBe(true);
    const approvalId = asked.data.waitsFor?.id;
    const decide = (by: Person) =>
      api.post(`/approvals/${approvalId}/decisions`, { decision: 'approve' }, { token: by.token });
    const decider = await api.addUser({ name: 'decider', permissions: ofPlatform });
    const { data } = await api.get<{ facts: { name: string; before: unknown; after: unknown }[] }>(
      `/approvals/${approvalId}`,
      { token: decider.token },
    );
    const facts = Object.fromEntries(data.facts.map(({ name, before, after }) => [name, [before, after]]));
    expect(facts).toMatchObject({
      payeeName: ['Lingnan Charging Ltd', 'A. Thief'],
      payeeBank: ['Bank of Lingnan', 'Bank of the Isles'],
      payeeAccount: [expect.stringMatching(/^6222\*+4567$/), expect.stringMatching(/^6228\*+9999$/)],
      accountSetBy: [null, 'payer'],
      accountSetAt: [null, expect.stringMatching(/^\d{4}-.*Z$/)],
    });
    expect(errorOf(await decide(payer))).toBe('withdrawal.own');
    expect((await decide(decider)).status).toBe(200);
    await makeOld(8);
    expect(isWaiting(await pass((await apply(100)).id))).toBe(false);
  });

  test('waits as many days as configured', async () => {
    await changeAccount(payer);
    await makeOld(8);
    await api.database.db
      .updateTable('configs')
      .set({ value: '9' })
      .where('key', 'like', '%account_wait_days')
      .execute();
    expect(isWaiting(await pass((await apply(100)).id))).toBe(true);
  });

  test('the agent above sets a first one and does not change it; the platform and the agent itself do', async () => {
    expect(errorOf(await changeAccount(above))).toBe('payout_account.already_set');
    expect(errorOf(await changeAccount(above, { payoutKind: null }))).toBe('payout_account.already_set');
    expect((await changeAccount(above, { contact: 'Li' })).status).toBe(200);
    expect((await changeAccount(payer, { payoutKind: null })).status).toBe(200);
    expect((await changeAccount(above)).status).toBe(200);
    expect(errorOf(await changeAccount(above, { payoutNumber: '6228480000008888888' }))).toBe(
      'payout_account.already_set',
    );
    const { data, text } = await setOwn({ ...account, payoutNumber: '6228480000008888888' });
    expect(data.payee).toMatchObject({ payeeHolder: 'A. Thief', payeeAccount: expect.stringMatching(/^6228\*+8888$/) });
    expect(text).not.toContain('6228480000008888888');
    expect(isWaiting(await pass((await apply(100)).id))).toBe(true);
    const { rows } = await api.database.pool.query(
      `select record_kind, record_id, user_id from audit_entries where action = 'payout_account.set'`,
    );
    expect(rows).toMatchObject([{ record_kind: 'agent', record_id: String(agentId), user_id: owner.id }]);
  });

  test('is set whole, and by people of an agent that is not frozen', async () => {
    const { envelope } = await setOwn({ ...account, payoutKind: 'corporate' });
    expect(envelope.message.fields).toMatchObject([
      { path: 'payoutBranch', code: 'required' },
      { path: 'payoutBankCode', code: 'required' },
    ]);
    const byPlatform = await api.addUser({ name: 'nobody', permissions: ['agent_withdrawal.account'] });
    expect(errorOf(await setOwn(account, byPlatform))).toBe('agent_withdrawal.no_balance');
    const clerk = await api.addUser({
      name: 'clerk',
      permissions: ['agent_withdrawal.create'],
      scope: 'agent',
      agentId,
    });
    expect((await setOwn(account, clerk)).status).toBe(403);
  });

  test('read in full is in the audit log with its reader', async () => {
    const { id } = await apply(20_000);
    await pass(id);
    await api.get(`/agent-withdrawals/${id}/payee`, { token: payer.token });
    const { rows } = await api.database.pool.query(
      `select user_id, record_id from audit_entries where action = 'agent_withdrawal.read_account'`,
    );
    expect(rows).toEqual([{ user_id: payer.id, record_id: String(id) }]);
    const { text } = await api.get('/audit-entries?action=agent_withdrawal.read_account', { token: api.adminToken });
    expect(text).toContain('agent_withdrawal.read_account');
  });
});

describe('passing in parts', () => {
  const limit = (value: string) =>
    api.database.db
      .updateTable('configs')
      .set({ value })
      .where('key', '=', 'second_person_agent_withdrawal_fen')
      .execute();

  test('what is passed for a party in a day counts together, whoever passes it', async () => {
    await limit('50000');
    const [one, two, three] = [await apply(30_000), await apply(20_000), await apply(100)];
    expect(isWaiting(await pass(one.id))).toBe(false);
    expect(isWaiting(await pass(two.id, payer))).toBe(false);
    expect(isWaiting(await pass(three.id, payer))).toBe(true);
    // Another day, another sum.
    await api.database.pool.query(`update unapproved_acts set at = at - interval '1 day'`);
    expect(isWaiting(await pass(three.id, payer))).toBe(false);
  });

  test('another party has a sum of its own, and what a second person approved does not count', async () => {
    await limit('50000');
    const other = await api.addAgent('Harbour');
    await fundBalance(api.database, { kind: 'agent', id: other }, 60_000);
    const others = await api.addUser({ name: 'others', permissions: ofAgent, scope: 'agent', agentId: other });
    const { data: theirs } = await api.post<AgentWithdrawal>(
      '/agent-withdrawals',
      { amountFen: 50_000 },
      { token: others.token },
    );
    const large = await apply(60_000);
    const { data } = await pass(large.id);
    const decided = await api.post(
      `/approvals/${data.waitsFor?.id}/decisions`,
      { decision: 'approve' },
      { token: payer.token },
    );
    expect(decided.status).toBe(200);
    expect(isWaiting(await pass((await apply(50_000)).id))).toBe(false);
    expect(isWaiting(await pass(theirs.id))).toBe(false);
  });

  test('two who pass at once, one of them several, do not get past the limit together', async () => {
    await limit('30000');
    const [one, two] = [await apply(20_000), await apply(20_000)];
    const many = api.post<{ waiting: number }>(
      '/agent-withdrawals/reviews',
      { ids: [one.id], decision: 'pass' },
      { token: payer.token },
    );
    const [single, several] = await Promise.all([pass(two.id), many]);
    expect([single.status, several.status]).toEqual([200, 200]);
    expect(Number(isWaiting(single)) + several.data.waiting).toBe(1);
  });
});

describe('a receipt of the bank', () => {
  test('proves one payment: another withdrawal with it is refused with the number of the first, at once too', async () => {
    const [one, two] = [await apply(1_000), await apply(1_000)];
    for (const { id } of [one, two]) await pass(id);
    const answers = await Promise.all([pay(one.id, 'HQ-77'), pay(two.id, 'hq-77', reviewer)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [first, second] = answers[0]?.status === 200 ? [one, two] : [two, one];
    const { envelope } = await pay(second.id, 'HQ-77');
    expect(envelope.message).toMatchObject({ error: 'agent_withdrawal.receipt_used' });
    expect(envelope.message.message).toContain(first.number);
    expect((await pay(second.id, 'HQ-77', payer, 'other')).status).toBe(200);
    await act(first.id, 'returns', { reason: 'account closed' }, payer);
    const third = await apply(1_000);
    await pass(third.id);
    expect(errorOf(await pay(third.id, 'HQ-77'))).toBe('agent_withdrawal.receipt_used');
    expect((await pay(third.id, 'HQ-78')).status).toBe(200);
  });
});

test('a receipt of the bank is the same however it is typed, also in the database', async () => {
  const [one, two] = [await apply(1_000), await apply(1_000)];
  for (const { id } of [one, two]) await pass(id);
  expect((await pay(one.id, 'HQ-2026 77')).status).toBe(200);
  const typed = [
    'ＨＱ－２０２６　７７',
    'hq–2026—77',
    'HQ\u2212202677',
    'H Q 2 0 2 6 7 7',
    'HQ\u00a0-2026\u00ad77',
    'HQ‐2026\u200b77',
  ];
  const refusals = new Set<string | undefined>();
  for (const receipt of typed) refusals.add(errorOf(await pay(two.id, receipt)));
  expect([...refusals]).toEqual(['agent_withdrawal.receipt_used']);
  const twice = api.database.pool.query(
    'update agent_withdrawals set receipt_key = (select receipt_key from agent_withdrawals where id = $1) where id = $2',
    [one.id, two.id],
  );
  await expect(twice).rejects.toThrow('agent_withdrawals_receipt');
  expect((await pay(two.id, 'HQ-2026 78')).status).toBe(200);
});

describe('a freeze by the platform', () => {
  const freeze = (by: Person) =>
    api.post(`/agents/${agentId}/freezes`, { reason: 'under audit' }, { language: 'en', token: by.token });
  const unfreeze = (by: Person) =>
    api.post(`/agents/${agentId}/unfreezes`, undefined, { language: 'en', token: by.token });

  test('is lifted by the platform only, and one by the agent above by either', async () => {
    await freeze(payer);
    const refused = await unfreeze(above);
    expect(refused.envelope.message).toMatchObject({
      status: 403,
      error: 'agent.frozen_by_platform',
      message: 'The platform froze this agent. Ask the platform to unfreeze it',
    });
    expect((await unfreeze(payer)).status).toBe(200);
    await freeze(above);
    expect((await unfreeze(above)).data).toMatchObject({ state: 'normal' });
    await freeze(above);
    await freeze(payer);
    expect(errorOf(await unfreeze(above))).toBe('agent.frozen_by_platform');
    expect((await unfreeze(payer)).data).toMatchObject({ state: 'normal' });
  });
});

test('a change of the account after an application leaves the application as it is', async () => {
  const waiting = await apply(100);
  await changeAccount(reviewer);
  expect(isWaiting(await pass(waiting.id))).toBe(false);
});
