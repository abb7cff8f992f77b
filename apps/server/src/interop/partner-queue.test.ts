import type { Waits } from '@voltdeck/contract/approvals';
import type { PartnerDelivery, PartnerExchange } from '@voltdeck/contract/partner-deliveries';
import type { Deposit, PartnerMovement } from '@voltdeck/contract/partner-deposits';
import type { PartnerDetail } from '@voltdeck/contract/partners';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { Id, PartnerId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf } from '../http/test-records.ts';

let api: TestApi;
let made = 0;
const now = instant(Date.parse('2026-11-28T04:00:00Z'));
const everything = Object.keys(permissions) as Permission[];

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function newPartner(more: object = {}): Promise<PartnerId> {
  made += 1;
  const form = { operatorId: `MA0QUEU${String(made).padStart(2, '0')}`, name: `Operator ${made}`, role: 'demand' };
  return (await api.post<PartnerDetail>('/partners', { ...form, baseUrl: 'https://charge.example', ...more })).data.id;
}

describe('a deposit', () => {
  const deposit = (id: PartnerId, amountFen: number, ask = {}) =>
    api.post<Deposit>(`/partners/${id}/deposits`, { amountFen, remark: 'Bank transfer 42' }, ask);

  test('is free to charge with, and a retry of entering it enters it once', async () => {
    const id = await newPartner();
    const first = await deposit(id, 50_000, { key: 'deposit-1' });
    const second = await deposit(id, 50_000, { key: 'deposit-1' });
    expect(first.data).toMatchObject({ amountFen: 50_000, balanceBeforeFen: 0, balanceAfterFen: 50_000, repaidFen: 0 });
    expect(second.data).toEqual(first.data);
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(50_000);
    expect((await api.get<PartnerDetail>(`/partners/${id}`)).data).toMatchObject({ balanceFen: 50_000, owedFen: 0 });
    const { items } = (await api.get<{ items: PartnerMovement[] }>(`/partner-movements?partnerId=${id}`)).data;
    expect(items).toMatchObject([{ number: first.data.number, amountFen: 50_000, balanceAfterFen: 50_000 }]);
  });

  test('is refused without a key, without a remark, and for a platform that only supervises', async () => {
    const id = await newPartner();
    expect((await deposit(id, 100, { key: null })).envelope.message.error).toBe('request.key_missing');
    const bare = await api.post(`/partners/${id}/deposits`, { amountFen: 100, remark: '' });
    expect(bare.envelope.message.fields).toMatchObject([{ path: 'remark' }]);
    const negative = await deposit(id, -100);
    expect(negative.envelope.message.fields).toMatchObject([{ path: 'amountFen', code: 'too_small' }]);
    const supervision = await newPartner({ role: 'supervision' });
    expect((await deposit(supervision, 100)).envelope.message.error).toBe('partner.no_deposit');
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(0);
  });

  test('a large one waits for a second person, who carries it out', async () => {
    const id = await newPartner();
    const waits = await api.post<Waits>(`/partners/${id}/deposits`, { amountFen: 2_000_000, remark: 'Large' });
    expect(waits.data.waitsFor.number).toMatch(/^P/);
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(0);
    const checker = await api.addUser({ name: 'checker', permissions: everything });
    const decided = await api.post(
      `/approvals/${waits.data.waitsFor.id}/decisions`,
      { decision: 'approve' },
      { token: checker.token },
    );
    expect(decided.envelope.message).toMatchObject({ status: 200 });
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(2_000_000);
  });

  test('what was entered wrongly is reversed, in part or as a whole, and only its own list shows it to anybody', async () => {
    const id = await newPartner();
    const wrong = (await deposit(id, 9_000)).data;
    expect((await api.get(`/recharges/${wrong.id}/refunds`)).data).toMatchObject({ refundableFen: 9_000 });
    const part = await api.post(`/recharges/${wrong.id}/refunds`, { amountFen: 1_000, reason: 'Paid twice' });
    expect(part.envelope.message).toMatchObject({ status: 200 });
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(8_000);
    const other = (await deposit(id, 500)).data;
    const reversed = await api.post(`/recharges/${other.id}/reversals`, { reason: 'Another partner' });
    expect(reversed.envelope.message).toMatchObject({ status: 200 });
    expect(await balanceOf(api.database, `partner:${id}`)).toBe(8_000);
    const { items } = (await api.get<{ items: PartnerMovement[] }>(`/partner-movements?partnerId=${id}`)).data;
    expect(items.map(({ amountFen }) => amountFen)).toEqual([-500, 500, -1_000, 9_000]);
    const inAll = await api.get<{ items: unknown[] }>(`/movements?number=${wrong.number}`);
    expect(inAll.data.items).toEqual([]);
    const recharge = await api.get<{ items: unknown[] }>(`/recharges?number=${wrong.number}`);
    expect(recharge.data.items).toMatchObject([{ partnerId: id, partnerName: expect.any(String) }]);
  });

  test('a partner with a deposit is not deleted', async () => {
    const id = await newPartner();
    await deposit(id, 100);
    expect((await api.ask('DELETE', `/partners/${id}`)).envelope.message.error).toBe('partner.in_use');
  });
});

describe('the queue of deliveries', () => {
  type State = PartnerDelivery['state'];
  async function addDelivery(
    partnerId: PartnerId,
    { kind, subject, state }: { kind: PartnerDelivery['kind']; subject: string; state: State },
    at: Instant = now,
  ): Promise<Id<'partner_delivery'>> {
    const { id } = await api.database.db
      .insertInto('partner_deliveries')
      .values({
        partner_id: partnerId,
        kind,
        subject,
        state,
        tries: 8,
        next_at: state === 'pending' ? instant(now + 60 * minuteMs) : null,
        done_at: state === 'pending' ? null : now,
        ret: state === 'failed' ? 4004 : null,
        answer: state === 'failed' ? '{"Phone":"13800005678"}' : '',
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const listed = async (query: string, ask = {}) =>
    (await api.get<{ items: PartnerDelivery[] }>(`/partner-deliveries?${query}`, ask)).data.items;
  const replay = (ids: number[], ask = {}) => api.post<{ count: number }>('/partner-deliveries/replays', { ids }, ask);

  test('several kinds and states are one list in its order, each delivery once, and pages go through it', async () => {
    const partnerId = await newPartner();
    const ids: number[] = [];
    for (const [place, kind] of (['order', 'status', 'start_result', 'order', 'status', 'order'] as const).entries()) {
      const state = (['delivered', 'failed', 'superseded'] as const)[place % 3] ?? 'failed';
      ids.push(await addDelivery(partnerId, { kind, subject: `p${place}`, state }, instant(now + place)));
    }
    const newestOf = (...places: number[]) => places.map((place) => ids[place]);
    const idsOf = async (query: string) => (await listed(`partnerId=${partnerId}&${query}`)).map(({ id }) => id);
    expect(await idsOf('kind=order,status,order')).toEqual(newestOf(5, 4, 3, 1, 0));
    expect(await idsOf('kind=order')).toEqual(newestOf(5, 3, 0));
    expect(await idsOf('state=superseded,failed')).toEqual(newestOf(5, 4, 2, 1));
    expect(await idsOf('kind=order,start_result&state=superseded,delivered')).toEqual(newestOf(5, 3, 2, 0));
    expect(await idsOf('kind=order,status&pageSize=2&page=2')).toEqual(newestOf(3, 1));
    const page = await api.get<{ total: number }>(
      `/partner-deliveries?partnerId=${partnerId}&kind=order,status,order&pageSize=2`,
    );
    expect(page.data.total).toBe(5);
  });

  test('a failed fact is told again from its first try on, by the same delivery', async () => {
    api.clock.now = now;
    const partnerId = await newPartner();
    const id = await addDelivery(partnerId, { kind: 'order', subject: '1', state: 'failed' });
    expect((await api.get<PartnerDetail>(`/partners/${partnerId}`)).data.failedDeliveries).toBe(1);
    expect((await replay([id])).data).toEqual({ count: 1 });
    const items = await listed(`partnerId=${partnerId}`);
    expect(items).toMatchObject([
      { id, state: 'pending', tries: 0, nextAt: '2026-11-28T04:00:00.000Z', doneAt: null, ret: 4004 },
    ]);
    api.clock.now = null;
  });

  test('of a state, however many deliveries are chosen, only the present one is told', async () => {
    const partnerId = await newPartner();
    const failed = [
      await addDelivery(partnerId, { kind: 'status', subject: '7', state: 'failed' }),
      await addDelivery(partnerId, { kind: 'status', subject: '7', state: 'superseded' }),
    ];
    expect((await replay(failed)).data).toEqual({ count: 2 });
    expect(await listed(`partnerId=${partnerId}&state=pending`)).toHaveLength(1);
    expect((await replay(failed)).status).toBe(200);
    expect(await listed(`partnerId=${partnerId}&state=pending`)).toHaveLength(1);
    expect(await listed(`partnerId=${partnerId}&state=failed,superseded`)).toHaveLength(2);
  });

  test('a pending one is due at once, and giving up ends what is pending and nothing else', async () => {
    api.clock.now = now;
    const partnerId = await newPartner();
    const pending = await addDelivery(partnerId, { kind: 'order', subject: '2', state: 'pending' });
    const delivered = await addDelivery(partnerId, { kind: 'order', subject: '3', state: 'delivered' });
    await replay([pending]);
    expect(await listed(`partnerId=${partnerId}&state=pending`)).toMatchObject([
      { nextAt: '2026-11-28T04:00:00.000Z', tries: 8 },
    ]);
    const given = await api.post<{ count: number }>('/partner-deliveries/give-ups', { ids: [pending, delivered] });
    expect(given.data).toEqual({ count: 1 });
    expect(await listed(`partnerId=${partnerId}&state=failed`)).toMatchObject([{ id: pending, nextAt: null }]);
    expect(await listed(`partnerId=${partnerId}&state=delivered`)).toMatchObject([{ id: delivered }]);
    api.clock.now = null;
  });

  test('who sees people masked sees them masked in answers, and may not replay without the right', async () => {
    const partnerId = await newPartner();
    const id = await addDelivery(partnerId, { kind: 'order', subject: '4', state: 'failed' });
    const { token } = await api.addUser({ name: 'watcher', permissions: ['partner_delivery.read'] });
    expect(await listed(`partnerId=${partnerId}`, { token })).toMatchObject([{ answer: '{"Phone":"138****5678"}' }]);
    expect(await listed(`partnerId=${partnerId}`)).toMatchObject([{ answer: '{"Phone":"13800005678"}' }]);
    expect((await replay([id], { token })).status).toBe(403);
    expect((await listed(`partnerId=${partnerId}&state=failed`)).map((row) => row.id)).toEqual([id]);
  });

  test('agents can neither replay nor give up', async () => {
    const partnerId = await newPartner();
    const id = await addDelivery(partnerId, { kind: 'order', subject: '5', state: 'failed' });
    const agentId = await api.addAgent('Outsider');
    const { token } = await api.addUser({ name: 'outsider', agentId, scope: 'agent', permissions: everything });
    expect((await replay([id], { token })).status).toBe(403);
    expect((await api.post('/partner-deliveries/give-ups', { ids: [id] }, { token })).status).toBe(403);
  });
});

test('exchanges need a right of their own, and people in them are masked', async () => {
  const partnerId = await newPartner();
  const common = { direction: 'in', took_ms: 12, address: '203.0.113.7', http_status: 200 } as const;
  await api.database.db
    .insertInto('partner_exchanges')
    .values([
      {
        ...common,
        at: now,
        partner_id: partnerId,
        interface: 'query_start_charge',
        request: '{"PhoneNum":"13800005678"}',
        answer: '{"SuccStat":0}',
        ret: 0,
      },
      {
        ...common,
        at: instant(now + 1),
        partner_id: null,
        interface: 'query_token',
        request: '',
        answer: '',
        ret: 4001,
      },
    ])
    .execute();
  const listed = async (query: string, ask = {}) =>
    (await api.get<{ items: PartnerExchange[] }>(`/partner-exchanges?${query}`, ask)).data.items;
  const { token } = await api.addUser({ name: 'reads', permissions: ['partner.read', 'partner.exchanges'] });
  expect(await listed(`partnerId=${partnerId}`, { token })).toMatchObject([
    { interfaceName: 'query_start_charge', request: '{"PhoneNum":"138****5678"}', answer: '{"SuccStat":0}' },
  ]);
  expect(await listed('failed=true')).toMatchObject([{ partnerId: null, partnerName: null, ret: 4001 }]);
  const without = await api.addUser({ name: 'reads nothing', permissions: ['partner.read'] });
  expect((await api.get('/partner-exchanges', { token: without.token })).status).toBe(403);
});
