import { type EmbeddedPayerAct, embeddedPayerActs } from '@voltdeck/contract/payment-channels';
import type { Answer, Api } from './api.ts';
import type { Dice } from './dice.ts';

/** Everything that acts can be done to; answers and books add to it between rounds. */
export type MoneyWorld = {
  cards: { id: number; number: string }[];
  customers: { id: number; phone: string }[];
  recharges: number[];
  withdrawals: number[];
  orders: number[];
  approvals: number[];
  /** Transfers of the books that a person entered. */
  entries: number[];
};

/** One request that moves money, or tries to. Its key stands in what it writes, so that the books name it. */
export type MoneyAct = {
  what: keyof typeof acts;
  method: 'POST' | 'PUT';
  path: string;
  body: object;
  key: string;
  /** What the payer of a code does, and how the channel tells of it: at once, late, twice or never. */
  payer?: EmbeddedPayerAct | undefined;
};

/** What the second person sends: decisions, and applications, which the first one then reviews. */
export function isOfChecker({ what }: Pick<MoneyAct, 'what'>): boolean {
  return what === 'decide' || what === 'applyForWithdrawal';
}

type Choice = { chance: Dice; world: MoneyWorld; key: string };
type Made = { method?: 'PUT'; path: string; body: object; payer?: EmbeddedPayerAct };

const nobody = 999_999_999;

/** Mostly an amount that may succeed, sometimes one that must not. */
function amountOf(chance: Dice): number {
  return chance.pick([
    chance.whole(1, 900),
    chance.whole(1, 900),
    chance.whole(1, 5_000),
    chance.whole(5_000, 40_000),
    0,
    -chance.whole(1, 500),
    1.5,
    100_000_000_000,
  ]);
}

const idOf = (chance: Dice, ids: readonly number[]) =>
  ids.length === 0 || chance.next() < 0.04 ? nobody : chance.pick(ids);

function holderOf({ chance, world }: Choice, names: { card: string; customer: string }): object {
  if (chance.next() < 0.03) return { [names.card]: 'ABCDEFABCDEFABCD' };
  return chance.next() < 0.5
    ? { [names.card]: chance.pick(world.cards).number }
    : { [names.customer]: chance.pick(world.customers).phone };
}

const holder = { card: 'cardNumber', customer: 'customerPhone' };

const acts = {
  recharge: (of: Choice): Made => ({
    path: '/recharges',
    body: { ...holderOf(of, holder), amountFen: amountOf(of.chance), remark: of.key },
  }),
  rechargeByCode: ({ chance, world }: Choice): Made => ({
    path: '/recharge-codes',
    body: {
      ...(chance.next() < 0.5
        ? { cardId: chance.pick(world.cards).id }
        : { customerId: chance.pick(world.customers).id }),
      amountFen: amountOf(chance),
      channel: 'embedded',
    },
    payer: chance.pick(embeddedPayerActs),
  }),
  reverseRecharge: ({ chance, world, key }: Choice): Made => ({
    path: `/recharges/${idOf(chance, world.recharges)}/reversals`,
    body: { reason: key },
  }),
  refundRecharge: ({ chance, world, key }: Choice): Made => ({
    path: `/recharges/${idOf(chance, world.recharges)}/refunds`,
    body: { amountFen: amountOf(chance), reason: key },
  }),
  transfer: (of: Choice): Made => ({
    path: '/transfers',
    body: {
      ...holderOf(of, { card: 'fromCardNumber', customer: 'fromCustomerPhone' }),
      ...holderOf(of, { card: 'toCardNumber', customer: 'toCustomerPhone' }),
      amountFen: amountOf(of.chance),
      reason: of.key,
    },
  }),
  gift: (of: Choice): Made => ({
    path: '/gifts',
    body: { ...holderOf(of, holder), amountFen: amountOf(of.chance), reason: of.key },
  }),
  deductGift: (of: Choice): Made => ({
    path: '/gift-deductions',
    body: { ...holderOf(of, holder), amountFen: amountOf(of.chance), reason: of.key },
  }),
  applyForWithdrawal: ({ chance, world, key }: Choice): Made => ({
    path: '/withdrawals',
    body: {
      customerPhone: chance.pick(world.customers).phone,
      amountFen: amountOf(chance),
      remark: key,
      ...chance.pick([
        {},
        { way: 'bank', payeeAccount: '6222020200001234567' },
        // A payout that is done at once, in a minute, and never.
        { way: 'embedded', payeeAccount: chance.pick(['openid-1', 'late', 'refused']) },
      ]),
    },
  }),
  reviewWithdrawal: ({ chance, world, key }: Choice): Made => ({
    path: `/withdrawals/${idOf(chance, world.withdrawals)}/reviews`,
    body: chance.next() < 0.6 ? { decision: 'pass' } : { decision: 'reject', reason: key },
  }),
  payWithdrawal: ({ chance, world, key }: Choice): Made => ({
    path: `/withdrawals/${idOf(chance, world.withdrawals)}/payments`,
    body: { receipt: key },
  }),
  retryWithdrawal: ({ chance, world }: Choice): Made => ({
    path: `/withdrawals/${idOf(chance, world.withdrawals)}/retries`,
    body: {},
  }),
  settleOrder: ({ chance, world, key }: Choice): Made => ({
    path: `/orders/${idOf(chance, world.orders)}/settlements`,
    body: {
      energyWh: chance.pick([0, chance.whole(1, 30_000), chance.whole(30_000, 200_000), -1]),
      endedAt: new Date(Date.now() - chance.whole(0, 60) * 60_000).toISOString(),
      reason: key,
    },
  }),
  cancelOrder: ({ chance, world }: Choice): Made => ({
    path: `/orders/${idOf(chance, world.orders)}/cancellations`,
    body: {},
  }),
  refundOrder: ({ chance, world, key }: Choice): Made => ({
    path: `/orders/${idOf(chance, world.orders)}/refunds`,
    body: { amountFen: amountOf(chance), reason: key },
  }),
  writeOff: ({ chance, world, key }: Choice): Made => ({
    path: `/orders/${idOf(chance, world.orders)}/write-offs`,
    body: { reason: key },
  }),
  reverseEntry: ({ chance, world, key }: Choice): Made => ({
    path: `/ledger/transfers/${idOf(chance, world.entries)}/reversals`,
    body: { reason: key },
  }),
  replaceCard: ({ chance, world, key }: Choice): Made => ({
    path: `/cards/${chance.pick(world.cards).id}/replacements`,
    body: {
      number: chance
        .whole(0, 2 ** 40)
        .toString(16)
        .toUpperCase()
        .padStart(16, 'E'),
      reason: key,
    },
  }),
  disable: ({ chance, world }: Choice): Made => ({
    method: 'PUT',
    path: `/customers/${chance.pick(world.customers).id}/enabled`,
    body: { enabled: chance.next() < 0.8 },
  }),
  decide: ({ chance, world, key }: Choice): Made => ({
    path: `/approvals/${idOf(chance, world.approvals)}/decisions`,
    body: chance.next() < 0.7 ? { decision: 'approve' } : { decision: 'refuse', reason: key },
  }),
} as const satisfies Readonly<Record<string, (of: Choice) => Made>>;

/** How often each act is drawn. */
const draws: readonly (keyof typeof acts)[] = [
  ...Array<'recharge'>(5).fill('recharge'),
  ...Array<'rechargeByCode'>(2).fill('rechargeByCode'),
  ...Array<'transfer'>(4).fill('transfer'),
  ...Array<'gift'>(3).fill('gift'),
  ...Array<'settleOrder'>(4).fill('settleOrder'),
  ...Array<'refundOrder'>(4).fill('refundOrder'),
  ...Array<'applyForWithdrawal'>(3).fill('applyForWithdrawal'),
  ...Array<'reviewWithdrawal'>(3).fill('reviewWithdrawal'),
  ...Array<'decide'>(3).fill('decide'),
  'deductGift',
  'deductGift',
  'refundRecharge',
  'refundRecharge',
  'payWithdrawal',
  'payWithdrawal',
  'retryWithdrawal',
  'reverseRecharge',
  'reverseEntry',
  'reverseEntry',
  'cancelOrder',
  'writeOff',
  'replaceCard',
  'disable',
];

export function drawAct(chance: Dice, world: MoneyWorld, key: string): MoneyAct {
  const what = chance.pick(draws);
  const { method = 'POST', path, body, payer } = acts[what]({ chance, world, key }) as Made;
  return { what, method, path, body, key, payer };
}

type Sent = { id?: number; pageUrl?: string };

/** Sends an act; whoever got a code pays it, or does not. */
export async function send(api: Api, { method, path, body, key, payer }: MoneyAct): Promise<Answer<Sent | null>> {
  const answer = await api.ask<Sent | null>(method, path, body, { idempotencyKey: key });
  if (payer !== undefined && answer.data?.pageUrl !== undefined) await playPayer(answer.data.pageUrl, payer);
  return answer;
}

/** A payer hears nothing from a server that dies meanwhile. */
async function playPayer(pageUrl: string, act: EmbeddedPayerAct): Promise<void> {
  const { origin, pathname } = new URL(pageUrl);
  await fetch(`${origin}/api${pathname}/acts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ act }),
  }).catch(() => undefined);
}
