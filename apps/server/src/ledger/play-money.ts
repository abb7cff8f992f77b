import type { Wallet } from '@voltdeck/ledger/account';
import { type Fen, fen, zeroFen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/**
 * How much of a wallet's money came by the embedded channel and has not left by it: play money, which nobody may get
 * paid out. Money that is transferred takes it along, all of it before any real money, and a reversal brings it back.
 * What was spent since counts as real money, so that none of it leaves by mistake. What a merged record or a replaced
 * card received, and is refunded later, belongs to the one that stands in for it.
 */
export async function playMoneyOf(trx: Trx, wallet: Wallet): Promise<Fen> {
  // Only cards and customers are recharged by a channel.
  if (wallet.kind !== 'card' && wallet.kind !== 'customer') return zeroFen;
  const isCard = wallet.kind === 'card';
  const standsIn = isCard
    ? sql`select ${wallet.owner}::bigint as id
          union select cards.id from cards join owners on cards.successor_id = owners.id`
    : sql`select ${wallet.owner}::bigint as id
          union select customers.id from customers join owners on customers.merged_into_id = owners.id`;
  const [owner, fromOwner, toOwner] = isCard
    ? [sql`card_id`, sql`from_card_id`, sql`to_card_id`]
    : [sql`customer_id`, sql`from_customer_id`, sql`to_customer_id`];
  const leftFen = isCard
    ? sql`0`
    : sql`(select coalesce(sum(amount_fen), 0) from withdrawals
            where customer_id in (select id from owners) and way = 'embedded' and (frozen or state = 'withdrawn'))`;
  const { rows } = await sql<{ playFen: number }>`
    with recursive owners as (${standsIn})
    select ((select coalesce(sum(amount_fen - refunded_fen), 0) from recharges
              where channel = 'embedded' and reversed_at is null and ${owner} in (select id from owners))
          + (select coalesce(sum(play_fen), 0) from wallet_transfers
              where reversed_at is null and ${toOwner} in (select id from owners))
          - (select coalesce(sum(play_fen), 0) from wallet_transfers
              where reversed_at is null and ${fromOwner} in (select id from owners))
          - ${leftFen})::bigint as "playFen"`.execute(trx);
  return fen(Math.max(0, rows[0]?.playFen ?? 0));
}
