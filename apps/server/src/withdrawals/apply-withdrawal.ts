import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createWithdrawal as route, WithdrawalWay } from '@voltdeck/contract/withdrawals';
import { customerAccount, giftAccount, receivableAccount } from '@voltdeck/ledger/account';
import { freezeTransfer, giftsTakenBackFen } from '@voltdeck/ledger/payout';
import type { CustomerId, WithdrawalId } from '@voltdeck/units/id';
import { type Instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { fen, formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit, type Who } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { onlyOneOf } from '../http/only-one.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { playMoneyOf } from '../ledger/play-money.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { readWithdrawalTerms, withdrawalFeeFen } from '../ledger/withdrawal-terms.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { openWays } from './open-ways.ts';

type Form = BodyOf<typeof route>;

/** What anybody may ask for their own money, whoever writes it down. */
export type Application = Pick<Form, 'amountFen' | 'payeeAccount' | 'payeeName'> & {
  customerId: CustomerId;
  way: WithdrawalWay;
  remark: string;
};

/** A user of the console applies for a registered user, who came to the desk or called. */
export async function applyForCustomer(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  form: Form,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const given = onlyOneOf(form, ['customerPhone', 'customerId']);
  if (!given.ok) return failed({ code: 'request.invalid', fields: [given.error] });
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where((eb) =>
      form.customerPhone === undefined
        ? eb('id', '=', form.customerId ?? null)
        : eb('phone', '=', form.customerPhone.trim()),
    )
    .executeTakeFirst();
  if (customer === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: given.value, code: 'unknown_reference' }] });
  }
  const { amountFen, payeeAccount, payeeName, way = 'desk', remark = '' } = form;
  const application = { customerId: customer.id, amountFen, payeeAccount, payeeName, way, remark };
  return applyForWithdrawal(trx, channels, caller, application, at);
}

/**
 * Writes an application and freezes its money, with the gifts that go with it. Whoever owes for a charge pays that
 * first.
 */
export async function applyForWithdrawal(
  trx: Trx,
  channels: OpenChannels,
  who: NonNullable<Who>,
  application: Application,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  const { customerId, amountFen, way, payeeAccount, payeeName, remark } = application;
  const payee = checkPayee(channels, application);
  if (!payee.ok) return payee;
  const customer = await trx
    .selectFrom('customers')
    .select(['state'])
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (customer === undefined) return failed({ code: 'record.not_found' });
  if (customer.state !== 'normal') return failed({ code: 'customer.disabled' });
  const terms = await readWithdrawalTerms(trx);
  const { count } = await trx
    .selectFrom('withdrawals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('applied_at', '>=', shanghaiDayStart(at))
    .executeTakeFirstOrThrow();
  if (count >= terms.perDay) return failed({ code: 'withdrawal.too_many_today', params: { max: terms.perDay } });
  const wallet = customerAccount(customerId);
  const balanceOf = await lockAccounts(trx, [wallet, giftAccount(wallet), receivableAccount(wallet)]);
  const [paidFen, giftFen] = [balanceOf(wallet), balanceOf(giftAccount(wallet))];
  const owedFen = subtractFen(zeroFen, balanceOf(receivableAccount(wallet)));
  if (owedFen > 0) return failed({ code: 'withdrawal.owes', params: { owed: formatYuan(owedFen) } });
  if (paidFen < terms.minFen) {
    const told = { paid: formatYuan(paidFen), min: formatYuan(terms.minFen) };
    return failed({ code: 'withdrawal.too_little', params: told });
  }
  if (amountFen < terms.minFen || amountFen > paidFen) {
    const range = { min: formatYuan(terms.minFen), max: formatYuan(paidFen) };
    return failed({ code: 'withdrawal.out_of_range', params: range });
  }
  if (way !== 'embedded') {
    const playFen = await playMoneyOf(trx, wallet);
    if (playFen > 0 && amountFen + playFen > paidFen) {
      const max = formatYuan(fen(Math.max(0, paidFen - playFen)));
      return failed({ code: 'withdrawal.play_money', params: { max } });
    }
  }
  const feeFen = withdrawalFeeFen(amountFen, terms.feeBp);
  if (feeFen >= amountFen) return failed({ code: 'withdrawal.below_fee', params: { fee: formatYuan(feeFen) } });
  const takenFen = terms.takesGifts ? giftsTakenBackFen({ amountFen, paidFen, giftFen }) : zeroFen;
  const number = receiptNumber('W', at);
  const { id } = await trx
    .insertInto('withdrawals')
    .values({
      number,
      customer_id: customerId,
      way,
      payee_account: payeeAccount ?? null,
      payee_name: payeeName ?? null,
      amount_fen: amountFen,
      gift_fen: takenFen,
      fee_fen: feeFen,
      remark,
      applied_by: who.userId,
      applied_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const cause = { kind: 'withdrawal', id } as const;
  const freeze = freezeTransfer({ cause, wallet, amountFen, giftFen: takenFen });
  if (!freeze.ok) throw new Error(`withdrawal ${id} cannot be frozen: ${freeze.error.code}`);
  const moved = { wallet, number, userId: who.userId, remark };
  const posted = await postTransfer(trx, freeze.value, at, [
    { ...moved, type: 'withdrawal', paidFen: -amountFen, giftFen: 0, channel: channelOf(way) },
    { ...moved, type: 'gift_deducted', paidFen: 0, giftFen: -takenFen },
  ]);
  if (!posted) throw new Error(`withdrawal ${id} was frozen before`);
  // Running charges can spend less than they were told.
  await tellBalanceLater(trx, { cardId: null, customerId });
  const { payeeAccount: _, ...told } = application;
  await audit(trx, who, at, { action: 'withdrawal.apply', recordKind: 'withdrawal', recordId: id, after: told });
  return ok(id);
}

/** The channel of the books that a way leads to. */
export function channelOf(way: WithdrawalWay) {
  return way === 'desk' ? 'back-office' : way;
}

function checkPayee(
  channels: OpenChannels,
  { way, payeeAccount }: Pick<Application, 'way' | 'payeeAccount'>,
): Result<null, ApiError> {
  if (!openWays(channels).includes(way)) return failed({ code: 'channel.off' });
  if (way === 'desk' || (payeeAccount ?? '') !== '') return ok(null);
  return failed({ code: 'request.invalid', fields: [{ path: 'payeeAccount', code: 'required' }] });
}
