import type { listRechargeRefunds as route } from '@voltdeck/contract/payments';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { RechargeId } from '@voltdeck/units/id';
import { isoOrNull, toIso } from '@voltdeck/units/instant';
import { minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { contradictionCodes } from '../../channels/take-return-found.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { shownName } from '../../http/shown-name.ts';
import { readParts } from '../../ledger/wallet-parts.ts';
import { findWalletOf } from '../lock-recharge.ts';
import { rechargeRows } from '../queries.ts';

/** The refunds of a recharge, the last one first; null where the caller does not see it. */
export async function readRefunds(
  db: Kysely<Tables>,
  caller: Caller,
  id: RechargeId,
): Promise<AnswerOf<typeof route> | null> {
  const recharge = await rechargeRows(db, caller)
    .select([
      'recharges.card_id as cardId',
      'recharges.customer_id as customerId',
      'recharges.group_id as groupId',
      'recharges.partner_id as partnerId',
      'recharges.amount_fen as amountFen',
      'recharges.gift_fen as giftFen',
      'recharges.refunded_fen as refundedFen',
      'recharges.refunded_gift_fen as refundedGiftFen',
      'recharges.reversed_at as reversedAt',
    ])
    .where('recharges.id', '=', id)
    .executeTakeFirst();
  if (recharge === undefined) return null;
  const refunds = await db
    .selectFrom('recharge_refunds as f')
    .leftJoin('users', 'users.id', 'f.user_id')
    .leftJoin('channel_refunds as c', 'c.id', 'f.channel_refund_id')
    .select([
      'f.id',
      'f.number',
      'f.amount_fen as amountFen',
      'f.gift_fen as giftFen',
      'f.state',
      'c.third_party_number as thirdPartyNumber',
      'f.reason',
      'f.created_at as createdAt',
      'f.ended_at as endedAt',
    ])
    // What the channel says while it waits for a person, or against the first end, is more than why it failed.
    .select(
      sql<string | null>`
        case when f.state <> 'failed' or c.result_code = ${contradictionCodes.doneAfterFailed}
             then coalesce(nullif(trim(concat_ws(' ', c.result_code, c.result_text)), ''), f.failure)
             else f.failure end`.as('failure'),
    )
    .select(
      shownName<string | null>(caller.language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'),
    )
    .where('f.recharge_id', '=', id)
    .orderBy('f.id', 'desc')
    .execute();
  const { wallet } = await findWalletOf(db, recharge);
  const { paidFen } = await readParts(db, wallet);
  const leftFen = subtractFen(recharge.amountFen, recharge.refundedFen);
  return {
    refundableFen: recharge.reversedAt === null ? minFen(leftFen, paidFen) : zeroFen,
    giftLeftFen: subtractFen(recharge.giftFen, recharge.refundedGiftFen),
    refunds: refunds.map((refund) => ({
      ...refund,
      createdAt: toIso(refund.createdAt),
      endedAt: isoOrNull(refund.endedAt),
    })),
  };
}
