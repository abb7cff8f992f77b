/**
 * What a field of the business JSON is. One table of fields makes reader, writer, types and documentation.
 *
 * A message object has the wire's own names in their corrected spelling (`ServiceMoney`), and values of ours: amounts in
 * fen, energy in Wh, power in W, current in mA, voltage in mV, times as instants. Codes stay the wire's numbers; their
 * meanings are in the table.
 */
import type { Milliamperes, Millivolts, WattHours, Watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen, PriceE5 } from '@voltdeck/units/money';
import type { FieldExtras, PartnerProfile } from '../profile.ts';

/** How sure a statement about the wire is: H two independent sources, M one, L inferred or recollected. */
export type Sureness = 'H' | 'M' | 'L';

/** The meanings of a field's codes: a key for every documented one. */
export type Codes = {
  readonly name: string;
  readonly meanings: Readonly<Record<number, string>>;
  /** Codes that each partner gives a meaning of its own. */
  readonly custom?: { readonly from: number; readonly to: number };
  /** Whether codes beside these occur: for facts that are shown, not for those that decide what follows. */
  readonly isOpen: boolean;
};

/** The unit of a decimal in JSON, which `scale` digits after the point make the unit of the message object. */
export type DecimalUnit = 'yuan' | 'yuan/kWh' | 'kWh' | 'kW' | 'A' | 'V' | '%' | '°' | '°C';

/** Digits after the point that are written: so many, or as the partner's profile says. */
export type Decimals = number | 'moneyDecimals' | 'priceDecimals' | 'energyDecimals';

export type TextKind = {
  readonly kind: 'text';
  readonly charsMax: number;
  /** Where a province allows more. */
  readonly charsMaxOf: { readonly [Extras in FieldExtras]?: number };
};
export type IdentifierKind = { readonly kind: 'identifier'; readonly charsMax: number; readonly isWidened: boolean };
export type IntegerKind = {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  /** Whether some partners write the number as a text. */
  readonly isTextToo: boolean;
};
export type CodeKind = { readonly kind: 'code'; readonly codes: Codes };
export type DecimalKind = {
  readonly kind: 'decimal';
  readonly unit: DecimalUnit;
  readonly scale: number;
  readonly decimals: Decimals;
  readonly min: number;
  readonly max: number;
  /** Whether finer digits than the unit's are rounded when read; otherwise they are a fault, as with money. */
  readonly isRounded: boolean;
};
export type TimeKind = { readonly kind: 'date-time' | 'date' | 'time-of-day' };
export type ListKind = {
  readonly kind: 'list';
  readonly of: Kind;
  readonly itemsMin: number;
  readonly itemsMax: number;
  /** Whether an unreadable item may be left out and told, because the others are worth having without it. */
  readonly isItemwise: boolean;
  /** The field that names an item, told of one that is left out; null where nobody asks. */
  readonly idField: string | null;
};
export type ObjectKind = { readonly kind: 'object'; readonly name: string; readonly fields: Fields };
export type AnyKind =
  | TextKind
  | IdentifierKind
  | IntegerKind
  | CodeKind
  | DecimalKind
  | TimeKind
  | ListKind
  | ObjectKind;

declare const valueType: unique symbol;
/** A kind with the type of its values in a message object. */
export type Kind<Value = unknown> = AnyKind & { readonly [valueType]?: Value };

export type FieldNotes = {
  /** Spelt Sevice by the text of 2016; or ElectMoney by some partners in one answer. */
  readonly spelling?: 'service' | 'elect';
  /** Only with partners whose profile has one of these. */
  readonly extras?: readonly FieldExtras[];
  /** Where it differs from the interface's own. */
  readonly sure?: Sureness;
  /** For the documentation page. */
  readonly note?: string;
};
export type Field = FieldNotes & { readonly kind: Kind; readonly isRequired: boolean };
export type Fields = { readonly [name: string]: Field };

type Flat<T> = { readonly [Key in keyof T]: T[Key] };

type ValueOfKind<K> = K extends Kind<infer Value> ? Value : never;

type ValuesOf<F extends Fields> = Flat<
  {
    readonly [Name in keyof F as F[Name]['isRequired'] extends true ? Name : never]: ValueOfKind<F[Name]['kind']>;
  } & {
    readonly [Name in keyof F as F[Name]['isRequired'] extends true ? never : Name]?:
      | ValueOfKind<F[Name]['kind']>
      | undefined;
  }
>;

/** The message object that a kind describes. */
export type ValueFrom<K> = ValueOfKind<K>;

export function needed<K extends Kind>(kind: K, notes: FieldNotes = {}): FieldNotes & { kind: K; isRequired: true } {
  return { ...notes, kind, isRequired: true };
}

export function optional<K extends Kind>(kind: K, notes: FieldNotes = {}): FieldNotes & { kind: K; isRequired: false } {
  return { ...notes, kind, isRequired: false };
}

/** For people: cleaned of what no database text can hold when read, cut to its length when written. */
export function text(charsMax: number, charsMaxOf: TextKind['charsMaxOf'] = {}): Kind<string> {
  return { kind: 'text', charsMax, charsMaxOf };
}

/** Exact in both directions; leading zeros count. `identifierLengthMax` of a profile widens it. */
export function identifier(charsMax: number): Kind<string> {
  return { kind: 'identifier', charsMax, isWidened: true };
}

/** Characters 9 to 17 of a unified social credit code. */
export const organizationCode: Kind<string> = { kind: 'identifier', charsMax: 9, isWidened: false };

/** StartChargeSeq and its relatives: 27 characters; shorter ones occur and are read. */
export const sequence: Kind<string> = identifier(27);

export function integer(min: number, max: number, isTextToo = false): Kind<number> {
  return { kind: 'integer', min, max, isTextToo };
}

export function code(codes: Codes): Kind<number> {
  return { kind: 'code', codes };
}

/** Codes that decide what follows: others are a fault. */
export function closedCodes(name: string, meanings: Codes['meanings'], custom?: Codes['custom']): Codes {
  return { name, meanings, isOpen: false, ...(custom === undefined ? {} : { custom }) };
}

/** Facts to show: an unknown code is a number like others. */
export function openCodes(name: string, meanings: Codes['meanings']): Codes {
  return { name, meanings, isOpen: true };
}

function decimal<Value>(
  unit: DecimalUnit,
  scale: number,
  decimals: Decimals,
  limits: { min?: number; max: number; isRounded?: boolean },
): Kind<Value> {
  return {
    kind: 'decimal',
    unit,
    scale,
    decimals,
    min: limits.min ?? 0,
    max: limits.max,
    isRounded: limits.isRounded ?? true,
  };
}

/** The most that an amount and an energy may be; what both operators list may sum up to twice as much. */
export const moneyMaxFen = 10_000_000_000;
export const energyMaxWh = 1_000_000_000_000;

/** An amount, never rounded: one that is finer than a fen is nobody's money. Up to 100 million yuan. */
export const money: Kind<Fen> = decimal('yuan', 2, 'moneyDecimals', { max: moneyMaxFen, isRounded: false });
/** Sums of what both operators list, each up to `money`. */
export const moneyOfBoth: Kind<Fen> = decimal('yuan', 2, 'moneyDecimals', { max: 2 * moneyMaxFen, isRounded: false });
/** Up to 1,000 yuan per kWh. */
export const price: Kind<PriceE5> = decimal('yuan/kWh', 5, 'priceDecimals', { max: 100_000_000 });
/** Up to 1 TWh, the sum of a month of a large operator. */
export const energy: Kind<WattHours> = decimal('kWh', 3, 'energyDecimals', { max: energyMaxWh });
/** Sums of what both operators list, each up to `energy`. */
export const energyOfBoth: Kind<WattHours> = decimal('kWh', 3, 'energyDecimals', { max: 2 * energyMaxWh });
/** The same with one digit, whatever the profile says: in statistics. */
export const coarseEnergy: Kind<WattHours> = decimal('kWh', 3, 1, { max: energyMaxWh });
/** Up to 1 GW. Vehicles that give energy back have a negative power. */
export const power: Kind<Watts> = decimal('kW', 3, 1, { min: -1_000_000_000, max: 1_000_000_000 });
export const current: Kind<Milliamperes> = decimal('A', 3, 1, { min: -10_000_000, max: 10_000_000 });
export const voltage: Kind<Millivolts> = decimal('V', 3, 1, { min: -10_000_000, max: 10_000_000 });
/** Whole percent, where some write 255 for what nobody knows. */
export const percentOrUnknown: Kind<number> = decimal('%', 0, 0, { max: 255 });
/** In tenths of a percent. */
export const taxRate: Kind<number> = decimal('%', 1, 1, { max: 1_000 });
/** In tenths of a degree. */
export const temperature: Kind<number> = decimal('°C', 1, 1, { min: -1_000, max: 10_000 });
/** In millionths of a degree, GCJ-02. */
export const longitude: Kind<number> = decimal('°', 6, 6, { min: -180_000_000, max: 180_000_000 });
export const latitude: Kind<number> = decimal('°', 6, 6, { min: -90_000_000, max: 90_000_000 });

/** "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai. */
export const dateTime: Kind<Instant> = { kind: 'date-time' };
/** "yyyy-MM-dd", kept so. */
export const date: Kind<string> = { kind: 'date' };
/** "HHmmss" as seconds since midnight. */
export const timeOfDay: Kind<number> = { kind: 'time-of-day' };

export function list<K extends Kind>(
  of: K,
  itemsMax: number,
  {
    itemsMin = 0,
    isItemwise = false,
    idField = null,
  }: { itemsMin?: number; isItemwise?: boolean; idField?: string | null } = {},
): Kind<readonly ValueOfKind<K>[]> {
  return { kind: 'list', of, itemsMin, itemsMax, isItemwise, idField };
}

/** An object with its fields in the order in which they are written. */
export function object<const F extends Fields>(
  name: string,
  fields: F,
): Kind<ValuesOf<F>> & { readonly kind: 'object'; readonly fields: F } {
  return { kind: 'object', name, fields };
}

/** Whether this partner knows the field. */
export function isInProfile({ extras }: FieldNotes, profile: PartnerProfile): boolean {
  return extras === undefined || extras.includes(profile.extras);
}

export type NameUse = { readonly interfaceName: string; readonly direction: 'request' | 'answer' };

/** Every name under which a field comes, that of the corrected spelling first. */
export function namesOf(name: string, { spelling }: FieldNotes): readonly string[] {
  if (spelling === 'service') return [name, name.replace('Service', 'Sevice')];
  return spelling === 'elect' ? [name, name.replace('Elec', 'Elect')] : [name];
}

/** The name that this partner gets. */
export function writtenName(name: string, notes: FieldNotes, profile: PartnerProfile, use: NameUse): string {
  const [corrected = name, other = name] = namesOf(name, notes);
  if (notes.spelling === 'service') return profile.spelling === 'service' ? corrected : other;
  const isElect =
    profile.queryElectMoney && use.interfaceName === 'query_equip_charge_status' && use.direction === 'answer';
  return notes.spelling === 'elect' && isElect ? other : corrected;
}

/** The object itself and every object within it. */
export function objectsIn(kind: AnyKind): readonly ObjectKind[] {
  if (kind.kind === 'list') return objectsIn(kind.of);
  if (kind.kind !== 'object') return [];
  return [kind, ...Object.values(kind.fields).flatMap((field) => objectsIn(field.kind))];
}
