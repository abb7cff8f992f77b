import { minuteMs } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';
import { priceText } from '../ui/figures.ts';
import { type LinePanel, linePanels, panelsHeightPx } from '../ui/line-panels.ts';
import type { CurvePoint } from './curve.ts';
import type { PriceStretch } from './price-stretches.ts';
import { wordFor } from './words.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', timeStyle: 'medium' });

export const clockText = (ms: number): string => clock.format(ms);
export const clockSecondsText = (ms: number): string => clockSeconds.format(ms);

/** Below this span the marks of the axis are less than minutes apart. */
const secondsBelowMs = 15 * minuteMs;

/** The text of a mark on the time axis; no two marks have the same. */
export function markText(ms: number, spanMs: number): string {
  return spanMs < secondsBelowMs ? clockSecondsText(ms) : clockText(ms);
}

export type ChargeChartInput = {
  points: readonly CurvePoint[];
  gaps: readonly { fromMs: number; toMs: number }[];
  stretches: readonly PriceStretch[];
  fromMs: number;
  toMs: number;
};

const heightsPx = [{ heightPx: 156 }, { heightPx: 64 }] as const;
export const chartHeightPx = panelsHeightPx(heightsPx);

/** Power and state of charge above, energy below, on one time axis, with a thin line where the price changed. */
export function chargeChart({ points, gaps, stretches, fromMs, toMs }: ChargeChartInput) {
  const hasSoc = points.some((point) => point.socPercent !== null);
  const [powerPanel, energyPanel] = heightsPx;
  const soc = {
    id: 'soc',
    name: phrase('orders.soc'),
    unit: '%',
    decimals: 0,
    colour: 'free',
    isRight: true,
    isDashed: true,
    points: points.map(({ atMs, socPercent }) => [atMs, socPercent] as const),
  } as const;
  const panels: LinePanel[] = [
    {
      ...powerPanel,
      left: { name: phrase('orders.powerAxis'), splits: 4 },
      right: hasSoc ? { name: phrase('orders.socAxis'), max: 100, interval: 25 } : undefined,
      series: [
        {
          id: 'power',
          name: phrase('orders.power'),
          unit: 'kW',
          decimals: 1,
          colour: 'charging',
          isFilled: true,
          points: points.map(({ atMs, powerKw }) => [atMs, powerKw] as const),
        },
        ...(hasSoc ? [soc] : []),
      ],
    },
    {
      ...energyPanel,
      left: { name: phrase('orders.energyAxis'), splits: 2 },
      series: [
        {
          id: 'energy',
          name: phrase('orders.energy'),
          unit: 'kWh',
          decimals: 3,
          colour: 'occupied',
          points: points.map(({ atMs, energyKwh }) => [atMs, energyKwh] as const),
        },
      ],
    },
  ];
  return linePanels({
    panels,
    fromX: fromMs,
    toX: toMs,
    isTime: true,
    markText: (atMs) => markText(atMs, toMs - fromMs),
    headText: clockSecondsText,
    rowsAt: (atMs) => priceRows(stretches, atMs),
    changes: stretches.slice(1).map((stretch) => stretch.fromMs),
    gaps,
    gapText: phrase('orders.noReadings'),
  });
}

/** The price in force, as a line of the chart's tooltip. */
export function priceRows(stretches: readonly PriceStretch[], atMs: number): [name: string, text: string][] {
  const price = stretches.find((stretch) => atMs >= stretch.fromMs && atMs < stretch.toMs) ?? stretches.at(-1);
  if (price === undefined) return [];
  const summed = priceText(price.electricityPriceE5 + price.servicePriceE5);
  return [[wordFor('period', price.period), phrase('orders.pricePerKwh', { price: summed })]];
}
