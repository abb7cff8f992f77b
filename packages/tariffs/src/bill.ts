import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, type PriceE5 } from '@voltdeck/units/money';
import type { Period } from './tariff.ts';

/** The energy of one tariff slot on one day. `from` and `to` are the part of the slot in which the charge ran. */
export type EnergyLine = {
  kind: 'energy';
  from: Instant;
  to: Instant;
  period: Period;
  energyWh: WattHours;
  electricityPriceE5: PriceE5;
  servicePriceE5: PriceE5;
  /** Energy × price, rounded half up to the fen: the only rounding on a bill. */
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
};

/**
 * Consecutive started steps in one power tier. The whole fee is a service fee: a tariff by time has no price of
 * electricity. A last line without steps and fee is what ran on after the longest run.
 */
export type HourLine = {
  kind: 'hour';
  from: Instant;
  to: Instant;
  tierFromW: number;
  tierToW: number | null;
  steps: number;
  /** As long as the tariff's step; of a fixed price, what was paid for. */
  stepMinutes: number;
  feeFenPerStep: Fen;
  energyWh: WattHours;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
};

export type BillLine = EnergyLine | HourLine;

/** `amountFen` is the sum of all fees of all lines; `energyWh` the sum of their energy. */
export type Bill = {
  lines: readonly BillLine[];
  energyWh: WattHours;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  amountFen: Fen;
};

export function sumLines(lines: readonly BillLine[], energyWh: WattHours): Bill {
  const electricityFeeFen = addFen(...lines.map((line) => line.electricityFeeFen));
  const serviceFeeFen = addFen(...lines.map((line) => line.serviceFeeFen));
  return { lines, energyWh, electricityFeeFen, serviceFeeFen, amountFen: addFen(electricityFeeFen, serviceFeeFen) };
}
