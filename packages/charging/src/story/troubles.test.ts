import { hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { authorizations } from '../states.ts';
import { storyKinds, storyTraits } from './story-kinds.ts';
import {
  isLongPause,
  type ShownCard,
  silencesWithin,
  tellCard,
  tellChargingOffline,
  tellDoubt,
  tellLateBill,
  tellLateRelease,
  tellNoEnergy,
  tellRefund,
  tellStart,
  tellStop,
  tellUnread,
} from './troubles.ts';

const pause = (fromS: number, toS: number) => ({ fromMs: fromS * secondMs, toMs: toS * secondMs });

test.each([
  { title: 'thirty seconds are none', pauses: [pause(0, 30)], usualS: 10, silent: [] },
  { title: 'a second more is one', pauses: [pause(0, 31)], usualS: 10, silent: [pause(0, 31)] },
  { title: 'a station that always speaks once a minute', pauses: [pause(0, 60)], usualS: 60, silent: [] },
  { title: 'three of its minutes are its own pace', pauses: [pause(0, 180)], usualS: 60, silent: [] },
  { title: 'more than three of them are not', pauses: [pause(0, 181)], usualS: 60, silent: [pause(0, 181)] },
  { title: 'too few pauses to know its pace', pauses: [pause(10, 50)], usualS: null, silent: [pause(10, 50)] },
  { title: 'a pause from before the charge is cut', pauses: [pause(-50, 40)], usualS: 5, silent: [pause(0, 40)] },
  { title: 'a pause over the end is cut', pauses: [pause(560, 900)], usualS: 5, silent: [pause(560, 600)] },
  { title: 'a pause that ends soon after the begin', pauses: [pause(-50, 20)], usualS: 5, silent: [] },
  { title: 'a pause after the charge', pauses: [pause(700, 900)], usualS: 5, silent: [] },
])('a silence within a charge of ten minutes: $title', ({ pauses, usualS, silent }) => {
  const usualMs = usualS === null ? null : usualS * secondMs;
  expect(silencesWithin(pauses, usualMs, pause(0, 600))).toEqual(silent);
});

test('a pause is long beyond the least and beyond three usual ones', () => {
  expect(isLongPause(pause(0, 300), null, 5 * minuteMs)).toBe(false);
  expect(isLongPause(pause(0, 301), null, 5 * minuteMs)).toBe(true);
  expect(isLongPause(pause(0, 301), 2 * minuteMs, 5 * minuteMs)).toBe(false);
});

const card: ShownCard = {
  state: 'active',
  customerState: null,
  isExpired: false,
  isCharging: false,
  availableFen: 5_000,
  owedFen: 0,
  debtLimitFen: 1_000,
};

test.each([
  ['accepted', card, 'card_accepted'],
  [null, card, 'card_unanswered'],
  ['unknown', null, 'card_unknown'],
  // It was registered since.
  ['unknown', card, 'card_refused'],
  ['vehicle_unknown', null, 'vehicle_unknown'],
  ['expired', card, 'card_expired'],
  ['already_charging', card, 'card_busy'],
  ['station_closed', card, 'station_closed'],
  ['not_supported', card, 'card_refused'],
  ['blocked', null, 'card_refused'],
  ['blocked', { ...card, state: 'lost' }, 'card_disabled'],
  ['blocked', { ...card, customerState: 'disabled' }, 'card_disabled'],
  ['blocked', { ...card, isExpired: true }, 'card_expired'],
  ['blocked', { ...card, availableFen: 99 }, 'card_too_little'],
  ['blocked', { ...card, owedFen: 1_001 }, 'card_in_debt'],
  // Nothing is wrong with the card, so it is the station.
  ['blocked', card, 'station_closed'],
  ['blocked', { ...card, availableFen: null }, 'station_closed'],
  ['no_balance', { ...card, availableFen: 0 }, 'card_too_little'],
  ['no_balance', { ...card, owedFen: 2_000 }, 'card_in_debt'],
  // It was enough to begin, and too little for what the rider chose.
  ['no_balance', card, 'card_empty'],
  ['no_balance', null, 'card_empty'],
] as const)('a card that was answered %s with %o is told as %3$s', (authorization, known, kind) => {
  expect(tellCard('A1', authorization, known).kind).toBe(kind);
});

test('every answer to a card has a sentence', () => {
  for (const authorization of authorizations) expect(storyKinds).toContain(tellCard('A1', authorization, null).kind);
});

test('a card with too little money is told with what it had and what was missing', () => {
  expect(tellCard('A1', 'no_balance', { ...card, availableFen: 40 }).params).toEqual({
    cardNumber: 'A1',
    availableFen: 40,
    missingFen: 60,
  });
});

test.each([
  [{ kind: 'accepted' }, 'start_agreed', 'stop_agreed'],
  [{ kind: 'scheduled' }, 'start_waits_for_plug', 'stop_agreed'],
  [{ kind: 'refused', reason: 'fault' }, 'start_refused', 'stop_refused'],
  [{ kind: 'refused', reason: null }, 'start_refused', 'stop_refused'],
  [{ kind: 'unanswered' }, 'start_unanswered', 'stop_unanswered'],
] as const)('a start and a stop that were %o', (outcome, start, stop) => {
  expect(tellStart(outcome, 1, 400).kind).toBe(start);
  expect(tellStop(outcome, 400).kind).toBe(stop);
});

test('a refusal without a reason is told as another one', () => {
  expect(tellStart({ kind: 'refused', reason: null }, 2, 1).params).toEqual({ connectorNumber: 2, because: 'other' });
});

test.each([
  ['two minutes', 2 * minuteMs, null],
  ['a moment longer', 2 * minuteMs + 1, 2 * minuteMs + 1],
  ['ten minutes', 10 * minuteMs, 10 * minuteMs],
])('a charge without energy for %s', (_, withoutUntilMs, afterMs) => {
  const told = tellNoEnergy({ beganAtMs: 0, withoutUntilMs });
  expect(told).toEqual(afterMs === null ? null : { kind: 'no_energy', params: { afterMs } });
});

test('the end of a charge is late when it is heard of more than a minute later', () => {
  expect(tellLateBill({ endedAtMs: 0, heardAtMs: minuteMs })).toBeNull();
  expect(tellLateBill({ endedAtMs: 0, heardAtMs: minuteMs + 1 })?.params.lateMs).toBe(minuteMs + 1);
  expect(tellLateBill({ endedAtMs: minuteMs, heardAtMs: 0 })).toBeNull();
});

test('held money is released late after ten minutes, and only where some was released', () => {
  const hold = { endedAtMs: 0, releasedAtMs: 10 * minuteMs, amountFen: 5_000 };
  expect(tellLateRelease(hold)).toBeNull();
  expect(tellLateRelease({ ...hold, releasedAtMs: 10 * minuteMs + 1 })?.kind).toBe('hold_released_late');
  expect(tellLateRelease({ ...hold, releasedAtMs: hourMs, amountFen: 0 })).toBeNull();
});

test('a doubted reading is told by the rule that doubts it', () => {
  expect(tellDoubt('meter_jump', 900)).toEqual({ kind: 'meter_jump', params: { energyWh: 900 } });
  expect(tellDoubt('meter_backwards', null).kind).toBe('meter_backwards');
});

test.each([
  [10_000, 9_500, false],
  [10_000, 9_499, true],
  [1_000, 500, false],
  [1_000, 499, true],
  [1_000, 2_000, false],
])('a bill of %i Wh with readings up to %i Wh', (billedWh, readWh, isTold) => {
  expect(tellUnread({ billedWh, readWh, afterWh: 0 }) !== null).toBe(isTold);
});

test('what could flow after the last reading is no trouble', () => {
  const bill = { billedWh: 32_000, readWh: 30_000 };
  expect(tellUnread({ ...bill, afterWh: 2_000 })).toBeNull();
  expect(tellUnread({ ...bill, afterWh: 300 })?.params).toEqual(bill);
});

test('a charge at a station that is offline is told, another is not', () => {
  expect(tellChargingOffline({ isCharging: true, isOnline: false })?.kind).toBe('charging_offline');
  expect(tellChargingOffline({ isCharging: true, isOnline: true })).toBeNull();
  expect(tellChargingOffline({ isCharging: false, isOnline: false })).toBeNull();
});

test.each([
  ['done', undefined],
  ['untreated', 'refund_waits'],
  ['processing', 'refund_waits'],
  ['failed', 'refund_failed'],
  ['closed', 'refund_failed'],
] as const)('a refund that is %s', (state, kind) => {
  expect(tellRefund(state, 500)?.kind).toBe(kind);
});

test('what went wrong is a trouble, and what the money did is told in the main', () => {
  const troubles = [
    'card_too_little',
    'start_unanswered',
    'silent',
    'bill_late',
    'energy_unread',
    'refund_failed',
  ] as const;
  for (const kind of troubles) expect(storyTraits[kind].weight).toBe('trouble');
  for (const kind of ['held', 'charged', 'hold_released', 'refunded'] as const) {
    expect(storyTraits[kind].weight).toBe('main');
  }
});
