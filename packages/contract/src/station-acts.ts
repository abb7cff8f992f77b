import * as z from 'zod/mini';
import { dayField, idField } from './fields.ts';
import { route } from './route.ts';
import { commandedStations } from './station-commands.ts';

export const stationActKinds = [
  'set-card-rule',
  'set-wechat-rule',
  'move-to-site',
  'hand-to-agent',
  'extend-expiry',
  'enable',
  'disable',
] as const;
export type StationActKind = (typeof stationActKinds)[number];

export const expiryMonthsMax = 120;

/** What one change of many stations says, by its kind. */
export const stationActBodies = {
  'set-card-rule': z.object({
    kind: z.literal('set-card-rule'),
    ...commandedStations,
    cardTariffId: idField<'tariff'>(),
  }),
  /** Without one, the card rule prices these charges too. */
  'set-wechat-rule': z.object({
    kind: z.literal('set-wechat-rule'),
    ...commandedStations,
    wechatTariffId: z.optional(idField<'tariff'>()),
  }),
  /** The stations get the agent of the site. */
  'move-to-site': z.object({ kind: z.literal('move-to-site'), ...commandedStations, siteId: idField<'site'>() }),
  /** To an agent within the caller's scope; without one, the platform takes the stations back. */
  'hand-to-agent': z.object({
    kind: z.literal('hand-to-agent'),
    ...commandedStations,
    agentId: z.optional(idField<'agent'>()),
  }),
  /** To a day, or by months from the present expiry, from today where that is past or absent. */
  'extend-expiry': z.object({
    kind: z.literal('extend-expiry'),
    ...commandedStations,
    expiresOn: z.optional(dayField),
    months: z.optional(z.int().check(z.gte(1), z.lte(expiryMonthsMax))),
  }),
  enable: z.object({ kind: z.literal('enable'), ...commandedStations }),
  disable: z.object({ kind: z.literal('disable'), ...commandedStations }),
} as const satisfies Record<StationActKind, z.ZodMiniType>;

/** Refused stations that an answer names. */
export const refusedStationsShown = 100;

export const changeStations = route({
  method: 'POST',
  path: '/station-changes',
  summary: 'Change one thing of many stations: all of them or, where some cannot, none',
  permission: 'station.edit',
  body: z.discriminatedUnion('kind', [
    stationActBodies['set-card-rule'],
    stationActBodies['set-wechat-rule'],
    stationActBodies['move-to-site'],
    stationActBodies['hand-to-agent'],
    stationActBodies['extend-expiry'],
    stationActBodies.enable,
    stationActBodies.disable,
  ]),
  answer: z.object({
    /** Zero where some are refused. Stations that already are as wanted count as changed. */
    changed: z.int(),
    refusedCount: z.int(),
    /** The first ones by number. */
    refused: z.array(z.object({ number: z.string(), because: z.enum(['rule_of_other_agent']) })),
  }),
  errors: ['station.too_many'],
});
