/** A station's messages that wait for their answers, in order of arrival. */
import type { Arrived, Kinds } from './kinds.ts';

/** Inbox sizes at which reading from the socket pauses and resumes. */
export const inboxPauseAt = 32;
export const inboxResumeAt = 8;
/** Buffered data still arrives after a pause; a station beyond this limit is cut off. */
export const inboxMax = 256;

export type Waiting<K extends Kinds> = Arrived<K> & {
  /** Repeats of the message: each is answered, the business hears it once. */
  repeats: K['arrival'][] | null;
};

export type Inbox<K extends Kinds> = {
  /** The business has the first one if `handed` says so. Null when empty, as on most connections, to save memory. */
  inbox: Waiting<K>[] | null;
  /** Messages including repeats. */
  inboxCount: number;
  /** Characters of the messages without repeats. */
  inboxChars: number;
  paused: boolean;
};

export function emptyInbox<K extends Kinds>(): Inbox<K> {
  return { inbox: null, inboxCount: 0, inboxChars: 0, paused: false };
}

/**
 * Adds a message, or notes it as a repeat of a waiting one. Returns `pause` when the socket must not be read any more,
 * `full` when the message was not taken.
 */
export function enterInbox<K extends Kinds>(
  holder: Inbox<K>,
  arrived: Arrived<K>,
  { charsMax, isRepeat }: { charsMax: number; isRepeat: (waiting: Arrived<K>, arrived: Arrived<K>) => boolean },
): 'entered' | 'pause' | 'full' {
  const { arrival, message } = arrived;
  if (holder.inboxCount >= inboxMax || holder.inboxChars + arrival.text.length > charsMax) return 'full';
  holder.inbox ??= [];
  const first = holder.inbox.find((waiting) => isRepeat(waiting, arrived));
  if (first === undefined) {
    holder.inbox.push({ arrival, message, repeats: null });
    holder.inboxChars += arrival.text.length;
  } else {
    first.repeats ??= [];
    first.repeats.push(arrival);
  }
  holder.inboxCount += 1;
  if (holder.paused || holder.inboxCount < inboxPauseAt) return 'entered';
  holder.paused = true;
  return 'pause';
}

/** Removes the first message with its repeats. */
export function leaveInbox<K extends Kinds>(holder: Inbox<K>): Waiting<K> | null {
  const first = holder.inbox?.shift();
  if (first === undefined) return null;
  if (holder.inbox?.length === 0) holder.inbox = null;
  holder.inboxChars -= first.arrival.text.length;
  holder.inboxCount -= 1 + (first.repeats?.length ?? 0);
  return first;
}

/** True once there is room again after a pause, so that reading resumes. */
export function resumesReading(holder: Inbox<Kinds>): boolean {
  if (!holder.paused || holder.inboxCount > inboxResumeAt) return false;
  holder.paused = false;
  return true;
}
