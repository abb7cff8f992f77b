import { keyOf, type Wallet } from '@voltdeck/ledger/account';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { transact } from '../database/transact.ts';
import { accountKey } from '../ledger/account-key.ts';
import { publishMoved } from './order-events.ts';
import { walletByPayment, walletPayments } from './order-row.ts';
import { lockDebts, type Repaid, repayDebts } from './repay-debts.ts';
import { tellWalletLater } from './tell-balance.ts';

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
    if (collected.repaidFen > 0) await tellWalletLater(trx, wallet);
    return ok(collected);
  });
  if (!repaid.ok) return 0;
  for (const order of repaid.value.orders) publishMoved(context, order);
  return repaid.value.repaidFen;
}

async function walletsThatCanPay({ database }: Context<'money'>): Promise<Wallet[]> {
  const able = walletPayments.map((payment) => {
    const { kind, column } = walletByPayment[payment];
    return sql`
      select ${sql.lit(kind)} as kind, owner
        from (select distinct ${sql.ref(column)} as owner from orders
               where owed_fen > 0 and payment_type = ${sql.lit(payment)}) debtor
       where exists (select from ledger_accounts
                      where key in (${accountKey(kind, 'owner')}, ${accountKey(`${kind}-gift`, 'owner')}) and balance_fen > 0)`;
  });
  // In random order, so that wallets that can never pay do not fill every round.
  const { rows } = await sql<{ kind: Wallet['kind']; owner: number | null }>`
    select * from (${sql.join(able, sql` union all `)}) able
     order by random() limit ${walletsCollectedMax}`.execute(database.db);
  return rows.flatMap(({ kind, owner }) => (owner === null ? [] : [{ kind, owner } as Wallet]));
}
