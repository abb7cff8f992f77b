import { wattHours } from '@voltdeck/units/energy';
import { hourMs, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { Charge } from './charge.ts';
import { decideEnd, type EndKnown } from './decide-end.ts';
import { after, billOf, chargeOf, name, namedCharge, noon, rulesOf, stopOf } from './test-charge.ts';

const receivedAt = after(31 * minuteMs);

function known(over: Partial<EndKnown> = {}): EndKnown {
  return {
    event: stopOf(),
    receivedAt,
    charge: chargeOf(),
    hasEnergy: false,
    authorization: null,
    isReplaced: false,
    ...over,
  };
}

function settled(over: Partial<EndKnown> = {}) {
  const decision = decideEnd(known(over));
  if (decision.kind !== 'settle') throw new Error(`it is not settled: ${decision.kind}`);
  return decision;
}

const namedStop = { transaction: name, meterStopWh: wattHours(10_000), bill: billOf(10_000) };
const emptyStop = { transaction: name, meterStopWh: wattHours(0), failedToStart: true };
const placed = namedCharge({ state: 'placed', startedAt: null, begunAt: null });

describe('a stop', () => {
  test('a stop settles the running charge by its own figures', () => {
    expect(settled()).toEqual({
      kind: 'settle',
      charge: chargeOf(),
      startedAt: null,
      end: { endedAt: after(30 * minuteMs), meterStopWh: 11_000, reason: 'local' },
      claimsPayer: false,
      flags: [],
      doubt: null,
    });
  });

  test.each([
    ['by its own clock where that runs hours behind ours', -6 * hourMs, -6 * hourMs],
    ['by a clock set to UTC where both ends then fit', -8 * hourMs, 0],
  ])('a stop gives both ends of the charge %s', (_title, behindMs, isMs) => {
    const charge = namedCharge({ startedAt: after(30 * minuteMs) });
    const told = { startedAt: after(behindMs), at: after(behindMs + 20 * minuteMs) };
    const event = stopOf({ ...told, transaction: name, meterStopWh: wattHours(9_000) });
    expect(settled({ charge, event, receivedAt: after(30 * minuteMs) })).toMatchObject({
      startedAt: after(isMs),
      end: { endedAt: after(isMs + 20 * minuteMs), meterStopWh: 9_000 },
      flags: [{ rule: 'clock_wrong' }],
    });
  });

  test("a stop by a clock set to UTC gives the end of a night longer than the zone's offset", () => {
    const told = { startedAt: after(-8 * hourMs), at: after(2 * hourMs) };
    const event = stopOf({ ...told, transaction: name, meterStopWh: wattHours(60_000) });
    expect(settled({ charge: namedCharge(), event, receivedAt: after(10 * hourMs) })).toMatchObject({
      startedAt: noon,
      end: { endedAt: after(10 * hourMs) },
      flags: [{ rule: 'clock_wrong', evidence: { stationTime: event.stationTime } }],
    });
    // One received eight hours late, by a right clock.
    const late = stopOf({ transaction: name, startedAt: after(-8 * hourMs), at: after(minuteMs) });
    expect(settled({ charge: namedCharge(), event: late, receivedAt: after(2 * minuteMs) })).toMatchObject({
      startedAt: after(-8 * hourMs),
      end: { endedAt: after(minuteMs) },
    });
  });

  test.each<[string, startedMs: number, endedMs: number, shiftMs: number]>([
    ['eight hours before the order was placed', 0, 20, 8 * hourMs],
    ['ten minutes more before it', -10, 20, 8 * hourMs],
    ['more than ten minutes more before it', -10 - 1 / 60_000, 20, 0],
    ['until ten minutes after it was told', -10, 40, 8 * hourMs],
    ['until more than ten minutes after it was told', -10, 40 + 1 / 60_000, 0],
    ['for no time at all', 5, 5, 8 * hourMs],
  ])(
    'a stop is taken to have forgotten its zone only where both ends then fit: %s',
    (_title, began, ended, shiftMs) => {
      const utc = (minutes: number) => after(Math.round(minutes * minuteMs) - 8 * hourMs);
      const event = stopOf({ transaction: name, startedAt: utc(began), at: utc(ended) });
      const charge = namedCharge({ startedAt: after(30 * minuteMs) });
      expect(settled({ charge, event, receivedAt: after(30 * minuteMs) })).toMatchObject({
        startedAt: utc(began) + shiftMs,
        end: { endedAt: utc(ended) + shiftMs },
      });
    },
  );

  test.each([
    [-10 * minuteMs, true],
    [-10 * minuteMs - 1, false],
    [10 * minuteMs, true],
    [10 * minuteMs + 1, false],
  ])("a night's charge began a zone behind within ten minutes (%i ms off), and not beyond", (offMs, isZoneBehind) => {
    const told = { startedAt: after(offMs - 8 * hourMs), at: after(2 * hourMs) };
    const event = stopOf({ ...told, transaction: name, meterStopWh: wattHours(60_000) });
    expect(settled({ charge: namedCharge(), event, receivedAt: after(10 * hourMs) })).toMatchObject({
      startedAt: isZoneBehind ? after(offMs) : null,
      end: { endedAt: after(isZoneBehind ? 10 * hourMs : 2 * hourMs) },
    });
  });

  test('a stop at the beginning we know leaves that unchanged', () => {
    const event = stopOf({ transaction: name, startedAt: noon, at: after(20 * minuteMs) });
    const charge = namedCharge({ startedAt: after(20 * minuteMs) });
    expect(settled({ charge, event })).toMatchObject({
      startedAt: null,
      end: { endedAt: after(20 * minuteMs) },
      flags: [],
    });
  });

  test('a stop with a start of its own changes nothing where that fits what is known', () => {
    const event = stopOf({ transaction: name, startedAt: noon });
    expect(settled({ charge: namedCharge(), event })).toMatchObject({ startedAt: null, flags: [] });
    const backwards = stopOf({ transaction: name, startedAt: after(-hourMs), at: after(-2 * hourMs) });
    expect(settled({ charge: namedCharge(), event: backwards })).toMatchObject({ startedAt: null });
  });

  test('a stop that arrives after a newer start settles the charge whose stop was missing', () => {
    const charge = chargeOf({ state: 'settling', waitsFor: 'stop' });
    expect(settled({ charge })).toMatchObject({ charge, end: { meterStopWh: 11_000 }, flags: [] });
  });

  test('a stop without a register settles all the same, and says so', () => {
    expect(settled({ event: stopOf({ meterStopWh: undefined }) }).end.meterStopWh).toBeNull();
    // Zero is a valid register for a charge with a number.
    expect(settled({ event: stopOf({ meterStopWh: wattHours(0) }) }).end.meterStopWh).toBe(0);
  });

  test('a stop without a usable clock ends the charge when we received it', () => {
    const decision = settled({ event: stopOf({ at: undefined, stationTime: '1970' }) });
    expect(decision.end.endedAt).toBe(receivedAt);
    expect(decision.flags).toEqual([
      { rule: 'clock_wrong', evidence: { stationTime: '1970', receivedAt: toIso(receivedAt) } },
    ]);
  });

  test('a stop without a usable clock ends no earlier than the last reading, by a clock ahead of ours', () => {
    const charge = chargeOf({ lastReadingAt: after(38 * minuteMs) });
    expect(settled({ charge, event: stopOf({ at: undefined }) }).end.endedAt).toBe(after(38 * minuteMs));
  });

  test('a stop before the beginning ends the charge at its last reading, and is flagged', () => {
    const event = stopOf({ at: after(-1) });
    const read = settled({ event, charge: chargeOf({ lastReadingAt: after(29 * minuteMs) }) });
    expect(read.end.endedAt).toBe(after(29 * minuteMs));
    expect(read.flags).toMatchObject([{ rule: 'clock_wrong', evidence: { startedAt: toIso(noon) } }]);
    expect(settled({ event }).end.endedAt).toBe(receivedAt);
    expect(settled({ event: stopOf({ at: noon }) })).toMatchObject({ end: { endedAt: noon }, flags: [] });
    expect(settled({ event, charge: chargeOf({ startedAt: null }) })).toMatchObject({ flags: [] });
  });
});

describe('a stop that was reported before', () => {
  const completed = (over: Partial<Charge> = {}) =>
    chargeOf({ state: 'completed', energyWh: 10_000, amountFen: fen(1_000), endedAt: after(30 * minuteMs), ...over });
  const repeated = (over: Partial<EndKnown> = {}) => {
    const decision = decideEnd(known({ charge: completed(), ...over }));
    if (decision.kind !== 'repeated') throw new Error(decision.kind);
    return { rules: rulesOf(decision.flags), ...decision };
  };

  test('a repeated stop bills nothing again', () => {
    expect(repeated()).toMatchObject({ charge: completed(), keepsRecord: false, flags: [] });
  });

  test('a repeated stop of a charge that waits for a person changes nothing, whatever it says', () => {
    const charge = chargeOf({ state: 'settling', waitsFor: 'person', energyWh: 3 });
    expect(repeated({ charge })).toMatchObject({ keepsRecord: false, flags: [] });
    expect(repeated({ charge, event: stopOf({ bill: billOf(10_000) }) })).toMatchObject({
      keepsRecord: true,
      flags: [],
    });
  });

  test('a repeated stop with another register flags what was billed, since the charge was closed without it', () => {
    expect(repeated({ event: stopOf({ meterStopWh: wattHours(11_500) }) }).flags).toEqual([
      {
        rule: 'stop_differs',
        evidence: { energyWh: 10_500, billedWh: 10_000, meterStopWh: 11_500, at: toIso(after(30 * minuteMs)) },
      },
    ]);
    const unclocked = stopOf({ meterStopWh: wattHours(500), at: undefined });
    expect(repeated({ event: unclocked }).flags).toMatchObject([{ evidence: { energyWh: 0, at: null } }]);
  });

  test.each<[string, Partial<EndKnown>]>([
    ['without a register', { event: stopOf({ meterStopWh: undefined }) }],
    [
      'of a charge whose register at the start was not reported',
      { charge: completed({ meterStartWh: null, energyWh: 9_000 }) },
    ],
    [
      'below the start, of a charge that was billed at nothing',
      { event: stopOf({ meterStopWh: wattHours(500) }), charge: completed({ energyWh: 0 }) },
    ],
  ])('a repeated stop %s is compared with nothing', (_title, over) => {
    expect(repeated(over).flags).toEqual([]);
  });

  const charge = namedCharge({ state: 'completed', energyWh: 9_000, amountFen: fen(900) });
  const event = stopOf(namedStop);

  test('a missing record that arrives late is kept, and its total compared with what was billed', () => {
    expect(repeated({ charge, event })).toMatchObject({
      keepsRecord: true,
      flags: [
        {
          rule: 'amount_differs',
          evidence: { stationAmountE4: 100_000, stationFen: 1_000, oursFen: 900, energyWh: 10_000, billedWh: 9_000 },
        },
      ],
    });
    expect(repeated({ charge: { ...charge, energyWh: 10_000 }, event })).toMatchObject({
      keepsRecord: true,
      flags: [],
    });
  });

  test('a repeated record is not stored again, and flags no more than the first time', () => {
    const kept = { ...charge, hasStationBill: true };
    expect(repeated({ charge: kept, event })).toMatchObject({ keepsRecord: false, rules: ['amount_differs'] });
    expect(repeated({ charge: { ...kept, energyWh: 10_000 }, event })).toMatchObject({ keepsRecord: false, flags: [] });
  });
});

describe('the record of a failed start', () => {
  test('the record of a failed start releases the hold', () => {
    expect(decideEnd(known({ charge: placed, event: stopOf(emptyStop) }))).toEqual({ kind: 'cancel', charge: placed });
    const begun = namedCharge();
    expect(decideEnd(known({ charge: begun, event: stopOf(emptyStop) }))).toEqual({ kind: 'cancel', charge: begun });
    const said = stopOf({ ...emptyStop, failedToStart: false });
    expect(decideEnd(known({ charge: placed, event: said }))).toEqual({ kind: 'cancel', charge: placed });
  });

  test.each<[string, Partial<EndKnown>, string]>([
    ['that was read to deliver something', { hasEnergy: true }, 'settle'],
    ['that did not fail', { event: stopOf({ ...emptyStop, failedToStart: false }) }, 'settle'],
    ['that delivered something', { event: stopOf({ ...emptyStop, meterStopWh: wattHours(1) }) }, 'settle'],
    ['that does not say what it delivered', { event: stopOf({ ...emptyStop, meterStopWh: undefined }) }, 'settle'],
    ['of a charge with a number', { event: stopOf({ ...emptyStop, transaction: 7 }) }, 'settle'],
    ['of an order that waits, which delivered something', { charge: placed, hasEnergy: true }, 'begin-first'],
  ])('the record of a failed start does not cancel a charge %s', (_title, over, kind) => {
    expect(decideEnd(known({ charge: namedCharge(), event: stopOf(emptyStop), ...over })).kind).toBe(kind);
  });
});

describe('the record of a charge that did not begin for us', () => {
  test.each<[string, Partial<EndKnown>, string]>([
    ['begins and ends it', { charge: null }, 'begin-first'],
    ['begins and ends an order that waits', { charge: placed }, 'begin-first'],
    [
      'without a register begins and ends it',
      { charge: null, event: stopOf({ ...namedStop, meterStopWh: undefined }) },
      'begin-first',
    ],
    [
      'that delivered nothing is nothing',
      { charge: null, event: stopOf({ ...namedStop, meterStopWh: wattHours(0) }) },
      'nothing',
    ],
    [
      'that fell below nothing is nothing',
      { charge: null, event: stopOf({ ...namedStop, meterStopWh: wattHours(-5) }) },
      'nothing',
    ],
  ])('the record of a charge that did not begin for us %s', (_title, over, kind) => {
    expect(decideEnd(known({ event: stopOf(namedStop), ...over })).kind).toBe(kind);
  });
});

describe('a stop that nobody can be found for', () => {
  const nobody = (over: Partial<EndKnown> = {}) => decideEnd(known({ charge: null, ...over }));

  test.each([0, -1, 4_711])(
    'a stop without a matching charge is parked for a person with its figures (transaction %i)',
    (transaction) => {
      expect(nobody({ event: stopOf({ transaction, cardNumber: 'CARD9' }) })).toEqual({
        kind: 'park',
        flags: [
          {
            rule: 'start_missing',
            evidence: {
              transaction,
              cardNumber: 'CARD9',
              meterStopWh: 11_000,
              stationTime: '2026-11-22T04:30:00Z',
            },
          },
        ],
      });
    },
  );

  test('a stop without a matching charge is parked without the figures it lacks', () => {
    const decision = nobody({ event: stopOf({ meterStopWh: undefined, at: undefined }) });
    expect(decision).toMatchObject({
      kind: 'park',
      flags: [
        { evidence: { cardNumber: null, meterStopWh: null } },
        { rule: 'clock_wrong', evidence: { stationTime: '2026-11-22T04:30:00Z', receivedAt: toIso(receivedAt) } },
      ],
    });
  });

  test('a stop with a name of zeros is parked, even when it says that nothing was delivered', () => {
    expect(nobody({ event: stopOf({ ...namedStop, transaction: '0'.repeat(32) }) }).kind).toBe('park');
    expect(nobody({ event: stopOf({ meterStopWh: wattHours(0) }) }).kind).toBe('park');
  });

  test('a stop without a matching charge is parked once', () => {
    const parked = chargeOf({
      state: 'settling',
      waitsFor: 'person',
      transactionNumber: null,
      meterStartWh: null,
      startedAt: null,
      wasPlaced: false,
    });
    const again = { kind: 'repeated', keepsRecord: false, flags: [] };
    expect(decideEnd(known({ charge: parked }))).toMatchObject(again);
    expect(decideEnd(known({ charge: { ...parked, state: 'completed', waitsFor: null } }))).toMatchObject(again);
  });
});

describe('the payer of a charge that began offline', () => {
  const unpaid = namedCharge({ cardId: null, customerId: null, wasPlaced: false });
  const event = stopOf({ ...namedStop, cardNumber: 'CARD1' });

  test('the payer of an offline charge is known by the card of its record', () => {
    expect(settled({ charge: unpaid, event, authorization: 'accepted' })).toMatchObject({
      claimsPayer: true,
      flags: [],
    });
  });

  test.each(['already_charging', 'no_balance'] as const)(
    'the payer of an offline charge is its card even when that is now %s',
    (authorization) => {
      expect(settled({ charge: unpaid, event, authorization })).toMatchObject({
        claimsPayer: true,
        flags: [{ rule: 'card_not_accepted' }],
      });
    },
  );

  test.each(['blocked', 'expired', 'unknown', null] as const)(
    'the payer of an offline charge is for a person to find when its card is %s',
    (authorization) => {
      expect(settled({ charge: unpaid, event, authorization })).toMatchObject({
        claimsPayer: false,
        flags: [
          {
            rule: 'card_not_accepted',
            evidence: { cardNumber: 'CARD1', authorization: authorization ?? 'unknown' },
          },
        ],
      });
    },
  );

  test('the card that replaced the card on record is the payer, and waits for a person if that was before the charge', () => {
    const asked = { charge: unpaid, event: stopOf({ ...namedStop, cardNumber: 'CARD1' }) };
    expect(settled({ ...asked, authorization: 'blocked', isReplaced: true })).toMatchObject({
      claimsPayer: true,
      doubt: { rule: 'record_unasked', evidence: { cardNumber: 'CARD1', because: 'card_not_accepted' } },
    });
    expect(settled({ ...asked, authorization: 'accepted' }).doubt).toBe(null);
    expect(settled({ ...asked, charge: namedCharge(), authorization: null, isReplaced: true })).toMatchObject({
      claimsPayer: false,
      doubt: null,
    });
  });

  test('the payer of an offline charge is for a person to find when the record shows no card', () => {
    const decision = settled({ charge: unpaid, event: stopOf(namedStop), authorization: 'accepted' });
    expect(decision.flags).toMatchObject([{ rule: 'card_not_accepted', evidence: { cardNumber: null } }]);
  });

  test('the payer of an offline charge is taken from the record only for a charge with a name and without a payer', () => {
    expect(settled({ charge: namedCharge(), event }).claimsPayer).toBe(false);
    expect(settled({ charge: namedCharge(), event, authorization: 'accepted' }).claimsPayer).toBe(false);
    const stop = stopOf({ cardNumber: 'CARD1' });
    expect(settled({ charge: chargeOf({ cardId: null }), event: stop }).claimsPayer).toBe(false);
    const online = namedCharge({ paymentType: 'online', cardId: null });
    expect(settled({ charge: online, event }).claimsPayer).toBe(false);
  });

  test('an unknown payer and a wrong clock are flagged together', () => {
    const both = settled({ charge: unpaid, event: stopOf({ ...namedStop, at: after(-hourMs) }) });
    expect(rulesOf(both.flags)).toEqual(['card_not_accepted', 'clock_wrong']);
  });
});

describe('a stop of which nothing can be read but its name', () => {
  const unreadable = { message: '683B', fault: 'too short' };
  const event = stopOf({ transaction: name, meterStopWh: undefined, at: undefined, unreadable });
  const doubt = { rule: 'message_failed', evidence: { ...unreadable, receivedAt: toIso(receivedAt) } };

  test.each([['charging', null] as const, ['settling', 'stop'] as const])(
    'a stop readable only by name puts its charge that is %s before a person, as far as it was read',
    (state, waitsFor) => {
      const charge = namedCharge({ state, waitsFor, cardId: null });
      expect(decideEnd(known({ event, charge }))).toEqual({
        kind: 'settle',
        charge,
        startedAt: null,
        end: { endedAt: receivedAt, meterStopWh: null, reason: 'local' },
        claimsPayer: false,
        flags: [],
        doubt,
      });
    },
  );

  test('a stop readable only by name begins the charge of an order that waited for its start', () => {
    expect(decideEnd(known({ event, charge: placed }))).toEqual({ kind: 'begin-first' });
  });

  test('a stop readable only by name becomes an order without a payer where the charge is unknown', () => {
    expect(decideEnd(known({ event, charge: null }))).toEqual({ kind: 'park', flags: [doubt] });
  });

  test.each([['settling', 'person'] as const, ['completed', null] as const])(
    'a stop readable only by name changes nothing for a charge that is already %s',
    (state, waitsFor) => {
      const charge = namedCharge({ state, waitsFor });
      const repeated = { kind: 'repeated', charge, keepsRecord: false, flags: [] };
      expect(decideEnd(known({ event, charge }))).toEqual(repeated);
    },
  );
});
