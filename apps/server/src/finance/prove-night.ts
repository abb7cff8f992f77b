import type { KeptSumProof, ProofFailure } from '@voltdeck/contract/total-proofs';
import { dayMs, type Instant, instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { mendDay } from './prove-day.ts';
import { failureOf, proveTotals } from './prove-totals.ts';

/** Both proofs of a night. One that fails is recorded and does not keep the other from being made. */
export async function proveNight(db: Kysely<Tables>, log: Context['log'], at: Instant): Promise<void> {
  try {
    const proof = await proveTotals(db, null, at);
    if (proof.outcome === 'failed') log.error({ err: proof.error }, 'the proof of totals did not come to its end');
    if (proof.outcome === 'proven' && proof.differing > 0)
      log.error({ differs: proof.differing }, 'figures that must be the same differ');
  } catch (error) {
    log.error({ err: error }, 'the proof of totals was not recorded');
  }
  const day = shanghaiDate(instant(at - dayMs));
  const { differing, error } = await proveKeptSums(db, day, at);
  if (error !== null) log.error({ err: error, day }, 'the kept sums were not compared with the books');
  if (differing !== null && differing > 0)
    log.error({ day, differing }, 'statements differed from the books; they were made again');
}

/** Compares the kept sums of a day (in China) with its postings, makes them again where they differ, and records it. */
export async function proveKeptSums(
  db: Kysely<Tables>,
  day: string,
  at: Instant,
): Promise<{ differing: number | null; error: unknown }> {
  const beganMs = performance.now();
  let differing: number | null = null;
  let error: unknown = null;
  try {
    differing = await mendDay(db, day);
  } catch (thrown) {
    error = thrown;
  }
  await db
    .insertInto('kept_sum_proofs')
    .values({
      day: sql<string>`${day}::date`,
      proven_at: at,
      took_ms: Math.round(performance.now() - beganMs),
      differing,
      failure: error === null ? null : failureOf(error),
    })
    .execute();
  return { differing, error };
}

/** The last comparison of kept sums; null before the first. */
export async function findKeptSumProof(db: Kysely<Tables>): Promise<KeptSumProof | null> {
  const row = await db
    .selectFrom('kept_sum_proofs')
    .select([sql<string>`day::text`.as('day'), 'proven_at', 'differing', 'failure'])
    .orderBy('proven_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { proven_at: provenAt, failure, ...proof } = row;
  return { ...proof, provenAt: toIso(provenAt), failure: failure as ProofFailure | null };
}
