import * as z from 'zod/mini';
import { route } from './route.ts';

export const foundKinds = ['order', 'station', 'card', 'customer'] as const;

/** What the search of the top bar finds beside the screens: five at the most of each kind, exact numbers first. */
export const searchRecords = route({
  method: 'GET',
  path: '/overview/search',
  summary:
    'Orders, stations, cards and registered users by the beginning of their number or phone, as far as the caller may read them',
  permission: 'signed-in',
  query: z.object({ text: z.string().check(z.trim(), z.minLength(3), z.maxLength(64)) }),
  answer: z.array(
    z.object({
      kind: z.enum(foundKinds),
      id: z.int(),
      /** What was looked for: the number or the phone. */
      number: z.string(),
      /** What tells it from others: the station's name, the person's nickname, the order's state. */
      detail: z.string(),
    }),
  ),
  errors: [],
});
