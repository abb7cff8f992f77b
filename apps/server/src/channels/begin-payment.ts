import { createHash, randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { CardId, CustomerId, UserId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { type ChannelRoom, channelOf, type PaymentId } from './channel-room.ts';
import { nextLookAt } from './growing-intervals.ts';

/** How long a code can be paid: long enough to find the phone, and for a second try. */
export const codeLifeMs = 15 * minuteMs;

export type PaymentWish = {
  channel: PaymentChannelName;
  cardId: CardId | null;
  customerId: CustomerId | null;
  amountFen: Fen;
  title: string;
  /** Null where the customer asks for themselves. */
  userId: UserId | null;
  notifyUrl: string;
};

export type BegunPayment = {
  id: PaymentId;
  number: string;
  /** Opens the page of this payment; the database keeps its hash alone. */
  pageToken: string;
  expiresAt: Instant;
};

/**
 * Writes a payment down before its channel hears of it, so that nothing can be paid that we do not know. `askForCode`
 * asks after the commit; where it never does, `findOut` closes the payment in time.
 */
export async function beginPayment(trx: Trx, wish: PaymentWish, at: Instant): Promise<BegunPayment> {
  const number = receiptNumber('C', at);
  const pageToken = newPageToken();
  const expiresAt = instant(at + codeLifeMs);
  const { id } = await trx
    .insertInto('channel_payments')
    .values({
      number,
      channel: wish.channel,
      purpose: 'recharge',
      card_id: wish.cardId,
      customer_id: wish.customerId,
      amount_fen: wish.amountFen,
      title: wish.title,
      page_token_hash: hashPageToken(pageToken),
      notify_url: wish.notifyUrl,
      expires_at: expiresAt,
      user_id: wish.userId,
      asked_by_customer_id: wish.userId === null ? wish.customerId : null,
      created_at: at,
      next_look_at: nextLookAt({ since: at, at }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, number, pageToken, expiresAt };
}

/** Another address of the same page; the earlier one no longer leads there. */
export async function renewPageToken(db: Kysely<Tables>, id: PaymentId): Promise<string> {
  const pageToken = newPageToken();
  await db
    .updateTable('channel_payments')
    .set({ page_token_hash: hashPageToken(pageToken) })
    .where('id', '=', id)
    .execute();
  return pageToken;
}

function newPageToken(): string {
  return randomBytes(24).toString('base64url');
}

export function hashPageToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Asks the channel for the code of a payment. A repetition gets the same code, because channels know a payment by its
 * number. Without an answer the payment stays `unknown`: it may exist at the channel all the same.
 */
export async function askForCode(
  { db, channels, outcomes, now }: Pick<ChannelRoom, 'db' | 'channels' | 'outcomes' | 'now'>,
  id: PaymentId,
  pageUrl: string,
): Promise<Result<{ codeUrl: string }, ApiError>> {
  const payment = await db
    .selectFrom('channel_payments')
    .select(['number', 'channel', 'amount_fen', 'title', 'state', 'code_url', 'notify_url', 'expires_at'])
    .select(['card_id as cardId', 'customer_id as customerId', 'result_code', 'result_text'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const changed = () => outcomes.changed({ id, cardId: payment.cardId, customerId: payment.customerId });
  if (payment.code_url !== null) return ok({ codeUrl: payment.code_url });
  if (payment.state === 'failed') return refusedBy(payment.result_code ?? '', payment.result_text ?? '');
  if (payment.state !== 'created' && payment.state !== 'unknown') return failed({ code: 'channel.no_answer' });
  const channel = channelOf(channels, payment.channel);
  if (!channel.ok) return channel;
  // From here on the channel may know of it, whatever becomes of this process.
  const first = await db
    .updateTable('channel_payments')
    .set({ state: 'unknown' })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .returning('id')
    .executeTakeFirst();
  const asked = await channel.value.createPayment({
    number: payment.number,
    amountFen: payment.amount_fen,
    title: payment.title,
    expiresAt: payment.expires_at,
    notifyUrl: payment.notify_url,
    pageUrl,
  });
  const open = db.updateTable('channel_payments').where('id', '=', id).where('state', '=', 'unknown');
  switch (asked.outcome) {
    case 'answered':
      await open.set({ state: 'paying', code_url: asked.answer.codeUrl }).execute();
      await changed();
      return ok(asked.answer);
    case 'refused': {
      const { code, text } = asked.refusal;
      // A refusal of a repetition says nothing of the first time: it may be "paid already".
      if (first !== undefined) {
        await open
          .set({ state: 'failed', result_code: code, result_text: text, next_look_at: null, ended_at: now() })
          .execute();
        await changed();
      }
      return refusedBy(code, text);
    }
    case 'unknown':
      return failed({ code: 'channel.no_answer' });
  }
}

const refusedBy = (code: string, text: string) =>
  failed({ code: 'channel.refused' as const, params: { reason: text === '' ? code : text } });
