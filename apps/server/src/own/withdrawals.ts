import type { ApiError } from '@voltdeck/contract/errors';
import {
  type getOwnWithdrawalTerms,
  type listOwnWithdrawals,
  type OwnWithdrawal,
  type OwnWithdrawalWay,
  ownWithdrawalWays,
  type createOwnWithdrawal as route,
} from '@voltdeck/contract/own';
import type { AnswerOf, BodyOf, QueryOf } from '@voltdeck/contract/route';
import type { WithdrawalWay } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { failed, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { applyForWithdrawal } from '../withdrawals/apply-withdrawal.ts';
import { termsFor } from '../withdrawals/find-terms.ts';
import { pageBy, toPage } from './page.ts';

export async function findOwnTerms(
  db: Kysely<Tables>,
  channels: OpenChannels,
  caller: CustomerCaller,
): Promise<AnswerOf<typeof getOwnWithdrawalTerms>> {
  const terms = await termsFor(db, channels, caller.customerId);
  return { ...terms, ways: terms.ways.filter(isOwnWay) };
}

/** Freezes the money until the operator has decided. */
export async function applyForOwn(
  trx: Trx,
  channels: OpenChannels,
  caller: CustomerCaller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  const application = { ...form, customerId: caller.customerId, remark: '' };
  const applied = await applyForWithdrawal(trx, channels, caller, application, at);
  return !applied.ok && applied.error.code === 'customer.disabled' ? failed({ code: 'my.disabled' }) : applied;
}

export async function findOwnWithdrawal(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  id: WithdrawalId,
  at: Instant,
): Promise<OwnWithdrawal | null> {
  const row = await ownWithdrawals(db, caller).where('withdrawals.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toOwnWithdrawal(at)(row);
}

export async function findOwnWithdrawals(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  page: QueryOf<typeof listOwnWithdrawals>,
  at: Instant,
): Promise<AnswerOf<typeof listOwnWithdrawals>> {
  const withdrawals = pageBy(ownWithdrawals(db, caller), page, {
    at: 'withdrawals.applied_at',
    id: 'withdrawals.id',
  });
  return toPage(await withdrawals.execute(), page, ({ appliedAt }) => appliedAt, toOwnWithdrawal(at));
}

function ownWithdrawals(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(db.selectFrom('withdrawals'), caller, 'withdrawals.customer_id')
    .leftJoin('channel_payouts as payouts', 'payouts.id', 'withdrawals.payout_id')
    .select(['withdrawals.id', 'withdrawals.number', 'withdrawals.way', 'withdrawals.state', 'frozen', 'failure'])
    .select(['withdrawals.amount_fen as amountFen', 'gift_fen as giftFen', 'fee_fen as feeFen'])
    .select(['payee_account as payeeAccount', 'withdrawals.payee_name as payeeName'])
    .select(['applied_at as appliedAt', 'processed_at as processedAt'])
    .select(['awaits_payee as awaitsPayee', 'payee_package as packageInfo', 'confirmation_ends_at as confirmsBy']);
}

type Row = Omit<OwnWithdrawal, 'payoutFen' | 'appliedAt' | 'processedAt' | 'confirmation'> & {
  awaitsPayee: boolean | null;
  packageInfo: string | null;
  confirmsBy: Instant | null;
  amountFen: Fen;
  feeFen: Fen;
  appliedAt: Instant;
  processedAt: Instant | null;
};

const toOwnWithdrawal =
  (at: Instant) =>
  ({ appliedAt, processedAt, awaitsPayee, packageInfo, confirmsBy, ...withdrawal }: Row): OwnWithdrawal => {
    const isConfirmable = awaitsPayee === true && packageInfo !== null && (confirmsBy === null || confirmsBy > at);
    return {
      ...withdrawal,
      // While it is frozen this is what the channel told the operator, who may still pay.
      failure: withdrawal.frozen ? null : withdrawal.failure,
      payoutFen: subtractFen(withdrawal.amountFen, withdrawal.feeFen),
      appliedAt: toIso(appliedAt),
      processedAt: isoOrNull(processedAt),
      confirmation: isConfirmable ? { packageInfo, expiresAt: isoOrNull(confirmsBy) } : null,
    };
  };

const isOwnWay = (way: WithdrawalWay): way is OwnWithdrawalWay =>
  (ownWithdrawalWays as readonly WithdrawalWay[]).includes(way);
