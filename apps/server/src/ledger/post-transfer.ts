import { isShared, mayBeNegative } from '@voltdeck/ledger/balance';
import type { Transfer } from '@voltdeck/ledger/transfer';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/**
 * Writes a transfer into the books in the caller's transaction, in one round trip. False when its key was posted
 * before: the business event arrived twice and money moved once. Throws (check violation ledger_accounts_floor) when a
 * balance that must not would go below zero.
 */
export async function postTransfer(trx: Transaction<Tables>, transfer: Transfer, at: Instant): Promise<boolean> {
  const { rows } = await sql<{ posted: boolean }>`select ${postingOf(transfer, at)} as posted`.execute(trx);
  return rows[0]?.posted === true;
}

/**
 * The same as part of a caller's statement: true, false when its key was posted before, null for no transfer. `named`
 * replaces its key and order where the statement itself gives the order its id.
 */
export function postingOf(
  transfer: Transfer | null,
  at: Instant,
  named?: { key: RawBuilder<string>; orderId: RawBuilder<number> },
): RawBuilder<boolean | null> {
  if (transfer === null) return sql`null::boolean`;
  const { reason, postings } = transfer;
  const { key, orderId } = named ?? { key: transfer.key, orderId: sql`${transfer.orderId ?? null}::bigint` };
  const from = postings.map((posting) => posting.from);
  const to = postings.map((posting) => posting.to);
  const accounts = [...new Set([...from, ...to])];
  const belowZero = accounts.filter((account) => mayBeNegative(account));
  const shared = accounts.filter((account) => isShared(account));
  return sql`post_transfer(${key}, ${reason}, ${orderId}, to_timestamp(${at} / 1000.0),
                           ${from}::text[], ${to}::text[], ${postings.map((posting) => posting.amountFen)}::bigint[],
                           ${belowZero}::text[], ${shared}::text[])`;
}
