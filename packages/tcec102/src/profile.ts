/** Everything in which partners differ: the text of 2016, its corrections, and what provinces added to it. */
import { minuteMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** Whose additional fields are written, and read where they come. */
export const fieldExtras = ['none', 'zhejiang', 'shenzhen', 'beijing', 'joint-test'] as const;
export type FieldExtras = (typeof fieldExtras)[number];

export type PartnerProfile = {
  /** How SevicePrice and its relatives are written; both spellings are always read. The text of 2016 says `sevice`. */
  spelling: 'sevice' | 'service';
  /** Digits after the point of energy in kWh. The joint test demands 3. */
  energyDecimals: 2 | 3 | 4;
  /** Digits after the point of prices in yuan per kWh. */
  priceDecimals: 2 | 3 | 4 | 5;
  /** Digits after the point of amounts in yuan. */
  moneyDecimals: 2;
  /** Whether a signature in lower-case hexadecimal is accepted. */
  lowerCaseSig: boolean;
  /** What an answer without content has for Data. */
  errorData: 'empty' | 'absent';
  extras: FieldExtras;
  /** Whether our answers name us beside Ret; the signature does not cover it. */
  answersWithOperatorId: boolean;
  /** Whether query_equip_charge_status answers ElectMoney; the notification always has ElecMoney. Both are read. */
  queryElectMoney: boolean;
  /** Length that every identifier may have, where it exceeds the field's own; null for the fields' own alone. */
  identifierLengthMax: number | null;
  /** How far a request's TimeStamp may be from our clock, in either direction. */
  timeWindowMs: number;
  /** ConnectorType 5 is `wireless` in the text and high-power AC in Shenzhen, where 255 is another. */
  connectorTypes: 'cec' | 'shenzhen';
  /** Whether NationalStandard may be 3 (2011 and 2015) and 4 (2023); the text of 2016 ends with 2. */
  nationalStandards: 'cec' | 'extended';
};

export const defaultProfile: PartnerProfile = {
  spelling: 'sevice',
  energyDecimals: 2,
  priceDecimals: 4,
  moneyDecimals: 2,
  lowerCaseSig: false,
  errorData: 'empty',
  extras: 'none',
  answersWithOperatorId: false,
  queryElectMoney: false,
  identifierLengthMax: null,
  timeWindowMs: 5 * minuteMs,
  connectorTypes: 'cec',
  nationalStandards: 'cec',
};

/** Longest identifier of any partner, and widest time window, that a profile may allow. */
export const identifierLengthsMax = 64;
export const timeWindowMsMax = 60 * minuteMs;

export type ProfileFault = { field: keyof PartnerProfile | null; because: 'not-an-object' | 'not-allowed' };

const flags = [false, true] as const;

/** The values that a field may have, or a range of whole numbers. */
const allowed: {
  readonly [Field in keyof PartnerProfile]:
    | readonly PartnerProfile[Field][]
    | { readonly min: number; readonly max: number; readonly orNull: boolean };
} = {
  spelling: ['sevice', 'service'],
  energyDecimals: [2, 3, 4],
  priceDecimals: [2, 3, 4, 5],
  moneyDecimals: [2],
  lowerCaseSig: flags,
  errorData: ['empty', 'absent'],
  extras: fieldExtras,
  answersWithOperatorId: flags,
  queryElectMoney: flags,
  identifierLengthMax: { min: 1, max: identifierLengthsMax, orNull: true },
  timeWindowMs: { min: 1, max: timeWindowMsMax, orNull: false },
  connectorTypes: ['cec', 'shenzhen'],
  nationalStandards: ['cec', 'extended'],
};

/** A stored profile. What it leaves out is as in `defaultProfile`; what it has besides is left out. */
export function readProfile(json: unknown): Result<PartnerProfile, ProfileFault> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return failed({ field: null, because: 'not-an-object' });
  }
  const given = new Map(Object.entries(json));
  const profile: Record<string, unknown> = { ...defaultProfile };
  for (const field of Object.keys(allowed) as (keyof PartnerProfile)[]) {
    const value: unknown = given.get(field);
    if (value === undefined) continue;
    if (!isAllowed(allowed[field], value)) return failed({ field, because: 'not-allowed' });
    profile[field] = value;
  }
  return ok(profile as PartnerProfile);
}

function isAllowed(values: (typeof allowed)[keyof PartnerProfile], value: unknown): boolean {
  if ('min' in values) {
    if (value === null) return values.orNull;
    return typeof value === 'number' && Number.isInteger(value) && value >= values.min && value <= values.max;
  }
  return (values as readonly unknown[]).includes(value);
}
