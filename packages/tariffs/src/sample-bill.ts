import { type Watts, wattHours } from '@voltdeck/units/energy';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Result } from '@voltdeck/units/result';
import type { Bill } from './bill.ts';
import { priceCharge } from './price-charge.ts';
import type { PriceFault } from './price-fault.ts';
import type { Tariff } from './tariff.ts';

/** The price of a charge at an even power: the preview beside the rule editor. `minutes` is a whole number. */
export function sampleBill(
  tariff: Tariff,
  sample: { startAt: Instant; minutes: number; powerW: Watts },
): Result<Bill, PriceFault> {
  const { startAt, minutes, powerW } = sample;
  return priceCharge({
    tariff,
    readings: [
      { at: startAt, energyWh: wattHours(0), powerW },
      {
        at: instant(startAt + minutes * minuteMs),
        energyWh: wattHours(Math.round((powerW * minutes) / 60)),
        powerW,
      },
    ],
  });
}
