import type { GroupMember } from '@voltdeck/contract/group-members';
import type { OwnGroup, OwnOrderDetail, OwnProfile } from '@voltdeck/contract/own';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { triedGroupsPerDayMax } from '../groups/apply-to-group.ts';
import { errorOf, type GroupBench, groupBench, noon } from '../groups/test-groups.ts';
import { type Ask, openTestApi, type TestApi } from '../http/test-api.ts';
import type { CodeMessage } from '../sms/sms-sender.ts';

let api: TestApi;
let bench: GroupBench;
const messages: CodeMessage[] = [];
let networks = 0;
beforeAll(async () => {
  api = await openTestApi({
    sms: {
      async sendCode(message) {
        messages.push(message);
        return { ok: true, value: null };
      },
    },
  });
  api.clock.now = noon;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  bench = groupBench(api);
});
afterAll(() => api.close());

async function enter(phone: string): Promise<Ask> {
  networks += 1;
  const ask: Ask = { token: null, headers: { 'x-forwarded-for': `198.51.100.${networks}` } };
  await api.post('/my/codes', { phone }, ask);
  const code = messages.at(-1)?.code ?? '';
  const opened = await api.post<{ token: string; customer: OwnProfile }>('/my/sessions', { phone, code }, ask);
  return { token: opened.data.token, language: 'en' };
}

const mine = (ask: Ask) => api.get<OwnGroup | null>('/my/group', ask);

test('a customer applies by the number of the group’s card, is agreed to, and leaves again', async () => {
  const group = await bench.addGroup({ monthLimitFen: 9_000, hours: '08:00-20:00' });
  const place = await bench.addPlace();
  const ask = await enter(place.phone);
  expect((await mine(ask)).data).toBeNull();
  const applied = await api.post<OwnGroup>('/my/group', { cardNumber: group.cardNumber, name: 'Wang' }, ask);
  expect(applied.data).toMatchObject({ groupName: group.name, state: 'waiting', limitFen: 9_000, potFen: null });
  expect(errorOf(await api.post('/my/group', { cardNumber: group.cardNumber }, ask))).toBe(
    'group_member.named_already',
  );
  const seen = await api.get<GroupMember>(`/group-bindings/${applied.data.memberId}`);
  expect(seen.data).toMatchObject({ source: 'member', name: 'Wang', phone: place.phone });
  await bench.review(applied.data.memberId, 'agree');
  expect((await mine(ask)).data).toMatchObject({ state: 'bound', hours: '08:00-20:00', monthSpentFen: 0 });
  expect((await api.ask('DELETE', '/my/group', ask)).status).toBe(200);
  expect((await mine(ask)).data).toMatchObject({ state: 'released' });
  expect(errorOf(await api.ask('DELETE', '/my/group', ask))).toBe('group.not_bound');
});

test('whoever tries numbers of groups is stopped after some a day', async () => {
  const ask = await enter('13544440001');
  for (let tried = 0; tried < triedGroupsPerDayMax; tried += 1) {
    const cardNumber = `FFFFFFFFFFFF${String(tried).padStart(4, '0')}`;
    const wrong = await api.post('/my/group', { cardNumber }, ask);
    expect(wrong.envelope.message.fields).toMatchObject([{ path: 'cardNumber', code: 'unknown_reference' }]);
  }
  expect((await api.post('/my/group', { cardNumber: 'FFFFFFFFFFFFFFFF' }, ask)).status).toBe(429);
});

test('a rider sees who would pay, charges at the group’s expense, and owes nothing of what the group owes', async () => {
  const group = await bench.addGroup({ monthLimitFen: 9_000 });
  await bench.recharge(group, 150);
  const place = await bench.addPlace();
  await bench.bind(group, place.phone);
  const ask = await enter(place.phone);
  const qr = `${place.stationNumber}-1`;
  const payer = await api.get(`/my/connectors/${qr}/payer`, ask);
  expect(payer.data).toEqual({ group: { name: group.name, cannotPay: null, because: null, leftFen: 9_000 } });
  const self = await api.post('/my/orders', { qr, payer: 'self' }, ask);
  expect(errorOf(self)).toBe('balance.insufficient');
  const started = await api.post<OwnOrderDetail>('/my/orders', { qr }, ask);
  expect(started.data).toMatchObject({ groupName: group.name, state: 'placed' });
  await bench.settle(started.data.id, 10_000);
  const ended = await api.get<OwnOrderDetail>(`/my/orders/${started.data.id}`, ask);
  expect(ended.data).toMatchObject({ groupName: group.name, amountFen: 1_100, paidFen: 150, owedFen: 0 });
  expect((await api.get('/my/balance', ask)).data).toMatchObject({ owedFen: 0, balanceFen: 0 });
  const invoiceable = await api.get<{ items: object[] }>('/my/invoice-orders', ask);
  expect(invoiceable.data.items).toEqual([]);
});
