import { listWithdrawals, type Withdrawal } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';

function withdrawalsAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('customers', 'customers.id', 'withdrawals.customer_id')
    .leftJoin('channel_payouts as payouts', 'payouts.id', 'withdrawals.payout_id')
    .leftJoin('users as appliers', 'appliers.id', 'withdrawals.applied_by')
    .leftJoin('users as reviewers', 'reviewers.id', 'withdrawals.reviewed_by')
    .select([
      'withdrawals.id',
      'withdrawals.number',
      'withdrawals.customer_id as customerId',
      'customers.phone as customerPhone',
      'customers.nickname',
      'withdrawals.way',
      'withdrawals.payee_account as payeeAccount',
      'withdrawals.payee_name as payeeName',
      'withdrawals.amount_fen as amountFen',
      'withdrawals.gift_fen as giftFen',
      'withdrawals.fee_fen as feeFen',
      'withdrawals.state',
      'withdrawals.frozen',
      'withdrawals.remark',
      'withdrawals.failure',
      'withdrawals.receipt',
      'withdrawals.attention',
      'withdrawals.applied_at as appliedAt',
      'withdrawals.processed_at as processedAt',
      shownName<string | null>(language, 'user', 'appliers.real_name', 'appliers.real_name_key').as('appliedByName'),
      shownName<string | null>(language, 'user', 'reviewers.real_name', 'reviewers.real_name_key').as('reviewedByName'),
      sql<boolean>`coalesce(payouts.awaits_payee, false)`.as('awaitsPayee'),
      waitingActs('withdrawal', 'withdrawals.id').as('waits'),
    ]);
}

type Row = { amountFen: Fen; feeFen: Fen; appliedAt: Instant; processedAt: Instant | null };

function toWithdrawal<R extends Row>(row: R) {
  return {
    ...row,
    payoutFen: subtractFen(row.amountFen, row.feeFen),
    appliedAt: toIso(row.appliedAt),
    processedAt: isoOrNull(row.processedAt),
  };
}

export async function findWithdrawal(db: Kysely<Tables>, caller: Caller, id: WithdrawalId): Promise<Withdrawal | null> {
  if (caller.agents !== 'all') return null;
  const row = await withdrawalsAsShown(db, caller).where('withdrawals.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toWithdrawal(row);
}

export const withdrawalList = listSource({
  route: listWithdrawals,
  platformOnly: true,
  filtered(db, caller, filter) {
    let withdrawals = db.selectFrom('withdrawals');
    if (filter.state !== undefined) withdrawals = withdrawals.where('withdrawals.state', 'in', filter.state);
    if (filter.way !== undefined) withdrawals = withdrawals.where('withdrawals.way', 'in', filter.way);
    if (filter.attention !== undefined) {
      withdrawals = withdrawals.where('withdrawals.attention', 'in', filter.attention);
    }
    if (filter.number !== undefined) {
      withdrawals = withdrawals.where('withdrawals.number', '=', filter.number.toUpperCase());
    }
    if (filter.customerId !== undefined) {
      withdrawals = withdrawals.where('withdrawals.customer_id', '=', filter.customerId);
    }
    if (filter.phone !== undefined) {
      const holders = db
        .selectFrom('customers')
        .select('customers.id')
        .where(
          findsPersonal(caller, 'customers.phone', filter.phone, hasPart('customers.phone', 'number', filter.phone)),
        );
      withdrawals = withdrawals.where('withdrawals.customer_id', 'in', holders);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) withdrawals = withdrawals.where('withdrawals.applied_at', '>=', from);
    if (to !== null) withdrawals = withdrawals.where('withdrawals.applied_at', '<=', to);
    return withdrawals;
  },
  id: sql`withdrawals.id`,
  sorts: { appliedAt: sql`withdrawals.applied_at` },
  sums: {
    amountFen: sql`withdrawals.amount_fen`,
    giftFen: sql`withdrawals.gift_fen`,
    // What did not arrive has no place in the sum of what arrived, and no fee was kept of it.
    feeFen: sql`case when withdrawals.state in ('withdrawn', 'processed') then withdrawals.fee_fen end`,
    payoutFen: sql`case when withdrawals.state in ('withdrawn', 'processed')
                        then withdrawals.amount_fen - withdrawals.fee_fen end`,
  },
  rows: (db, read) => withdrawalsAsShown(db, read),
  toItem: toWithdrawal,
});
