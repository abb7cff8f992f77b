import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as contract from '@voltdeck/contract/transfers';
import type { WalletTransferId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { publishMoved } from '../../orders/order-events.ts';
import { tellBalanceLater } from '../../orders/tell-balance.ts';
import { createTransfer } from './create-transfer.ts';
import { findTransfer } from './queries.ts';

export function bindTransfers({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(
    contract.createTransfer,
    async ({ caller, body, at, transact }) => {
      const made = await transact(
        async (trx) => {
          const transferred = await createTransfer(trx, caller, body, at);
          if (transferred.ok && !isWaiting(transferred.value)) {
            const { fromCardId, fromCustomerId, toCardId, toCustomerId } = transferred.value.transfer;
            await tellBalanceLater(trx, { cardId: fromCardId, customerId: fromCustomerId });
            await tellBalanceLater(trx, { cardId: toCardId, customerId: toCustomerId });
          }
          return transferred;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.transfer.id) },
      );
      if (!made.ok) return made;
      if (isWaiting(made.value)) return ok(made.value);
      for (const order of made.value.repaidOrders) publishMoved(context, order);
      return ok(made.value.transfer);
    },
    {
      replay: async (recordId, { caller }) => found(await findTransfer(db, caller, recordId as WalletTransferId)),
    },
  );
}
