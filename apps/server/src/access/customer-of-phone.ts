import type { CustomerState } from '@voltdeck/charging/states';
import type { CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

type Found = {
  id: CustomerId;
  phone: string;
  nickname: string;
  state: CustomerState;
  createdAt: Instant;
  isNew: boolean;
};

/**
 * The customer with a phone that its code proved, created where there is none. A merged one opens nothing, nor the record
 * it was merged into: who has its phone need not be that person, since numbers are given to others.
 */
export async function customerOfPhone(trx: Trx, phone: string, at: Instant): Promise<Found> {
  return (
    trx
      .insertInto('customers')
      .values({ phone, nickname: maskedPhone(phone), created_at: at })
      .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
      .returning(['id', 'phone', 'nickname', 'state', 'created_at as createdAt'])
      // Only an inserted row has no transaction that replaced an earlier version of it.
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirstOrThrow()
  );
}

/** "138****5678": the name until the person chooses one. */
export function maskedPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
