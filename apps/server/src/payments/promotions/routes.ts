import * as contract from '@voltdeck/contract/promotions';
import { fen } from '@voltdeck/units/money';
import { failed, ok } from '@voltdeck/units/result';
import { isInScope, scopedByCards } from '../../caller/scope.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { readDayLimit } from '../../ledger/recharge-day-limit.ts';
import { choosePromotion } from './choose-promotion.ts';
import { changePromotion, createPromotion, deletePromotion } from './edit-promotion.ts';

export function bindPromotions({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.createPromotion, ({ caller, body, at, transact }) =>
    transact((trx) => createPromotion(trx, caller, body, at)),
  );
  bind(contract.changePromotion, ({ caller, params, body, at, transact }) =>
    transact((trx) => changePromotion(trx, caller, params.id, body, at)),
  );
  bind(contract.deletePromotion, ({ caller, params, at, transact }) =>
    transact((trx) => deletePromotion(trx, caller, params.id, at)),
  );
  bind(contract.previewRecharge, async ({ caller, query, at }) => {
    const { cardId, customerId, amountFen } = query;
    const { leftFen } = await readDayLimit(db, caller.userId, at);
    const payerId = caller.agents === 'all' ? null : (caller.agents[0] ?? null);
    const wanted = { amountFen: fen(amountFen), isPrepaid: caller.agents !== 'all' };
    if (cardId !== undefined) {
      const card = await db.selectFrom('cards').select('agent_id').where('id', '=', cardId).executeTakeFirst();
      if (card === undefined || !isInScope(caller, card.agent_id)) return failed({ code: 'record.not_found' });
      const agentId = card.agent_id ?? payerId;
      return answer(await choosePromotion(db, { ...wanted, cardId, customerId: null, agentId }, at), leftFen);
    }
    if (customerId === undefined) return answer(null, leftFen);
    const seen = await scopedByCards(db.selectFrom('customers'), caller, 'customers.id')
      .select('customers.id')
      .where('customers.id', '=', customerId)
      .executeTakeFirst();
    if (seen === undefined) return failed({ code: 'record.not_found' });
    return answer(await choosePromotion(db, { ...wanted, cardId: null, customerId, agentId: payerId }, at), leftFen);
  });
}

type Preview = Awaited<ReturnType<typeof choosePromotion>>;

function answer(promotion: Preview, leftTodayFen: Awaited<ReturnType<typeof readDayLimit>>['leftFen']) {
  const shown = promotion === null ? null : { id: promotion.id, name: promotion.name, giftFen: promotion.giftFen };
  return ok({ promotion: shown, leftTodayFen });
}
