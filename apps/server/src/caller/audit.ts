import type { UserId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

export type AuditEntry = {
  /** Named like a permission: "site.create", "station.password_renew". */
  action: string;
  recordKind: string;
  recordId: number | string;
  /** Never contains a secret. */
  before?: unknown;
  after?: unknown;
};

/** No user where a customer acts, whose record or `after` names them; null for what nobody asked for. */
export type Who = { userId: UserId | null; remoteAddress: string } | null;

/** Records who did what to which record, in the same transaction. */
export async function audit(trx: Trx, who: Who, at: Instant, entry: AuditEntry): Promise<void> {
  await auditMany(trx, who, at, [entry]);
}

/** Like `audit`, for acts on many records: an auditor asks what happened to one, so each has an entry of its own. */
export async function auditMany(trx: Trx, who: Who, at: Instant, entries: readonly AuditEntry[]): Promise<void> {
  await sql`
    insert into audit_entries (at, user_id, action, record_kind, record_id, remote_address, before, after)
    select ${toIso(at)}::timestamptz, ${who?.userId ?? null}::bigint, action, "recordKind", "recordId",
           ${who?.remoteAddress ?? ''}::text, before, after
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
             as made (action text, "recordKind" text, "recordId" text, before jsonb, after jsonb)`.execute(trx);
}
