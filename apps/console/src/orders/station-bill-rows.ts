import type { OrderDetail } from '@voltdeck/contract/orders';

type StationBill = NonNullable<OrderDetail['stationBill']>;
type PeriodRow = StationBill['periods'][number] & {
  /** Both prices of our lines added up; null if our bill does not have this period. */
  ourPriceE5: number | null;
  ourFen: number;
};

/** The periods in which the station or we counted energy, and whether its sum was flagged. */
export function besideOurs(
  { lines, flags }: Pick<OrderDetail, 'lines' | 'flags'>,
  bill: StationBill,
): { rows: PeriodRow[]; isDifferent: boolean } {
  const rows = bill.periods.map((told): PeriodRow => {
    const ours = lines.flatMap((line) => (line.kind === 'energy' && line.period === told.period ? [line] : []));
    const [first] = ours;
    return {
      ...told,
      ourPriceE5: first === undefined ? null : first.electricityPriceE5 + first.servicePriceE5,
      ourFen: ours.reduce((sum, line) => sum + line.electricityFeeFen + line.serviceFeeFen, 0),
    };
  });
  return {
    rows: rows.filter(({ energyTenthsWh, amountE4, ourFen }) => energyTenthsWh > 0 || amountE4 > 0 || ourFen > 0),
    isDifferent: flags.some(({ rule }) => rule === 'amount_differs'),
  };
}

/** 1e-4 yuan as yuan with four decimals, by placing the point, so that nothing is rounded. */
export function e4Text(amountE4: number): string {
  return `${Math.trunc(amountE4 / 10_000)}.${String(amountE4 % 10_000).padStart(4, '0')}`;
}

/** Tenths of a Wh as kWh with all four decimals. */
export function tenthsWhText(tenthsWh: number): string {
  return e4Text(tenthsWh);
}
