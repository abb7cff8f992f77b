import { cardAccount, customerAccount, keyOf, type Wallet } from '@voltdeck/ledger/account';
import type { AgentId, AgentRechargeId, CardId, CustomerId, WalletGiftId, WalletTransferId } from '@voltdeck/units/id';
import { type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { PresentWallet } from '../ledger/present-wallet.ts';

/** What a reversal does to one wallet, with its sign. */
export type WalletChange = {
  wallet: Wallet;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Of the card. */
  agentId: AgentId | null;
  type: 'gift' | 'gift_deducted' | 'transfer';
  paidFen: Fen;
  giftFen: Fen;
};

/** A gift, a transfer or prepaid money that a person entered, and what its reversal changes. */
export type Entry = {
  kind: 'gift' | 'gift_deducted' | 'transfer' | 'prepaid_filled';
  table: 'wallet_gifts' | 'wallet_transfers' | 'agent_recharges';
  id: number;
  number: string;
  /** The part that repaid debts at once. */
  repaidFen: Fen;
  /** Who gives back comes first. */
  changes: readonly WalletChange[];
  /** What an agent's prepaid account gives back. */
  prepaid: { agentId: AgentId; amountFen: Fen } | null;
};

/** Whether the money of a wallet has moved on since: its card was replaced or cancelled, its customer merged. */
export function isClosed({ wallet }: WalletChange, present: PresentWallet): boolean {
  return present.isCancelled || keyOf(present.wallet) !== keyOf(wallet);
}

type Options = { isLocked?: boolean };

/** The record of a transfer that can be reversed, by the transfer's key; null for any other transfer. */
export async function findEntry(
  db: Kysely<Tables>,
  key: string,
  { isLocked = false }: Options = {},
): Promise<Entry | null> {
  const [prefix, text] = key.split(':');
  const id = Number(text);
  switch (prefix) {
    case 'gift':
    case 'gift-deduction':
      return findGift(db, id as WalletGiftId, isLocked);
    case 'transfer':
      return findTransfer(db, id as WalletTransferId, isLocked);
    case 'agent-recharge':
      return findPrepaid(db, id as AgentRechargeId, isLocked);
    default:
      return null;
  }
}

async function findGift(db: Kysely<Tables>, id: WalletGiftId, isLocked: boolean): Promise<Entry | null> {
  const gift = await db
    .selectFrom('wallet_gifts')
    .select(['number', 'kind', 'card_id', 'customer_id', 'agent_id', 'amount_fen', 'repaid_fen'])
    .where('id', '=', id)
    .$if(isLocked, (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (gift === undefined) return null;
  const isGiven = gift.kind === 'given';
  const giftFen = isGiven ? subtractFen(zeroFen, gift.amount_fen) : gift.amount_fen;
  const owner = ownerOf(gift.card_id, gift.customer_id, gift.agent_id);
  return {
    kind: isGiven ? 'gift' : 'gift_deducted',
    table: 'wallet_gifts',
    id,
    number: gift.number,
    repaidFen: gift.repaid_fen,
    changes: [{ ...owner, type: isGiven ? 'gift_deducted' : 'gift', paidFen: zeroFen, giftFen }],
    prepaid: null,
  };
}

async function findTransfer(db: Kysely<Tables>, id: WalletTransferId, isLocked: boolean): Promise<Entry | null> {
  const moved = await db
    .selectFrom('wallet_transfers')
    .select(['number', 'paid_fen', 'gift_fen', 'repaid_fen'])
    .select(['from_card_id', 'from_customer_id', 'from_agent_id', 'to_card_id', 'to_customer_id', 'to_agent_id'])
    .where('id', '=', id)
    .$if(isLocked, (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (moved === undefined) return null;
  const receiver = ownerOf(moved.to_card_id, moved.to_customer_id, moved.to_agent_id);
  const giver = ownerOf(moved.from_card_id, moved.from_customer_id, moved.from_agent_id);
  const [paidFen, giftFen] = [moved.paid_fen, moved.gift_fen];
  return {
    kind: 'transfer',
    table: 'wallet_transfers',
    id,
    number: moved.number,
    repaidFen: moved.repaid_fen,
    changes: [
      { ...receiver, type: 'transfer', paidFen: fen(0 - paidFen), giftFen: fen(0 - giftFen) },
      { ...giver, type: 'transfer', paidFen, giftFen },
    ],
    prepaid: null,
  };
}

async function findPrepaid(db: Kysely<Tables>, id: AgentRechargeId, isLocked: boolean): Promise<Entry | null> {
  const filled = await db
    .selectFrom('agent_recharges')
    .select(['number', 'agent_id', 'amount_fen'])
    .where('id', '=', id)
    .$if(isLocked, (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (filled === undefined) return null;
  return {
    kind: 'prepaid_filled',
    table: 'agent_recharges',
    id,
    number: filled.number,
    repaidFen: zeroFen,
    changes: [],
    prepaid: { agentId: filled.agent_id, amountFen: filled.amount_fen },
  };
}

function ownerOf(cardId: CardId | null, customerId: CustomerId | null, agentId: AgentId | null) {
  if (cardId !== null) return { wallet: cardAccount(cardId), cardId, customerId: null, agentId };
  if (customerId === null) throw new Error('an entry without an owner');
  return { wallet: customerAccount(customerId), cardId: null, customerId, agentId };
}
