import { dayMs, type Instant } from '@voltdeck/units/instant';
import type { TariffFault } from './check-tariff.ts';

/** Why a charge cannot be priced; each code is also the key of its phrase. */
export const priceFaultCodes = [
  'price.tariff_invalid',
  'price.no_readings',
  'price.register_out_of_range',
  'price.reading_late',
  'price.charge_too_long',
] as const satisfies readonly PriceFault['code'][];

export type PriceFault =
  | { code: 'price.tariff_invalid'; faults: readonly TariffFault[] }
  | { code: 'price.no_readings' }
  | { code: 'price.register_out_of_range'; at: Instant; energyWh: number }
  /** Only while metering: the reading is older than what is already metered. Price the whole charge again. */
  | { code: 'price.reading_late'; at: Instant; meteredUntil: Instant }
  | { code: 'price.charge_too_long'; from: Instant; to: Instant };

/** A meter register holds 0 to 1 TWh; anything beyond is nonsense from the station. */
export const registerWhMax = 1_000_000_000_000;

/** No charge lasts longer, so a station whose clock jumps from 1970 to today cannot make a bill of a million lines. */
export const chargeMsMax = 31 * dayMs;
