import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createTransfer as route, WalletTransfer } from '@voltdeck/contract/transfers';
import { keyOf, receivableAccount } from '@voltdeck/ledger/account';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { lockWallets } from '../../ledger/wallet-parts.ts';
import type { OrderMoved } from '../../orders/order-events.ts';
import { lockDebts, repayDebts } from '../../orders/repay-debts.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { type FoundWallet, findWallet } from '../find-wallet.ts';
import { moveWallet } from './move-wallet.ts';
import { findTransfer } from './queries.ts';

type Form = BodyOf<typeof route>;

export type Transferred = {
  transfer: WalletTransfer;
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
};

/**
 * Moves paid money between two wallets: more than zero, and at most what is free in the one that gives. Gifts stay where
 * they were given. A giver who owes repays first, and so does the receiver, at once.
 */
export async function createTransfer(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<Transferred | Waits, ApiError>> {
  const sides = await findSides(trx, caller, form);
  if (!sides.ok) return sides;
  const { from, to } = sides.value;
  const { amountFen, reason = '' } = form;
  // In the same order for a transfer and for its opposite.
  for (const wallet of [from.wallet, to.wallet].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    await lockDebts(trx, wallet);
  }
  const balanceOf = await lockWallets(trx, [from.wallet, to.wallet]);
  const owedFen = subtractFen(zeroFen, balanceOf(receivableAccount(from.wallet)));
  if (owedFen > 0) return failed({ code: 'transfer.sender_owes', params: { owed: formatYuan(owedFen) } });
  const freeFen = balanceOf(from.wallet);
  if (amountFen > freeFen) return failed({ code: 'transfer.too_high', params: { max: formatYuan(freeFen) } });
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'transfer',
      amountFen,
      agentId: from.agentId,
      subject: {
        kind: from.wallet.kind,
        id: from.wallet.owner,
        text: from.text,
      },
      detail: { body: form },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const moved = { paidFen: amountFen, giftFen: zeroFen };
  const id = await moveWallet(trx, caller, { kind: 'between', from, to, moved, reason }, at);
  const repaid = await repayDebts(trx, to.wallet, null, at);
  await trx.updateTable('wallet_transfers').set({ repaid_fen: repaid.repaidFen }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'transfer.create',
    recordKind: 'wallet_transfer',
    recordId: id,
    after: form,
  });
  const transfer = await findTransfer(trx, caller, id);
  if (transfer === null) throw new Error(`transfer ${id} is out of its own maker's scope`);
  return ok({ transfer, repaidOrders: repaid.orders });
}

type Sides = { from: FoundWallet; to: FoundWallet };

/**
 * Who gives and who receives. An agent's people move money between cards of one agent only: a customer's balance is the
 * platform's to pay out, and each agent paid for the money on its own cards.
 */
async function findSides(trx: Trx, caller: Caller, form: Form): Promise<Result<Sides, ApiError>> {
  const from = await findWallet(
    trx,
    caller,
    {
      cardNumber: form.fromCardNumber,
      cardId: form.fromCardId,
      customerPhone: form.fromCustomerPhone,
      customerId: form.fromCustomerId,
    },
    { to: 'give', pathOf: (field) => pathOf('from', field) },
  );
  if (!from.ok) return from;
  const to = await findWallet(
    trx,
    caller,
    {
      cardNumber: form.toCardNumber,
      cardId: form.toCardId,
      customerPhone: form.toCustomerPhone,
      customerId: form.toCustomerId,
    },
    { to: 'receive', pathOf: (field) => pathOf('to', field) },
  );
  if (!to.ok) return to;
  if (keyOf(from.value.wallet) === keyOf(to.value.wallet)) return failed({ code: 'transfer.same_wallet' });
  if (caller.agents !== 'all') {
    if (from.value.cardId === null) return failed({ code: 'transfer.platform_only' });
    if (to.value.cardId !== null && to.value.agentId !== from.value.agentId) {
      return failed({ code: 'transfer.other_agent' });
    }
  }
  return ok({ from: from.value, to: to.value });
}

function pathOf(side: 'from' | 'to', field: string): string {
  return `${side}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}
