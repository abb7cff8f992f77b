import type { AgentWithdrawal, AgentWithdrawalTerms, PartyIncome } from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Divider } from '@voltdeck/contract/dividers';
import type { AgentId, DividerId, UserId } from '@voltdeck/units/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, fundBalance } from '../http/test-records.ts';

type Person = { id: UserId; token: string };

let api: TestApi;
let agentId: AgentId;
let dividerId: DividerId;
let divider: Person;
/** Of the agent that holds the divider. */
let holder: Person;
let reviewer: Person;
let payer: Person;

const ofParty = ['agent_withdrawal.read', 'agent_withdrawal.create', 'agent_withdrawal.account'] as const;
const ofHolder = [...ofParty, 'divider.read', 'divider.edit'] as const;
const ofPlatform = [
  ...ofHolder,
  'agent_withdrawal.review',
  'agent_withdrawal.pay',
  'agent_withdrawal.return',
  'approval.read',
  'approval.decide',
] as const;

beforeEach(async () => {
  api = await openTestApi();
  agentId = await api.addAgent('Lingnan');
  holder = await api.addUser({ name: 'holder', permissions: ofHolder, scope: 'agent_tree', agentId });
  reviewer = await api.addUser({ name: 'reviewer', permissions: ofPlatform });
  payer = await api.addUser({ name: 'payer', permissions: ofPlatform });
  [dividerId, divider] = await addDivider('Harbour Estates', agentId);
  await fundBalance(api.database, { kind: 'divider', id: dividerId }, 50_000);
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  const { rows } = await api.database.pool.query(
    `select coalesce((select sum(balance_fen) from ledger_accounts where prefix in ('agent-frozen', 'divider-frozen')), 0)::bigint
            as books, coalesce((select sum(amount_fen) from agent_withdrawals where frozen), 0)::bigint as records`,
  );
  expect(rows[0]?.books).toBe(rows[0]?.records);
  await api.close();
});

/** A divider whose account is signed in. */
async function addDivider(name: string, of: AgentId | null): Promise<[DividerId, Person]> {
  const loginName = name.toLowerCase().replace(' ', '-');
  const form = { name, loginName, ...(of === null ? {} : { agentId: of }) };
  const { data } = await api.post<Divider & { initialPassword: string }>('/dividers', form);
  await api.database.pool.query('update users set password_is_initial = false where id = $1', [data.userId]);
  const { token } = (await api.logIn(loginName, data.initialPassword)).data;
  return [data.id, { id: data.userId as UserId, token }];
}

const errorOf = ({ envelope }: { envelope: { message: { error?: string } } }) => envelope.message.error;
const apply = (amountFen: number, { token }: Person, body: object = {}) =>
  api.post<AgentWithdrawal>('/agent-withdrawals', { amountFen, ...body }, { language: 'en', token });
const act = <Data = AgentWithdrawal>(id: number, what: string, body: object, { token }: Person) =>
  api.post<Data>(`/agent-withdrawals/${id}/${what}`, body, { language: 'en', token });
const pass = (id: number, by = reviewer) => act<Partial<Waits>>(id, 'reviews', { decision: 'pass' }, by);
const list = async ({ token }: Person, query = '') =>
  (await api.get<{ items: AgentWithdrawal[] }>(`/agent-withdrawals${query}`, { token })).data.items.map(({ id }) => id);
const account = {
  payoutKind: 'private',
  payoutHolder: 'Wang',
  payoutBank: 'Bank of the Isles',
  payoutNumber: '6228480000009999999',
};

describe('a divider', () => {
  test('applies for its balance, is paid by the bank, and the books agree at every step', async () => {
    const { data: terms } = await api.get<AgentWithdrawalTerms>('/agent-withdrawals/terms', { token: divider.token });
    expect(terms).toMatchObject({ partyName: 'Harbour Estates', balanceFen: 50_000, leftToday: 3 });
    const { data } = await apply(20_000, divider);
    expect(data).toMatchObject({
      party: 'divider',
      dividerId,
      agentId: null,
      partyName: 'Harbour Estates',
      payeeBank: 'Bank of Lingnan',
      state: 'waiting',
    });
    expect(await balanceOf(api.database, `divider-frozen:${dividerId}`)).toBe(20_000);
    await pass(data.id);
    expect((await act(data.id, 'payments', { receipt: 'D-1' }, payer)).data).toMatchObject({ state: 'withdrawn' });
    expect(await balanceOf(api.database, `divider-balance:${dividerId}`)).toBe(30_000);
    expect(await balanceOf(api.database, 'channel:bank')).toBe(20_000);
    const { data: income } = await api.get<PartyIncome>('/agent-withdrawals/income', { token: divider.token });
    expect(income).toMatchObject({ balanceFen: 30_000, frozenFen: 0, withdrawnFen: 20_000 });
    const { data: shown } = await api.get(`/dividers/${dividerId}`);
    expect(shown).toMatchObject({ incomeFen: income.incomeFen, balanceFen: 30_000 });
    const { data: own } = await api.get(`/agent-withdrawals/${data.id}`, { token: divider.token });
    expect(own).toMatchObject({ reviewedByName: null, paidByName: null, receipt: 'D-1' });
    await act(data.id, 'returns', { reason: 'account closed' }, payer);
    expect(await balanceOf(api.database, `divider-balance:${dividerId}`)).toBe(50_000);
  });

  test('and its holder who apply at once cannot take the same money', async () => {
    const answers = await Promise.all([
      apply(30_000, divider),
      apply(30_000, holder, { dividerId }),
      apply(30_000, divider),
      apply(30_000, payer, { dividerId }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balanceOf(api.database, `divider-balance:${dividerId}`)).toBe(20_000);
    expect(await balanceOf(api.database, `divider-frozen:${dividerId}`)).toBe(30_000);
  });

  test('sees its own only; its holder those of its dividers beside its own, and no agent those of another', async () => {
    const [otherId, other] = await addDivider('Yard Owners', agentId);
    await fundBalance(api.database, { kind: 'divider', id: otherId }, 9_000);
    await fundBalance(api.database, { kind: 'agent', id: agentId }, 8_000);
    const mine = (await apply(1_000, divider)).data.id;
    const theirs = (await apply(2_000, other)).data.id;
    const agents = (await apply(3_000, holder)).data.id;
    expect(await list(divider)).toEqual([mine]);
    expect(await list(divider, `?dividerId=${otherId}`)).toEqual([]);
    expect((await api.get(`/agent-withdrawals/${theirs}`, { token: divider.token })).status).toBe(404);
    expect((await api.get(`/agent-withdrawals/income?dividerId=${otherId}`, { token: divider.token })).status).toBe(
      404,
    );
    expect((await api.get(`/agent-withdrawals/terms?dividerId=${otherId}`, { token: divider.token })).status).toBe(404);
    expect((await apply(100, divider, { dividerId: otherId })).status).toBe(404);
    expect(await list(holder)).toEqual([agents, theirs, mine]);
    expect(await list(holder, `?dividerId=${dividerId}`)).toEqual([mine]);
    expect(await list(holder, '?party=agent')).toEqual([agents]);
    // Its own figures are its own.
    const { data: own } = await api.get<{ waiting: number }>('/agent-withdrawals/income', { token: holder.token });
    expect(own).toMatchObject({ balanceFen: 5_000, frozenFen: 3_000, waiting: 1, waitingFen: 3_000 });
    const ofOne = `/agent-withdrawals/income?dividerId=${dividerId}`;
    expect((await api.get(ofOne, { token: holder.token })).data).toMatchObject({ balanceFen: 49_000, waiting: 1 });
    const strangers = await api.addAgent('Strangers');
    const stranger = await api.addUser({
      name: 'stranger',
      permissions: ofHolder,
      scope: 'agent_tree',
      agentId: strangers,
    });
    expect(await list(stranger)).toEqual([]);
    expect(errorOf(await apply(100, stranger, { dividerId }))).toBe('record.not_found');
    expect((await api.get(ofOne, { token: stranger.token })).status).toBe(404);
    const file = await api.get('/agent-withdrawals/export?format=csv', { token: reviewer.token });
    for (const text of ['Harbour Estates', 'Yard Owners', 'Lingnan']) expect(file.text).toContain(text);
  });

  test('neither passes nor pays its own, nor does who applied for it', async () => {
    const { data } = await apply(1_000, payer, { dividerId });
    expect(data).toMatchObject({ partyName: 'Harbour Estates', appliedByName: 'payer' });
    expect(errorOf(await pass(data.id, payer))).toBe('withdrawal.own');
    await pass(data.id);
    expect(errorOf(await act(data.id, 'payments', { receipt: 'x' }, payer))).toBe('withdrawal.own');
    const mine = (await apply(1_000, divider)).data.id;
    for (const what of ['reviews', 'payments']) {
      const body = what === 'reviews' ? { decision: 'pass' } : { receipt: 'x' };
      expect((await act(mine, what, body, divider)).status).toBe(403);
    }
    // Another account of the divider’s person.
    await api.database.pool.query(`update users set phone = '13800000009' where id = $1`, [divider.id]);
    await api.database.pool.query(`update users set user_name = '13800000009' where id = $1`, [reviewer.id]);
    expect(errorOf(await pass(mine))).toBe('withdrawal.own');
  });

  test('above the limit of a day waits for a second person, as an agent does', async () => {
    await api.database.db
      .updateTable('configs')
      .set({ value: '15000' })
      .where('key', '=', 'second_person_agent_withdrawal_fen')
      .execute();
    const [one, two] = [(await apply(10_000, divider)).data, (await apply(10_000, divider)).data];
    expect((await pass(one.id)).data.waitsFor).toBeUndefined();
    const { data } = await pass(two.id);
    expect(data.waitsFor).toMatchObject({ hasDecider: true });
    const approval = await api.get<{ facts: { name: string; after: unknown }[] }>(`/approvals/${data.waitsFor?.id}`, {
      token: payer.token,
    });
    expect(approval.data.facts).toContainEqual({ name: 'party', kind: 'text', before: null, after: 'Harbour Estates' });
  });

  test('that is disabled neither applies nor is paid, and keeps what it applied for frozen', async () => {
    const { data } = await apply(1_000, divider);
    await api.ask('PUT', `/dividers/${dividerId}/enabled`, { body: { enabled: false } });
    expect((await apply(1_000, divider)).status).toBe(401);
    expect(errorOf(await apply(1_000, holder, { dividerId }))).toBe('agent_withdrawal.party_frozen');
    expect(errorOf(await pass(data.id))).toBe('agent_withdrawal.party_frozen');
    expect(await balanceOf(api.database, `divider-frozen:${dividerId}`)).toBe(1_000);
  });
});

describe('the payout account of a divider', () => {
  const change = (body: object, { token }: Person) =>
    api.ask<Divider>('PUT', `/dividers/${dividerId}`, { body, language: 'en', token });

  test('is entered first by its holder, changed by itself or the platform, and masked', async () => {
    await api.database.pool.query(
      `update dividers set payout_kind = null, payout_holder = null, payout_bank = null, payout_branch = null,
              payout_bank_code = null, payout_number = null`,
    );
    expect(errorOf(await apply(100, divider))).toBe('agent_withdrawal.no_account');
    const { envelope } = await change({ payoutKind: 'private', payoutHolder: 'Wang' }, holder);
    expect(envelope.message.fields?.map(({ path }) => path)).toEqual(['payoutBank', 'payoutNumber']);
    const { data, text } = await change(account, holder);
    expect(data).toMatchObject({ payoutHolder: 'Wang', payoutNumber: expect.stringMatching(/^6228\*+9999$/) });
    expect(text).not.toContain(account.payoutNumber);
    expect(errorOf(await change({ payoutNumber: '6228480000008888888' }, holder))).toBe('payout_account.already_set');
    expect((await change({ remark: 'key holder' }, holder)).status).toBe(200);
    expect((await change({ payoutBank: 'Bank of the Hills' }, payer)).status).toBe(200);
    const set = { body: { ...account, payoutNumber: '6228480000007777777' }, token: divider.token };
    expect((await api.ask('PUT', '/agent-withdrawals/account', set)).status).toBe(200);
    const log = await api.get('/audit-entries?recordKind=divider', { token: api.adminToken });
    expect(log.text).toContain('payout_account.set');
  });

  test('that was set lately has withdrawals wait, and whoever set it does not pass them', async () => {
    await change(account, payer);
    const { data } = await apply(100, divider);
    expect(errorOf(await pass(data.id, payer))).toBe('withdrawal.own');
    expect((await pass(data.id)).data.waitsFor).toBeDefined();
  });
});
