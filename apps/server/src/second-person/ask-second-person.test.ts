import type { AgentId, OrderId, UserId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../caller/caller.ts';
import { findRights } from '../caller/user-rights.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { meansTheSame, storedApproval } from './approval-details.ts';
import { askSecondPerson } from './ask-second-person.ts';
import { whyNotDecide } from './deciders.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

let api: TestApi;
let clerk: Caller;
beforeEach(async () => {
  api = await openTestApi();
  clerk = await callerOf((await api.addUser({ name: 'clerk', permissions: ['order.refund'] })).id);
});
afterEach(() => api.close());

async function callerOf(userId: UserId): Promise<Caller> {
  const rights = await findRights(api.database.db, userId);
  if (rights === null) throw new Error('disabled');
  return { ...rights, language: 'en', remoteAddress: '' };
}

function ask(amountFen: number, over: { caller?: Caller; order?: number; agentId?: AgentId; at?: Instant } = {}) {
  const { caller = clerk, order = 5, agentId = null, at = now } = over;
  const detail = { orderId: order as OrderId, body: { amountFen: fen(amountFen), reason: 'wrong price' } };
  const subject = { kind: 'order', id: order, text: `O${order}` } as const;
  return api.database.db
    .transaction()
    .execute((trx) =>
      askSecondPerson(
        trx,
        caller,
        { kind: 'order_refund', amountFen: fen(amountFen), agentId, subject, detail, reason: 'wrong price' },
        at,
      ),
    );
}

async function setLimit(value: string): Promise<void> {
  await api.database.db
    .updateTable('configs')
    .set({ value })
    .where('key', '=', 'second_person_order_refund_fen')
    .execute();
}

async function countApprovals(): Promise<number> {
  return (await api.database.db.selectFrom('approvals').select('id').execute()).length;
}

describe('an act that may need a second person', () => {
  test('an act up to the limit is carried out at once, and a larger one is recorded and waits', async () => {
    expect(await ask(50_000)).toBeNull();
    const waits = await ask(50_001, { order: 6 });
    expect(waits?.number).toMatch(/^P20261121\d{12}$/);
    const [row] = await api.database.db.selectFrom('approvals').selectAll().execute();
    expect(row).toMatchObject({
      id: waits?.id,
      kind: 'order_refund',
      state: 'waiting',
      amount_fen: 50_001,
      price_change_e5: null,
      subject_kind: 'order',
      subject_id: 6,
      subject_text: 'O6',
      reason: 'wrong price',
      asker_id: clerk.userId,
      asked_at: now,
      detail: { orderId: 6, body: { amountFen: 50_001 }, caller: { userName: 'clerk', agents: 'all' } },
    });
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'record_id', 'user_id'])
      .where('record_kind', '=', 'approval')
      .execute();
    expect(audited).toEqual([{ action: 'approval.ask', record_id: String(waits?.id), user_id: clerk.userId }]);
  });

  test('parts of one refund within a day count together, those of other orders, users and days do not', async () => {
    expect(await ask(30_000)).toBeNull();
    expect(await ask(30_000, { order: 6 })).toBeNull();
    const other = await callerOf((await api.addUser({ name: 'other', permissions: ['order.refund'] })).id);
    expect(await ask(30_000, { caller: other })).toBeNull();
    expect(await ask(20_001)).not.toBeNull();
    expect(await ask(20_000)).toBeNull();
    expect(await ask(1)).not.toBeNull();
    expect(await ask(50_000, { at: instant(now + 24 * hourMs) })).toBeNull();
  });

  test('parts that are sent at once cannot all pass below the limit', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(20_000)));
    expect(asked.filter((waits) => waits === null)).toHaveLength(2);
  });

  test('the same act asked for again waits as one, whoever asks; another amount waits beside it', async () => {
    const waits = await ask(60_000);
    expect(await ask(60_000)).toEqual(waits);
    const other = await callerOf((await api.addUser({ name: 'other', permissions: ['order.refund'] })).id);
    expect(await ask(60_000, { caller: other })).toMatchObject({ number: waits?.number });
    const larger = await ask(60_001);
    expect(larger?.number).not.toBe(waits?.number);
    expect(await countApprovals()).toBe(2);
    const ofAgent = await ask(60_000, { caller: { ...clerk, agents: [await api.addAgent('own')] } });
    expect(ofAgent?.number).not.toBe(waits?.number);
  });

  test('the same act asked for at once waits as one', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(60_000)));
    expect(new Set(asked.map((waits) => waits?.number)).size).toBe(1);
    expect(await countApprovals()).toBe(1);
  });

  test('the same act can be asked for again when the earlier one was decided', async () => {
    const waits = await ask(60_000);
    await api.database.db.updateTable('approvals').set({ state: 'refused', decided_at: now }).execute();
    expect((await ask(60_000))?.number).not.toBe(waits?.number);
  });

  test('a limit of zero lets even nothing wait, "off" lets everything pass, and what is invalid is the default', async () => {
    await setLimit('0');
    expect(await ask(0)).not.toBeNull();
    await setLimit('off');
    expect(await ask(99_000_000)).toBeNull();
    await setLimit('');
    expect(await ask(50_001)).not.toBeNull();
  });

  test('an act that was approved is not asked about again', async () => {
    const waits = await ask(60_000);
    if (waits === null) throw new Error('did not wait');
    expect(await ask(60_000, { caller: { ...clerk, approvalId: waits.id } })).toBeNull();
  });
});

describe('who may decide', () => {
  test('an administrator is found as the one who may decide, a lone administrator finds nobody', async () => {
    expect(await ask(60_000)).toMatchObject({ hasDecider: true });
    const admin = await callerOf(1 as UserId);
    expect(await ask(60_000, { caller: admin, order: 6 })).toMatchObject({ hasDecider: false });
    await api.addUser({ name: 'reader', permissions: ['approval.read', 'order.refund'] });
    await api.addUser({ name: 'outsider', permissions: ['approval.decide'] });
    expect(await ask(60_000, { caller: admin, order: 6 })).toMatchObject({ hasDecider: false });
    await api.addUser({ name: 'decider', permissions: ['approval.decide', 'order.refund'] });
    expect(await ask(60_000, { caller: admin, order: 6 })).toMatchObject({ hasDecider: true });
  });

  test('people of another agent do not count as those who may decide', async () => {
    const [own, other] = [await api.addAgent('own'), await api.addAgent('other')];
    const permissions = ['approval.decide', 'order.refund'] as const;
    const admin = await callerOf(1 as UserId);
    await api.addUser({ name: 'stranger', permissions, scope: 'agent', agentId: other });
    expect(await ask(60_000, { caller: admin, agentId: own })).toMatchObject({ hasDecider: false });
    await api.addUser({ name: 'colleague', permissions, scope: 'agent', agentId: own });
    expect(await ask(60_000, { caller: admin, agentId: own })).toMatchObject({ hasDecider: true });
  });

  test('two accounts with one phone count as one person', async () => {
    const { id } = await api.addUser({ name: '13900000001', permissions: ['approval.decide', 'order.refund'] });
    const decidable = {
      kind: 'order_refund',
      agentId: null,
      askerId: clerk.userId,
      askedAt: now,
      subjectId: 5,
    } as const;
    const why = async () => whyNotDecide(api.database.db, await callerOf(id), decidable);
    expect(await why()).toBeNull();
    const phone = { phone: '13900000001' };
    await api.database.db.updateTable('users').set(phone).where('id', '=', clerk.userId).execute();
    expect(await why()).toBe('approval.same_phone');
    const { db } = api.database;
    await db.updateTable('users').set({ phone: null }).where('id', '=', clerk.userId).execute();
    const customer = await db
      .insertInto('customers')
      .values({ ...phone, nickname: 'Li' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('users').set({ customer_id: customer.id }).where('id', '=', clerk.userId).execute();
    expect(await why()).toBe('approval.same_phone');
  });
});

test('an act keeps its meaning while its asker reaches as much and the paying agent is the same', () => {
  const agents = (...ids: number[]) => ({ ...clerk, agents: ids as AgentId[] });
  const asked = (caller: Caller) =>
    storedApproval<'order_refund'>(caller, { orderId: 5 as OrderId, body: {} as never });
  expect(meansTheSame(clerk, asked(clerk))).toBe(true);
  expect(meansTheSame(clerk, asked(agents(1)))).toBe(false);
  expect(meansTheSame(agents(1), asked(clerk))).toBe(false);
  expect(meansTheSame(agents(1, 2), asked(agents(1)))).toBe(true);
  expect(meansTheSame(agents(2, 1), asked(agents(1)))).toBe(false);
  expect(meansTheSame(agents(1), asked(agents(1, 2)))).toBe(false);
});
