import type { ChartColours } from '../ui/chart-colours.ts';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { hourSpanText } from '../ui/instants.ts';
import { axisText, chartLook, indexOf, tooltip, tooltipLook } from './chart-look.ts';

export type WeekCell = { weekday: number; hour: number; value: number; text: string };

export const weekChartHeightPx = 280;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

type Input = {
  /** A cell for every hour of the weekdays that the period has. */
  cells: readonly WeekCell[];
  /** From Monday. */
  weekdays: readonly string[];
  /** What a cell shows. */
  measured: string;
  text: (value: number) => string;
};

/** Hours across, weekdays down; the darker, the more. */
export function weekChart({ cells, weekdays, measured, text }: Input) {
  const most = Math.max(0, ...cells.map(({ value }) => value));
  return (colours: ChartColours): EChartsCoreOption => ({
    ...chartLook,
    grid: { left: 4, right: 4, top: 4, bottom: 44, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: hours.map(String),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...axisText(colours), hideOverlap: true },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: [...weekdays],
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: axisText(colours),
    },
    visualMap: {
      type: 'continuous',
      min: 0,
      max: most === 0 ? 1 : most,
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: 8,
      itemHeight: 120,
      text: [text(most), text(0)],
      textStyle: axisText(colours),
      inRange: { color: [colours.bone, colours.charging] },
      calculable: false,
      hoverLink: false,
    },
    tooltip: {
      ...tooltipLook(colours),
      trigger: 'item',
      formatter: (given: unknown) => {
        const cell = cells[indexOf(given) ?? -1];
        if (cell === undefined) return '';
        return tooltip(`${weekdays[cell.weekday - 1]} ${hourSpanText(cell.hour)}`, [[measured, cell.text]]);
      },
    },
    series: [
      {
        type: 'heatmap',
        data: cells.map(({ weekday, hour, value }) => [hour, weekday - 1, value]),
        itemStyle: { borderColor: colours.panel, borderWidth: 1, borderRadius: 3 },
        emphasis: { itemStyle: { borderColor: colours.text, borderWidth: 1 } },
      },
    ],
  });
}
