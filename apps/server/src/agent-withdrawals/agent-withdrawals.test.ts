import {
  type AgentWithdrawal,
  type AgentWithdrawalTerms,
  listAgentWithdrawals,
  type PartyIncome,
} from '@voltdeck/contract/agent-withdrawals';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Column } from '@voltdeck/contract/list';
import type { AgentId, UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, fundBalance } from '../http/test-records.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';

const number = '6222020200001234567';

let api: TestApi;
let agentId: AgentId;
/** Of the agent. */
let owner: { id: UserId; token: string };
/** Of the platform. */
let reviewer: { token: string };
let payer: { id: UserId; token: string };

beforeEach(async () => {
  api = await openTestApi();
  agentId = await api.addAgent('Lingnan');
  await fundBalance(api.database, { kind: 'agent', id: agentId }, 50_000);
  const rights = ['agent_withdrawal.read', 'agent_withdrawal.create'] as const;
  owner = await api.addUser({ name: 'owner', permissions: rights, scope: 'agent', agentId });
  const platform = [...rights, 'agent_withdrawal.review', 'agent_withdrawal.pay', 'agent_withdrawal.return'] as const;
  reviewer = await api.addUser({ name: 'reviewer', permissions: platform });
  payer = await api.addUser({ name: 'payer', permissions: platform });
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

type Shown = AgentWithdrawal;
const apply = (amountFen: number, ask: object = {}) =>
  api.post<Shown>('/agent-withdrawals', { amountFen }, { language: 'en', token: owner.token, ...ask });
const act = (id: number, what: string, body: object = {}, by: { token: string } = payer) =>
  api.post<Shown>(`/agent-withdrawals/${id}/${what}`, body, { language: 'en', token: by.token });
const pass = (id: number) => act(id, 'reviews', { decision: 'pass' }, reviewer);
const reject = (id: number, reason = 'wrong account') => act(id, 'reviews', { decision: 'reject', reason }, reviewer);
const pay = (id: number, body: object = { receipt: '20261128-0017' }) => act(id, 'payments', body);
const errorOf = ({ envelope }: { envelope: { message: { error?: string } } }) => envelope.message.error;
const fenOf = async () => ({
  balance: await balanceOf(api.database, `agent-balance:${agentId}`),
  frozen: await balanceOf(api.database, `agent-frozen:${agentId}`),
  bank: await balanceOf(api.database, 'channel:bank'),
});
const setParameter = (key: string, value: string) =>
  api.database.db.updateTable('configs').set({ value }).where('key', '=', key).execute();
const freeze = (isFrozen: boolean) =>
  isFrozen
    ? api.post(`/agents/${agentId}/freezes`, { reason: 'under audit' })
    : api.post(`/agents/${agentId}/unfreezes`);

describe('an application', () => {
  test('freezes its money with the account as it was, and a rejection with its reason brings it back', async () => {
    const { data } = await apply(20_000);
    expect(data).toMatchObject({
      number: expect.stringMatching(/^E\d{20}$/),
      party: 'agent',
      partyName: 'Lingnan',
      state: 'waiting',
      frozen: true,
      amountFen: 20_000,
      payoutFen: 20_000,
      payeeHolder: 'Lingnan Charging Ltd',
      payeeBankCode: '102100099996',
      appliedByName: 'owner',
    });
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 20_000, bank: 0 });
    await api.database.db.updateTable('agents').set({ payout_number: '1000000001' }).execute();
    const { data: read } = await api.get<Shown>(`/agent-withdrawals/${data.id}`);
    expect(read.payeeAccount).toBe(number);
    expect(errorOf(await act(data.id, 'reviews', { decision: 'reject' }, reviewer))).toBe('review.reason_required');
    expect((await reject(data.id)).data).toMatchObject({ state: 'failed', frozen: false, failure: 'wrong account' });
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
    expect(errorOf(await reject(data.id))).toBe('withdrawal.already_reviewed');
    const { data: own } = await api.get<Shown>(`/agent-withdrawals/${data.id}`, { token: owner.token });
    expect(own).toMatchObject({ failure: 'wrong account', reviewedByName: null });
  });

  test('counts as arrived in its column and the totals once it is paid, and no longer when it came back', async () => {
    const ids: number[] = [];
    for (const amountFen of [10_000, 5_000, 2_000]) ids.push((await apply(amountFen)).data.id);
    const [paid = 0, rejected = 0] = ids;
    await reject(rejected);
    const arrived = async () => {
      const { data } = await api.get<{ sums: Record<string, number> }>('/agent-withdrawals/totals');
      return data.sums;
    };
    expect(await arrived()).toMatchObject({ amountFen: 17_000, feeFen: 0, payoutFen: 0 });
    await pass(paid);
    await pay(paid);
    expect(await arrived()).toMatchObject({ amountFen: 17_000, payoutFen: 10_000 });
    const { data } = await api.get<{ items: AgentWithdrawal[] }>('/agent-withdrawals');
    const column: Column<AgentWithdrawal> = listAgentWithdrawals.columns.payoutFen;
    expect(data.items.map((row) => column.of?.(row))).toEqual([null, null, 10_000]);
    await act(paid, 'returns', { reason: 'account closed' });
    expect(await arrived()).toMatchObject({ payoutFen: 0 });
  });

  test('stays between the least amount and the balance, and the message says the range in both languages', async () => {
    await setParameter('agent_withdrawal_min_fen', '10000');
    for (const amountFen of [9_999, 50_001]) {
      expect((await apply(amountFen)).envelope.message).toMatchObject({
        error: 'withdrawal.out_of_range',
        message: 'The amount must be between ¥100.00 and ¥500.00.',
      });
    }
    expect((await apply(1, { language: 'zh-CN' })).envelope.message.message).toBe(
      '提现金额应在 100.00 元至 500.00 元之间',
    );
    await setParameter('agent_withdrawal_min_fen', '60000');
    expect((await apply(50_000)).envelope.message).toMatchObject({
      error: 'agent_withdrawal.too_little',
      message: 'The balance is ¥500.00; the least withdrawal is ¥600.00.',
    });
    for (const amountFen of [0, -1, 1.5, 1_000_000_001]) expect((await apply(amountFen)).status).toBe(422);
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });

  test('two at once cannot take the same money, and a day has so many', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => apply(30_000)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(await fenOf()).toEqual({ balance: 20_000, frozen: 30_000, bank: 0 });
    expect((await apply(100)).status).toBe(200);
    expect((await apply(100)).status).toBe(200);
    expect((await apply(100)).envelope.message).toMatchObject({ error: 'withdrawal.too_many_today', status: 429 });
  });

  test('the same key applies once, and without a key nothing is applied', async () => {
    const [first, again] = [await apply(10_000, { key: 'once' }), await apply(10_000, { key: 'once' })];
    expect(again.data.id).toBe(first.data.id);
    expect((await apply(10_000, { key: null })).status).toBe(400);
    expect(await fenOf()).toMatchObject({ balance: 40_000 });
  });

  test('a reversal that takes the balance while somebody applies leaves it to one of them', async () => {
    const { rows } = await api.database.pool.query<{ key: string }>(
      `select key from ledger_transfers where reason = 'shares_paid_out'`,
    );
    const [taken, applied] = await Promise.allSettled([
      api.database.db.transaction().execute((trx) => reverseTransfer(trx, rows[0]?.key ?? '', instant(Date.now()))),
      apply(30_000),
    ]);
    const status = applied.status === 'fulfilled' ? applied.value.status : null;
    expect([taken.status, status]).toEqual(taken.status === 'fulfilled' ? ['fulfilled', 422] : ['rejected', 200]);
    const { balance, frozen } = await fenOf();
    expect([balance, frozen]).toEqual(status === 200 ? [20_000, 30_000] : [0, 0]);
  });

  test('costs the fee that is configured, which the platform keeps and a returned payment gives back', async () => {
    await setParameter('agent_withdrawal_fee_bp', '60');
    const { data } = await apply(12_345);
    expect(data).toMatchObject({ feeFen: 74, payoutFen: 12_271 });
    await pass(data.id);
    await pay(data.id);
    expect(await fenOf()).toEqual({ balance: 37_655, frozen: 0, bank: 12_271 });
    expect(await balanceOf(api.database, 'withdrawal-fee')).toBe(74);
    await act(data.id, 'returns', { reason: 'account closed' });
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
    expect(await balanceOf(api.database, 'withdrawal-fee')).toBe(0);
    await setParameter('agent_withdrawal_fee_bp', '10000');
    expect(errorOf(await apply(200))).toBe('withdrawal.below_fee');
  });

  test('needs a balance and a payout account of one’s own', async () => {
    expect(errorOf(await apply(100, { token: reviewer.token }))).toBe('agent_withdrawal.no_balance');
    const { data: terms } = await api.get<AgentWithdrawalTerms>('/agent-withdrawals/terms', { token: owner.token });
    expect(terms).toMatchObject({ partyName: 'Lingnan', balanceFen: 50_000, minFen: 100, feeBp: 0, leftToday: 3 });
    expect(terms.payee?.payeeBank).toBe('Bank of Lingnan');
    expect(terms.payee?.payeeAccount).not.toBe(number);
    await api.database.db
      .updateTable('agents')
      .set({ payout_kind: null, payout_holder: null, payout_bank: null, payout_number: null })
      .set({ payout_branch: null, payout_bank_code: null })
      .execute();
    expect(errorOf(await apply(100))).toBe('agent_withdrawal.no_account');
    expect(await fenOf()).toMatchObject({ balance: 50_000 });
  });
});

describe('a payment', () => {
  test('is recorded once with the bank’s receipt, of a passed one only', async () => {
    const { data } = await apply(20_000);
    expect(errorOf(await pay(data.id))).toBe('withdrawal.not_payable');
    expect((await pass(data.id)).data).toMatchObject({ state: 'in_review', reviewedByName: 'reviewer' });
    expect(errorOf(await pass(data.id))).toBe('withdrawal.already_reviewed');
    expect((await pay(data.id, {})).envelope.message.fields).toMatchObject([{ path: 'receipt' }]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => pay(data.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { data: paid } = await api.get<Shown>(`/agent-withdrawals/${data.id}`);
    expect(paid).toMatchObject({ state: 'withdrawn', way: 'bank', receipt: '20261128-0017', paidByName: 'payer' });
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 0, bank: 20_000 });
    expect(errorOf(await reject(data.id))).toBe('withdrawal.already_reviewed');
  });

  test('in another way than by the bank is processed, and leaves by the back office', async () => {
    const { data } = await apply(20_000);
    await pass(data.id);
    expect((await pay(data.id, { way: 'other', receipt: 'cash slip 9' })).data).toMatchObject({ state: 'processed' });
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 0, bank: 0 });
    expect(await balanceOf(api.database, 'channel:back-office')).toBe(20_000);
  });

  test('that the bank did not make stays frozen, is put up again once, and can be rejected', async () => {
    const { data } = await apply(20_000);
    const fail = () => act(data.id, 'failures', { reason: 'holder does not match' });
    expect(errorOf(await fail())).toBe('agent_withdrawal.not_under_way');
    await pass(data.id);
    expect((await fail()).data).toMatchObject({ state: 'failed', frozen: true, failure: 'holder does not match' });
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 20_000, bank: 0 });
    const retries = await Promise.all([act(data.id, 'retries'), act(data.id, 'retries')]);
    expect(retries.map(({ status }) => status).sort()).toEqual([200, 409]);
    await fail();
    expect((await reject(data.id)).data).toMatchObject({ state: 'failed', frozen: false, failure: 'wrong account' });
    expect(errorOf(await act(data.id, 'retries'))).toBe('agent_withdrawal.not_failed');
    expect(errorOf(await pay(data.id))).toBe('withdrawal.not_payable');
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });

  test('that came back returns to the balance once, with its reason, and the money can be applied for again', async () => {
    const { data } = await apply(50_000);
    const giveBack = () => act(data.id, 'returns', { reason: 'account closed' });
    expect(errorOf(await giveBack())).toBe('agent_withdrawal.not_paid');
    await pass(data.id);
    await pay(data.id);
    const answers = await Promise.all([giveBack(), giveBack(), giveBack()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { data: read } = await api.get<Shown>(`/agent-withdrawals/${data.id}`);
    expect(read).toMatchObject({ state: 'failed', frozen: false, failure: 'account closed', receipt: '20261128-0017' });
    expect(read.returnedAt).not.toBeNull();
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
    expect((await apply(50_000)).status).toBe(200);
  });

  test('waits for the balance before it takes what is frozen, when it comes back too', async () => {
    const { data } = await apply(20_000);
    await pass(data.id);
    await pay(data.id);
    const lock = 'select 1 from ledger_accounts where key = $1 for no key update';
    const payment = await api.database.pool.connect();
    try {
      await payment.query('begin');
      await payment.query(lock, [`agent-balance:${agentId}`]);
      const returned = act(data.id, 'returns', { reason: 'account closed' });
      const awaited = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      await expect.poll(async () => (await api.database.pool.query(awaited)).rowCount).toBeGreaterThan(0);
      await payment.query(`${lock} nowait`, [`agent-frozen:${agentId}`]);
      await payment.query('commit');
      expect((await returned).data).toMatchObject({ state: 'failed', frozen: false });
    } finally {
      await payment.query('rollback');
      payment.release();
    }
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });

  test('many are decided together or not at all', async () => {
    await setParameter('agent_withdrawals_per_day', '9');
    const [{ data: one }, { data: two }] = [await apply(100), await apply(200)];
    const many = (ids: number[], body: object) =>
      api.post('/agent-withdrawals/reviews', { ids, ...body }, { token: reviewer.token });
    expect((await many([one.id, two.id], { decision: 'pass' })).data).toEqual({ decided: 2, waiting: 0 });
    expect((await many([one.id, 999], { decision: 'reject', reason: 'no' })).status).toBe(404);
    expect(await fenOf()).toMatchObject({ frozen: 300 });
    expect((await many([one.id, two.id], { decision: 'reject', reason: 'no' })).data).toMatchObject({ decided: 2 });
    expect(await fenOf()).toMatchObject({ frozen: 0, balance: 50_000 });
  });
});

describe('a process that dies', () => {
  test('before its commit leaves nothing half done, at any step, and the retry takes effect', async () => {
    const { pool } = api.database;
    const dying = async (request: () => Promise<{ status: number }>) => {
      const holder = await pool.connect();
      await holder.query('begin; lock table audit_entries in access exclusive mode');
      const pending = request();
      let blocked: number | undefined;
      while (blocked === undefined) {
        const { rows } = await pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        blocked = rows[0]?.pid;
      }
      await pool.query('select pg_terminate_backend($1)', [blocked]);
      const { status } = await pending.finally(async () => {
        await holder.query('rollback');
        holder.release();
      });
      expect(status).toBe(503);
    };
    await dying(() => apply(20_000));
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
    const { data } = await apply(20_000);
    await dying(() => reject(data.id));
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 20_000, bank: 0 });
    await pass(data.id);
    await dying(() => pay(data.id));
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 20_000, bank: 0 });
    expect((await pay(data.id)).data).toMatchObject({ state: 'withdrawn' });
    await dying(() => act(data.id, 'returns', { reason: 'account closed' }));
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 0, bank: 20_000 });
    expect((await act(data.id, 'returns', { reason: 'account closed' })).status).toBe(200);
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });
});

describe('a frozen agent', () => {
  test('is neither passed nor paid nor retried, what it applied for stays frozen, and can be rejected', async () => {
    const [{ data: waiting }, { data: passed }] = [await apply(10_000), await apply(20_000)];
    await pass(passed.id);
    expect((await freeze(true)).status).toBe(200);
    expect(await fenOf()).toEqual({ balance: 20_000, frozen: 30_000, bank: 0 });
    const refusal = await pass(waiting.id);
    expect(refusal.envelope.message).toMatchObject({ error: 'agent_withdrawal.party_frozen', status: 409 });
    expect(refusal.envelope.message.message).toContain('Unfreeze it');
    expect(errorOf(await pay(passed.id))).toBe('agent_withdrawal.party_frozen');
    expect((await act(passed.id, 'failures', { reason: 'not sent' })).status).toBe(200);
    expect(errorOf(await act(passed.id, 'retries'))).toBe('agent_withdrawal.party_frozen');
    const { data: shown } = await api.get<Shown>(`/agent-withdrawals/${waiting.id}`);
    expect(shown).toMatchObject({ state: 'waiting', partyIsFrozen: true });
    expect((await reject(waiting.id)).data).toMatchObject({ state: 'failed', frozen: false });
    await freeze(false);
    expect((await pay(passed.id)).data).toMatchObject({ state: 'withdrawn', partyIsFrozen: false });
    expect(await fenOf()).toEqual({ balance: 30_000, frozen: 0, bank: 20_000 });
  });

  test('and a payment at the same moment take turns, and a payment that came back still returns to it', async () => {
    const { data } = await apply(10_000);
    await pass(data.id);
    const [paid, frozen] = await Promise.all([pay(data.id), freeze(true)]);
    expect(frozen.status).toBe(200);
    expect([200, 409]).toContain(paid.status);
    if (paid.status !== 200) {
      await freeze(false);
      await pay(data.id);
      await freeze(true);
    }
    expect((await act(data.id, 'returns', { reason: 'account blocked' })).status).toBe(200);
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });
});

describe('who may', () => {
  test('an agent sees and withdraws its own, not that of agents below or beside it', async () => {
    const below = await api.addAgent('Below', agentId);
    await fundBalance(api.database, { kind: 'agent', id: below }, 7_000);
    const rights = ['agent_withdrawal.read', 'agent_withdrawal.create'] as const;
    const tree = await api.addUser({ name: 'tree', permissions: rights, scope: 'agent_tree', agentId });
    const lower = await api.addUser({ name: 'lower', permissions: rights, scope: 'agent', agentId: below });
    const { data: theirs } = await apply(5_000, { token: lower.token });
    expect(theirs).toMatchObject({ agentId: below });
    const { data: own } = await apply(6_000, { token: tree.token });
    expect(own).toMatchObject({ agentId });
    const list = async (token: string, query = '') =>
      (await api.get<{ items: Shown[] }>(`/agent-withdrawals${query}`, { token })).data.items.map(({ id }) => id);
    expect(await list(tree.token)).toEqual([own.id]);
    expect(await list(lower.token)).toEqual([theirs.id]);
    expect(await list(tree.token, `?agentId=${below}`)).toEqual([]);
    expect((await api.get(`/agent-withdrawals/${theirs.id}`, { token: tree.token })).status).toBe(404);
    expect((await api.get(`/agent-withdrawals/income?agentId=${below}`, { token: tree.token })).status).toBe(404);
    const { data: income } = await api.get<PartyIncome>('/agent-withdrawals/income', { token: lower.token });
    expect(income).toMatchObject({ balanceFen: 2_000, frozenFen: 5_000, waiting: 1, waitingFen: 5_000 });
    const { data: all } = await api.get<PartyIncome>('/agent-withdrawals/income', { token: reviewer.token });
    expect(all).toMatchObject({ balanceFen: 46_000, frozenFen: 11_000, waiting: 2, waitingFen: 11_000 });
  });

  test('people of agents decide and pay nothing, whatever their position grants', async () => {
    const { data } = await apply(5_000);
    const everything = ['agent_withdrawal.review', 'agent_withdrawal.pay', 'agent_withdrawal.return'] as const;
    const clerk = await api.addUser({ name: 'clerk', permissions: everything, scope: 'agent', agentId });
    const acts: [string, object][] = [
      ['reviews', { decision: 'pass' }],
      ['payments', { receipt: 'mine' }],
      ['failures', { reason: 'mine' }],
      ['retries', {}],
      ['returns', { reason: 'mine' }],
    ];
    for (const [what, body] of acts) expect((await act(data.id, what, body, clerk)).status).toBe(403);
    expect((await api.get(`/agent-withdrawals/${data.id}/payee`, { token: clerk.token })).status).toBe(403);
    for (const [what, body] of acts) expect((await act(data.id, what, body, owner)).status).toBe(403);
  });

  test('who is of the agent by another account neither passes nor pays, and whoever gave it access counts as one of them', async () => {
    const { db } = api.database;
    await db.updateTable('users').set({ phone: '13800000009' }).where('user_name', '=', 'owner').execute();
    await db.updateTable('users').set({ user_name: '13800000009' }).where('user_name', '=', 'reviewer').execute();
    const { data } = await apply(5_000);
    expect(errorOf(await pass(data.id))).toBe('withdrawal.own');
    const access = { user_id: owner.id, giver_id: payer.id, at: instant(Date.now()) };
    await db.insertInto('access_givers').values(access).execute();
    expect(errorOf(await act(data.id, 'reviews', { decision: 'pass' }, payer))).toBe('withdrawal.own');
    await db.deleteFrom('access_givers').execute();
    await act(data.id, 'reviews', { decision: 'pass' }, payer);
    expect(errorOf(await act(data.id, 'payments', { receipt: 'x' }, reviewer))).toBe('withdrawal.own');
    await setParameter('second_person_agent_withdrawal_fen', 'off');
    expect((await act(data.id, 'payments', { receipt: 'x' }, reviewer)).status).toBe(200);
  });

  test('the account is masked but for who pays, while it can be paid', async () => {
    const { data } = await apply(5_000);
    const asPayer = () =>
      api.get<{ account: string }>(`/agent-withdrawals/${data.id}/payee`, { token: payer.token, language: 'en' });
    expect(errorOf(await asPayer())).toBe('withdrawal.not_payable');
    await pass(data.id);
    const { data: listed } = await api.get<Shown>(`/agent-withdrawals/${data.id}`, { token: payer.token });
    expect(listed.payeeAccount).toMatch(/^6222\*+4567$/);
    expect((await asPayer()).data).toMatchObject({
      account: number,
      payeeHolder: 'Lingnan Charging Ltd',
      payoutFen: 5_000,
    });
    await pay(data.id);
    expect(errorOf(await asPayer())).toBe('withdrawal.not_payable');
  });

  test('above the limit passing waits for a second person, who is told whom it pays; a payment that came back does too', async () => {
    await setParameter('second_person_agent_withdrawal_fen', '9999');
    const decider = await api.addUser({
      name: 'decider',
      permissions: ['approval.read', 'approval.decide', 'agent_withdrawal.review', 'agent_withdrawal.return'],
    });
    const decide = (id: number) =>
      api.post(`/approvals/${id}/decisions`, { decision: 'approve' }, { token: decider.token });
    const { data } = await apply(10_000);
    const asked = (await pass(data.id)).data as unknown as Waits;
    expect(asked.waitsFor.hasDecider).toBe(true);
    const { data: read } = await api.get<Shown>(`/agent-withdrawals/${data.id}`, { token: reviewer.token });
    expect(read).toMatchObject({ state: 'waiting', waits: [{ kind: 'agent_withdrawal', amountFen: 10_000 }] });
    const { data: approval } = await api.get<{ facts: { name: string; after: unknown }[] }>(
      `/approvals/${asked.waitsFor.id}`,
      { token: decider.token },
    );
    expect(approval.facts.map(({ name, after }) => [name, after])).toEqual([
      ['party', 'Lingnan'],
      ['payeeName', 'Lingnan Charging Ltd'],
      ['payeeBank', 'Bank of Lingnan'],
      ['payeeAccount', expect.stringContaining('*')],
      ['paidOut', 10_000],
      ['fee', 0],
    ]);
    expect((await decide(asked.waitsFor.id)).status).toBe(200);
    await pay(data.id);
    const back = (await act(data.id, 'returns', { reason: 'account closed' })).data as unknown as Waits;
    expect(await fenOf()).toMatchObject({ balance: 40_000 });
    expect((await decide(back.waitsFor.id)).status).toBe(200);
    expect(await fenOf()).toEqual({ balance: 50_000, frozen: 0, bank: 0 });
  });

  test('a pass that waits is obsolete once the withdrawal is rejected', async () => {
    await setParameter('second_person_agent_withdrawal_fen', '0');
    const { data } = await apply(10_000);
    const asked = (await pass(data.id)).data as unknown as Waits;
    await reject(data.id);
    expect((await api.get(`/approvals/${asked.waitsFor.id}`)).data).toMatchObject({ state: 'obsolete' });
  });
});
