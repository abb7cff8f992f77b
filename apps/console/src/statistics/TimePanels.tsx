import { getStatistics, type SalePoint } from '@voltdeck/contract/statistics';
import { dayMs, parseShanghaiDate } from '@voltdeck/units/instant';
import { useCallback } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { countText, energyText, moneyText, yuanText } from '../ui/figures.ts';
import { type ColumnSeries, columnChart } from './column-chart.ts';
import { type Drawing, FigurePanel } from './FigurePanel.tsx';
import { durationOfSeconds, energyWithUnit } from './measure-words.ts';
import { ordersBetween } from './orders-behind.ts';
import type { Asked } from './sales-query.ts';
import type { StatisticsView } from './statistics-view.ts';
import { markTexts, stepText } from './step-marks.ts';

type Answer = { items: SalePoint[] };
type Column = { head: string; text: (point: Pick<SalePoint, Summed>) => string };
type Summed = 'receivableFen' | 'receivedFen' | 'refundedFen' | 'energyWh' | 'orders' | 'durationS';

type Shown = {
  series: readonly (Omit<ColumnSeries, 'values'> & { of: (point: SalePoint) => number })[];
  axisName: string;
  columns: readonly Column[];
};

const money = (head: string, key: 'receivableFen' | 'receivedFen' | 'refundedFen'): Column => ({
  head: `${head} (¥)`,
  text: (point) => yuanText(point[key]),
});

/** Functions, because the words are loaded with the page. */
const shownOf = {
  income: (): Shown => ({
    axisName: '¥',
    series: [
      {
        name: phrase('statistics.receivable'),
        kind: 'column',
        colour: 'charging',
        of: ({ receivableFen }) => receivableFen / 100,
        text: (yuan) => moneyText(yuan * 100),
      },
      {
        name: phrase('statistics.received'),
        kind: 'line',
        colour: 'textSecond',
        of: ({ receivedFen }) => receivedFen / 100,
        text: (yuan) => moneyText(yuan * 100),
      },
    ],
    columns: [
      money(phrase('statistics.receivable'), 'receivableFen'),
      money(phrase('statistics.received'), 'receivedFen'),
      money(phrase('statistics.refunded'), 'refundedFen'),
    ],
  }),
  energy: (): Shown => ({
    axisName: 'kWh',
    series: [
      {
        name: phrase('statistics.energy'),
        kind: 'column',
        colour: 'charging',
        of: ({ energyWh }) => energyWh / 1_000,
        text: (kwh) => energyWithUnit(kwh * 1_000),
      },
    ],
    columns: [{ head: `${phrase('statistics.energy')} (kWh)`, text: ({ energyWh }) => energyText(energyWh) }],
  }),
  orders: (): Shown => ({
    axisName: phrase('statistics.orders'),
    series: [
      {
        name: phrase('statistics.orders'),
        kind: 'column',
        colour: 'charging',
        of: ({ orders }) => orders,
        text: countText,
      },
    ],
    columns: [
      { head: phrase('statistics.orders'), text: ({ orders }) => countText(orders) },
      { head: phrase('statistics.duration'), text: ({ durationS }) => durationOfSeconds(durationS) },
    ],
  }),
} as const;
type Subject = keyof typeof shownOf;

const summed: readonly Summed[] = ['receivableFen', 'receivedFen', 'refundedFen', 'energyWh', 'orders', 'durationS'];

function timeDrawing(subject: Subject, { items }: Answer, view: StatisticsView, heightPx: number): Drawing {
  const { step, filter, period } = view;
  const { series, axisName, columns } = shownOf[subject]();
  const now = Date.now();
  const isToCome = ({ at }: SalePoint) => Date.parse(at) > now;
  const past = items.filter((point) => !isToCome(point));
  const untilMs = (parseShanghaiDate(period.to) ?? 0) + dayMs;
  const startsMs = items.map(({ at }) => Date.parse(at));
  const fromMs = parseShanghaiDate(period.from) ?? 0;
  const leadsAt = (index: number): Place | null => {
    const start = startsMs[index];
    if (start === undefined || start > now) return null;
    // A month begins before the period, where that begins within it.
    return place(
      'orderListHistory',
      ordersBetween(Math.max(start, fromMs), Math.min(startsMs[index + 1] ?? untilMs, untilMs), filter),
    );
  };
  const sums = Object.fromEntries(
    summed.map((key) => [key, past.reduce((sum, point) => sum + point[key], 0)]),
  ) as unknown as Pick<SalePoint, Summed>;
  const names = items.map(({ at }) => stepText(at, step));
  return {
    heightPx,
    label: phrase('statistics.timeLabel', {
      what: series.map(({ name }) => name).join(phrase('list.comma')),
      from: period.from,
      to: period.to,
    }),
    option: columnChart({
      marks: markTexts(
        items.map(({ at }) => at),
        step,
      ),
      heads: names,
      axisName,
      series: series.map(({ of, ...look }) => ({
        ...look,
        values: items.map((point) => (isToCome(point) ? null : of(point))),
      })),
    }),
    table: {
      heads: [phrase(`statistics-step.${step}`), ...columns.map(({ head }) => head)],
      rows: past.map((point, index) => ({
        key: point.at,
        cells: [names[index] ?? '', ...columns.map(({ text }) => text(point))],
        leads: point.orders === 0 ? null : leadsAt(index),
      })),
      foot: [phrase('statistics.sum'), ...columns.map(({ text }) => text(sums))],
    },
    empty: sums.orders === 0 && sums.refundedFen === 0 ? phrase('statistics.nothing') : null,
    columnLeads: leadsAt,
  };
}

const heights = { income: 300, energy: 240, orders: 240 } as const satisfies Readonly<Record<Subject, number>>;

/** Money, energy and charges over time. */
export function TimePanels({ view, asked }: { view: StatisticsView; asked: Asked }) {
  const { query, options } = asked;
  const answer = useAnswer(getStatistics, { query: { ...query, step: view.step } }, options);
  const income = useCallback((data: Answer) => timeDrawing('income', data, view, heights.income), [view]);
  const energy = useCallback((data: Answer) => timeDrawing('energy', data, view, heights.energy), [view]);
  const orders = useCallback((data: Answer) => timeDrawing('orders', data, view, heights.orders), [view]);
  return (
    <>
      <FigurePanel
        place={1}
        isWide
        title={phrase('statistics.incomeTime')}
        note={phrase('statistics.incomeTimeNote')}
        answer={answer}
        draw={income}
        heightPx={heights.income}
      />
      <FigurePanel
        place={2}
        title={phrase('statistics.energyTime')}
        note={phrase('statistics.energyTimeNote')}
        answer={answer}
        draw={energy}
        heightPx={heights.energy}
      />
      <FigurePanel
        place={3}
        title={phrase('statistics.ordersTime')}
        note={phrase('statistics.ordersTimeNote')}
        answer={answer}
        draw={orders}
        heightPx={heights.orders}
      />
    </>
  );
}
