import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import type { CustomerId, UserId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/**
 * An `Idempotency-Key` and the request it came with. Only the binder handles it: a mutation that works in
 * `call.transact` commits its key with its effect, and after that commit no retry repeats the effect. A retry gets the
 * stored answer. Where the answer is only known after the commit and the process died before giving it, a retry gets
 * the record in its present state (`recordOf` of the transaction, `replay` of the route).
 */
export type IdempotencyClaim = {
  readonly by: KeyOwner;
  /** As the caller sent it: it opens the sealed answer, while the database holds only its hash. */
  readonly key: string;
  readonly route: string;
  readonly requestHash: Buffer;
};

/** Whose keys they are: a user's and a customer's never meet, whatever their ids. */
export type KeyOwner =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'customer'; readonly id: CustomerId };

export const idempotencyKeyLengthMax = 128;
/** How long first answers are kept for retries. */
export const idempotencyKeptMs = 24 * 3_600_000;

/** What is known of a key before the request takes effect. */
export type EarlierRequest =
  | { kind: 'none' }
  | { kind: 'other-request' }
  | { kind: 'answered'; answer: unknown }
  /** The effect is committed, but the answer was never sent. */
  | { kind: 'done'; recordId: number | null };

/**
 * A keyed hash of what identifies a request, all of it validated, so the order of fields is the schema's. An upload's
 * bytes are left out, because the key is needed before they are read. The request's own key, which is not stored, keys
 * the hash: a copy of the database does not allow guessing a password among the fields.
 */
export function hashRequest(key: string, route: string, { params, query, body }: Asked): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(query === undefined ? [route, params, body] : [route, params, body, query]))
    .digest();
}

type Asked = { params: unknown; query: unknown; body: unknown };

/** Looks for an earlier request with the same key from the same caller. */
export async function findEarlierRequest(db: Kysely<Tables>, claim: IdempotencyClaim): Promise<EarlierRequest> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['route', 'request_hash', 'status', 'answer'])
    .where('caller_kind', '=', claim.by.kind)
    .where('caller_id', '=', claim.by.id)
    .where('key', '=', hashKey(claim.key))
    .executeTakeFirst();
  if (row === undefined) return { kind: 'none' };
  if (row.route !== claim.route || !claim.requestHash.equals(row.request_hash)) return { kind: 'other-request' };
  const kept = row.answer as { sealed?: string; recordId?: number; parts?: number[] } | null;
  if (kept?.parts !== undefined) return { kind: 'none' };
  if (row.status !== null && kept?.sealed !== undefined)
    return { kind: 'answered', answer: unseal(claim, kept.sealed) };
  return { kind: 'done', recordId: kept?.recordId ?? null };
}

/**
 * Claims the key inside the transaction that has the effect.
 * @returns `request.in_progress` when another request is using the same key.
 */
export async function claimKey(trx: Trx, claim: IdempotencyClaim, at: Instant): Promise<Result<null, ApiError>> {
  const key = hashKey(claim.key);
  // The insert alone would wait for the other transaction; refusing at once is kinder to the caller.
  const lock = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${nameOfOwner(claim.by)}:${key}`}, 0)) as taken`.execute(trx);
  if (lock.rows[0]?.taken !== true) return failed({ code: 'request.in_progress' });
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({
      caller_kind: claim.by.kind,
      caller_id: claim.by.id,
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

/** Stores the record that a claimed key affects, for an answer that is only known after the commit. */
export async function storeRecord(trx: Trx, claim: IdempotencyClaim, recordId: number): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify({ recordId }) })
    .where('caller_kind', '=', claim.by.kind)
    .where('caller_id', '=', claim.by.id)
    .where('key', '=', hashKey(claim.key))
    .execute();
}

/**
 * Commits with its effect that a request which works in several transactions has done the part of this record. The
 * request stays open: a retry does the parts that are left, and `isPartDone` tells it the others.
 */
export async function storePart(trx: Trx, claim: IdempotencyClaim, recordId: number, at: Instant): Promise<void> {
  const { by, key, route, requestHash } = claim;
  await sql`
    insert into idempotency_keys as k (caller_kind, caller_id, key, route, request_hash, status, answer, created_at)
    values (${by.kind}, ${by.id}, ${hashKey(key)}, ${route}, ${requestHash}, null,
            jsonb_build_object('parts', jsonb_build_array(${recordId}::bigint)), ${toIso(at)}::timestamptz)
    on conflict (caller_kind, caller_id, key) do update
      set answer = jsonb_set(k.answer, '{parts}', (k.answer -> 'parts') || to_jsonb(${recordId}::bigint))
    where k.request_hash = excluded.request_hash and k.answer ? 'parts'`.execute(trx);
}

/** Whether this request, or an earlier attempt of it, has done the part of this record. */
export async function isPartDone(trx: Trx, claim: IdempotencyClaim, recordId: number): Promise<boolean> {
  const { by, key, requestHash } = claim;
  const { rows } = await sql`
    select 1 from idempotency_keys
     where caller_kind = ${by.kind} and caller_id = ${by.id} and key = ${hashKey(key)} and request_hash = ${requestHash}
       and answer -> 'parts' @> to_jsonb(${recordId}::bigint)`.execute(trx);
  return rows.length > 0;
}

/**
 * Stores the answer for retries, sealed by the key itself, since an answer may hold a secret that is shown once.
 * Inserted when the action did not claim the key.
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
      caller_kind: claim.by.kind,
      caller_id: claim.by.id,
      key: hashKey(claim.key),
      route: claim.route,
      request_hash: claim.requestHash,
      created_at: at,
      ...kept,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_kind', 'caller_id', 'key'])
        .doUpdateSet(kept)
        .where('idempotency_keys.request_hash', '=', claim.requestHash),
    )
    .execute();
}

/** A user's is the bare id. */
export function nameOfOwner({ kind, id }: KeyOwner): string {
  return kind === 'user' ? `${id}` : `${kind} ${id}`;
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function sealingKey(claim: IdempotencyClaim): Buffer {
  return Buffer.from(hkdfSync('sha256', claim.key, nameOfOwner(claim.by), 'idempotent answer', 32));
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
