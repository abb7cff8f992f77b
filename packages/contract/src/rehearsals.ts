import { periods } from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import { energyField, fenField, filter, idField, idParameter, instantField, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { tariff } from './tariffs.ts';

/** The longest period. */
export const rehearsedDaysMax = 366;
/** How many of the charges that change the most are listed. */
export const biggestDifferencesMax = 50;

/** Why a charge is left out of the comparison; each has its phrase. */
export const unpricedReasons = [
  /** It was settled by hand without a rule of its own. */
  'no_rule',
  /** Its bill does not follow from its readings any more. */
  'not_reproduced',
  /** The rehearsed price changed during the charge, and no reading is left that says when its energy flowed. */
  'no_readings',
  /** It cost nothing because its station was free; a rule would not have priced it. */
  'free',
  /** Its rider chose nothing that the rehearsed rule offers. */
  'no_choice',
  /** The rehearsed rule cannot price it. */
  'not_priceable',
] as const;
export type UnpricedReason = (typeof unpricedReasons)[number];

/** Charges that ended in [from, to). */
export const rehearsalFilter = z.object({
  from: instantField,
  to: instantField,
  agentId: z.optional(idField<'agent'>()),
  siteId: z.optional(idField<'site'>()),
  /** Only charges that this rule priced, by whichever of its versions; any version's id names it. */
  usedRuleId: z.optional(idField<'tariff'>()),
});
export type RehearsalFilter = z.output<typeof rehearsalFilter>;

/** A stored rule by its id, or one that was not saved. */
export const rehearsalForm = z.extend(rehearsalFilter, {
  tariffId: z.optional(idField<'tariff'>()),
  draft: z.optional(tariff.shape.detail),
  /** What an unsaved rule is called. */
  draftName: z.optional(textField(64)),
});

const figures = {
  charges: z.int(),
  energyWh: energyField,
  beforeFen: fenField,
  afterFen: fenField,
};

export const rehearsalResult = z.object({
  ...figures,
  beforeElectricityFen: fenField,
  afterElectricityFen: fenField,
  unpriced: z.array(z.object({ reason: z.enum(unpricedReasons), charges: z.int(), amountFen: fenField })),
  /** Of rules by energy; empty for others. The same energy may fall into other periods by the rehearsed rule. */
  periods: z.array(
    z.object({
      period: z.enum(periods),
      beforeWh: energyField,
      afterWh: energyField,
      beforeFen: fenField,
      afterFen: fenField,
    }),
  ),
  biggest: z.array(
    z.object({
      orderId: idField<'order'>(),
      number: z.string(),
      siteId: idField<'site'>(),
      endedAt: instantField,
      energyWh: energyField,
      beforeFen: fenField,
      afterFen: fenField,
    }),
  ),
});
export type RehearsalResult = z.output<typeof rehearsalResult>;

/** Its progress, and what became of it, are those of the task with its id. */
export const rehearsal = z.object({
  id: idField<'task'>(),
  /** The rule as it was rehearsed; without an id where it was not saved. */
  tariffId: z.nullable(idField<'tariff'>()),
  tariffName: z.string(),
  tariff: tariff.shape.detail,
  filter: rehearsalFilter,
  agentName: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  usedRuleName: z.nullable(z.string()),
  /** Null until it has finished. */
  result: z.nullable(rehearsalResult),
});
export type Rehearsal = z.output<typeof rehearsal>;

export const startRehearsal = route({
  method: 'POST',
  path: '/rehearsals',
  summary: 'Price past charges again by a draft or a stored rule, in the background; nothing is changed',
  permission: 'tariff.rehearse',
  body: rehearsalForm,
  answer: z.object({ id: idField<'task'>() }),
  errors: ['task.too_many'],
});

export const getRehearsal = route({
  method: 'GET',
  path: '/rehearsals/{id}',
  summary: 'A rehearsal and what it found out: one of the caller’s own, or any for administrators',
  permission: 'tariff.rehearse',
  params: z.object({ id: idParameter<'task'>() }),
  answer: rehearsal,
  errors: [],
});

export const rehearsalFigureKinds = ['agent', 'site'] as const;
export type RehearsalFigureKind = (typeof rehearsalFigureKinds)[number];

/** What the charges of one agent, or of one site, add up to. */
export const rehearsalFigure = z.object({
  rehearsalId: idField<'task'>(),
  by: z.enum(rehearsalFigureKinds),
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  ...figures,
  differenceFen: fenField,
});
export type RehearsalFigure = z.output<typeof rehearsalFigure>;

export const listRehearsalFigures = listRoute({
  name: 'listRehearsalFigures',
  path: '/rehearsal-figures',
  summary: 'Rehearsals by agent and by site',
  permission: 'tariff.rehearse',
  sorts: ['difference', 'before', 'charges'],
  first: '-before',
  filters: { rehearsalId: filter.id('task'), by: filter.one(rehearsalFigureKinds), agentId: filter.id('agent') },
  item: rehearsalFigure,
  columns: columnsOf<RehearsalFigure>()({
    siteName: { kind: 'text', title: 'rehearsals.site' },
    agentName: { kind: 'text', title: 'rehearsals.agent', absent: 'list.ofPlatform' },
    charges: { kind: 'count', title: 'rehearsals.charges' },
    energyWh: { kind: 'energyWh', title: 'rehearsals.energy' },
    beforeFen: { kind: 'money', title: 'rehearsals.before' },
    afterFen: { kind: 'money', title: 'rehearsals.after' },
    differenceFen: { kind: 'money', title: 'rehearsals.difference' },
  }),
});
