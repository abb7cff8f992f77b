import { failed, type Result } from '@voltdeck/units/result';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** What the key of a reversal has beyond that of the transfer it undoes. */
export const reversalSuffix = ':reversal';

/** The key of a transfer's only possible reversal. */
export function reversalKey(transfer: Transfer): string {
  return transfer.key + reversalSuffix;
}

/**
 * The transfer that undoes another, posting by posting, the last first. Books are corrected this way and never edited.
 */
export function reverse(transfer: Transfer, key: string): Result<Transfer, TransferFault> {
  if (key === transfer.key) return failed({ code: 'ledger.key_invalid', key });
  const postings = transfer.postings.map(({ from, to, amountFen }) => ({ from: to, to: from, amountFen })).reverse();
  return makeTransfer({ ...transfer, key, reason: 'reversal', reverses: transfer.key, postings });
}
