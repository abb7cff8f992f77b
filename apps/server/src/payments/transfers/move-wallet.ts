import type { TransferKind } from '@voltdeck/contract/transfers';
import type { Wallet } from '@voltdeck/ledger/account';
import type { Parts } from '@voltdeck/ledger/parts';
import { walletTransfer } from '@voltdeck/ledger/recharge';
import type { AgentId, CardId, CustomerId, WalletTransferId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { minFen } from '@voltdeck/units/money';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { playMoneyOf } from '../../ledger/play-money.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { receiptNumber } from '../../ledger/receipt-number.ts';

type Side = {
  wallet: Wallet;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Of the card. */
  agentId: AgentId | null;
};

/**
 * Moves money between two wallets, each part into its like, with a movement of both. The caller has locked them and
 * knows that the money is there; more than nothing moves.
 */
export async function moveWallet(
  trx: Trx,
  caller: Caller,
  move: { kind: TransferKind; from: Side; to: Side; moved: Parts; reason: string },
  at: Instant,
): Promise<WalletTransferId> {
  const { kind, from, to, moved, reason } = move;
  const { paidFen, giftFen } = moved;
  const playFen = minFen(paidFen, await playMoneyOf(trx, from.wallet));
  const number = receiptNumber('T', at);
  const { id } = await trx
    .insertInto('wallet_transfers')
    .values({
      number,
      kind,
      from_card_id: from.cardId,
      from_customer_id: from.customerId,
      from_agent_id: from.agentId,
      to_card_id: to.cardId,
      to_customer_id: to.customerId,
      to_agent_id: to.agentId,
      paid_fen: paidFen,
      gift_fen: giftFen,
      play_fen: playFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const transfer = walletTransfer({ id, from: from.wallet, to: to.wallet, moved });
  if (!transfer.ok) throw new Error(`a transfer cannot be posted: ${transfer.error.code}`);
  const told = { type: 'transfer', number, userId: caller.userId, remark: reason } as const;
  const movements = [
    { ...told, wallet: from.wallet, agentId: from.agentId, paidFen: -paidFen, giftFen: -giftFen },
    { ...told, wallet: to.wallet, agentId: to.agentId, paidFen, giftFen },
  ];
  if (!(await postTransfer(trx, transfer.value, at, movements))) throw new Error(`transfer ${id} was posted before`);
  return id;
}
