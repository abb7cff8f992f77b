import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { proveLedger, type WholeProof } from './prove-ledger.ts';
import { type IncrementalProof, proveNewTransfers } from './prove-new-transfers.ts';

/** Proves what is new and records what that found; nothing where another node is doing it. */
export async function proveAndRecord(db: Kysely<Tables>, at: Instant): Promise<IncrementalProof> {
  const beganMs = performance.now();
  const before = await provenTo(db);
  const proof = await proveNewTransfers(db, at);
  if (proof.outcome === 'elsewhere') return proof;
  const tookMs = Math.round(performance.now() - beganMs);
  await sql`
    insert into ledger_proof_runs (kind, began_at, took_ms, outcome, proven_to, behind, transfers, differences)
    select 'new', to_timestamp(${at} / 1000.0), ${tookMs}, ${proof.outcome}, ${proof.provenTo}, (${behind(proof.provenTo)}),
           (select count(*) from ledger_transfers where position > ${before} and position <= ${proof.provenTo}),
           (select count(*) from ledger_differences)`.execute(db);
  return proof;
}

/** Proves the whole books and records what that found, and who asked. */
export async function proveAllAndRecord(db: Kysely<Tables>, userId: UserId | null, at: Instant): Promise<WholeProof> {
  const beganMs = performance.now();
  const proof = await proveLedger(db);
  const proven = await provenTo(db);
  const { rows } = await behind(proven).execute(db);
  await db
    .insertInto('ledger_proof_runs')
    .values({
      kind: 'whole',
      began_at: at,
      took_ms: Math.round(performance.now() - beganMs),
      outcome: 'compared',
      proven_to: proven,
      behind: rows[0]?.behind ?? 0,
      transfers: proof.transfers,
      differences: proof.mismatches,
      sum_fen: fen(proof.sumFen),
      user_id: userId,
      found: JSON.stringify(proof.found),
    })
    .execute();
  return proof;
}

/** Up to which position the transfers are proven. */
export async function provenTo(db: Kysely<Tables>): Promise<number> {
  const { proven_to } = await db.selectFrom('ledger_proof').select('proven_to').executeTakeFirstOrThrow();
  return proven_to;
}

/** How many transfers after a position there are, counted up to a million. */
export function behind(position: number) {
  return sql<{ behind: number }>`
    select count(*)::int as behind from (
      select 1 from ledger_transfers where position > ${position} limit 1000000) unproven`;
}
