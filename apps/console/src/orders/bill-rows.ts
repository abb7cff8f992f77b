import type { BillLineView } from '@voltdeck/contract/orders';
import type { Period } from '@voltdeck/tariffs/tariff';

export type BillRow = BillLineView & { key: string; sumFen: number };

export type BillSums = { energyWh: number; electricityFeeFen: number; serviceFeeFen: number; sumFen: number };

export type PeriodSums = BillSums & { period: Period };

/** The lines as table rows, in order of time. */
export function billRows(lines: readonly BillLineView[]): BillRow[] {
  return lines
    .map((line, index) => ({
      ...line,
      key: `${index}`,
      sumFen: line.electricityFeeFen + line.serviceFeeFen,
    }))
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

const nothingYet: BillSums = { energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, sumFen: 0 };

export function addLine<Sums extends BillSums>(sums: Sums, line: BillLineView): Sums {
  return {
    ...sums,
    energyWh: sums.energyWh + line.energyWh,
    electricityFeeFen: sums.electricityFeeFen + line.electricityFeeFen,
    serviceFeeFen: sums.serviceFeeFen + line.serviceFeeFen,
    sumFen: sums.sumFen + line.electricityFeeFen + line.serviceFeeFen,
  };
}

/** An order's amount is the sum of its lines; nothing is rounded again. */
export function billSums(lines: readonly BillLineView[]): BillSums {
  return lines.reduce((sums, line) => addLine(sums, line), nothingYet);
}

const periodOrder: readonly Period[] = ['sharp', 'peak', 'flat', 'valley'];

/** Energy and fees by price period, dearest first, without periods that have no energy. */
export function periodSums(lines: readonly BillLineView[]): PeriodSums[] {
  return periodOrder.flatMap((period) => {
    const ofPeriod = lines.filter((line) => line.kind === 'energy' && line.period === period);
    if (ofPeriod.length === 0) return [];
    return [ofPeriod.reduce<PeriodSums>((sums, line) => addLine(sums, line), { ...nothingYet, period })];
  });
}

/**
 * The exact product before rounding: energy × price in yuan with up to eight decimals, trailing zeros cut to two. Wh ×
 * 1e-5 yuan per kWh = 1e-8 yuan.
 */
export function exactFeeYuan(energyWh: number, priceE5: number): string {
  const product = BigInt(energyWh) * BigInt(priceE5);
  const digits = product.toString().padStart(9, '0');
  const whole = digits.slice(0, -8);
  const decimals = digits.slice(-8).replace(/0{1,6}$/, '');
  return `${whole}.${decimals}`;
}

/** Whether the fee is the rounded product; a page must not show an explanation that does not hold. */
export function isRoundedProduct(energyWh: number, priceE5: number, feeFen: number): boolean {
  const product = BigInt(energyWh) * BigInt(priceE5);
  return (product + 500_000n) / 1_000_000n === BigInt(feeFen);
}
