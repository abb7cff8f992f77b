import type { CardId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { type Authorization, authorizations, connectorStates } from '../states.ts';
import { decideRequest, type RequestKnown } from './decide-request.ts';
import { chargeOf, namedCharge } from './test-charge.ts';

const card = { cardId: 21 as CardId, authorization: 'accepted', freeFen: fen(20_000) } as const;

function known(over: Partial<RequestKnown> = {}): RequestKnown {
  return {
    station: { isEnabled: true, isPriced: true },
    port: { isOpen: true, state: 'plugged_in' },
    onPort: null,
    card,
    parallel: null,
    ...over,
  };
}

const refused = (authorization: Authorization, promisedFen = 0) => ({ kind: 'refuse', authorization, promisedFen });

describe('a charge that is asked for at a station', () => {
  test.each<[string, Partial<RequestKnown>, ReturnType<typeof refused>]>([
    ['that is disabled', { station: { isEnabled: false, isPriced: true } }, refused('station_closed')],
    ['whose gun port is closed', { port: { isOpen: false, state: 'free' } }, refused('station_closed')],
    ['whose gun port is unavailable', { port: { isOpen: true, state: 'unavailable' } }, refused('station_closed')],
    ['by a vehicle that nobody registered', { card: null }, refused('vehicle_unknown')],
    ['without a price', { station: { isEnabled: true, isPriced: false } }, refused('station_closed', 20_000)],
    [
      'that is disabled, before its card is looked at',
      { station: { isEnabled: false, isPriced: true }, card: null },
      refused('station_closed'),
    ],
    [
      'without a price by a card that may not charge, for the reason that its driver can mend',
      { station: { isEnabled: true, isPriced: false }, card: { ...card, authorization: 'blocked' } },
      refused('blocked', 20_000),
    ],
  ])('%s is refused', (_title, over, decision) => {
    expect(decideRequest(known(over))).toEqual(decision);
  });

  test.each(authorizations.filter((one) => one !== 'accepted'))('by a card that is %s is refused', (authorization) => {
    const asked = known({ card: { ...card, authorization } });
    expect(decideRequest(asked)).toEqual(refused(authorization, 20_000));
  });

  test('holds 50 yuan and promises all that its payer has', () => {
    expect(decideRequest(known())).toEqual({ kind: 'place', holdFen: 5_000, promisedFen: 20_000 });
    expect(decideRequest(known({ card: { ...card, freeFen: fen(100) } }))).toEqual({
      kind: 'place',
      holdFen: 100,
      promisedFen: 100,
    });
  });
});

describe('a gun port', () => {
  const running = chargeOf();
  const busy = new Set(['charging', 'starting', 'suspended', 'unavailable']);
  test.each(connectorStates)('in state %s is kept from the next driver only while its charge can run', (state) => {
    const decision = decideRequest(known({ port: { isOpen: true, state }, onPort: running }));
    if (state === 'unavailable') expect(decision).toEqual(refused('station_closed'));
    else if (busy.has(state)) expect(decision).toEqual(refused('already_charging'));
    else expect(decision.kind).toBe('place');
  });

  test('whose charge waits for its stop is free', () => {
    const waiting = chargeOf({ state: 'settling', waitsFor: 'stop' });
    expect(decideRequest(known({ port: { isOpen: true, state: 'charging' }, onPort: waiting })).kind).toBe('place');
  });

  const placed = namedCharge({ state: 'placed', startedAt: null, begunAt: null, heldFen: fen(5_000) });

  test('for which a charge of the same card waits gets the same name again, with the same money', () => {
    const again = known({ onPort: placed, card: { ...card, freeFen: fen(15_000) } });
    expect(decideRequest(again)).toEqual({ kind: 'name-again', charge: placed, promisedFen: 20_000 });
  });

  test('for which a charge of the same card waits names it again though that card may charge no more', () => {
    const again = known({ onPort: placed, card: { ...card, authorization: 'already_charging', freeFen: fen(0) } });
    expect(decideRequest(again)).toMatchObject({ kind: 'name-again', promisedFen: 5_000 });
  });

  test.each<[string, Partial<RequestKnown>]>([
    ['another card', { card: { ...card, cardId: 22 as CardId } }],
    ['a card without an id', { card: { ...card, cardId: null }, onPort: { ...placed, cardId: null } }],
    ['a charge without a name', { onPort: { ...placed, transactionKey: null } }],
  ])('for which a charge waits is kept for it: %s', (_title, over) => {
    expect(decideRequest(known({ onPort: placed, ...over }))).toEqual(refused('already_charging'));
  });
});

describe('two gun ports that charge one vehicle together', () => {
  /** What each is promised and holds when they ask one after the other, the card having so much. */
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
  ])('are told one half each of %i fen', (balance, [promised, hold], [otherPromised, otherHold]) => {
    expect(both(balance)).toEqual([
      { promised, hold },
      { promised: otherPromised, hold: otherHold },
    ]);
  });

  test('are told the same when one of them asks again', () => {
    const placed = namedCharge({ state: 'placed', heldFen: fen(5_000) });
    const again = (freeFen: number, otherHeldFen: Fen | null) =>
      decideRequest(known({ onPort: placed, card: { ...card, freeFen: fen(freeFen) }, parallel: { otherHeldFen } }));
    expect(again(15_000, null)).toMatchObject({ kind: 'name-again', promisedFen: 10_000 });
    expect(again(10_000, fen(5_000))).toMatchObject({ kind: 'name-again', promisedFen: 10_000 });
  });
});
