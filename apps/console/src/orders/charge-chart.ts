import { minuteMs } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';
import type { ChartColours } from '../ui/Chart.tsx';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { nothingText, priceText } from '../ui/figures.ts';
import type { CurvePoint } from './curve.ts';
import type { PriceStretch } from './price-stretches.ts';
import { wordFor } from './words.ts';

/** The plot's edges in the chart, so that the price strip below lines up with the time axis. */
export const plotInsetPx = { left: 52, right: 46 } as const;
export const chartHeightPx = 300;

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

/** Inserts an empty point at each gap in the readings, so that the line breaks instead of inventing a charge. */
function withGaps(
  points: readonly CurvePoint[],
  gaps: readonly { fromMs: number; toMs: number }[],
  read: (point: CurvePoint) => number | null,
) {
  const data: [number, number | null][] = points.map((point) => [point.atMs, read(point)]);
  for (const gap of gaps) data.push([gap.fromMs + 1, null]);
  return data.sort((a, b) => a[0] - b[0]);
}

function figure(value: unknown, decimals: number): string {
  return typeof value === 'number' ? value.toFixed(decimals) : nothingText;
}

export type ChargeChartInput = {
  points: readonly CurvePoint[];
  gaps: readonly { fromMs: number; toMs: number }[];
  stretches: readonly PriceStretch[];
  fromMs: number;
  toMs: number;
};

/** Power and state of charge above, energy below, on one time axis, with a thin line where the price changed. */
export function chargeChart({ points, gaps, stretches, fromMs, toMs }: ChargeChartInput) {
  const hasSoc = points.some((point) => point.socPercent !== null);
  return (colours: ChartColours): EChartsCoreOption => {
    const axisText = { color: colours.textFaint, fontSize: 11 };
    const axisLine = { lineStyle: { color: colours.borderStrong } };
    const split = { lineStyle: { color: colours.border, width: 1 } };
    const time = (gridIndex: number, labelled: boolean) => ({
      type: 'time',
      gridIndex,
      min: fromMs,
      max: toMs,
      axisLine,
      axisTick: { show: labelled, lineStyle: { color: colours.borderStrong } },
      axisLabel: {
        ...axisText,
        show: labelled,
        hideOverlap: true,
        formatter: (value: number) => markText(value, toMs - fromMs),
      },
      splitLine: { show: false },
      axisPointer: { label: { show: false } },
    });
    const value = (gridIndex: number, name: string, extra: object) => ({
      type: 'value',
      gridIndex,
      name,
      nameTextStyle: { ...axisText, align: 'left', padding: [0, 0, 0, -plotInsetPx.left + 12] },
      nameGap: 8,
      min: 0,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: axisText,
      splitLine: split,
      ...extra,
    });
    const changes = stretches.slice(1).map((stretch) => ({ xAxis: stretch.fromMs }));
    const markLine = {
      silent: true,
      symbol: 'none',
      animation: false,
      label: { show: false },
      lineStyle: { color: colours.borderStrong, type: 'dashed', width: 1 },
      data: changes,
    };
    const markArea = {
      silent: true,
      itemStyle: { color: colours.offlineFill, opacity: 0.7 },
      label: {
        show: true,
        position: 'inside',
        color: colours.textFaint,
        fontSize: 11,
        formatter: phrase('orders.noReadings'),
      },
      data: gaps.map((gap) => [{ xAxis: gap.fromMs }, { xAxis: gap.toMs }]),
    };
    const line = { type: 'line', showSymbol: points.length < 3, symbolSize: 5, animation: false, connectNulls: false };
    return {
      animation: false,
      textStyle: { fontFamily: 'inherit' },
      axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colours.textFaint } },
      grid: [
        { left: plotInsetPx.left, right: plotInsetPx.right, top: 26, height: 156 },
        { left: plotInsetPx.left, right: plotInsetPx.right, top: 212, height: 64 },
      ],
      xAxis: [time(0, false), time(1, true)],
      yAxis: [
        value(0, phrase('orders.powerAxis'), { splitNumber: 4 }),
        {
          ...value(0, hasSoc ? phrase('orders.socAxis') : '', { max: 100, interval: 25, show: hasSoc }),
          position: 'right',
          nameTextStyle: { ...axisText, align: 'right', padding: [0, -plotInsetPx.right + 12, 0, 0] },
          splitLine: { show: false },
        },
        value(1, phrase('orders.energyAxis'), { splitNumber: 2 }),
      ],
      tooltip: {
        trigger: 'axis',
        confine: true,
        backgroundColor: colours.panel,
        borderColor: colours.border,
        padding: [8, 12],
        textStyle: { color: colours.text, fontSize: 12 },
        formatter: (given: unknown) => {
          const items = (Array.isArray(given) ? given : [given]) as {
            value: [number, number | null];
            seriesId: string;
          }[];
          const atMs = items[0]?.value[0];
          if (atMs === undefined) return '';
          const point = points.find((candidate) => candidate.atMs === atMs);
          if (point === undefined) return `${clockSeconds.format(atMs)}<br>${phrase('orders.noReadings')}`;
          const price = stretches.find((stretch) => atMs >= stretch.fromMs && atMs < stretch.toMs) ?? stretches.at(-1);
          const row = (name: string, text: string) =>
            `<div style="display:flex;justify-content:space-between;gap:16px"><span>${name}</span><b style="font-variant-numeric:tabular-nums">${text}</b></div>`;
          return [
            `<div style="margin-bottom:4px">${clockSeconds.format(atMs)}</div>`,
            row(phrase('orders.power'), `${figure(point.powerKw, 1)} kW`),
            ...(hasSoc ? [row(phrase('orders.soc'), `${figure(point.socPercent, 0)} %`)] : []),
            row(phrase('orders.energy'), `${figure(point.energyKwh, 3)} kWh`),
            ...(price === undefined
              ? []
              : [
                  row(
                    wordFor('period', price.period),
                    phrase('orders.pricePerKwh', { price: priceText(price.electricityPriceE5 + price.servicePriceE5) }),
                  ),
                ]),
          ].join('');
        },
      },
      series: [
        {
          ...line,
          id: 'power',
          xAxisIndex: 0,
          yAxisIndex: 0,
          data: withGaps(points, gaps, (point) => point.powerKw),
          lineStyle: { color: colours.charging, width: 2 },
          itemStyle: { color: colours.charging },
          areaStyle: { color: colours.charging, opacity: 0.12 },
          markLine,
          markArea,
        },
        {
          ...line,
          id: 'soc',
          xAxisIndex: 0,
          yAxisIndex: 1,
          data: hasSoc ? withGaps(points, gaps, (point) => point.socPercent) : [],
          lineStyle: { color: colours.free, width: 1.5, type: [5, 3] },
          itemStyle: { color: colours.free },
        },
        {
          ...line,
          id: 'energy',
          xAxisIndex: 1,
          yAxisIndex: 2,
          data: withGaps(points, gaps, (point) => point.energyKwh),
          lineStyle: { color: colours.occupied, width: 1.5 },
          itemStyle: { color: colours.occupied },
          markLine,
        },
      ],
    };
  };
}
