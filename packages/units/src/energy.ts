import { exactInteger, type Quantity } from './quantity.ts';

/** Energy in watt-hours. */
export type WattHours = Quantity<'Wh'>;
/** Power in watts. */
export type Watts = Quantity<'W'>;
/** Current in milliamperes. */
export type Milliamperes = Quantity<'mA'>;
/** Voltage in millivolts. */
export type Millivolts = Quantity<'mV'>;

/** @throws RangeError unless `value` is a safe integer. */
export function wattHours(value: number): WattHours {
  return exactInteger(value, 'Wh');
}

/** @throws RangeError unless `value` is a safe integer. */
export function watts(value: number): Watts {
  return exactInteger(value, 'W');
}

/** @throws RangeError unless `value` is a safe integer. */
export function milliamperes(value: number): Milliamperes {
  return exactInteger(value, 'mA');
}

/** @throws RangeError unless `value` is a safe integer. */
export function millivolts(value: number): Millivolts {
  return exactInteger(value, 'mV');
}
