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

describe('billing rules', () => {
  const prices = Object.fromEntries(
    ['sharp', 'peak', 'flat', 'valley'].map((period) => [period, { electricity: 100, service: 50 }]),
  );
  const slot = (start: string, end: string, period = 'flat') => ({ start, end, period });
  const energy = (slots: object[]) => ({ kind: 'energy', name: 'Day', prices, slots });

  test('an energy rule is returned as given, in the order of the day', async () => {
    const made = await api.post<{ id: number }>(
      '/tariffs',
      energy([slot('07:00', '24:00'), slot('00:00', '07:00', 'valley')]),
    );
    const read = await api.get(`/tariffs/${made.data.id}`);
    expect(read.data).toMatchObject({
      name: 'Day',
      kind: 'energy',
      stationCount: 0,
      detail: { kind: 'energy', prices, slots: [slot('00:00', '07:00', 'valley'), slot('07:00', '24:00')] },
    });
  });

  test('an hour rule has its defaults filled in', async () => {
    const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 100 }];
    const made = await api.post('/tariffs', { kind: 'hour', name: 'Bikes', tiers });
    expect(made.data).toMatchObject({
      kind: 'hour',
      detail: { kind: 'hour', stepMinutes: 60, measuredBy: 'average', longestRunHours: 12, tiers },
    });
  });

  test.each([
    [
      'a gap',
      energy([slot('00:00', '07:00'), slot('08:00', '24:00')]),
      'slots.1.start',
      '07:00 to 08:00 has no slot',
      '07:00 至 08:00 没有时段',
    ],
    [
      'an overlap',
      energy([slot('00:00', '08:00'), slot('07:00', '24:00')]),
      'slots.1.start',
      'Slots overlap from 07:00 to 08:00',
      '07:00 至 08:00 时段重叠',
    ],
    [
      'a start that is the end',
      energy([slot('00:00', '24:00'), slot('08:00', '08:00')]),
      'slots.1.end',
      'Start and end must differ',
      '开始与结束时间不能相同',
    ],
    [
      'a start after the end',
      energy([slot('00:00', '24:00'), slot('09:00', '08:00')]),
      'slots.1.end',
      'The start must be before the end',
      '开始时间须早于结束时间',
    ],
    [
      'a quarter of an hour',
      energy([slot('00:00', '00:15'), slot('00:15', '24:00')]),
      'slots.0.end',
      '00:15 must be on the hour or half hour',
      '时间 00:15 须为整点或半点',
    ],
    [
      'a missing price',
      { ...energy([slot('00:00', '24:00')]), prices: { ...prices, peak: { electricity: 1 } } },
      'prices.peak.service',
      'Required',
      '必填',
    ],
    [
      'a negative price',
      { ...energy([slot('00:00', '24:00')]), prices: { ...prices, peak: { electricity: -1, service: 0 } } },
      'prices.peak.electricity',
      'Must be at least 0',
      '不能小于 0',
    ],
    ['no slot', energy([]), 'slots', 'Required', '必填'],
    [
      '49 slots',
      energy(Array.from({ length: 49 }, () => slot('00:00', '00:30'))),
      'slots',
      'At most 48 entries',
      '最多 48 项',
    ],
    [
      'another kind',
      { kind: 'weight', name: 'x' },
      'kind',
      'Choose one of: energy, hour',
      '请从可选项中选择：energy, hour',
    ],
    [
      'tiers with a hole',
      { kind: 'hour', name: 'x', tiers: [{ fromW: 10, toW: null, feeFenPerStep: 1 }] },
      'tiers.0.fromW',
      '0 W to 10 W has no tier',
      '0 W 至 10 W 没有功率档',
    ],
  ])('%s is reported at its field in both languages', async (_what, body, path, english, chinese) => {
    expect((await faultsOf('/tariffs', body))?.[0]).toEqual([path, english]);
    expect((await faultsOf('/tariffs', body, 'zh-CN'))?.[0]).toEqual([path, chinese]);
  });
});
