import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { GiftKind, createGift as route, WalletGift } from '@voltdeck/contract/transfers';
import { giftAccount } from '@voltdeck/ledger/account';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { refusalOfDayLimit } from '../../ledger/recharge-day-limit.ts';
import { lockWallets } from '../../ledger/wallet-parts.ts';
import type { OrderMoved } from '../../orders/order-events.ts';
import { lockDebts, repayDebts } from '../../orders/repay-debts.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { findWallet } from '../find-wallet.ts';
import { moveGift } from './move-gift.ts';
import { findGift } from './queries.ts';

type Form = BodyOf<typeof route>;

export type Gifted = {
  gift: WalletGift;
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Gives a gift into a wallet or takes gifts back, at most those that no running charge holds. Gifts are the platform's
 * money, so only its own people do it and decide about it. A gift repays debts first, as all new money does, and counts
 * in what its giver may enter in a day.
 */
export async function createGift(
  trx: Trx,
  caller: Caller,
  kind: GiftKind,
  form: Form,
  at: Instant,
): Promise<Result<Gifted | Waits, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const isGiven = kind === 'given';
  const target = await findWallet(trx, caller, form, { to: isGiven ? 'receive' : 'give' });
  if (!target.ok) return target;
  const { wallet, cardId, customerId, text } = target.value;
  const { amountFen, reason } = form;
  const refusal = isGiven ? await refusalOfDayLimit(trx, caller.userId, amountFen, at) : null;
  if (refusal !== null) return failed(refusal);
  await lockDebts(trx, wallet);
  const freeFen = (await lockWallets(trx, [wallet]))(giftAccount(wallet));
  if (!isGiven && amountFen > freeFen) {
    return failed({ code: 'gift.deduction_too_high', params: { max: formatYuan(freeFen) } });
  }
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: isGiven ? 'gift' : 'gift_deduction',
      amountFen,
      agentId: null,
      subject: { kind: wallet.kind, id: wallet.owner, text },
      detail: {
        body: {
          ...(cardId === null ? {} : { cardId }),
          ...(customerId === null ? {} : { customerId }),
          amountFen,
          reason,
        },
      },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const id = await moveGift(trx, caller, { kind, target: target.value, amountFen, reason }, at);
  const repaid = isGiven ? await repayDebts(trx, wallet, null, at) : { repaidFen: zeroFen, orders: [] };
  await trx.updateTable('wallet_gifts').set({ repaid_fen: repaid.repaidFen }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: isGiven ? 'gift.create' : 'gift.deduct',
    recordKind: 'wallet_gift',
    recordId: id,
    after: form,
  });
  const gift = await findGift(trx, caller, id);
  if (gift === null) throw new Error(`gift ${id} is out of its own maker's scope`);
  return ok({ gift, repaidOrders: repaid.orders });
}
