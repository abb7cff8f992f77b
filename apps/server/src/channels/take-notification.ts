import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { type Trx, transact } from '../database/transact.ts';
import { textOf } from './call-log.ts';
import type { AfterCommit, ChannelRoom } from './channel-room.ts';
import type { ChannelEvent, NotificationAnswer, NotificationHeaders } from './payment-channel.ts';
import { takePaymentFound } from './take-payment-found.ts';
import { takeReturnFound } from './take-return-found.ts';
import type { UnbelievedLimit } from './unbelieved-limit.ts';

export type RawNotification = {
  channel: PaymentChannelName;
  headers: NotificationHeaders;
  rawBody: string;
  remoteAddress: string;
};

/** Whether there is a signature at all. Without one nothing is kept of what a stranger wrote. */
const isSigned: Record<PaymentChannelName, (headers: NotificationHeaders, rawBody: string) => boolean> = {
  wechat: (headers) => Boolean(headers['wechatpay-signature']),
  alipay: (_, rawBody) => Boolean(new URLSearchParams(rawBody).get('sign')),
  embedded: (headers) => Boolean(headers['voltdeck-pay-signature']),
};

/** How much of a notification that is not believed is kept. */
const unbelievedTextMax = 2_048;

/**
 * Verifies a notification, acts on it and writes it down with what came of it, all in one transaction. The channel hears
 * that it arrived only after the commit, and sends it again otherwise.
 */
export async function takeNotification(
  room: ChannelRoom,
  { channel: name, headers, rawBody, remoteAddress }: RawNotification,
  at: Instant,
  unbelieved: UnbelievedLimit | null = null,
): Promise<NotificationAnswer | null> {
  const channel = room.channels.get(name);
  if (channel === undefined) return null;
  const read = await channel.readNotification(headers, rawBody, at);
  const came = { at, channel: name, remote_address: remoteAddress };
  if (!read.ok) {
    if (unbelieved?.keepsOne(at) === false) return channel.answerNotification(false);
    room.log.warn({ channel: name, remoteAddress, why: read.error }, 'a notification was not believed');
    const content = isSigned[name](headers, rawBody) ? textOf(readableOf(rawBody)).slice(0, unbelievedTextMax) : '';
    await room.db
      .insertInto('channel_notifications')
      .values({ ...came, outcome: read.error, content })
      .execute();
    return channel.answerNotification(false);
  }
  const { nonce, about, content } = read.value;
  const kept = { ...came, kind: about.kind, number: about.number, content: textOf(content) };
  const taken = await transact(room.db, async (trx) => {
    const first = await trx
      .insertInto('channel_notifications')
      .values({ ...kept, nonce, outcome: 'taken' })
      .onConflict((conflict) => conflict.columns(['channel', 'nonce']).where('nonce', 'is not', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (first === undefined) {
      await trx
        .insertInto('channel_notifications')
        .values({ ...kept, outcome: 'replayed' })
        .execute();
      return ok(() => {});
    }
    const { outcome, afterCommit } = await takeEvent(trx, room, name, about, at);
    await trx.updateTable('channel_notifications').set({ outcome }).where('id', '=', first.id).execute();
    return ok(afterCommit);
  });
  if (!taken.ok) throw new Error(`a notification was refused: ${taken.error.code}`);
  taken.value();
  return channel.answerNotification(true);
}

async function takeEvent(
  trx: Trx,
  room: ChannelRoom,
  channel: PaymentChannelName,
  about: ChannelEvent['about'],
  at: Instant,
): Promise<{ outcome: string; afterCommit: AfterCommit }> {
  switch (about.kind) {
    case 'payment':
      return takePaymentFound(trx, room, { channel, number: about.number, found: about.found }, at);
    case 'refund':
    case 'payout':
      return takeReturnFound(trx, room, { kind: about.kind, channel, number: about.number, found: about.found }, at);
    case 'other':
      return { outcome: `ignored:${about.name}`, afterCommit() {} };
  }
}

/** As fields where it has fields, so that they are masked. */
function readableOf(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody) as unknown;
  } catch {
    return rawBody.includes('=') ? Object.fromEntries(new URLSearchParams(rawBody)) : rawBody;
  }
}
