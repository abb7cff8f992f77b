import type { ChartColours } from '../ui/chart-colours.ts';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { type ChartColour, chartLook, indexOf, type TooltipRow, tooltip, tooltipLook } from './chart-look.ts';

export type Bar = {
  name: string;
  /** The name beside the bar, where both ends of it tell bars apart: each line is cut short by itself. */
  lines?: readonly string[];
  value: number;
  /** Beside the bar. */
  text: string;
  colour?: ChartColour;
  /** Further lines of the tooltip. */
  rows?: readonly TooltipRow[];
};

const barPx = 28;
const edgePx = 8;

export const barChartHeightPx = (bars: number): number => bars * barPx + 2 * edgePx;

/** Room for names on the left and figures on the right, in pixels. */
const nameWidthPx = 112;
const textWidthPx = 132;

/** Named bars below each other, each with its figure; `measured` names what their length is. */
export function barChart(bars: readonly Bar[], measured: string) {
  return (colours: ChartColours): EChartsCoreOption => ({
    ...chartLook,
    grid: { left: nameWidthPx + 12, right: textWidthPx, top: edgePx, bottom: edgePx, outerBoundsMode: 'none' },
    xAxis: { type: 'value', min: 0, show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ name, lines }) => lines?.join('\n') ?? name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: colours.text,
        fontSize: 12,
        lineHeight: 13,
        width: nameWidthPx,
        overflow: 'truncate',
        margin: 12,
      },
    },
    tooltip: {
      ...tooltipLook(colours),
      trigger: 'item',
      formatter: (given: unknown) => {
        const bar = bars[indexOf(given) ?? -1];
        return bar === undefined ? '' : tooltip(bar.name, [[measured, bar.text], ...(bar.rows ?? [])]);
      },
    },
    series: [
      {
        type: 'bar',
        barWidth: 14,
        showBackground: true,
        backgroundStyle: { color: colours.bone, opacity: 0.45, borderRadius: 3 },
        data: bars.map(({ value, text, colour = 'charging' }) => ({
          value,
          itemStyle: { color: colours[colour], borderRadius: 3 },
          label: { formatter: text },
        })),
        label: {
          show: true,
          position: 'right',
          color: colours.textSecond,
          fontSize: 12,
        },
      },
    ],
  });
}
