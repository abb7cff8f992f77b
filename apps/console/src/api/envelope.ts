import { type Envelope, lostSessionStatuses, signOutCode } from '@voltdeck/contract/envelope';
import { Refused } from './refused.ts';

/** What the specification (section 8) requires for an answer. */
export type Verdict =
  | { kind: 'accepted'; data: unknown }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'sign-out'; refused: Refused }
  | { kind: 'session-lost'; refused: Refused };

const lostStatuses: readonly number[] = Object.values(lostSessionStatuses);

export function isEnvelope(value: unknown): value is Envelope<unknown> {
  if (typeof value !== 'object' || value === null || !('message' in value)) return false;
  const { message } = value;
  return (
    typeof message === 'object' &&
    message !== null &&
    'status' in message &&
    typeof message.status === 'number' &&
    'code' in message &&
    typeof message.code === 'number'
  );
}

/**
 * Judges an envelope: 50008, 50012 and 50014 mean a lost session, code 201 signs out, and any other status than 200 is
 * a refusal.
 */
export function judge(envelope: Envelope<unknown>, retryAfterSeconds?: number): Verdict {
  const { message, data } = envelope;
  // Specification section 7: a text in `data` is the message (/changePwd).
  const text = typeof data === 'string' && data !== '' ? data : message.message;
  const refused = () => new Refused({ ...message, message: text }, retryAfterSeconds);
  if (lostStatuses.includes(message.status) || lostStatuses.includes(message.code)) {
    return { kind: 'session-lost', refused: refused() };
  }
  if (message.code === signOutCode) return { kind: 'sign-out', refused: refused() };
  if (message.status !== 200) return { kind: 'refused', refused: refused() };
  if (message.code !== 0) return { kind: 'refused', refused: refused() };
  return { kind: 'accepted', data };
}
