import type { ApiError } from '@voltdeck/contract/errors';
import type { placeOwnOrder as route } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../database/transact.ts';
import type { Transact } from '../http/bind.ts';
import { type ChargeStarter, riderPayer, startCharge } from '../orders/place-order.ts';
import { findPort } from './find-connector.ts';

/** Charges of one customer at the same time: a family's vehicles, and no more. */
export const chargesAtOnceMax = 5;

/** Starts a charge at the port whose QR code the customer scanned, on the balance of their group or their own. */
export async function startOwnCharge(
  context: Context<'money'>,
  caller: CustomerCaller,
  { qr, choice, payer }: BodyOf<typeof route>,
  transact: Transact,
): Promise<Result<{ orderId: OrderId }, ApiError>> {
  const port = await findPort(context.database.db, qr);
  if (port === null) return failed({ code: 'record.not_found' });
  const starter: ChargeStarter = {
    reach: { agents: 'all' },
    who: caller,
    name: caller.nickname,
    startMode: 'scan',
    async payerOf(trx, scanned) {
      const refusal = await refusalOfCustomer(trx, caller);
      return refusal === null ? riderPayer(trx, caller.customerId, payer, scanned) : failed(refusal);
    },
  };
  return startCharge(context, starter, { connectorId: port.id, ...(choice === undefined ? {} : { choice }) }, transact);
}

/** With the customer locked, so that two starts at once are counted one after the other. */
async function refusalOfCustomer(trx: Trx, { customerId }: CustomerCaller): Promise<ApiError | null> {
  const customer = await trx
    .selectFrom('customers')
    .select('state')
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (customer?.state !== 'normal') return { code: 'my.disabled' };
  const running = await trx
    .selectFrom('orders')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['placed', 'charging'])
    .executeTakeFirstOrThrow();
  return running.count < chargesAtOnceMax ? null : { code: 'my.too_many_charges', params: { max: chargesAtOnceMax } };
}
