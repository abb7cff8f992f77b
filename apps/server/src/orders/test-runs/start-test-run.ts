import { isAgreed } from '@voltdeck/charging/abilities';
import { testPromiseFen } from '@voltdeck/charging/charge/decide-authorization';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import { transactionKey } from '@voltdeck/charging/transaction-key';
import type { ApiError } from '@voltdeck/contract/errors';
import { freeTariff } from '@voltdeck/tariffs/free-tariff';
import type { ConnectorId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import { storableJson } from '../../database/column-values.ts';
import type { Trx } from '../../database/transact.ts';
import type { Transact } from '../../http/bind.ts';
import { cancelPlaced } from '../cancel-order.ts';
import { lockStartablePort } from '../lock-startable-port.ts';
import { publishMoved } from '../order-events.ts';
import { orderNumber } from '../order-record.ts';
import type { OrderRow } from '../order-row.ts';
import { testToken } from '../order-token.ts';
import { insertOrder, movedOrder, reserveNumbers } from '../write-order.ts';

type Placed = { order: OrderRow; stationNumber: string; command: Extract<StationCommand, { kind: 'start-charge' }> };

/**
 * Starts a test run of a gun port: a charge without a payer, priced by the free tariff whatever the station's rule. A
 * station that refuses is a result like any other, so the answer is the order in any case; the run keeps what the
 * station said.
 */
export async function startTestRun(
  context: Context<'money'>,
  caller: Caller,
  test: { connectorId: ConnectorId; minutes: number },
  transact: Transact,
): Promise<Result<{ orderId: OrderId }, ApiError>> {
  const at = context.now();
  const placed = await transact((trx) => place(trx, caller, test, at), { recordOf: ({ order }) => order.id });
  if (!placed.ok) return placed;
  const { order, stationNumber, command } = placed.value;
  publishMoved(context, movedOrder(order));
  const outcome = await context.bus.commandStation(stationNumber, command);
  await noteAnswer(context, order.id, outcome);
  if (!isAgreed(outcome)) {
    const because = outcome.kind === 'rejected' && outcome.reason !== undefined ? { because: outcome.reason } : {};
    await cancelPlaced(context, order.id, { event: 'start_refused', params: { outcome: outcome.kind, ...because } });
  }
  return ok({ orderId: order.id });
}

async function noteAnswer({ database, now }: Context<'money'>, id: OrderId, outcome: CommandOutcome): Promise<void> {
  await database.db
    .updateTable('test_runs')
    .set({ answer: storableJson(JSON.stringify(outcome)), answered_at: now() })
    .where('order_id', '=', id)
    .execute();
}

async function place(
  trx: Trx,
  caller: Caller,
  { connectorId, minutes }: { connectorId: ConnectorId; minutes: number },
  at: Instant,
): Promise<Result<Placed, ApiError>> {
  const found = await lockStartablePort(trx, caller, connectorId);
  if (!found.ok) return found;
  const port = found.value;
  const { id, sequence } = await reserveNumbers(trx);
  const token = testToken(sequence);
  const { stationNumber, number: connectorNumber } = port;
  const isNamed = protocolTraits[port.protocol].chargesNamed === 'before-start';
  const transaction = isNamed ? transactionKey({ stationNumber, connectorNumber, at, sequence }) : null;
  const order = await insertOrder(
    trx,
    id,
    {
      number: orderNumber(at, sequence),
      state: 'placed',
      was_placed: true,
      payment_type: 'none',
      start_mode: 'test',
      billing_type: freeTariff.kind,
      site_id: port.siteId,
      station_id: port.stationId,
      connector_id: port.id,
      connector_number: connectorNumber,
      agent_id: port.agentId,
      customer_id: null,
      card_id: null,
      card_number: token,
      transaction_key: transaction,
      tariff: JSON.stringify(freeTariff),
      placed_at: at,
    },
    { hold: null, flags: [], facts: [{ event: 'placed', params: { userName: caller.userName } }], at },
  );
  await trx
    .insertInto('test_runs')
    .values({
      order_id: order.id,
      connector_id: port.id,
      minutes,
      user_name: caller.userName,
    })
    .execute();
  await audit(trx, caller, at, {
    action: 'connector.test',
    recordKind: 'order',
    recordId: order.id,
    after: { connectorId: port.id, minutes },
  });
  const asked = { kind: 'start-charge', connectorNumber } as const;
  if (transaction === null) return ok({ order, stationNumber, command: { ...asked, cardNumber: token } });
  const command = {
    ...asked,
    transaction,
    availableFen: testPromiseFen({ ratedPowerW: port.maxPowerW, minutes }),
    // Shown on the station's screen, where only digits are sure to display.
    cardNumber: String(sequence),
  };
  return ok({ order, stationNumber, command });
}
