import type { AnswerOf } from '@voltdeck/contract/route';
import { foundKinds, foundShownMax, type searchRecords as route } from '@voltdeck/contract/search';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type FoundRow, foundMax, type Way, ways } from './search-ways.ts';

export type FoundKindAnswer = AnswerOf<typeof route>[number];

/**
 * Records with the text in their number or name, five of a kind, exact matches first, with the number of matches. Every
 * query walks an index up to a bound, so that ten million orders are searched like ten.
 */
export async function searchRecords(db: Kysely<Tables>, caller: Caller, text: string): Promise<FoundKindAnswer[]> {
  const answers = await Promise.all(
    foundKinds.map(async (kind): Promise<FoundKindAnswer> => {
      const { permission, by } = ways[kind];
      if (!may(caller, permission)) return { kind, items: [], totals: [] };
      const found = await Promise.all(by.map((way) => follow(db, caller, way, text)));
      const rows = firstOnes(found.flatMap((one) => one.rows));
      const totals = found.flatMap(({ total, shownBy }) =>
        total === 0 || shownBy === null
          ? []
          : [{ ...shownBy, total: Math.min(total, foundMax), totalIsAtLeast: total > foundMax }],
      );
      return { kind, items: rows.map(({ id, number, title, detail }) => ({ id, number, title, detail })), totals };
    }),
  );
  return answers.filter(({ items }) => items.length > 0);
}

type Followed = { shownBy: Way['shownBy']; total: number; rows: FoundRow[] };

async function follow(db: Kysely<Tables>, caller: Caller, way: Way, text: string): Promise<Followed> {
  const { shownBy } = way;
  const query = way.find(db, caller, text);
  if (query === null) return { shownBy, total: 0, rows: [] };
  const rows = await query.execute();
  const exact = text.toLowerCase();
  const isExact = (row: FoundRow) => row.number.toLowerCase() === exact || row.title.toLowerCase() === exact;
  rows.sort((a, b) => Number(isExact(b)) - Number(isExact(a)));
  const shown = rows.slice(0, foundShownMax);
  return { shownBy, total: rows.length, rows: await (way.tell?.(db, caller, shown) ?? shown) };
}

/** A record that two queries find is shown once. */
function firstOnes(rows: readonly FoundRow[]): FoundRow[] {
  const seen = new Set<number>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, foundShownMax);
}
