import type { Waits } from '@voltdeck/contract/approvals';
import type { writeOffDebt as route } from '@voltdeck/contract/debts';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { writeOffTransfer } from '@voltdeck/ledger/recharge';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { paymentStateOf } from '../../ledger/payment-state.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { soundTransfer } from '../hold-money.ts';
import { appendTimeline, timelineEntry } from '../order-record.ts';
import { walletColumns, walletOf } from '../order-row.ts';
import { closeWriteOffs } from './close-write-offs.ts';

export type WrittenOff = { id: OrderId };

/**
 * Gives up what is still owed for an order: the books name it bad debt, and its payer may charge again. The loss is the
 * platform's, whose own people decide. No money of the payer moves.
 */
export async function writeOffDebt(
  trx: Trx,
  caller: Caller,
  orderId: OrderId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<WrittenOff | Waits, ApiError>> {
  const order = await lockOrder(trx, caller, orderId);
  if (order === undefined) return failed({ code: 'record.not_found' });
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const wallet = walletOf(order);
  const amountFen = order.owed_fen;
  if (wallet === null || amountFen <= 0) return failed({ code: 'order.nothing_owed' });
  const { reason } = body;
  const asked = {
    kind: 'write_off',
    amountFen,
    agentId: null,
    subject: { kind: 'order', id: orderId, text: order.number },
    detail: { orderId, body },
    reason,
  } as const;
  const approval = await askSecondPerson(trx, caller, asked, at);
  if (approval !== null) return ok({ waitsFor: approval });
  await closeWriteOffs(trx, caller, orderId, at);
  const { id } = await trx
    .insertInto('debt_write_offs')
    .values({ order_id: orderId, amount_fen: amountFen, reason, user_id: caller.userId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await postTransfer(trx, soundTransfer(writeOffTransfer({ id, orderId, wallet, amountFen })), at);
  const writtenOffFen = addFen(order.written_off_fen, amountFen);
  await trx
    .updateTable('orders')
    .set({
      written_off_fen: writtenOffFen,
      payment_state: paymentStateOf({
        amountFen: subtractFen(order.amount_fen, order.discount_fen),
        paidFen: order.paid_fen,
        refundedFen: order.refunded_fen,
        forgivenFen: order.forgiven_fen,
        writtenOffFen,
      }),
      timeline: appendTimeline(
        timelineEntry(at, 'written_off', { amountFen, reason, userName: caller.userName }),
      ) as never,
    })
    .where('id', '=', orderId)
    .execute();
  await audit(trx, caller, at, {
    action: 'debt.write_off',
    recordKind: 'order',
    recordId: orderId,
    before: { owedFen: amountFen },
    after: { owedFen: 0, reason },
  });
  return ok({ id: orderId });
}

function lockOrder(trx: Trx, caller: Caller, orderId: OrderId) {
  return scoped(trx.selectFrom('orders'), caller, 'orders.agent_id')
    .select([
      'number',
      ...walletColumns,
      'amount_fen',
      'discount_fen',
      'paid_fen',
      'refunded_fen',
      'forgiven_fen',
      'written_off_fen',
      'owed_fen',
    ])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
}
