import type { Card } from '@voltdeck/contract/cards';
import type { Recharge } from '@voltdeck/contract/payments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const faultsOf = async (path: string, body: unknown, language: 'en' | 'zh-CN' = 'en') =>
  (await api.post(path, body, { language })).envelope.message.fields?.map(({ path: field, message }) => [
    field,
    message,
  ]);

describe('customers and cards', () => {
  test('a phone is 11 digits, its faults are distinguished, and it is registered once (section 5)', async () => {
    expect(await faultsOf('/customers', { phone: '1380000000x', nickname: 'Li' })).toEqual([
      ['phone', 'The phone must be numeric'],
    ]);
    expect(await faultsOf('/customers', { phone: '138', nickname: 'Li' })).toEqual([
      ['phone', 'The phone must be 11 digits'],
    ]);
    const made = await api.post('/customers', { phone: '13800000000', nickname: '小李' });
    expect(made.data).toMatchObject({ phone: '13800000000', nickname: '小李', state: 'normal', balanceFen: 0 });
    const again = await api.post('/customers', { phone: '13800000000', nickname: 'Li' }, { language: 'en' });
    expect(again.envelope.message).toMatchObject({ status: 409, message: 'Phone 13800000000 is already registered' });
  });

  test('a card has 16 of 0-9 A-F, and its physical number defaults to its number', async () => {
    expect(await faultsOf('/cards', { number: 'xyz' })).toEqual([
      ['number', 'Please Input A 16 Digit Card Number (0-9, A-F)'],
    ]);
    const plain = await api.post('/cards', { number: 'a1b2c3d4e5f60718', customerId: 1 });
    expect(plain.data).toMatchObject({
      number: 'A1B2C3D4E5F60718',
      physicalNumber: 'A1B2C3D4E5F60718',
      customerPhone: '13800000000',
    });
    const chip = await api.post('/cards', { number: '0000000000000001', physicalNumber: 'chip-7' });
    expect(chip.data).toMatchObject({ physicalNumber: 'CHIP-7' });
  });

  test('a card cannot have either number of another one', async () => {
    for (const body of [
      { number: 'A1B2C3D4E5F60718' },
      { number: '0000000000000002', physicalNumber: 'A1B2C3D4E5F60718' },
      { number: '0000000000000003', physicalNumber: 'Chip-7' },
    ]) {
      expect((await api.post('/cards', body)).envelope.message.error).toBe('card.number_taken');
    }
    expect(await faultsOf('/cards', { number: '0000000000000004', customerId: 99 })).toEqual([
      ['customerId', 'The chosen record does not exist'],
    ]);
  });
});

describe('a recharge', () => {
  test('a recharge fills a card, by either number, and a customer, and the books prove it', async () => {
    const byNumber = await api.post<Recharge>('/recharges', { cardNumber: 'a1b2c3d4e5f60718', amountFen: 5_000 });
    expect(byNumber.data).toMatchObject({
      cardNumber: 'A1B2C3D4E5F60718',
      customerId: null,
      amountFen: 5_000,
      balanceBeforeFen: 0,
      balanceAfterFen: 5_000,
    });
    expect(byNumber.data.number).toMatch(/^R\d{20}$/);
    await api.post('/recharges', { cardNumber: 'chip-7', amountFen: 300 });
    const second = await api.post<Recharge>('/recharges', { cardNumber: 'CHIP-7', amountFen: 200 });
    expect(second.data).toMatchObject({ balanceBeforeFen: 300, balanceAfterFen: 500 });
    const wallet = await api.post<Recharge>('/recharges', { customerPhone: '13800000000', amountFen: 100 });
    expect(wallet.data).toMatchObject({ customerPhone: '13800000000', cardId: null, balanceAfterFen: 100 });

    const cards = await api.get<{ items: { balanceFen: number }[] }>('/cards?sort=createdAt');
    expect(cards.data.items.map(({ balanceFen }) => balanceFen)).toEqual([5_000, 500]);
    expect((await api.get('/customers/1')).data).toMatchObject({ balanceFen: 100 });
    expect((await api.get('/ledger/proof')).data).toMatchObject({
      sumFen: 0,
      accounts: 4,
      transfers: 4,
      mismatches: 0,
    });
  });

  test('a recharge needs exactly one existing target, and an amount above zero', async () => {
    expect(await faultsOf('/recharges', { amountFen: 1 })).toEqual([['cardNumber', 'Required']]);
    const both = { cardNumber: 'A1B2C3D4E5F60718', customerPhone: '13800000000', amountFen: 1 };
    expect(await faultsOf('/recharges', both)).toEqual([['customerPhone', 'Only one of the two']]);
    expect(await faultsOf('/recharges', { cardNumber: 'NOBODY', amountFen: 1 }, 'zh-CN')).toEqual([
      ['cardNumber', '所选记录不存在'],
    ]);
    expect(await faultsOf('/recharges', { cardNumber: 'A1B2C3D4E5F60718', amountFen: 0 })).toEqual([
      ['amountFen', 'Must be at least 1'],
    ]);
    expect(await faultsOf('/recharges', { cardNumber: 'A1B2C3D4E5F60718', amountFen: 1.5 })).toEqual([
      ['amountFen', 'Must be a whole number'],
    ]);
  });

  test('simultaneous recharges of one card add up', async () => {
    const before = (await api.get<{ balanceFen: number }>('/cards/1')).data.balanceFen;
    const body = { cardNumber: 'A1B2C3D4E5F60718', amountFen: 7 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post<Recharge>('/recharges', body)));
    const after = answers.map(({ data }) => data.balanceAfterFen).sort((a, b) => a - b);
    expect(after).toEqual(Array.from({ length: 20 }, (_, index) => before + 7 * (index + 1)));
  });

  test('a tampered balance is found', async () => {
    await api.database.pool.query(`update ledger_accounts set balance_fen = balance_fen + 1 where key = 'card:1'`);
    expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 1, mismatches: 1 });
    await api.database.pool.query(`update ledger_accounts set balance_fen = balance_fen - 1 where key = 'card:1'`);
  });
});

test('a recharge and the cancellation of its card at the same time leave no money on the cancelled card', async () => {
  for (let round = 0; round < 10; round += 1) {
    const number = `CA0000000000000${round}`;
    const { data: card } = await api.post<{ id: number }>('/cards', { number });
    const [cancelled, recharged] = await Promise.all([
      api.post(`/cards/${card.id}/cancellations`, { payout: 'cash', reason: 'lost interest' }),
      api.post('/recharges', { cardNumber: number, amountFen: 777 }),
    ]);
    expect([cancelled.status, recharged.status].filter((status) => status === 200).length, `round ${round}`).not.toBe(
      0,
    );
    const { data } = await api.get<{ state: string; balanceFen: number }>(`/cards/${card.id}`);
    if (data.state === 'cancelled') expect(data.balanceFen, `round ${round}`).toBe(0);
  }
});

test('a card is listed with its balance, its state and its agent, and found by state and agent', async () => {
  const agentId = await api.addAgent('Card agent');
  const permissions = ['card.read', 'card.edit'] as const;
  const { token } = await api.addUser({ name: 'card-issuer', permissions, scope: 'agent', agentId });
  const { id } = (await api.post<Card>('/cards', { number: '00000000000000A7' }, { token })).data;
  await api.post('/recharges', { cardNumber: '00000000000000A7', amountFen: 700 });
  expect((await api.post(`/cards/${id}/losses`)).status).toBe(200);
  const listed = async (query: string) => (await api.get<{ items: Card[] }>(`/cards?${query}`)).data.items;
  expect(await listed('number=00000000000000A7')).toMatchObject([
    { id, balanceFen: 700, state: 'lost', agentId, agentName: 'Card agent' },
  ]);
  expect(await listed('number=a1b2c3d4e5f60718')).toMatchObject([{ state: 'active', agentId: null, agentName: null }]);
  expect((await listed(`agentId=${agentId}&state=lost`)).map((card) => card.id)).toEqual([id]);
  expect(await listed(`agentId=${agentId}&state=active`)).toEqual([]);
});
