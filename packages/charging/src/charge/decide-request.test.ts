import type { CardId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { type Authorization, authorizations, connectorStates } from '../states.ts';
import { decideRequest, type RequestKnown } from './decide-request.ts';
import { chargeOf, namedCharge } from './test-charge.ts';

const card = { cardId: 21 as CardId, authorization: 'accepted', freeFen: fen(20_000) } as const;

function known(over: Partial<RequestKnown> = {}): RequestKnown {
  return {
    station: { isEnabled: true, isPriced: true, isFree: false },
    port: { isOpen: true, state: 'plugged_in' },
    onPort: null,
    card,
    parallel: null,
    paidBefore: null,
    ...over,
  };
}

const refused = (authorization: Authorization, promisedFen = 0) => ({ kind: 'refuse', authorization, promisedFen });

describe('a charge that is asked for at a station', () => {
  test.each<[string, Partial<RequestKnown>, ReturnType<typeof refused>]>([
    [
      'at a disabled station',
      { station: { isEnabled: false, isPriced: true, isFree: false } },
      refused('station_closed'),
    ],
    ['at a closed gun port', { port: { isOpen: false, state: 'free' } }, refused('station_closed')],
    ['at an unavailable gun port', { port: { isOpen: true, state: 'unavailable' } }, refused('station_closed')],
    ['by an unregistered vehicle', { card: null }, refused('vehicle_unknown')],
    [
      'at a station without a price',
      { station: { isEnabled: true, isPriced: false, isFree: false } },
      refused('station_closed', 20_000),
    ],
    [
      'at a disabled station, before its card is checked',
      { station: { isEnabled: false, isPriced: true, isFree: false }, card: null },
      refused('station_closed'),
    ],
    [
      'at a station without a price with a card that may not charge, for the reason that its driver can fix',
      { station: { isEnabled: true, isPriced: false, isFree: false }, card: { ...card, authorization: 'blocked' } },
      refused('blocked', 20_000),
    ],
  ])('a requested charge is refused %s', (_title, over, decision) => {
    expect(decideRequest(known(over))).toEqual(decision);
  });

  test.each(authorizations.filter((one) => one !== 'accepted'))(
    'a free charge requested with a card that is %s is refused only for a reason that money does not mend',
    (authorization) => {
      const station = { isEnabled: true, isPriced: true, isFree: true };
      const placed = { kind: 'place', holdFen: 0, promisedFen: 50_000 };
      expect(decideRequest(known({ station, card: { ...card, authorization } }))).toEqual(
        authorization === 'no_balance' ? placed : refused(authorization, 20_000),
      );
    },
  );

  test('a free charge holds nothing and is promised enough to fill a vehicle, again when it is named again', () => {
    const station = { isEnabled: true, isPriced: true, isFree: true };
    const empty = { ...card, freeFen: fen(0), authorization: 'no_balance' } as const;
    expect(decideRequest(known({ station, card: empty }))).toEqual({ kind: 'place', holdFen: 0, promisedFen: 50_000 });
    const onPort = namedCharge({ state: 'placed', heldFen: fen(0) });
    expect(decideRequest(known({ station, card: empty, onPort }))).toMatchObject({
      kind: 'name-again',
      promisedFen: 50_000,
    });
  });

  test.each(authorizations.filter((one) => one !== 'accepted'))(
    'a charge requested with a card that is %s is refused',
    (authorization) => {
      const asked = known({ card: { ...card, authorization } });
      expect(decideRequest(asked)).toEqual(refused(authorization, 20_000));
    },
  );

  test('a requested charge holds 50 yuan and promises all that its payer has', () => {
    expect(decideRequest(known())).toEqual({ kind: 'place', holdFen: 5_000, promisedFen: 20_000 });
    expect(decideRequest(known({ card: { ...card, freeFen: fen(100) } }))).toEqual({
      kind: 'place',
      holdFen: 100,
      promisedFen: 100,
    });
  });
});

describe('a requested charge that is paid before', () => {
  const paidBefore = { amountFen: fen(500), isFixed: false };

  test('a requested charge that is paid before holds what is paid, and is promised no more unless its price is fixed', () => {
    const place = { kind: 'place', holdFen: 500 };
    expect(decideRequest(known({ paidBefore }))).toEqual({ ...place, promisedFen: 500 });
    const fixed = { ...paidBefore, isFixed: true };
    expect(decideRequest(known({ paidBefore: fixed }))).toEqual({ ...place, promisedFen: 50_000 });
  });

  test('a requested charge that is paid before is refused to a payer who has less', () => {
    const short = { ...card, freeFen: fen(499) };
    expect(decideRequest(known({ paidBefore, card: short }))).toEqual(refused('no_balance', 499));
  });

  test('a repeated request for a charge that is paid before gets the same promise', () => {
    const onPort = namedCharge({ state: 'placed', heldFen: fen(500) });
    expect(decideRequest(known({ paidBefore, onPort }))).toMatchObject({ kind: 'name-again', promisedFen: 500 });
  });
});

describe('a gun port', () => {
  const running = chargeOf();
  const busy = new Set(['charging', 'starting', 'suspended', 'unavailable']);
  test.each(connectorStates)(
    'a gun port in state %s is kept from the next driver only while its charge can run',
    (state) => {
      const decision = decideRequest(known({ port: { isOpen: true, state }, onPort: running }));
      if (state === 'unavailable') expect(decision).toEqual(refused('station_closed'));
      else if (busy.has(state)) expect(decision).toEqual(refused('already_charging'));
      else expect(decision.kind).toBe('place');
    },
  );

  test('a gun port whose charge waits for its stop is free', () => {
    const waiting = chargeOf({ state: 'settling', waitsFor: 'stop' });
    expect(decideRequest(known({ port: { isOpen: true, state: 'charging' }, onPort: waiting })).kind).toBe('place');
  });

  const placed = namedCharge({ state: 'placed', startedAt: null, begunAt: null, heldFen: fen(5_000) });

  test('a repeated request with the same card gets the same name and money', () => {
    const again = known({ onPort: placed, card: { ...card, freeFen: fen(15_000) } });
    expect(decideRequest(again)).toEqual({ kind: 'name-again', charge: placed, promisedFen: 20_000 });
  });

  test('a repeated request with the same card is named again even though that card may no longer charge', () => {
    const again = known({ onPort: placed, card: { ...card, authorization: 'already_charging', freeFen: fen(0) } });
    expect(decideRequest(again)).toMatchObject({ kind: 'name-again', promisedFen: 5_000 });
  });

  test.each<[string, Partial<RequestKnown>]>([
    ['another card', { card: { ...card, cardId: 22 as CardId } }],
    ['a card without an id', { card: { ...card, cardId: null }, onPort: { ...placed, cardId: null } }],
    ['a charge without a name', { onPort: { ...placed, transactionKey: null } }],
  ])('a gun port with a waiting charge is reserved for it: %s', (_title, over) => {
    expect(decideRequest(known({ onPort: placed, ...over }))).toEqual(refused('already_charging'));
  });
});

describe('two gun ports that charge one vehicle together', () => {
  /** What each is promised and holds when they ask one after the other, with this balance on the card. */
  function both(balance: number): { promised: number; hold: Fen }[] {
    const ask = (freeFen: number, otherHeldFen: Fen | null) => {
      const decision = decideRequest(known({ card: { ...card, freeFen: fen(freeFen) }, parallel: { otherHeldFen } }));
      if (decision.kind !== 'place') throw new Error(decision.kind);
      return { promised: decision.promisedFen, hold: decision.holdFen };
    };
    const first = ask(balance, null);
    return [first, ask(balance - first.hold, first.hold)];
  }

  test.each([
    [20_000, [10_000, 5_000], [10_000, 5_000]],
    [20_001, [10_001, 5_000], [10_000, 5_000]],
    [8_000, [4_000, 4_000], [4_000, 4_000]],
    [101, [51, 51], [50, 50]],
  ])(
    'two gun ports that charge together are each promised one half of %i fen',
    (balance, [promised, hold], [otherPromised, otherHold]) => {
      expect(both(balance)).toEqual([
        { promised, hold },
        { promised: otherPromised, hold: otherHold },
      ]);
    },
  );

  test('two gun ports that charge together get the same promise when one of them asks again', () => {
    const placed = namedCharge({ state: 'placed', heldFen: fen(5_000) });
    const again = (freeFen: number, otherHeldFen: Fen | null) =>
      decideRequest(known({ onPort: placed, card: { ...card, freeFen: fen(freeFen) }, parallel: { otherHeldFen } }));
    expect(again(15_000, null)).toMatchObject({ kind: 'name-again', promisedFen: 10_000 });
    expect(again(10_000, fen(5_000))).toMatchObject({ kind: 'name-again', promisedFen: 10_000 });
  });
});
