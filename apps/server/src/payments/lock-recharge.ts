import { cardAccount, customerAccount, groupAccount, partnerAccount, type Wallet } from '@voltdeck/ledger/account';
import type { AgentId, CardId, CustomerId, GroupId, PartnerId, RechargeId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { PaymentId } from '../channels/channel-room.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { findPresentWallet, lockPresentWallet } from '../ledger/present-wallet.ts';
import { rechargeRows } from './queries.ts';

export type LockedRecharge = NonNullable<Awaited<ReturnType<typeof lockRecharge>>>;

/** A recharge within the caller's scope, locked until the transaction ends. */
export function lockRecharge(trx: Trx, caller: Caller, id: RechargeId) {
  return rechargeRows(trx, caller)
    .select([
      'recharges.id',
      'recharges.number',
      'recharges.card_id as cardId',
      'recharges.customer_id as customerId',
      'recharges.group_id as groupId',
      'recharges.partner_id as partnerId',
      'recharges.amount_fen as amountFen',
      'recharges.gift_fen as giftFen',
      'recharges.refunded_fen as refundedFen',
      'recharges.refunded_gift_fen as refundedGiftFen',
      'recharges.channel',
      'recharges.agent_id as agentId',
      'recharges.reversed_at as reversedAt',
      /** Whose it is to see. */
      sql<AgentId | null>`recharges.owner_agent_id`.as('ownerId'),
      /** Of the channel that it was paid by. */
      sql<PaymentId | null>`(select p.id from channel_payments p where p.recharge_id = recharges.id)`.as('paymentId'),
    ])
    .where('recharges.id', '=', id)
    .forUpdate('recharges')
    .executeTakeFirst();
}

/** Whether the money of a recharge is the caller's to send back: an agent's prepaid money, or that of the outside. */
export function isPayer({ agents }: Pick<Caller, 'agents'>, agentId: AgentId | null): boolean {
  return agents === 'all' || (agentId !== null && agents.includes(agentId));
}

type Recharged = {
  cardId: CardId | null;
  customerId: CustomerId | null;
  groupId: GroupId | null;
  partnerId: PartnerId | null;
};

/** @throws Error for a recharge without a wallet, which the database does not allow. */
export function walletOf({ cardId, customerId, groupId, partnerId }: Recharged): Wallet {
  if (cardId !== null) return cardAccount(cardId);
  if (customerId !== null) return customerAccount(customerId);
  if (groupId !== null) return groupAccount(groupId);
  if (partnerId !== null) return partnerAccount(partnerId);
  throw new Error('a recharge without a wallet');
}

/**
 * Where the money of a recharge is now: groups and partners keep their wallets. It stays so until the transaction ends.
 */
export async function lockWalletOf(trx: Trx, recharge: Recharged): Promise<PresentMoney> {
  return isPersonal(recharge) ? lockPresentWallet(trx, recharge) : kept(recharge);
}

/** As `lockWalletOf`, for reading. */
export async function findWalletOf(db: Kysely<Tables>, recharge: Recharged): Promise<PresentMoney> {
  return isPersonal(recharge) ? findPresentWallet(db, recharge) : kept(recharge);
}

type PresentMoney = { wallet: Wallet; isCancelled: boolean };

function isPersonal({ cardId, customerId }: Recharged): boolean {
  return cardId !== null || customerId !== null;
}

function kept(recharge: Recharged): PresentMoney {
  return { wallet: walletOf(recharge), isCancelled: false };
}
