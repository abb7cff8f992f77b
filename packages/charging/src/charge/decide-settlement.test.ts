import { wattHours } from '@voltdeck/units/energy';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { dayMs, hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { Charge, ChargeEnd } from './charge.ts';
import {
  billingByHand,
  decideSettlement,
  mayBePaid,
  type ReadRegister,
  type SettlementKnown,
  suspicionOf,
  type UnaskedRecord,
} from './decide-settlement.ts';
import { after, billOf, chargeOf, namedCharge, noon, rulesOf } from './test-charge.ts';

const ratedPowerW = 60_000;

/** A charge of ten kWh in half an hour, reported at once. */
function known(over: Partial<SettlementKnown> = {}): SettlementKnown {
  return {
    charge: chargeOf(),
    end: endAt(30 * minuteMs, 11_000),
    readings: [],
    bill: null,
    ratedPowerW,
    isPricedByPeak: false,
    suspicion: null,
    now: after(31 * minuteMs),
    ...over,
  };
}

function endAt(ms: number, meterStopWh: number | null, reason: ChargeEnd['reason'] = 'local'): ChargeEnd {
  return { endedAt: after(ms), meterStopWh, reason };
}

/** Registers one minute apart from the first, or at the given seconds. */
function readings(
  ...energies: (number | null | readonly [seconds: number, energyWh: number | null])[]
): ReadRegister[] {
  return energies.map((told, index) => {
    const [seconds, energyWh] = typeof told === 'object' && told !== null ? told : [(index + 1) * 60, told];
    return { at: after(seconds * secondMs), energyWh, powerW: null };
  });
}

function billed(over: Partial<SettlementKnown> = {}) {
  const decision = decideSettlement(known(over));
  if (decision.kind !== 'bill') throw new Error(`it waits: ${JSON.stringify(decision.flags)}`);
  const { meterStartWh, meterStopWh, startedAt, endedAt } = decision.billing;
  return { energyWh: meterStopWh - meterStartWh, startedAt, endedAt, ...decision };
}

function waiting(over: Partial<SettlementKnown> = {}) {
  const decision = decideSettlement(known(over));
  if (decision.kind !== 'wait') throw new Error(`it is billed: ${JSON.stringify(decision.billing)}`);
  return { rules: rulesOf(decision.flags), proposedWh: decision.proposal.energyWh, ...decision };
}

describe('a charge that is over', () => {
  test('a finished charge is billed by its registers, with the readings in between', () => {
    const between = readings(null, 3_000, 5_000);
    expect(billed({ readings: between })).toMatchObject({
      energyWh: 10_000,
      flags: [],
      billing: {
        startedAt: noon,
        endedAt: after(30 * minuteMs),
        meterStartWh: 1_000,
        meterStopWh: 11_000,
        readings: [
          { at: after(2 * minuteMs), energyWh: 3_000 },
          { at: after(3 * minuteMs), energyWh: 5_000 },
        ],
        bill: null,
      },
    });
  });

  test('a finished charge keeps the powers of its readings and the record of its station', () => {
    const bill = billOf(10_000);
    const reading = { at: after(minuteMs), energyWh: 1_500, powerW: 55_000 };
    const charge = namedCharge();
    expect(billed({ charge, end: endAt(30 * minuteMs, 10_000), bill, readings: [reading] })).toMatchObject({
      flags: [],
      billing: { bill, readings: [reading] },
    });
  });

  test('a finished charge’s bill leaves out readings at and beyond its ends', () => {
    const told = readings([-60, 900], [0, 1_000], [60, 2_000], [1_800, 11_000], [1_900, 11_500]);
    expect(billed({ readings: told }).billing.readings).toEqual([
      { at: after(minuteMs), energyWh: 2_000, powerW: null },
    ]);
  });

  test('a charge that ends before it begins has no duration, and less than a meter step is billed at its beginning', () => {
    expect(billed({ end: endAt(-minuteMs, 2_500) })).toMatchObject({
      energyWh: 1_500,
      startedAt: noon,
      endedAt: noon,
      flags: [],
    });
    expect(waiting({ end: endAt(-minuteMs, 11_000) })).toMatchObject({
      rules: ['energy_without_time'],
      endedAt: noon,
      meterStopWh: 11_000,
    });
  });

  test('a charge without a start of its own has no duration', () => {
    const charge = chargeOf({ startedAt: null, begunAt: null });
    expect(billed({ charge, end: endAt(0, 1_500) })).toMatchObject({ startedAt: noon, endedAt: noon });
  });
});

describe('energy that its station could not deliver', () => {
  test.each([
    ['at the most that it could', 30 * minuteMs, 47_000, true],
    ['one watt-hour above', 30 * minuteMs, 47_001, false],
    ['2,147 MWh in 34 ms', 34, 2_147_483_647, false],
    ['71 MWh in ten minutes', 10 * minuteMs, 71_000_000, false],
  ])('only energy that its station could not deliver waits for a person: %s', (_title, ms, energyWh, isBilled) => {
    const over = { end: endAt(ms, 1_000 + energyWh) };
    if (isBilled) expect(billed(over)).toMatchObject({ energyWh, flags: [] });
    else expect(waiting(over)).toMatchObject({ rules: ['energy_implausible'], proposedWh: 0 });
  });

  test('energy is billed by its station’s own times, though it was placed a moment ago', () => {
    const charge = chargeOf({ startedAt: after(-10 * hourMs), begunAt: noon });
    expect(billed({ charge, end: endAt(0, 101_000), now: after(minuteMs) }).energyWh).toBe(100_000);
  });

  test('energy does not become possible by an end in the future', () => {
    const end = endAt(10 * hourMs, 101_000);
    expect(waiting({ end, now: after(minuteMs) }).rules).toEqual(['energy_implausible']);
    expect(billed({ end, now: after(10 * hourMs) }).energyWh).toBe(100_000);
  });

  test('energy reported hours late is billed where it could be delivered in its own time', () => {
    const end = endAt(hourMs, 61_000);
    expect(billed({ end, now: after(30 * dayMs) })).toMatchObject({ energyWh: 60_000, flags: [] });
    const charge = chargeOf({ wasPlaced: false, placedAt: after(5 * hourMs), begunAt: after(5 * hourMs) });
    expect(billed({ charge, end, now: after(5 * hourMs) })).toMatchObject({ energyWh: 60_000, flags: [] });
  });

  test('energy of a charge whose start was not received may have flowed since it was placed', () => {
    const heardAt = after(20 * minuteMs);
    const charge = chargeOf({ startedAt: heardAt, begunAt: heardAt });
    const over = { charge, readings: readings([1_201, 21_000]), end: endAt(21 * minuteMs, 22_000) };
    expect(billed(over)).toMatchObject({ energyWh: 21_000, startedAt: heardAt, flags: [] });
    // A start that the station itself reported is believed.
    expect(waiting({ ...over, charge: { ...charge, begunAt: after(21 * minuteMs) } }).rules).toContain('meter_jump');
    expect(waiting({ ...over, charge: { ...charge, wasPlaced: false } }).rules).toContain('meter_jump');
  });
});

describe('a meter', () => {
  test('a meter that leaps by 70 kWh within 20 s of a sane reading waits for a person, with the counted energy proposed', () => {
    const told = { readings: readings(1_500, 2_000, 2_500), end: endAt(3 * minuteMs + 20 * secondMs, 72_500) };
    expect(waiting(told)).toMatchObject({ rules: ['meter_jump', 'energy_implausible'], proposedWh: 1_500 });
  });

  test('a meter that leapt and stayed there is doubted, though the whole could have been delivered', () => {
    const leapt = readings([20, 1_100], [40, 71_000], [1_800, 80_000], [3_000, 81_000]);
    const decision = waiting({ readings: leapt, end: endAt(hourMs, 82_000), now: after(hourMs) });
    expect(decision).toMatchObject({ rules: ['meter_jump'], proposedWh: 11_100 });
    expect(decision.flags[0]?.evidence).toMatchObject({ fromWh: 1_100, toWh: 71_000, ratedPowerW });
  });

  test('a meter that leapt after a single wild reading is doubted as well', () => {
    const told = readings([20, 1_100], [30, 999_999_999], [40, 71_000], [1_800, 80_000]);
    expect(waiting({ readings: told, end: endAt(hourMs, 82_000), now: after(hourMs) })).toMatchObject({
      rules: ['meter_jump'],
      proposedWh: 11_100,
    });
  });

  test('a meter that leapt and ended there is doubted as well', () => {
    const leapt = readings([20, 1_100], [40, 71_000]);
    expect(waiting({ readings: leapt, end: endAt(hourMs, 71_000), now: after(hourMs) }).rules).toEqual(['meter_jump']);
    // A record has its station's own count, however our live data arrived.
    const charge = namedCharge({ meterStartWh: wattHours(1_000) });
    const told = { charge, readings: leapt, bill: billOf(70_000), end: endAt(hourMs, 71_000), now: after(hourMs) };
    expect(billed(told)).toMatchObject({ energyWh: 70_000, flags: [] });
  });

  test('a meter that leaps at its stop is doubted one watt-hour above what a cable carries', () => {
    const told = { readings: readings([3_540, 21_000]), end: endAt(hourMs, 24_500) };
    expect(billed(told)).toMatchObject({ energyWh: 23_500, flags: [] });
    expect(waiting({ ...told, end: endAt(hourMs, 24_501) })).toMatchObject({
      rules: ['meter_jump'],
      proposedWh: 20_000,
    });
  });

  test.each([999_999_999, 400_000_000])('a single wild reading of %i Wh is left out of the bill', (wild) => {
    const decision = billed({ readings: readings(1_500, wild, 2_500), end: endAt(30 * minuteMs, 11_000) });
    expect(decision).toMatchObject({ energyWh: 10_000 });
    expect(rulesOf(decision.flags)).toEqual(['meter_jump']);
    expect(decision.billing.readings.map(({ energyWh }) => energyWh)).toEqual([1_500, 2_500]);
  });

  test('a meter that falls in between is flagged and billed by its ends', () => {
    const decision = billed({ readings: readings(1_500, 200, 2_500) });
    expect(decision).toMatchObject({ energyWh: 10_000 });
    expect(decision.flags).toMatchObject([{ rule: 'meter_backwards', evidence: { fromWh: 1_500, toWh: 200 } }]);
    expect(decision.billing.readings.map(({ energyWh }) => energyWh)).toEqual([1_500, 2_500]);
  });

  test('a meter that ends below its readings is billed by the last report, in favour of the payer', () => {
    const decision = billed({ readings: readings([1_200, 9_000], [1_260, 9_500]), end: endAt(30 * minuteMs, 6_000) });
    expect(decision).toMatchObject({ energyWh: 5_000 });
    expect(decision.flags).toMatchObject([{ rule: 'meter_backwards', evidence: { fromWh: 9_500, toWh: 6_000 } }]);
    expect(decision.billing.readings.map(({ energyWh }) => energyWh)).toEqual([6_000, 6_000]);
  });

  test('a meter that restarted during the charge waits for a person, with what it counted before and after proposed', () => {
    const told = { readings: readings(1_500, 2_500, 0, 800, 1_700), end: endAt(30 * minuteMs, 9_000) };
    expect(waiting(told)).toMatchObject({ rules: ['meter_backwards'], proposedWh: 1_500 + 9_000, meterStopWh: 9_000 });
  });

  test('a meter that ends below its start waits for a person, with what it counted proposed', () => {
    const told = { readings: readings(1_100, 1_300, 100, 200), end: endAt(30 * minuteMs, 220) };
    expect(waiting(told)).toMatchObject({ rules: ['meter_backwards'], proposedWh: 420, meterStopWh: 220 });
    expect(waiting({ end: endAt(30 * minuteMs, 400) })).toMatchObject({ rules: ['meter_backwards'], proposedWh: 0 });
  });

  test('a meter that ends below its start by no more than its step is billed at zero, unless it counted in between', () => {
    const decision = billed({ readings: readings(1_020), end: endAt(30 * minuteMs, 980) });
    expect(decision).toMatchObject({ energyWh: 0 });
    expect(rulesOf(decision.flags)).toEqual(['meter_backwards']);
    expect(waiting({ end: endAt(30 * minuteMs, 979) })).toMatchObject({ proposedWh: 0 });
    expect(waiting({ readings: readings(1_021), end: endAt(30 * minuteMs, 999) })).toMatchObject({ proposedWh: 21 });
  });
});

describe('the power of a reading', () => {
  const told = (powerW: number) => ({ readings: [{ at: after(minuteMs), energyWh: 1_500, powerW }] });

  test('a power above what the station can deliver is left out, and flagged where peak power is priced', () => {
    const wild = billed({ ...told(90_001), isPricedByPeak: true });
    expect(wild.billing.readings).toEqual([{ at: after(minuteMs), energyWh: 1_500, powerW: null }]);
    expect(wild.flags).toEqual([
      { rule: 'power_implausible', evidence: { at: '2026-11-22T04:01:00.000Z', powerW: 90_001, ratedPowerW } },
    ]);
    expect(billed(told(90_001))).toMatchObject({ flags: [], billing: { readings: [{ powerW: null }] } });
    const sane = billed({ ...told(90_000), isPricedByPeak: true });
    expect(sane).toMatchObject({ flags: [], billing: { readings: [{ powerW: 90_000 }] } });
  });

  test('a power reported without a register is kept within the ends of the charge', () => {
    const alone = (ms: number, powerW: number) => ({ at: after(ms), energyWh: null, powerW });
    const readings = [alone(0, 1), alone(minuteMs, 55_000), alone(2 * minuteMs, 90_001), alone(30 * minuteMs, 2)];
    expect(billed({ readings }).billing).toMatchObject({
      readings: [],
      powers: [{ at: after(minuteMs), powerW: 55_000 }],
    });
  });

  test('a power outside the charge is not flagged', () => {
    for (const ms of [0, 30 * minuteMs]) {
      const readings = [{ at: after(ms), energyWh: null, powerW: 19_999_999 }];
      expect(billed({ readings, isPricedByPeak: true }).flags).toEqual([]);
    }
  });
});

describe('a missing register', () => {
  const noStart = chargeOf({ meterStartWh: null });

  test('a missing register at the start is replaced by the first reading', () => {
    const decision = billed({ charge: noStart, readings: readings(1_200, 2_000) });
    expect(decision).toMatchObject({
      energyWh: 9_800,
      flags: [{ rule: 'register_missing', evidence: { register: 'start' } }],
    });
  });

  test('a missing register at the start is replaced by a reading of that very instant, and by none before it', () => {
    const told = readings([-1, 900], [0, 1_200], [60, 2_000]);
    expect(billed({ charge: noStart, readings: told })).toMatchObject({ energyWh: 9_800 });
  });

  test('a missing register at the start of a record is replaced by a reading up to ten minutes before it, by two clocks', () => {
    const charge = namedCharge({ meterStartWh: null });
    const over = { charge, end: endAt(30 * minuteMs, 10_000), bill: billOf(8_000) };
    expect(billed({ ...over, readings: readings([-601, 1_000], [-600, 2_000]) })).toMatchObject({ energyWh: 8_000 });
  });

  test('a missing register at the start of a charge without readings waits for a person', () => {
    expect(waiting({ charge: noStart })).toMatchObject({
      rules: ['register_missing'],
      proposedWh: 0,
      meterStopWh: 11_000,
      endedAt: after(30 * minuteMs),
    });
  });

  test('a missing register at the start is not replaced by a wild reading, and the charge waits', () => {
    const told = { charge: noStart, readings: readings(999_999_999, 1_300, 2_000) };
    expect(waiting(told)).toMatchObject({ rules: ['register_missing', 'meter_backwards'], proposedWh: 9_700 });
    // Nor when the stop is as wild.
    expect(waiting({ ...told, end: endAt(30 * minuteMs, 1_000_001_000) }).rules).toContain('meter_backwards');
  });

  test('a missing register at the start of a record is zero, because records hold energies', () => {
    const charge = namedCharge({ meterStartWh: null });
    expect(billed({ charge, end: endAt(30 * minuteMs, 10_000), bill: billOf(10_000) })).toMatchObject({
      energyWh: 10_000,
      flags: [{ rule: 'register_missing' }],
    });
  });

  test('a missing register at the start hides no other doubt', () => {
    const suspicion = { rule: 'record_unasked', evidence: {} } as const;
    expect(waiting({ charge: noStart, suspicion }).rules).toEqual(['register_missing', 'record_unasked']);
  });

  test('a missing register at the stop is replaced by the last reading, with its time', () => {
    expect(billed({ end: endAt(30 * minuteMs, null), readings: readings(1_500, 2_500, null) })).toMatchObject({
      energyWh: 1_500,
      endedAt: after(2 * minuteMs),
      flags: [{ rule: 'register_missing', evidence: { register: 'stop' } }],
    });
  });

  test('a missing register at the stop is replaced by a reading of that very instant, and by none after it', () => {
    const told = readings([60, 1_500], [1_800, 9_000], [1_801, 9_100]);
    expect(billed({ end: endAt(30 * minuteMs, null), readings: told })).toMatchObject({
      energyWh: 8_000,
      endedAt: after(30 * minuteMs),
    });
  });

  test('a missing total of a record waits for a person with what its periods and registers say proposed', () => {
    const bill = billOf(10_000, { energyTenthsWh: 0xffff_ffff });
    const over = { charge: namedCharge(), end: endAt(30 * minuteMs, null), bill };
    const decision = waiting({ ...over, readings: readings(0) });
    expect(decision).toMatchObject({
      rules: ['register_missing', 'record_contradicts'],
      proposedWh: 10_000,
      meterStopWh: null,
      endedAt: after(30 * minuteMs),
    });
    expect(decision.flags[1]?.evidence).toEqual({
      energyWh: null,
      periodsWh: 10_000,
      registersWh: 10_000,
      amountWh: 10_000,
      readWh: 0,
    });
    expect(waiting(over)).toMatchObject({ proposedWh: 10_000 });
  });

  test('a missing total of a record that says nothing else is proposed at its readings, or at zero', () => {
    const empty = billOf(0, { energyTenthsWh: 0xffff_ffff, meterStartTenthsWh: 0, meterStopTenthsWh: 0 });
    const over = { charge: namedCharge(), end: endAt(30 * minuteMs, null), bill: empty };
    expect(waiting({ ...over, readings: readings(400, 900) })).toMatchObject({ proposedWh: 900 });
    expect(waiting(over)).toMatchObject({ proposedWh: 0 });
    // A record without periods has its registers.
    const registers = { ...billOf(8_000, { energyTenthsWh: 0xffff_ffff }), periods: [] };
    expect(waiting({ ...over, bill: registers })).toMatchObject({ proposedWh: 8_000 });
  });

  test('a missing register at the stop is not replaced by a wild reading', () => {
    const decision = billed({ end: endAt(30 * minuteMs, null), readings: readings(1_500, 2_500, 999_999_999) });
    expect(decision).toMatchObject({ energyWh: 1_500, endedAt: after(2 * minuteMs) });
    expect(rulesOf(decision.flags)).toEqual(['register_missing', 'meter_jump']);
  });

  test('a missing register at the stop of a charge with no plausible reading since its start waits for a person', () => {
    for (const told of [[], readings([0, 1_000]), readings([1_800, null]), readings([1_800, 999_999_999])]) {
      const decision = waiting({ end: endAt(30 * minuteMs, null), readings: told });
      expect(decision).toMatchObject({ proposedWh: 0, meterStopWh: null });
      expect(decision.flags).toContainEqual({ rule: 'register_missing', evidence: { register: 'stop' } });
    }
  });

  test('a charge without readings whose stop never arrived is billed at zero', () => {
    expect(billed({ end: endAt(30 * minuteMs, null, 'no_stop_received') })).toMatchObject({ energyWh: 0, flags: [] });
  });

  test('a missing register is not flagged for a charge whose stop never arrived', () => {
    const over = { end: endAt(30 * minuteMs, null, 'no_stop_received'), readings: readings(1_500, 2_500) };
    expect(billed(over)).toMatchObject({ energyWh: 1_500, endedAt: after(2 * minuteMs), flags: [] });
  });
});

describe('a record', () => {
  const charge = namedCharge();
  const half = 30 * minuteMs;

  test('a record with a total of 9,999.9999 kWh while all else says 1.2 waits with 1.2 proposed', () => {
    const told = { charge, end: endAt(half, 10_000_000), bill: billOf(1_200), readings: readings(400, 800) };
    expect(waiting(told)).toMatchObject({
      rules: ['energy_implausible', 'record_contradicts'],
      proposedWh: 1_200,
    });
    expect(waiting({ ...told, readings: [] })).toMatchObject({
      rules: ['energy_implausible', 'record_contradicts'],
      proposedWh: 1_200,
    });
  });

  test('a record that contradicts its total by a possible amount waits as well', () => {
    expect(waiting({ charge, end: endAt(half, 20_000), bill: billOf(1_200) })).toMatchObject({
      rules: ['record_contradicts'],
      proposedWh: 1_200,
    });
  });

  test('a record is supported by the energy that was read, which is what the register rose by', () => {
    const counting = namedCharge({ meterStartWh: wattHours(5_000) });
    const bill = billOf(10_000, { periods: billOf(4_000).periods, meterStopTenthsWh: 0 });
    const told = { charge: counting, bill, end: endAt(half, 15_000) };
    expect(billed({ ...told, readings: readings([1_700, 14_900]) })).toMatchObject({ energyWh: 10_000, flags: [] });
    expect(waiting(told).rules).toEqual(['record_contradicts']);
  });

  test('a small record is not supported by a meter without readings', () => {
    const bill = billOf(4_000, { meterStopTenthsWh: 0 });
    expect(waiting({ charge, end: endAt(half, 1_500), bill })).toMatchObject({
      rules: ['record_contradicts'],
      proposedWh: 4_000,
    });
  });

  test('a contradicted record is proposed at the most that could have been delivered, and not one watt-hour above', () => {
    const told = (billedWh: number) => ({ charge, end: endAt(half, 10_000_000), bill: billOf(billedWh) });
    expect(waiting(told(47_000)).proposedWh).toBe(47_000);
    expect(waiting(told(47_001)).proposedWh).toBe(0);
  });

  test('a record with impossible parts is proposed at what its meter counted, never above the possible', () => {
    const bill = billOf(10_000_000);
    expect(waiting({ charge, end: endAt(half, 10_000_000), bill })).toMatchObject({
      rules: ['energy_implausible'],
      proposedWh: 0,
    });
    const counted = readings([600, 5_000], [1_200, 9_000]);
    expect(waiting({ charge, end: endAt(half, 10_000_000), bill, readings: counted }).proposedWh).toBe(9_000);
    // The whole of a contradicted record is impossible, too.
    expect(waiting({ charge, end: endAt(half, 10_000_000), bill: billOf(9_000_000) }).proposedWh).toBe(0);
  });

  test('a record with impossible parts is proposed at its total, as far as a clock ten minutes off allows', () => {
    const told = (energyWh: number) =>
      waiting({
        charge,
        end: endAt(half, energyWh),
        bill: billOf(9_000_000),
        readings: readings([1_800, 10_000]),
      });
    // Ten minutes at 90 kW, and a step of the meter.
    expect(told(27_000)).toMatchObject({ rules: ['record_contradicts'], proposedWh: 27_000 });
    expect(told(27_001)).toMatchObject({ rules: ['record_contradicts'], proposedWh: 10_000 });
  });

  test.each([-9, 9])(
    'a record by a clock that is %i minutes off is billed, since readings have our time',
    (minutes) => {
      // 55 kW for half an hour, read every minute by our clock.
      const read = readings(...Array.from({ length: 29 }, (_, index) => Math.round(((index + 1) * 55_000) / 60)));
      const off = minutes * minuteMs;
      const told = {
        charge: namedCharge({ startedAt: after(off) }),
        end: endAt(half + off, 27_500),
        bill: billOf(27_500),
        readings: read,
        now: after(half + minuteMs),
      };
      expect(billed(told)).toMatchObject({ energyWh: 27_500, flags: [] });
      // A station that reports registers reports their time as well.
      expect(decideSettlement(known({ ...told, bill: null })).kind).toBe('wait');
    },
  );

  test('a record that nobody requested waits with its own figure proposed, which is not in doubt', () => {
    const suspicion = { rule: 'record_unasked', evidence: { because: 'not_an_offline_card' } } as const;
    const told = { charge, end: endAt(half, 10_000), bill: billOf(10_000), readings: readings(500), suspicion };
    expect(waiting(told)).toMatchObject({ rules: ['record_unasked'], proposedWh: 10_000, meterStopWh: 10_000 });
    // Its meter fell and rose again in between, which is no energy.
    expect(waiting({ ...told, readings: readings(500, 3, 500) })).toMatchObject({
      rules: ['meter_backwards', 'record_unasked'],
      proposedWh: 10_000,
    });
    expect(waiting({ ...told, end: endAt(half, 47_001), bill: billOf(47_001) })).toMatchObject({
      rules: ['record_unasked', 'energy_implausible'],
      proposedWh: 500,
    });
  });
});

describe("a person's figures", () => {
  test("a person's figures are not doubted", () => {
    const billing = billingByHand(chargeOf(), { energyWh: 5_000_000, endedAt: after(minuteMs) });
    expect(billing).toEqual({
      startedAt: noon,
      endedAt: after(minuteMs),
      meterStartWh: 1_000,
      meterStopWh: 5_001_000,
      readings: [],
      powers: [],
      bill: null,
    });
  });

  test("a person's figures end no earlier than the charge began, and begin there without a known start", () => {
    expect(billingByHand(chargeOf(), { energyWh: 5, endedAt: after(-minuteMs) }).endedAt).toBe(noon);
    const unknown = chargeOf({ startedAt: null, meterStartWh: null });
    expect(billingByHand(unknown, { energyWh: 5, endedAt: after(minuteMs) })).toMatchObject({
      startedAt: after(minuteMs),
      endedAt: after(minuteMs),
      meterStartWh: 0,
      meterStopWh: 5,
    });
  });
});

describe('a record that no order and no swipe asked for', () => {
  const unasked = (over: Partial<Charge> = {}, more: Partial<UnaskedRecord> = {}) =>
    suspicionOf({
      charge: namedCharge({ wasPlaced: false, ...over }),
      isOfflineCard: false,
      isOwnCard: false,
      overlaps: null,
      ...more,
    });
  const other = { number: '2026', startedAt: noon, endedAt: after(minuteMs) };

  test.each<[string, ReturnType<typeof unasked>]>([
    ['of a card that the station was given for that', unasked({}, { isOfflineCard: true })],
    ["of its operator's own card", unasked({}, { isOwnCard: true })],
    ['that was placed after all', unasked({ wasPlaced: true }, { overlaps: other })],
    ['that nobody can pay for', unasked({ cardId: null }, { overlaps: other })],
    ['of a customer that nobody knows', unasked({ paymentType: 'online', customerId: null })],
  ])('a record without an order is not suspect: %s', (_title, suspicion) => {
    expect(suspicion).toBeNull();
  });

  test.each<[string, Partial<Charge>]>([
    ['a card of another operator', {}],
    ['a customer', { paymentType: 'online', cardId: null, customerId: 31 as CustomerId }],
    ['a card without a customer', { cardId: 22 as CardId, customerId: null }],
  ])('a record without an order is suspect when it spends the money of %s', (_title, over) => {
    expect(unasked(over)).toEqual({
      rule: 'record_unasked',
      evidence: { cardNumber: 'CARD1', because: 'not_an_offline_card' },
    });
  });

  test.each(['blocked', 'expired'] as const)(
    'a record without an order is suspect when its card is %s, whoever issued it',
    (authorization) => {
      const more = { isOfflineCard: true, isOwnCard: true };
      expect(unasked({ startAuthorization: authorization }, more)?.evidence).toEqual({
        cardNumber: 'CARD1',
        because: 'card_not_accepted',
      });
      expect(unasked({ startAuthorization: 'no_balance' }, more)).toBeNull();
      expect(unasked({ startAuthorization: null }, more)).toBeNull();
    },
  );

  test('a record without an order is suspect when another charge of its gun port ran at the same time, whoever pays', () => {
    const expected = {
      rule: 'record_unasked',
      evidence: {
        cardNumber: 'CARD1',
        because: 'overlaps',
        otherOrder: '2026',
        otherFrom: '2026-11-22T04:00:00.000Z',
        otherTo: '2026-11-22T04:01:00.000Z',
      },
    };
    expect(unasked({}, { overlaps: other, isOfflineCard: true, isOwnCard: true })).toEqual(expected);
    expect(unasked({}, { overlaps: { number: '2026', startedAt: null, endedAt: null } })).toMatchObject({
      evidence: { otherFrom: null, otherTo: null },
    });
  });

  test.each([
    ['as far as free and held money reach', false, 1_500, true],
    ['and not one fen above', false, 1_501, false],
  ])('a record without an order is paid automatically %s', (_title, wasPlaced, amountFen, isPaid) => {
    const bill = { amountFen: fen(amountFen), availableFen: fen(1_000) };
    expect(mayBePaid(namedCharge({ wasPlaced, heldFen: fen(500) }), bill)).toBe(isPaid);
    expect(mayBePaid(namedCharge({ wasPlaced: true, heldFen: fen(500) }), bill)).toBe(true);
    // Nothing is taken without a payer.
    expect(mayBePaid(namedCharge({ wasPlaced, cardId: null, customerId: null }), bill)).toBe(true);
  });
});

test('registers in fractions of a watt-hour cannot be billed by mistake', () => {
  expect(() => billed({ end: endAt(30 * minuteMs, 1_000.5) })).toThrow(RangeError);
  expect(wattHours(1)).toBe(1);
});
