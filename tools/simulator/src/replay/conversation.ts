import { failed, ok, type Result } from '@voltdeck/units/result';

/** One call and its answer on the wire: JSON for OCPP, hexadecimal for YKC. */
export type Exchange = {
  /** Milliseconds since 1970. */
  at: number;
  direction: 'from-station' | 'to-station';
  /** The name on the wire: an OCPP action, a YKC type such as 0x13; null for an unreadable message. */
  action: string | null;
  request: string;
  answer: string | null;
};

/** The part of the console's "save conversation" format that a replay needs. */
export type Conversation = {
  protocol: 'ocpp1.6' | 'ykc';
  stationNumber: string;
  isCut: boolean;
  /** Oldest first. */
  exchanges: readonly Exchange[];
};

/** Reads a saved conversation. A failure is one line that says what is wrong. */
export function readConversation(text: string): Result<Conversation, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('not JSON');
  }
  if (!isRecord(value)) return failed('not a saved conversation');
  const { version, protocol, stationNumber, isCut, exchanges } = value;
  if (version !== 1) return failed(`version 1 of saved conversations is known, not ${String(version)}`);
  if (protocol !== 'ocpp1.6' && protocol !== 'ykc') return failed(`no protocol ${String(protocol)}`);
  if (typeof stationNumber !== 'string' || stationNumber === '') return failed('no stationNumber');
  if (!Array.isArray(exchanges)) return failed('no exchanges');
  const read: Exchange[] = [];
  for (const [index, each] of exchanges.entries()) {
    const exchange = isRecord(each) ? readExchange(each) : null;
    if (exchange === null) return failed(`exchange ${index} is not one`);
    read.push(exchange);
  }
  read.sort((a, b) => a.at - b.at);
  return ok({ protocol, stationNumber, isCut: isCut === true, exchanges: read });
}

function readExchange({ at, direction, action, request, answer }: Record<string, unknown>): Exchange | null {
  const instant = typeof at === 'number' ? at : typeof at === 'string' ? Date.parse(at) : Number.NaN;
  const isSound =
    Number.isFinite(instant) &&
    (direction === 'from-station' || direction === 'to-station') &&
    (action === null || typeof action === 'string') &&
    typeof request === 'string' &&
    (answer === null || typeof answer === 'string');
  return isSound ? { at: instant, direction, action, request, answer } : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
