import type { AgentId, CardId, CustomerId, OrderId, SiteId } from '@voltdeck/units/id';
import { type Fen, fen, minFen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountKey,
  cardAccount,
  channelAccount,
  customerAccount,
  frozenAccount,
  giftAccount,
  heldAccount,
  heldGiftAccount,
  keyOf,
  receivableAccount,
} from './account.ts';
import { applyTransfer, type Balances, isShared, mayBeNegative, proof } from './balance.ts';
import { channels } from './chart.ts';
import { repayInOrder } from './debt.ts';
import { extendHoldTransfer, holdTransfer, voidHoldTransfer } from './hold.ts';
import { addParts, noParts, type Parts, subtractParts, takeFrom, totalOf } from './parts.ts';
import { freezeKey, freezeTransfer, giftsTakenBackFen, type PayoutCause, payOutTransfer } from './payout.ts';
import type { Posting } from './posting.ts';
import {
  fillPrepaidTransfer,
  giftDeductionTransfer,
  giftTransfer,
  prepaidRechargeTransfer,
  rechargeTransfer,
  repayTransfer,
  walletTransfer,
  writeOffTransfer,
} from './recharge.ts';
import { refundOrderTransfer } from './refund.ts';
import { reversalKey, reverse } from './reverse.ts';
import { type CouponUse, settleTransfer } from './settle.ts';
import { makeTransfer, type Transfer } from './transfer.ts';

const wallets = [cardAccount(1 as CardId), cardAccount(2 as CardId), customerAccount(1 as CustomerId)] as const;
const [card, other] = wallets;
const agentId = 1 as AgentId;

const paidOnly = (paidFen: number): Parts => ({ paidFen: fen(paidFen), giftFen: fen(0) });

function value<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const balanceRows = (balances: Balances) => [...balances].map(([account, balanceFen]) => ({ account, balanceFen }));
const nonZero = (balances: Balances) => Object.fromEntries([...balances].filter(([, balanceFen]) => balanceFen !== 0));

describe('applying a transfer', () => {
  test('a transfer moves money between balances', () => {
    const balances: Balances = new Map();
    const recharge = value(rechargeTransfer({ id: 1, channel: 'wechat', wallet: card, amountFen: fen(500) }));
    expect(applyTransfer(balances, recharge)).toEqual({ ok: true, value: balances });
    expect(nonZero(balances)).toEqual({ 'card:1': 500, 'channel:wechat': -500 });
  });

  test('a transfer that would take a wallet below zero is refused as a whole and reports the shortfall', () => {
    const balances: Balances = new Map([[keyOf(card), fen(100)]]);
    const postings = [
      { from: keyOf(card), to: keyOf(other), amountFen: fen(80) },
      { from: keyOf(card), to: keyOf(channelAccount('wechat')), amountFen: fen(50) },
    ];
    const transfer = value(makeTransfer({ key: 'transfer:1', reason: 'transfer', postings }));
    expect(applyTransfer(balances, transfer)).toEqual({ ok: false, error: { account: 'card:1', wouldBeFen: -30 } });
    expect(nonZero(balances)).toEqual({ 'card:1': 100 });
  });

  test('a transfer may empty a wallet to the last fen, and take no fen more', () => {
    const hold = (amountFen: number) =>
      value(holdTransfer({ orderId: 1 as OrderId, wallet: card, held: paidOnly(amountFen) }));
    const balances: Balances = new Map([[keyOf(card), fen(100)]]);
    expect(applyTransfer(balances, hold(101))).toEqual({ ok: false, error: { account: 'card:1', wouldBeFen: -1 } });
    expect(applyTransfer(balances, hold(100)).ok).toBe(true);
    expect(nonZero(balances)).toEqual({ 'card-held:1': 100 });
  });

  test('a transfer of held money that does not exist is refused', () => {
    const transfer = value(voidHoldTransfer({ orderId: 1 as OrderId, wallet: card, held: paidOnly(5) }));
    expect(applyTransfer(new Map(), transfer)).toEqual({
      ok: false,
      error: { account: 'card-held:1', wouldBeFen: -5 },
    });
  });

  test('only the end of a transfer counts: an account may pass on what it gets in the same transfer', () => {
    const balances: Balances = new Map([[keyOf(other), fen(10)]]);
    const postings = [
      { from: keyOf(card), to: keyOf(heldAccount(card)), amountFen: fen(10) },
      { from: keyOf(other), to: keyOf(card), amountFen: fen(10) },
    ];
    expect(applyTransfer(balances, { key: 'transfer:1', reason: 'transfer', postings }).ok).toBe(true);
    expect(nonZero(balances)).toEqual({ 'card-held:1': 10 });
  });

  test('a transfer may give to a wallet that is wrongly below zero', () => {
    const balances: Balances = new Map([[keyOf(card), fen(-50)]]);
    const recharge = value(rechargeTransfer({ id: 1, channel: 'front-desk', wallet: card, amountFen: fen(20) }));
    expect(applyTransfer(balances, recharge).ok).toBe(true);
    expect(balances.get(keyOf(card))).toBe(-30);
  });

  test('a transfer may pass money on through a wallet that is wrongly below zero, taking nothing from it', () => {
    const balances: Balances = new Map([
      [keyOf(card), fen(-5)],
      [keyOf(other), fen(10)],
    ]);
    const postings = [
      { from: keyOf(other), to: keyOf(card), amountFen: fen(10) },
      { from: keyOf(card), to: keyOf(heldAccount(other)), amountFen: fen(10) },
    ];
    expect(applyTransfer(balances, { key: 'transfer:1', reason: 'transfer', postings }).ok).toBe(true);
    expect(nonZero(balances)).toEqual({ 'card:1': -5, 'card-held:2': 10 });
  });

  test('channels and debts may fall below zero', () => {
    expect(mayBeNegative(keyOf(channelAccount('wechat')))).toBe(true);
    expect(mayBeNegative(keyOf(receivableAccount(card)))).toBe(true);
    expect(mayBeNegative(keyOf(card))).toBe(false);
  });
});

test('a channel is kept in several parts, and a wallet, a debt and an invalid account are not', () => {
  expect(isShared(keyOf(channelAccount('wechat')))).toBe(true);
  expect(isShared(keyOf(card))).toBe(false);
  expect(isShared(keyOf(receivableAccount(card)))).toBe(false);
  expect(isShared('nothing' as AccountKey)).toBe(false);
});

describe('the proof of the books', () => {
  const account = keyOf(card);
  const channel = keyOf(channelAccount('wechat'));
  const postings: Posting[] = [
    { from: channel, to: account, amountFen: fen(500) },
    { from: account, to: channel, amountFen: fen(120) },
  ];
  const kept = (cardFen: number, channelFen: number) => [
    { account, balanceFen: fen(cardFen) },
    { account: channel, balanceFen: fen(channelFen) },
  ];

  test('the proof of sound books is zero without mismatches', () => {
    expect(proof(kept(380, -380), postings)).toEqual({ sumFen: 0, accounts: 2, mismatches: [] });
  });

  test('the proof shows a balance that does not match its postings', () => {
    expect(proof(kept(381, -380), postings)).toEqual({
      sumFen: 1,
      accounts: 2,
      mismatches: [{ account: 'card:1', keptFen: 381, postedFen: 380 }],
    });
  });

  test('the proof shows two wrong balances although their sum is zero', () => {
    expect(proof(kept(400, -400), postings)).toMatchObject({ sumFen: 0, mismatches: [{}, {}] });
  });

  test('the proof shows an account that has postings but no balance', () => {
    expect(proof(kept(380, -380).slice(0, 1), postings)).toMatchObject({
      sumFen: 380,
      accounts: 1,
      mismatches: [{ account: 'channel:wechat', keptFen: 0, postedFen: -380 }],
    });
  });

  test('the proof needs no balance of an account whose postings cancel each other', () => {
    const through: Posting[] = [
      { from: channel, to: keyOf(other), amountFen: fen(9) },
      { from: keyOf(other), to: channel, amountFen: fen(9) },
    ];
    expect(proof(kept(380, -380), [...postings, ...through])).toEqual({ sumFen: 0, accounts: 2, mismatches: [] });
  });

  test('the proof shows an account that has a balance but no postings', () => {
    const odd = [...kept(380, -380), { account: keyOf(other), balanceFen: fen(7) }];
    expect(proof(odd, postings)).toMatchObject({ sumFen: 7, mismatches: [{ account: 'card:2', postedFen: 0 }] });
  });
});

type Order = {
  id: OrderId;
  wallet: (typeof wallets)[number];
  held: Parts;
  holds: number;
  state: 'held' | 'settled' | 'voided';
  electricityFeeFen: number;
  serviceFeeFen: number;
  owedFen: number;
  paid: Parts;
  refunded: Parts;
  forgivenFen: number;
  coupon: CouponUse | null;
  refunds: number;
};

type Payout = {
  cause: PayoutCause;
  wallet: (typeof wallets)[number];
  amountFen: Fen;
  state: 'frozen' | 'paid' | 'undone';
};

/** A book as an application keeps it: balances, every transfer once by its key, and each order's hold. */
class Book {
  readonly balances: Balances = new Map();
  readonly applied: Transfer[] = [];
  readonly orders: Order[] = [];
  readonly payouts: Payout[] = [];

  balanceFen(account: AccountKey): Fen {
    return this.balances.get(account) ?? fen(0);
  }

  free(wallet: (typeof wallets)[number]): Parts {
    return { paidFen: this.balanceFen(keyOf(wallet)), giftFen: this.balanceFen(keyOf(giftAccount(wallet))) };
  }

  /** Applies a valid transfer once unless an account forbids it; returns whether it did. */
  apply(made: Result<Transfer, unknown>): boolean {
    if (!made.ok || this.applied.some(({ key }) => key === made.value.key)) return false;
    if (!applyTransfer(this.balances, made.value).ok) return false;
    this.applied.push(made.value);
    return true;
  }
}

const anyStep = fc.record({
  what: fc.constantFrom(
    'recharge',
    'prepay',
    'recharge_prepaid',
    'gift',
    'deduct_gift',
    'transfer',
    'freeze',
    'pay_out',
    'unfreeze',
    'write_off',
    'hold',
    'extend',
    'settle',
    'void',
    'refund',
    'repay',
    'undo_last' as const,
  ),
  wallet: fc.constantFrom(...wallets),
  channel: fc.constantFrom(...channels),
  amountFen: fc.integer({ min: 0, max: 3_000 }).map(fen),
  otherFen: fc.integer({ min: 0, max: 3_000 }).map(fen),
  pick: fc.nat(),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

function take(book: Book, step: Step): void {
  const { wallet, amountFen, otherFen } = step;
  const id = book.applied.length + 1;
  const order = book.orders[step.pick % Math.max(1, book.orders.length)];
  switch (step.what) {
    case 'recharge':
      book.apply(rechargeTransfer({ id, channel: step.channel, wallet, amountFen, giftFen: otherFen }));
      return;
    case 'gift':
      book.apply(giftTransfer({ id, wallet, amountFen }));
      return;
    case 'deduct_gift':
      book.apply(giftDeductionTransfer({ id, wallet, amountFen }));
      return;
    case 'transfer': {
      const to = wallets[step.pick % wallets.length] ?? card;
      if (to === wallet) return;
      book.apply(walletTransfer({ id, from: wallet, to, moved: { paidFen: amountFen, giftFen: otherFen } }));
      return;
    }
    case 'freeze':
      freezeMoney(book, wallet, amountFen);
      return;
    case 'pay_out':
    case 'unfreeze':
      endPayout(book, step);
      return;
    case 'write_off':
      if (order === undefined || order.owedFen === 0) return;
      if (
        book.apply(writeOffTransfer({ id, orderId: order.id, wallet: order.wallet, amountFen: fen(order.owedFen) }))
      ) {
        order.owedFen = 0;
      }
      return;
    case 'prepay':
      book.apply(fillPrepaidTransfer({ id, channel: step.channel, agentId, amountFen }));
      return;
    case 'recharge_prepaid':
      book.apply(prepaidRechargeTransfer({ id, agentId, wallet, amountFen }));
      return;
    case 'repay':
      repayDebts(book, wallet);
      return;
    case 'hold': {
      const orderId = (book.orders.length + 1) as OrderId;
      const held = takeFrom(book.free(wallet), amountFen);
      if (!book.apply(holdTransfer({ orderId, wallet, held }))) return;
      const fees = { electricityFeeFen: 0, serviceFeeFen: 0, owedFen: 0, forgivenFen: 0, refunds: 0, coupon: null };
      book.orders.push({
        id: orderId,
        wallet,
        held,
        holds: 1,
        state: 'held',
        paid: noParts,
        refunded: noParts,
        ...fees,
      });
      return;
    }
    case 'extend': {
      if (order?.state !== 'held') return;
      const held = takeFrom(book.free(order.wallet), amountFen);
      if (book.apply(extendHoldTransfer({ orderId: order.id, number: order.holds + 1, wallet: order.wallet, held }))) {
        order.held = addParts(order.held, held);
        order.holds += 1;
      }
      return;
    }
    case 'settle':
      settleOrder(book, order, step);
      return;
    case 'void':
      if (order?.state !== 'held') return;
      if (book.apply(voidHoldTransfer({ orderId: order.id, wallet: order.wallet, held: order.held }))) {
        order.state = 'voided';
        order.held = noParts;
      }
      return;
    case 'refund':
      refundOrder(book, order, amountFen);
      return;
    case 'undo_last': {
      const last = book.applied.at(-1);
      // Only transfers without an order, since an order's own record would have to be undone with it.
      if (last === undefined || last.orderId !== undefined || last.reason === 'reversal') return;
      if (book.payouts.some(({ cause }) => last.key.startsWith(`${cause.kind}:${cause.id}:`))) return;
      book.apply(reverse(last, reversalKey(last)));
      return;
    }
    default:
      throw new Error(`unknown step ${step.what}`);
  }
}

/** Repays what the wallet's orders still owe from all its free money. */
function repayDebts(book: Book, wallet: (typeof wallets)[number]): void {
  const owing = book.orders.filter((order) => order.wallet === wallet && order.owedFen > 0);
  const debts = owing.map(({ id, owedFen }) => ({ orderId: id, owedFen: fen(owedFen) }));
  for (const { orderId, amountFen, owedFen } of repayInOrder(debts, totalOf(book.free(wallet)))) {
    const paid = takeFrom(book.free(wallet), amountFen);
    const id = book.applied.length + 1;
    expect(book.apply(repayTransfer({ id, orderId, wallet, paid }))).toBe(true);
    const order = owing.find((owed) => owed.id === orderId);
    if (order !== undefined) Object.assign(order, { owedFen, paid: addParts(order.paid, paid) });
  }
}

function freezeMoney(book: Book, wallet: (typeof wallets)[number], amountFen: Fen): void {
  const cause = { kind: 'withdrawal', id: book.payouts.length + 1 } as const;
  const { paidFen, giftFen } = book.free(wallet);
  if (amountFen > paidFen) return;
  const takenFen = giftsTakenBackFen({ amountFen, paidFen, giftFen });
  if (amountFen === 0 || !book.apply(freezeTransfer({ cause, wallet, amountFen, giftFen: takenFen }))) return;
  book.payouts.push({ cause, wallet, amountFen, state: 'frozen' });
}

function endPayout(book: Book, { what, channel, otherFen, pick }: Step): void {
  const payout = book.payouts[pick % Math.max(1, book.payouts.length)];
  if (payout?.state !== 'frozen') return;
  const { cause, wallet, amountFen } = payout;
  if (what === 'pay_out') {
    const feeFen = minFen(otherFen, amountFen);
    expect(book.apply(payOutTransfer({ cause, wallet, target: { channel }, amountFen, feeFen }))).toBe(true);
    payout.state = 'paid';
    return;
  }
  const frozen = book.applied.find(({ key }) => key === freezeKey(cause));
  if (frozen === undefined) throw new Error('a payout was never frozen');
  expect(book.apply(reverse(frozen, reversalKey(frozen)))).toBe(true);
  payout.state = 'undone';
}

function settleOrder(book: Book, order: Order | undefined, step: Step): void {
  const { amountFen: electricityFeeFen, otherFen: serviceFeeFen, pick } = step;
  if (order?.state !== 'held') return;
  const couponFen = fen(Math.floor(serviceFeeFen / ((pick % 4) + 1)));
  const bearer = pick % 2 === 0 ? 'platform' : 'site';
  const coupon: CouponUse | null = pick % 3 === 0 ? null : { amountFen: couponFen, bearer };
  const settlement = value(
    settleTransfer({
      orderId: order.id,
      siteId: 1 as SiteId,
      wallet: order.wallet,
      held: order.held,
      available: book.free(order.wallet),
      electricityFeeFen,
      serviceFeeFen,
      coupon,
    }),
  );
  // It only spends what exists, so the books never refuse it.
  if (settlement.transfer !== null) {
    expect(book.apply({ ok: true, value: settlement.transfer })).toBe(true);
  }
  Object.assign(order, {
    state: 'settled',
    held: noParts,
    electricityFeeFen,
    serviceFeeFen,
    coupon,
    paid: settlement.paid,
    owedFen: settlement.shortfallFen,
  });
}

function refundOrder(book: Book, order: Order | undefined, amountFen: Fen): void {
  if (order?.state !== 'settled') return;
  const refund = refundOrderTransfer({
    orderId: order.id,
    number: order.refunds + 1,
    siteId: 1 as SiteId,
    wallet: order.wallet,
    amountFen,
    electricityFeeFen: fen(order.electricityFeeFen),
    serviceFeeFen: fen(order.serviceFeeFen),
    coupon: order.coupon,
    paid: order.paid,
    refunded: order.refunded,
    forgivenFen: fen(order.forgivenFen),
    owedFen: fen(order.owedFen),
  });
  if (!refund.ok || !book.apply({ ok: true, value: refund.value.transfer })) return;
  order.refunds += 1;
  order.refunded = addParts(order.refunded, refund.value.refunded);
  order.forgivenFen += refund.value.forgivenFen;
  order.owedFen -= refund.value.forgivenFen;
  // Neither part ever gets back more than it paid.
  subtractParts(order.paid, order.refunded);
}

// Long ones, because a short story seldom reaches a bill.
const anyStory = fc.array(anyStep, { maxLength: 60, size: 'max' });

describe('after any sequence of transfers', () => {
  test('after any transfers the books sum to zero, are proven, and no wallet or held money is below zero', () => {
    let reached = 0;
    fc.assert(
      fc.property(anyStory, (steps) => {
        const book = new Book();
        for (const step of steps) {
          take(book, step);
          for (const [account, balanceFen] of book.balances) {
            if (!mayBeNegative(account)) expect(balanceFen).toBeGreaterThanOrEqual(0);
          }
        }
        const postings = book.applied.flatMap((transfer) => transfer.postings);
        expect(proof(balanceRows(book.balances), postings)).toMatchObject({ sumFen: 0, mismatches: [] });
        reached += book.orders.filter(({ state }) => state === 'settled').length;
      }),
      { numRuns: 300 },
    );
    expect(reached).toBeGreaterThan(0);
  });

  test('after any transfers a wallet’s held money is what its open orders hold, and zero once they are settled or voided', () => {
    fc.assert(
      fc.property(anyStory, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (steps, settles) => {
        const book = new Book();
        for (const step of steps) take(book, step);
        const held = (wallet: (typeof wallets)[number]) => ({
          paidFen: book.balanceFen(keyOf(heldAccount(wallet))),
          giftFen: book.balanceFen(keyOf(heldGiftAccount(wallet))),
        });
        for (const wallet of wallets) {
          const own = book.orders.filter((order) => order.wallet === wallet);
          expect(held(wallet)).toEqual(own.reduce((sum, order) => addParts(sum, order.held), noParts));
        }
        for (const [index, order] of book.orders.entries()) {
          const what = settles[index] ? 'settle' : 'void';
          const { wallet } = order;
          take(book, { what, wallet, channel: 'wechat', amountFen: fen(700), otherFen: fen(5), pick: index });
        }
        for (const wallet of wallets) expect(held(wallet)).toEqual(noParts);
      }),
      { numRuns: 200 },
    );
  });

  test('after any transfers a wallet owes what its orders owe, and a repayment leaves either no debt or no money', () => {
    let repaid = 0;
    fc.assert(
      fc.property(anyStory, (steps) => {
        const book = new Book();
        for (const step of steps) take(book, step);
        for (const wallet of wallets) {
          const owedFen = () =>
            book.orders.reduce((sum, order) => (order.wallet === wallet ? sum + order.owedFen : sum), 0);
          const receivableFen = () => book.balanceFen(keyOf(receivableAccount(wallet)));
          expect(0 - receivableFen()).toBe(owedFen());
          const before = owedFen();
          const id = book.applied.length + 1;
          if (before > 0) book.apply(rechargeTransfer({ id, channel: 'wechat', wallet, amountFen: fen(700) }));
          repayDebts(book, wallet);
          expect(0 - receivableFen()).toBe(owedFen());
          expect(Math.min(owedFen(), totalOf(book.free(wallet)))).toBe(0);
          if (owedFen() < before) repaid += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(repaid).toBeGreaterThan(0);
  });

  test('after any transfers paid and gift money were never mixed, and frozen money is what payouts wait for', () => {
    const isGift = (account: AccountKey) => /^(card|customer)-gift(-held)?:/.test(account);
    const meets = (account: AccountKey) =>
      /^(gift-expense$|electricity-income|service-income|receivable)/.test(account);
    let paidOut = 0;
    fc.assert(
      fc.property(anyStory, (steps) => {
        const book = new Book();
        for (const step of steps) take(book, step);
        for (const { from, to } of book.applied.flatMap(({ postings }) => postings)) {
          if (isGift(from) !== isGift(to)) expect(meets(isGift(from) ? to : from)).toBe(true);
        }
        for (const wallet of wallets) {
          const waiting = book.payouts.filter((payout) => payout.wallet === wallet && payout.state === 'frozen');
          const frozenFen = waiting.reduce((sum, { amountFen }) => sum + amountFen, 0);
          expect(book.balanceFen(keyOf(frozenAccount(wallet)))).toBe(frozenFen);
        }
        paidOut += book.payouts.filter(({ state }) => state === 'paid').length;
      }),
      { numRuns: 300 },
    );
    expect(paidOut).toBeGreaterThan(0);
  });

  test('reversing every transfer, the last first, restores every balance at every step', () => {
    fc.assert(
      fc.property(anyStory, (steps) => {
        const book = new Book();
        for (const step of steps) take(book, step);
        const balances: Balances = new Map();
        const before: ReturnType<typeof nonZero>[] = [];
        for (const transfer of book.applied) {
          before.push(nonZero(balances));
          value(applyTransfer(balances, transfer));
        }
        expect(nonZero(balances)).toEqual(nonZero(book.balances));
        for (const transfer of [...book.applied].reverse()) {
          value(applyTransfer(balances, value(reverse(transfer, reversalKey(transfer)))));
          expect(nonZero(balances)).toEqual(before.pop());
        }
        expect(nonZero(balances)).toEqual({});
      }),
      { numRuns: 200 },
    );
  });
});
