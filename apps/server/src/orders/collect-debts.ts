import { cardAccount, customerAccount, keyOf, type Wallet } from '@voltdeck/ledger/account';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { transact } from '../database/transact.ts';
import { accountKey } from '../ledger/account-key.ts';
import { publishMoved } from './order-events.ts';
import { lockDebts, type Repaid, repayDebts } from './repay-debts.ts';
import { tellBalanceLater } from './tell-balance.ts';

/** Wallets per round. */
export const walletsCollectedMax = 200;

/**
 * Repays debts from money that came back to a wallet without a recharge: an unused hold, a refund, or a debt that was
 * settled while a recharge was under way. @returns the number of wallets that paid.
 */
export async function collectDebts(context: Context<'money'>): Promise<number> {
  let paid = 0;
  for (const wallet of await walletsThatCanPay(context)) {
    try {
      if ((await collectFrom(context, wallet)) > 0) paid += 1;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // A wallet that cannot pay does not hold up the others.
      context.log.error({ err: error, wallet: keyOf(wallet) }, 'orders: collecting a debt failed');
    }
  }
  return paid;
}

/** @returns the fen repaid. */
async function collectFrom(context: Context<'money'>, wallet: Wallet): Promise<number> {
  const at = context.now();
  const repaid = await transact<Repaid>(context.database.db, async (trx) => {
    await lockDebts(trx, wallet);
    const collected = await repayDebts(trx, wallet, null, at);
    if (collected.repaidFen > 0) await tellBalanceLater(trx, ownerOf(wallet));
    return ok(collected);
  });
  if (!repaid.ok) return 0;
  for (const order of repaid.value.orders) publishMoved(context, order);
  return repaid.value.repaidFen;
}

function ownerOf(wallet: Wallet) {
  return wallet.kind === 'card'
    ? { cardId: wallet.owner, customerId: null }
    : { cardId: null, customerId: wallet.owner };
}

async function walletsThatCanPay({ database }: Context<'money'>): Promise<Wallet[]> {
  // In random order, so that wallets that can never pay do not fill every round.
  const { rows } = await sql<{ card_id: CardId | null; customer_id: CustomerId | null }>`
    select * from (
    select card_id, null::bigint as customer_id
      from (select distinct card_id from orders where owed_fen > 0 and payment_type = 'card') debtor
     where exists (select from ledger_accounts
                    where key in (${accountKey('card', 'card_id')}, ${accountKey('card-gift', 'card_id')}) and balance_fen > 0)
     union all
    select null, customer_id
      from (select distinct customer_id from orders where owed_fen > 0 and payment_type = 'online') debtor
     where exists (select from ledger_accounts
                    where key in (${accountKey('customer', 'customer_id')}, ${accountKey('customer-gift', 'customer_id')})
                      and balance_fen > 0)) able
     order by random() limit ${walletsCollectedMax}`.execute(database.db);
  return rows.flatMap(({ card_id, customer_id }) => {
    if (card_id !== null) return [cardAccount(card_id)];
    return customer_id === null ? [] : [customerAccount(customer_id)];
  });
}
