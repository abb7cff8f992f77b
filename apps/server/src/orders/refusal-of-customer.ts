import { runningRoamingStates } from '@voltdeck/charging/roaming-charge';
import type { ApiError } from '@voltdeck/contract/errors';
import { sql } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { Trx } from '../database/transact.ts';

/** Charges of one customer at the same time, wherever they are: a family's vehicles, and no more. */
export const chargesAtOnceMax = 5;

/** Why a customer may begin no charge. They are locked, so that two starts at once are counted one after the other. */
export async function refusalOfCustomer(trx: Trx, { customerId }: CustomerCaller): Promise<ApiError | null> {
  const customer = await trx
    .selectFrom('customers')
    .select('state')
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (customer?.state !== 'normal') return { code: 'my.disabled' };
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from orders where customer_id = ${customerId} and state in ('placed', 'charging'))::integer
         + (select count(*) from roaming_charges
             where customer_id = ${customerId} and state = any(${[...runningRoamingStates]}))::integer as count`.execute(
    trx,
  );
  const running = rows[0]?.count ?? 0;
  return running < chargesAtOnceMax ? null : { code: 'my.too_many_charges', params: { max: chargesAtOnceMax } };
}
