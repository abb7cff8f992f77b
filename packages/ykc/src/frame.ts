/**
 * YKC 1.5 and 1.6, section 2.1: 0x68, length, sequence (2), encrypt flag, type, body, CRC (2). Whatever a pile sends
 * becomes frames, messages or faults, never a throw.
 */
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type FieldFault, readBody, writeBody } from './body.ts';
import { crc16, RangeCrc } from './crc.ts';
import { hexOf7 } from './hex.ts';
import { definitionOf, definitions, type Message, type MessageKind } from './messages/all.ts';

export const startByte = 0x68;
/** Start and length byte before, and CRC after, what the length byte counts. */
export const bytesAroundLength = 4;
/** Sequence, flag and type: a smaller length byte is invalid. */
export const lengthMin = 4;
/**
 * The text says 200, yet some messages are longer by their own tables: everything that the byte can express is read.
 */
export const frameBytesMax = 255 + bytesAroundLength;
/** How often the given bytes may be read for single CRCs before preparing CRCs of all ranges pays off. */
const missedPassesMax = 4;
/** A remainder is shorter than one frame. */
export const remainderBytesMax = frameBytesMax - 1;
const sequenceAt = 2;
const encryptAt = 4;
const typeAt = 5;
/** Where the body begins in a frame. */
export const bodyAt = 6;
export const crcBytes = 2;
/** A sequence has two bytes and wraps around. */
export const sequences = 0x1_0000;

/** The text says low byte first; some piles send the high byte first (section 2.2). */
export type CrcOrder = 'low-first' | 'high-first';

export type Frame = {
  /** The whole frame, usually a view of the input: copy it to keep it. */
  readonly bytes: Uint8Array;
  /** The two raw bytes as u16 little-endian. An answer repeats them; never refuse a frame for them. */
  readonly sequence: number;
  /** Flag 0x01 means 3DES, whose key is not published. */
  readonly encrypted: boolean;
  readonly type: number;
  readonly crcOrder: CrcOrder;
};

export type FramesRead = {
  readonly frames: readonly Frame[];
  /** The start of an incomplete frame: pass it in with the next chunk. At most `remainderBytesMax`. */
  readonly remainder: Uint8Array;
  /** Bytes that were dropped because they belong to no frame. */
  readonly skipped: number;
};

/** A frame with a correct CRC whose content cannot be understood; it has the frame for the log. */
export type FrameFault = {
  readonly kind: 'fault';
  readonly because: 'encrypted' | 'unknown-type' | 'body-too-short';
  readonly frame: Frame;
};

/** The remainder of a new connection. */
export const emptyRemainder: Uint8Array = new Uint8Array(0);

/**
 * Cuts a stream into frames, whatever is before, between or after them. After a byte that starts no frame, reading
 * resumes at the next start byte with a length and a correct CRC. Takes linear time, even for a hostile stream.
 */
export function readFrames(remainder: Uint8Array, chunk: Uint8Array): FramesRead {
  const total = remainder.length + chunk.length;
  const bytes = remainder.length === 0 ? chunk : joined(remainder, chunk);
  const frames: Frame[] = [];
  let skipped = 0;
  /** Earlier bytes belong to a frame or were skipped. */
  let from = 0;
  /** The first place since `from` where an incomplete frame may start. */
  let waitingAt = -1;
  /** Bytes whose CRC was calculated in vain. */
  let missed = 0;
  let ranges: RangeCrc | null = null;
  for (let at = 0; at < total; ) {
    if (bytes[at] !== startByte) {
      at += 1;
      continue;
    }
    // The length byte may not have arrived yet, and the workbench has old bytes after the end.
    const length = at + 1 < total ? (bytes[at + 1] ?? 0) : 0xff;
    const end = at + length + bytesAroundLength;
    if (length < lengthMin) {
      at += 1;
      continue;
    }
    if (end > total) {
      if (waitingAt < 0) waitingAt = at;
    } else if (waitingAt < 0 || isDocumented(bytes, at, end)) {
      // A few stray start bytes are cheaper one by one; a stream of them would be read over and over again.
      if (missed > missedPassesMax * total) ranges ??= new RangeCrc(bytes, at, total);
      const crc = ranges === null ? crc16(bytes, at + 2, end - 2) : ranges.of(at + 2, end - 2);
      const crcOrder = orderOf(crc, bytes[end - 2] ?? 0, bytes[end - 1] ?? 0);
      if (crcOrder !== null) {
        frames.push({
          bytes: bytes === workbench ? copied(bytes, at, end) : viewOf(bytes, at, end),
          sequence: (bytes[at + sequenceAt] ?? 0) | ((bytes[at + sequenceAt + 1] ?? 0) << 8),
          encrypted: bytes[at + encryptAt] !== 0,
          type: bytes[at + typeAt] ?? 0,
          crcOrder,
        });
        skipped += at - from;
        from = end;
        at = end;
        waitingAt = -1;
        continue;
      }
      missed += end - at;
    }
    at += 1;
  }
  const keptFrom = waitingAt < 0 ? total : waitingAt;
  skipped += keptFrom - from;
  // A copy, so that a few waiting bytes do not keep a whole chunk in memory.
  return { frames, remainder: keptFrom === total ? emptyRemainder : copied(bytes, keptFrom, total), skipped };
}

/**
 * Joins a remainder and a short chunk: allocating memory for every call would cost more than reading. Results are
 * copied out of it.
 */
const workbench = new Uint8Array(2 * frameBytesMax);

function joined(remainder: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = remainder.length + chunk.length;
  const bytes = length <= workbench.length ? workbench : new Uint8Array(length);
  bytes.set(remainder);
  bytes.set(chunk, remainder.length);
  return bytes;
}

/** Copies share one allocation: memory for each would cost several times as much as reading a frame. */
const pieceBytes = 4_096;
let piece = new ArrayBuffer(pieceBytes);
let pieceUsed = 0;

/** At most a frame, for which a loop is faster than `set` or `slice`. */
function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  if (pieceUsed + to - from > pieceBytes) {
    piece = new ArrayBuffer(pieceBytes);
    pieceUsed = 0;
  }
  const part = new Uint8Array(piece, pieceUsed, to - from);
  pieceUsed += part.length;
  for (let index = from; index < to; index += 1) part[index - from] = bytes[index] ?? 0;
  return part;
}

/** Most chunks are one frame, and making a view costs as much as reading a heartbeat. */
function viewOf(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return to - from === bytes.length ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset + from, to - from);
}

function orderOf(crc: number, first: number, second: number): CrcOrder | null {
  if ((first | (second << 8)) === crc) return 'low-first';
  return ((first << 8) | second) === crc ? 'high-first' : null;
}

/**
 * After a start byte that may belong to a longer, unfinished frame, only a message that is valid in every respect ends
 * the wait: a start byte in garbage must not hold back later frames, nor may the inside of a frame pass for one.
 */
function isDocumented(bytes: Uint8Array, at: number, end: number): boolean {
  const definition = definitionOf(bytes[at + typeAt] ?? 0);
  if (definition === undefined || bytes[at + encryptAt] !== 0) return false;
  const rest = end - at - bodyAt - crcBytes - definition.length;
  return rest === 0 || (rest > 0 && definition.list !== null && rest % definition.list.entryLength === 0);
}

/** The message of a frame, or why there is none. */
export function readMessage(frame: Frame): Message | FrameFault {
  const { bytes, type } = frame;
  if (frame.encrypted) return { kind: 'fault', because: 'encrypted', frame };
  if (definitionOf(type) === undefined) return { kind: 'fault', because: 'unknown-type', frame };
  const message = readBody(type, bytes, bodyAt, bytes.length - crcBytes);
  return message ?? { kind: 'fault', because: 'body-too-short', frame };
}

/**
 * The bytes of a message, CRC low byte first. `sequence` is a u16, written little-endian.
 * @throws RangeError when a value does not fit its field; `checkMessage` reports that beforehand.
 */
export function writeFrame(message: Message, sequence: number): Uint8Array {
  const written = writeBody(message.kind, message);
  if (!written.ok) throw new RangeError(`${message.kind}: ${written.error.field} wants ${written.error.wants}`);
  return writeRawFrame(definitions[message.kind].type, written.value, sequence);
}

/** As `writeFrame` with an arbitrary body of at most `bodyBytesMax`. */
export function writeRawFrame(type: number, body: Uint8Array, sequence: number): Uint8Array {
  const bytes = new Uint8Array(bodyAt + body.length + crcBytes);
  bytes[0] = startByte;
  bytes[1] = body.length + lengthMin;
  bytes[sequenceAt] = sequence & 0xff;
  bytes[sequenceAt + 1] = (sequence >>> 8) & 0xff;
  bytes[typeAt] = type;
  bytes.set(body, bodyAt);
  const crc = crc16(bytes, sequenceAt, bytes.length - crcBytes);
  bytes[bytes.length - 2] = crc & 0xff;
  bytes[bytes.length - 1] = crc >>> 8;
  return bytes;
}

/** Fields from any source as a valid message, or the first invalid field. */
export function checkMessage(
  kind: MessageKind,
  fields: Readonly<Record<string, unknown>>,
): Result<Message, FieldFault> {
  const written = writeBody(kind, fields);
  if (!written.ok) return failed(written.error);
  const message = readBody(definitions[kind].type, written.value, 0, written.value.length);
  if (message === null) throw new Error(`what was written of ${kind} does not read back`);
  return ok(message);
}

/** The pile's 14 digits without reading the rest of the frame; null when it has none. */
export function pileNoOf(frame: Frame): string | null {
  const at = pileNoAt[frame.type] ?? -1;
  if (at < 0 || frame.encrypted || bodyAt + at + pileNoBytes + crcBytes > frame.bytes.length) return null;
  return hexOf7(frame.bytes, bodyAt + at);
}

const pileNoBytes = 7;
/**
 * The position of the pile number in a body, by frame type. 0x40 has none, but its transaction number starts with it.
 */
const pileNoAt = Int8Array.from({ length: 256 }, (_, type) => {
  const fields = definitionOf(type)?.fields ?? [];
  const field = fields.find(({ name }) => name === 'pileNo') ?? fields.find(({ name }) => name === 'tradeNo');
  return field?.offset ?? -1;
});
