import * as z from 'zod/mini';
import {
  dayField,
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  nothing,
  priceField,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** The most energy of one bill: 100 GWh. */
const energyWhMax = 100_000_000_000;
/** The highest loss that is not marked, in percent. */
export const lossPercentMax = 15;
/** Ratio of the meter's transformers. */
const multiplierMax = 1_000_000;

/** The most days of the months whose margins are added up. */
export const marginDaysMax = 740;

export const lossMarks = ['below_zero', 'high'] as const;
export type LossMark = (typeof lossMarks)[number];

const energyUpTo = energyField.check(z.gte(0 as never), z.lte(energyWhMax as never));

const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

const entered = {
  siteId: idField<'site'>(),
  /** The number of the meter's contract with the grid. */
  accountNumber: textField(32),
  /** The first and the last day, both billed. */
  fromOn: dayField,
  toOn: dayField,
  sharpWh: maybe(energyUpTo),
  peakWh: maybe(energyUpTo),
  flatWh: maybe(energyUpTo),
  valleyWh: maybe(energyUpTo),
  sharpPriceE5: maybe(priceField),
  peakPriceE5: maybe(priceField),
  flatPriceE5: maybe(priceField),
  valleyPriceE5: maybe(priceField),
  /** Of all periods together. */
  energyWh: energyField.check(z.gte(1 as never), z.lte(energyWhMax as never)),
  /** What the meter read at both ends, before its multiplier. */
  registerFromWh: maybe(energyUpTo),
  registerToWh: maybe(energyUpTo),
  multiplier: z._default(z.int().check(z.gte(1), z.lte(multiplierMax)), 1),
  /** The whole bill, with what the grid charges beside energy. */
  amountFen: fenField.check(z.gte(0 as never), z.lte(100_000_000_00 as never)),
  remark: z._default(linesField(200, 0), ''),
  fileId: maybe(idField<'file'>()),
};

export const gridBillForm = z.object(entered);
export type GridBillForm = z.output<typeof gridBillForm>;

export const gridBill = z.object({
  id: idField<'grid_bill'>(),
  version: z.int(),
  siteId: idField<'site'>(),
  siteName: z.string(),
  accountNumber: z.string(),
  fromOn: dayField,
  toOn: dayField,
  sharpWh: z.nullable(energyField),
  peakWh: z.nullable(energyField),
  flatWh: z.nullable(energyField),
  valleyWh: z.nullable(energyField),
  sharpPriceE5: z.nullable(priceField),
  peakPriceE5: z.nullable(priceField),
  flatPriceE5: z.nullable(priceField),
  valleyPriceE5: z.nullable(priceField),
  energyWh: energyField,
  registerFromWh: z.nullable(energyField),
  registerToWh: z.nullable(energyField),
  multiplier: z.int(),
  /** What the registers say that went through the meter; null without them. */
  registerWh: z.nullable(energyField),
  amountFen: fenField,
  /** What energy by its prices comes to; null where a price or energy is missing. The rest is what the grid charges beside. */
  energyFeeFen: z.nullable(fenField),
  /**
   * What charges that ended on these days were billed, and what the registers of their ports counted; for agents, those of
   * the stations that they see, although the meter is the whole site's.
   */
  billedWh: energyField,
  meteredWh: energyField,
  /** Of the grid's energy, what no port counted; null while another meter of the site is not billed for these days, and for agents where others charge there too. */
  lossPercent: z.nullable(z.number()),
  lossMark: z.nullable(z.enum(lossMarks)),
  remark: z.string(),
  fileId: z.nullable(idField<'file'>()),
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  lockedAt: z.nullable(instantField),
  lockedByName: z.nullable(z.string()),
  /** What the platform locked, only its people unlock. */
  mayUnlock: z.boolean(),
  changedByName: z.nullable(z.string()),
  changedAt: instantField,
});
export type GridBill = z.output<typeof gridBill>;

export const listGridBills = listRoute({
  name: 'listGridBills',
  path: '/grid-bills',
  summary: 'What the grid billed for the meters of sites',
  permission: 'finance.read',
  sorts: ['fromOn', 'changedAt'],
  first: '-fromOn',
  filters: {
    siteId: filter.id('site'),
    accountNumber: filter.text(32),
    locked: filter.flag(),
    /** Bills with a day in this period. */
    from: filter.instant(),
    to: filter.instant(),
  },
  item: gridBill,
  columns: columnsOf<GridBill>()({
    siteName: { kind: 'text', title: 'finance.site' },
    accountNumber: { kind: 'number', title: 'gridBills.accountNumber' },
    fromOn: { kind: 'day', title: 'gridBills.fromOn' },
    toOn: { kind: 'day', title: 'gridBills.toOn' },
    energyWh: { kind: 'energyWh', title: 'gridBills.energy', summed: true },
    amountFen: { kind: 'money', title: 'gridBills.amount', summed: true },
    billedWh: { kind: 'energyWh', title: 'gridBills.billed', hint: 'gridBills.billedHint' },
    meteredWh: { kind: 'energyWh', title: 'gridBills.metered', hint: 'gridBills.meteredHint' },
    lossPercent: { kind: 'percent', title: 'gridBills.loss', hint: 'gridBills.lossHint' },
    lossMark: { kind: 'choice', title: 'gridBills.lossMark', words: 'loss-mark' },
    sharpWh: { kind: 'energyWh', title: 'gridBills.sharp', group: 'gridBills.energyByPeriod' },
    peakWh: { kind: 'energyWh', title: 'gridBills.peak', group: 'gridBills.energyByPeriod' },
    flatWh: { kind: 'energyWh', title: 'gridBills.flat', group: 'gridBills.energyByPeriod' },
    valleyWh: { kind: 'energyWh', title: 'gridBills.valley', group: 'gridBills.energyByPeriod' },
    energyFeeFen: { kind: 'money', title: 'gridBills.energyFee', hint: 'gridBills.energyFeeHint' },
    registerFromWh: { kind: 'energyWh', title: 'gridBills.registerFrom' },
    registerToWh: { kind: 'energyWh', title: 'gridBills.registerTo' },
    multiplier: { kind: 'count', title: 'gridBills.multiplier' },
    registerWh: { kind: 'energyWh', title: 'gridBills.register', hint: 'gridBills.registerHint' },
    lockedAt: { kind: 'instant', title: 'gridBills.lockedAt' },
    lockedByName: { kind: 'text', title: 'gridBills.lockedBy' },
    fileName: { kind: 'text', title: 'gridBills.file' },
    remark: { kind: 'text', title: 'gridBills.remark' },
    changedByName: { kind: 'text', title: 'gridBills.changedBy' },
    changedAt: { kind: 'instant', title: 'gridBills.changedAt' },
  }),
});

const ofBill = z.object({ id: idParameter<'grid_bill'>() });

export const getGridBill = route({
  method: 'GET',
  path: '/grid-bills/{id}',
  summary: 'One bill of the grid',
  permission: 'finance.read',
  params: ofBill,
  answer: gridBill,
  errors: [],
});

export const createGridBill = route({
  method: 'POST',
  path: '/grid-bills',
  summary: 'Enter a bill of the grid',
  permission: 'finance.grid_bill',
  body: gridBillForm,
  answer: gridBill,
  errors: [],
});

export const changeGridBill = route({
  method: 'PUT',
  path: '/grid-bills/{id}',
  summary: 'Change a bill of the grid that is not locked',
  permission: 'finance.grid_bill',
  params: ofBill,
  body: z.object({ ...entered, version: z.int() }),
  answer: gridBill,
  errors: ['grid_bill.locked', 'record.changed'],
});

export const deleteGridBill = route({
  method: 'DELETE',
  path: '/grid-bills/{id}',
  summary: 'Delete a bill of the grid that is not locked',
  permission: 'finance.grid_bill',
  params: ofBill,
  answer: nothing,
  errors: ['grid_bill.locked'],
});

export const lockGridBill = route({
  method: 'POST',
  path: '/grid-bills/{id}/locks',
  summary: 'Lock a bill of the grid, so that nobody changes it any more, or unlock it with a reason',
  permission: 'finance.grid_bill_lock',
  params: ofBill,
  body: z.object({
    locked: z.boolean(),
    /** Required to unlock. */
    reason: z.optional(linesField(200, 0)),
  }),
  answer: gridBill,
  errors: ['grid_bill.unlock_reason_required', 'grid_bill.locked_by_platform'],
});

/** What a site earned in a month against what its energy cost. */
export const margin = z.object({
  id: z.string(),
  /** The first of the month. */
  month: dayField,
  siteId: idField<'site'>(),
  siteName: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** What payers paid less what went back. */
  receivedFen: fenField,
  /** What of it went to agents and dividers and for channels; for agents, to everybody but them. */
  sharesFen: fenField,
  /** Of the bills that the reader bears, by days where they reach into other months; null where days are not billed. */
  costFen: z.nullable(fenField),
  marginFen: z.nullable(fenField),
  /** In 1e-5 yuan per billed kWh. */
  marginPerKwhE5: z.nullable(z.int()),
  gridWh: z.nullable(energyField),
  /** For agents, of the stations that they see. */
  billedWh: energyField,
  meteredWh: energyField,
  lossPercent: z.nullable(z.number()),
  lossMark: z.nullable(z.enum(lossMarks)),
  /** Days without a bill, each meter by itself; the account is null where the site has no bill at all. */
  missing: z.array(z.object({ accountNumber: z.nullable(z.string()), fromOn: dayField, toOn: dayField })),
});
export type Margin = z.output<typeof margin>;

/** "2026-11-01 – 2026-11-30 · 3301002 / …": marks that both languages read. */
function missingText({ missing }: Margin): string | null {
  if (missing.length === 0) return null;
  return missing
    .map(
      ({ accountNumber, fromOn, toOn }) =>
        `${fromOn === toOn ? fromOn : `${fromOn} – ${toOn}`}${accountNumber === null ? '' : ` · ${accountNumber}`}`,
    )
    .join(' / ');
}

export const listMargins = listRoute({
  name: 'listMargins',
  path: '/margins',
  summary: 'What sites earned month by month against what their energy cost, and what was lost on the way',
  permission: 'finance.read',
  sorts: ['month'],
  first: '-month',
  filters: {
    siteId: filter.id('site'),
    agentId: filter.id('agent'),
    /** Months with a day in this period; without it, this month and the eleven before. */
    from: filter.instant(),
    to: filter.instant(),
  },
  item: margin,
  readsMuch: 'always',
  columns: columnsOf<Margin>()({
    month: { kind: 'text', title: 'margins.month', of: ({ month }) => month.slice(0, 7) },
    siteName: { kind: 'text', title: 'finance.site' },
    agentName: { kind: 'text', title: 'finance.agent', absent: 'finance.ownSites' },
    receivedFen: { kind: 'money', title: 'margins.received', hint: 'margins.receivedHint' },
    sharesFen: { kind: 'money', title: 'margins.shares', hint: 'margins.sharesHint' },
    costFen: { kind: 'money', title: 'margins.cost', hint: 'margins.costHint' },
    marginFen: { kind: 'money', title: 'margins.margin', hint: 'margins.marginHint' },
    marginPerKwh: {
      kind: 'text',
      title: 'margins.perKwh',
      hint: 'margins.perKwhHint',
      of: ({ marginPerKwhE5 }) => (marginPerKwhE5 === null ? null : (marginPerKwhE5 / 100_000).toFixed(4)),
    },
    missing: { kind: 'text', title: 'margins.missing', hint: 'margins.missingHint', of: missingText },
    gridWh: { kind: 'energyWh', title: 'margins.grid', hint: 'margins.gridHint' },
    billedWh: { kind: 'energyWh', title: 'gridBills.billed', hint: 'gridBills.billedHint' },
    meteredWh: { kind: 'energyWh', title: 'gridBills.metered', hint: 'gridBills.meteredHint' },
    lossPercent: { kind: 'percent', title: 'gridBills.loss', hint: 'gridBills.lossHint' },
    lossMark: { kind: 'choice', title: 'gridBills.lossMark', words: 'loss-mark' },
  }),
});
