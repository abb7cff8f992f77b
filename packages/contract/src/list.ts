import type { Fen } from '@voltdeck/units/money';
import * as z from 'zod/mini';
import { listAnswer, listFields } from './fields.ts';
import type { Permission, RoutePermission } from './permissions.ts';
import { type Route, route } from './route.ts';

/** Every list by the name of its route. Its name on screen is the phrase `task-list.<name>`. */
export const listNames = [
  'listStations',
  'listConnectors',
  'listUnknownStations',
  'listStationIdentities',
  'listSites',
  'listOrders',
  'listAbnormalOrders',
  'listOrderRefunds',
  'listInteractionLogs',
  'listAuditEntries',
  'listSignIns',
  'listUsers',
  'listPositions',
  'listAgents',
  'listGroups',
  'listGroupMembers',
  'listDividers',
  'listDividerTerms',
  'listDividerShares',
  'listShareTerms',
  'listTariffs',
  'listStationTariffs',
  'listCustomers',
  'listCards',
  'listCardUses',
  'listWithdrawals',
  'listAgentWithdrawals',
  'listInvoices',
  'listSettlementPeriods',
  'listSettledShares',
  'listVehicles',
  'listStartAttempts',
  'listReadings',
  'listChargeNotes',
  'listRecharges',
  'listTransfers',
  'listGifts',
  'listChannelBillLines',
  'listChannelPayments',
  'listMovements',
  'listReconciliationDays',
  'listReconciliationDifferences',
  'listDebts',
  'listPromotions',
  'listCoupons',
  'listLedgerTransfers',
  'listLedgerAccounts',
  'listProofRuns',
  'listTotals',
  'listReports',
  'listStatements',
  'listStatementMoves',
  'listHoldingAccounts',
  'listGridBills',
  'listMargins',
  'listCredits',
  'listCreditMovements',
  'listFeedbacks',
  'listAdverts',
  'listArticles',
  'listFiles',
  'listApprovals',
  'listConfigs',
  'listTasks',
  'listRehearsalFigures',
  'listPriceChanges',
  'listPriceChangeStations',
  'listTaskRows',
  'listPartners',
  'listPartnerMovements',
  'listPartnerPayments',
  'listPartnerDeliveries',
  'listPartnerExchanges',
  'listRoamingCharges',
  'listPartnerCharges',
  'listPartnerDays',
  'listPartnerPulls',
  'listPulledSites',
  'listPulledStations',
  'listPulledPorts',
  'listExposedSites',
  'listExposedStations',
  'listExposedPorts',
] as const;
export type ListName = (typeof listNames)[number];

type Schema = z.ZodMiniType;
type Shape = Readonly<Record<string, Schema>>;

/** The value type of each kind of column. An absent value shows an empty cell. */
type ValueOf = {
  text: string | null;
  /** A record's name or number: monospaced, copied with a click. */
  number: string | null;
  /** One value of a closed list. */
  choice: string | null;
  flag: boolean | null;
  /** Several values of a closed list. */
  choices: readonly string[] | null;
  count: number | null;
  money: Fen | null;
  energyWh: number | null;
  powerW: number | null;
  powerKw: number | null;
  voltageV: number | null;
  voltageMv: number | null;
  currentA: number | null;
  currentMa: number | null;
  temperatureC: number | null;
  percent: number | null;
  durationMs: number | null;
  bytes: number | null;
  instant: string | null;
  /** To the millisecond. */
  exactInstant: string | null;
  /** A calendar day, "2027-12-31". */
  day: string | null;
};
export type ColumnKind = keyof ValueOf;

/**
 * Where a value's words come from: `<prefix>.<value>` for choices, a pair of keys for flags (yes and no by default).
 */
type WordsOf = {
  choice: { words: string };
  choices: { words: string };
  flag: { words?: readonly [yes: string, no: string] };
};

type Spec<Row, Key, Kind extends ColumnKind> = {
  kind: Kind;
  /** Phrase key of the column head. */
  title: string;
  /** Phrase key of the explanation. */
  hint?: string;
  /** Phrase key of the head above neighbouring columns of one group. */
  group?: string;
  /** The list's totals sum this column over everything that the filters match. */
  summed?: true;
  /** Phrase key shown for an absent value. */
  absent?: string;
} & (Kind extends keyof WordsOf ? WordsOf[Kind] : object) &
  (Key extends keyof Row
    ? Row[Key] extends ValueOf[Kind]
      ? { of?: (row: Row) => ValueOf[Kind] }
      : { of: (row: Row) => ValueOf[Kind] }
    : { of: (row: Row) => ValueOf[Kind] });

type AnySpec<Row, Key> = { [Kind in ColumnKind]: Spec<Row, Key, Kind> }[ColumnKind];

/** A column as the code that shows or exports it sees it. */
export type Column<Row = never> = {
  kind: ColumnKind;
  title: string;
  hint?: string;
  group?: string;
  summed?: true;
  absent?: string;
  words?: string | readonly [string, string];
  of?: (row: Row) => ValueOf[ColumnKind];
};
export type Columns<Row = never> = Readonly<Record<string, Column<Row>>>;

/**
 * The columns of a list as data, in order: the console shows them and the server exports them under the same heads. A
 * column named like a field of the row shows that field.
 */
export function columnsOf<Row>() {
  return <const Specs extends { readonly [Key in keyof Specs]: AnySpec<Row, Key> }>(specs: Specs): Specs => specs;
}

/** The value that a column shows for a row. */
export function valueIn<Row>(column: Column<Row>, key: string, row: Row): unknown {
  return column.of === undefined ? (row as Readonly<Record<string, unknown>>)[key] : column.of(row);
}

/** A route that answers a page of records, with the totals and the export of the same records. */
export type ListRoute<Query extends Schema = Schema, Answer extends Schema = Schema, ListColumns = Columns> = Route<
  z.ZodMiniUndefined,
  Query,
  z.ZodMiniUndefined,
  Answer
> & {
  name: ListName;
  columns: ListColumns;
  /** Permission for the export, where reading is not enough. */
  exportPermission: ExportPermission | null;
  /** The sort names. */
  sorts: readonly string[];
  /** The default order. */
  first: string;
  /** Totals count at most this many rows, unless the list has kept sums for the filter. */
  countedMax: number;
  /** Whether a page carries the sums. */
  sumsInPage: boolean;
  /** GET …/totals: the count of matching rows and the sums of the summed columns; null where nothing is counted. */
  totals: ReturnType<typeof totalsOf> | null;
  /** GET …/export: everything that the filters match, as a file. */
  file: ReturnType<typeof fileOf>;
};

export type ExportPermission = Extract<Permission, `${string}.export`>;

/**
 * A list of records: its rows, filters, sorts and columns. The server answers its pages, totals and export through one
 * binding.
 */
export function listRoute<
  const Sorts extends readonly [string, ...string[]],
  Filters extends Shape,
  Item extends Schema,
  const ListColumns extends Columns,
>(definition: {
  name: ListName;
  path: string;
  summary: string;
  permission: RoutePermission;
  sorts: Sorts;
  /** The default order. */
  first: Sorts[number] | `-${Sorts[number]}`;
  filters: Filters;
  item: Item;
  columns: ListColumns;
  /** Set where exporting needs more than reading. */
  exportPermission?: ExportPermission;
  readsMuch?: Route['readsMuch'];
  /** Set where indexes alone answer the sums of more rows. */
  countedMax?: number;
  /** The page also carries the sums of everything that the filters match. */
  sumsInPage?: true;
}) {
  const { name, path, summary, permission, sorts, first, filters, item, columns, readsMuch } = definition;
  const { exportPermission = null } = definition;
  const fields = listFields(sorts);
  return {
    ...route({
      method: 'GET',
      path,
      summary,
      permission,
      query: z.object({ ...fields, ...filters }),
      answer: listAnswer(item),
      errors: ['list.too_deep'],
      ...(readsMuch === undefined ? {} : { readsMuch }),
    }),
    name,
    columns,
    exportPermission,
    sorts: sorts as readonly Sorts[number][],
    first,
    countedMax: definition.countedMax ?? countedMax,
    sumsInPage: definition.sumsInPage ?? false,
    totals: totalsOf(path, summary, permission, filters),
    file: fileOf(path, summary, exportPermission ?? permission, { ...filters, sort: fields.sort }),
  };
}

/** Query fields that select a part of the list rather than filter it. */
export const partFields = ['page', 'pageSize', 'sort', 'total', 'before'] as const;

export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The export of everything that a list's filters match. */
export function fileOf(path: string, summary: string, permission: RoutePermission, query: Shape) {
  return route({
    method: 'GET',
    path: `${path}/export`,
    summary: `${summary}: everything that the filters match, as a file`,
    permission,
    readsMuch: 'always',
    query: z.object({ ...query, format: z._default(z.enum(exportFormats), 'xlsx') }),
    answer: z.unknown(),
    answerKind: 'file',
    errors: ['export.too_many_rows'],
  });
}

/** Totals count at most this many rows of a list, unless its route says more. */
export const countedMax = 200_000;

/** The count of rows that a list's filters match, and the sums of its summed columns. */
export function totalsOf(path: string, summary: string, permission: RoutePermission, filters: Shape) {
  return route({
    method: 'GET',
    path: `${path}/totals`,
    summary: `${summary}: count and sums of what the filters match`,
    permission,
    readsMuch: 'always',
    query: z.object(filters),
    answer: z.object({
      /** Exact up to the route's `countedMax`, and above it where the list has kept sums for the filter. */
      total: z.int(),
      totalIsAtLeast: z.optional(z.boolean()),
      /** By column key; null where there are more rows than are counted and no kept sums for the filter. */
      sums: z.nullable(z.record(z.string(), z.int())),
    }),
    errors: [],
  });
}

export type SummedIn<ListColumns> = {
  [Key in keyof ListColumns]: ListColumns[Key] extends { summed: true } ? Key : never;
}[keyof ListColumns] &
  string;

export function summedColumns(columns: Columns): string[] {
  return Object.entries(columns).flatMap(([key, column]) => (column.summed === true ? [key] : []));
}
