import { protocols } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, linesField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Stations of one price change; a larger network is changed in several. */
export const priceChangeStationsMax = 10_000;
/** Sites or stations that are chosen one by one. */
export const priceChangeChosenMax = 500;
/** How far ahead prices are planned. */
export const priceChangeDaysMax = 366;

/** Which of a station's two rules is replaced. */
export const priceChangeSlots = ['card', 'wechat', 'both'] as const;

/**
 * `running`: some stations have not been sent the rule. `partly`: some refused it, or are offline and get it on
 * reconnecting.
 */
export const priceChangeStates = ['waiting', 'running', 'done', 'partly', 'cancelled'] as const;
export type PriceChangeState = (typeof priceChangeStates)[number];

/**
 * `waiting`: before its time, or until a charging station is idle. `taken`: in force at the station. `skipped`: it was not changed, or something else has replaced the rule since.
 */
export const priceChangeStationStates = ['waiting', 'sent', 'taken', 'refused', 'offline', 'skipped'] as const;
export type PriceChangeStationState = (typeof priceChangeStationStates)[number];

/** Why a station was skipped; each has its phrase. */
export const priceChangeSkips = ['replaced', 'moved', 'cancelled', 'rule_of_other_agent'] as const;

export const priceChangeTargets = ['sites', 'stations', 'rule'] as const;

const targets = {
  /** The stations are chosen now: later additions to a site are not among them. */
  by: z.enum(priceChangeTargets),
  siteIds: z.optional(z.array(idField<'site'>()).check(z.minLength(1), z.maxLength(priceChangeChosenMax))),
  stationIds: z.optional(z.array(idField<'station'>()).check(z.minLength(1), z.maxLength(priceChangeChosenMax))),
  /** The stations that have any version of this rule now, in one of the places that are changed. */
  usedRuleId: z.optional(idField<'tariff'>()),
  slots: z._default(z.enum(priceChangeSlots), 'both'),
  /** Any version's id names the rule; stations get the version in force at the time. */
  ruleId: idField<'tariff'>(),
  effectiveAt: instantField,
};

export const priceChangeForm = z.object({
  ...targets,
  name: textField(64),
  remark: z.optional(linesField(200, 0)),
});

const tally = z.object({
  waiting: z.int(),
  sent: z.int(),
  taken: z.int(),
  refused: z.int(),
  offline: z.int(),
  skipped: z.int(),
});

export const priceChange = z.object({
  id: idField<'price_change'>(),
  name: z.string(),
  ruleId: idField<'tariff'>(),
  ruleName: z.string(),
  /** The version that stations were given; null before. */
  version: z.nullable(z.int()),
  slots: z.enum(priceChangeSlots),
  effectiveAt: instantField,
  remark: z.string(),
  state: z.enum(priceChangeStates),
  stations: z.int(),
  tally,
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  createdBy: z.nullable(shown.name()),
  createdAt: instantField,
  appliedAt: z.nullable(instantField),
  cancelledAt: z.nullable(instantField),
});
export type PriceChange = z.output<typeof priceChange>;

export const listPriceChanges = listRoute({
  name: 'listPriceChanges',
  path: '/price-changes',
  summary: 'Scheduled price changes, each with what became of its stations',
  permission: 'price_change.read',
  sorts: ['effectiveAt', 'createdAt'],
  first: '-effectiveAt',
  filters: {
    name: filter.text(),
    state: filter.choice(priceChangeStates),
    /** Any version's id names the rule. */
    ruleId: filter.id('tariff'),
    agentId: filter.id('agent'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: priceChange,
  columns: columnsOf<PriceChange>()({
    name: { kind: 'text', title: 'priceChanges.name' },
    state: { kind: 'choice', title: 'priceChanges.state', words: 'price-change-state' },
    ruleName: { kind: 'text', title: 'priceChanges.rule' },
    version: { kind: 'count', title: 'priceChanges.version' },
    slots: { kind: 'choice', title: 'priceChanges.slots', words: 'price-change-slots' },
    effectiveAt: { kind: 'instant', title: 'priceChanges.effectiveAt' },
    stations: { kind: 'count', title: 'priceChanges.stations' },
    taken: { kind: 'count', title: 'price-change-station-state.taken', of: ({ tally: { taken } }) => taken },
    waiting: { kind: 'count', title: 'price-change-station-state.waiting', of: ({ tally: { waiting } }) => waiting },
    sent: { kind: 'count', title: 'price-change-station-state.sent', of: ({ tally: { sent } }) => sent },
    refused: { kind: 'count', title: 'price-change-station-state.refused', of: ({ tally: { refused } }) => refused },
    offline: { kind: 'count', title: 'price-change-station-state.offline', of: ({ tally: { offline } }) => offline },
    skipped: { kind: 'count', title: 'price-change-station-state.skipped', of: ({ tally: { skipped } }) => skipped },
    agentName: { kind: 'text', title: 'priceChanges.agent', absent: 'list.ofPlatform' },
    remark: { kind: 'text', title: 'priceChanges.remark' },
    createdBy: { kind: 'text', title: 'priceChanges.createdBy' },
    createdAt: { kind: 'instant', title: 'priceChanges.createdAt' },
    appliedAt: { kind: 'instant', title: 'priceChanges.appliedAt' },
  }),
});

const ofPriceChange = z.object({ id: idParameter<'price_change'>() });

export const getPriceChange = route({
  method: 'GET',
  path: '/price-changes/{id}',
  summary: 'One price change',
  permission: 'price_change.read',
  params: ofPriceChange,
  answer: priceChange,
  errors: [],
});

export const priceChangeStation = z.object({
  id: idField<'price_change_station'>(),
  priceChangeId: idField<'price_change'>(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  /** Null, like its site and its connection, for a station that now belongs to somebody else. */
  stationName: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  protocol: z.enum(protocols),
  /** Whether it is connected now. */
  online: z.nullable(z.boolean()),
  state: z.enum(priceChangeStationStates),
  /** Of a skipped one, why; of a refused one, the outcome and the station's reason: "rejected:fault". */
  reason: z.nullable(z.string()),
  appliedAt: z.nullable(instantField),
  sentAt: z.nullable(instantField),
  answeredAt: z.nullable(instantField),
});
export type PriceChangeStation = z.output<typeof priceChangeStation>;

export const listPriceChangeStations = listRoute({
  name: 'listPriceChangeStations',
  path: '/price-change-stations',
  summary: 'The stations of price changes, each with its state',
  permission: 'price_change.read',
  sorts: ['chosen', 'answeredAt'],
  first: 'chosen',
  filters: {
    priceChangeId: filter.id('price_change'),
    state: filter.choice(priceChangeStationStates),
    stationNumber: filter.text(),
    protocol: filter.choice(protocols),
  },
  item: priceChangeStation,
  columns: columnsOf<PriceChangeStation>()({
    stationNumber: { kind: 'number', title: 'priceChanges.stationNumber' },
    stationName: { kind: 'text', title: 'priceChanges.stationName' },
    siteName: { kind: 'text', title: 'priceChanges.site' },
    state: { kind: 'choice', title: 'priceChanges.stationState', words: 'price-change-station-state' },
    reason: { kind: 'text', title: 'priceChanges.reason' },
    protocol: { kind: 'choice', title: 'priceChanges.protocol', words: 'protocol' },
    online: { kind: 'flag', title: 'priceChanges.online', words: ['priceChanges.isOnline', 'priceChanges.isOffline'] },
    appliedAt: { kind: 'instant', title: 'priceChanges.appliedAt' },
    sentAt: { kind: 'instant', title: 'priceChanges.sentAt' },
    answeredAt: { kind: 'instant', title: 'priceChanges.answeredAt' },
  }),
});

/** What a price change would do, in numbers. */
export const previewPriceChange = route({
  method: 'POST',
  path: '/price-changes/preview',
  summary: 'What a price change would do now; nothing is changed',
  permission: 'price_change.edit',
  body: z.object(targets),
  answer: z.object({
    stations: z.int(),
    sites: z.int(),
    /** Stations that price charges themselves and so need the new rule sent. */
    billing: z.int(),
    /** Of these, those that are offline now. */
    billingOffline: z.int(),
    /** Four-wheel stations that would be billed by time, as two-wheel ones are. */
    fourWheelByTime: z.int(),
    charging: z.int(),
    /** Stations that already have the rule. */
    same: z.int(),
    /** Stations that another price change waits for; the later time wins. */
    planned: z.int(),
  }),
  errors: ['price_change.no_stations', 'price_change.too_many_stations'],
});

export const createPriceChange = route({
  method: 'POST',
  path: '/price-changes',
  summary: 'Schedule a price change; running charges keep their price',
  permission: 'price_change.edit',
  body: priceChangeForm,
  answer: priceChange,
  errors: ['price_change.no_stations', 'price_change.too_many_stations'],
});

export const cancelPriceChange = route({
  method: 'POST',
  path: '/price-changes/{id}/cancellation',
  summary: 'Cancel a price change before its time',
  permission: 'price_change.edit',
  params: ofPriceChange,
  answer: priceChange,
  errors: ['price_change.not_waiting'],
});

export const removePriceChangeStations = route({
  method: 'POST',
  path: '/price-changes/{id}/removals',
  summary: 'Take stations out of a price change before its time',
  permission: 'price_change.edit',
  params: ofPriceChange,
  body: z.object({
    stationIds: z.array(idField<'station'>()).check(z.minLength(1), z.maxLength(priceChangeChosenMax)),
  }),
  answer: priceChange,
  errors: ['price_change.not_waiting', 'price_change.last_station'],
});

export const retryPriceChange = route({
  method: 'POST',
  path: '/price-changes/{id}/retries',
  summary: 'Tell the stations that refused or missed a price change again, at once where they are connected and idle',
  permission: 'price_change.edit',
  params: ofPriceChange,
  body: z.object({
    /** All of them if omitted. */
    stationIds: z.optional(z.array(idField<'station'>()).check(z.minLength(1), z.maxLength(priceChangeChosenMax))),
  }),
  answer: z.object({ asked: z.int(), offline: z.int() }),
  errors: ['price_change.not_applied'],
});
