import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import {
  amountBands,
  type ComparedWith,
  type RankedSite,
  type SaleFigures,
  type SiteRanking,
  type StatisticsStep,
  type UsedPort,
} from '@voltdeck/contract/statistics';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { portName } from '@voltdeck/phrases/port-name';
import { instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Reach } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { atOneMoment } from '../database/transact.ts';
import type { Cell, FileColumn } from '../http/file-cells.ts';
import { say } from '../http/say.ts';
import { type SheetTable, xlsxOfTables } from '../http/xlsx.ts';
import { readPortUse } from './port-use.ts';
import type { WantedSales } from './read-sales.ts';
import { readSeries } from './sale-series.ts';
import { readSummary } from './sales-summary.ts';
import { rankSites } from './site-ranking.ts';
import { readWeekHours } from './week-hours.ts';

type Wanted = WantedSales & { step: StatisticsStep; by: SiteRanking; comparedWith: ComparedWith };

const widths = { text: 24, figure: 16 } as const;

/** All figures of a period as a workbook, a sheet for each chart of the screen. */
export async function statisticsFile(
  db: Kysely<Tables>,
  caller: Reach,
  wanted: Wanted,
  language: Language,
): Promise<Readable> {
  const { summary, series, sites, ports, week } = await atOneMoment(db, async (trx) => ({
    summary: await readSummary(trx, caller, wanted),
    series: await readSeries(trx, caller, wanted),
    sites: await rankSites(trx, caller, wanted),
    ports: await readPortUse(trx, caller, wanted),
    week: await readWeekHours(trx, caller, wanted),
  }));
  const word = (key: PhraseKey) => say(language, key);
  const yuan = word('export.yuan');

  type Kind = 'name' | 'count' | 'money' | 'energy' | 'seconds' | 'share';
  const cells: Readonly<Record<Kind, (value: never) => Cell>> = {
    name: (text: string) => ({ text }),
    count: (number: number) => ({ number }),
    money: (fen: SaleFigures['amountFen']) => ({ fen }),
    energy: (energyWh: number) => ({ number: energyWh / 1_000 }),
    seconds: (durationS: number) => ({ durationMs: durationS * 1_000 }),
    share: (shareE4: number) => ({ number: shareE4 / 100 }),
  };
  const units: Readonly<Partial<Record<Kind, string>>> = { money: yuan, energy: 'kWh', share: '%' };
  /** A column of a sheet; the value's type is that of its kind. */
  function column<Row>(key: PhraseKey, kind: Kind, of: (row: Row) => string | number): FileColumn<Row> {
    const unit = units[kind];
    return {
      head: unit === undefined ? word(key) : `${word(key)} (${unit})`,
      widthCharacters: kind === 'name' ? widths.text : widths.figure,
      cell: (row) => cells[kind](of(row) as never),
    };
  }
  const figures = <Row extends SaleFigures>(): FileColumn<Row>[] => [
    column('statistics.receivable', 'money', ({ receivableFen }) => receivableFen),
    column('statistics.received', 'money', ({ receivedFen }) => receivedFen),
    column('statistics.refunded', 'money', ({ refundedFen }) => refundedFen),
    column('statistics.electricity', 'money', ({ electricityFeeFen }) => electricityFeeFen),
    column('statistics.service', 'money', ({ serviceFeeFen }) => serviceFeeFen),
    column('statistics.energy', 'energy', ({ energyWh }) => energyWh),
    column('statistics.orders', 'count', ({ orders }) => orders),
    column('statistics.duration', 'seconds', ({ durationS }) => durationS),
  ];
  function table<Row>(name: PhraseKey, columns: readonly FileColumn<Row>[], rows: readonly Row[]): SheetTable<never> {
    const batches = (async function* () {
      yield rows;
    })();
    return { sheetName: word(name), columns, batches } as SheetTable<never>;
  }
  const momentText = (at: string) => shanghaiDateTime(parseIso(at) ?? instant(0));
  const spanText = ({ from, to }: { from: string; to: string }) => `${momentText(from)} – ${momentText(to)}`;
  const named = <Row extends { name: string }>(key: PhraseKey) => column<Row>(key, 'name', ({ name }) => name);
  const spans = [
    { name: spanText(summary.period), newCustomers: summary.newCustomers, ...summary.now },
    { name: spanText(summary.before), newCustomers: summary.pastNewCustomers, ...summary.past },
  ];
  const points = series.map((point) => ({ name: momentText(point.at).slice(0, stepLengths[wanted.step]), ...point }));
  const periods = summary.periods.map((row) => ({
    name: word(row.period === null ? 'statistics.hourly' : `period.${row.period}`),
    ...row,
  }));
  type Part = SaleFigures & { name: string };
  const parts = (name: PhraseKey, head: PhraseKey, rows: readonly Part[]) =>
    table<Part>(name, [named(head), ...figures()], rows);
  type Count = { name: string; count: number };
  const counts = (name: PhraseKey, head: PhraseKey, counted: PhraseKey, rows: readonly Count[]) =>
    table<Count>(name, [named(head), column(counted, 'count', ({ count }) => count)], rows);
  const hours = week.items.map((row) => ({ name: weekdayText(row.weekday, language), ...row }));
  const siteColumns: FileColumn<RankedSite>[] = [
    column('statistics.site', 'name', ({ siteName }) => siteName),
    column('statistics.ports', 'count', ({ ports: count }) => count),
    column('statistics.utilisation', 'share', ({ utilisationE4 }) => utilisationE4),
    ...figures<RankedSite>(),
  ];
  const portColumns: FileColumn<UsedPort>[] = [
    column('statistics.stationNumber', 'name', ({ stationNumber }) => stationNumber),
    column('statistics.port', 'name', (port) => portName((key, params) => say(language, key, params), port)),
    column('statistics.site', 'name', ({ siteName }) => siteName),
    column('statistics.utilisation', 'share', ({ utilisationE4 }) => utilisationE4),
    column('statistics.busyTime', 'seconds', ({ durationS }) => durationS),
    column('statistics.orders', 'count', ({ orders }) => orders),
    column('statistics.energy', 'energy', ({ energyWh }) => energyWh),
  ];

  return xlsxOfTables([
    table<(typeof spans)[number]>(
      'statistics.figures',
      [
        named('statistics.inPeriod'),
        ...figures(),
        column('statistics.newCustomers', 'count', ({ newCustomers }) => newCustomers),
      ],
      spans,
    ),
    table<(typeof points)[number]>(
      'statistics.overTime',
      [named(`statistics-step.${wanted.step}`), ...figures()],
      points,
    ),
    table<(typeof periods)[number]>(
      'statistics.byPeriod',
      [
        named('statistics.period'),
        column('statistics.energy', 'energy', ({ energyWh }) => energyWh),
        column('statistics.electricity', 'money', ({ electricityFeeFen }) => electricityFeeFen),
        column('statistics.service', 'money', ({ serviceFeeFen }) => serviceFeeFen),
      ],
      periods,
    ),
    parts(
      'statistics.byPayment',
      'statistics.payment',
      summary.payments.map((row) => ({ name: word(`payment-type.${row.paymentType}`), ...row })),
    ),
    parts(
      'statistics.byStart',
      'statistics.start',
      summary.startModes.map((row) => ({ name: word(`start-mode.${row.startMode}`), ...row })),
    ),
    parts(
      'statistics.byStation',
      'statistics.stationType',
      summary.stationTypes.map((row) => ({
        name: `${word(`station-type.${row.stationType}`)} · ${word(`equipment-type.${row.equipmentType}`)}`,
        ...row,
      })),
    ),
    counts(
      'statistics.bands',
      'statistics.bandHead',
      'statistics.orders',
      summary.bands.map((count, index) => {
        const [from, below] = amountBands[index] ?? [0, null];
        const name =
          below === null
            ? say(language, 'statistics.bandFrom', { from })
            : say(language, 'statistics.band', { from, below });
        return { name, count };
      }),
    ),
    counts('statistics.byCustomer', 'statistics.customers', 'statistics.orders', [
      { name: word('statistics.newOrders'), count: summary.newCustomers },
      { name: word('statistics.returningOrders'), count: summary.returningOrders },
      { name: word('statistics.otherOrders'), count: summary.otherOrders },
    ]),
    table<(typeof hours)[number]>(
      'statistics.week',
      [
        named('statistics.weekday'),
        column('statistics.hour', 'count', ({ hour }) => hour),
        column('statistics.weekdays', 'count', ({ weekday }) => week.days[weekday - 1] ?? 0),
        column('statistics.receivable', 'money', ({ receivableFen }) => receivableFen),
        column('statistics.energy', 'energy', ({ energyWh }) => energyWh),
        column('statistics.orders', 'count', ({ orders }) => orders),
      ],
      hours,
    ),
    table('statistics.bestSites', siteColumns, sites.top),
    table('statistics.lastSites', siteColumns, sites.bottom),
    counts(
      'statistics.portUse',
      'statistics.utilisation',
      'statistics.ports',
      ports.bands.map((count, index) => ({
        name:
          index === ports.bands.length - 1
            ? say(language, 'statistics.percentFrom', { from: index * 10 })
            : say(language, 'statistics.percentBand', { from: index * 10, to: (index + 1) * 10 }),
        count,
      })),
    ),
    table('statistics.mostUsed', portColumns, ports.top),
    table('statistics.leastUsed', portColumns, ports.bottom),
  ]);
}

/** How much of a time names a step: "2026-11-29 14:00", "2026-11-29" or "2026-11". */
const stepLengths: Readonly<Record<StatisticsStep, number>> = { hour: 16, day: 10, month: 7 };

/** "Monday", "星期一"; 2024 began with a Monday. */
const weekdayText = (weekday: number, language: Language) =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));
