import { wattHours } from '@voltdeck/units/energy';
import { hourMs, instant } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { PartnerOrder } from './partner-charge.ts';
import {
  believedSoFar,
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
const now = instant(at + hourMs);
const charge = {
  state: 'charging',
  portCode: '7',
  powerW: 60_000,
  heardWh: 9_000,
  placedAt: at,
  endedAt: null,
  prices: [
    { fromSecond: 0, electricityPriceE5: priceE5(30_000), servicePriceE5: priceE5(30_000) },
    { fromSecond: 25_200, electricityPriceE5: priceE5(70_000), servicePriceE5: priceE5(30_000) },
  ],
} as const;

describe('the bill of another operator', () => {
  test('at the dearest price that was told, it is believed, and above it not', () => {
    expect(roamingDoubtsOf(charge, order, now)).toEqual([]);
    // Rounding of energy and fees is forgiven: 10 Wh and 2 fen.
    expect(roamingDoubtsOf(charge, { ...order, amountFen: fen(1_003) }, now)).toEqual([]);
    expect(roamingDoubtsOf(charge, { ...order, amountFen: fen(1_004) }, now)).toEqual(['above_price']);
  });

  test('of another port, or of a charge that was given up, it is doubted', () => {
    expect(roamingDoubtsOf(charge, { ...order, portId: '8' }, now)).toEqual(['port_differs']);
    expect(roamingDoubtsOf({ ...charge, state: 'cancelled' }, order, now)).toEqual(['was_cancelled']);
  });

  test('of more energy than the port gives, or of less than was told before, it is doubted', () => {
    const wh = (energyWh: number) => ({ ...order, energyWh: wattHours(energyWh), amountFen: fen(0) });
    // 65 minutes at 66 kW, and 1 kWh.
    expect(roamingDoubtsOf(charge, wh(72_500), now)).toEqual([]);
    expect(roamingDoubtsOf(charge, wh(72_501), now)).toEqual(['energy_above_power']);
    // A port of unknown power gives no more than 1 MW.
    expect(roamingDoubtsOf({ ...charge, powerW: 0 }, wh(1_192_666), now)).toEqual([]);
    expect(roamingDoubtsOf({ ...charge, powerW: 0 }, wh(1_192_668), now)).toEqual(['energy_above_power']);
    expect(roamingDoubtsOf({ ...charge, powerW: -7 }, wh(1_192_668), now)).toEqual(['energy_above_power']);
    // It lasted as long as was told, whatever times the bill names.
    const endedAt = instant(at + hourMs / 2);
    expect(roamingDoubtsOf({ ...charge, endedAt }, wh(39_500), now)).toEqual([]);
    expect(roamingDoubtsOf({ ...charge, endedAt }, wh(39_501), now)).toEqual(['energy_above_power']);
    expect(roamingDoubtsOf(charge, wh(8_900), now)).toEqual([]);
    expect(roamingDoubtsOf(charge, wh(8_899), now)).toEqual(['energy_below_heard']);
  });

  test('of another time, it is doubted', () => {
    const early = { ...order, from: instant(at - hourMs - 1), energyWh: wattHours(9_000), amountFen: fen(0) };
    expect(roamingDoubtsOf(charge, early, now)).toEqual(['times_differ']);
    const late = { ...order, to: instant(now + hourMs + 1) };
    expect(roamingDoubtsOf(charge, late, now)).toEqual(['times_differ']);
    const line = { ...order, electricityPriceE5: null, servicePriceE5: null };
    expect(roamingDoubtsOf(charge, { ...order, lines: [line] }, now)).toEqual([]);
    for (const stray of [
      { ...line, from: line.to, to: line.from },
      { ...line, to: instant(at + 5 * hourMs) },
      { ...line, from: instant(0) },
    ]) {
      expect(roamingDoubtsOf(charge, { ...order, lines: [stray] }, now)).toEqual(['times_differ']);
    }
  });

  test('it is the same again only with the same port, times, energy, fees and lines', () => {
    expect(isSameBill(order, { ...order, stopReason: 'other' })).toBe(true);
    const line = { ...order, electricityPriceE5: null, servicePriceE5: null };
    const corrected: Partial<PartnerOrder>[] = [
      { portId: '8' },
      { from: instant(at + 1) },
      { to: instant(at) },
      { energyWh: wattHours(10_010) },
      { electricityFeeFen: fen(600), serviceFeeFen: fen(400) },
      { amountFen: fen(1_001) },
      { lines: [line] },
    ];
    for (const change of corrected) expect(isSameBill(order, { ...order, ...change })).toBe(false);
  });
});

describe('the state of a charge', () => {
  const told = (energyWh: number, electricityFeeFen: number | null, serviceFeeFen: number | null) =>
    believedSoFar(
      charge,
      {
        energyWh,
        electricityFeeFen: electricityFeeFen === null ? null : fen(electricityFeeFen),
        serviceFeeFen: serviceFeeFen === null ? null : fen(serviceFeeFen),
      },
      now,
    );

  test('costs no more than the prices that were told, whatever it says', () => {
    expect(told(10_000, 600, 300)).toEqual({ electricityFeeFen: 600, serviceFeeFen: 300 });
    // 10.01 kWh at 1.00 yuan, and 2 fen.
    expect(told(10_000, 5_000_000, 300)).toEqual({ electricityFeeFen: 703, serviceFeeFen: 300 });
    expect(told(10_000, 0, 5_000_000)).toEqual({ electricityFeeFen: 0, serviceFeeFen: 1_003 });
  });

  test('costs the dearest price where it says nothing', () => {
    expect(told(10_000, null, null)).toEqual({ electricityFeeFen: 1_003, serviceFeeFen: 0 });
    expect(told(10_000, null, 300)).toEqual({ electricityFeeFen: 0, serviceFeeFen: 300 });
  });

  test('is not believed with energy that the port cannot have given', () => {
    expect(told(72_501, 1, 1)).toBeNull();
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
