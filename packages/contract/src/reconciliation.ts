import * as z from 'zod/mini';
import { dayField, energyField, fenField, filter, idField, idParameter, instantField, linesField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { type PaymentChannelName, paymentChannels } from './payment-channels.ts';
import { route } from './route.ts';

/** What our records of a day are compared with: the bills of channels, the meters of orders, and the books. */
export const counterparts = [...paymentChannels, 'meters', 'ledger'] as const;
export type Counterpart = (typeof counterparts)[number];
export const isBilling = (counterpart: Counterpart): counterpart is PaymentChannelName =>
  counterpart !== 'meters' && counterpart !== 'ledger';

/** `waiting`: the channel's bill is not there yet. */
export const reconciliationStates = ['waiting', 'agrees', 'differs'] as const;
export type ReconciliationState = (typeof reconciliationStates)[number];

/**
 * What differs. `ours_only`: the other side lacks it; `doubled`: the bill has a number again; `late`: it is in the bill
 * of another day, which needs nobody.
 */
export const differenceKinds = ['ours_only', 'theirs_only', 'amount_differs', 'doubled', 'late'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** What it is about; `readings` are those that no bill charged for. */
export const differenceSubjects = ['payment', 'refund', 'payout', 'other', 'order', 'readings'] as const;
export type DifferenceSubject = (typeof differenceSubjects)[number];

/** What is proposed, each in plain words of its own. */
export const repairs = [
  /** We know the number, and the channel can be asked about it. */
  'ask_channel',
  /** The channel names what we never asked for. */
  'find_out',
  'ask_about_bill',
  /** Somebody paid one code twice. */
  'return_doubled',
  'compare_amounts',
  'settle_order',
  'check_energy',
  'check_readings',
  'check_books',
  'none',
] as const;
export type Repair = (typeof repairs)[number];

/** `settled`: it ended by itself, because both sides agree by now. */
export const differenceStates = ['open', 'taken', 'done', 'settled'] as const;
export type DifferenceState = (typeof differenceStates)[number];
export const isDifferenceOpen = (state: DifferenceState): boolean => state === 'open' || state === 'taken';

export const differenceOutcomes = ['repaired', 'explained', 'written_off'] as const;
export type DifferenceOutcome = (typeof differenceOutcomes)[number];

/**
 * Bills of channels are looked for on so many days after theirs: a holiday week without a server, and a day on which a
 * channel was late. Then a person may state that one does not come.
 */
export const billAwaitedDays = 10;

/** One comparison of a day with the figures of both sides. */
const reconciliation = z.object({
  counterpart: z.enum(counterparts),
  state: z.enum(reconciliationStates),
  ranAt: instantField,
  ourCount: z.int(),
  ourFen: fenField,
  ourWh: energyField,
  theirCount: z.int(),
  theirFen: fenField,
  theirWh: energyField,
  /** What the channel kept, as its bill says. */
  feeFen: fenField,
  matchedCount: z.int(),
  /** Differences that nobody has dealt with. */
  openCount: z.int(),
});
export type Reconciliation = z.output<typeof reconciliation>;

/** A day's state as a whole; `open` while nothing was compared. */
export const dayStates = ['open', 'waiting', 'differs', 'agrees', 'sealed'] as const;
export type DayState = (typeof dayStates)[number];

export const reconciliationDay = z.object({
  id: idField<'reconciliation_day'>(),
  day: dayField,
  state: z.enum(dayStates),
  parts: z.array(reconciliation),
  openCount: z.int(),
  sealedAt: z.nullable(instantField),
  sealedByName: z.nullable(z.string()),
  /** SHA-256 in hexadecimal digits. */
  sealedHash: z.nullable(z.string()),
  /** Whether bills of channels are no longer looked for, so that it can be sealed without them. */
  isBillGivenUp: z.boolean(),
  /** Why it was sealed although a bill never came. */
  missingBillReason: z.nullable(z.string()),
});
export type ReconciliationDay = z.output<typeof reconciliationDay>;

const stateOf = (counterpart: Counterpart) => (day: ReconciliationDay) =>
  day.parts.find((part) => part.counterpart === counterpart)?.state ?? null;

export const listReconciliationDays = listRoute({
  name: 'listReconciliationDays',
  path: '/reconciliation/days',
  summary: 'Days with the state of each comparison and their seal',
  permission: 'reconciliation.read',
  sorts: ['day'],
  first: '-day',
  filters: { sealed: filter.flag(), from: filter.instant(), to: filter.instant() },
  item: reconciliationDay,
  columns: columnsOf<ReconciliationDay>()({
    // It names its row.
    day: { kind: 'number', title: 'reconciliation.day' },
    state: { kind: 'choice', title: 'reconciliation.state', words: 'reconciliation-day' },
    openCount: { kind: 'count', title: 'reconciliation.openCount', hint: 'reconciliation.openCountHint' },
    wechat: {
      kind: 'choice',
      title: 'counterpart.wechat',
      words: 'reconciliation-state',
      of: stateOf('wechat'),
    },
    alipay: {
      kind: 'choice',
      title: 'counterpart.alipay',
      words: 'reconciliation-state',
      of: stateOf('alipay'),
    },
    embedded: {
      kind: 'choice',
      title: 'counterpart.embedded',
      words: 'reconciliation-state',
      of: stateOf('embedded'),
    },
    meters: {
      kind: 'choice',
      title: 'counterpart.meters',
      words: 'reconciliation-state',
      hint: 'reconciliation.metersHint',
      of: stateOf('meters'),
    },
    ledger: {
      kind: 'choice',
      title: 'counterpart.ledger',
      words: 'reconciliation-state',
      hint: 'reconciliation.ledgerHint',
      of: stateOf('ledger'),
    },
    sealedByName: { kind: 'text', title: 'reconciliation.sealedBy' },
    sealedAt: { kind: 'instant', title: 'reconciliation.sealedAt' },
  }),
});

const ofDay = z.object({ day: dayField });

export const getReconciliationDay = route({
  method: 'GET',
  path: '/reconciliation/days/{day}',
  summary: 'One day with the figures of both sides of each comparison',
  permission: 'reconciliation.read',
  params: ofDay,
  answer: reconciliationDay,
  errors: [],
});

export const runReconciliation = route({
  method: 'POST',
  path: '/reconciliation/days/{day}/runs',
  summary: 'Compare a day that is over; comparing it again changes nothing where nothing changed',
  permission: 'reconciliation.run',
  readsMuch: 'always',
  params: ofDay,
  answer: reconciliationDay,
  errors: ['reconciliation.day_not_over', 'reconciliation.sealed'],
});

export const sealReconciliationDay = route({
  method: 'POST',
  path: '/reconciliation/days/{day}/seals',
  summary: 'Seal a day whose differences are all dealt with: from then on it never changes',
  permission: 'reconciliation.seal',
  readsMuch: 'always',
  params: ofDay,
  body: z.object({
    /** States that the missing bill of a channel does not come, and how that is known. */
    missingBillReason: z.optional(linesField(500, 2)),
  }),
  answer: reconciliationDay,
  errors: [
    'reconciliation.day_not_over',
    'reconciliation.sealed',
    'reconciliation.open_differences',
    'reconciliation.bill_missing',
    'reconciliation.bill_awaited',
    'reconciliation.own_differences',
    'reconciliation.changed_meanwhile',
  ],
  idempotency: 'required',
});

/** What of a sealed day is compared with its seal. */
export const sealedParts = ['seal', 'chain', 'differences', 'bills', 'payments', 'orders', 'transfers'] as const;
export type SealedPart = (typeof sealedParts)[number];

export const checkReconciliationSeal = route({
  method: 'GET',
  path: '/reconciliation/days/{day}/seal',
  summary: 'Whether a sealed day still is what was sealed, reckoned again from its records',
  permission: 'reconciliation.read',
  readsMuch: 'always',
  params: ofDay,
  answer: z.object({
    day: dayField,
    hash: z.string(),
    holds: z.boolean(),
    /** Where it does not hold. */
    broken: z.array(z.enum(sealedParts)),
    checkedAt: instantField,
  }),
  errors: ['reconciliation.not_sealed'],
});

export const reconciliationDifference = z.object({
  id: idField<'reconciliation_difference'>(),
  day: dayField,
  counterpart: z.enum(counterparts),
  kind: z.enum(differenceKinds),
  subject: z.enum(differenceSubjects),
  number: z.nullable(z.string()),
  thirdPartyNumber: z.nullable(z.string()),
  /** Money in is above zero, money out below. */
  ourFen: z.nullable(fenField),
  theirFen: z.nullable(fenField),
  ourWh: z.nullable(energyField),
  theirWh: z.nullable(energyField),
  ourAt: z.nullable(instantField),
  theirAt: z.nullable(instantField),
  otherDay: z.nullable(dayField),
  paymentId: z.nullable(idField<'channel_payment'>()),
  orderId: z.nullable(idField<'order'>()),
  /** The station of the order, for its log. */
  stationId: z.nullable(idField<'station'>()),
  /** Whether our side knows its number, so that its channel can be asked. */
  isAskable: z.boolean(),
  repair: z.enum(repairs),
  state: z.enum(differenceStates),
  foundAt: instantField,
  takenByName: z.nullable(z.string()),
  takenAt: z.nullable(instantField),
  endedByName: z.nullable(z.string()),
  endedAt: z.nullable(instantField),
  outcome: z.nullable(z.enum(differenceOutcomes)),
  reason: z.nullable(z.string()),
  /** Its day is sealed. */
  isSealed: z.boolean(),
});
export type ReconciliationDifference = z.output<typeof reconciliationDifference>;

export const listReconciliationDifferences = listRoute({
  name: 'listReconciliationDifferences',
  path: '/reconciliation/differences',
  summary: 'What differs between our records and those of channels, meters and the books',
  permission: 'reconciliation.read',
  sorts: ['day'],
  first: '-day',
  filters: {
    state: filter.choice(differenceStates),
    counterpart: filter.choice(counterparts),
    kind: filter.choice(differenceKinds),
    day: filter.text(10),
    number: filter.text(),
    /** Those that the caller took. */
    mine: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: reconciliationDifference,
  columns: columnsOf<ReconciliationDifference>()({
    number: { kind: 'number', title: 'reconciliation.number' },
    day: { kind: 'day', title: 'reconciliation.day' },
    kind: { kind: 'choice', title: 'reconciliation.kind', words: 'difference-kind' },
    ourFen: { kind: 'money', title: 'reconciliation.ourAmount', summed: true },
    theirFen: { kind: 'money', title: 'reconciliation.theirAmount', summed: true },
    state: { kind: 'choice', title: 'reconciliation.differenceState', words: 'difference-state' },
    repair: { kind: 'choice', title: 'reconciliation.repair', words: 'repair' },
    takenByName: { kind: 'text', title: 'reconciliation.takenBy' },
    counterpart: { kind: 'choice', title: 'reconciliation.counterpart', words: 'counterpart' },
    subject: { kind: 'choice', title: 'reconciliation.subject', words: 'difference-subject' },
    ourWh: { kind: 'energyWh', title: 'reconciliation.ourEnergy' },
    theirWh: { kind: 'energyWh', title: 'reconciliation.theirEnergy' },
    otherDay: { kind: 'day', title: 'reconciliation.otherDay', hint: 'reconciliation.otherDayHint' },
    takenAt: { kind: 'instant', title: 'reconciliation.takenAt' },
    ourAt: { kind: 'instant', title: 'reconciliation.ourTime' },
    theirAt: { kind: 'instant', title: 'reconciliation.theirTime' },
    thirdPartyNumber: { kind: 'number', title: 'reconciliation.thirdPartyNumber' },
    outcome: { kind: 'choice', title: 'reconciliation.outcome', words: 'difference-outcome' },
    reason: { kind: 'text', title: 'reconciliation.reason' },
    endedByName: { kind: 'text', title: 'reconciliation.endedBy' },
    endedAt: { kind: 'instant', title: 'reconciliation.endedAt' },
    foundAt: { kind: 'instant', title: 'reconciliation.foundAt' },
  }),
});

const ofDifference = z.object({ id: idParameter<'reconciliation_difference'>() });

export const getReconciliationDifference = route({
  method: 'GET',
  path: '/reconciliation/differences/{id}',
  summary: 'One difference with the figures of both sides and what is proposed',
  permission: 'reconciliation.read',
  params: ofDifference,
  answer: reconciliationDifference,
  errors: [],
});

export const takeReconciliationDifference = route({
  method: 'POST',
  path: '/reconciliation/differences/{id}/takers',
  summary: 'Take a difference, so that others see who deals with it; it can be taken over',
  permission: 'reconciliation.repair',
  params: ofDifference,
  answer: reconciliationDifference,
  errors: ['reconciliation.difference_over', 'reconciliation.sealed'],
});

export const endReconciliationDifference = route({
  method: 'POST',
  path: '/reconciliation/differences/{id}/ends',
  summary: 'End a difference with how it was dealt with and why; no money moves',
  permission: 'reconciliation.repair',
  params: ofDifference,
  body: z.object({ outcome: z.enum(differenceOutcomes), reason: linesField(500, 2) }),
  answer: reconciliationDifference,
  errors: ['reconciliation.difference_over', 'reconciliation.sealed'],
  idempotency: 'required',
});

export const askAboutReconciliationDifference = route({
  method: 'POST',
  path: '/reconciliation/differences/{id}/questions',
  summary: 'Ask the channel about the payment, refund or payout of a difference, take what it says, and compare again',
  permission: 'reconciliation.repair',
  params: ofDifference,
  answer: reconciliationDifference,
  errors: [
    'reconciliation.difference_over',
    'reconciliation.sealed',
    'reconciliation.not_askable',
    'channel.off',
    'channel.no_answer',
  ],
});
