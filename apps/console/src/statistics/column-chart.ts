import type { ChartColours } from '../ui/chart-colours.ts';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { countText, nothingText } from '../ui/figures.ts';
import { axisText, type ChartColour, chartLook, indexOf, tooltip, tooltipLook } from './chart-look.ts';

export type ColumnSeries = {
  name: string;
  kind: 'column' | 'line';
  colour: ChartColour;
  /** Null where there is nothing to count yet. */
  values: readonly (number | null)[];
  /** With its unit. */
  text: (value: number) => string;
};

export type ColumnChartInput = {
  /** On the axis, and in the tooltip's first line. */
  marks: readonly string[];
  heads: readonly string[];
  /** The unit of the values, or what they count. */
  axisName: string;
  series: readonly ColumnSeries[];
};

/** Fewer points than this are each marked on a line. */
const symbolsBelow = 13;
const columnWidthMaxPx = 36;

/** Columns and lines over time or over bands. */
export function columnChart({ marks, heads, axisName, series }: ColumnChartInput) {
  return (colours: ChartColours): EChartsCoreOption => ({
    ...chartLook,
    grid: { left: 8, right: 12, top: 32, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: [...marks],
      axisLine: { lineStyle: { color: colours.borderStrong } },
      axisTick: { show: false },
      axisLabel: { ...axisText(colours), hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      name: axisName,
      nameTextStyle: { ...axisText(colours), align: 'left', padding: [0, 0, 0, -4] },
      nameGap: 12,
      min: 0,
      minInterval: 1,
      splitNumber: 4,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...axisText(colours), formatter: countText },
      splitLine: { lineStyle: { color: colours.border, width: 1 } },
    },
    tooltip: {
      ...tooltipLook(colours),
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: colours.text, opacity: 0.05 } },
      formatter: (given: unknown) => {
        const index = indexOf(given);
        if (index === undefined) return '';
        return tooltip(
          heads[index] ?? '',
          series.map(({ name, values, text }) => {
            const value = values[index] ?? null;
            return [name, value === null ? nothingText : text(value)];
          }),
        );
      },
    },
    series: series.map(({ name, kind, colour, values }) => ({
      name,
      cursor: 'pointer',
      data: [...values],
      itemStyle: { color: colours[colour], ...(kind === 'column' ? { borderRadius: [2, 2, 0, 0] } : {}) },
      ...(kind === 'column'
        ? { type: 'bar', barMaxWidth: columnWidthMaxPx, barCategoryGap: '30%' }
        : {
            type: 'line',
            symbol: 'circle',
            symbolSize: 6,
            showSymbol: values.length < symbolsBelow,
            lineStyle: { color: colours[colour], width: 2 },
          }),
    })),
  });
}
