import type { OrderLine } from './api.ts';
import type { Pile } from './pile.ts';
import { bcd, liveData, type TransactionRecord, transactionRecord } from './pile-bytes.ts';

/**
 * The two-hour story of the other journeys as a YKC pile tells it: live data on the way, and at the end its own record
 * with the energy of each period in 1e-4 kWh. By hand, with the prices of `cyclingTariff`:
 *
 *     valley  29.9395 kWh × 0.31234 = 9.3513 yuan   × 0.30125 =  9.0193
 *     flat    60.0824 kWh × 0.68750 = 41.3067       × 0.40000 = 24.0330
 *     peak    29.9651 kWh × 1.03999 = 31.1634       × 0.50505 = 15.1339
 *
 * and the pile's own sums, electricity and service together, in 1e-4 yuan: 183,706 + 653,396 + 462,973.
 */
export const pileBill = {
  energyWh: 119_987,
  electricityFeeFen: 8_182,
  serviceFeeFen: 4_818,
  amountFen: 13_000,
  lines: [
    { period: 'flat', energyWh: 60_083, electricityFeeFen: 4_131, serviceFeeFen: 2_403 },
    { period: 'peak', energyWh: 29_965, electricityFeeFen: 3_116, serviceFeeFen: 1_513 },
    { period: 'valley', energyWh: 29_939, electricityFeeFen: 935, serviceFeeFen: 902 },
  ],
} as const;

/**
 * The fields of a bill's lines that the hand calculation covers. Whole Wh are rounded so that they add up: 0, 29,965.1,
 * 90,047.5 and 119,987 after each period.
 */
export function linesOf(lines: readonly OrderLine[]) {
  return lines
    .map(({ period, energyWh, electricityFeeFen, serviceFeeFen }) => ({
      period,
      energyWh,
      electricityFeeFen,
      serviceFeeFen,
    }))
    .sort((a, b) => a.period.localeCompare(b.period));
}

export type Told = Pick<TransactionRecord, 'tradeNo' | 'startMs' | 'endMs'> & Partial<TransactionRecord>;

export function recordOf(pile: Pile, told: Told): Buffer {
  return transactionRecord({
    pileNo: pile.number,
    gun: 1,
    sharp: { price: 1_999_998, energy: 0, amount: 0 },
    peak: { price: 154_504, energy: 299_651, amount: 462_973 },
    flat: { price: 108_750, energy: 600_824, amount: 653_396 },
    valley: { price: 61_359, energy: 299_395, amount: 183_706 },
    meterStart: 12_345_678_901,
    meterEnd: 12_345_678_901 + 1_199_870,
    energy: 1_199_870,
    amount: 1_300_075,
    startFlag: 2,
    stopReason: 0x45,
    physicalCard: '0'.repeat(16),
    ...told,
  });
}

/** Live data of the running charge, `minutes` after its start with `energy` in 1e-4 kWh. */
export function charging(pile: Pile, tradeNo: string, minutes: number, energy: number, gun = 1): Buffer {
  const soc = 20 + Math.round(minutes / 2);
  const power = { voltage: 4_000, current: 1_500 };
  return liveData({
    tradeNo,
    pileNo: pile.number,
    gun,
    state: 'charging',
    plugged: true,
    ...power,
    soc,
    minutes,
    energy,
  });
}

export function idle(pile: Pile, { plugged = false, gun = 1 } = {}): Buffer {
  return liveData({ tradeNo: '0'.repeat(32), pileNo: pile.number, gun, state: 'idle', plugged });
}

export function heartbeat(pile: Pile, gun = 1): Buffer {
  return Buffer.concat([bcd(pile.number), bcd(String(gun).padStart(2, '0')), Buffer.from([0])]);
}
