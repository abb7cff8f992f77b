import { readAccountKey } from '@voltdeck/ledger/account';
import type { Posting } from '@voltdeck/ledger/posting';
import { reversalKey, reverse } from '@voltdeck/ledger/reverse';
import type { Transfer, TransferReason } from '@voltdeck/ledger/transfer';
import type { Instant } from '@voltdeck/units/instant';
import type { Trx } from '../database/transact.ts';
import { type Movement, postTransfer } from './post-transfer.ts';

/**
 * Reverses the transfer with this key, as it stands in the books. False when it was reversed before. The caller ensures
 * that the money is still where it went: otherwise it throws, as `postTransfer` does.
 * @throws Error when no such transfer was posted.
 */
export async function reverseTransfer(
  trx: Trx,
  key: string,
  at: Instant,
  movements: readonly Movement[] = [],
): Promise<boolean> {
  const transfer = await findTransfer(trx, key);
  if (transfer === null) throw new Error(`there is no transfer ${key} to undo`);
  const reversal = reverse(transfer, reversalKey(transfer));
  if (!reversal.ok) throw new Error(`transfer ${key} cannot be undone: ${reversal.error.code}`);
  return postTransfer(trx, reversal.value, at, movements);
}

async function findTransfer(trx: Trx, key: string): Promise<Transfer | null> {
  const rows = await trx
    .selectFrom('ledger_transfers as t')
    .innerJoin('ledger_postings as p', 'p.transfer_id', 't.id')
    .innerJoin('ledger_accounts as giver', 'giver.id', 'p.from_account_id')
    .innerJoin('ledger_accounts as taker', 'taker.id', 'p.to_account_id')
    .select(['t.reason', 't.order_id as orderId', 'giver.key as from', 'taker.key as to', 'p.amount_fen as amountFen'])
    .where('t.key', '=', key)
    .orderBy('p.line')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const postings = rows.map(({ from, to, amountFen }): Posting => {
    const [giver, taker] = [readAccountKey(from), readAccountKey(to)];
    if (giver === null || taker === null) throw new Error(`transfer ${key} is between accounts that nobody knows`);
    return { from: giver, to: taker, amountFen };
  });
  return {
    key,
    reason: first.reason as TransferReason,
    ...(first.orderId === null ? {} : { orderId: first.orderId }),
    postings,
  };
}
