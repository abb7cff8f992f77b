import * as z from 'zod/mini';
import { type PersonalKind, shown } from './fields.ts';
import { route } from './route.ts';
import type { ScreenCode } from './screens.ts';

/** In display order. */
export const foundKinds = [
  'order',
  'station',
  'connector',
  'site',
  'card',
  'customer',
  'agent',
  'tariff',
  'user',
  'position',
  'article',
  'config',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** The lists that show all matches, and the filters of theirs that find the same. */
export const foundLists = [
  'orderListReal',
  'orderListHistory',
  'deviceList',
  'portList',
  'plotList',
  'cardList',
  'registerUser',
  'operatorList',
  'rulesList',
  'user',
  'role',
  'newsList',
  'configList',
] as const satisfies readonly ScreenCode[];
export type FoundList = (typeof foundLists)[number];
export const foundFilters = ['number', 'name', 'phone', 'nickname', 'text', 'title', 'key'] as const;
export type FoundFilter = (typeof foundFilters)[number];

/** The shortest search text: two Chinese characters are a name. */
export const foundTextMin = 2;
export const foundTextMax = 64;
/** Matches shown per kind. */
export const foundShownMax = 5;

const personalKinds: Readonly<Partial<Record<string, PersonalKind>>> = {
  card: 'card',
  customer: 'phone',
  user: 'name',
};
/** The kind of a match stands in the group around it. */
const personalHit = (_hit: unknown, around: Readonly<Record<string, unknown>> | null) =>
  personalKinds[String(around?.kind)] ?? null;

/** What the top-bar search finds beside screens; kinds without matches are omitted. */
export const searchRecords = route({
  method: 'GET',
  path: '/overview/search',
  summary: 'Records by a part of their number, name or phone, as far as the caller may read them',
  permission: 'signed-in',
  query: z.object({ text: z.string().check(z.trim(), z.minLength(foundTextMin), z.maxLength(foundTextMax)) }),
  answer: z.array(
    z.object({
      kind: z.enum(foundKinds),
      /** At most five, exact matches first. */
      items: z.array(
        z.object({
          id: z.int(),
          /** The text that finds it alone in its list: the number, phone or name. */
          number: shown.by(personalHit),
          /** Its name on screen. */
          title: shown.by(personalHit),
          /** What distinguishes it: the station's name, the person's nickname, the order's state. */
          detail: z.string(),
        }),
      ),
      /** The number of matches, with the list and the filter that show them all. */
      totals: z.array(
        z.object({
          list: z.enum(foundLists),
          filter: z.enum(foundFilters),
          total: z.int(),
          totalIsAtLeast: z.boolean(),
        }),
      ),
    }),
  ),
  errors: [],
});
