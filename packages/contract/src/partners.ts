import { fieldExtras, identifierLengthsMax, type PartnerProfile, timeWindowMsMax } from '@voltdeck/tcec102/profile';
import * as z from 'zod/mini';
import { isCreditCode } from './credit-code.ts';
import {
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  nothing,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/**
 * `demand`: its customers charge at our stations; `infrastructure`: ours charge at its stations; `both`; `supervision`: a
 * platform of an authority that is only told.
 */
export const partnerRoles = ['demand', 'infrastructure', 'both', 'supervision'] as const;
export type PartnerRole = (typeof partnerRoles)[number];
export const partnerEnvironments = ['test', 'production'] as const;
/** What a partner is told of; `power` is what sites draw, for supervision platforms. */
export const partnerPushes = ['status', 'charges', 'orders', 'checks', 'power'] as const;
/** Who calls whom: `inbound` with keys that we issued, `outbound` with keys that the partner issued. */
export const keyDirections = ['inbound', 'outbound'] as const;
export type KeyDirection = (typeof keyDirections)[number];

/** Where partners call us, below our own address. */
export const ownInterfacePath = '/evcs/v1.0';

/** Sites that are open to one partner. */
export const partnerSitesMax = 5_000;
/** Addresses and networks that a partner may call from. */
export const allowedAddressesMax = 50;
/** How long the keys before a rotation stay valid, in hours. */
export const overlapHours = { usual: 24, max: 168 } as const;
/** Limit of one deposit: ten million yuan. */
export const depositFenMax = 1_000_000_000;
/** Key sets of a direction that a partner's page shows, the newest first. */
export const keySetsShownMax = 10;

const operatorIdField = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-Z]{9}$/, { error: 'organization_code' }));
const creditCodeField = z.string().check(
  z.trim(),
  z.toUpperCase(),
  z.refine((text) => text === '' || isCreditCode(text), { error: 'credit_code' }),
);

/** An address without credentials, query and fragment: whatever is appended to it must stay the path. */
function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s\\?#@/][^\s\\?#@]*$/i.test(text) ? URL.parse(text) : null;
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}
const webAddressField = z.string().check(z.trim(), z.maxLength(500), z.refine(isWebAddress, { error: 'web_address' }));

/** T/CEC 102.4: the keys are sent as they are, so they are printable and have no spaces. */
const secretField = (min: number, max: number) =>
  z.string().check(z.minLength(min), z.maxLength(max), z.regex(/^[!-~]*$/, { error: 'secret_characters' }));
const partnerKeys = {
  operatorSecret: secretField(1, 64),
  sigSecret: secretField(1, 64),
  /** Of AES-128: sixteen characters, as its initial vector. */
  dataSecret: secretField(16, 16),
  dataSecretIv: secretField(16, 16),
};
/** Keys that are left out are generated. */
const givenKeys = z.partial(z.object(partnerKeys));
export type GivenKeys = z.output<typeof givenKeys>;
/** In the one answer that ever has them. */
const shownKeys = z.object({
  operatorSecret: z.string(),
  sigSecret: z.string(),
  dataSecret: z.string(),
  dataSecretIv: z.string(),
});
export type ShownKeys = z.output<typeof shownKeys>;

/** In what a partner differs from the standard text. */
export const partnerProfile = z.object({
  spelling: z.enum(['sevice', 'service']),
  energyDecimals: z.literal([2, 3, 4]),
  priceDecimals: z.literal([2, 3, 4, 5]),
  moneyDecimals: z.literal(2),
  lowerCaseSig: z.boolean(),
  errorData: z.enum(['empty', 'absent']),
  extras: z.enum(fieldExtras),
  answersWithOperatorId: z.boolean(),
  queryElectMoney: z.boolean(),
  identifierLengthMax: z.nullable(z.int().check(z.gte(1), z.lte(identifierLengthsMax))),
  timeWindowMs: z.int().check(z.gte(1), z.lte(timeWindowMsMax)),
  connectorTypes: z.enum(['cec', 'shenzhen']),
  nationalStandards: z.enum(['cec', 'extended']),
}) satisfies z.ZodMiniType<PartnerProfile>;

export const partner = z.object({
  id: idField<'partner'>(),
  version: z.int(),
  /** Its organization code: characters 9 to 17 of its credit code. */
  operatorId: z.string(),
  name: z.string(),
  role: z.enum(partnerRoles),
  enabled: z.boolean(),
  environment: z.enum(partnerEnvironments),
  creditCode: z.string(),
  platformName: z.string(),
  dockingCode: z.string(),
  contact: z.string(),
  contactPhone: shown.phone(),
  servicePhone: z.string(),
  secondServicePhone: z.string(),
  address: z.string(),
  remark: z.string(),
  baseUrl: z.string(),
  /** Interfaces that are elsewhere, by their name. */
  interfaceUrls: z.record(z.string(), z.string()),
  /** Where it may call from; empty for anywhere. */
  allowedAddresses: z.array(z.string()),
  profile: partnerProfile,
  /** Whether it is told of anything at all. */
  pushing: z.boolean(),
  pushes: z.array(z.enum(partnerPushes)),
  /** Whether its stations are pulled. */
  pulling: z.boolean(),
  /** Requests to it in a second. */
  ratePerSecond: z.int(),
  /** What its charges cost; null for what the stations ask of everybody. */
  tariffId: z.nullable(idField<'tariff'>()),
  tariffName: z.nullable(z.string()),
  /** Below it, it begins no charge. */
  startBalanceMinFen: fenField,
  siteCount: z.int(),
  /** Of what it deposited: free to charge with, held by running charges, and owed. */
  balanceFen: fenField,
  heldFen: fenField,
  owedFen: fenField,
  /** What we owe it for charges of our customers at its stations. */
  payableFen: fenField,
  /** Deliveries that wait, and those that were given up. */
  pendingDeliveries: z.int(),
  failedDeliveries: z.int(),
  createdAt: instantField,
  changedAt: instantField,
});
export type Partner = z.output<typeof partner>;

const keySet = z.object({
  /** The ends of the operator secret: enough to know it by, and none of the other three. */
  hint: z.string(),
  from: instantField,
  /** Null while it is the present one; an instant to come while a rotation lets it go on. */
  until: z.nullable(instantField),
  userName: z.nullable(z.string()),
});
export type KeySet = z.output<typeof keySet>;

const partnerSite = z.object({
  siteId: idField<'site'>(),
  siteName: z.string(),
  /** Whether the site is open to interconnection at present; otherwise the partner does not see it. */
  opened: z.boolean(),
  tariffId: z.nullable(idField<'tariff'>()),
  tariffName: z.nullable(z.string()),
  openedAt: instantField,
});
export type PartnerSite = z.output<typeof partnerSite>;

export const partnerDetail = z.extend(partner, {
  /** Our own organization code; null until the parameter has one. */
  ownOperatorId: z.nullable(z.string()),
  keys: z.object({ inbound: z.array(keySet), outbound: z.array(keySet) }),
  sites: z.array(partnerSite),
});
export type PartnerDetail = z.output<typeof partnerDetail>;

export const listPartners = listRoute({
  name: 'listPartners',
  path: '/partners',
  summary: 'Other operators and platforms that stations and orders are exchanged with',
  permission: ['partner.read', 'partner_delivery.read'],
  sorts: ['createdAt', 'name'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    operatorId: filter.text(9),
    role: filter.choice(partnerRoles),
    environment: filter.choice(partnerEnvironments),
    enabled: filter.flag(),
    pushing: filter.flag(),
    /** Sites that are open to it. */
    siteId: filter.id('site'),
  },
  item: partner,
  columns: columnsOf<Partner>()({
    name: { kind: 'text', title: 'interop.name' },
    operatorId: { kind: 'number', title: 'interop.operatorId' },
    role: { kind: 'choice', title: 'interop.role', words: 'partner-role' },
    enabled: { kind: 'flag', title: 'interop.state', words: ['interop.on', 'interop.off'] },
    environment: { kind: 'choice', title: 'interop.environment', words: 'partner-environment' },
    pushing: { kind: 'flag', title: 'interop.pushing' },
    pushes: { kind: 'choices', title: 'interop.pushes', words: 'partner-push' },
    siteCount: { kind: 'count', title: 'interop.sites' },
    pendingDeliveries: { kind: 'count', title: 'interop.pending' },
    failedDeliveries: { kind: 'count', title: 'interop.failed' },
    balanceFen: { kind: 'money', title: 'interop.balance', hint: 'interop.balanceHint' },
    heldFen: { kind: 'money', title: 'interop.held' },
    owedFen: { kind: 'money', title: 'interop.owed' },
    payableFen: { kind: 'money', title: 'interop.payable', hint: 'interop.payableHint' },
    startBalanceMinFen: { kind: 'money', title: 'interop.startBalanceMin', hint: 'interop.startBalanceMinHint' },
    tariffName: { kind: 'text', title: 'interop.tariff', absent: 'interop.stationsTariff' },
    platformName: { kind: 'text', title: 'interop.platformName' },
    dockingCode: { kind: 'number', title: 'interop.dockingCode' },
    creditCode: { kind: 'number', title: 'interop.creditCode' },
    contact: { kind: 'text', title: 'interop.contact' },
    contactPhone: { kind: 'number', title: 'interop.contactPhone' },
    servicePhone: { kind: 'number', title: 'interop.servicePhone' },
    secondServicePhone: { kind: 'number', title: 'interop.secondServicePhone' },
    address: { kind: 'text', title: 'interop.address' },
    baseUrl: { kind: 'number', title: 'interop.baseUrl' },
    allowedAddresses: {
      kind: 'text',
      title: 'interop.allowedAddresses',
      of: ({ allowedAddresses }) => allowedAddresses.join(' '),
      absent: 'interop.anyAddress',
    },
    remark: { kind: 'text', title: 'interop.remark' },
    createdAt: { kind: 'instant', title: 'interop.createdAt' },
    changedAt: { kind: 'instant', title: 'interop.changedAt' },
  }),
});

export const getPartner = route({
  method: 'GET',
  path: '/partners/{id}',
  summary: 'One partner with its sites, and since when its keys hold; never the keys',
  permission: 'partner.read',
  params: z.object({ id: idParameter<'partner'>() }),
  answer: partnerDetail,
  errors: [],
});

const identity = {
  operatorId: operatorIdField,
  name: textField(64),
  role: z.enum(partnerRoles),
  baseUrl: webAddressField,
};
const settings = {
  environment: z.optional(z.enum(partnerEnvironments)),
  creditCode: z.optional(creditCodeField),
  platformName: z.optional(textField(64, 0)),
  dockingCode: z.optional(textField(64, 0)),
  contact: z.optional(textField(32, 0)),
  contactPhone: z.optional(textField(20, 0)),
  servicePhone: z.optional(textField(20, 0)),
  secondServicePhone: z.optional(textField(20, 0)),
  address: z.optional(textField(200, 0)),
  remark: z.optional(linesField(500, 0)),
  interfaceUrls: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z_]{1,64}$/, 'bad_format')), webAddressField)),
  allowedAddresses: z.optional(z.array(textField(64)).check(z.maxLength(allowedAddressesMax))),
  profile: z.optional(z.partial(partnerProfile)),
  pushing: z.optional(z.boolean()),
  pushes: z.optional(z.array(z.enum(partnerPushes)).check(z.maxLength(partnerPushes.length))),
  pulling: z.optional(z.boolean()),
  ratePerSecond: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
  tariffId: z.optional(z.nullable(idField<'tariff'>())),
  startBalanceMinFen: z.optional(fenField.check(z.gte(0), z.lte(depositFenMax))),
};

export const createPartner = route({
  method: 'POST',
  path: '/partners',
  summary: 'Add a partner. Keys that are left out are generated; all of them are in this answer and in no other',
  permission: 'partner.edit',
  body: z.object({ ...identity, ...settings, inbound: z.optional(givenKeys), outbound: z.optional(givenKeys) }),
  answer: z.extend(partnerDetail, { inbound: shownKeys, outbound: shownKeys }),
  errors: ['partner.code_taken', 'partner.own_code'],
});

export const changePartner = route({
  method: 'PUT',
  path: '/partners/{id}',
  summary: 'Change a partner and how it is connected. Omitted fields stay; keys are changed by a rotation',
  permission: 'partner.edit',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({
    /** Of what was read: a change in between is refused. */
    version: z.optional(z.int()),
    ...z.partial(z.object(identity)).shape,
    ...settings,
  }),
  answer: partnerDetail,
  errors: ['partner.code_taken', 'partner.own_code', 'partner.code_in_use', 'partner.role_in_use', 'record.changed'],
});

export const enablePartner = route({
  method: 'PUT',
  path: '/partners/{id}/enabled',
  summary: 'Let a partner call us and be told, or stop both; running charges go on',
  permission: 'partner.edit',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: partnerDetail,
  errors: [],
});

export const deletePartner = route({
  method: 'DELETE',
  path: '/partners/{id}',
  summary: 'Delete a partner that never charged and never deposited anything',
  permission: 'partner.edit',
  params: z.object({ id: idParameter<'partner'>() }),
  answer: nothing,
  errors: ['partner.in_use'],
});

export const openSitesToPartner = route({
  method: 'PUT',
  path: '/partners/{id}/sites',
  summary: 'Set which sites a partner sees: exactly these. Sites that come to it need everything the standard demands',
  permission: 'partner.sites',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({
    siteIds: z.array(idField<'site'>()).check(z.maxLength(partnerSitesMax)),
    /** Billing rules of single sites; sites without an entry keep theirs, new ones cost what the partner does. */
    prices: z.optional(
      z
        .array(z.object({ siteId: idField<'site'>(), tariffId: z.nullable(idField<'tariff'>()) }))
        .check(z.maxLength(partnerSitesMax)),
    ),
  }),
  answer: partnerDetail,
  errors: ['partner.opening_failed'],
});

export const rotatePartnerKeys = route({
  method: 'POST',
  path: '/partners/{id}/key-rotations',
  summary: 'Begin new keys of one direction; the ones before stay valid for the overlap. Shown in this answer alone',
  permission: 'partner.keys',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({
    direction: z.enum(keyDirections),
    keys: z.optional(givenKeys),
    /** 0 ends all keys before at once, and the tokens that were given for them. */
    overlapHours: z.optional(z.int().check(z.gte(0), z.lte(overlapHours.max))),
  }),
  answer: z.object({
    direction: z.enum(keyDirections),
    keys: shownKeys,
    from: instantField,
    /** Until when the keys before stay valid; null where there were none. */
    previousUntil: z.nullable(instantField),
  }),
  errors: [],
});
