import { moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import type { Wallet } from '@voltdeck/ledger/account';
import { extendHoldTransfer, holdTransfer } from '@voltdeck/ledger/hold';
import { noParts, type Parts, takeFrom, totalOf } from '@voltdeck/ledger/parts';
import type { Transfer, TransferFault } from '@voltdeck/ledger/transfer';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, minFen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { lockParts } from '../ledger/wallet-parts.ts';
import { readLimitLeft } from './group-payer.ts';
import { type OrderRow, type WalletColumns, walletColumns, walletOf } from './order-row.ts';

/**
 * Moves money from the wallet to the hold of an order. `holdNumber` is 1 for the first hold of an order. Returns what
 * is held: nothing when the wallet is empty.
 */
export async function holdMoney(
  trx: Transaction<Tables>,
  order: { id: OrderId; wallet: Wallet; holdNumber: number; upToFen: Fen },
  at: Instant,
): Promise<Parts> {
  const held = takeFrom(await lockParts(trx, order.wallet), order.upToFen);
  if (totalOf(held) <= 0) return noParts;
  const transfer =
    order.holdNumber === 1
      ? holdTransfer({ orderId: order.id, wallet: order.wallet, held })
      : extendHoldTransfer({ orderId: order.id, wallet: order.wallet, held, number: order.holdNumber });
  const posted = await postTransfer(trx, soundTransfer(transfer), at);
  return posted ? held : noParts;
}

type HeldOrder = Pick<OrderRow, 'id' | 'parallel_key'> & WalletColumns;

/**
 * Holds one more step for a running order, and for a member of a group never beyond the limit of the month. Null when the
 * order is no longer running; nothing more when the wallet or the limit has nothing left.
 */
export async function extendHold(
  trx: Transaction<Tables>,
  orderId: OrderId,
  at: Instant,
): Promise<{ heldFen: Fen; order: HeldOrder } | null> {
  const order = await trx
    .selectFrom('orders')
    .select(['id', 'state', 'held_fen', 'held_gift_fen', 'holds', 'parallel_key', 'placed_at', ...walletColumns])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
  if (order === undefined || order.state !== 'charging') return null;
  const wallet = walletOf(order);
  if (wallet === null) return { heldFen: order.held_fen, order };
  const holdNumber = order.holds + 1;
  const limitLeftFen = await readLimitLeft(trx, order, { lock: true });
  const upToFen = limitLeftFen === null ? moneyLimits.holdStepFen : minFen(moneyLimits.holdStepFen, limitLeftFen);
  const added = await holdMoney(trx, { id: orderId, wallet, holdNumber, upToFen }, at);
  const heldFen = addFen(order.held_fen, totalOf(added));
  if (heldFen > order.held_fen) {
    const heldGiftFen = addFen(order.held_gift_fen, added.giftFen);
    await trx
      .updateTable('orders')
      .set({ held_fen: heldFen, held_gift_fen: heldGiftFen, holds: holdNumber })
      .where('id', '=', orderId)
      .execute();
  }
  return { heldFen, order };
}

/** A transfer whose amounts were checked before, so a fault is a bug. */
export function soundTransfer(made: Result<Transfer, TransferFault>): Transfer {
  if (!made.ok) throw new Error(`a checked transfer is invalid: ${JSON.stringify(made.error)}`);
  return made.value;
}
