import { hourMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Authorization, cardStates } from '../states.ts';
import {
  authorizationToPay,
  type CardKnown,
  decideAuthorization,
  firstHoldFen,
  promisedFen,
  promisedOfTwoFen,
  promisedToPaid,
} from './decide-authorization.ts';
import { after, noon } from './test-charge.ts';

describe('a card that is shown to a station', () => {
  const sound: CardKnown = {
    state: 'active',
    customerState: 'normal',
    expiresAt: null,
    isCharging: false,
    availableFen: fen(100),
    owesTooMuch: false,
  };
  test.each<[string, Partial<CardKnown>, Authorization]>([
    ['in good order may charge', {}, 'accepted'],
    ['without a customer may charge', { customerState: null }, 'accepted'],
    ['of a disabled customer is blocked', { customerState: 'disabled' }, 'blocked'],
    ['may charge until the millisecond before it expires', { expiresAt: after(1) }, 'accepted'],
    ['is expired from that instant on', { expiresAt: noon }, 'expired'],
    ['is expired after that', { expiresAt: after(-hourMs) }, 'expired'],
    ['charges one vehicle at a time', { isCharging: true }, 'already_charging'],
    ['with 99 fen has too little', { availableFen: fen(99) }, 'no_balance'],
    ['of a debtor beyond the limit has to be recharged first', { owesTooMuch: true }, 'no_balance'],
    ['with a debt has too little', { availableFen: fen(-1) }, 'no_balance'],
    ['is blocked rather than expired', { state: 'lost', expiresAt: noon }, 'blocked'],
    ['is expired rather than charging', { expiresAt: noon, isCharging: true }, 'expired'],
    ['is charging rather than short of money', { isCharging: true, availableFen: fen(0) }, 'already_charging'],
  ])('a card %s', (_title, over, authorization) => {
    expect(decideAuthorization({ ...sound, ...over }, noon)).toBe(authorization);
  });

  test.each(cardStates)('a card in state %s may charge only when it is active', (state) => {
    expect(decideAuthorization({ ...sound, state }, noon)).toBe(state === 'active' ? 'accepted' : 'blocked');
  });

  test('an unregistered card is unknown', () => {
    expect(decideAuthorization(null, noon)).toBe('unknown');
  });
});

describe('a charge that is paid before', () => {
  const paid = (isFixed: boolean) => ({ amountFen: fen(500), isFixed });

  test('a charge that is paid before needs all of what is paid, and money never mends another refusal', () => {
    const having = (availableFen: number, authorization: Authorization = 'accepted') => ({
      authorization,
      availableFen: fen(availableFen),
    });
    expect(authorizationToPay(paid(false), having(500))).toBe('accepted');
    expect(authorizationToPay(paid(true), having(499))).toBe('no_balance');
    expect(authorizationToPay(paid(true), having(499, 'blocked'))).toBe('blocked');
    expect(authorizationToPay(null, having(100))).toBe('accepted');
  });

  test('a prepaid charge is promised what was paid at most, and one at a fixed price enough to fill a vehicle', () => {
    expect(promisedToPaid(paid(false), fen(20_000))).toBe(500);
    expect(promisedToPaid(paid(false), fen(400))).toBe(400);
    expect(promisedToPaid(paid(true), fen(500))).toBe(50_000);
    expect(promisedToPaid(null, fen(20_000))).toBe(20_000);
  });
});

describe('the money behind a charge', () => {
  test.each([
    [0, 0],
    [4_999, 4_999],
    [5_000, 5_000],
    [5_001, 5_000],
  ])('of %i fen that may be spent, %i are held first', (spendableFen, holdFen) => {
    expect(firstHoldFen(fen(spendableFen))).toBe(holdFen);
  });

  test.each([
    ['alone', 5_000, 2_000, 1, 7_000],
    ['of two', 5_000, 2_001, 2, 6_000],
    ['that nobody counts', 5_000, 2_000, 0, 7_000],
  ])(
    'the money behind a charge is its hold and an even share of what is free: a charge %s',
    (_title, held, free, sharers, promised) => {
      expect(promisedFen({ heldFen: fen(held), freeFen: fen(free), sharers })).toBe(promised);
    },
  );

  test('the money behind charges is never promised twice, however many share it', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 100_000 }), (held, free) => {
        const promises = held.map((heldFen) =>
          promisedFen({ heldFen: fen(heldFen), freeFen: fen(free), sharers: held.length }),
        );
        expect(sum(promises)).toBeLessThanOrEqual(sum(held) + free);
        expect(sum(promises)).toBeGreaterThan(sum(held) + free - held.length);
      }),
    );
  });

  test('the money behind two gun ports together is halved, the first getting the odd fen', () => {
    const first = promisedOfTwoFen({ heldFen: fen(0), freeFen: fen(20_001), otherHeldFen: null });
    expect(first).toBe(10_001);
    expect(promisedOfTwoFen({ heldFen: fen(5_000), freeFen: fen(10_001), otherHeldFen: fen(5_000) })).toBe(10_000);
  });

  test('the money behind one of two gun ports together is at least its hold and at most what there is', () => {
    expect(promisedOfTwoFen({ heldFen: fen(8_000), freeFen: fen(1_000), otherHeldFen: fen(0) })).toBe(8_000);
    expect(promisedOfTwoFen({ heldFen: fen(8_000), freeFen: fen(1_000), otherHeldFen: null })).toBe(8_000);
    expect(promisedOfTwoFen({ heldFen: fen(1_000), freeFen: fen(0), otherHeldFen: fen(8_000) })).toBe(1_000);
  });

  const balances = fc.integer({ min: 100, max: 200_000 });
  const extensions = fc.integer({ min: 0, max: 10 });
  /** Two ports ask one after the other; the first extends its hold in between. */
  const askTwice = (balance: number, steps: number, firstMaxFen: number) => {
    const held = firstHoldFen(fen(Math.ceil(balance / 2)));
    const told = promisedOfTwoFen({ heldFen: held, freeFen: fen(balance - held), otherHeldFen: null });
    const otherHeldFen = fen(Math.min(firstMaxFen, held + steps * 5_000));
    const heldFen = firstHoldFen(fen(balance - otherHeldFen));
    const freeFen = fen(balance - otherHeldFen - heldFen);
    return { told, otherHeldFen, freeFen, second: promisedOfTwoFen({ heldFen, freeFen, otherHeldFen }) };
  };

  test('the money behind two gun ports together is never promised twice, though the first gets no update', () => {
    fc.assert(
      fc.property(balances, extensions, (balance, steps) => {
        const { told, second } = askTwice(balance, steps, Math.ceil(balance / 2));
        expect(told + second).toBeLessThanOrEqual(balance);
      }),
    );
  });

  test('the money behind two gun ports together is never promised twice when the first holds more than half and gets its share', () => {
    fc.assert(
      fc.property(balances, extensions, (balance, steps) => {
        const { otherHeldFen, freeFen, second } = askTwice(balance, steps, balance);
        const first = promisedFen({ heldFen: otherHeldFen, freeFen, sharers: 2 });
        expect(first + second).toBeLessThanOrEqual(balance);
      }),
    );
  });
});

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
