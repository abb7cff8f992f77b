import { hourMs } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';
import type { ChartColours } from '../ui/chart-colours.ts';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { energyText, moneyText } from '../ui/figures.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' });
const markEveryMs = 4 * hourMs;

type Point = readonly [atMs: number, value: number | null];
type Tip = { axisValue: number; seriesName: string; value: [number, number | null] }[];

const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function frame(colours: ChartColours, fontPx: number, fromMs: number, toMs: number) {
  const label = { color: colours.textFaint, fontSize: fontPx * 0.8 };
  return {
    animation: false,
    textStyle: { fontSize: fontPx * 0.8 },
    grid: { left: fontPx * 3.4, right: fontPx * 0.9, top: fontPx * 1.1, bottom: fontPx * 1.7 },
    xAxis: {
      type: 'time',
      min: fromMs,
      max: toMs,
      minInterval: markEveryMs,
      maxInterval: markEveryMs,
      axisLabel: { ...label, hideOverlap: true, formatter: (atMs: number) => clock.format(atMs) },
      axisLine: { lineStyle: { color: colours.borderStrong } },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    label,
  };
}

const valueAxis = (colours: ChartColours, label: object) => ({
  type: 'value',
  splitNumber: 3,
  axisLabel: label,
  splitLine: { lineStyle: { color: colours.border } },
});

const tooltip = (colours: ChartColours, fontPx: number, formatter: (tip: Tip) => string) => ({
  trigger: 'axis',
  formatter,
  backgroundColor: colours.panel,
  borderColor: colours.border,
  textStyle: { color: colours.text, fontSize: fontPx * 0.85 },
  transitionDuration: 0,
});

/** The power of two-wheel upon that of four-wheel charges; where nobody looked there is no line. */
export function powerOption(
  { fourWheel, twoWheel }: { fourWheel: readonly Point[]; twoWheel: readonly Point[] },
  fontPx: number,
): (colours: ChartColours) => EChartsCoreOption {
  return (colours) => {
    const fromMs = fourWheel[0]?.[0] ?? 0;
    const toMs = fourWheel.at(-1)?.[0] ?? 0;
    const { label, ...shared } = frame(colours, fontPx, fromMs, toMs);
    const series = (name: string, points: readonly Point[], opacity: number) => ({
      type: 'line',
      name,
      stack: 'power',
      data: points,
      connectNulls: false,
      showSymbol: false,
      lineStyle: { width: fontPx * 0.11, color: colours.charging, opacity: opacity + 0.4 },
      itemStyle: { color: colours.charging },
      areaStyle: { color: colours.charging, opacity },
    });
    return {
      ...shared,
      yAxis: { ...valueAxis(colours, label), min: 0 },
      tooltip: tooltip(colours, fontPx, (tip) =>
        [
          clock.format(tip[0]?.axisValue ?? 0),
          ...tip.map(
            ({ seriesName, value }) => `${text(seriesName)} ${value[1] === null ? '—' : value[1].toFixed(1)} kW`,
          ),
        ].join('<br>'),
      ),
      series: [
        series(phrase('equipment-type.four-wheel'), fourWheel, 0.38),
        series(phrase('equipment-type.two-wheel'), twoWheel, 0.16),
      ],
    };
  };
}

export type Hour = { atMs: number; receivableFen: number; energyWh: number };

/** Bars of what each hour brought and the line of its energy; the hour that runs is pale, since it is not over. */
export function hoursOption(hours: readonly Hour[], fontPx: number): (colours: ChartColours) => EChartsCoreOption {
  return (colours) => {
    const fromMs = hours[0]?.atMs ?? 0;
    const lastMs = hours.at(-1)?.atMs ?? 0;
    const { label, ...shared } = frame(colours, fontPx, fromMs - hourMs / 2, lastMs + hourMs / 2);
    return {
      ...shared,
      grid: { ...shared.grid, right: fontPx * 3.2 },
      yAxis: [
        { ...valueAxis(colours, label), min: 0 },
        { ...valueAxis(colours, label), min: 0, splitLine: { show: false } },
      ],
      tooltip: tooltip(colours, fontPx, (tip) => {
        const atMs = tip[0]?.axisValue ?? 0;
        const hour = hours.find((one) => one.atMs === atMs);
        if (hour === undefined) return '';
        return [
          `${clock.format(atMs)}–${clock.format(atMs + hourMs)}${atMs === lastMs ? ` ${phrase('screen.hourRuns')}` : ''}`,
          `${phrase('screen.income')} ${moneyText(hour.receivableFen)}`,
          `${energyText(hour.energyWh)} kWh`,
        ].join('<br>');
      }),
      series: [
        {
          type: 'bar',
          name: phrase('screen.income'),
          barWidth: '62%',
          data: hours.map(({ atMs, receivableFen }) => ({
            value: [atMs, receivableFen / 100],
            itemStyle: { color: colours.charging, opacity: atMs === lastMs ? 0.4 : 0.85 },
          })),
        },
        {
          type: 'line',
          name: phrase('screen.energy'),
          yAxisIndex: 1,
          showSymbol: false,
          lineStyle: { width: fontPx * 0.13, color: colours.text },
          itemStyle: { color: colours.text },
          data: hours.slice(0, -1).map(({ atMs, energyWh }) => [atMs, energyWh / 1_000]),
        },
      ],
    };
  };
}
