import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { type Authorization, authorizations } from '../states.ts';
import type { Charge } from './charge.ts';
import {
  type BeginKnown,
  type Beginning,
  decideBegin,
  isJudgedAnew,
  isNamedStart,
  recordAgeMaxMs,
} from './decide-begin.ts';
import { after, chargeOf, name, namedCharge, noon, rulesOf, startOf } from './test-charge.ts';

/** A card without a prior request begins a charge of its own at noon. */
function known(over: Partial<BeginKnown> = {}): BeginKnown {
  return {
    event: startOf(),
    receivedAt: after(secondMs),
    same: null,
    placed: null,
    cancelled: null,
    onPort: null,
    station: { isEnabled: true, bootedAt: null },
    isPriced: true,
    isFree: false,
    isPortRegistered: true,
    authorization: 'accepted',
    isRecord: false,
    ...over,
  };
}

function begun(over: Partial<BeginKnown> = {}): Beginning {
  const decision = decideBegin(known(over));
  if (decision.kind !== 'begin') throw new Error(`it does not begin: ${decision.kind}`);
  return decision.beginning;
}

const other = (over: Partial<Charge> = {}) => chargeOf({ id: 2 as OrderId, ...over });
const live = { transaction: name, at: undefined, cardNumber: undefined, meterStartWh: wattHours(0) };
const record = { transaction: name, meterStartWh: wattHours(0) };
const placedOrder = chargeOf({ state: 'placed', startedAt: null, begunAt: null, meterStartWh: null });
const cancelledOrder = chargeOf({ state: 'cancelled', number: '2026-cancelled' });

describe('a start', () => {
  test('a start of a card that may charge begins an order that holds its money', () => {
    expect(begun()).toEqual({
      placed: null,
      heir: null,
      former: null,
      authorization: 'accepted',
      startedAt: noon,
      meterStartWh: 1_000,
      isOver: false,
      holds: true,
      flags: [],
    });
  });

  test('a start at a free station holds nothing, and an empty card may charge there', () => {
    const free = { isFree: true, authorization: 'no_balance' } as const;
    expect(begun(free)).toMatchObject({ authorization: 'accepted', holds: false, flags: [] });
    expect(begun({ isFree: true })).toMatchObject({ authorization: 'accepted', holds: false });
    for (const authorization of authorizations.filter((one) => one !== 'accepted' && one !== 'no_balance')) {
      expect(begun({ isFree: true, authorization })).toMatchObject({ authorization });
    }
  });

  test('a start that an order waits for begins that order, whose money is already held', () => {
    const placed = placedOrder;
    const over = { placed, onPort: placed, authorization: 'no_balance' } as const;
    expect(begun(over)).toMatchObject({ placed, former: null, authorization: 'accepted', holds: false, flags: [] });
  });

  test.each(authorizations.filter((one) => one !== 'accepted'))(
    'a start of a card that is %s becomes an order all the same, without its money (OCPP 1.6, section 4.8)',
    (authorization) => {
      expect(begun({ authorization })).toMatchObject({
        authorization,
        holds: false,
        flags: [{ rule: 'card_not_accepted', evidence: { cardNumber: 'CARD1', authorization } }],
      });
    },
  );

  test.each<[string, Partial<BeginKnown>, string[]]>([
    ['at a disabled station', { station: { isEnabled: false, bootedAt: null } }, ['card_not_accepted']],
    ['without a price', { isPriced: false }, ['price_missing', 'card_not_accepted']],
    [
      'of an order without a price',
      { placed: { ...placedOrder, isPriced: false } },
      ['price_missing', 'card_not_accepted'],
    ],
  ])('a start %s must not go on, whoever pays', (_title, over, rules) => {
    const beginning = begun(over);
    expect(beginning).toMatchObject({ authorization: 'blocked', holds: false });
    expect(rulesOf(beginning.flags)).toEqual(rules);
  });

  test('a start of an order that has its price needs no price from the station', () => {
    expect(begun({ placed: placedOrder, isPriced: false })).toMatchObject({ authorization: 'accepted', flags: [] });
  });

  test('a start without a usable clock begins when we received it, and is flagged', () => {
    const event = startOf({ at: undefined, stationTime: '1970-01-01T00:00:00Z' });
    expect(begun({ event })).toMatchObject({
      startedAt: after(secondMs),
      flags: [
        {
          rule: 'clock_wrong',
          evidence: { stationTime: '1970-01-01T00:00:00Z', receivedAt: '2026-11-22T04:00:01.000Z' },
        },
      ],
    });
    expect(begun({ event: startOf(live) })).toMatchObject({ startedAt: after(secondMs), flags: [] });
  });

  test.each([
    ['an order that waited for it', { placed: { ...placedOrder, placedAt: after(-minuteMs) } }, -minuteMs],
    ['a cancelled order', { cancelled: { ...cancelledOrder, placedAt: after(-minuteMs) } }, -minuteMs],
    ['nobody’s order', {}, 30 * minuteMs],
  ])('a start known only from its stop begins when it was requested: %s', (_title, over, beganMs) => {
    const event = startOf({ ...record, at: after(30 * minuteMs) });
    expect(begun({ ...over, event, isRecord: true, receivedAt: after(hourMs) }).startedAt).toBe(after(beganMs));
    // One reported as it begins has its own time, however long its order waited.
    const told = { ...over, event, receivedAt: after(hourMs) };
    expect(begun(told).startedAt).toBe(after(30 * minuteMs));
  });

  test.each([-1, -5_000])('a start whose register says %i has none, and is flagged', (told) => {
    expect(begun({ event: startOf({ meterStartWh: wattHours(told) }) })).toMatchObject({
      meterStartWh: null,
      flags: [{ rule: 'register_missing', evidence: { register: 'start', told } }],
    });
    expect(begun({ event: startOf({ meterStartWh: wattHours(0) }) })).toMatchObject({ meterStartWh: 0, flags: [] });
  });

  test('a start at an unregistered gun port is flagged', () => {
    const event = startOf({ connectorNumber: 99 });
    expect(begun({ event, isPortRegistered: false })).toMatchObject({
      authorization: 'accepted',
      flags: [{ rule: 'port_unregistered', evidence: { connectorNumber: 99 } }],
    });
  });

  test('a start is flagged for all its faults at once', () => {
    const event = startOf({ at: undefined, meterStartWh: wattHours(-1) });
    const odd = begun({ event, isPortRegistered: false, isPriced: false });
    expect(rulesOf(odd.flags)).toEqual([
      'clock_wrong',
      'register_missing',
      'port_unregistered',
      'price_missing',
      'card_not_accepted',
    ]);
  });
});

describe('the gun port', () => {
  test('a start takes the gun port over from the charge that ran there', () => {
    expect(begun({ onPort: other() }).former).toEqual(other());
    expect(begun({ onPort: other(), event: startOf(live) }).former).toEqual(other());
    expect(begun({ onPort: other(), placed: placedOrder }).former).toEqual(other());
  });

  test("a record leaves the gun port to its charge, since the record's charge is over", () => {
    expect(begun({ onPort: other(), isRecord: true })).toMatchObject({ former: null, isOver: true });
  });

  test.each([
    ['before the one that runs there', -1, true],
    ['at the same instant', 0, true],
    ['after it', 1, false],
  ])('a start leaves the gun port to a named charge that began %s', (_title, ms, isOver) => {
    const onPort = other({ startedAt: noon });
    const event = startOf({ ...record, at: after(ms) });
    expect(begun({ onPort, event })).toMatchObject({ isOver, former: isOver ? null : onPort });
  });

  test.each([
    ['its meter stood lower', 999, 1_000],
    ['its meter stood the same, as one that counts each charge from zero does', 1_000, 1_000],
    ['the one that runs has no register', 1_000, null],
  ])(
    'a start leaves the gun port to an older charge without a name that was reported late: %s',
    (_title, meterStartWh, onPortWh) => {
      const onPort = other({ meterStartWh: onPortWh === null ? null : wattHours(onPortWh) });
      const event = startOf({ at: after(-1), meterStartWh: wattHours(meterStartWh) });
      const station = { isEnabled: true, bootedAt: onPort.begunAt };
      expect(begun({ onPort, event, station })).toMatchObject({ isOver: true, former: null, holds: false });
    },
  );

  test.each<[string, Partial<BeginKnown>]>([
    ['without a name at the same instant', { event: startOf() }],
    [
      'without a name whose clock is behind, for its meter has gone on',
      { event: startOf({ at: after(-hourMs), meterStartWh: wattHours(1_001) }) },
    ],
    [
      'without a name whose clock is behind, when the station has started since the former began',
      { event: startOf({ at: after(-hourMs) }), station: { isEnabled: true, bootedAt: after(1) } },
    ],
    ['without a time', { event: startOf(live) }],
    ['where the charge that runs has no begin', { event: startOf(record), onPort: other({ startedAt: null }) }],
  ])('the gun port is taken by a start %s', (_title, over) => {
    const onPort = over.onPort ?? other();
    expect(begun({ onPort, ...over })).toMatchObject({ isOver: false, former: onPort });
  });
});

describe('a start that was reported before', () => {
  test.each(['charging', 'settling', 'completed'] as const)(
    'a repeated start of an order that is %s begins nothing',
    (state) => {
      const same = chargeOf({ state });
      expect(decideBegin(known({ same }))).toEqual({ kind: 'known', charge: same, startedAt: null });
    },
  );

  test('a repeated start of an order that waits begins it', () => {
    expect(begun({ same: placedOrder })).toMatchObject({ placed: placedOrder, holds: false });
  });

  const heardAt = after(20 * minuteMs);
  const heard = namedCharge({ startedAt: heardAt, begunAt: heardAt });
  const receivedAt = after(hourMs);
  const corrected = (over: Partial<BeginKnown> = {}) => {
    const decision = decideBegin(known({ same: heard, event: startOf(record), receivedAt, isRecord: true, ...over }));
    return decision.kind === 'known' ? decision.startedAt : decision.kind;
  };

  test.each(['stop', null] as const)(
    'a repeated start by a record corrects the beginning (waiting for %s)',
    (waitsFor) => {
      const same = { ...heard, state: waitsFor === null ? 'charging' : 'settling', waitsFor } as const;
      expect(corrected({ same })).toBe(noon);
    },
  );

  test.each<[string, Partial<BeginKnown>]>([
    ['says the same', { same: { ...heard, startedAt: noon } }],
    ['has no name', { event: startOf() }],
    ['has no time', { event: startOf({ ...record, at: undefined }) }],
    ['lies in the future', { event: startOf({ ...record, at: after(hourMs + 1) }) }],
    ['is older than records are kept', { event: startOf({ ...record, at: after(hourMs - recordAgeMaxMs - 1) }) }],
    ['comes for an order that a person looks at', { same: { ...heard, state: 'settling', waitsFor: 'person' } }],
    ['comes for an order that is closed', { same: { ...heard, state: 'completed' } }],
    ['comes for an order without a begin', { same: { ...heard, startedAt: null } }],
  ])('a repeated start by a record that knows no better changes nothing: it %s', (_title, over) => {
    expect(corrected(over)).toBeNull();
  });

  test('a repeated start by a record that came the moment it began is corrected', () => {
    const same = { ...heard, startedAt: after(2 * hourMs) };
    expect(corrected({ same, event: startOf({ ...record, at: receivedAt }) })).toBe(receivedAt);
  });

  test('a repeated start is corrected by a record up to the last day that records are kept', () => {
    expect(recordAgeMaxMs).toBe(90 * dayMs);
    const at = after(hourMs - recordAgeMaxMs);
    expect(corrected({ event: startOf({ ...record, at }) })).toBe(at);
  });

  test.each([
    [8 * hourMs, false],
    [8 * hourMs - 10 * minuteMs, false],
    [8 * hourMs + 10 * minuteMs, false],
    [8 * hourMs - 10 * minuteMs - 1, true],
    [8 * hourMs + 10 * minuteMs + 1, true],
  ])(
    'a repeated start by a record whose clock is %i ms behind is corrected unless that is a whole zone',
    (behindMs, isCorrected) => {
      const at = after(20 * minuteMs - behindMs);
      expect(corrected({ event: startOf({ ...record, at }) })).toBe(isCorrected ? at : null);
    },
  );
});

describe('a record of a charge that nobody asked for', () => {
  const event = startOf({ ...record, cardNumber: 'CARD9' });

  test('a record of a charge that nobody requested reports its missing start, with all its names', () => {
    const { flags } = begun({ event, isRecord: true });
    expect(flags).toContainEqual({ rule: 'start_missing', evidence: { transaction: name, cardNumber: 'CARD9' } });
    const nameless = begun({ event: startOf({ transaction: undefined, cardNumber: undefined }), isRecord: true });
    expect(nameless.flags).toContainEqual({
      rule: 'start_missing',
      evidence: { transaction: null, cardNumber: null },
    });
  });

  test.each<[string, Partial<BeginKnown>]>([
    ['its order waited for it', { placed: placedOrder, isRecord: true }],
    ['its start was told while it ran', {}],
  ])('a record misses no start where %s', (_title, over) => {
    expect(rulesOf(begun({ event, ...over }).flags)).not.toContain('start_missing');
  });
});

describe('a charge whose order was cancelled', () => {
  const cancelled = cancelledOrder;

  test('a charge whose order was cancelled is refused while it runs, and nothing is written', () => {
    expect(decideBegin(known({ cancelled, event: startOf(live) }))).toEqual({
      kind: 'refuse',
      authorization: 'blocked',
    });
  });

  test.each<[string, Partial<BeginKnown>, Authorization]>([
    ['by its record, for it was delivered', { event: startOf(record), isRecord: true }, 'accepted'],
    ['by its record without a card', { event: startOf({ ...record, cardNumber: undefined }) }, 'accepted'],
    ['by its record without a time', { event: startOf({ ...record, at: undefined }) }, 'accepted'],
    ['by a start without a name, which must not go on', { event: startOf({ cardNumber: 'VD1' }) }, 'blocked'],
  ])("a charge whose order was cancelled is paid by its placer's %s", (_title, over, authorization) => {
    const beginning = begun({ cancelled, authorization: 'unknown', ...over });
    expect(beginning).toMatchObject({ placed: null, heir: cancelled, authorization });
    expect(beginning.holds).toBe(authorization === 'accepted' && over.isRecord !== true);
    expect(rulesOf(beginning.flags)).toContain('start_missing');
  });

  test('a charge whose order was cancelled is recognised by its name, or by the number that stood for it', () => {
    const evidence = (event: BeginKnown['event']) => begun({ cancelled, event }).flags[0]?.evidence;
    expect(evidence(startOf(record))).toEqual({ transaction: name, cancelledOrder: '2026-cancelled' });
    expect(evidence(startOf({ cardNumber: 'VD1' }))).toEqual({ transaction: 'VD1', cancelledOrder: '2026-cancelled' });
    expect(evidence(startOf({ cardNumber: undefined }))).toMatchObject({ transaction: null });
  });

  test('a charge whose order was cancelled keeps its price', () => {
    expect(rulesOf(begun({ cancelled, isPriced: false, event: startOf(record) }).flags)).toEqual(['start_missing']);
    const unpriced = { ...cancelled, isPriced: false };
    expect(rulesOf(begun({ cancelled: unpriced, event: startOf(record) }).flags)).toContain('price_missing');
  });

  test('a cancelled order is irrelevant when another order waits for the start, or the start is a repetition', () => {
    expect(begun({ cancelled, placed: placedOrder })).toMatchObject({ heir: null, placed: placedOrder, flags: [] });
    expect(begun({ cancelled, same: placedOrder })).toMatchObject({ heir: null, placed: placedOrder });
    expect(decideBegin(known({ cancelled, same: chargeOf() })).kind).toBe('known');
  });
});

test.each([
  [name, true],
  ['0'.repeat(32), false],
  ['', false],
  [7, false],
  [undefined, false],
])('a start is named by a text that is not all zeros: %s', (transaction, isNamed) => {
  expect(isNamedStart(startOf({ transaction }))).toBe(isNamed);
});

describe('a corrected beginning', () => {
  const offline = chargeOf({ wasPlaced: false });

  test('a charge begun offline takes the rule and the place of an earlier beginning', () => {
    expect(isJudgedAnew(offline, after(-secondMs))).toBe(true);
  });

  test.each([
    ['a placed charge keeps what was agreed', chargeOf({ wasPlaced: true }), after(-secondMs)],
    ['a beginning after we heard of the charge changes neither', offline, after(secondMs)],
    ['the beginning that is known changes neither', offline, noon],
    ['a charge that has not begun has nothing to correct', { ...offline, startedAt: null }, after(-secondMs)],
  ])('%s', (_what, charge, correctedAt) => {
    expect(isJudgedAnew(charge, correctedAt)).toBe(false);
  });
});
