import { randomInt } from 'node:crypto';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Recharge, createRecharge as route } from '@voltdeck/contract/payments';
import type { BodyOf } from '@voltdeck/contract/route';
import { cardAccount, customerAccount, keyOf, type Wallet } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { type Instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { addFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope, scopedByCards } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

type Form = BodyOf<typeof route>;
type Target = {
  wallet: Wallet;
  cardId: Recharge['cardId'];
  cardNumber: string | null;
  customerId: Recharge['customerId'];
  customerPhone: string | null;
};

/** Puts money that came in at the back office on a card or on a customer's balance, through the books. */
export async function createRecharge(
  trx: Trx,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<Recharge, ApiError>> {
  const target = await findTarget(trx, caller, form);
  if (!target.ok) return target;
  const { wallet, ...names } = target.value;
  const { amountFen } = form;
  const number = rechargeNumber(at);
  const { id } = await trx
    .insertInto('recharges')
    .values({
      number,
      card_id: names.cardId,
      customer_id: names.customerId,
      amount_fen: amountFen,
      // Known after the transfer, which has the account locked.
      balance_before_fen: zeroFen,
      balance_after_fen: zeroFen,
      remark: form.remark ?? '',
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const transfer = rechargeTransfer({ id, channel: 'back-office', wallet, amountFen });
  if (!transfer.ok) throw new Error(`a recharge cannot be posted: ${transfer.error.code}`);
  if (!(await postTransfer(trx, transfer.value, at))) throw new Error(`recharge ${id} was posted before`);

  const account = await trx
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(wallet))
    .executeTakeFirstOrThrow();
  const balanceAfterFen = addFen(account.balance_fen);
  const balanceBeforeFen = subtractFen(balanceAfterFen, amountFen);
  await trx
    .updateTable('recharges')
    .set({ balance_before_fen: balanceBeforeFen, balance_after_fen: balanceAfterFen })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'recharge.create', recordKind: 'recharge', recordId: id, after: form });
  return ok({ id, number, ...names, amountFen, balanceBeforeFen, balanceAfterFen, createdAt: toIso(at) });
}

async function findTarget(trx: Trx, caller: Caller, form: Form): Promise<Result<Target, ApiError>> {
  const { cardNumber, customerPhone } = form;
  const refuse = (path: keyof Form, code: FieldFault['code']) =>
    failed({ code: 'request.invalid' as const, fields: [{ path, code }] });
  if (cardNumber !== undefined && customerPhone !== undefined) return refuse('customerPhone', 'only_one');
  if (cardNumber !== undefined) {
    const number = cardNumber.toUpperCase();
    const card = await trx
      .selectFrom('cards')
      .select(['id', 'number', 'state', 'agent_id'])
      .where((eb) => eb.or([eb('number', '=', number), eb('physical_number', '=', number)]))
      .executeTakeFirst();
    if (card === undefined || !isInScope(caller, card.agent_id)) return refuse('cardNumber', 'unknown_reference');
    if (card.state !== 'active') return failed({ code: 'card.not_usable' });
    return ok({
      wallet: cardAccount(card.id),
      cardId: card.id,
      cardNumber: card.number,
      customerId: null,
      customerPhone: null,
    });
  }
  if (customerPhone === undefined) return refuse('cardNumber', 'required');
  const customer = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select(['id', 'phone'])
    .where('phone', '=', customerPhone)
    .executeTakeFirst();
  if (customer === undefined) return refuse('customerPhone', 'unknown_reference');
  return ok({
    wallet: customerAccount(customer.id),
    cardId: null,
    cardNumber: null,
    customerId: customer.id,
    customerPhone: customer.phone,
  });
}

/** "R20261121" and twelve random digits: nobody can tell from it how many there are. */
function rechargeNumber(at: Instant): string {
  const digits = String(randomInt(1_000_000)).padStart(6, '0') + String(randomInt(1_000_000)).padStart(6, '0');
  return `R${shanghaiDate(at).replaceAll('-', '')}${digits}`;
}
