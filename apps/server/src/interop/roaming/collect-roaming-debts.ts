import { customerAccount } from '@voltdeck/ledger/account';
import { takeFrom, totalOf } from '@voltdeck/ledger/parts';
import { repayRoamingTransfer } from '@voltdeck/ledger/roaming';
import type { CustomerId, RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen } from '@voltdeck/units/money';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { type Trx, transact } from '../../database/transact.ts';
import { accountKey } from '../../ledger/account-key.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { lockParts } from '../../ledger/wallet-parts.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { tellWalletLater } from '../../orders/tell-balance.ts';
import { closeRoamingWriteOffs } from './close-write-offs.ts';

/** Charges per round. */
const collectedMax = 200;

type Owing = { id: RoamingChargeId; customerId: CustomerId };

/** Repays what charges at partners left owing, from money that came into the wallet since. @returns how many paid */
export async function collectRoamingDebts({ database, now, log }: Context<'money'>): Promise<number> {
  const { db } = database;
  // In random order, so that a few that can never pay do not fill every round.
  const { rows } = await sql<Owing>`
    select id, customer_id as "customerId" from roaming_charges
     where owed_fen > 0
       and exists (select from ledger_accounts
                    where key in (${accountKey('customer', 'customer_id')}, ${accountKey('customer-gift', 'customer_id')})
                      and balance_fen > 0)
     order by random() limit ${collectedMax}`.execute(db);
  let paid = 0;
  for (const { id } of rows) {
    try {
      const repaid = await transact(db, async (trx) => ok(await repay(trx, id, now())));
      if (repaid.ok && repaid.value) paid += 1;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // A wallet that cannot pay does not hold up the others.
      log.error({ err: error, charge: id }, 'partners: collecting a debt failed');
    }
  }
  return paid;
}

async function repay(trx: Trx, id: RoamingChargeId, at: Instant): Promise<boolean> {
  const charge = await trx
    .selectFrom('roaming_charges')
    .select(['sequence', 'customer_id', 'owed_fen', 'paid_fen', 'gift_paid_fen', 'repayments'])
    .where('id', '=', id)
    .where('owed_fen', '>', 0 as Fen)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (charge === undefined) return false;
  const wallet = customerAccount(charge.customer_id);
  const paid = takeFrom(await lockParts(trx, wallet), charge.owed_fen);
  const paidFen = totalOf(paid);
  if (paidFen <= 0) return false;
  if (paidFen === charge.owed_fen) await closeRoamingWriteOffs(trx, null, id, at);
  const number = charge.repayments + 1;
  await postTransfer(trx, soundTransfer(repayRoamingTransfer({ chargeId: id, number, wallet, paid })), at, [
    { wallet, type: 'consume', number: charge.sequence, paidFen: -paid.paidFen, giftFen: -paid.giftFen },
  ]);
  await trx
    .updateTable('roaming_charges')
    .set({
      owed_fen: subtractFen(charge.owed_fen, paidFen),
      paid_fen: addFen(charge.paid_fen, paidFen),
      gift_paid_fen: addFen(charge.gift_paid_fen, paid.giftFen),
      repayments: number,
    })
    .where('id', '=', id)
    .execute();
  await tellWalletLater(trx, wallet);
  return true;
}
