import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/** What a bank receipt is compared by, for the column `receipt_key` of what it pays: its number whatever its typing. */
export function receiptKeyOf(receipt: string) {
  return sql<string>`receipt_key(${receipt})`;
}

/**
 * The number of the withdrawal, of a customer or a party, that this receipt of the bank was recorded for, those whose
 * payment came back included; null where there is none. Whoever records the same receipt waits until the transaction ends.
 */
export async function findByReceipt(trx: Trx, receipt: string): Promise<string | null> {
  const key = receiptKeyOf(receipt);
  await sql`select pg_advisory_xact_lock(hashtextextended('receipt:' || ${key}, 0))`.execute(trx);
  const other = await trx
    .selectFrom('agent_withdrawals')
    .select('number')
    .where('receipt_key', '=', key)
    .unionAll(trx.selectFrom('withdrawals').select('number').where('receipt_key', '=', key))
    .limit(1)
    .executeTakeFirst();
  return other?.number ?? null;
}
