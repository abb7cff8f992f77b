import type { AnswerOf } from '@voltdeck/contract/route';
import { amountBands, type getSalesSummary, type StatisticsMeasure } from '@voltdeck/contract/statistics';
import { useCallback } from 'react';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { countText, energyText, shareText, yuanText } from '../ui/figures.ts';
import { type Bar, barChart, barChartHeightPx } from './bar-chart.ts';
import { columnChart } from './column-chart.ts';
import { type Drawing, FigurePanel } from './FigurePanel.tsx';
import { measuredValue, measureName, measureText } from './measure-words.ts';
import { ordersOf } from './orders-behind.ts';
import type { SummaryAnswer } from './SummaryCards.tsx';
import type { StatisticsView } from './statistics-view.ts';

type Summary = AnswerOf<typeof getSalesSummary>;
type Figures = Summary['payments'][number] extends infer Row ? Omit<Row, 'paymentType'> : never;

/** One part of a split: its name, its figures and what its orders have in common. */
type Part = { key: string; name: string; figures: Figures; leads: Place | null };

/** Fewer bars leave room below, so that panels of one row are alike. */
const barsMin = 5;
const barsHeightPx = barChartHeightPx(barsMin);

function splitDrawing(parts: readonly Part[], head: string, measure: StatisticsMeasure): Drawing {
  const whole = parts.reduce((sum, { figures }) => sum + measuredValue(figures, measure), 0);
  const sumOf = (key: keyof Figures) => parts.reduce((sum, { figures }) => sum + figures[key], 0);
  const bars = parts.map(({ name, figures }): Bar => {
    const value = measuredValue(figures, measure);
    return { name, value, text: `${measureText(value, measure)} · ${shareText(value, whole)}` };
  });
  return {
    heightPx: barChartHeightPx(Math.max(bars.length, barsMin)),
    label: phrase('statistics.splitLabel', {
      what: measureName(measure),
      parts: bars.map(({ name }) => name).join(phrase('list.comma')),
    }),
    option: barChart(bars, measureName(measure)),
    table: {
      heads: [
        head,
        `${phrase('statistics.receivable')} (¥)`,
        `${phrase('statistics.received')} (¥)`,
        `${phrase('statistics.energy')} (kWh)`,
        phrase('statistics.orders'),
        phrase('statistics.shareOf', { what: measureName(measure) }),
      ],
      rows: parts.map(({ key, name, figures, leads }) => ({
        key,
        cells: [
          name,
          yuanText(figures.receivableFen),
          yuanText(figures.receivedFen),
          energyText(figures.energyWh),
          countText(figures.orders),
          shareText(measuredValue(figures, measure), whole),
        ],
        leads,
      })),
      foot: [
        phrase('statistics.sum'),
        yuanText(sumOf('receivableFen')),
        yuanText(sumOf('receivedFen')),
        energyText(sumOf('energyWh')),
        countText(sumOf('orders')),
        '',
      ],
    },
    empty: parts.length === 0 ? phrase('statistics.nothing') : null,
    itemLeads: (index) => parts[index]?.leads ?? null,
  };
}

/** Money of price periods is their fees: coupons are taken off a whole bill. An order has several, so none are counted. */
function periodDrawing({ periods }: Summary, measure: StatisticsMeasure): Drawing {
  const isMoney = measure === 'receivable';
  const rows = periods.map((row) => ({
    ...row,
    name: row.period === null ? phrase('statistics.hourly') : phrase(`period.${row.period}`),
    value: isMoney ? row.electricityFeeFen + row.serviceFeeFen : row.energyWh,
  }));
  const shown = rows.filter(({ period, value }) => period !== null || value !== 0);
  const whole = shown.reduce((sum, { value }) => sum + value, 0);
  const what = phrase(isMoney ? 'statistics.fees' : 'statistics.energy');
  const text = (value: number) => measureText(value, isMoney ? 'receivable' : 'energy');
  const sumOf = (key: 'energyWh' | 'electricityFeeFen' | 'serviceFeeFen') =>
    shown.reduce((sum, row) => sum + row[key], 0);
  return {
    heightPx: barsHeightPx,
    label: phrase('statistics.splitLabel', { what, parts: shown.map(({ name }) => name).join(phrase('list.comma')) }),
    option: barChart(
      shown.map(({ name, value, period }) => ({
        name,
        value,
        text: `${text(value)} · ${shareText(value, whole)}`,
        colour: period ?? 'offline',
      })),
      what,
    ),
    table: {
      heads: [
        phrase('statistics.period'),
        `${phrase('statistics.energy')} (kWh)`,
        `${phrase('statistics.electricity')} (¥)`,
        `${phrase('statistics.service')} (¥)`,
        phrase('statistics.shareOf', { what }),
      ],
      rows: shown.map(({ period, name, energyWh, electricityFeeFen, serviceFeeFen, value }) => ({
        key: period ?? 'hourly',
        cells: [
          name,
          energyText(energyWh),
          yuanText(electricityFeeFen),
          yuanText(serviceFeeFen),
          shareText(value, whole),
        ],
      })),
      foot: [
        phrase('statistics.sum'),
        energyText(sumOf('energyWh')),
        yuanText(sumOf('electricityFeeFen')),
        yuanText(sumOf('serviceFeeFen')),
        '',
      ],
    },
    empty: shown.every(({ value }) => value === 0) ? phrase('statistics.nothing') : null,
  };
}

const bandText = ([from, below]: readonly [number, number | null]) =>
  below === null ? phrase('statistics.bandFrom', { from }) : phrase('statistics.band', { from, below });

function bandDrawing({ bands, now }: Summary): Drawing {
  const names = amountBands.map(bandText);
  const orders = phrase('statistics.orders');
  return {
    heightPx: barsHeightPx,
    label: phrase('statistics.splitLabel', { what: orders, parts: names.join(phrase('list.comma')) }),
    option: columnChart({
      marks: names,
      heads: names,
      axisName: orders,
      series: [{ name: orders, kind: 'column', colour: 'charging', values: bands, text: countText }],
    }),
    table: {
      heads: [phrase('statistics.bandHead'), orders, phrase('statistics.shareOf', { what: orders })],
      rows: bands.map((count, index) => ({
        key: String(index),
        cells: [names[index] ?? '', countText(count), shareText(count, now.orders)],
      })),
      foot: [phrase('statistics.sum'), countText(bands.reduce((sum, count) => sum + count, 0)), ''],
    },
    empty: now.orders === 0 ? phrase('statistics.nothing') : null,
  };
}

function customerDrawing({ newCustomers, returningOrders, otherOrders, now }: Summary): Drawing {
  const rows = [
    ['statistics.newOrders', newCustomers],
    ['statistics.returningOrders', returningOrders],
    ['statistics.otherOrders', otherOrders],
  ] as const;
  const orders = phrase('statistics.orders');
  const names = rows.map(([name]) => phrase(name));
  return {
    heightPx: barsHeightPx,
    label: phrase('statistics.splitLabel', { what: orders, parts: names.join(phrase('list.comma')) }),
    option: barChart(
      rows.map(([name, count]) => ({
        name: phrase(name),
        value: count,
        text: `${countText(count)} · ${shareText(count, now.orders)}`,
      })),
      orders,
    ),
    table: {
      heads: [phrase('statistics.customers'), orders, phrase('statistics.shareOf', { what: orders })],
      rows: rows.map(([name, count]) => ({
        key: name,
        cells: [phrase(name), countText(count), shareText(count, now.orders)],
      })),
      foot: [phrase('statistics.sum'), countText(now.orders), ''],
    },
    empty: now.orders === 0 ? phrase('statistics.nothing') : null,
  };
}

/** How what charges brought splits. */
export function SplitPanels({ view, answer }: { view: StatisticsView; answer: SummaryAnswer }) {
  const { measure, period, filter } = view;
  const byPeriod = useCallback((data: Summary) => periodDrawing(data, measure), [measure]);
  const byPayment = useCallback(
    ({ payments }: Summary) =>
      splitDrawing(
        payments.map(({ paymentType, ...figures }) => ({
          key: paymentType,
          name: phrase(`payment-type.${paymentType}`),
          figures,
          leads: place('orderListHistory', ordersOf(period, { ...filter, paymentType: [paymentType] })),
        })),
        phrase('statistics.payment'),
        measure,
      ),
    [measure, period, filter],
  );
  const byStart = useCallback(
    (data: Summary) =>
      splitDrawing(
        data.startModes.map(({ startMode, ...figures }) => ({
          key: startMode,
          name: phrase(`start-mode.${startMode}`),
          figures,
          leads: place('orderListHistory', ordersOf(period, { ...filter, startMode: [startMode] })),
        })),
        phrase('statistics.start'),
        measure,
      ),
    [measure, period, filter],
  );
  const byStation = useCallback(
    ({ stationTypes }: Summary) =>
      splitDrawing(
        stationTypes.map(({ stationType, equipmentType, ...figures }) => ({
          key: `${stationType} ${equipmentType}`,
          name: `${phrase(`station-type.${stationType}`)} · ${phrase(`equipment-type.${equipmentType}`)}`,
          figures,
          leads: place('orderListHistory', ordersOf(period, { ...filter, stationType: [stationType], equipmentType })),
        })),
        phrase('statistics.stationType'),
        measure,
      ),
    [measure, period, filter],
  );
  const common = { answer, heightPx: barsHeightPx };
  return (
    <>
      <FigurePanel
        {...common}
        place={4}
        title={phrase('statistics.byPeriod')}
        note={phrase('statistics.byPeriodNote')}
        draw={byPeriod}
      />
      <FigurePanel
        {...common}
        place={5}
        title={phrase('statistics.byPayment')}
        note={phrase('statistics.byPaymentNote')}
        draw={byPayment}
      />
      <FigurePanel
        {...common}
        place={6}
        title={phrase('statistics.byStart')}
        note={phrase('statistics.byStartNote')}
        draw={byStart}
      />
      <FigurePanel
        {...common}
        place={7}
        title={phrase('statistics.byStation')}
        note={phrase('statistics.byStationNote')}
        draw={byStation}
      />
      <FigurePanel
        {...common}
        place={8}
        title={phrase('statistics.bands')}
        note={phrase('statistics.bandsNote')}
        draw={bandDrawing}
      />
      <FigurePanel
        {...common}
        place={9}
        title={phrase('statistics.byCustomer')}
        note={phrase('statistics.byCustomerNote')}
        draw={customerDrawing}
      />
    </>
  );
}
