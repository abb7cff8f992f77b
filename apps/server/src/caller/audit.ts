import type { Instant } from '@voltdeck/units/instant';
import type { Trx } from '../database/transact.ts';
import type { Caller } from './caller.ts';

export type AuditEntry = {
  /** Named like a permission: "site.create", "station.password_renew". */
  action: string;
  recordKind: string;
  recordId: number | string;
  /** Never contains a secret. */
  before?: unknown;
  after?: unknown;
};

/** Records who did what to which record, in the same transaction. */
export async function audit(
  trx: Trx,
  caller: Pick<Caller, 'userId' | 'remoteAddress'> | null,
  at: Instant,
  entry: AuditEntry,
): Promise<void> {
  await trx
    .insertInto('audit_entries')
    .values({
      at,
      user_id: caller?.userId ?? null,
      action: entry.action,
      record_kind: entry.recordKind,
      record_id: String(entry.recordId),
      remote_address: caller?.remoteAddress ?? '',
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute();
}
