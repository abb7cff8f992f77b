import type { ApiError } from '@voltdeck/contract/errors';
import type { placeOwnOrder as route } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import { failed, type Result } from '@voltdeck/units/result';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { Context } from '../context.ts';
import type { Transact } from '../http/bind.ts';
import { type ChargeStarter, riderPayer, startCharge } from '../orders/place-order.ts';
import { refusalOfCustomer } from '../orders/refusal-of-customer.ts';
import { findPort } from './find-connector.ts';

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
    asker: { customerId: caller.customerId },
    async payerOf(trx, scanned) {
      const refusal = await refusalOfCustomer(trx, caller);
      return refusal === null ? riderPayer(trx, caller.customerId, payer, scanned) : failed(refusal);
    },
  };
  return startCharge(context, starter, { connectorId: port.id, ...(choice === undefined ? {} : { choice }) }, transact);
}
