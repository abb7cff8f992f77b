import { roamingStates } from '@voltdeck/charging/roaming-charge';
import { connectorKinds, connectorStates, stopReasons } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { energyField, fenField, idField, idParameter, instantField, priceField } from './fields.ts';
import { partnerBillLine, priceSlot, roamingRefusals } from './roaming.ts';
import { route } from './route.ts';

/** The part of the customers' own API (own.ts) about charges at the stations of other operators. */

const partnerPort = z.object({
  id: idField<'pulled_port'>(),
  code: z.string(),
  name: z.nullable(z.string()),
  kind: z.enum(connectorKinds),
  powerW: z.int(),
  state: z.enum(connectorStates),
  bayNumber: z.nullable(z.string()),
});

const partnerSiteNear = z.object({
  partnerName: z.string(),
  code: z.string(),
  name: z.string(),
  address: z.string(),
  /** WGS-84. */
  longitude: z.number(),
  latitude: z.number(),
  servicePhone: z.string(),
  distanceM: z.int(),
  ports: z.array(partnerPort),
});

/** Sites, and gun ports of one site, that a search answers at most. */
export const partnerSitesNearMax = 50;
export const partnerPortsOfSiteMax = 200;

export const listPartnerSitesNear = route({
  method: 'GET',
  path: '/my/partner-sites',
  summary: 'Sites of other operators around a place where the customer can charge, the nearest first',
  permission: 'customer',
  query: z.object({
    longitude: z.coerce.number().check(z.gte(-180), z.lte(180)),
    latitude: z.coerce.number().check(z.gte(-90), z.lte(90)),
    radiusM: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(50_000)),
      5_000,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
  }),
  answer: z.object({ items: z.array(partnerSiteNear) }),
  errors: [],
});

/** No read: its operator is asked, which may take long, and reads of other customers do not wait for that. */
export const askPartnerPort = route({
  method: 'POST',
  path: '/my/partner-ports/{id}/prices',
  summary: 'A gun port of another operator, and what a charge costs there over the day, as that operator says now',
  permission: 'customer',
  params: z.object({ id: idParameter<'pulled_port'>() }),
  answer: z.extend(partnerPort, {
    partnerName: z.string(),
    siteName: z.string(),
    prices: z.array(priceSlot),
    /** The least balance to start with. */
    neededFen: fenField,
  }),
  errors: ['roaming.closed', 'roaming.no_price', 'roaming.no_answer'],
});

export const ownRoamingCharge = z.object({
  id: idField<'roaming_charge'>(),
  sequence: z.string(),
  state: z.enum(roamingStates),
  partnerName: z.string(),
  siteName: z.string(),
  portCode: z.string(),
  energyWh: energyField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
  heldFen: fenField,
  paidFen: fenField,
  owedFen: fenField,
  /** Given back to the customer, or forgiven of what is owed. */
  refundedFen: fenField,
  socPercent: z.nullable(z.int()),
  refusal: z.nullable(z.enum(roamingRefusals)),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  stopAskedAt: z.nullable(instantField),
  stopReason: z.nullable(z.enum(stopReasons)),
  lines: z.array(partnerBillLine),
});
export type OwnRoamingCharge = z.output<typeof ownRoamingCharge>;

export const startOwnRoamingCharge = route({
  method: 'POST',
  path: '/my/roaming-charges',
  summary: 'Start a charge at a gun port of another operator, on the customer’s balance',
  permission: 'customer',
  idempotency: 'required',
  body: z.object({
    portId: idField<'pulled_port'>(),
    /**
     * The dearest price per kWh that the customer was shown, electricity and service together: where the operator tells a
     * dearer one by now, no charge begins. Without it, any price is taken.
     */
    priceMaxE5: z.optional(priceField),
  }),
  answer: ownRoamingCharge,
  errors: [
    'roaming.closed',
    'roaming.no_price',
    'roaming.price_changed',
    'roaming.no_answer',
    'roaming.refused',
    'balance.insufficient',
    'balance.in_debt',
    'my.disabled',
    'my.too_many_charges',
  ],
});

export const listOwnRoamingCharges = route({
  method: 'GET',
  path: '/my/roaming-charges',
  summary: 'The customer’s charges at other operators, the newest first',
  permission: 'customer',
  query: z.object({
    after: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,16}$/, 'bad_format'))),
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(50)),
      20,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
  }),
  answer: z.object({ items: z.array(ownRoamingCharge), next: z.nullable(z.string()) }),
  errors: [],
});

export const getOwnRoamingCharge = route({
  method: 'GET',
  path: '/my/roaming-charges/{id}',
  summary: 'One charge at another operator: live while it runs, with its bill afterwards',
  permission: 'customer',
  params: z.object({ id: idParameter<'roaming_charge'>() }),
  answer: ownRoamingCharge,
  errors: [],
});

export const stopOwnRoamingCharge = route({
  method: 'POST',
  path: '/my/roaming-charges/{id}/stops',
  summary: 'Ask the other operator to end a charge',
  permission: 'customer',
  params: z.object({ id: idParameter<'roaming_charge'>() }),
  answer: z.object({ agreed: z.boolean() }),
  errors: ['order.not_charging', 'roaming.no_answer'],
});
