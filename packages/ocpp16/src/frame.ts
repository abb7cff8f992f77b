/**
 * OCPP-J 1.6, section 4: text <-> [2, id, action, payload], [3, id, payload], [4, id, code, description, details].
 * Whatever a station sends becomes a frame or a fault, never a throw, and nothing within the JSON is repaired.
 */

/**
 * Longer frames are refused unread. A charge's transactionData of a whole day fits; use it as the socket's limit as
 * well.
 */
export const frameCharsMax = 1_048_576;
/** The deepest message of the standard (a charging profile) nests 7 levels, including the frame's own array. */
export const frameDepthMax = 24;
/** Maximum length of our own message ids, from the standard. */
export const ownIdCharsMax = 36;
/** Some stations use longer ids than the standard's 36: they are echoed up to this length, and unreadable beyond. */
export const stationIdCharsMax = 255;
const actionCharsMax = 100;
/** OCPP-J 1.6, section 4.2.3: errorDescription, "should be filled in if possible". */
export const errorDescriptionCharsMax = 255;

export type Payload = { readonly [field: string]: unknown };

/** OCPP-J 1.6, table 7, in its own spelling (one r in Occurence). */
export const errorCodes = [
  'NotImplemented',
  'NotSupported',
  'InternalError',
  'ProtocolError',
  'SecurityError',
  'FormationViolation',
  'PropertyConstraintViolation',
  'OccurenceConstraintViolation',
  'TypeConstraintViolation',
  'GenericError',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export type CallFrame = { kind: 'call'; id: string; action: string; payload: Payload };
export type ResultFrame = { kind: 'result'; id: string; payload: Payload };
/** `code` is spelt as by the station: FormatViolation and OccurrenceConstraintViolation occur. */
export type ErrorFrame = { kind: 'error'; id: string; code: string; description: string; details: Payload };

export type FrameFault = {
  kind: 'fault';
  because: 'too-long' | 'not-json' | 'too-deep' | 'not-a-frame' | 'bad-id' | 'bad-action' | 'bad-payload';
  /** The intended kind of the frame, if known: a call gets an answer, a reply settles what waits for it. */
  intent: 'call' | 'reply' | 'unknown';
  /** Present when readable; a call with an id is answered with FormationViolation. */
  id: string | null;
  action: string | null;
};

export type Frame = CallFrame | ResultFrame | ErrorFrame;

export function readFrame(text: string): Frame | FrameFault {
  if (text.length > frameCharsMax) return fault('too-long', salvage(text));
  const value = parsed(text) ?? parsed(withBlankPadding(text));
  if (value === undefined) return fault('not-json', salvage(text));
  if (!Array.isArray(value)) return fault('not-a-frame', nothingSalvaged);
  const parts: readonly unknown[] = value;
  const intent = intentOf(parts[0]);
  const id = parts[1];
  if (intent === 'unknown') return fault('not-a-frame', nothingSalvaged);
  if (typeof id !== 'string' || id.length === 0 || id.length > stationIdCharsMax) {
    return fault('bad-id', { intent, id: readableId(id), action: readableAction(parts[2], intent) });
  }
  if (intent === 'call') return readCall(parts, id);
  return parts[0] === 3 ? readResult(parts, id) : readError(parts, id);
}

/** Undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Blanks out what some stations put around their JSON: a byte-order mark in front, the NULs of a C string behind (or
 * their picture, as in the log). Returns the same text if there is none.
 */
export function withBlankPadding(text: string): string {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  let end = text.length;
  while (end > start && (text[end - 1] === '\0' || text[end - 1] === '\u2400')) end -= 1;
  if (start === 0 && end === text.length) return text;
  return ' '.repeat(start) + text.slice(start, end) + ' '.repeat(text.length - end);
}

function readCall(parts: readonly unknown[], id: string): CallFrame | FrameFault {
  const action = parts[2];
  const payload = parts[3];
  if (typeof action !== 'string' || action.length === 0 || action.length > actionCharsMax) {
    return fault('bad-action', { intent: 'call', id, action: null });
  }
  if (parts.length !== 4 || !isPayload(payload)) return fault('bad-payload', { intent: 'call', id, action });
  if (isTooDeep(payload, frameDepthMax - 1)) return fault('too-deep', { intent: 'call', id, action });
  return { kind: 'call', id, action, payload };
}

function readResult(parts: readonly unknown[], id: string): ResultFrame | FrameFault {
  const payload = parts[2];
  const salvaged: Salvaged = { intent: 'reply', id, action: null };
  if (parts.length !== 3 || !isPayload(payload)) return fault('bad-payload', salvaged);
  if (isTooDeep(payload, frameDepthMax - 1)) return fault('too-deep', salvaged);
  return { kind: 'result', id, payload };
}

/** Description and details may be missing or of a wrong type: the refusal still counts. */
function readError(parts: readonly unknown[], id: string): ErrorFrame | FrameFault {
  const [, , code, description, details] = parts;
  const salvaged: Salvaged = { intent: 'reply', id, action: null };
  if (typeof code !== 'string' || code.length > actionCharsMax || parts.length > 5) {
    return fault('bad-payload', salvaged);
  }
  if (isTooDeep(details, frameDepthMax - 1)) return fault('too-deep', salvaged);
  return {
    kind: 'error',
    id,
    code,
    description: typeof description === 'string' ? description.slice(0, errorDescriptionCharsMax) : '',
    details: isPayload(details) ? details : {},
  };
}

export function writeCall(id: string, action: string, payload: Payload): string {
  return `[2,${JSON.stringify(id)},${JSON.stringify(action)},${JSON.stringify(payload)}]`;
}

/** The result of most of a station's calls: meter values, states. */
export const emptyResult: Payload = Object.freeze({});

export function writeResult(id: string, payload: Payload): string {
  return `[3,${quoted(id)},${payload === emptyResult ? '{}' : JSON.stringify(payload)}]`;
}

/** The details are always an object: stations reject null and arrays there. */
function quoted(id: string): string {
  return plainId.test(id) ? `"${id}"` : JSON.stringify(id);
}

const plainId = /^[\w.:-]+$/;

export function writeError(id: string, code: ErrorCode, description: string): string {
  const short = description.slice(0, errorDescriptionCharsMax);
  return `[4,${JSON.stringify(id)},"${code}",${JSON.stringify(short)},{}]`;
}

export function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Salvaged = Pick<FrameFault, 'intent' | 'id' | 'action'>;

const nothingSalvaged: Salvaged = { intent: 'unknown', id: null, action: null };

function fault(because: FrameFault['because'], salvaged: Salvaged): FrameFault {
  return { kind: 'fault', because, ...salvaged };
}

/** The start of a frame whose rest is broken, such as `[2,"7","StopTransaction",{"transactionId":,`. */
const frameHead = /^\s*\[\s*([234])\s*,\s*("(?:[^"\\]|\\.){1,255}")\s*,\s*(?:"(\w{1,100})")?/;

function salvage(text: string): Salvaged {
  const match = frameHead.exec(text.slice(0, 1_024));
  if (match?.[2] === undefined) return nothingSalvaged;
  const intent = match[1] === '2' ? 'call' : 'reply';
  return { intent, id: parsedString(match[2]), action: intent === 'call' ? (match[3] ?? null) : null };
}

function parsedString(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return readableId(value);
  } catch {
    return null;
  }
}

function intentOf(messageType: unknown): FrameFault['intent'] {
  if (messageType === 2) return 'call';
  return messageType === 3 || messageType === 4 ? 'reply' : 'unknown';
}

/** Stations that send their ids as numbers get them back as text, only in the refusal. */
function readableId(id: unknown): string | null {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && id.length > 0 && id.length <= stationIdCharsMax ? id : null;
}

function readableAction(action: unknown, intent: FrameFault['intent']): string | null {
  return intent === 'call' && typeof action === 'string' && action.length <= actionCharsMax ? action : null;
}

/** Deep nesting would overflow the stack of whatever walks the value later; the recursion here stops at the limit. */
function isTooDeep(value: unknown, levelsLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levelsLeft === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isTooDeep(item, levelsLeft - 1)) return true;
    return false;
  }
  const fields = value as Payload;
  for (const name in fields) {
    const field = fields[name];
    if (typeof field === 'object' && isTooDeep(field, levelsLeft - 1)) return true;
  }
  return false;
}
