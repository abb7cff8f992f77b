import { wattHours } from '@voltdeck/units/energy';
import { hourMs, instant } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { PartnerOrder } from './partner-charge.ts';
import {
  canSettleRoaming,
  decideRoamingHold,
  isSameBill,
  roamingDoubtsOf,
  roamingStates,
  stateAfterStage,
} from './roaming-charge.ts';

const at = instant(Date.parse('2026-11-20T12:00:00+08:00'));
const order: PartnerOrder = {
  sequence: 'MA1USERS1202611201200000001',
  portId: '7',
  from: at,
  to: instant(at + hourMs),
  energyWh: wattHours(10_000),
  electricityFeeFen: fen(700),
  serviceFeeFen: fen(300),
  amountFen: fen(1_000),
  stopReason: 'remote',
  lines: [],
};
const charge = {
  state: 'charging',
  portCode: '7',
  prices: [
    { fromSecond: 0, electricityPriceE5: priceE5(30_000), servicePriceE5: priceE5(30_000) },
    { fromSecond: 25_200, electricityPriceE5: priceE5(70_000), servicePriceE5: priceE5(30_000) },
  ],
} as const;

describe('the bill of another operator', () => {
  test('at the dearest price that was told, it is believed, and above it not', () => {
    expect(roamingDoubtsOf(charge, order)).toEqual([]);
    // Rounding of energy and fees is forgiven: 10 Wh and 2 fen.
    expect(roamingDoubtsOf(charge, { ...order, amountFen: fen(1_003) })).toEqual([]);
    expect(roamingDoubtsOf(charge, { ...order, amountFen: fen(1_004) })).toEqual(['above_price']);
  });

  test('of another port, or of a charge that was given up, it is doubted', () => {
    expect(roamingDoubtsOf(charge, { ...order, portId: '8' })).toEqual(['port_differs']);
    expect(roamingDoubtsOf({ ...charge, state: 'cancelled' }, order)).toEqual(['was_cancelled']);
  });

  test('it is the same again with the same energy and fees', () => {
    expect(isSameBill(order, { ...order, electricityFeeFen: fen(600), serviceFeeFen: fen(400) })).toBe(true);
    expect(isSameBill(order, { ...order, energyWh: wattHours(10_010) })).toBe(false);
    expect(isSameBill(order, { ...order, amountFen: fen(1_001) })).toBe(false);
  });
});

describe('a charge at another operator', () => {
  test('it only goes on', () => {
    expect(stateAfterStage('starting', 'charging')).toBe('charging');
    expect(stateAfterStage('starting', 'stopping')).toBe('charging');
    expect(stateAfterStage('charging', 'ended')).toBe('settling');
    for (const state of roamingStates) {
      expect(stateAfterStage(state, 'unknown')).toBeNull();
      expect(stateAfterStage(state, 'starting')).toBeNull();
    }
    for (const state of ['settling', 'disputed', 'completed', 'cancelled'] as const) {
      expect(stateAfterStage(state, 'charging')).toBeNull();
      expect(stateAfterStage(state, 'ended')).toBeNull();
    }
  });

  test('its hold is extended before it is used up, and without money it is stopped once', () => {
    const known = { heldFen: fen(5_000), availableFen: fen(100), isStopAsked: false };
    expect(decideRoamingHold({ ...known, feeFen: fen(3_000) })).toBe('keep');
    expect(decideRoamingHold({ ...known, feeFen: fen(3_001) })).toBe('extend');
    const empty = { ...known, availableFen: fen(0) };
    expect(decideRoamingHold({ ...empty, feeFen: fen(4_500) })).toBe('keep');
    expect(decideRoamingHold({ ...empty, feeFen: fen(4_501) })).toBe('stop');
    expect(decideRoamingHold({ ...empty, feeFen: fen(9_000), isStopAsked: true })).toBe('keep');
  });

  test('a person settles what ended, and what nothing was heard of for an hour', () => {
    const can = (state: (typeof roamingStates)[number], silentMs: number) =>
      canSettleRoaming({ state, heardAt: null, placedAt: at }, instant(at + silentMs));
    expect([can('settling', 0), can('disputed', 0)]).toEqual([true, true]);
    expect([can('charging', hourMs - 1), can('charging', hourMs), can('starting', hourMs)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([can('completed', 9 * hourMs), can('cancelled', 9 * hourMs)]).toEqual([false, false]);
  });
});
