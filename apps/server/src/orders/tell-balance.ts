import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import { cardAccount, customerAccount, keyOf, type Wallet } from '@voltdeck/ledger/account';
import type { CardId, CustomerId, OrderId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../context.ts';
import { giveJob, type Jobs } from '../database/give-job.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { findBalance } from './find-balance.ts';
import { type OrderRow, paymentOf, type WalletColumns, walletByPayment, walletOf } from './order-row.ts';

/** Protocols whose stations stop a charge by themselves when its payer's money is used up. */
const balanceProtocols = protocols.filter((protocol) => protocolTraits[protocol].commands.includes('update-balance'));
/** Limit of one payer's charges that are updated. */
const chargesMax = 16;

type Payer = { cardId: CardId | null; customerId: CustomerId | null };

/**
 * In the transaction that moves a payer's money: schedules an update of the balance for the stations where the payer
 * charges. Nothing depends on it: a station that misses it stops at the balance it knew, and we end a charge that
 * exceeds the money.
 */
export async function tellBalanceLater(trx: Trx, { cardId, customerId }: Payer): Promise<void> {
  if (cardId !== null) await tellWalletLater(trx, cardAccount(cardId));
  else if (customerId !== null) await tellWalletLater(trx, customerAccount(customerId));
}

/** As `tellBalanceLater`, for any wallet. */
export async function tellWalletLater(trx: Trx, wallet: Wallet): Promise<void> {
  await giveLater(trx, { wallet, besideOrderId: null });
}

/**
 * In the transaction in which an order takes money from its payer or gives it back, which changes the balance for the
 * payer's other charges. A card pays for one charge at a time, or for two gun ports together; any other wallet can pay
 * for several.
 */
export async function tellOtherChargesLater(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'parallel_key'> & WalletColumns,
): Promise<void> {
  const wallet = walletOf(order);
  if (wallet === null || (wallet.kind === 'card' && order.parallel_key === null)) return;
  await giveLater(trx, { wallet, besideOrderId: order.id });
}

async function giveLater(trx: Trx, told: Jobs['tell-balance']): Promise<void> {
  const key = `tell-balance:${keyOf(told.wallet)}:${told.besideOrderId ?? '-'}`;
  const where = sql<boolean>`exists (${chargesOf(trx, told).select('orders.id')})`;
  await giveJob(trx, 'tell-balance', told, { key, where });
}

/** The payer's charges at stations that take balance updates. */
function chargesOf(db: Kysely<Tables>, { wallet, besideOrderId }: Jobs['tell-balance']) {
  const payment = paymentOf(wallet);
  return db
    .selectFrom('orders')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .where('orders.state', '=', 'charging')
    .where('stations.protocol', 'in', balanceProtocols)
    .where('orders.payment_type', '=', payment)
    .where(sql.ref(`orders.${walletByPayment[payment].column}`), '=', wallet.owner)
    .$if(besideOrderId !== null, (charges) => charges.where('orders.id', '<>', besideOrderId as OrderId));
}

/** The job given by `tellBalanceLater`. */
export async function tellBalance(context: Context<'money'>, told: Jobs['tell-balance']): Promise<void> {
  const { db } = context.database;
  const charges = await chargesOf(db, told)
    .select(['stations.id as stationId', 'stations.number', 'orders.connector_number as connectorNumber'])
    .limit(chargesMax)
    .execute();
  for (const { stationId, number, connectorNumber } of charges) {
    const balance = await findBalance(db, { stationId, connectorNumber });
    if (balance === null) continue;
    const outcome = await context.bus.commandStation(number, { kind: 'update-balance', connectorNumber, ...balance });
    context.log.info({ station: number, connectorNumber, outcome: outcome.kind }, 'balance: updated a running charge');
  }
}
