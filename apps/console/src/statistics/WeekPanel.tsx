import type { AnswerOf } from '@voltdeck/contract/route';
import { getWeekHours } from '@voltdeck/contract/statistics';
import { weekdayOf } from '@voltdeck/units/day';
import { dayMs, hourMs, instant, parseShanghaiDate, shanghaiDate } from '@voltdeck/units/instant';
import { useCallback } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { hourSpanText } from '../ui/instants.ts';
import { weekdayText } from '../ui/weekday.ts';
import { type Drawing, FigurePanel } from './FigurePanel.tsx';
import { measuredValue, measureName, measureText } from './measure-words.ts';
import { ordersBetween } from './orders-behind.ts';
import type { Asked } from './sales-query.ts';
import { dayCount, type StatisticsView } from './statistics-view.ts';
import { type WeekCell, weekChart, weekChartHeightPx } from './week-chart.ts';

type Week = AnswerOf<typeof getWeekHours>;

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The only day of the period with this weekday; null where it has several or none. */
function onlyDay(weekday: number, { period }: StatisticsView): number | null {
  const from = parseShanghaiDate(period.from) ?? 0;
  const starts = Array.from({ length: Math.min(dayCount(period), 14) }, (_, day) => from + day * dayMs);
  const same = starts.filter((start) => weekdayOf(shanghaiDate(instant(start))) === weekday);
  return same.length === 1 ? (same[0] ?? null) : null;
}

/** An average of one of these is a share of a charge. */
const averageText = (value: number, isWhole: boolean, measure: StatisticsView['measure']) =>
  measure === 'orders' && !isWhole ? value.toFixed(1) : measureText(Math.round(value), measure);

function weekDrawing({ days, items }: Week, view: StatisticsView): Drawing {
  const { measure, filter } = view;
  const names = weekdays.map((weekday) => weekdayText(weekday));
  const isWhole = days.every((count) => count <= 1);
  const text = (value: number) => averageText(value, isWhole, measure);
  const found = new Map(items.map((item) => [`${item.weekday} ${item.hour}`, item]));
  const cells = weekdays.flatMap((weekday) => {
    const count = days[weekday - 1] ?? 0;
    if (count === 0) return [];
    return hours.map((hour): WeekCell => {
      const item = found.get(`${weekday} ${hour}`);
      const value = item === undefined ? 0 : measuredValue(item, measure) / count;
      return { weekday, hour, value, text: text(value) };
    });
  });
  const measured = isWhole ? measureName(measure) : phrase('statistics.perDay', { what: measureName(measure) });
  const leadsTo = (cell: WeekCell | undefined) => {
    const day = cell === undefined ? null : onlyDay(cell.weekday, view);
    if (cell === undefined || day === null || cell.value === 0) return null;
    const from = day + cell.hour * hourMs;
    return place('orderListHistory', ordersBetween(from, from + hourMs, filter));
  };
  const counted = cells.filter(({ value }) => value > 0);
  const most = counted.reduce<WeekCell | null>(
    (max, cell) => (max === null || cell.value > max.value ? cell : max),
    null,
  );
  const nameOf = ({ weekday, hour }: WeekCell) => `${names[weekday - 1]} ${hourSpanText(hour)}`;
  return {
    heightPx: weekChartHeightPx,
    label: phrase('statistics.weekLabel', {
      what: measured,
      most: most === null ? '' : `${nameOf(most)} ${most.text}`,
    }),
    option: weekChart({ cells, weekdays: names, measured, text }),
    table: {
      heads: [phrase('statistics.weekHour'), measured],
      rows: counted.map((cell) => ({ key: nameOf(cell), cells: [nameOf(cell), cell.text], leads: leadsTo(cell) })),
    },
    empty: items.length === 0 ? phrase('statistics.nothing') : null,
    remark: most === null ? null : phrase('statistics.weekMost', { when: nameOf(most), value: most.text }),
    itemLeads: (index) => leadsTo(cells[index]),
  };
}

/** What charges bring by hour and weekday, on an average day of that weekday. */
export function WeekPanel({ view, asked }: { view: StatisticsView; asked: Asked }) {
  const answer = useAnswer(getWeekHours, { query: asked.query }, asked.options);
  const draw = useCallback((data: Week) => weekDrawing(data, view), [view]);
  return (
    <FigurePanel
      place={10}
      isWide
      title={phrase('statistics.week')}
      note={phrase('statistics.weekNote')}
      answer={answer}
      draw={draw}
      heightPx={weekChartHeightPx}
    />
  );
}
