import type { Id } from '@voltdeck/units/id';
import type { ChannelRoom } from '../channel-room.ts';
import { takeNotification } from '../take-notification.ts';
import type { EmbeddedParts } from './embedded-channel.ts';
import { signEmbedded } from './embedded-notification.ts';

/**
 * Delivers one notification of the embedded channel, signed at that moment. It takes the way of every notification except
 * for the network, so that it arrives wherever the server runs.
 * @throws Error where it was not taken, so that its job tries again.
 */
export async function notifyAsChannel(
  { db, keys, now }: Pick<EmbeddedParts, 'db' | 'keys' | 'now'>,
  room: ChannelRoom,
  notificationId: Id<'embedded_notification'>,
): Promise<void> {
  const notification = await db
    .selectFrom('embedded_notifications')
    .select('event')
    .where('id', '=', notificationId)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  if (notification === undefined) return;
  const at = now();
  const signed = signEmbedded(keys, notification.event, at);
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  const answer = await takeNotification(
    room,
    { channel: 'embedded', headers, rawBody: notification.event, remoteAddress: '' },
    at,
  );
  if (answer?.status !== 200) throw new Error('a notification of the embedded channel was not taken');
  await db
    .updateTable('embedded_notifications')
    .set({ delivered_at: now() })
    .where('id', '=', notificationId)
    .execute();
}
