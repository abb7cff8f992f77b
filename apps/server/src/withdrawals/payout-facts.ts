import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import { subtractFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { maskCard } from '../personal/mask-text.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { findPhone, money } from '../second-person/fact-figures.ts';

type Db = Kysely<Tables>;

export async function factsOfWithdrawal(
  db: Db,
  { withdrawalId }: Pick<ApprovalDetails['withdrawal'], 'withdrawalId'>,
): Promise<ApprovalFact[]> {
  const { amount_fen, fee_fen, gift_fen, customer_id, way, payee_name, payee_account } = await db
    .selectFrom('withdrawals')
    .select(['amount_fen', 'fee_fen', 'gift_fen', 'customer_id', 'way', 'payee_name', 'payee_account'])
    .where('id', '=', withdrawalId)
    .executeTakeFirstOrThrow();
  const text = (name: ApprovalFact['name'], after: string) => ({ name, kind: 'text', before: null, after }) as const;
  return [
    text('customer', await findPhone(db, customer_id)),
    { name: 'way', kind: 'word', before: null, after: `approval-way.${way}` },
    ...(payee_name === null ? [] : [text('payeeName', payee_name)]),
    ...(payee_account === null ? [] : [text('payeeAccount', maskCard(payee_account))]),
    money('paidOut', null, subtractFen(amount_fen, fee_fen)),
    money('fee', null, fee_fen),
    ...(gift_fen > 0 ? [money('giftsTaken', null, gift_fen)] : []),
  ];
}

export async function factsOfOutcome(db: Db, detail: ApprovalDetails['withdrawal_outcome']): Promise<ApprovalFact[]> {
  const outcome = `approval-outcome.${detail.body.outcome}`;
  return [{ name: 'outcome', kind: 'word', before: null, after: outcome }, ...(await factsOfWithdrawal(db, detail))];
}
