import { billingTypes, equipmentTypes } from '@voltdeck/charging/states';
import {
  longestRunHoursMax,
  periods,
  powerMeasures,
  prepaymentKinds,
  riderChoicesMax,
  slotsMax,
  stepLengthsMinutes,
  tiersMax,
} from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import {
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  nothing,
  priceField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

const periodPrice = z.object({ electricity: priceField, service: priceField });
const slot = z.object({
  /** "00:00" to "23:30" in steps of half an hour. */
  start: z.string().check(z.regex(/^\d{2}:\d{2}$/, 'bad_format')),
  /** "00:30" to "24:00". */
  end: z.string().check(z.regex(/^\d{2}:\d{2}$/, 'bad_format')),
  period: z.enum(periods),
});
const tier = z.object({
  /** [fromW, toW); the last one may be open-ended. */
  fromW: z.int().check(z.gte(0), z.lte(1_000_000)),
  toW: z.nullable(z.int().check(z.gte(1), z.lte(1_000_000))),
  feeFenPerStep: fenField,
});

/** What a rule has beside its prices. They belong to the rule: a change of them alone makes no version. */
const ruleFields = {
  name: textField(64),
  /** Shown to riders beside the prices. */
  note: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  agentId: z.optional(idField<'agent'>()),
};

/** What riders choose from before a charge; for two-wheelers. */
/** What a rider may pay before a charge, and what ends it then. */
export const riderChoice = z.object({
  amountFen: fenField,
  hours: z._default(z.nullable(z.int()), null),
  energyWh: z._default(z.nullable(energyField), null),
});

export const prepayment = z.object({
  kind: z.enum(prepaymentKinds),
  choices: z.array(riderChoice).check(z.maxLength(riderChoicesMax)),
});

const energyDetail = {
  kind: z.literal('energy'),
  prepayment: z.optional(prepayment),
  /** 1e-5 yuan per kWh; all four periods are required, a missing price is an error and never zero. */
  prices: z.object({ sharp: periodPrice, peak: periodPrice, flat: periodPrice, valley: periodPrice }),
  slots: z.array(slot).check(z.minLength(1), z.maxLength(slotsMax)),
};

const hourDetail = {
  kind: z.literal('hour'),
  prepayment: z.optional(prepayment),
  tiers: z.array(tier).check(z.minLength(1), z.maxLength(tiersMax)),
  /** Billing step in minutes. */
  stepMinutes: z._default(z.literal(stepLengthsMinutes), 60),
  measuredBy: z._default(z.enum(powerMeasures), 'average'),
  longestRunHours: z._default(z.int().check(z.gte(1), z.lte(longestRunHoursMax)), 12),
};

export const tariffForm = z.discriminatedUnion('kind', [
  z.object({ ...energyDetail, ...ruleFields }),
  z.object({ ...hourDetail, ...ruleFields }),
]);

const changeFields = {
  /** When the new version takes effect: now if omitted or past. */
  takesEffectAt: z.optional(instantField),
  /** The latest version known to whoever changes it; refused when somebody made another one in the meantime. */
  basedOnId: z.optional(idField<'tariff'>()),
};

export const tariffChangeForm = z.discriminatedUnion('kind', [
  z.object({ ...energyDetail, ...ruleFields, ...changeFields }),
  z.object({ ...hourDetail, ...ruleFields, ...changeFields }),
]);

/** `waiting`: takes effect later. `past`: another version took its place. `cancelled`: withdrawn before it took effect. */
export const tariffVersionStates = ['waiting', 'in_force', 'past', 'cancelled'] as const;
export type TariffVersionState = (typeof tariffVersionStates)[number];

/** A rule has this many versions that wait at most, and this many in all. */
export const waitingVersionsMax = 10;
export const tariffVersionsMax = 1_000;

export const tariff = z.object({
  /** The version's own id: it stands for these prices for ever. */
  id: idField<'tariff'>(),
  /** The id of the rule's first version, the same in all versions. */
  ruleId: idField<'tariff'>(),
  version: z.int(),
  state: z.enum(tariffVersionStates),
  effectiveAt: instantField,
  name: z.string(),
  note: z.string(),
  kind: z.enum(billingTypes),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  detail: z.discriminatedUnion('kind', [z.object(energyDetail), z.object(hourDetail)]),
  /** The kinds of station whose default it is for the platform, and for agents that the caller sees. */
  platformDefaultFor: z.array(z.enum(equipmentTypes)),
  agentDefaultFor: z.array(z.enum(equipmentTypes)),
  /** Stations with any version of the rule, within the caller's scope. */
  stationCount: z.int(),
  /** The next version that waits. */
  next: z.nullable(z.object({ id: idField<'tariff'>(), version: z.int(), effectiveAt: instantField })),
  createdAt: instantField,
});
export type Tariff = z.output<typeof tariff>;

export const tariffDefaults = ['platform', 'agent', 'none'] as const;

export const listTariffs = listRoute({
  name: 'listTariffs',
  path: '/tariffs',
  summary: 'Billing rules, each by its version in force',
  permission: ['tariff.read', 'station.read'],
  sorts: ['name', 'createdAt', 'effectiveAt', 'version'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    kind: filter.choice(billingTypes),
    agentId: filter.id('agent'),
    /** Platform default, agent default, or neither. */
    default: filter.choice(tariffDefaults),
    inUse: filter.flag(),
  },
  item: tariff,
  columns: columnsOf<Tariff>()({
    name: { kind: 'text', title: 'tariffs.name' },
    kind: { kind: 'choice', title: 'tariffs.kind', words: 'billing-type' },
    agentName: { kind: 'text', title: 'tariffs.agent', absent: 'list.ofPlatform' },
    platformDefaultFor: { kind: 'choices', title: 'tariffs.platformDefault', words: 'equipment-type' },
    agentDefaultFor: { kind: 'choices', title: 'tariffs.agentDefault', words: 'equipment-type' },
    version: { kind: 'count', title: 'tariffs.version' },
    effectiveAt: { kind: 'instant', title: 'tariffs.effectiveAt' },
    next: { kind: 'instant', title: 'tariffs.nextVersion', of: ({ next }) => next?.effectiveAt ?? null },
    stationCount: { kind: 'count', title: 'tariffs.stations' },
    note: { kind: 'text', title: 'tariffs.note' },
    createdAt: { kind: 'instant', title: 'tariffs.createdAt' },
  }),
});

const ofTariff = z.object({ id: idParameter<'tariff'>() });

export const getTariff = route({
  method: 'GET',
  path: '/tariffs/{id}',
  summary: 'One version of a billing rule',
  permission: ['tariff.read', 'station.read'],
  params: ofTariff,
  answer: tariff,
  errors: [],
});

export const tariffVersion = z.object({
  id: idField<'tariff'>(),
  version: z.int(),
  state: z.enum(tariffVersionStates),
  effectiveAt: instantField,
  createdAt: instantField,
  createdBy: z.nullable(shown.name()),
  detail: tariff.shape.detail,
  /** Stations that have this version now, within the caller's scope. */
  stationCount: z.int(),
});
export type TariffVersion = z.output<typeof tariffVersion>;

export const getTariffVersions = route({
  method: 'GET',
  path: '/tariffs/{id}/versions',
  summary: 'All versions of a billing rule, the latest first',
  permission: 'tariff.read',
  params: ofTariff,
  answer: z.object({ items: z.array(tariffVersion) }),
  errors: [],
});

export const createTariff = route({
  method: 'POST',
  path: '/tariffs',
  summary: 'Add a billing rule',
  permission: 'tariff.edit',
  body: tariffForm,
  answer: tariff,
  errors: [],
});

/** Any version's id names the rule. Prices as they are make no version, so that a change may be a name alone. */
export const changeTariff = route({
  method: 'PUT',
  path: '/tariffs/{id}',
  summary: 'Change a billing rule: a new version, now or later; running orders keep their price',
  permission: 'tariff.edit',
  params: ofTariff,
  body: tariffChangeForm,
  answer: tariff,
  errors: ['record.changed', 'tariff.too_many_versions', 'tariff.effective_at_taken'],
});

export const cancelTariffVersion = route({
  method: 'POST',
  path: '/tariffs/{id}/cancellation',
  summary: 'Cancel a version of a billing rule that has not taken effect',
  permission: 'tariff.edit',
  params: ofTariff,
  answer: tariff,
  errors: ['tariff.not_waiting'],
});

export const deleteTariff = route({
  method: 'DELETE',
  path: '/tariffs/{id}',
  summary: 'Delete a billing rule with its versions; refused while it is in use or a default',
  permission: 'tariff.edit',
  params: ofTariff,
  answer: nothing,
  errors: ['tariff.in_use', 'tariff.platform_default', 'tariff.agent_default'],
});

/** Whose new stations get the rule, if nobody chooses one. */
const defaultOf = {
  for: z.enum(['platform', 'agent']),
  /** The agent whose default it is; the caller's own if omitted. */
  agentId: z.optional(idField<'agent'>()),
  equipmentType: z.enum(equipmentTypes),
};

export const setDefaultTariff = route({
  method: 'PUT',
  path: '/tariffs/{id}/default',
  summary: 'Make a billing rule the default of new stations, or no longer',
  permission: 'tariff.edit',
  params: ofTariff,
  body: z.object({
    ...defaultOf,
    isDefault: z._default(z.boolean(), true),
    /** Gives it to the stations of this kind that have no rule. */
    givesToStations: z._default(z.boolean(), false),
  }),
  answer: orWaits(z.object({ tariff, stationsGiven: z.int() })),
  errors: ['tariff.not_platforms'],
});

export const getDefaultTariff = route({
  method: 'GET',
  path: '/default-tariff',
  summary: 'The default billing rule of new stations, and how many stations have no rule',
  permission: 'tariff.read',
  query: z.object({
    for: z.enum(['platform', 'agent']),
    agentId: z.optional(idParameter<'agent'>()),
    equipmentType: z.enum(equipmentTypes),
  }),
  answer: z.object({
    tariff: z.nullable(z.object({ id: idField<'tariff'>(), name: z.string() })),
    /** Stations that the default would be for and that have no rule. */
    stationsWithout: z.int(),
  }),
  errors: [],
});

/** `running`: what a station that prices by itself runs. */
export const stationTariffKinds = ['card', 'wechat', 'running'] as const;

export const stationTariff = z.object({
  id: idField<'station_tariff'>(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  siteName: z.string(),
  kind: z.enum(stationTariffKinds),
  tariffId: idField<'tariff'>(),
  version: z.int(),
  fromAt: instantField,
  /** Null while the station has it. */
  untilAt: z.nullable(instantField),
});
export type StationTariff = z.output<typeof stationTariff>;

export const listStationTariffs = listRoute({
  name: 'listStationTariffs',
  path: '/station-tariffs',
  summary: 'Which stations had which versions of billing rules, and since when',
  permission: 'tariff.read',
  sorts: ['fromAt'],
  first: '-fromAt',
  filters: {
    /** Any version's id names the rule. */
    ruleId: filter.id('tariff'),
    version: filter.number(1, tariffVersionsMax),
    stationId: filter.id('station'),
    kind: filter.choice(stationTariffKinds),
    isCurrent: filter.flag(),
  },
  item: stationTariff,
  columns: columnsOf<StationTariff>()({
    stationNumber: { kind: 'number', title: 'tariffs.stationNumber' },
    stationName: { kind: 'text', title: 'tariffs.stationName' },
    siteName: { kind: 'text', title: 'tariffs.siteName' },
    kind: { kind: 'choice', title: 'tariffs.usedFor', words: 'station-tariff-kind' },
    version: { kind: 'count', title: 'tariffs.version' },
    fromAt: { kind: 'instant', title: 'tariffs.fromAt' },
    untilAt: { kind: 'instant', title: 'tariffs.untilAt', absent: 'tariffs.untilNow' },
  }),
});
