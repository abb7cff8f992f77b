import type { SettledShare, SettlementPeriod, SettlementTerms } from '@voltdeck/contract/settlements';
import type { TotalProof } from '@voltdeck/contract/total-proofs';
import { payOutTransfer } from '@voltdeck/ledger/settlement';
import type { AgentId, DividerId, OrderId, SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleNow } from '../finance/test-finance.ts';
import { type Ask, openTestApi, type TestApi } from '../http/test-api.ts';
import { readPages } from '../http/test-pdf.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { keepPeriodSums } from './keep-period-sums.ts';
import { settleDue } from './settle-due.ts';
import { closePeriods, payOutPeriods } from './settle-periods.ts';

type Page<Item> = { items: Item[] };
type Settled = { done: SettlementPeriodId[]; skipped: { id: SettlementPeriodId; because: string }[] };

let api: TestApi;
let agent: AgentId;
let divider: DividerId;
let place: Place;
let made = 0;

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.database.pool.query<Row>(text, values)).rows;
const at = (text: string): Instant => parseIso(text) ?? expect.fail(text);
/** Sessions do not outlast a jump in time. */
async function setClock(text: string) {
  api.clock.now = at(text);
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
}

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  // What a closed period was fixed at is what its shares come to.
  const wrong = `select p.id from settlement_periods p left join order_shares s on s.period_id = p.id
                  where p.state <> 'open' group by p.id
                 having p.shares_fen <> coalesce(sum(s.amount_fen), 0) or p.orders <> count(distinct s.order_id)`;
  expect(await sql(wrong)).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  made += 1;
  await setClock('2026-11-10T12:00:00+08:00');
  agent = await api.addAgent(`Agent ${made}`);
  await sql("update agents set rate_e4 = 8000, settlement_cycle = 't1', settles_itself = false where id = $1", [agent]);
  const [row] = await sql<{ id: DividerId }>(
    `insert into dividers (name, agent_id, created_at, settlement_cycle, settles_itself)
     values ('Yard', $1, now(), 't7', false) returning id`,
    [agent],
  );
  divider = row?.id ?? expect.fail('no divider');
  await sql(
    `insert into divider_terms (divider_id, agent_id, electricity_e4, service_e4, occupancy_e4, from_at, created_at)
     values ($1, $2, 1000, 1000, 0, '2020-01-01', now())`,
    [divider, agent],
  );
  place = await makePlace(api.database, agent, `settled${made}`);
});

/** An order of 11 yuan that a person settles now: 792 fen are the agent's and 88 the divider's. */
const settle = () => settleNow(api, place);

const refund = async (id: OrderId, amountFen: number) =>
  expect(
    (await api.post(`/orders/${id}/refunds`, { amountFen, reason: 'The gun was broken' })).envelope.message,
  ).toMatchObject({ status: 200 });
const periodsOf = async (query: string) =>
  (await api.get<Page<SettlementPeriod>>(`/settlement-periods?${query}`)).data.items;
const ofAgent = async () => (await periodsOf(`agentId=${agent}`)).reverse();
const idsOf = (periods: readonly SettlementPeriod[]) => periods.map(({ id }) => id);
const close = async (ids: readonly number[]) => (await api.post<Settled>('/settlement-periods/closings', { ids })).data;
const payOut = async (ids: readonly number[]) => (await api.post<Settled>('/settlement-periods/payouts', { ids })).data;

describe('closing', () => {
  test('fixes what a period came to once its last day is over in China, the earliest first', async () => {
    await settle();
    await setClock('2026-11-11T12:00:00+08:00');
    await settle();
    await settle();
    const [first, second] = await ofAgent();
    if (first === undefined || second === undefined) throw new Error('two days, two periods');
    expect([first, second]).toMatchObject([
      {
        fromOn: '2026-11-10',
        toOn: '2026-11-10',
        state: 'open',
        hasEnded: true,
        orders: 1,
        sharesFen: 792,
        netFen: null,
      },
      { fromOn: '2026-11-11', toOn: '2026-11-11', state: 'open', hasEnded: false, orders: 2, sharesFen: 1_584 },
    ]);
    await setClock('2026-11-11T23:59:59+08:00');
    expect(await close([second.id, 999_999])).toEqual({
      done: [],
      skipped: [
        { id: second.id, because: 'not_ended' },
        { id: 999_999, because: 'unknown' },
      ],
    });
    await setClock('2026-11-12T00:00:00+08:00');
    expect(await close([second.id])).toEqual({ done: [], skipped: [{ id: second.id, because: 'earlier_open' }] });
    expect(await close([second.id, first.id, first.id])).toEqual({ done: [first.id, second.id], skipped: [] });
    expect(await close([first.id])).toEqual({ done: [], skipped: [{ id: first.id, because: 'not_open' }] });
    expect(await ofAgent()).toMatchObject([
      { state: 'closed', orders: 1, sharesFen: 792, carriedInFen: 0, netFen: 792, closedByName: expect.any(String) },
      { state: 'closed', orders: 2, sharesFen: 1_584, carriedInFen: 0, netFen: 1_584 },
    ]);
  });

  test('leaves later refunds to the next period, which carries what is below zero and says what it corrects', async () => {
    const id = await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    await close(idsOf(await ofAgent()));
    const [before] = await ofAgent();
    await refund(id, 1_100);
    await setClock('2026-11-12T09:00:00+08:00');
    await settle();
    const [closed, debt, next] = await ofAgent();
    if (debt === undefined || next === undefined) throw new Error('three periods');
    expect(closed).toEqual(before);
    expect(debt).toMatchObject({ fromOn: '2026-11-11', sharesFen: -792 });
    await setClock('2026-11-13T09:00:00+08:00');
    expect(await close([debt.id, next.id])).toEqual({ done: [debt.id, next.id], skipped: [] });
    expect((await ofAgent()).slice(1)).toMatchObject([
      { netFen: -792, carriedInFen: 0 },
      { sharesFen: 792, carriedInFen: -792, netFen: 0 },
    ]);
    const shares = (await api.get<Page<SettledShare>>(`/settled-shares?periodId=${debt.id}`)).data.items;
    expect(shares).toMatchObject([
      {
        orderId: id,
        number: 2,
        electricityFen: -504,
        serviceFen: -288,
        amountFen: -792,
        correctsPeriodId: before?.id,
        correctsFromOn: '2026-11-10',
        correctsToOn: '2026-11-10',
      },
    ]);
    // The debt is no payout, and what is left after it neither.
    expect(await payOut([debt.id, next.id])).toEqual({ done: [debt.id, next.id], skipped: [] });
    expect(await balanceOf(api.database, `agent-balance:${agent}`)).toBe(0);
  });

  test('a closed period changes in no way but by its payout, and gets no share', async () => {
    const id = await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    const [period] = await ofAgent();
    await close([period?.id ?? 0]);
    const change = (set: string) => sql(`update settlement_periods set ${set} where id = $1`, [period?.id]);
    await expect(change('shares_fen = 1')).rejects.toThrow('does not change');
    await expect(change("state = 'open', closed_at = null, shares_fen = null")).rejects.toThrow('does not change');
    await expect(sql('delete from settlement_periods where id = $1', [period?.id])).rejects.toThrow('not deleted');
    const share = `insert into order_shares (order_id, number, party, agent_id, reason, electricity_fen, service_fen,
                     occupancy_fen, site_id, period_id, created_at)
                   values ($1, 9, 'agent', $2, 'remainder', 1, 0, 0, $3, $4, now())`;
    await expect(sql(share, [id, agent, place.siteId, period?.id])).rejects.toThrow('is closed');
    await payOut([period?.id ?? 0]);
    await expect(change("state = 'closed', paid_out_at = null")).rejects.toThrow('does not change');
  });

  test('shares that are written while it closes are in it or in the next, and never lost', async () => {
    await settle();
    await setClock('2026-11-11T00:00:00+08:00');
    const [period] = await ofAgent();
    const ids = [period?.id ?? 0];
    const closings = [1, 2, 3].map(() => close(ids));
    const [orders, ...closed] = await Promise.all([Promise.all([settle(), settle(), settle()]), ...closings]);
    expect(orders.length).toBe(3);
    expect(closed.flatMap(({ done }) => done)).toEqual(ids);
    expect(await ofAgent()).toMatchObject([
      { state: 'closed', orders: 1, sharesFen: 792 },
      { state: 'open', orders: 3, sharesFen: 2_376 },
    ]);
  });
});

describe('paying out', () => {
  test('moves what a period came to from the shares to the balance, once', async () => {
    await settle();
    const [open] = await ofAgent();
    const ids = [open?.id ?? 0];
    expect(await payOut(ids)).toEqual({ done: [], skipped: [{ id: ids[0], because: 'not_closed' }] });
    await setClock('2026-11-11T09:00:00+08:00');
    await close(ids);
    const many = await Promise.all([1, 2, 3, 4].map(() => payOut(ids)));
    expect(many.flatMap(({ done }) => done)).toEqual(ids);
    expect(await balanceOf(api.database, `agent-share:${agent}`)).toBe(0);
    expect(await balanceOf(api.database, `agent-balance:${agent}`)).toBe(792);
    expect(await ofAgent()).toMatchObject([{ state: 'paid_out', netFen: 792, paidOutByName: expect.any(String) }]);
  });
});

describe('an answer that was lost', () => {
  beforeAll(async () => {
    await api.database.pool.query(`
      create function refuse_answers() returns trigger language plpgsql as $$
      begin
        if new.status is not null then raise exception 'the process dies'; end if;
        return new;
      end $$;`);
  });

  test.each([
    ['closings', 'not_open'],
    ['payouts', 'not_closed'],
  ])('a retry of %s with the same key says what was done, and another key that it is over', async (what, because) => {
    await settle();
    const [open] = await ofAgent();
    const ids = [open?.id ?? 0, 999_999_999];
    const unknown = { id: 999_999_999, because: 'unknown' };
    await setClock('2026-11-11T09:00:00+08:00');
    if (what === 'payouts') await close(ids);
    const settleAll = (key: string, of = ids) => api.post<Settled>(`/settlement-periods/${what}`, { ids: of }, { key });
    const key = `lost-${what}`;
    await api.database.pool.query(
      'create trigger refuse_answers before insert or update on idempotency_keys for each row execute function refuse_answers()',
    );
    try {
      expect((await settleAll(key)).envelope.message.status).toBe(500);
    } finally {
      await api.database.pool.query('drop trigger refuse_answers on idempotency_keys');
    }
    expect((await settleAll(key, [1])).envelope.message.error).toBe('request.repeated_differently');
    const retried = { done: [ids[0]], skipped: [unknown] };
    expect((await settleAll(key)).data).toEqual(retried);
    expect((await settleAll(key)).data).toEqual(retried);
    expect((await settleAll(`${key}-anew`)).data).toEqual({ done: [], skipped: [{ id: ids[0], because }, unknown] });
    expect(await balanceOf(api.database, `agent-balance:${agent}`)).toBe(what === 'payouts' ? 792 : 0);
  });
});

describe('paying out after money went back', () => {
  const balance = (kind: 'share' | 'balance') => balanceOf(api.database, `agent-${kind}:${agent}`);
  const accounts = async () => ({ share: await balance('share'), balance: await balance('balance') });

  test('a closed period whose order was refunded in full pays nothing out, and an open one carries what it came to', async () => {
    const id = await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    const [first] = await ofAgent();
    await close([first?.id ?? 0]);
    await refund(id, 1_100);
    expect(await payOut([first?.id ?? 0])).toEqual({ done: [first?.id], skipped: [] });
    expect(await accounts()).toEqual({ share: 0, balance: 0 });
    const [paid, next] = await ofAgent();
    expect(paid).toMatchObject({
      state: 'paid_out',
      netFen: 792,
      paidOutFen: 0,
      restPeriodId: next?.id,
      restFromOn: '2026-11-11',
      restToOn: '2026-11-11',
    });
    expect(next).toMatchObject({ state: 'open', sharesFen: -792, restsInFen: 792, carriedInFen: null });
    await setClock('2026-11-12T09:00:00+08:00');
    await close([next?.id ?? 0]);
    expect(await ofAgent()).toMatchObject([paid, { sharesFen: -792, carriedInFen: 792, restsInFen: 792, netFen: 0 }]);
    await payOut([next?.id ?? 0]);
    expect(await accounts()).toEqual({ share: 0, balance: 0 });
    expect((await api.post<{ proof: TotalProof }>('/total-proofs')).data.proof.differing).toBe(0);
  });

  test('one that is paid out late, with the refund in a closed period after it, pays what is left, and nothing is lost or doubled', async () => {
    const id = await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    await refund(id, 1_000);
    await setClock('2026-11-12T09:00:00+08:00');
    const both = idsOf(await ofAgent());
    await close(both);
    expect(await ofAgent()).toMatchObject([{ netFen: 792 }, { netFen: -720, carriedInFen: 0 }]);
    // No period is open: the rest opens one.
    await payOut(both);
    expect(await accounts()).toEqual({ share: 0, balance: 72 });
    const rests = await ofAgent();
    expect(rests).toMatchObject([
      { netFen: 792, paidOutFen: 72, restPeriodId: rests[2]?.id },
      { netFen: -720, paidOutFen: 0, restPeriodId: null },
      { state: 'open', fromOn: '2026-11-12', orders: 0, sharesFen: 0, restsInFen: 720 },
    ]);
    const { bytes } = await api.get(`/settlement-periods/${rests[0]?.id}/pdf`, { language: 'en' });
    const [paper = ''] = await readPages(bytes);
    expect(paper).toContain('Paid out to the balance 0.72');
    expect(paper).toContain(`Not paid out, carried into 2026-11-12 to ${rests[2]?.toOn} 7.20`);
    const totals = await api.get<object>(`/settlement-periods/totals?agentId=${agent}`);
    expect(totals.data).toMatchObject({ sums: { paidOutFen: 72 } });
    await settle();
    await setClock('2026-11-13T09:00:00+08:00');
    await close([rests[2]?.id ?? 0]);
    expect((await ofAgent())[2]).toMatchObject({ carriedInFen: 0, netFen: 792 });
    await payOut([rests[2]?.id ?? 0]);
    expect(await accounts()).toEqual({ share: 0, balance: 864 });
  });

  test('a period whose money is all there pays out what it came to and no later share', async () => {
    await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    const [first] = await ofAgent();
    await close([first?.id ?? 0]);
    await settle();
    expect(await payOut([first?.id ?? 0])).toMatchObject({ skipped: [] });
    expect(await ofAgent()).toMatchObject([{ paidOutFen: 792, restPeriodId: null }, { restsInFen: 0 }]);
    expect(await accounts()).toEqual({ share: 792, balance: 792 });
  });
});

describe('by itself', () => {
  const due = () => settleDue(api.context.on('money'));

  test('closes and pays out what is over, of those who are settled by themselves, and leaves the others', async () => {
    await sql('update dividers set settles_itself = true where id = $1', [divider]);
    await settle();
    await setClock('2026-11-15T23:59:00+08:00');
    await settle();
    await due();
    expect(await periodsOf(`dividerId=${divider}`)).toMatchObject([{ state: 'open', toOn: '2026-11-15', orders: 2 }]);
    await setClock('2026-11-16T00:00:00+08:00');
    await due();
    expect(await periodsOf(`dividerId=${divider}`)).toMatchObject([
      { state: 'paid_out', fromOn: '2026-11-09', toOn: '2026-11-15', netFen: 176, closedByName: null },
    ]);
    expect(await balanceOf(api.database, `divider-balance:${divider}`)).toBe(176);
    expect((await ofAgent()).map(({ state }) => state)).toEqual(['open', 'open']);
    expect(await due()).toEqual({ closed: 0, paidOut: 0, failed: 0 });
  });

  test('one that fails is noted and tried again, and holds up no other', async () => {
    await sql('update agents set settles_itself = true where id = $1', [agent]);
    await sql('update dividers set settles_itself = true where id = $1', [divider]);
    await settle();
    await setClock('2026-12-01T09:00:00+08:00');
    const [period] = await ofAgent();
    const id = period?.id ?? expect.fail('no period');
    const planted = payOutTransfer(id, { kind: 'agent', id: agent }, fen(1));
    if (planted?.ok !== true) throw new Error('a fen can be paid out');
    await api.database.db
      .transaction()
      .execute((trx) => postTransfer(trx, planted.value, at('2026-11-30T09:00:00+08:00')));
    expect(await due()).toEqual({ closed: 2, paidOut: 1, failed: 1 });
    expect(await periodsOf('failed=true')).toMatchObject([
      { id: period?.id, state: 'closed', failure: expect.stringContaining('paid out before') },
    ]);
    expect(await due()).toMatchObject({ failed: 1 });
    const { token } = await api.addUser({
      name: `own${made}`,
      permissions: ['settlement.read'],
      scope: 'agent',
      agentId: agent,
    });
    const [seen] = (await api.get<Page<SettlementPeriod>>(`/settlement-periods?agentId=${agent}`, { token })).data
      .items;
    expect(seen).toMatchObject({ id, state: 'closed', closedByName: null, paidOutByName: null, failure: null });
    const failed = await api.get<Page<SettlementPeriod>>('/settlement-periods?failed=true', { token });
    expect(failed.data.items).toEqual([]);
  });
});

describe('a period on paper', () => {
  const printed = async (id: SettlementPeriodId, ask: Ask = {}) => {
    const answer = await api.get(`/settlement-periods/${id}/pdf`, ask);
    expect(answer.status).toBe(200);
    return { answer, pages: await readPages(answer.bytes), raw: answer.bytes.toString('latin1') };
  };
  const lines = (page = '') => page.split(/\r?\n/).map((line) => line.trim());

  test('has its terms, what it came to by fee and site, its payout and who made it when, in an embedded font', async () => {
    await settle();
    await sql('update agents set rate_e4 = 5000 where id = $1', [agent]);
    await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    const [period] = await ofAgent();
    const id = period?.id ?? expect.fail('no period');
    await close([id]);
    await payOut([id]);
    const { answer, pages, raw } = await printed(id, { language: 'zh-CN' });
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(
      `结算单 Agent ${made} 2026-11-10 至 2026-11-10.pdf`,
    );
    expect(pages).toHaveLength(1);
    const text = pages[0] ?? '';
    for (const said of [
      `Agent ${made}`,
      '代理商',
      '已分账',
      '结算方 Voltdeck',
      '2026-11-11 09:00:00',
      'admin',
      '站点明细',
    ]) {
      expect(text).toContain(said);
    }
    // 80 % of 11 yuan and 50 % of 11 yuan, of which the divider gets a tenth.
    for (const line of [
      '订单数 2',
      '电费 8.19',
      '服务费 4.68',
      '分成金额 12.87',
      '应结金额 12.87',
      '已分账至余额 12.87',
    ]) {
      expect(lines(text)).toContain(line);
    }
    expect(lines(text)).toEqual(expect.arrayContaining(['50.00% 50.00% 50.00% 1', '80.00% 80.00% 80.00% 1']));
    expect(lines(text)).toContain(`Site settled${made} 2 8.19 4.68 0.00 12.87`);
    expect(lines(text)).toContain('合计 2 8.19 4.68 0.00 12.87');
    expect(text).not.toContain('更正以往账期');
    expect(raw.match(/\/FontFile2 /g)).toHaveLength(1);
    expect(raw).toMatch(/\/BaseFont \/[A-Z]{6}\+NotoSansSC/);
    const log = await api.get<Page<{ action: string }>>(
      `/audit-entries?recordKind=settlement_period&recordId=${id}&sort=-at`,
    );
    expect(log.data.items[0]).toMatchObject({ action: 'settlement.print' });
  });

  test('names the orders of earlier periods that it corrects, to the agent without the platform’s people', async () => {
    const order = await settle();
    await setClock('2026-11-11T09:00:00+08:00');
    const [first] = await ofAgent();
    await close([first?.id ?? 0]);
    await refund(order, 550);
    const [, second] = await ofAgent();
    const { token } = await api.addUser({
      name: `paper${made}`,
      permissions: ['settlement.read'],
      scope: 'agent',
      agentId: agent,
    });
    const ask = { token, language: 'en' } as const;
    const { pages } = await printed(second?.id ?? expect.fail('no period'), ask);
    const text = pages[0] ?? '';
    expect(text).toContain('The period is still open');
    expect(text).toContain('Corrections of earlier periods');
    const [{ number }] = (await sql<{ number: string }>('select number from orders where id = $1', [order])) as [
      { number: string },
    ];
    expect(lines(text)).toContain(`${number} 2026-11-11 2026-11-10 to 2026-11-10 -3.96`);
    expect(lines(text)).toContain('Shares -3.96');
    const before = await printed(first?.id ?? expect.fail('no period'), ask);
    const admin = await printed(first?.id ?? expect.fail('no period'), { language: 'en' });
    expect(before.pages[0]).not.toContain('Administrator');
    expect(admin.pages[0]).toContain('09:00:00 Administrator');
    const other = await api.addUser({
      name: `other${made}`,
      permissions: ['settlement.read'],
      scope: 'agent',
      agentId: await api.addAgent(`Other ${made}`),
    });
    expect((await api.get(`/settlement-periods/${first?.id}/pdf`, { token: other.token })).status).toBe(404);
  });
});

describe('the terms', () => {
  const termsOfAgent = () => `/settlement-terms?agentId=${agent}`;
  const change = (set: object, ask: object = {}) =>
    api.ask<SettlementTerms>('PUT', '/settlement-terms', { body: { agentId: agent, ...set }, ...ask });

  test('change once a calendar month in China, and open periods keep their days', async () => {
    await settle();
    const changed = await change({ cycle: 'm1', settlesItself: true });
    expect(changed.data).toMatchObject({ cycle: 'm1', settlesItself: true, changeableOn: '2026-12-01' });
    // The day of today is an open period’s. One who has none yet is settled by the new cycle at once.
    expect(changed.data.newCycleFrom).toBe('2026-11-11');
    const unsettled = await api.addAgent('Without shares');
    expect((await api.get<SettlementTerms>(`/settlement-terms?agentId=${unsettled}`)).data.newCycleFrom).toBe(
      '2026-11-10',
    );
    expect((await change({ cycle: 'm1', settlesItself: true })).envelope.message.status).toBe(200);
    const again = await change({ cycle: 't7', settlesItself: true }, { language: 'en' });
    expect(again.envelope.message).toMatchObject({ status: 409, message: expect.stringContaining('from 2026-12-01') });
    await setClock('2026-11-11T12:00:00+08:00');
    await settle();
    expect(await ofAgent()).toMatchObject([
      { fromOn: '2026-11-10', toOn: '2026-11-10', cycle: 't1' },
      { fromOn: '2026-11-11', toOn: '2026-11-30', cycle: 'm1' },
    ]);
    const [daily] = await ofAgent();
    expect((await api.get(`/settlement-periods/${daily?.id}`)).data).toMatchObject({ cycle: 't1' });
    const { bytes } = await api.get(`/settlement-periods/${daily?.id}/pdf`, { language: 'en' });
    expect((await readPages(bytes))[0]).toContain('Daily (T+1)');
    await setClock('2026-12-01T00:00:00+08:00');
    expect((await api.get<SettlementTerms>(termsOfAgent())).data).toMatchObject({ changeableOn: null });
    expect((await change({ cycle: 't7', settlesItself: false })).data).toMatchObject({ cycle: 't7' });
  });

  test('are the platform’s to change, and an agent sees its own and its dividers’', async () => {
    await settle();
    const other = await api.addAgent('Somebody else');
    const permissions = ['settlement.read', 'settlement.settle', 'settlement.change'] as const;
    const tokenOf = async (name: string, agentId: AgentId) =>
      (await api.addUser({ name, permissions, scope: 'agent', agentId })).token;
    const own = await tokenOf(`own${made}`, agent);
    const others = await tokenOf(`other${made}`, other);
    const seen = async (token: string) =>
      (await api.get<Page<SettlementPeriod>>('/settlement-periods', { token })).data.items;
    expect((await seen(own)).map(({ partyName }) => partyName).sort()).toEqual([`Agent ${made}`, 'Yard']);
    expect(await seen(others)).toEqual([]);
    const [period] = await seen(own);
    const asOwn = { token: own };
    expect((await api.post('/settlement-periods/closings', { ids: [period?.id] }, asOwn)).status).toBe(403);
    expect((await api.post('/settlement-periods/payouts', { ids: [period?.id] }, asOwn)).status).toBe(403);
    expect((await change({ cycle: 't1', settlesItself: true }, asOwn)).status).toBe(403);
    expect((await api.get(termsOfAgent(), asOwn)).data).toMatchObject({ cycle: 't1' });
    const asOther = { token: others };
    expect((await api.get(termsOfAgent(), asOther)).status).toBe(404);
    expect((await api.get(`/settlement-periods/${period?.id}`, asOther)).status).toBe(404);
    const shares = await api.get<Page<SettledShare>>(`/settled-shares?periodId=${period?.id}`, asOther);
    expect(shares.data.items).toEqual([]);
    expect((await api.get<Page<SettledShare>>('/settled-shares', asOther)).data.items).toEqual([]);
    expect((await api.get<Page<SettledShare>>('/settled-shares', asOwn)).data.items.length).toBe(2);
  });
});

describe('many periods', () => {
  /** Days of a year that were paid out, of a hundred other agents. */
  async function makeMany() {
    await sql(`insert into agents (name, settles_itself) select 'Many ' || n, false from generate_series(1, 100) n`);
    await sql(
      `insert into settlement_periods (party, agent_id, from_on, to_on, cycle, created_at, state, closed_at, paid_out_at,
                                       shares_fen, orders, carried_in_fen, paid_out_fen)
       select 'agent', a.id, day, day, 't1', now(), 'paid_out', now(), now(), 0, 0, 0, 0
         from agents a, (select date '2025-01-01' + n as day from generate_series(0, 364) n) days
        where a.name like 'Many %'`,
    );
    await sql('analyze settlement_periods');
  }

  test('are no burden: a share finds or makes its party’s period, and closing what came before, without reading those of others', async () => {
    await settle();
    await makeMany();
    await setClock('2026-11-11T09:00:00+08:00');
    const [period] = await ofAgent();
    const ids = [period?.id ?? expect.fail('no period')];
    await api.database.db.transaction().execute(async (trx) => {
      const read = async () =>
        (
          await rawSql<{ read: number }>`
            select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as read from pg_stat_xact_user_tables
             where relname = 'settlement_periods'`.execute(trx)
        ).rows[0]?.read;
      // The connection may not have reported what it read before.
      const before = await read();
      for (let day = 1; day <= 8; day += 1) {
        await rawSql`select settlement_period('agent', ${agent}, date '2026-12-01' + ${day}::integer, 't1', now())`.execute(
          trx,
        );
      }
      expect(await closePeriods(trx, null, ids, at('2026-11-11T09:00:00+08:00'))).toMatchObject({ done: ids });
      expect(await payOutPeriods(trx, null, ids, at('2026-11-11T09:00:00+08:00'))).toMatchObject({ done: ids });
      expect(((await read()) ?? 0) - (before ?? 0)).toBeLessThan(200);
    });
  });

  test('are settled each in a transaction of its own: one that fails is named, and the others are done', async () => {
    await settle();
    await setClock('2026-12-01T09:00:00+08:00');
    const periods = [...(await ofAgent()), ...(await periodsOf(`dividerId=${divider}`))];
    const [bad, good] = idsOf(periods);
    if (bad === undefined || good === undefined) throw new Error('two periods');
    await close([bad, good]);
    const planted = payOutTransfer(bad, { kind: 'agent', id: agent }, fen(1));
    if (planted?.ok !== true) throw new Error('a fen can be paid out');
    await api.database.db.transaction().execute((trx) => postTransfer(trx, planted.value, api.clock.now ?? at('')));
    expect(await payOut([bad, good, 999_999])).toEqual({
      done: [good],
      skipped: [
        { id: bad, because: 'failed' },
        { id: 999_999, because: 'unknown' },
      ],
    });
    expect(await periodsOf(`agentId=${agent}`)).toMatchObject([
      { state: 'closed', failure: expect.stringContaining('paid out before') },
    ]);
  });

  test('of one party never overlap', async () => {
    await sql("update agents set settlement_cycle = 'm1' where id = $1", [agent]);
    await settle();
    const overlapping = `insert into settlement_periods (party, agent_id, from_on, to_on, cycle, created_at)
                         values ('agent', $1, '2026-11-30', '2026-12-06', 't7', now())`;
    await expect(sql(overlapping, [agent])).rejects.toThrow('settlement_periods_apart');
    const other = await api.addAgent('Other days');
    await sql(overlapping, [other]);
  });

  test('a share that is written while another cycle’s period of the day is being made waits for it and lands there', async () => {
    const [one, two] = [await settle(), await settle()];
    const share = JSON.stringify([
      { party: 'agent', agent_id: agent, reason: 'remainder', electricity_fen: 10, service_fen: 0, occupancy_fen: 0 },
      { party: 'platform', reason: 'remainder', electricity_fen: -10, service_fen: 0, occupancy_fen: 0 },
    ]);
    const write = `select write_order_shares($1, (select site_id from orders where id = $1), 9, '2027-03-10T12:00:00+08:00', $2)`;
    await sql("update agents set settlement_cycle = 'm1' where id = $1", [agent]);
    const first = await api.database.pool.connect();
    await first.query('begin');
    await first.query(write, [one, share]);
    await sql("update agents set settlement_cycle = 't1' where id = $1", [agent]);
    const second = sql(write, [two, share]);
    await expect
      .poll(() =>
        sql("select pid from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'"),
      )
      .toHaveLength(1);
    await first.query('commit');
    first.release();
    await second;
    expect((await ofAgent()).filter(({ toOn }) => toOn > '2027')).toMatchObject([
      { fromOn: '2027-03-01', toOn: '2027-03-31', orders: 2 },
    ]);
  });

  test('a change of the cycle waits for shares that are being written', async () => {
    const writer = await api.database.pool.connect();
    await writer.query('begin');
    await writer.query("select pg_advisory_xact_lock_shared(settlement_lock('agent', $1))", [agent]);
    const body = { agentId: agent, cycle: 'm1', settlesItself: false };
    const changing = api.ask('PUT', '/settlement-terms', { body });
    await expect
      .poll(() =>
        sql("select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"),
      )
      .toHaveLength(1);
    await writer.query('commit');
    writer.release();
    expect((await changing).status).toBe(200);
  });
});

describe('the sums of an open period', () => {
  const keptTo = async () => (await sql<{ to: number }>('select kept_to as to from settlement_progress'))[0]?.to ?? 0;
  const lastShare = async () => (await sql<{ id: number }>('select max(id) as id from order_shares'))[0]?.id ?? 0;
  /** Transactions of other tests' databases keep it waiting too. */
  const keep = async () =>
    expect
      .poll(
        async () => {
          await keepPeriodSums(api.database.db, { sharesAtOnce: 2, batchesMax: 100 });
          return (await keptTo()) === (await lastShare());
        },
        { timeout: 40_000 },
      )
      .toBe(true);
  const sums = async () =>
    (await periodsOf(`agentId=${agent}`)).map(({ orders, sharesFen }) => ({ orders, sharesFen }));

  test('are kept, with what was written since, and count each order once', async () => {
    const first = await settle();
    await settle();
    expect(await sums()).toEqual([{ orders: 2, sharesFen: 1_584 }]);
    await keep();
    expect(
      await sql(
        'select k.orders, k.shares_fen::int as fen from settlement_sums k join settlement_periods p on p.id = k.period_id where p.agent_id = $1',
        [agent],
      ),
    ).toEqual([{ orders: 2, fen: 1_584 }]);
    expect(await sums()).toEqual([{ orders: 2, sharesFen: 1_584 }]);
    await refund(first, 1_100);
    await settle();
    expect(await sums()).toEqual([{ orders: 3, sharesFen: 1_584 }]);
    await keep();
    expect(await sums()).toEqual([{ orders: 3, sharesFen: 1_584 }]);
  });

  test('are not kept beyond a share that is on its way', async () => {
    await settle();
    await keep();
    const before = await keptTo();
    const late = await api.database.pool.connect();
    await late.query('begin');
    await late.query(
      `insert into order_shares (order_id, number, party, agent_id, reason, electricity_fen, service_fen, occupancy_fen,
                                 site_id, period_id, created_at)
       select order_id, 9, party, agent_id, reason, 7, 0, 0, site_id, period_id, created_at from order_shares
        where agent_id = $1 limit 1`,
      [agent],
    );
    await settle();
    for (let run = 0; run < 3; run += 1) await keepPeriodSums(api.database.db);
    expect(await keptTo()).toBe(before);
    await late.query('commit');
    late.release();
    await keep();
    expect(await sums()).toEqual([{ orders: 2, sharesFen: 1_591 }]);
    expect(
      await sql(
        'select k.shares_fen::int as fen from settlement_sums k join settlement_periods p on p.id = k.period_id where p.agent_id = $1',
        [agent],
      ),
    ).toEqual([{ fen: 1_591 }]);
  });
});
