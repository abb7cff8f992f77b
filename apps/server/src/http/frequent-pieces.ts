import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** A text whose every piece is in this share of the records is found faster by looking at each of them. */
const frequentFrom = 0.1;
/** PostgreSQL counts the pieces anew when a tenth of a table has changed. */
const readEveryMs = 10 * minuteMs;
/** After a reading that failed or has not ended. */
const retryAfterMs = 10 * secondMs;

/** The frequent pieces by the name of their index. What is outdated here makes a search slower, never wrong. */
let frequent: ReadonlyMap<string, ReadonlySet<string>> = new Map();
let lastTry: { at: Instant; keptMs: number } | null = null;

/**
 * Reads from the database's own statistics which pieces of texts are frequent, unless it did some minutes ago. A failure
 * is not the caller's: what it reads next succeeds without them, or says itself what is wrong.
 */
export async function keepFrequentPieces(db: Kysely<Tables>, at: Instant): Promise<void> {
  if (lastTry !== null && Math.abs(at - lastTry.at) < lastTry.keptMs) return;
  lastTry = { at, keptMs: retryAfterMs };
  const read = await readPieces(db).catch(() => null);
  if (read === null) return;
  frequent = read;
  lastTry = { at, keptMs: readEveryMs };
}

async function readPieces(db: Kysely<Tables>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ index: string; pieces: string[] }>`
    select tablename as index, array_agg(piece) as pieces
      from pg_stats cross join unnest(most_common_elems::text::text[], most_common_elem_freqs) as counted (piece, share)
     where tablename like '%\\_pieces' and schemaname = current_schema() and share >= ${frequentFrom}
     group by tablename`.execute(db);
  return new Map(rows.map(({ index, pieces }) => [index, new Set(pieces)]));
}

/** Whether most searches for these pieces of the column would find a good part of its records. */
export function areFrequent(column: string, pieces: readonly string[]): boolean {
  const ofColumn = frequent.get(`${column.replace('.', '_')}_pieces`);
  return ofColumn !== undefined && pieces.every((piece) => ofColumn.has(piece));
}
