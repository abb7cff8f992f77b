import type { AgentId, CardId, CustomerId, GroupId, GroupMemberId, OrderId, SiteId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardAccount, customerAccount, groupAccount, keyOf, memberAccount, openingAccount } from './account.ts';
import { allocationTransfer, takeBackTransfer } from './group.ts';
import { extendHoldTransfer, holdTransfer, voidHoldTransfer } from './hold.ts';
import { noParts, type Parts } from './parts.ts';
import { freezeTransfer, payOutTransfer } from './payout.ts';
import { flow } from './posting.ts';
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
import { makeTransfer, type Transfer } from './transfer.ts';

const card = cardAccount(12 as CardId);
const customer = customerAccount(7 as CustomerId);
const group = groupAccount(5 as GroupId);
const member = memberAccount(6 as GroupMemberId);
const orderId = 41 as OrderId;
const siteId = 3 as SiteId;

const posting = { from: keyOf(openingAccount), to: keyOf(card), amountFen: fen(100) };
const transfer: Transfer = { key: 'opening:1', reason: 'opening', postings: [posting] };

describe('a transfer', () => {
  test('a transfer of one posting between two accounts is valid', () => {
    expect(makeTransfer(transfer)).toEqual({ ok: true, value: transfer });
  });

  test('a transfer without postings is refused', () => {
    expect(makeTransfer({ ...transfer, postings: [] })).toEqual({ ok: false, error: { code: 'ledger.no_postings' } });
  });

  test.each([0, -1])('a transfer of %d fen is refused', (amountFen) => {
    const postings = [posting, { ...posting, amountFen: fen(amountFen) }];
    expect(makeTransfer({ ...transfer, postings })).toEqual({
      ok: false,
      error: { code: 'ledger.amount_not_positive', index: 1, amountFen },
    });
  });

  test('a transfer from an account to itself is refused', () => {
    expect(makeTransfer({ ...transfer, postings: [{ ...posting, to: posting.from }] })).toEqual({
      ok: false,
      error: { code: 'ledger.same_account', index: 0, account: 'opening' },
    });
  });

  test.each(['', ' ', 'order 1', 'order:', ':1', 'Order:1', `a${'b'.repeat(128)}`])(
    'a transfer with the key "%s" is refused',
    (key) => {
      expect(makeTransfer({ ...transfer, key })).toEqual({ ok: false, error: { code: 'ledger.key_invalid', key } });
    },
  );

  test('a transfer has a key of 128 characters at most', () => {
    expect(makeTransfer({ ...transfer, key: 'a'.repeat(128) }).ok).toBe(true);
  });

  test('a transfer has 64 postings at most', () => {
    const many = (count: number) => Array.from({ length: count }, () => posting);
    expect(makeTransfer({ ...transfer, postings: many(64) }).ok).toBe(true);
    expect(makeTransfer({ ...transfer, postings: many(65) })).toEqual({
      ok: false,
      error: { code: 'ledger.too_many_postings', max: 64, count: 65 },
    });
  });
});

describe('the transfers of the trade', () => {
  const amountFen = fen(5_000);
  const mixed = { paidFen: amountFen, giftFen: fen(30) };
  const shown = (made: { ok: true; value: Transfer } | { ok: false; error: unknown }) => {
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const { key, reason, postings } = made.value;
    return [key, reason, ...postings.map(({ from, to, amountFen: moved }) => `${from} -> ${to} ${moved}`)];
  };

  test.each([
    [
      rechargeTransfer({ id: 9, channel: 'front-desk', wallet: card, amountFen }),
      ['recharge:9', 'recharge', 'channel:front-desk -> card:12 5000'],
    ],
    [giftTransfer({ id: 9, wallet: customer, amountFen }), ['gift:9', 'gift', 'gift-expense -> customer-gift:7 5000']],
    [
      fillPrepaidTransfer({ id: 9, channel: 'back-office', agentId: 5 as AgentId, amountFen }),
      ['agent-recharge:9', 'prepaid_filled', 'channel:back-office -> agent-prepaid:5 5000'],
    ],
    [
      prepaidRechargeTransfer({ id: 9, agentId: 5 as AgentId, wallet: customer, amountFen }),
      ['recharge:9', 'recharge', 'agent-prepaid:5 -> customer:7 5000'],
    ],
    [
      repayTransfer({ id: 9, orderId, wallet: card, paid: mixed }),
      ['repayment:9', 'debt_repaid', 'card:12 -> receivable:card:12 5000', 'card-gift:12 -> receivable:card:12 30'],
    ],
    [
      holdTransfer({ orderId, wallet: card, held: mixed }),
      ['order:41:hold', 'hold', 'card:12 -> card-held:12 5000', 'card-gift:12 -> card-gift-held:12 30'],
    ],
    [
      extendHoldTransfer({ orderId, number: 2, wallet: customer, held: mixed }),
      [
        'order:41:hold:2',
        'hold_extended',
        'customer:7 -> customer-held:7 5000',
        'customer-gift:7 -> customer-gift-held:7 30',
      ],
    ],
    [
      voidHoldTransfer({ orderId, wallet: card, held: mixed }),
      ['order:41:void', 'hold_voided', 'card-held:12 -> card:12 5000', 'card-gift-held:12 -> card-gift:12 30'],
    ],
    [
      rechargeTransfer({ id: 9, channel: 'wechat', wallet: card, amountFen, giftFen: fen(30) }),
      ['recharge:9', 'recharge', 'channel:wechat -> card:12 5000', 'gift-expense -> card-gift:12 30'],
    ],
    [
      giftDeductionTransfer({ id: 9, wallet: card, amountFen }),
      ['gift-deduction:9', 'gift_deducted', 'card-gift:12 -> gift-expense 5000'],
    ],
    [
      walletTransfer({ id: 9, from: card, to: customer, moved: mixed }),
      ['transfer:9', 'transfer', 'card:12 -> customer:7 5000', 'card-gift:12 -> customer-gift:7 30'],
    ],
    [
      allocationTransfer({ id: 9, group, member, moved: mixed }),
      ['group-allocation:9', 'group_allocated', 'group:5 -> member:6 5000', 'group-gift:5 -> member-gift:6 30'],
    ],
    [
      takeBackTransfer({ id: 9, group, member, moved: mixed }),
      ['group-allocation:9', 'group_taken_back', 'member:6 -> group:5 5000', 'member-gift:6 -> group-gift:5 30'],
    ],
    [
      writeOffTransfer({ id: 9, orderId, wallet: card, amountFen }),
      ['write-off:9', 'debt_written_off', 'bad-debt -> receivable:card:12 5000'],
    ],
    [
      freezeTransfer({ cause: { kind: 'withdrawal', id: 9 }, wallet: customer, amountFen, giftFen: fen(30) }),
      [
        'withdrawal:9:freeze',
        'money_frozen',
        'customer:7 -> customer-frozen:7 5000',
        'customer-gift:7 -> gift-expense 30',
      ],
    ],
    [
      payOutTransfer({
        cause: { kind: 'withdrawal', id: 9 },
        wallet: customer,
        target: { channel: 'wechat' },
        amountFen,
        feeFen: fen(50),
      }),
      [
        'withdrawal:9:paid',
        'withdrawal',
        'customer-frozen:7 -> channel:wechat 4950',
        'customer-frozen:7 -> withdrawal-fee 50',
      ],
    ],
    [
      payOutTransfer({
        cause: { kind: 'recharge-refund', id: 9 },
        wallet: card,
        target: { agentId: 5 as AgentId },
        amountFen,
      }),
      ['recharge-refund:9:paid', 'recharge_refund', 'card-frozen:12 -> agent-prepaid:5 5000'],
    ],
  ])('transfer %# of the trade has its key, reason and postings', (made, expected) => {
    expect(shown(made)).toEqual(expected);
  });

  test('the transfers of an order name it', () => {
    expect(holdTransfer({ orderId, wallet: card, held: mixed })).toMatchObject({ value: { orderId } });
    expect(repayTransfer({ id: 9, orderId, wallet: card, paid: mixed })).toMatchObject({ value: { orderId } });
    expect(rechargeTransfer({ id: 1, channel: 'wechat', wallet: card, amountFen })).not.toHaveProperty('value.orderId');
  });

  test('the transfers of the trade are refused for an amount of zero', () => {
    expect(rechargeTransfer({ id: 1, channel: 'wechat', wallet: card, amountFen: fen(0) }).ok).toBe(false);
    expect(voidHoldTransfer({ orderId, wallet: card, held: noParts }).ok).toBe(false);
  });
});

describe('a refund', () => {
  const parts = (paidFen: number, giftFen = 0): Parts => ({ paidFen: fen(paidFen), giftFen: fen(giftFen) });
  const refund = {
    orderId,
    number: 1,
    siteId,
    wallet: card,
    amountFen: fen(100),
    electricityFeeFen: fen(960),
    serviceFeeFen: fen(700),
    paid: parts(1_660),
    refunded: noParts,
    forgivenFen: fen(0),
    owedFen: fen(0),
  };

  test('a refund is taken from electricity and service in proportion to what they were charged', () => {
    // 100 × 960 / 1660 = 57.83 -> 58
    expect(refundOrderTransfer(refund)).toMatchObject({
      value: {
        transfer: {
          key: 'order:41:refund:1',
          reason: 'refund_order',
          orderId,
          postings: [
            { from: 'electricity-income:site:3', to: 'card:12', amountFen: 58 },
            { from: 'service-income:site:3', to: 'card:12', amountFen: 42 },
          ],
        },
        electricityFeeFen: 58,
        serviceFeeFen: 42,
        forgivenFen: 0,
      },
    });
  });

  test('a refund forgives debt before it gives money', () => {
    expect(refundOrderTransfer({ ...refund, paid: parts(1_590), owedFen: fen(70) })).toMatchObject({
      value: {
        transfer: {
          postings: [
            { from: 'electricity-income:site:3', to: 'receivable:card:12', amountFen: 58 },
            { from: 'service-income:site:3', to: 'receivable:card:12', amountFen: 12 },
            { from: 'service-income:site:3', to: 'card:12', amountFen: 30 },
          ],
        },
        forgivenFen: 70,
      },
    });
  });

  test('a refund goes back to paid money and gifts in the proportion they paid, over all refunds together', () => {
    const first = refundOrderTransfer({ ...refund, paid: parts(1_100, 560), amountFen: fen(101) });
    // 101 × 1100 / 1660 = 66.93 -> 67
    expect(first).toMatchObject({ value: { refunded: parts(67, 34) } });
    const rest = { ...refund, number: 2, paid: parts(1_100, 560), refunded: parts(67, 34), amountFen: fen(1_559) };
    expect(refundOrderTransfer(rest)).toMatchObject({ value: { refunded: parts(1_033, 526) } });
  });

  test('a refund returns a part of the coupon that the platform bore, and all of it with the last fen', () => {
    const coupon = { amountFen: fen(300), bearer: 'platform' } as const;
    const half = { ...refund, coupon, paid: parts(1_360), amountFen: fen(680) };
    expect(refundOrderTransfer(half)).toMatchObject({
      value: { couponFen: 150, electricityFeeFen: 480, serviceFeeFen: 200, refunded: parts(680) },
    });
    expect(refundOrderTransfer({ ...half, number: 2, refunded: parts(680) })).toMatchObject({
      value: { couponFen: 150, refunded: parts(680) },
    });
    expect(refundOrderTransfer({ ...half, coupon: { ...coupon, bearer: 'site' } })).toMatchObject({
      value: { couponFen: 0 },
    });
  });

  test('a refund never gives back what was written off', () => {
    const error = { code: 'ledger.refund_too_high', maxFen: 1_000 };
    expect(refundOrderTransfer({ ...refund, paid: parts(1_000), amountFen: fen(1_001) })).toEqual({ ok: false, error });
  });

  test('a refund of more than is left of the bill is refused with what is left', () => {
    const error = { code: 'ledger.refund_too_high', maxFen: 60 };
    expect(refundOrderTransfer({ ...refund, amountFen: fen(61), refunded: parts(1_600) })).toEqual({
      ok: false,
      error,
    });
    expect(refundOrderTransfer({ ...refund, amountFen: fen(60), refunded: parts(1_600) }).ok).toBe(true);
  });

  test('a refund of a free order is refused', () => {
    const free = { ...refund, electricityFeeFen: fen(0), serviceFeeFen: fen(0) };
    expect(refundOrderTransfer(free)).toEqual({ ok: false, error: { code: 'ledger.refund_too_high', maxFen: 0 } });
  });

  test.each([0, -5])('a refund of %d fen is refused', (amountFen) => {
    expect(refundOrderTransfer({ ...refund, amountFen: fen(amountFen) })).toMatchObject({
      error: { code: 'ledger.amount_not_positive' },
    });
  });

  test.each(['electricityFeeFen', 'serviceFeeFen', 'forgivenFen', 'owedFen'])(
    'a refund with a negative %s is refused',
    (field) => {
      expect(refundOrderTransfer({ ...refund, [field]: fen(-1) })).toEqual({
        ok: false,
        error: { code: 'ledger.amount_negative', field, amountFen: -1 },
      });
    },
  );

  test('refunds in any number of parts take from each fee exactly what was charged, and no part more', () => {
    const anyParts = fc.record({
      electricityFeeFen: fc.integer({ min: 0, max: 5_000 }),
      serviceFeeFen: fc.integer({ min: 0, max: 5_000 }),
      cuts: fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(anyParts, ({ electricityFeeFen, serviceFeeFen, cuts }) => {
        const totalFen = electricityFeeFen + serviceFeeFen;
        let refundedFen = 0;
        let electricityFen = 0;
        for (const [index, cut] of [...cuts, totalFen].entries()) {
          const amountFen = Math.min(cut, totalFen - refundedFen);
          if (amountFen === 0) break;
          const made = refundOrderTransfer({
            ...refund,
            number: index + 1,
            amountFen: fen(amountFen),
            electricityFeeFen: fen(electricityFeeFen),
            serviceFeeFen: fen(serviceFeeFen),
            paid: parts(totalFen),
            refunded: parts(refundedFen),
          });
          if (!made.ok) throw new Error(JSON.stringify(made.error));
          const { transfer: booked, ...fees } = made.value;
          const takenFen = (from: string) =>
            booked.postings.reduce((sum, moved) => (moved.from === from ? sum + moved.amountFen : sum), 0);
          // Each refund records what the books say, not only all of them together.
          expect(fees.electricityFeeFen).toBe(takenFen('electricity-income:site:3'));
          expect(fees.serviceFeeFen).toBe(takenFen('service-income:site:3'));
          expect(fees.electricityFeeFen + fees.serviceFeeFen).toBe(amountFen);
          electricityFen += fees.electricityFeeFen;
          refundedFen += amountFen;
          expect(electricityFen).toBeLessThanOrEqual(electricityFeeFen);
          expect(refundedFen - electricityFen).toBeLessThanOrEqual(serviceFeeFen);
        }
        expect([electricityFen, refundedFen]).toEqual([electricityFeeFen, totalFen]);
      }),
    );
  });
});

describe('a reversal', () => {
  test('a reversal swaps every posting, the last first, and names the transfer it undoes', () => {
    const second = { from: keyOf(card), to: keyOf(customer), amountFen: fen(40) };
    const made = { ...transfer, orderId, postings: [posting, second] };
    expect(reverse(made, reversalKey(made))).toEqual({
      ok: true,
      value: {
        key: 'opening:1:reversal',
        reason: 'reversal',
        reverses: 'opening:1',
        orderId,
        postings: [
          { from: 'customer:7', to: 'card:12', amountFen: 40 },
          { from: 'card:12', to: 'opening', amountFen: 100 },
        ],
      },
    });
  });

  test('a reversal cannot have the key of the transfer it undoes', () => {
    expect(reverse(transfer, transfer.key)).toEqual({
      ok: false,
      error: { code: 'ledger.key_invalid', key: 'opening:1' },
    });
  });
});

describe('a flow', () => {
  const share = (owner: number, amountFen: number) => ({
    account: keyOf(cardAccount(owner as CardId)),
    amountFen: fen(amountFen),
  });

  test('a flow exhausts each source and fills each sink in order', () => {
    expect(flow([share(1, 50), share(2, 0), share(3, 30)], [share(4, 20), share(5, 60)])).toEqual([
      { from: 'card:1', to: 'card:4', amountFen: 20 },
      { from: 'card:1', to: 'card:5', amountFen: 30 },
      { from: 'card:3', to: 'card:5', amountFen: 30 },
    ]);
  });

  test('a flow of zero has no postings', () => {
    expect(flow([share(1, 0)], [share(2, 0)])).toEqual([]);
  });

  test('a flow with unequal sides or a negative share is a bug', () => {
    expect(() => flow([share(1, 10)], [share(2, 9)])).toThrow(RangeError);
    expect(() => flow([share(1, 10), share(3, -1)], [share(2, 9)])).toThrow(RangeError);
  });
});
