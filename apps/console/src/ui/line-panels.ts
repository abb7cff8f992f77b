import type { ChartColours } from './chart-colours.ts';
import type { EChartsCoreOption } from './chart-engine.ts';
import { nothingText } from './figures.ts';

/** The plot's edges in the chart, so that what stands below it lines up with the axis. */
export const plotInsetPx = { left: 52, right: 46 } as const;
/** Above a panel, for the names of its axes, and below the last one, for the marks of the shared axis. */
const headPx = 30;
const footPx = 24;

export type LinePoint = readonly [x: number, value: number | null];

export type LineSeries = {
  id: string;
  name: string;
  unit: string;
  decimals: number;
  colour: keyof ChartColours;
  /** By the axis on the right. */
  isRight?: boolean;
  isDashed?: boolean;
  isFilled?: boolean;
  /** What lies between two bounds around the line. */
  band?: readonly (readonly [x: number, low: number, high: number])[];
  points: readonly LinePoint[];
};

/** `zero`: the axis begins at zero; otherwise where the values begin. */
type Axis = { name: string; max?: number; interval?: number; splits?: number; begins?: 'zero' | 'values' };

export type LinePanel = { heightPx: number; left: Axis; right?: Axis | undefined; series: readonly LineSeries[] };

export type LinePanelsInput = {
  /** From top to bottom, above one shared axis. */
  panels: readonly LinePanel[];
  fromX: number;
  toX: number;
  /** Milliseconds since 1970; otherwise a plain number. */
  isTime: boolean;
  /** The text of a mark on the shared axis. */
  markText: (x: number) => string;
  /** The first line of the tooltip. */
  headText: (x: number) => string;
  /** Further lines of the tooltip. */
  rowsAt?: (x: number) => readonly (readonly [name: string, text: string])[];
  /** Thin dashed lines across all panels. */
  changes?: readonly number[];
  /** Solid lines in the colour of faults. */
  flags?: readonly number[];
  /** Where the reader points from elsewhere. */
  cursor?: number | null;
  gaps?: readonly { fromMs: number; toMs: number }[];
  gapText?: string;
};

export function panelsHeightPx(panels: readonly { heightPx: number }[]): number {
  return panels.reduce((sum, { heightPx }) => sum + heightPx + headPx, 0) + footPx - 4;
}

/** Breaks a line at each gap instead of inventing what happened there. */
function brokenAt(points: readonly LinePoint[], gaps: readonly { fromMs: number; toMs: number }[]): LinePoint[] {
  if (gaps.length === 0) return [...points];
  const breaks = gaps.map(({ fromMs }): LinePoint => [fromMs + 1, null]);
  return [...points, ...breaks].sort((one, other) => one[0] - other[0]);
}

/** A value of a line is shown in the tooltip if it lies within this share of the axis. */
const nearShare = 0.02;

/** The value of a line nearest to `x`; null where there is none nearby. */
export function valueNear(points: readonly LinePoint[], x: number, reach: number): number | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.[0] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  const after = points[low];
  const before = points[low - 1];
  const near = before === undefined || (after !== undefined && after[0] - x <= x - before[0]) ? after : before;
  return near === undefined || Math.abs(near[0] - x) > reach ? null : near[1];
}

/** The area between the bounds of a line: one invisible line, and what lies above it. */
function bandOf({ id, band = [], colour }: LineSeries, axes: object, colours: ChartColours) {
  if (band.length === 0) return [];
  const part = {
    ...axes,
    type: 'line',
    stack: `${id} band`,
    stackStrategy: 'all',
    symbol: 'none',
    silent: true,
    animation: false,
    lineStyle: { opacity: 0 },
  };
  return [
    { ...part, id: `${id} low`, data: band.map(([x, low]) => [x, low]) },
    {
      ...part,
      id: `${id} high`,
      data: band.map(([x, low, high]) => [x, high - low]),
      areaStyle: { color: colours[colour], opacity: 0.14 },
    },
  ];
}

/** Lines in panels one below the other, on one axis of time. */
export function linePanels(input: LinePanelsInput): (colours: ChartColours) => EChartsCoreOption {
  const { panels, fromX, toX, changes = [], flags = [], cursor = null, gaps = [] } = input;
  const reach = (toX - fromX) * nearShare;
  const tops = panels.map((_, index) => panelsHeightPx(panels.slice(0, index)) - footPx + 4 + headPx - 4);
  const all = panels.flatMap(({ series }) => series);
  return (colours) => {
    const axisText = { color: colours.textFaint, fontSize: 11 };
    const shared = (gridIndex: number) => {
      const isLast = gridIndex === panels.length - 1;
      return {
        type: input.isTime ? 'time' : 'value',
        gridIndex,
        min: fromX,
        max: toX,
        axisLine: { lineStyle: { color: colours.borderStrong }, onZero: false },
        axisTick: { show: isLast, lineStyle: { color: colours.borderStrong } },
        axisLabel: {
          ...axisText,
          show: isLast,
          hideOverlap: true,
          formatter: (x: number) => input.markText(x),
        },
        splitLine: { show: false },
        axisPointer: { label: { show: false } },
      };
    };
    const valueAxis = (gridIndex: number, axis: Axis, side: 'left' | 'right') => ({
      type: 'value',
      gridIndex,
      position: side,
      name: axis.name,
      nameTextStyle: {
        ...axisText,
        align: side,
        padding: side === 'left' ? [0, 0, 0, 12 - plotInsetPx.left] : [0, 12 - plotInsetPx.right, 0, 0],
      },
      nameGap: 8,
      ...(axis.begins === 'values' ? { scale: true } : { min: 0 }),
      ...(axis.max === undefined ? {} : { max: axis.max }),
      ...(axis.interval === undefined ? {} : { interval: axis.interval }),
      ...(axis.splits === undefined ? {} : { splitNumber: axis.splits }),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: axisText,
      splitLine: { show: side === 'left', lineStyle: { color: colours.border, width: 1 } },
    });
    const lines = {
      silent: true,
      symbol: 'none',
      animation: false,
      label: { show: false },
      data: [
        ...changes.map((xAxis) => ({
          xAxis,
          lineStyle: { color: colours.borderStrong, type: 'dashed', width: 1 },
        })),
        ...flags.map((xAxis) => ({ xAxis, lineStyle: { color: colours.fault, type: 'solid', width: 1.5 } })),
        ...(cursor === null ? [] : [{ xAxis: cursor, lineStyle: { color: colours.text, type: 'solid', width: 1 } }]),
      ],
    };
    const areas = {
      silent: true,
      itemStyle: { color: colours.offlineFill, opacity: 0.7 },
      label: {
        show: true,
        position: 'inside',
        color: colours.textFaint,
        fontSize: 11,
        formatter: input.gapText ?? '',
      },
      data: gaps.map((gap) => [{ xAxis: gap.fromMs }, { xAxis: gap.toMs }]),
    };
    return {
      animation: false,
      textStyle: { fontFamily: 'inherit' },
      axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colours.textFaint } },
      grid: panels.map(({ heightPx }, index) => ({ ...plotInsetPx, top: tops[index] ?? headPx, height: heightPx })),
      xAxis: panels.map((_, index) => shared(index)),
      yAxis: panels.flatMap(({ left, right }, index) => [
        valueAxis(index, left, 'left'),
        { ...valueAxis(index, right ?? { name: '' }, 'right'), show: right !== undefined },
      ]),
      tooltip: {
        trigger: 'axis',
        confine: true,
        backgroundColor: colours.panel,
        borderColor: colours.border,
        padding: [8, 12],
        textStyle: { color: colours.text, fontSize: 12 },
        formatter: (given: unknown) => {
          const [item] = (Array.isArray(given) ? given : [given]) as { value: LinePoint }[];
          const x = item?.value[0];
          if (x === undefined) return '';
          const rows = all.map(({ name, unit, decimals, points }) => {
            const value = valueNear(points, x, reach);
            return [name, value === null ? nothingText : `${value.toFixed(decimals)} ${unit}`] as const;
          });
          return [
            `<div style="margin-bottom:4px">${input.headText(x)}</div>`,
            ...[...rows, ...(input.rowsAt?.(x) ?? [])].map(
              ([name, text]) =>
                `<div style="display:flex;justify-content:space-between;gap:16px"><span>${name}</span><b style="font-variant-numeric:tabular-nums">${text}</b></div>`,
            ),
          ].join('');
        },
      },
      series: panels.flatMap(({ series }, index) =>
        series.flatMap((line, place) => {
          const axes = { xAxisIndex: index, yAxisIndex: index * 2 + (line.isRight ? 1 : 0) };
          const drawn = {
            type: 'line',
            id: line.id,
            animation: false,
            connectNulls: false,
            symbolSize: 5,
            showSymbol: line.points.length < 3,
            ...axes,
            data: brokenAt(line.points, gaps),
            lineStyle: {
              color: colours[line.colour],
              width: line.isFilled ? 2 : 1.5,
              type: line.isDashed ? [5, 3] : 'solid',
            },
            itemStyle: { color: colours[line.colour] },
            ...(line.isFilled ? { areaStyle: { color: colours[line.colour], opacity: 0.12 } } : {}),
            ...(place === 0 ? { markLine: lines, ...(index === 0 ? { markArea: areas } : {}) } : {}),
          };
          return [drawn, ...bandOf(line, axes, colours)];
        }),
      ),
    };
  };
}
