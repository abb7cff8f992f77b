import type { Instant } from '@voltdeck/units/instant';
import { pino } from 'pino';
import type { Database } from '../database/database.ts';
import type { TestApi } from '../http/test-api.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { createCallLog } from './call-log.ts';
import { createEmbeddedChannel, type EmbeddedParts } from './embedded/embedded-channel.ts';
import { embeddedKeysOf, newEmbeddedKey } from './embedded/embedded-keys.ts';
import { notifyAsChannel } from './embedded/notify-as-channel.ts';
import type { OpenChannels } from './open-channels.ts';
import type { PaymentChannel } from './payment-channel.ts';

/** A key of every file's own process, because making one takes its time. */
const key = newEmbeddedKey();

export const testCalls = (db: Database['db']) => createCallLog(db, pino({ level: 'silent' }));

/** The embedded channel for `openTestApi`; `changed` puts another behaviour in front of it. */
export function embeddedChannels(changed: (channel: PaymentChannel) => PaymentChannel = (channel) => channel) {
  return async ({ db, now }: { db: Database['db']; now(): Instant }): Promise<OpenChannels> => {
    const embedded: EmbeddedParts = { db, keys: embeddedKeysOf(key), calls: testCalls(db), now };
    return { byName: new Map([['embedded', changed(createEmbeddedChannel(embedded))]]), embedded, publicUrl: null };
  };
}

/** Delivers what the embedded channel has to say by now, as its jobs do. @returns how many notifications. */
export async function deliverNotifications(api: TestApi): Promise<number> {
  const { embedded } = api.context.channels;
  if (embedded === null) throw new Error('the embedded channel is off');
  const due = await api.database.db
    .selectFrom('embedded_notifications')
    .select('id')
    .where('delivered_at', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of due) await notifyAsChannel(embedded, channelRoomOf(api.context), id);
  return due.length;
}

/** Sends a notification over HTTP as it is. */
export async function postNotification(
  api: TestApi,
  channel: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; body: string }> {
  const response = await api.app.inject({
    method: 'POST',
    url: `/api/channels/${channel}/notifications`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
  return { status: response.statusCode, body: response.body };
}

/** What became of the notifications so far, the oldest first. */
export async function notificationOutcomes(api: TestApi): Promise<string[]> {
  const rows = await api.database.db.selectFrom('channel_notifications').select('outcome').orderBy('id').execute();
  return rows.map(({ outcome }) => outcome);
}
