import { billingTypes } from '@voltdeck/charging/states';
import {
  longestRunHoursMax,
  periods,
  powerMeasures,
  slotsMax,
  stepLengthsMinutes,
  tiersMax,
} from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import { fenField, filter, idField, idParameter, instantField, priceField, textField } from './fields.ts';
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

export const energyTariffForm = z.object({
  kind: z.literal('energy'),
  name: textField(64),
  /** 1e-5 yuan per kWh; all four periods are required, a missing price is an error and never zero. */
  prices: z.object({ sharp: periodPrice, peak: periodPrice, flat: periodPrice, valley: periodPrice }),
  slots: z.array(slot).check(z.minLength(1), z.maxLength(slotsMax)),
  agentId: z.optional(idField<'agent'>()),
});

export const hourTariffForm = z.object({
  kind: z.literal('hour'),
  name: textField(64),
  tiers: z.array(tier).check(z.minLength(1), z.maxLength(tiersMax)),
  /** Billing step in minutes. */
  stepMinutes: z._default(z.literal(stepLengthsMinutes), 60),
  measuredBy: z._default(z.enum(powerMeasures), 'average'),
  longestRunHours: z._default(z.int().check(z.gte(1), z.lte(longestRunHoursMax)), 12),
  agentId: z.optional(idField<'agent'>()),
});

export const tariffForm = z.discriminatedUnion('kind', [energyTariffForm, hourTariffForm]);

export const tariff = z.object({
  id: idField<'tariff'>(),
  name: z.string(),
  kind: z.enum(billingTypes),
  agentId: z.nullable(idField<'agent'>()),
  detail: z.discriminatedUnion('kind', [
    z.omit(energyTariffForm, { name: true, agentId: true }),
    z.omit(hourTariffForm, { name: true, agentId: true }),
  ]),
  stationCount: z.int(),
  createdAt: instantField,
});
export type Tariff = z.output<typeof tariff>;

export const listTariffs = listRoute({
  name: 'listTariffs',
  path: '/tariffs',
  summary: 'Billing rules',
  permission: ['tariff.read', 'station.read'],
  sorts: ['name', 'createdAt'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    kind: filter.choice(billingTypes),
    agentId: filter.id('agent'),
  },
  item: tariff,
  columns: columnsOf<Tariff>()({
    name: { kind: 'text', title: 'tariffs.name' },
    kind: { kind: 'choice', title: 'tariffs.kind', words: 'billing-type' },
    stationCount: { kind: 'count', title: 'tariffs.stations' },
    createdAt: { kind: 'instant', title: 'tariffs.createdAt' },
  }),
});

export const getTariff = route({
  method: 'GET',
  path: '/tariffs/{id}',
  summary: 'One billing rule',
  permission: ['tariff.read', 'station.read'],
  params: z.object({ id: idParameter<'tariff'>() }),
  answer: tariff,
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
