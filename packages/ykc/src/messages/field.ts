import type { Instant } from '@voltdeck/units/instant';

/**
 * How the bytes of a field stand on the wire and what a message object holds for them. **One rule for all numbers: a
 * message holds the wire's own integer, neither scaled nor shifted.** `decimals`, `shift` and `unit` say what a person
 * should read: (integer + shift) / 10^decimals.
 *
 * - `digits`: BCD, most significant digit first; text of 2 × length characters. Letters A–F occur and are kept.
 * - `gun`: one BCD byte as a number, 1 to 99. A pile that writes 10 as 0x0A is understood, too.
 * - `uint`: unsigned little-endian number of 1 to 5 bytes.
 * - `ascii`: text up to the first 0x00; what is not printable ASCII becomes U+FFFD. `reversed-ascii`: last character first.
 * - `raw`: bytes as upper-case hex text in wire order.
 * - `time`: CP56Time2a of Asia/Shanghai as an instant; null when the bytes are no time or are marked invalid.
 * - `bytes`: one number for every byte.
 * - `count`: how many entries follow. Not in the message: its list has a length.
 * - `reserved`: not in the message; written as zeros, read over.
 */
export type Encoding =
  | 'digits'
  | 'gun'
  | 'uint'
  | 'ascii'
  | 'reversed-ascii'
  | 'raw'
  | 'time'
  | 'bytes'
  | 'count'
  | 'reserved';

type Values = {
  digits: string;
  gun: number;
  uint: number;
  ascii: string;
  'reversed-ascii': string;
  raw: string;
  time: Instant | null;
  bytes: readonly number[];
};

export type Unit = 'V' | 'A' | 'kWh' | 'Ah' | 'kW' | 'yuan' | 'yuan-per-kwh' | 'celsius' | 'percent' | 'min';

/** The meanings of a field's numbers: a key for every documented code. Others occur and stay numbers. */
export type Enumeration<Key extends string = string> = {
  readonly name: string;
  readonly meanings: Readonly<Record<number, Key>>;
};

/** A part of a field, starting at bit `from` of its first byte (lowest is 0). */
export type BitItem = {
  readonly key: string;
  readonly from: number;
  readonly width: number;
  readonly meanings?: Enumeration;
  readonly decimals?: number;
  readonly unit?: Unit;
};

export type BitSet = { readonly name: string; readonly items: readonly BitItem[] };

export type Reading = {
  /** Digits after the decimal point. */
  readonly decimals?: number;
  /** Added to the wire's integer, in its own unit: -4000 for a current in tenths that starts at -400 A. */
  readonly shift?: number;
  readonly unit?: Unit;
  readonly meanings?: Enumeration;
  readonly bits?: BitSet;
  /** The phrase key of the field if its own name is not one. */
  readonly label?: string;
  /** For the documentation page. */
  readonly note?: string;
};

export type Field<Name extends string = string, E extends Encoding = Encoding> = Reading & {
  readonly name: Name;
  readonly encoding: E;
  /** Bytes. */
  readonly length: number;
  /** Bytes from the start of the body, or of its entry in a list. */
  readonly offset: number;
};

type FieldMaker<E extends Encoding> = <const Name extends string>(
  name: Name,
  length: number,
  reading?: Reading,
) => Field<Name, E>;

function maker<E extends Encoding>(encoding: E): FieldMaker<E> {
  return (name, length, reading = {}) => ({ name, encoding, length, offset: 0, ...reading });
}

export const digits = maker('digits');
export const uint = maker('uint');
export const ascii = maker('ascii');
export const reversedAscii = maker('reversed-ascii');
export const raw = maker('raw');
export const bytes = maker('bytes');
export const reserved = maker('reserved');

export function u8<const Name extends string>(name: Name, reading: Reading = {}): Field<Name, 'uint'> {
  return uint(name, 1, reading);
}

export function u16<const Name extends string>(name: Name, reading: Reading = {}): Field<Name, 'uint'> {
  return uint(name, 2, reading);
}

export function u32<const Name extends string>(name: Name, reading: Reading = {}): Field<Name, 'uint'> {
  return uint(name, 4, reading);
}

export function time<const Name extends string>(name: Name, reading: Reading = {}): Field<Name, 'time'> {
  return { name, encoding: 'time', length: 7, offset: 0, ...reading };
}

export const pileNo = digits('pileNo', 7, { note: '14 digits' });
export const gunNo: Field<'gunNo', 'gun'> = { name: 'gunNo', encoding: 'gun', length: 1, offset: 0, note: '1 to 99' };
export const tradeNo = digits('tradeNo', 16, { note: '32 characters, opaque; all zeros: no session' });
export const count: Field<'count', 'count'> = { name: 'count', encoding: 'count', length: 1, offset: 0 };

export function enumeration<const Meanings extends Readonly<Record<number, string>>>(
  name: string,
  meanings: Meanings,
): Enumeration<Meanings[keyof Meanings & number]> {
  return { name, meanings };
}

/** The meaning of a code; null for an undocumented one. */
export function meaningOf<Key extends string>({ meanings }: Enumeration<Key>, code: number): Key | null {
  return meanings[code] ?? null;
}

/** The first code of a meaning. */
export function codeOf<Key extends string>({ meanings }: Enumeration<Key>, key: NoInfer<Key>): number {
  for (const [code, meaning] of Object.entries(meanings)) if (meaning === key) return Number(code);
  throw new RangeError(`no code means "${key}"`);
}

/** A list at the end of a body. */
export type EntryList<Name extends string = string, Fields extends readonly Field[] = readonly Field[]> = {
  readonly name: Name;
  readonly fields: Fields;
  /** Bytes of one entry. */
  readonly entryLength: number;
  /** The minimum number of entries to write. */
  readonly entriesMin: number;
  readonly entriesMax: number;
};

export function entryList<const Name extends string, const Fields extends readonly Field[]>(
  name: Name,
  fields: Fields,
  entriesMin: number,
  entriesMax: number,
): EntryList<Name, Fields> {
  const laid = layOut(fields);
  return { name, fields: laid.fields, entryLength: laid.length, entriesMin, entriesMax };
}

/** Who sends a message. */
export type Sender = 'pile' | 'platform';

export type Definition<
  Kind extends string = string,
  Type extends number = number,
  Fields extends readonly Field[] = readonly Field[],
  List extends EntryList | null = EntryList | null,
  Answer extends string | null = string | null,
> = {
  readonly kind: Kind;
  /** The frame type byte. */
  readonly type: Type;
  readonly sender: Sender;
  /** The kind of the message that answers this one (section 3.2). */
  readonly answer: Answer;
  /** Added in version 1.6. */
  readonly since16: boolean;
  readonly fields: Fields;
  readonly list: List;
  /** Bytes of a body without list entries; longer ones occur, and their rest is ignored. */
  readonly length: number;
};

type Extras<Answer extends string | null> = { answer?: Answer; since16?: true };

export function message<
  const Kind extends string,
  const Type extends number,
  const Fields extends readonly Field[],
  const Answer extends string | null = null,
>(kind: Kind, type: Type, fields: Fields, extras: Extras<Answer> = {}): Definition<Kind, Type, Fields, null, Answer> {
  return { ...define(kind, type, fields, extras), list: null };
}

export function listMessage<
  const Kind extends string,
  const Type extends number,
  const Fields extends readonly Field[],
  const List extends EntryList,
  const Answer extends string | null = null,
>(
  kind: Kind,
  type: Type,
  fields: Fields,
  list: List,
  extras: Extras<Answer> = {},
): Definition<Kind, Type, Fields, List, Answer> {
  return { ...define(kind, type, fields, extras), list };
}

/** The pile sends odd types, the platform even ones (section 1). */
function define<
  Kind extends string,
  Type extends number,
  Fields extends readonly Field[],
  Answer extends string | null,
>(
  kind: Kind,
  type: Type,
  fields: Fields,
  { answer, since16 }: Extras<Answer>,
): Omit<Definition<Kind, Type, Fields, null, Answer>, 'list'> {
  return {
    kind,
    type,
    sender: type % 2 === 1 ? 'pile' : 'platform',
    answer: (answer ?? null) as Answer,
    since16: since16 ?? false,
    ...layOut(fields),
  };
}

/** Fields have no gaps, so their order and lengths give the offsets. */
function layOut<Fields extends readonly Field[]>(fields: Fields): { fields: Fields; length: number } {
  let offset = 0;
  const laid = fields.map((field) => {
    const placed = { ...field, offset };
    offset += field.length;
    return placed;
  });
  return { fields: laid as unknown as Fields, length: offset };
}

type ValuesOf<Fields extends readonly Field[]> = {
  readonly [F in Fields[number] as F['encoding'] extends keyof Values
    ? F['name']
    : never]: F['encoding'] extends keyof Values ? Values[F['encoding']] : never;
};

type ListOf<List> =
  List extends EntryList<infer Name, infer Fields>
    ? { readonly [N in Name]: readonly ValuesOf<Fields>[] }
    : Record<never, never>;

type Flat<T> = { readonly [Key in keyof T]: T[Key] };

/** The message object that a definition describes. */
export type MessageFrom<D> =
  D extends Definition<infer Kind, number, infer Fields, infer List>
    ? Flat<{ kind: Kind } & ValuesOf<Fields> & ListOf<List>>
    : never;
