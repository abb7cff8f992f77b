import type { Approval, ApprovalFact } from '@voltdeck/contract/approval-records';
import type { ApprovalKind } from '@voltdeck/contract/approvals';
import type { CustomerId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { maskCard, maskPhone } from '../personal/mask-text.ts';
import type { ApprovalDetails } from './approval-details.ts';

/** What an act concerns and how large it is. */
export type ActSubject = Pick<Approval, 'amountFen' | 'agentId' | 'priceChangeE5' | 'subjectId' | 'subjectKind'>;

/** What an act of a kind changes, as the records are now. */
export type FactsOf<Kind extends ApprovalKind> = (
  db: Kysely<Tables>,
  detail: ApprovalDetails[Kind],
  subject: ActSubject,
) => Promise<ApprovalFact[]>;

type Db = Kysely<Tables>;

export function money(name: ApprovalFact['name'], before: Fen | null, after: Fen | null): ApprovalFact {
  return { name, kind: 'money', before, after };
}

/** Always masked: a fact has no kind of personal data. */
export async function findReceiver(db: Db, body: ApprovalDetails['transfer']['body']): Promise<string> {
  if (body.toCardNumber !== undefined) return maskCard(body.toCardNumber);
  if (body.toCustomerPhone !== undefined) return maskPhone(body.toCustomerPhone);
  const card = await db
    .selectFrom('cards')
    .select('number')
    .where('id', '=', body.toCardId ?? null)
    .executeTakeFirst();
  if (card !== undefined) return maskCard(card.number);
  return body.toCustomerId === undefined ? '' : findPhone(db, body.toCustomerId);
}

export async function findPhone(db: Db, id: CustomerId): Promise<string> {
  const customer = await db.selectFrom('customers').select('phone').where('id', '=', id).executeTakeFirst();
  return customer === undefined ? '' : maskPhone(customer.phone);
}
