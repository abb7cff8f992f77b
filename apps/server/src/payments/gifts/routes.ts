import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { BodyOf } from '@voltdeck/contract/route';
import * as contract from '@voltdeck/contract/transfers';
import type { WalletGiftId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder, Call } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { publishMoved } from '../../orders/order-events.ts';
import { tellBalanceLater } from '../../orders/tell-balance.ts';
import { createGift } from './create-gift.ts';
import { findGift } from './queries.ts';

type GiftCall = Pick<Call<typeof contract.createGift>, 'caller' | 'at' | 'transact'> & {
  body: BodyOf<typeof contract.createGift>;
};

export function bindGifts({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const act =
    (kind: contract.GiftKind) =>
    async ({ caller, body, at, transact }: GiftCall) => {
      const made = await transact(
        async (trx) => {
          const gifted = await createGift(trx, caller, kind, body, at);
          if (gifted.ok && !isWaiting(gifted.value)) await tellBalanceLater(trx, gifted.value.gift);
          return gifted;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.gift.id) },
      );
      if (!made.ok) return made;
      if (isWaiting(made.value)) return ok(made.value);
      for (const order of made.value.repaidOrders) publishMoved(context, order);
      return ok(made.value.gift);
    };
  const replay = async (recordId: number, { caller }: { caller: Caller }) =>
    found(await findGift(db, caller, recordId as WalletGiftId));
  bind(contract.createGift, act('given'), { replay });
  bind(contract.createGiftDeduction, act('deducted'), { replay });
}
