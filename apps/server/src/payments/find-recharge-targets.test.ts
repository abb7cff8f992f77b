import type { findRechargeTargets } from '@voltdeck/contract/payments';
import type { AnswerOf } from '@voltdeck/contract/route';
import { instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'targets');
});
afterAll(() => api.close());

const find = async (query: string, token?: string) =>
  api.get<AnswerOf<typeof findRechargeTargets>>(`/recharges/targets?${query}`, {
    language: 'en',
    ...(token === undefined ? {} : { token }),
  });
const found = async (query: string, token?: string) => (await find(query, token)).data.targets;

describe('whom to recharge', () => {
  test('a card and a registered user are found by any part of their number, with what they have and owe', async () => {
    await makeSettledOrder(api.database, place, {
      electricityFeeFen: 9_000,
      serviceFeeFen: 3_000,
      settledAt: instant(Date.now()),
      payer: 'card',
    });
    const [card] = await found(`text=${place.cardNumber.toLowerCase()}`);
    expect(card).toEqual({
      kind: 'card',
      cardId: place.cardId,
      cardNumber: place.cardNumber,
      customerId: null,
      customerPhone: place.phone,
      nickname: 'Customer targets',
      cardState: 'active',
      balanceFen: 0,
      heldFen: 0,
      owedFen: 2_000,
      paidFen: 0,
      giftFen: 0,
      frozenFen: 0,
    });
    expect(await found(`text=${place.phone.slice(3)}`)).toMatchObject([
      { kind: 'customer', customerId: place.customerId, customerPhone: place.phone, owedFen: 0 },
    ]);
    expect(await found(`cardId=${place.cardId}`)).toEqual([card]);
    expect(await found(`customerId=${place.customerId}`)).toMatchObject([{ kind: 'customer' }]);
    expect(await found('cardId=99999')).toEqual([]);
  });

  test('a whole number comes before numbers that contain it, and ten are the most', async () => {
    for (let serial = 0; serial < 12; serial += 1) {
      const number = `5EED${serial.toString(16).padStart(12, '0')}`;
      await api.post('/cards', { number, physicalNumber: serial === 11 ? '5EED' : undefined });
    }
    const cards = await found('text=5EED');
    expect(cards).toHaveLength(10);
    expect(cards[0]?.cardNumber).toBe('5EED00000000000b'.toUpperCase());
  });

  test('a whole number is found among more cards than are put in order', async () => {
    await sql`insert into cards (number, physical_number, agent_id)
              select 'CAFE' || lpad(to_hex(n), 12, '0'), 'CAFE' || lpad(to_hex(n), 12, '0'), null from generate_series(1, 1100) n`.execute(
      api.database.db,
    );
    await api.post('/cards', { number: 'FFFFFFFFFFFFFFFF', physicalNumber: 'CAFE' });
    const [first] = await found('text=cafe');
    expect(first?.cardNumber).toBe('FFFFFFFFFFFFFFFF');
  });

  test('a text below four characters is refused, and nothing is found without one', async () => {
    expect((await find('text=AAA')).envelope.message.fields).toMatchObject([{ path: 'text', code: 'too_short' }]);
    expect(await found('')).toEqual([]);
  });

  test('users who see numbers masked find by the whole number or its last four, and never by the middle', async () => {
    const { token } = await api.addUser({ name: 'till', permissions: ['recharge.create'] });
    const masked = await found(`text=${place.phone}`, token);
    expect(masked).toMatchObject([{ customerId: place.customerId, customerPhone: expect.stringContaining('*') }]);
    const byEnd = await found(`text=${place.phone.slice(-4)}`, token);
    expect(byEnd.map(({ customerId }) => customerId)).toContain(place.customerId);
    expect(await found(`text=${place.phone.slice(2, 8)}`, token)).toEqual([]);
  });

  test('an agent finds its own cards and their holders, and learns what it can still pay from', async () => {
    const agentId = await api.addAgent('Till agent');
    const own = await makePlace(api.database, agentId, 'own');
    const { token } = await api.addUser({
      name: 'agent-till',
      permissions: ['recharge.create', 'personal.reveal'],
      scope: 'agent',
      agentId,
    });
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 70_000, reason: 'Paid in beforehand' });
    expect((await find(`text=${own.cardNumber}`, token)).data).toMatchObject({
      targets: [{ cardId: own.cardId }],
      prepaidFen: 70_000,
    });
    expect(await found(`text=${own.phone}`, token)).toHaveLength(1);
    expect(await found(`text=${place.cardNumber}`, token)).toEqual([]);
    expect(await found(`text=${place.phone}`, token)).toEqual([]);
    expect(await found(`cardId=${place.cardId}`, token)).toEqual([]);
    expect((await find(`text=${place.cardNumber}`)).data.prepaidFen).toBeNull();
  });
});

describe('the recharge records', () => {
  test('a recharge is found by its number, its card, its user and its time, with who entered it and why', async () => {
    const made = await api.post<{ number: string; createdAt: string; id: number }>('/recharges', {
      cardId: place.cardId,
      amountFen: 5_000,
      remark: 'Cash at the front desk',
    });
    const listed = async (query: string) =>
      (await api.get<{ items: object[] }>(`/recharges?${query}`, { language: 'en' })).data.items;
    const { number, createdAt, id } = made.data;
    const [record] = await listed(`number=${number}`);
    expect(record).toMatchObject({
      operatorName: 'Administrator',
      remark: 'Cash at the front desk',
      nickname: 'Customer targets',
    });
    expect(await listed(`cardId=${place.cardId}`)).toHaveLength(1);
    expect(await listed(`customerId=${place.customerId}`)).toHaveLength(0);
    expect(await listed(`number=${number}&from=${createdAt}&to=${createdAt}`)).toHaveLength(1);
    expect(await listed(`number=${number}&to=2020-01-01T00:00:00Z`)).toHaveLength(0);
    expect(await listed(`number=${number}&reversed=false`)).toHaveLength(1);
    await api.post(`/recharges/${id}/reversals`, { reason: 'Wrong card' });
    expect(await listed(`number=${number}&reversed=false`)).toHaveLength(0);
    expect(await listed(`number=${number}&reversed=true`)).toHaveLength(1);
  });
});
