import type { MovementType } from '@voltdeck/charging/states';
import type { Wallet } from '@voltdeck/ledger/account';
import { isShared, mayBeNegative } from '@voltdeck/ledger/balance';
import type { Channel } from '@voltdeck/ledger/chart';
import type { Transfer } from '@voltdeck/ledger/transfer';
import type { AgentId, RechargeId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/**
 * What a transfer does to a wallet, for its owner and for the lists: its changes with their sign, and the record that
 * explains them. The balances afterwards are read where it is written.
 */
export type Movement = {
  wallet: Wallet;
  type: MovementType;
  /** The number of the order, recharge, withdrawal or transfer that it belongs to. */
  number: string;
  paidFen: number;
  giftFen: number;
  /** Whose it is to see; a card's belong to the card's agent. */
  agentId?: AgentId | null;
  rechargeId?: RechargeId | null;
  channel?: Channel | null;
  userId?: UserId | null;
  remark?: string;
};

/**
 * Writes a transfer into the books in the caller's transaction, in one round trip. False when its key was posted
 * before: the business event arrived twice and money moved once. Throws (check violation ledger_accounts_floor) when a
 * balance that must not would go below zero.
 */
export async function postTransfer(
  trx: Transaction<Tables>,
  transfer: Transfer,
  at: Instant,
  movements: readonly Movement[] = [],
): Promise<boolean> {
  const { rows } = await sql<{ posted: boolean }>`select ${postingOf(transfer, at, { movements })} as posted`.execute(
    trx,
  );
  return rows[0]?.posted === true;
}

/**
 * The same as part of a caller's statement: true, false when its key was posted before, null for no transfer. `named`
 * replaces its key and order where the statement itself gives the order its id. `movements` are written with it.
 */
export function postingOf(
  transfer: Transfer | null,
  at: Instant,
  { named, movements = [] }: PostingOptions = {},
): RawBuilder<boolean | null> {
  if (transfer === null) return sql`null::boolean`;
  const { reason, postings } = transfer;
  const { key, orderId } = named ?? { key: transfer.key, orderId: sql`${transfer.orderId ?? null}::bigint` };
  const from = postings.map((posting) => posting.from);
  const to = postings.map((posting) => posting.to);
  const accounts = [...new Set([...from, ...to])];
  const belowZero = accounts.filter((account) => mayBeNegative(account));
  const shared = accounts.filter((account) => isShared(account));
  return sql`post_transfer(${key}, ${reason}, ${orderId}, to_timestamp(${at} / 1000.0),
                           ${from}::text[], ${to}::text[], ${postings.map((posting) => posting.amountFen)}::bigint[],
                           ${belowZero}::text[], ${shared}::text[], ${jsonOf(movements)}::jsonb)`;
}

type PostingOptions = {
  named?: { key: RawBuilder<string>; orderId: RawBuilder<number> };
  movements?: readonly Movement[];
};

function jsonOf(movements: readonly Movement[]): string | null {
  const moved = movements.filter(({ paidFen, giftFen }) => paidFen !== 0 || giftFen !== 0);
  if (moved.length === 0) return null;
  return JSON.stringify(
    moved.map(({ wallet, number, type, paidFen, giftFen, agentId, rechargeId, channel, userId, remark }) => ({
      wallet: wallet.kind,
      owner: wallet.owner,
      number,
      type,
      paid_fen: paidFen,
      gift_fen: giftFen,
      agent_id: agentId ?? null,
      recharge_id: rechargeId ?? null,
      channel: channel ?? null,
      user_id: userId ?? null,
      remark: remark ?? '',
    })),
  );
}
