import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/**
 * An `Idempotency-Key` and the request it came with. The binder alone handles it: a mutation that works in
 * `call.transact` commits its key with its effect. From that commit on a retry never repeats the effect. It gets the
 * stored answer or, where the answer is only known after the commit and the process died before it, the record as it is
 * now (`recordOf` of the transaction, `replay` of the route).
 */
export type IdempotencyClaim = {
  readonly userId: UserId;
  /** As the caller sent it: it opens the sealed answer, the database only has its hash. */
  readonly key: string;
  readonly route: string;
  readonly requestHash: Buffer;
};

export const idempotencyKeyLengthMax = 128;
/** How long a retry finds its first answer. */
export const idempotencyKeptMs = 24 * 3_600_000;

/** What is known of a key before anything is done. */
export type EarlierRequest =
  | { kind: 'none' }
  | { kind: 'other-request' }
  | { kind: 'answered'; answer: unknown }
  /** The effect is durable, the answer never left. */
  | { kind: 'done'; recordId: number | null };

/** SHA-256 of what makes two requests the same one. `body` is the validated one, so that its field order is the schema's. */
export function hashRequest(route: string, params: unknown, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([route, params, body]))
    .digest();
}

/** Looks for an earlier request under the same key of the same user. */
export async function findEarlierRequest(db: Kysely<Tables>, claim: IdempotencyClaim): Promise<EarlierRequest> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['route', 'request_hash', 'status', 'answer'])
    .where('user_id', '=', claim.userId)
    .where('key', '=', hashKey(claim.key))
    .executeTakeFirst();
  if (row === undefined) return { kind: 'none' };
  if (row.route !== claim.route || !claim.requestHash.equals(row.request_hash)) return { kind: 'other-request' };
  const kept = row.answer as { sealed?: string; recordId?: number } | null;
  if (row.status !== null && kept?.sealed !== undefined)
    return { kind: 'answered', answer: unseal(claim, kept.sealed) };
  return { kind: 'done', recordId: kept?.recordId ?? null };
}

/**
 * Takes the key inside the transaction that has the effect.
 * @returns `request.in_progress` when the same key is being used elsewhere at this moment.
 */
export async function claimKey(trx: Trx, claim: IdempotencyClaim, at: Instant): Promise<Result<null, ApiError>> {
  const key = hashKey(claim.key);
  // The insert alone would wait for the other transaction; a caller is better told.
  const lock = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${claim.userId}:${key}`}, 0)) as taken`.execute(trx);
  if (lock.rows[0]?.taken !== true) return failed({ code: 'request.in_progress' });
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({
      user_id: claim.userId,
      key,
      route: claim.route,
      request_hash: claim.requestHash,
      status: null,
      answer: null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted === undefined ? failed({ code: 'request.in_progress' }) : ok(null);
}

/** Keeps the record that a claimed key's effect is on, for an answer that is only known after the commit. */
export async function storeRecord(trx: Trx, claim: IdempotencyClaim, recordId: number): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify({ recordId }) })
    .where('user_id', '=', claim.userId)
    .where('key', '=', hashKey(claim.key))
    .execute();
}

/**
 * Keeps the answer for a retry, sealed by the key itself, since answers may hold a secret that is shown once. Made
 * anew when the action did not claim the key.
 */
export async function storeAnswer(
  db: Kysely<Tables>,
  claim: IdempotencyClaim,
  answer: unknown,
  at: Instant,
): Promise<void> {
  const kept = { status: 200, answer: JSON.stringify({ sealed: seal(claim, answer) }) };
  await db
    .insertInto('idempotency_keys')
    .values({
      user_id: claim.userId,
      key: hashKey(claim.key),
      route: claim.route,
      request_hash: claim.requestHash,
      created_at: at,
      ...kept,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet(kept)
        .where('idempotency_keys.request_hash', '=', claim.requestHash),
    )
    .execute();
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function sealingKey(claim: IdempotencyClaim): Buffer {
  return Buffer.from(hkdfSync('sha256', claim.key, `${claim.userId}`, 'idempotent answer', 32));
}

function seal(claim: IdempotencyClaim, answer: unknown): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(claim), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer ?? null), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function unseal(claim: IdempotencyClaim, text: string): unknown {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(claim), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'));
}
