import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import { toIso } from '@voltdeck/units/instant';
import { subtractFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { findAccountChange } from '../ledger/payout-account.ts';
import { maskCard } from '../personal/mask-text.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { money } from '../second-person/fact-figures.ts';
import { findParty } from './find-party.ts';
import { partyOf } from './lock-withdrawal.ts';

/**
 * Who is paid, where and how much: of a payment that is passed, and of one that came back. With who set the account,
 * when, and the one that it replaced.
 */
export async function factsOfAgentWithdrawal(
  db: Kysely<Tables>,
  { agentWithdrawalId }: Pick<ApprovalDetails['agent_withdrawal'], 'agentWithdrawalId'>,
): Promise<ApprovalFact[]> {
  const row = await db
    .selectFrom('agent_withdrawals')
    .select(['agent_id', 'divider_id', 'payee_holder', 'payee_bank', 'payee_number', 'amount_fen', 'fee_fen'])
    .where('id', '=', agentWithdrawalId)
    .executeTakeFirstOrThrow();
  const owner = partyOf(row);
  const [party, change] = await Promise.all([findParty(db, owner), findAccountChange(db, owner, row.payee_number)]);
  const text = (name: ApprovalFact['name'], after: string, before: string | null = null) =>
    ({ name, kind: 'text', before, after }) as const;
  const unlessSame = (before: string | null | undefined, after: string) => (before === after ? null : (before ?? null));
  const numberBefore = unlessSame(change?.numberBefore, row.payee_number);
  return [
    text('party', party?.name ?? ''),
    text('payeeName', row.payee_holder, unlessSame(change?.holderBefore, row.payee_holder)),
    text('payeeBank', row.payee_bank, unlessSame(change?.bankBefore, row.payee_bank)),
    text('payeeAccount', maskCard(row.payee_number), numberBefore === null ? null : maskCard(numberBefore)),
    ...(change === undefined
      ? []
      : [
          text('accountSetBy', change.changedByName || change.changedByUser),
          { name: 'accountSetAt', kind: 'instant', before: null, after: toIso(change.changedAt) } as const,
        ]),
    money('paidOut', null, subtractFen(row.amount_fen, row.fee_fen)),
    money('fee', null, row.fee_fen),
  ];
}
