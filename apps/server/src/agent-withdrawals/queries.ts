import { type AgentWithdrawal, listAgentWithdrawals } from '@voltdeck/contract/agent-withdrawals';
import type { AgentWithdrawalId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';
import { ofOwnParty } from './own-party.ts';

function asShown<O>(
  withdrawals: SelectQueryBuilder<Tables, 'agent_withdrawals', O>,
  { language }: Pick<Caller, 'language'>,
) {
  return withdrawals
    .leftJoin('agents', 'agents.id', 'agent_withdrawals.agent_id')
    .leftJoin('dividers', 'dividers.id', 'agent_withdrawals.divider_id')
    .innerJoin('users as appliers', 'appliers.id', 'agent_withdrawals.applied_by')
    .leftJoin('users as reviewers', 'reviewers.id', 'agent_withdrawals.reviewed_by')
    .leftJoin('users as payers', 'payers.id', 'agent_withdrawals.paid_by')
    .select([
      'agent_withdrawals.id',
      'agent_withdrawals.number',
      'agent_withdrawals.party',
      'agent_withdrawals.agent_id as agentId',
      'agent_withdrawals.divider_id as dividerId',
      sql<string>`coalesce(agents.name, dividers.name)`.as('partyName'),
      sql<boolean>`coalesce(agents.frozen_at is not null and agents.id is not null, false)
                   or coalesce(not dividers.enabled, false)`.as('partyIsFrozen'),
      'agent_withdrawals.payee_kind as payeeKind',
      'agent_withdrawals.payee_holder as payeeHolder',
      'agent_withdrawals.payee_bank as payeeBank',
      'agent_withdrawals.payee_branch as payeeBranch',
      'agent_withdrawals.payee_bank_code as payeeBankCode',
      'agent_withdrawals.payee_number as payeeAccount',
      'agent_withdrawals.amount_fen as amountFen',
      'agent_withdrawals.fee_fen as feeFen',
      'agent_withdrawals.way',
      'agent_withdrawals.state',
      'agent_withdrawals.frozen',
      'agent_withdrawals.remark',
    ])
    .select([
      'agent_withdrawals.failure',
      'agent_withdrawals.receipt',
      'agent_withdrawals.applied_at as appliedAt',
      'agent_withdrawals.paid_at as paidAt',
      'agent_withdrawals.returned_at as returnedAt',
      'agent_withdrawals.processed_at as processedAt',
      shownName(language, 'user', 'appliers.real_name', 'appliers.real_name_key').as('appliedByName'),
      shownName<string | null>(language, 'user', 'reviewers.real_name', 'reviewers.real_name_key').as('reviewedByName'),
      shownName<string | null>(language, 'user', 'payers.real_name', 'payers.real_name_key').as('paidByName'),
      waitingActs('agent_withdrawal', 'agent_withdrawals.id').as('waits'),
    ]);
}

type Row = Omit<AgentWithdrawal, 'payoutFen' | 'appliedAt' | 'paidAt' | 'returnedAt' | 'processedAt'> & {
  amountFen: Fen;
  feeFen: Fen;
  appliedAt: Instant;
  paidAt: Instant | null;
  returnedAt: Instant | null;
  processedAt: Instant | null;
};

function toWithdrawal(row: Row, { agents }: Pick<Caller, 'agents'>): AgentWithdrawal {
  // Who of the platform decided, and what they wait for, is not for others to see.
  const within = agents === 'all' ? {} : { reviewedByName: null, paidByName: null, waits: [] };
  return {
    ...row,
    ...within,
    payoutFen: subtractFen(row.amountFen, row.feeFen),
    appliedAt: toIso(row.appliedAt),
    paidAt: isoOrNull(row.paidAt),
    returnedAt: isoOrNull(row.returnedAt),
    processedAt: isoOrNull(row.processedAt),
  };
}

export async function findAgentWithdrawal(
  db: Kysely<Tables>,
  caller: Caller,
  id: AgentWithdrawalId,
): Promise<AgentWithdrawal | null> {
  const row = await asShown(ofOwnParty(db.selectFrom('agent_withdrawals'), caller), caller)
    .where('agent_withdrawals.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toWithdrawal(row, caller);
}

export const agentWithdrawalList = listSource({
  route: listAgentWithdrawals,
  filtered(db, caller, filter) {
    let withdrawals = ofOwnParty(db.selectFrom('agent_withdrawals'), caller);
    if (filter.state !== undefined) withdrawals = withdrawals.where('agent_withdrawals.state', 'in', filter.state);
    if (filter.way !== undefined) withdrawals = withdrawals.where('agent_withdrawals.way', 'in', filter.way);
    if (filter.number !== undefined) {
      withdrawals = withdrawals.where('agent_withdrawals.number', '=', filter.number.toUpperCase());
    }
    if (filter.agentId !== undefined) {
      withdrawals = withdrawals.where('agent_withdrawals.agent_id', '=', filter.agentId);
    }
    if (filter.dividerId !== undefined) {
      withdrawals = withdrawals.where('agent_withdrawals.divider_id', '=', filter.dividerId);
    }
    if (filter.party !== undefined) withdrawals = withdrawals.where('agent_withdrawals.party', 'in', filter.party);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) withdrawals = withdrawals.where('agent_withdrawals.applied_at', '>=', from);
    if (to !== null) withdrawals = withdrawals.where('agent_withdrawals.applied_at', '<=', to);
    return withdrawals;
  },
  id: sql`agent_withdrawals.id`,
  sorts: { appliedAt: sql`agent_withdrawals.applied_at` },
  sums: {
    amountFen: sql`agent_withdrawals.amount_fen`,
    // What did not arrive, or came back, has no place in the sum of what arrived, and its fee was not kept.
    feeFen: sql`case when agent_withdrawals.state in ('withdrawn', 'processed') then agent_withdrawals.fee_fen end`,
    payoutFen: sql`case when agent_withdrawals.state in ('withdrawn', 'processed')
                        then agent_withdrawals.amount_fen - agent_withdrawals.fee_fen end`,
  },
  rows: (db, read) => asShown(db.selectFrom('agent_withdrawals'), read),
  toItem: (row, { caller }) => toWithdrawal(row, caller),
});
