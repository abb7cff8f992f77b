import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import type { Random } from '@voltdeck/simulator/seeded';

/** Invented makers and models. Names fit into OCPP's twenty characters. */
export type Make = { vendor: string; model: string; firmware: string; voltageV: number };

const makes: Readonly<Record<ChargeKind, readonly { vendor: string; series: string; firmware: readonly string[] }[]>> =
  {
    dc: [
      { vendor: 'Hengtuo Electric', series: 'HT-DC', firmware: ['4.2.1', '4.3.0'] },
      { vendor: 'Qingtan Power', series: 'QT', firmware: ['2.11.7', '2.12.0'] },
      { vendor: 'Lanmo Energy', series: 'LM-F', firmware: ['1.8.3'] },
    ],
    ac: [
      { vendor: 'Qingtan Power', series: 'QT-A', firmware: ['1.6.0', '1.6.2'] },
      { vendor: 'Yuanpai', series: 'YP-AC', firmware: ['3.0.4'] },
    ],
    'two-wheel': [
      { vendor: 'Xiaoyu IoT', series: 'XY-B', firmware: ['2.4.9', '2.5.1'] },
      { vendor: 'Yuanpai', series: 'YP-E', firmware: ['1.2.8'] },
    ],
  };

const voltages: Readonly<Record<ChargeKind, number>> = { dc: 1_000, ac: 220, 'two-wheel': 220 };

export function drawMake(kind: ChargeKind, powerKw: number, connectors: number, random: Random): Make {
  const { vendor, series, firmware } = random.pick(makes[kind]);
  const size = kind === 'two-wheel' ? connectors : powerKw;
  return { vendor, model: `${series}${size}`, firmware: random.pick(firmware), voltageV: voltages[kind] };
}

export const stationCounts = { dc: 180, ac: 84 } as const;
/**
 * Sockets of each two-wheeler box: with two guns per DC station and one per AC station, this gives 1,000 ports on 300
 * stations.
 */
export const boxSizes: readonly number[] = [
  ...Array<number>(10).fill(10),
  ...Array<number>(4).fill(12),
  ...Array<number>(8).fill(16),
  ...Array<number>(14).fill(20),
];

/** Most stations are of medium power; the large ones are at the "super" sites, see `drawPower`. */
const usualPowersKw = [60, 60, 120, 120, 120, 120, 180, 180] as const;
const largePowersKw = [120, 180, 180, 240, 240, 480] as const;

export function drawPowerKw(kind: ChargeKind, isLargeSite: boolean, random: Random): number {
  if (kind === 'ac') return 7;
  if (kind === 'two-wheel') return 1;
  return random.pick(isLargeSite ? largePowersKw : usualPowersKw);
}
