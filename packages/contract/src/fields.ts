import type { WattHours } from '@voltdeck/units/energy';
import type { Id } from '@voltdeck/units/id';
import type { Fen, PriceE5 } from '@voltdeck/units/money';
import * as z from 'zod/mini';

/**
 * The kinds of field that cross the wire. A check that needs a message of its own names a field fault code as its
 * error (`error: 'phone_digits'`); everything else is named from zod's own issue by the server and the form.
 */

const branded = <Brand>(schema: z.ZodMiniNumber) => schema as unknown as z.ZodMiniType<Brand, Brand>;

export const fenField = branded<Fen>(z.int());
/** An amount above nothing. */
export const fenFieldUpTo = (maxFen: number) => branded<Fen>(z.int().check(z.gte(1), z.lte(maxFen)));
export const positiveFenField = fenFieldUpTo(100_000_000_00);
export const energyField = branded<WattHours>(z.int());
export const priceField = branded<PriceE5>(z.int().check(z.gte(0), z.lte(100_000_00)));
export const idField = <Kind extends string>() => branded<Id<Kind>>(z.int().check(z.gte(1)));
/** An id in a path or query, where everything is text. */
export const idParameter = <Kind extends string>() =>
  z.coerce.number().check(z.int(), z.gte(1)) as unknown as z.ZodMiniType<Id<Kind>, unknown>;

/** What has four digits for the year in every zone and in the database as well. */
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
export const textField = (max: number, min = 1) => z.string().check(z.trim(), z.minLength(min), z.maxLength(max));
/** Specification section 5: digits only, exactly 11. */
export const phoneField = z
  .string()
  .check(z.trim(), z.regex(/^\d*$/, { error: 'phone_digits', abort: true }), z.length(11, 'phone_length'));
/** Specification section 5: 16 characters of 0-9 and A-F. */
export const cardNumberField = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-F]{16}$/, 'card_number'));
/** Specification section 5: at least 6 characters. */
export const newPasswordField = z.string().check(z.minLength(6), z.maxLength(256));
/** Specification section 5, name check: 1-32 letters or digits, or any Chinese characters; ours also takes . _ and -. */
export const userNameField = z.string().check(z.trim(), z.regex(/^[\p{Script=Han}A-Za-z0-9._-]{1,32}$/u, 'bad_format'));
/** Specification section 5: link-like values start with http, https, mailto or tel. */
export const linkField = z
  .string()
  .check(z.trim(), z.maxLength(500), z.regex(/^(?:https?:\/\/|mailto:|tel:)\S+$/i, 'bad_format'));
/** What a station carries as its number: also its OCPP identity and basic-auth user. */
export const stationNumberField = z
  .string()
  .check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/, 'bad_format'));

const queryList = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',').filter((part) => part !== '')),
    ),
    z.array(z.enum(values)).check(z.minLength(1), z.maxLength(50)),
  ) as unknown as z.ZodMiniType<Values[number][], unknown>;

/** Filters of list queries: everything is optional, lists are written `a,b`. */
export const filter = {
  text: (max = 64) => z.optional(z.string().check(z.trim(), z.maxLength(max))),
  choice: <const Values extends readonly [string, ...string[]]>(values: Values) => z.optional(queryList(values)),
  id: <Kind extends string>() => z.optional(idParameter<Kind>()),
  flag: () =>
    z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ) as unknown as z.ZodMiniType<boolean, unknown>,
    ),
  instant: () => z.optional(instantField),
};

export const pageSizes = [10, 20, 50, 100] as const;
/** Lists answer this many rows at the most by page number; beyond it a filter (or an export) is the way. */
export const listDepthMax = 10_000;

/** `page` from 1, `pageSize` up to 100, `sort` a column name with "-" for descending. */
export const listFields = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => {
  const both = sorts.flatMap((name) => [name, `-${name}`]) as [string, ...string[]];
  return {
    page: z._default(z.coerce.number().check(z.int(), z.gte(1)), 1) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
    pageSize: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(100)),
      20,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
    sort: z.optional(z.enum(both)) as unknown as z.ZodMiniOptional<z.ZodMiniType<Sorts[number] | `-${Sorts[number]}`>>,
  };
};

/** `total` is exact up to `listDepthMax`; beyond it `totalIsAtLeast` says that there are more. */
export const listAnswer = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), totalIsAtLeast: z.optional(z.boolean()) });

export type ListAnswer<Item> = { items: Item[]; total: number; totalIsAtLeast?: boolean };

export const nothing = z.null();
export const named = z.object({ id: z.int(), name: z.string() });
