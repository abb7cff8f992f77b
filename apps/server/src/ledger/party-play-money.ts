import { keyOf } from '@voltdeck/ledger/account';
import { balanceAccount, type Settled, shareAccount } from '@voltdeck/ledger/settlement';
import { addFen, type Fen, fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/**
 * How much of a party's balance may be paid out as real money, in fen, zero or more: nothing of what it may have got of
 * play money. `balanceFen` is the locked balance from which it would be paid, and `frozenFen` what of it is frozen for this
 * payment; what is frozen for others counts as paid.
 *
 * Play money came by the embedded channel, gifts that came with it included. Each wallet that got any may have passed all
 * of it to any party, so a party has at most what it got of the orders that the wallet paid, and at most the wallet's play
 * money. The bound may be above what was really passed on, so that none of it leaves by mistake.
 */
export async function payableOfBalance(
  trx: Trx,
  party: Settled,
  { balanceFen, frozenFen }: { balanceFen: Fen; frozenFen: Fen },
): Promise<Fen> {
  const playFen = await playMoneyOfParty(trx, party);
  if (playFen === 0) return addFen(balanceFen, frozenFen);
  const { rows } = await sql<{ heldFen: number }>`
    select coalesce(sum(balance_fen), 0)::bigint as "heldFen" from ledger_accounts
     where key in (${keyOf(shareAccount(party))}, ${keyOf(balanceAccount(party))})`.execute(trx);
  const realFen = (rows[0]?.heldFen ?? 0) + frozenFen - playFen;
  return fen(Math.max(0, Math.min(balanceFen + frozenFen, realFen)));
}

async function playMoneyOfParty(trx: Trx, { kind, id }: Settled): Promise<number> {
  const isOfParty = kind === 'agent' ? sql`s.agent_id = ${id}` : sql`s.divider_id = ${id}`;
  const { rows } = await sql<{ playFen: number }>`
    with brought as (
      select wallet, sum(fen) as fen from (
        select 'card' as kind, card_id as owner, amount_fen + gift_fen - refunded_fen - refunded_gift_fen as fen
          from recharges where channel = 'embedded' and reversed_at is null and card_id is not null
        union all
        select 'customer', customer_id, amount_fen + gift_fen - refunded_fen - refunded_gift_fen
          from recharges where channel = 'embedded' and reversed_at is null and card_id is null
                           and customer_id is not null
        union all
        select case when to_card_id is null then 'customer' else 'card' end, coalesce(to_card_id, to_customer_id),
               play_fen + gift_fen from wallet_transfers where reversed_at is null and play_fen > 0
        union all
        select case when from_card_id is null then 'customer' else 'card' end, coalesce(from_card_id, from_customer_id),
               -play_fen from wallet_transfers where reversed_at is null and play_fen > 0
        union all
        select 'customer', customer_id, -amount_fen from withdrawals
         where way = 'embedded' and (frozen or state = 'withdrawn')) each (kind, owner, fen)
        cross join lateral (select kind || ':' || owner as wallet) named
       group by wallet having sum(fen) > 0),
    passed as (
      select b.wallet, b.fen,
             (select coalesce(sum(s.amount_fen), 0) from order_shares s
               where ${isOfParty} and s.order_id in (
                 select t.order_id from ledger_accounts a
                   join ledger_postings p on p.from_account_id = a.id join ledger_transfers t on t.id = p.transfer_id
                  where t.order_id is not null
                    and a.key = any (array[b.wallet, replace(b.wallet, ':', '-held:'), replace(b.wallet, ':', '-gift:'),
                                           replace(b.wallet, ':', '-gift-held:')]))) as shared_fen
        from brought b)
    select coalesce(sum(least(fen, greatest(shared_fen, 0))), 0)::bigint as "playFen" from passed`.execute(trx);
  return rows[0]?.playFen ?? 0;
}
