import type { Waits } from '@voltdeck/contract/approvals';
import { reversalRefusals, type reverseLedgerTransfer as route } from '@voltdeck/contract/books';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { giftAccount, keyOf, prepaidAccount } from '@voltdeck/ledger/account';
import { reversalSuffix } from '@voltdeck/ledger/reverse';
import type { TransferReason } from '@voltdeck/ledger/transfer';
import type { CardId, CustomerId, TransferId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, formatYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { lockPresentWallet } from '../ledger/present-wallet.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { lockDebts, repayDebts } from '../orders/repay-debts.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { closeWaitingActs } from '../second-person/close-waiting-acts.ts';
import { factsOfEntryReversal } from './entry-facts.ts';
import { type Entry, findEntry, isClosed, type WalletChange } from './find-entry.ts';

export type EntryReversed = {
  id: TransferId;
  /** Whose balance changed. */
  payers: { cardId: CardId | null; customerId: CustomerId | null }[];
  /** Orders whose debt the returned money repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Undoes a gift, a deduction of gifts, a transfer or prepaid money that was entered by mistake, always with a second
 * person. The money must still be free where it went: what was spent or repaid a debt cannot be taken back. What
 * returns to a wallet repays debts first, as all new money does.
 */
export async function reverseEntry(
  trx: Trx,
  caller: Caller,
  id: TransferId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<EntryReversed | Waits, ApiError>> {
  // All agents share one set of books, which is the platform's.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const transfer = await trx
    .selectFrom('ledger_transfers')
    .select(['key', 'reason', 'amount_fen'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (transfer === undefined) return failed({ code: 'record.not_found' });
  const { key, amount_fen: amountFen } = transfer;
  const refusal = reversalRefusals[transfer.reason as TransferReason];
  if (refusal !== null) return failed({ code: refusal });
  const entry = await findEntry(trx, key, { isLocked: true });
  if (entry === null) return failed({ code: 'reversal.automatic' });
  const why = await whyNotReverse(trx, key, entry);
  if (why !== null) return failed(why);
  const { reason } = body;
  const subject = { kind: 'ledger_transfer', id, text: entry.number } as const;
  const asked = {
    kind: 'reversal',
    amountFen,
    agentId: null,
    subject,
    detail: { transferId: id, body },
    reason,
    waitsAnyway: true,
  } as const;
  const approval = await askSecondPerson(trx, caller, asked, at);
  if (approval !== null) return ok({ waitsFor: approval });
  await closeWaitingActs(trx, caller, { kind: 'reversal', subject, factsOf: factsOfEntryReversal }, at);
  await post(trx, caller, { id, key, entry, reason }, at);
  const repaidOrders = await repayWithReturned(trx, entry.changes, at);
  await audit(trx, caller, at, {
    action: 'ledger.reverse',
    ...recordOf(entry),
    after: { number: entry.number, transferId: id, amountFen, reason },
  });
  return ok({ id, payers: entry.changes.map(({ cardId, customerId }) => ({ cardId, customerId })), repaidOrders });
}

/** Why an entry cannot be reversed now. What it changes stays locked until the transaction ends. */
async function whyNotReverse(trx: Trx, key: string, entry: Entry): Promise<ApiError | null> {
  const reversal = await trx
    .selectFrom('ledger_transfers')
    .select('id')
    .where('key', '=', key + reversalSuffix)
    .executeTakeFirst();
  if (reversal !== undefined) return { code: 'reversal.already_reversed' };
  const { changes, prepaid, repaidFen } = entry;
  if (repaidFen > 0) return { code: 'reversal.repaid_debts', params: { amount: formatYuan(repaidFen) } };
  if (prepaid !== null) {
    const account = prepaidAccount(prepaid.agentId);
    const balanceOf = await lockAccounts(trx, [account]);
    return whySpent(balanceOf(account), prepaid.amountFen);
  }
  for (const change of changes) {
    if (isClosed(change, await lockPresentWallet(trx, change))) return { code: 'reversal.wallet_closed' };
  }
  const wallets = changes.map(({ wallet }) => wallet);
  // In the same order for a transfer and for its opposite.
  for (const wallet of wallets.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) await lockDebts(trx, wallet);
  const balanceOf = await lockWallets(trx, wallets);
  for (const { wallet, paidFen, giftFen } of changes) {
    const spent =
      whySpent(balanceOf(wallet), fen(0 - paidFen)) ?? whySpent(balanceOf(giftAccount(wallet)), fen(0 - giftFen));
    if (spent !== null) return spent;
  }
  return null;
}

/** A refusal where less is left than is taken back; nothing is taken where the amount is below zero. */
function whySpent(leftFen: Fen, takenFen: Fen): ApiError | null {
  if (takenFen <= 0 || leftFen >= takenFen) return null;
  return { code: 'reversal.spent', params: { amount: formatYuan(takenFen), left: formatYuan(leftFen) } };
}

type Reversing = { id: TransferId; key: string; entry: Entry; reason: string };

/** The mirrored transfer with its movements; the record and the movements of the mistake say that it was reversed. */
async function post(trx: Trx, caller: Caller, { id, key, entry, reason }: Reversing, at: Instant): Promise<void> {
  const { number, table } = entry;
  const movements = entry.changes.map(({ wallet, type, paidFen, giftFen, agentId }) => ({
    wallet,
    type,
    number,
    paidFen,
    giftFen,
    agentId,
    userId: caller.userId,
    remark: reason,
  }));
  if (!(await reverseTransfer(trx, key, at, movements))) throw new Error(`transfer ${key} was reversed before`);
  await sql`
    update ${sql.table(table)}
       set reversed_at = to_timestamp(${at} / 1000.0), reversed_by = ${caller.userId}, reversal_reason = ${reason}
     where id = ${entry.id}`.execute(trx);
  await trx
    .updateTable('movements')
    .set({ state: 'reversed' })
    .where('number', '=', number)
    .where('transfer_id', '=', id)
    .execute();
}

async function repayWithReturned(trx: Trx, changes: readonly WalletChange[], at: Instant): Promise<OrderMoved[]> {
  const orders: OrderMoved[] = [];
  for (const { wallet, paidFen, giftFen } of changes) {
    if (addFen(paidFen, giftFen) <= 0) continue;
    orders.push(...(await repayDebts(trx, wallet, null, at)).orders);
  }
  return orders;
}

function recordOf({ table, id, prepaid }: Entry) {
  switch (table) {
    case 'wallet_gifts':
      return { recordKind: 'wallet_gift', recordId: id } as const;
    case 'wallet_transfers':
      return { recordKind: 'wallet_transfer', recordId: id } as const;
    case 'agent_recharges':
      return { recordKind: 'agent', recordId: prepaid?.agentId ?? id } as const;
  }
}
