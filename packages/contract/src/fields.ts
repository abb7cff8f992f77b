import type { WattHours } from '@voltdeck/units/energy';
import type { Id } from '@voltdeck/units/id';
import type { Fen, PriceE5 } from '@voltdeck/units/money';
import * as z from 'zod/mini';

/**
 * The kinds of field that cross the wire. A check that needs its own message gives a field fault code as its error
 * (`error: 'phone_digits'`); the server and the form derive all others from zod's issue.
 */

const branded = <Brand>(schema: z.ZodMiniNumber) => schema as unknown as z.ZodMiniType<Brand, Brand>;

export const fenField = branded<Fen>(z.int());
/** An amount above zero. */
export const fenFieldUpTo = (maxFen: number) => branded<Fen>(z.int().check(z.gte(1), z.lte(maxFen)));
export const positiveFenField = fenFieldUpTo(100_000_000_00);
export const energyField = branded<WattHours>(z.int());
export const priceField = branded<PriceE5>(z.int().check(z.gte(0), z.lte(100_000_00)));
export const idField = <Kind extends string>() => branded<Id<Kind>>(z.int().check(z.gte(1)));
/** An id in a path or query, where every value is text. */
export const idParameter = <Kind extends string>() =>
  z.coerce.number().check(z.int(), z.gte(1)) as unknown as z.ZodMiniType<Id<Kind>, unknown>;

/** Instants whose year has four digits in every time zone and in the database. */
const instantsMs = { first: Date.UTC(1970, 0, 1), last: Date.UTC(9999, 11, 31, 23, 59, 59, 999) } as const;

/** ISO 8601 with a zone, from 1970 to 9999 in UTC, e.g. 2026-11-21T07:00:00.000Z. */
export const instantField = z.iso.datetime({ offset: true, error: 'not_instant', abort: true }).check(
  z.refine(
    (text) => {
      const at = Date.parse(text);
      return at >= instantsMs.first && at <= instantsMs.last;
    },
    { error: 'not_instant' },
  ),
);

/** The last day that a date may be; its year has four digits, as the database and every form want it. */
export const lastDay = '9999-12-31';
/** A day from 1970 to 9999, e.g. 2027-12-31. */
export const dayField = z.iso
  .date({ error: 'not_day', abort: true })
  .check(z.refine((text) => text >= '1970-01-01' && text <= lastDay, { error: 'not_day' }));

/** An instant, or a day in China that is meant from its beginning to its end. */
export const momentField = z.union([dayField, instantField], { error: 'not_instant' });

/** What turns the text after it around on the screen, so that a name reads as another one (Unicode annex 9). */
const turning = /[\u202a-\u202e\u2066-\u2069]/;
/** A name of nothing but joiners, marks and fillers is one that nobody can see. */
const isSeen = (text: string) => text === '' || /[^\p{Cf}\p{Z}\p{M}\u115f\u1160\u3164\uffa0]/u.test(text);
const isOneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && !turning.test(text) && isSeen(text);
const isLines = (text: string) => isOneLine(text.replaceAll(/[\r\n\t]/g, ''));

/** A text on one line, such as a name: without control characters and those that turn text around. */
export const textField = (max: number, min = 1) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.refine(isOneLine, { error: 'bad_characters' }));
/** A text of several lines, such as a reason or a remark; otherwise as `textField`. */
export const linesField = (max: number, min = 1) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.refine(isLines, { error: 'bad_characters' }));
const isHundredths = (percent: number) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6;
/** A percentage from 0 to 100 with up to two decimals. */
export const percentField = z.number().check(z.gte(0), z.lte(100), z.refine(isHundredths, { error: 'two_decimals' }));
/** Specification section 5: digits only, exactly 11. */
export const phoneField = z
  .string()
  .check(z.trim(), z.regex(/^\d*$/, { error: 'phone_digits', abort: true }), z.length(11, 'phone_length'));
/** Specification section 5: 16 characters of 0-9 and A-F. */
export const cardNumberField = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-F]{16}$/, 'card_number'));
/** Specification section 5: at least 6 characters. */
export const newPasswordField = z.string().check(z.minLength(6, 'password_short'), z.maxLength(256));
/** Specification section 5, name check: 1-32 letters or digits, or any Chinese characters; ours also takes . _ and -. */
export const userNameField = z
  .string()
  .check(z.trim(), z.regex(/^[\p{Script=Han}A-Za-z0-9._-]{1,32}$/u, 'user_name_format'));
/** Specification section 5: link-like values start with http, https, mailto or tel. */
export const linkField = z
  .string()
  .check(z.trim(), z.maxLength(500), z.regex(/^(?:https?:\/\/|mailto:|tel:)\S+$/i, 'link_format'));
/** A station's number, which is also its OCPP identity and basic-auth user. */
export const stationNumberField = z
  .string()
  .check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/, 'station_number'));

const queryList = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',').filter((part) => part !== '')),
    ),
    z.array(z.enum(values)).check(z.minLength(1), z.maxLength(50)),
  ) as unknown as z.ZodMiniType<Values[number][], unknown>;

/** What a list filter accepts; the console draws its field from it. */
export type FilterKind =
  /** `personal` filters search such data; callers who see it masked must give the whole number. */
  | { kind: 'text'; maxLength: number; personal?: PersonalNumber }
  | { kind: 'choice'; values: readonly string[]; isSingle: boolean }
  | { kind: 'record'; record: string }
  | { kind: 'flag' }
  | { kind: 'number'; min: number; max: number }
  /** An amount, entered in yuan and sent in fen. */
  | { kind: 'money'; maxFen: number }
  | { kind: 'region' }
  | { kind: 'instant' };

const filterKinds = new WeakMap<object, FilterKind>();

function known<Schema extends z.ZodMiniType>(kind: FilterKind, schema: Schema): Schema {
  filterKinds.set(schema, kind);
  return schema;
}

/** What a query field filters by; undefined where it is not a filter. */
export function filterKindOf(schema: z.ZodMiniType): FilterKind | undefined {
  return filterKinds.get(schema);
}

/** Filters of list queries: all are optional, and lists are written `a,b`. */
export const filter = {
  text: (max = 64) => known({ kind: 'text', maxLength: max }, z.optional(z.string().check(z.trim(), z.maxLength(max)))),
  phone: () =>
    known({ kind: 'text', maxLength: 20, personal: 'phone' }, z.optional(z.string().check(z.trim(), z.maxLength(20)))),
  card: () =>
    known({ kind: 'text', maxLength: 20, personal: 'card' }, z.optional(z.string().check(z.trim(), z.maxLength(20)))),
  plate: () =>
    known({ kind: 'text', maxLength: 16, personal: 'plate' }, z.optional(z.string().check(z.trim(), z.maxLength(16)))),
  vin: () =>
    known({ kind: 'text', maxLength: 17, personal: 'vin' }, z.optional(z.string().check(z.trim(), z.maxLength(17)))),
  choice: <const Values extends readonly [string, ...string[]]>(values: Values) =>
    known({ kind: 'choice', values, isSingle: false }, z.optional(queryList(values))),
  /** A single value, where two together make no sense. */
  one: <const Values extends readonly [string, ...string[]]>(values: Values) =>
    known({ kind: 'choice', values, isSingle: true }, z.optional(z.enum(values))),
  id: <const Kind extends string>(record: Kind) => known({ kind: 'record', record }, z.optional(idParameter<Kind>())),
  flag: () =>
    known(
      { kind: 'flag' },
      z.optional(
        z.pipe(
          z.enum(['true', 'false']),
          z.transform((text) => text === 'true'),
        ) as unknown as z.ZodMiniType<boolean, unknown>,
      ),
    ),
  number: (min: number, max: number) =>
    known(
      { kind: 'number', min, max },
      z.optional(
        z.coerce.number().check(z.int(), z.gte(min), z.lte(max)),
      ) as unknown as z.ZodMiniOptional<z.ZodMiniNumber>,
    ),
  fen: (maxFen: number) =>
    known(
      { kind: 'money', maxFen },
      z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(maxFen))) as unknown as z.ZodMiniOptional<
        z.ZodMiniType<Fen, unknown>
      >,
    ),
  /** Everything in a region of any level, given by its leading digits. */
  region: () => known({ kind: 'region' }, z.optional(z.string().check(z.regex(/^\d{2,6}$/, 'bad_format')))),
  instant: () => known({ kind: 'instant' }, z.optional(instantField)),
  moment: () => known({ kind: 'instant' }, z.optional(momentField)),
};

/**
 * Kinds of personal data in answers, masked for callers without `personal.reveal`. `email` is a text with mail addresses
 * in it; `name` is a login name, which may be a phone; `fields` is JSON of any shape, masked by field names; `exchange` is a log row, whose frames may hold a card; `partner-text` is what was said with another operator.
 */
export type PersonalKind = PersonalNumber | 'email' | 'name' | 'fields' | 'exchange' | 'partner-text';

/** What leads to one person: a phone, a card, the plate or the VIN of a vehicle. */
export type PersonalNumber = 'phone' | 'card' | 'plate' | 'vin';

type AnyRow = Readonly<Record<string, unknown>>;

export type Personal = {
  /** A function chooses the kind from the enclosing object and the one around it. */
  kind: PersonalKind | ((row: AnyRow, around: AnyRow | null) => PersonalKind | null);
  /** A sibling field with a user id: callers see their own data in full. */
  ownedBy?: string;
};

const personals = new WeakMap<object, Personal>();

function personal<Schema extends z.ZodMiniType>(of: Personal, schema: Schema): Schema {
  personals.set(schema, of);
  return schema;
}

/** The kind of personal data that a schema holds; undefined for none. */
export function personalOf(schema: object): Personal | undefined {
  return personals.get(schema);
}

const owned = (ownedBy: string | undefined) => (ownedBy === undefined ? {} : { ownedBy });

/** Personal data in answers. The server masks by these schemas alone. */
export const shown = {
  phone: (ownedBy?: string) => personal({ kind: 'phone', ...owned(ownedBy) }, z.string()),
  card: () => personal({ kind: 'card' }, z.string()),
  plate: () => personal({ kind: 'plate' }, z.string()),
  vin: () => personal({ kind: 'vin' }, z.string()),
  email: () => personal({ kind: 'email' }, z.string()),
  name: (ownedBy?: string) => personal({ kind: 'name', ...owned(ownedBy) }, z.string()),
  /** A text whose kind depends on its siblings. */
  by: (kind: (row: AnyRow, around: AnyRow | null) => PersonalKind | null) => personal({ kind }, z.string()),
  fields: <Schema extends z.ZodMiniType>(schema: Schema) => personal({ kind: 'fields' }, schema),
  partnerText: () => personal({ kind: 'partner-text' }, z.string()),
  exchange: <Schema extends z.ZodMiniType>(schema: Schema) => personal({ kind: 'exchange' }, schema),
};

/** The kind of personal data that a field name implies. */
export function personalByName(name: string): PersonalNumber | 'email' | null {
  if (/(?:phone|mobile)s?$/i.test(name)) return 'phone';
  if (/(?:card_?(?:number|no)s?|id_?tag|physical_?numbers?|payout_?number|bank_?accounts?)$/i.test(name)) return 'card';
  if (/e_?mails?$/i.test(name)) return 'email';
  if (/(?:^p|_p|P)lates?$/.test(name)) return 'plate';
  return /(?:^v|_v|V)ins?$/.test(name) ? 'vin' : null;
}

export const pageSizes = [10, 20, 50, 100] as const;
/** Lists page through this many rows at most; beyond it, use a filter or an export. */
export const listDepthMax = 10_000;

/**
 * `page` from 1, `pageSize` up to 100, `sort` a column name with "-" for descending. `total=none` answers the page
 * without counting; the list's totals route counts.
 */
export const listFields = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => {
  const both = sorts.flatMap((name) => [name, `-${name}`]) as [string, ...string[]];
  return {
    page: z._default(z.coerce.number().check(z.int(), z.gte(1)), 1) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
    pageSize: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(100)),
      20,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
    sort: z.optional(z.enum(both)) as unknown as z.ZodMiniOptional<z.ZodMiniType<Sorts[number] | `-${Sorts[number]}`>>,
    total: z.optional(z.enum(['none'])),
  };
};

/**
 * `total` is exact up to `listDepthMax`; beyond it `totalIsAtLeast` says that there are more. It is null where it was
 * neither requested nor already known.
 */
export const listAnswer = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.nullable(z.int()),
    totalIsAtLeast: z.optional(z.boolean()),
    /** By column key, where the list's page carries them. */
    sums: z.optional(z.nullable(z.record(z.string(), z.int()))),
  });

export type ListAnswer<Item> = { items: Item[]; total: number | null; totalIsAtLeast?: boolean };

export const nothing = z.null();
export const named = z.object({ id: z.int(), name: z.string() });
