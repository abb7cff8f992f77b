/** A change that no test notices, with the reason why that is accepted. */
export interface KnownSurvivor {
  file: string;
  /** The current line, without indentation. */
  was: string;
  /** The line after the change. */
  becomes: string;
  because: string;
}

export const knownSurvivors: readonly KnownSurvivor[] = [
  {
    file: 'packages/units/src/instant.ts',
    was: String.raw`if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return null;`,
    becomes: String.raw`if (!/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return null;`,
    because: 'No text is known with anything before a time that V8 reads; the anchor is for other engines.',
  },
  {
    file: 'packages/units/src/instant.ts',
    was: String.raw`if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return null;`,
    becomes: String.raw`if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})/i.test(text)) return null;`,
    because: 'No text is known with anything after a time that V8 reads; the anchor is for other engines.',
  },
  {
    file: 'packages/units/src/instant.ts',
    was: String.raw`if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;`,
    becomes: String.raw`if (!/\d{4}-\d{2}-\d{2}$/.test(text)) return null;`,
    because: 'A longer text is not the date that it is read as, which is asked below.',
  },
  {
    file: 'packages/units/src/instant.ts',
    was: String.raw`if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;`,
    becomes: String.raw`if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null;`,
    because: 'A longer text is not the date that it is read as, which is asked below.',
  },
  {
    file: 'packages/units/src/money.ts',
    was: 'if (Number.isSafeInteger(product + half)) return fen(Math.floor((product + half) / perFen));',
    becomes: 'if (false) return fen(Math.floor((product + half) / perFen));',
    because: 'The way by BigInt gives the same for every product and is only slower.',
  },
  {
    file: 'packages/tariffs/src/check-tariff.ts',
    was: "if (startMinutes > endMinutes) return note('tariff.slot_start_after_end', path, times);",
    becomes: "if (startMinutes >= endMinutes) return note('tariff.slot_start_after_end', path, times);",
    because: 'The line above has refused equal times already.',
  },
  {
    file: 'packages/tariffs/src/end-of-balance.ts',
    was: 'if (powerW <= 0) return null;',
    becomes: 'if (powerW < 0) return null;',
    because: 'Without power nothing more is due in any slot, and the way through all of them ends at the horizon too.',
  },
  {
    file: 'packages/tariffs/src/price-periods.ts',
    was: 'const isWhole = Math.abs(sumTenthsWh - energyTenthsWh) <= periods.length * periodToleranceTenthsWh;',
    becomes: 'const isWhole = Math.abs(sumTenthsWh - energyTenthsWh) <= periods.length / periodToleranceTenthsWh;',
    because: 'The tolerance is one tenth of a watt-hour: times one is divided by one.',
  },
  {
    file: 'packages/tariffs/src/price-periods.ts',
    was: 'const apart = station > ours ? station - ours : ours - station;',
    becomes: 'const apart = station >= ours ? station - ours : ours - station;',
    because: 'Equal sums are nothing apart either way round.',
  },
  {
    file: 'packages/charging/src/charge/plausibility.ts',
    was: '} else if (register.energyWh < last.energyWh) fallen ??= { from: last, to: register };',
    becomes: '} else if (register.energyWh <= last.energyWh) fallen ??= { from: last, to: register };',
    because: 'A register that stays can always follow, so it never comes to this line.',
  },
  {
    file: 'packages/charging/src/charge/plausibility.ts',
    was: 'const toleranceWh = (registerToleranceTenthsWh + bill.periods.length * periodToleranceTenthsWh) / 10;',
    becomes: 'const toleranceWh = (registerToleranceTenthsWh + bill.periods.length / periodToleranceTenthsWh) / 10;',
    because: 'The tolerance of a period is one tenth of a watt-hour: times one is divided by one.',
  },
  {
    file: 'packages/charging/src/charge/decide-settlement.ts',
    was: 'const isPastReach = last !== start && toldWh > last.energyWh && !canFollow(last, stop, ratedPowerW);',
    becomes: 'const isPastReach = last !== start && toldWh >= last.energyWh && !canFollow(last, stop, ratedPowerW);',
    because: 'A register that stays can always follow, so it is never past reach.',
  },
  {
    file: 'packages/charging/src/charge/decide-time.ts',
    was: 'const evidence = waitsMs < hourMs ? { waitedMinutes: waitsMs / minuteMs } : { waitedHours: waitsMs / hourMs };',
    becomes:
      'const evidence = waitsMs <= hourMs ? { waitedMinutes: waitsMs / minuteMs } : { waitedHours: waitsMs / hourMs };',
    because: 'A stop is waited for either ten minutes or a day, and never just an hour.',
  },
  {
    file: 'packages/tariffs/src/spread-energy.ts',
    was: 'if (Number.isSafeInteger(doubled)) return (doubled - (doubled % (2 * spanMs))) / (2 * spanMs);',
    becomes: 'if (false) return (doubled - (doubled % (2 * spanMs))) / (2 * spanMs);',
    because: 'The way by BigInt gives the same for every rise and is only slower.',
  },
];
