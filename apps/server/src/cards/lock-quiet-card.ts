import type { ApiError } from '@voltdeck/contract/errors';
import {
  cardAccount,
  frozenAccount,
  giftAccount,
  heldAccount,
  heldGiftAccount,
  receivableAccount,
  type Wallet,
} from '@voltdeck/ledger/account';
import type { Parts } from '@voltdeck/ledger/parts';
import type { CardId } from '@voltdeck/units/id';
import { formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import { lockDebts } from '../orders/repay-debts.ts';
import { lockCard } from './change-card.ts';

type LockedCard = NonNullable<Awaited<ReturnType<typeof lockCard>>>;

/** A card whose money is all its own to move. */
export type QuietCard = { card: LockedCard; wallet: Wallet; parts: Parts };

/**
 * Locks a card whose whole money is to leave it: no charge runs with it, nothing is on its way out, and nothing is owed.
 * A debt stays with the orders that caused it, so it is paid first: nobody leaves it behind with a new card, and no payout
 * is more than the card's holder is due.
 */
export async function lockQuietCard(trx: Trx, caller: Caller, id: CardId): Promise<Result<QuietCard, ApiError>> {
  const card = await lockCard(trx, caller, id);
  if (card === undefined) return failed({ code: 'record.not_found' });
  const wallet = cardAccount(id);
  await lockDebts(trx, wallet);
  const running = await trx
    .selectFrom('orders')
    .select('id')
    .where('card_id', '=', id)
    .where('state', 'in', ['placed', 'charging', 'settling'])
    .limit(1)
    .executeTakeFirst();
  const balanceOf = await lockWallets(trx, [wallet]);
  const isHeld = [heldAccount, heldGiftAccount, frozenAccount].some((of) => balanceOf(of(wallet)) > 0);
  if (running !== undefined || isHeld) return failed({ code: 'card.in_use' });
  const owedFen = subtractFen(zeroFen, balanceOf(receivableAccount(wallet)));
  if (owedFen > 0) return failed({ code: 'card.owes', params: { owed: formatYuan(owedFen) } });
  return ok({ card, wallet, parts: { paidFen: balanceOf(wallet), giftFen: balanceOf(giftAccount(wallet)) } });
}
