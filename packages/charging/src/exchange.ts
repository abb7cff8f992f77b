import type { Instant } from '@voltdeck/units/instant';

/**
 * One call and its reply, as the interaction log keeps it. Texts are exactly as on the wire – frames of bytes in
 * upper-case hexadecimal – with two exceptions: a station's password is blotted out, and NUL characters, which no
 * database text holds, are shown as U+2400.
 */
export type Exchange = {
  /** Who sent the request. */
  direction: 'from-station' | 'to-station';
  /** Null when it could not be read, or for a reply that nobody waits for. */
  action: string | null;
  messageId: string | null;
  requestText: string;
  /** When the request was received, or handed to the socket. */
  requestedAt: Instant;
  /** Null when there was none: no answer in time, connection lost, or a frame that cannot be answered. */
  replyText: string | null;
  /** From request to reply; null when there was no reply. */
  latencyMs: number | null;
  fault: ExchangeFault | null;
};

/** An error code of the protocol (ours or the station's, as spelt on the wire), or why there is no reply. */
export type ExchangeFault = { code: string; description: string };

/** The fault of a message that counts without the values that `unusable` names. */
export function faultOfUnusable(unusable: readonly string[]): ExchangeFault | null {
  if (unusable.length === 0) return null;
  const listed = unusable.slice(0, unusableListedMax).join('; ');
  const more = unusable.length - unusableListedMax;
  return { code: exchangeFaults.unusableValue, description: more > 0 ? `${listed}; ${more} more` : listed };
}

const unusableListedMax = 8;

/** Fault codes that are not the protocol's own. */
export const exchangeFaults = {
  timedOut: 'TimedOut',
  unknownReply: 'UnknownReply',
  unreadable: 'Unreadable',
  connectionClosed: 'ConnectionClosed',
  unavailable: 'Unavailable',
  limitReached: 'LimitReached',
  /** What was said could not be stored; only its frames are kept, here. */
  notStored: 'NotStored',
  /** Frames of this station are cut, and most of them left out, for the rest of the day. */
  dailyLogLimit: 'DailyLogLimit',
  /** The message counts and was answered, without a value in it that cannot be used. */
  unusableValue: 'UnusableValue',
} as const;
