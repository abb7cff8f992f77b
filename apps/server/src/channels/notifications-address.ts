import type { OpenChannels } from './open-channels.ts';

/** Where a channel sends its notifications, below the server's address. */
export const notificationsPath = (channel: string) => `/api/channels/${channel}/notifications`;

/** The same as a channel is told it; without the server's address where nobody has set that. */
export function notifyUrlOf({ publicUrl }: Pick<OpenChannels, 'publicUrl'>, channel: string): string {
  return `${publicUrl ?? ''}${notificationsPath(channel)}`;
}
