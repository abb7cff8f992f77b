import { type ChannelBillLine, listChannelBillLines, type RechargeCode } from '@voltdeck/contract/recharge-codes';
import { isoOrNull, parseShanghaiDate, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { hashPageToken } from '../channels/begin-payment.ts';
import type { PaymentId } from '../channels/channel-room.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';

/**
 * A code belongs to the agent of its card and to who asked for it; a customer's belongs to the platform besides, so that
 * what other people collect from an agent's customers stays hidden from it.
 */
export async function findRechargeCode(
  db: Kysely<Tables>,
  caller: Caller,
  id: PaymentId,
): Promise<RechargeCode | null> {
  const inScope = scoped(
    db.selectFrom('channel_payments as c').leftJoin('cards', 'cards.id', 'c.card_id').select('c.id'),
    caller,
    sql`cards.agent_id`,
    sql`coalesce(c.customer_id, cards.customer_id)`,
  );
  const row = await db
    .selectFrom('channel_payments as p')
    .leftJoin('recharges', 'recharges.id', 'p.recharge_id')
    .select(['p.id', 'p.number', 'p.channel', 'p.card_id as cardId', 'p.customer_id as customerId'])
    .select(['p.amount_fen as amountFen', 'p.state', 'p.code_url as codeUrl', 'p.expires_at as expiresAt'])
    .select(['p.paid_at as paidAt', 'p.recharge_id as rechargeId', 'p.attention', 'p.created_at as createdAt'])
    .select('recharges.number as rechargeNumber')
    .where('p.id', '=', id)
    .where((eb) => eb.or([eb('p.user_id', '=', caller.userId), eb('p.id', 'in', inScope.where('c.id', '=', id))]))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { expiresAt, paidAt, createdAt } = row;
  return { ...row, expiresAt: toIso(expiresAt), paidAt: isoOrNull(paidAt), createdAt: toIso(createdAt) };
}

/** The payment of a page; whoever has its token may see it. */
export async function findPaymentByToken(db: Kysely<Tables>, token: string) {
  return db
    .selectFrom('channel_payments')
    .select(['id', 'number', 'channel', 'amount_fen as amountFen', 'state', 'code_url as codeUrl'])
    .select(['expires_at as expiresAt', 'paid_at as paidAt'])
    .where('page_token_hash', '=', hashPageToken(token))
    .executeTakeFirst();
}

export const channelBillLineList = listSource({
  route: listChannelBillLines,
  platformOnly: true,
  neverShrinks: true,
  filtered(db, _caller, filter) {
    let lines = db.selectFrom('channel_bill_lines');
    if (filter.channel !== undefined) lines = lines.where('channel', '=', filter.channel);
    if (filter.day !== undefined) {
      if (parseShanghaiDate(filter.day) === null) return null;
      lines = lines.where('day', '=', filter.day);
    }
    if (filter.kind !== undefined) lines = lines.where('kind', 'in', filter.kind);
    if (filter.number !== undefined) lines = lines.where('number', '=', filter.number);
    return lines;
  },
  id: sql`channel_bill_lines.id`,
  sorts: { id: sql`channel_bill_lines.id` },
  sums: { amountFen: sql`channel_bill_lines.amount_fen`, feeFen: sql`channel_bill_lines.fee_fen` },
  rows: (db) =>
    db
      .selectFrom('channel_bill_lines')
      .select(['id', 'channel', 'day', 'kind', 'number', 'third_party_number as thirdPartyNumber'])
      .select(['amount_fen as amountFen', 'fee_fen as feeFen', 'at']),
  toItem: ({ at, ...line }): ChannelBillLine => ({ ...line, at: isoOrNull(at) }),
});
