import type { Instant } from '@voltdeck/units/instant';

/**
 * One call and its reply, as the interaction log stores it. Texts are exactly as on the wire – frames of bytes in
 * upper-case hexadecimal – with two exceptions: a station's password is redacted, and NUL characters, which no
 * database text can hold, become U+2400.
 */
export type Exchange = {
  /** Who sent the request. */
  direction: 'from-station' | 'to-station';
  /** Null when it could not be read, or for a reply without a call. */
  action: string | null;
  messageId: string | null;
  requestText: string;
  /** When the request was received, or handed to the socket. */
  requestedAt: Instant;
  /** Null when there was none: no answer in time, connection lost, or an unanswerable frame. */
  replyText: string | null;
  /** From request to reply; null when there was no reply. */
  latencyMs: number | null;
  fault: ExchangeFault | null;
};

/** An error code of the protocol (ours or the station's, as spelt on the wire), or why there is no reply. */
export type ExchangeFault = { code: string; description: string };

/** The fault of a message that is accepted without the values that `unusable` names. */
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
  /** The message could not be stored; only its frames are kept, here. */
  notStored: 'NotStored',
  /** For the rest of the day, frames of this station are truncated and most of them dropped. */
  dailyLogLimit: 'DailyLogLimit',
  /** The message is accepted and answered, without an unusable value. */
  unusableValue: 'UnusableValue',
} as const;
