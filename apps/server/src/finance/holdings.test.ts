import type { ListAnswer } from '@voltdeck/contract/fields';
import { type getHoldings, type Holding, type HoldingAccount, holdings } from '@voltdeck/contract/holdings';
import type { AnswerOf } from '@voltdeck/contract/route';
import { accountKinds } from '@voltdeck/ledger/chart';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';
import { proveNewTransfers } from '../ledger/prove-new-transfers.ts';
import { keepSums } from './keep-sums.ts';
import { liveOn, makeTree, payOut, settleNow, type Tree } from './test-finance.ts';

type Answer = AnswerOf<typeof getHoldings>;

let api: TestApi;
let tree: Tree;
let own: Place;
const days = ['2030-01-10', '2030-01-11', '2030-01-12'] as const;

beforeAll(async () => {
  api = await openTestApi();
  // Each place comes with a card that has 100 yuan from the front desk.
  tree = await makeTree(api, 'holdings');
  own = await makePlace(api.database, null, 'own');
  await liveOn(api, days[0]);
  await settleNow(api, tree.place);
  await liveOn(api, days[1]);
  const gift = { cardNumber: own.cardNumber, amountFen: 300, reason: 'A welcome' };
  expect((await api.post('/gifts', gift)).status).toBe(200);
  const recharge = { customerPhone: own.phone, amountFen: 5_000 };
  expect((await api.post('/recharges', recharge)).status).toBe(200);
  const withdrawal = { customerId: own.customerId, amountFen: 2_000 };
  expect((await api.post('/withdrawals', withdrawal)).status).toBe(200);
  await liveOn(api, days[2]);
  await payOut(api, tree.city, 600);
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const at = async (day?: string) => {
  const answer = await api.get<Answer>(`/holdings${day === undefined ? '' : `?day=${day}`}`);
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};
const amounts = ({ rows }: Answer) =>
  Object.fromEntries(
    rows.filter(({ amountFen }) => amountFen !== 0).map(({ holding, amountFen }) => [holding, amountFen]),
  );

/** Reckoned by hand: two cards of 100 yuan, an order of 11 yuan, and then what the days brought. */
const expected: Readonly<Record<(typeof days)[number], Partial<Record<Holding, number>>>> = {
  [days[0]]: {
    customers_paid: 20_000 - 1_100,
    agent_shares: 821,
    divider_shares: 127,
    channels: 20_000,
    income: 1_100 - 821 - 127 - 6 - 40,
    channel_fees: 6,
    commission: 40,
  },
  [days[1]]: {
    customers_paid: 18_900 + 5_000 - 2_000,
    customers_gift: 300,
    withdrawals: 2_000,
    agent_shares: 821,
    divider_shares: 127,
    channels: 25_000,
    income: 106,
    channel_fees: 6,
    commission: 40,
    gifts: -300,
  },
  [days[2]]: {
    customers_paid: 21_900,
    customers_gift: 300,
    withdrawals: 2_000,
    agent_shares: 221,
    agent_balances: 600,
    divider_shares: 127,
    channels: 25_000,
    income: 106,
    channel_fees: 6,
    commission: 40,
    gifts: -300,
  },
};

describe.each([
  ['from the books alone', async () => undefined],
  [
    'from what the job kept',
    async () => {
      await proveNewTransfers(api.database.db, api.context.now());
      await keepSums(api.database.db);
    },
  ],
])('what is owed and held, %s,', (_how, prepare) => {
  beforeAll(prepare);

  test.each(days)('is right at the end of %s and comes to zero with the ledger', async (day) => {
    const answer = await at(day);
    expect(amounts(answer)).toEqual(expected[day]);
    const sum = (side: string) =>
      answer.rows.reduce((total, row) => (row.side === side ? total + row.amountFen : total), 0);
    expect(answer).toMatchObject({
      day,
      owedFen: sum('owed'),
      heldFen: sum('held'),
      ownFen: answer.heldFen - answer.owedFen,
      differenceFen: 0,
    });
    expect(answer.channels.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(sum('held'));
  });

  test('is empty before the first transfer, and a day to come is refused', async () => {
    expect(amounts(await at('2020-01-01'))).toEqual({});
    const answer = await api.get('/holdings?day=2030-01-13', { language: 'en' });
    expect(answer.envelope.message).toMatchObject({
      error: 'finance.day_to_come',
      message: '2030-01-13 is yet to come. Choose today or an earlier day',
    });
  });

  test.each([days[0], days[1], undefined])('has accounts that add up to each row (%s)', async (day) => {
    const answer = await at(day);
    const to = day === undefined ? '' : `&to=${day}T23:59:59%2B08:00`;
    for (const { holding, side, amountFen } of answer.rows) {
      const { data } = await api.get<ListAnswer<HoldingAccount>>(
        `/holdings/accounts?pageSize=100&holding=${holding}${to}`,
      );
      const sum = data.items.reduce((total, { balanceFen }) => total + balanceFen, 0);
      expect([holding, side === 'held' ? 0 - sum : sum]).toEqual([holding, amountFen]);
    }
  });
});

test('the accounts of today are the ledger’s', async () => {
  const { data } = await api.get<ListAnswer<HoldingAccount>>('/holdings/accounts?pageSize=100&holding=agent_balances');
  expect(data.items).toMatchObject([{ key: `agent-balance:${tree.city}`, balanceFen: 600, holding: 'agent_balances' }]);
  expect(await balanceOf(api.database, `agent-balance:${tree.city}`)).toBe(600);
});

test('is the platform’s to see, whatever an agent’s position grants', async () => {
  const { token } = await api.addUser({
    name: 'city',
    permissions: ['finance.read', 'finance.holdings'],
    scope: 'agent',
    agentId: tree.city,
  });
  expect((await api.get('/holdings', { token })).status).toBe(403);
  expect((await api.get('/holdings/accounts', { token })).status).toBe(403);
  const { token: reader } = await api.addUser({ name: 'reader', permissions: ['finance.read'] });
  expect((await api.get('/holdings', { token: reader })).status).toBe(403);
});

test('every kind of account is owed, held or own, and one of them only', () => {
  const kinds = Object.values(holdings).flatMap((holding) => [...holding.kinds]);
  expect([...kinds].sort()).toEqual([...accountKinds].sort());
});

describe('open coupons', () => {
  const openOn = async (day: string) => (await at(day)).openCouponsFen;
  const coupon = async (columns: string, values: string) => {
    const { rows } = await api.database.pool.query<{ id: number }>(
      `insert into coupons (name, kind, bearer, created_at, ${columns}) values ('Welcome', ${values}) returning id`,
    );
    return rows[0]?.id ?? 0;
  };
  const give = (id: number, givenOn: string, used: string | null = null, amountFen: number | null = null) =>
    api.database.pool.query(
      `insert into customer_coupons (coupon_id, customer_id, given_at, used_at, order_id, amount_fen)
       select $1, $2, ($3 || 'T12:00:00+08:00')::timestamptz, ($4 || 'T12:00:00+08:00')::timestamptz,
              case when $4::text is null then null else (select max(id) from orders) end, $5`,
      [id, own.customerId, givenOn, used, amountFen],
    );

  test('are as they were at the end of a day, whatever was used or stopped since', async () => {
    expect(await openOn(days[2])).toBe(0);
    const id = await coupon('amount_fen, budget_fen, used_fen', `'amount', 'platform', now(), 500, 600, 400`);
    await give(id, days[0]);
    await give(id, days[0], days[2], 400);
    // Two of ¥5 within a budget of ¥6; one of them took ¥4 on the last day.
    expect([await openOn(days[0]), await openOn(days[1]), await openOn(days[2])]).toEqual([600, 600, 200]);
    const stopped = await coupon(
      'amount_fen, stopped_at',
      `'amount', 'platform', now(), 300, '${days[1]}T12:00:00+08:00'`,
    );
    await give(stopped, days[0]);
    expect([await openOn(days[0]), await openOn(days[1])]).toEqual([900, 600]);
    // A percentage without a limit takes off what its budget has left.
    const percent = await coupon('percent, budget_fen', `'percent', 'site', now(), 20, 5000`);
    await give(percent, days[0]);
    expect(await openOn(days[0])).toBe(5_900);
  });
});
