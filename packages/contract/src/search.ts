import * as z from 'zod/mini';
import { type PersonalKind, shown } from './fields.ts';
import { route } from './route.ts';
import type { ScreenCode } from './screens.ts';

/** In display order, where kinds match equally well. */
export const foundKinds = [
  'order',
  'station',
  'connector',
  'site',
  'card',
  'customer',
  'vehicle',
  'agent',
  'group',
  'group_member',
  'divider',
  'invoice',
  'recharge',
  'order_refund',
  'recharge_refund',
  'withdrawal',
  'agent_withdrawal',
  'channel_payment',
  'transfer',
  'gift',
  'partner',
  'partner_charge',
  'roaming_charge',
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
  'groupList',
  'userList',
  'accountChildren',
  'invoiceList',
  'supOperatorList',
  'rulesList',
  'user',
  'role',
  'newsList',
  'configList',
] as const satisfies readonly ScreenCode[];
export type FoundList = (typeof foundLists)[number];
export const foundFilters = [
  'number',
  'name',
  'realName',
  'phone',
  'nickname',
  'text',
  'title',
  'key',
  'plate',
  'vin',
] as const;
export type FoundFilter = (typeof foundFilters)[number];

/** How well the best record of a kind matches, best first: its whole number or name, the beginning of it, or parts. */
export const foundMatches = ['exact', 'beginning', 'part'] as const;
export type FoundMatch = (typeof foundMatches)[number];

/** The shortest search text: two Chinese characters are a name. */
export const foundTextMin = 2;
export const foundTextMax = 64;
/** Matches shown per kind. */
export const foundShownMax = 5;

/**
 * The text that is searched for. Phones, cards and receipts are printed and copied in groups of digits; a phone also with
 * the country's code.
 */
export function searchedText(typed: string): string {
  if (!/^\+?\d[\d\s]+$/.test(typed)) return typed;
  return typed.replaceAll(/\s/g, '').replace(/^(?:\+|00)86(?=1\d{10}$)/, '');
}

type PersonalField = 'number' | 'title';
const personalKinds: Readonly<Partial<Record<string, (field: PersonalField, text: string) => PersonalKind>>> = {
  card: () => 'card',
  customer: () => 'phone',
  group_member: () => 'phone',
  user: () => 'name',
  // By its VIN, unless it was found by its plate.
  vehicle: (_field, text) => (text.length === vinLength ? 'vin' : 'plate'),
};
const vinLength = 17;

/** The kind of a match stands in the group around it. */
const personalIn =
  (field: PersonalField) =>
  (hit: Readonly<Record<string, unknown>>, around: Readonly<Record<string, unknown>> | null) =>
    personalKinds[String(around?.kind)]?.(field, String(hit[field])) ?? null;

/** What the top-bar search finds beside screens; kinds without matches are omitted. */
export const searchRecords = route({
  method: 'GET',
  path: '/search',
  summary: 'Records by their number, name or phone or a part of it, as far as the caller may read them',
  permission: 'signed-in',
  searches: true,
  query: z.object({ text: z.string().check(z.trim(), z.minLength(foundTextMin), z.maxLength(foundTextMax)) }),
  answer: z.object({
    /** The best matches first. */
    kinds: z.array(
      z.object({
        kind: z.enum(foundKinds),
        match: z.enum(foundMatches),
        /** At most five, exact matches first. */
        items: z.array(
          z.object({
            id: z.int(),
            /** The text that finds it alone in its list: the number, phone or name. */
            number: shown.by(personalIn('number')),
            /** Its name on screen. */
            title: shown.by(personalIn('title')),
            /** What distinguishes it: the station's name, the person's nickname, the order's state. */
            detail: z.string(),
          }),
        ),
        /** There are more matches than these. */
        hasMore: z.boolean(),
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
    /** Kinds that were not searched to the end: they may have more matches. */
    unfinished: z.array(z.enum(foundKinds)),
  }),
  errors: [],
});
