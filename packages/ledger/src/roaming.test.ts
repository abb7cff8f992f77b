import type { CustomerId, PartnerId } from '@voltdeck/units/id';
import { fen, zeroFen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { customerAccount } from './account.ts';
import {
  partnerPaymentTransfer,
  refundRoamingTransfer,
  repayRoamingTransfer,
  roamingHoldTransfer,
  settleRoamingTransfer,
  voidRoamingHoldTransfer,
  writeOffRoamingTransfer,
} from './roaming.ts';

const wallet = customerAccount(5 as CustomerId);
const partnerId = 9 as PartnerId;
const none = { paidFen: zeroFen, giftFen: zeroFen };
const parts = (paidFen: number, giftFen: number) => ({ paidFen: fen(paidFen), giftFen: fen(giftFen) });

/** What a transfer changes of each account. */
function changesOf(made: ReturnType<typeof roamingHoldTransfer>): Record<string, number> {
  if (!made.ok) throw new Error(made.error.code);
  const changes: Record<string, number> = {};
  for (const { from, to, amountFen } of made.value.postings) {
    changes[from] = (changes[from] ?? 0) - amountFen;
    changes[to] = (changes[to] ?? 0) + amountFen;
  }
  return changes;
}

describe('money of a charge at another operator', () => {
  test('a hold, its extension and its release have keys of their own', () => {
    const hold = { chargeId: 3, wallet, held: parts(400, 100) };
    const moved = { 'customer:5': -400, 'customer-held:5': 400, 'customer-gift:5': -100, 'customer-gift-held:5': 100 };
    expect(changesOf(roamingHoldTransfer({ ...hold, number: 1 }))).toEqual(moved);
    const keyOf = (made: ReturnType<typeof roamingHoldTransfer>) => (made.ok ? made.value.key : made.error.code);
    expect(keyOf(roamingHoldTransfer({ ...hold, number: 2 }))).toBe('roaming:3:hold:2');
    // A charge that was given up may begin late, be held again, and be given up again.
    expect(keyOf(voidRoamingHoldTransfer({ ...hold, number: 1 }))).toBe('roaming:3:void:1');
    expect(keyOf(voidRoamingHoldTransfer({ ...hold, number: 2 }))).toBe('roaming:3:void:2');
    expect(changesOf(voidRoamingHoldTransfer({ ...hold, number: 1 }))).toEqual(
      Object.fromEntries(Object.entries(moved).map(([key, change]) => [key, -change])),
    );
  });

  test('a bill is paid from the hold, then from what is free, and the rest of the hold returns', () => {
    const bill = { chargeId: 3, partnerId, wallet, electricityFeeFen: fen(700), serviceFeeFen: fen(300) };
    const within = settleRoamingTransfer({ ...bill, held: parts(1_500, 0), available: parts(9_000, 0) });
    if (!within.ok || within.value.transfer === null) throw new Error('not settled');
    expect(within.value).toMatchObject({ shortfallFen: 0, paid: parts(1_000, 0), released: parts(500, 0) });
    expect(changesOf({ ok: true, value: within.value.transfer })).toEqual({
      'customer-held:5': -1_500,
      'customer:5': 500,
      'payable:partner:9': 1_000,
    });
    const beyond = settleRoamingTransfer({ ...bill, held: parts(500, 100), available: parts(200, 0) });
    if (!beyond.ok || beyond.value.transfer === null) throw new Error('not settled');
    expect(beyond.value).toMatchObject({ shortfallFen: 200, paid: parts(700, 100), released: none });
    expect(changesOf({ ok: true, value: beyond.value.transfer })).toEqual({
      'customer-held:5': -500,
      'customer-gift-held:5': -100,
      'customer:5': -200,
      'receivable:customer:5': -200,
      'payable:partner:9': 1_000,
    });
  });

  test('nothing held and nothing due moves nothing, and a negative fee is refused', () => {
    const bill = { chargeId: 3, partnerId, wallet, held: none, available: none };
    expect(settleRoamingTransfer({ ...bill, electricityFeeFen: zeroFen, serviceFeeFen: zeroFen })).toMatchObject({
      value: { transfer: null },
    });
    expect(settleRoamingTransfer({ ...bill, electricityFeeFen: fen(-1), serviceFeeFen: fen(2) })).toMatchObject({
      ok: false,
      error: { code: 'ledger.amount_negative', field: 'electricityFeeFen' },
    });
  });

  test('a refund reduces the debt first, returns what was paid in proportion, and lessens what the operator gets', () => {
    const paid = { chargeId: 3, partnerId, wallet, paid: parts(600, 200), refunded: none, owedFen: fen(200) };
    const made = refundRoamingTransfer({ ...paid, number: 1, amountFen: fen(600) });
    if (!made.ok) throw new Error(made.error.code);
    expect(made.value).toMatchObject({ forgivenFen: 200, refunded: parts(300, 100) });
    expect(changesOf({ ok: true, value: made.value.transfer })).toEqual({
      'payable:partner:9': -600,
      'receivable:customer:5': 200,
      'customer:5': 300,
      'customer-gift:5': 100,
    });
    expect(refundRoamingTransfer({ ...paid, number: 1, amountFen: fen(1_001) })).toMatchObject({
      error: { code: 'ledger.refund_too_high', maxFen: 1_000 },
    });
    expect(refundRoamingTransfer({ ...paid, number: 1, amountFen: zeroFen })).toMatchObject({
      error: { code: 'ledger.amount_not_positive' },
    });
    expect(changesOf(writeOffRoamingTransfer({ id: 8, wallet, amountFen: fen(200) }))).toEqual({
      'bad-debt': -200,
      'receivable:customer:5': 200,
    });
  });

  test('a debt is repaid, and what is owed to the operator is paid out', () => {
    expect(changesOf(repayRoamingTransfer({ chargeId: 3, number: 1, wallet, paid: parts(150, 50) }))).toEqual({
      'customer:5': -150,
      'customer-gift:5': -50,
      'receivable:customer:5': 200,
    });
    expect(changesOf(partnerPaymentTransfer({ id: 4, partnerId, amountFen: fen(1_000) }))).toEqual({
      'payable:partner:9': -1_000,
      'channel:bank': 1_000,
    });
    expect(changesOf(partnerPaymentTransfer({ id: 5, partnerId, amountFen: fen(-300) }))).toEqual({
      'channel:bank': -300,
      'payable:partner:9': 300,
    });
  });
});
