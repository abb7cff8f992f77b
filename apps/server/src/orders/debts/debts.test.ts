import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Debt } from '@voltdeck/contract/debts';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { ApprovalId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tellApproval } from '../../approvals/tell-approval.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../../http/test-records.ts';
import { authorizeCard } from '../authorize-card.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
  await setLimit('off');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const setLimit = (value: string) =>
  api.database.db.updateTable('configs').set({ value }).where('key', '=', 'second_person_write_off_fen').execute();
async function newPlace(agentId: Place['agentId'] = null): Promise<Place> {
  places += 1;
  return makePlace(api.database, agentId, `owing${places}`);
}
const now = Date.now();
const owing = (place: Place, billFen: number, minutes: number, payer: 'card' | 'customer' = 'card') =>
  makeSettledOrder(api.database, place, {
    electricityFeeFen: billFen,
    serviceFeeFen: 0,
    settledAt: instant(now - minutes * minuteMs),
    payer,
  });
const writeOff = (id: number, ask = {}) =>
  api.post<Order>(`/orders/${id}/write-offs`, { reason: 'cannot be reached' }, { language: 'en', ...ask });
const debts = async (query = '', ask = {}) =>
  (await api.get<{ items: Debt[]; total: number }>(`/debts${query}`, ask)).data.items;

test('the debts of cards and users are listed with what each owes in all and since when', async () => {
  const place = await newPlace();
  const older = await owing(place, 10_700, 60);
  const newer = await owing(place, 500, 30);
  const ofUser = await owing(place, 900, 10, 'customer');
  const all = await debts();
  expect(all.map(({ id, owedFen, payerOwesFen }) => [id, owedFen, payerOwesFen])).toEqual([
    [ofUser, 900, 900],
    [newer, 500, 1_200],
    [older, 700, 1_200],
  ]);
  expect(all[0]).toMatchObject({ cardId: null, customerPhone: place.phone, billFen: 900, paidFen: 0 });
  expect(all[2]).toMatchObject({
    cardNumber: place.cardNumber,
    billFen: 10_700,
    paidFen: 10_000,
    debtLimitFen: 1_000,
    settledAt: new Date(now - 60 * minuteMs).toISOString(),
  });
  expect((await debts('?sort=owedFen')).map(({ owedFen }) => owedFen)).toEqual([500, 700, 900]);
  for (const filter of [`cardId=${place.cardId}`, `cardNumber=${place.cardNumber}`]) {
    expect((await debts(`?${filter}`)).map(({ id }) => id)).toEqual([newer, older]);
  }
  expect(await debts(`?phone=${place.phone}`)).toHaveLength(3);
  const totals = await api.get<{ sums: { owedFen: number } }>('/debts/totals');
  expect(totals.data.sums.owedFen).toBe(2_100);
});

test('a debt that is written off becomes bad debt, its order says so, and its card may charge again', async () => {
  const place = await newPlace();
  const id = await owing(place, 12_000, 5);
  await api.database.db.updateTable('cards').set({ state: 'active' }).where('id', '=', place.cardId).execute();
  const charge = async () => (await authorizeCard(api.database.db, place.cardNumber, instant(now))).owedFen;
  expect(await charge()).toBe(2_000);
  const before = await balanceOf(api.database, 'bad-debt');
  expect((await writeOff(id)).data).toMatchObject({ paymentState: 'written_off', owedFen: 0, paidFen: 10_000 });
  expect(await charge()).toBe(0);
  expect(await balanceOf(api.database, 'bad-debt')).toBe(before - 2_000);
  const { data } = await api.get<OrderDetail>(`/orders/${id}`);
  expect(data).toMatchObject({ writtenOffFen: 2_000 });
  expect(data.timeline.at(-1)).toMatchObject({
    event: 'written_off',
    params: { amountFen: 2_000, reason: 'cannot be reached', userName: 'admin' },
  });
  expect(data.postings.at(-1)).toMatchObject({ reason: 'debt_written_off', amountFen: 2_000 });
  expect((await writeOff(id)).envelope.message.error).toBe('order.nothing_owed');
  expect(await debts(`?cardId=${place.cardId}`)).toEqual([]);
});

test('what was paid of an order can still be refunded after the rest was written off', async () => {
  const place = await newPlace();
  const id = await owing(place, 12_000, 5);
  await writeOff(id);
  const refund = (amountFen: number) =>
    api.post<Order>(`/orders/${id}/refunds`, { amountFen, reason: 'goodwill' }, { language: 'en' });
  expect((await refund(10_001)).envelope.message.message).toBe('The refund must be between 0 and ¥100.00');
  expect((await refund(10_000)).data).toMatchObject({ refundedFen: 10_000, owedFen: 0 });
});

test('a write-off waits for a second person unless the limit says otherwise, and moves nothing meanwhile', async () => {
  const place = await newPlace();
  const id = await owing(place, 12_000, 5);
  await setLimit('0');
  const waits = (await writeOff(id)).data as unknown as Waits;
  await setLimit('off');
  expect(waits.waitsFor.number).toMatch(/^P\d{20}$/);
  expect(await debts(`?cardId=${place.cardId}`)).toMatchObject([
    { owedFen: 2_000, waits: [{ number: waits.waitsFor.number, kind: 'write_off', amountFen: 2_000 }] },
  ]);
});

describe('a write-off that waits while its debt', () => {
  async function waiting() {
    const place = await newPlace();
    const id = await owing(place, 12_000, 5);
    await setLimit('0');
    const { waitsFor } = (await writeOff(id)).data as unknown as Waits;
    await setLimit('off');
    const approval = async () => (await api.get<ApprovalDetail>(`/approvals/${waitsFor.id}`)).data;
    return { place, id, approval };
  }
  const recharge = ({ cardNumber }: Place, amountFen: number) => api.post('/recharges', { cardNumber, amountFen });
  const owed = [
    { name: 'bill', kind: 'money', before: null, after: 12_000 },
    { name: 'owed', kind: 'money', before: 2_000, after: 0 },
  ];

  test('is repaid becomes obsolete, and nobody decided it', async () => {
    const { place, approval } = await waiting();
    await recharge(place, 5_000);
    expect(await approval()).toMatchObject({ state: 'obsolete', deciderName: null, failure: null, facts: owed });
  });

  test('is forgiven by a refund becomes obsolete with who refunded it', async () => {
    const { id, approval } = await waiting();
    await api.post(`/orders/${id}/refunds`, { amountFen: 2_500, reason: 'goodwill' });
    expect(await approval()).toMatchObject({ state: 'obsolete', facts: owed });
    expect((await approval()).deciderName).not.toBeNull();
  });

  test('is written off by somebody who needs nobody else becomes obsolete', async () => {
    const { id, approval } = await waiting();
    await writeOff(id);
    expect(await approval()).toMatchObject({ state: 'obsolete', facts: owed });
  });

  test('is repaid does not hold up the repayment where its own figures cannot be read', async () => {
    const { place, id, approval } = await waiting();
    const broken = JSON.stringify({ caller: { language: 'en' } }) as never;
    const row = await api.database.db
      .updateTable('approvals')
      .set({ detail: broken })
      .where('id', '=', (await approval()).id)
      .returning('number')
      .executeTakeFirstOrThrow();
    expect((await recharge(place, 5_000)).status).toBe(200);
    expect((await api.get<OrderDetail>(`/orders/${id}`)).data.owedFen).toBe(0);
    const ended = await approval();
    expect(ended).toMatchObject({ state: 'obsolete', facts: [] });
    const logged: object[] = [];
    const log = { ...api.context.log, error: (told: object) => logged.push(told) };
    const { rows } = await api.database.pool.query<{ payload: { approvalId: ApprovalId; unread: string } }>(
      'select payload from graphile_worker._private_jobs where key = $1',
      [`approval-${ended.id}`],
    );
    const [job] = rows;
    if (job === undefined) throw new Error('nothing is told');
    await tellApproval({ ...api.context, log: log as never }, job.payload);
    expect(logged).toEqual([{ ...row, unread: expect.stringMatching('Error') }]);
  });

  test('is repaid or forgiven in part waits on', async () => {
    const { place, id, approval } = await waiting();
    await recharge(place, 500);
    await api.post(`/orders/${id}/refunds`, { amountFen: 500, reason: 'goodwill' });
    expect(await approval()).toMatchObject({ state: 'waiting', facts: [owed[0], { name: 'owed', before: 1_000 }] });
  });
});

test('two write-offs and a recharge at once settle a debt once', async () => {
  const place = await newPlace();
  const id = await owing(place, 12_000, 5);
  await Promise.all([
    writeOff(id),
    writeOff(id),
    api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 2_000 }),
  ]);
  const { data } = await api.get<OrderDetail>(`/orders/${id}`);
  expect(data.owedFen).toBe(0);
  expect(data.paidFen + data.writtenOffFen).toBe(12_000);
});

test('an agent’s people see the debts of their own orders and write none off', async () => {
  const [own, other] = [await api.addAgent('Own'), await api.addAgent('Other')];
  const [mine, theirs] = [await newPlace(own), await newPlace(other)];
  const id = await owing(mine, 12_000, 5);
  await owing(theirs, 12_000, 5);
  const { token } = await api.addUser({
    name: 'agent',
    permissions: ['debt.read', 'debt.write_off'],
    scope: 'agent',
    agentId: own,
  });
  expect((await debts('', { token })).map((debt) => debt.id)).toEqual([id]);
  expect((await writeOff(id, { token })).envelope.message.error).toBe('access.denied');
});
