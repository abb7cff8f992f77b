/**
 * YKC 1.5 and 1.6, section 2.1: 0x68, length, sequence (2), encrypt flag, type, body, CRC (2). Whatever a pile sends
 * gives frames, messages or faults, never a throw.
 */
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type FieldFault, readBody, writeBody } from './body.ts';
import { crc16, RangeCrc } from './crc.ts';
import { hexOf7 } from './hex.ts';
import { definitionOf, definitions, type Message, type MessageKind } from './messages/all.ts';

export const startByte = 0x68;
/** Start and length byte before, CRC behind what the length byte counts. */
export const bytesAroundLength = 4;
/** Sequence, flag and type: a length byte below counts no frame. */
export const lengthMin = 4;
/** The text says 200, yet some messages are longer by their own tables: all that the byte can say is read. */
export const frameBytesMax = 255 + bytesAroundLength;
/** So many times the bytes given are read for CRCs one by one before they are worth preparing for any number. */
const missedPassesMax = 4;
/** A remainder is shorter than one frame. */
export const remainderBytesMax = frameBytesMax - 1;
const sequenceAt = 2;
const encryptAt = 4;
const typeAt = 5;
/** Where the body begins in a frame. */
export const bodyAt = 6;
export const crcBytes = 2;
/** A sequence is of two bytes and starts again after the last. */
export const sequences = 0x1_0000;

/** The text says low byte first; some piles send the high byte first (section 2.2). */
export type CrcOrder = 'low-first' | 'high-first';

export type Frame = {
  /** All of the frame, mostly a view into what was read: copy it to keep it. */
  readonly bytes: Uint8Array;
  /** The two raw bytes as u16 little-endian. An answer carries the same two bytes; never refuse a frame for them. */
  readonly sequence: number;
  /** Flag 0x01 says 3DES, with a key that no public text gives. */
  readonly encrypted: boolean;
  readonly type: number;
  readonly crcOrder: CrcOrder;
};

export type FramesRead = {
  readonly frames: readonly Frame[];
  /** The beginning of a frame that is not complete: give it back with the next chunk. At most `remainderBytesMax`. */
  readonly remainder: Uint8Array;
  /** Bytes that belong to no frame and were dropped. */
  readonly skipped: number;
};

/** A frame whose CRC is right and whose content can't be understood; it carries the frame for the log. */
export type FrameFault = {
  readonly kind: 'fault';
  readonly because: 'encrypted' | 'unknown-type' | 'body-too-short';
  readonly frame: Frame;
};

/** What a new connection begins with. */
export const emptyRemainder: Uint8Array = new Uint8Array(0);

/**
 * Cuts a stream into frames, whatever stands before, between or behind them. Where a byte begins no frame, the next
 * start byte with a length and a right CRC does. Work is linear in the bytes given, also in those of a hostile stream.
 */
export function readFrames(remainder: Uint8Array, chunk: Uint8Array): FramesRead {
  const total = remainder.length + chunk.length;
  const bytes = remainder.length === 0 ? chunk : joined(remainder, chunk);
  const frames: Frame[] = [];
  let skipped = 0;
  /** Bytes before belong to a frame or were skipped. */
  let from = 0;
  /** The first place since `from` where a frame may begin whose end has not come. */
  let waitingAt = -1;
  /** Bytes whose CRC was calculated in vain. */
  let missed = 0;
  let ranges: RangeCrc | null = null;
  for (let at = 0; at < total; ) {
    if (bytes[at] !== startByte) {
      at += 1;
      continue;
    }
    // The length byte may be still to come, and behind the end the workbench has old bytes.
    const length = at + 1 < total ? (bytes[at + 1] ?? 0) : 0xff;
    const end = at + length + bytesAroundLength;
    if (length < lengthMin) {
      at += 1;
      continue;
    }
    if (end > total) {
      if (waitingAt < 0) waitingAt = at;
    } else if (waitingAt < 0 || isDocumented(bytes, at, end)) {
      // A stray start byte or two are cheaper one by one; a stream of them would be read over and over again.
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
  // A copy, so that a few waiting bytes don't hold on to a whole chunk.
  return { frames, remainder: keptFrom === total ? emptyRemainder : copied(bytes, keptFrom, total), skipped };
}

/**
 * Where a remainder and a short chunk are put together: memory made for every call would cost more than the reading;
 * what leaves this file is copied out of it.
 */
const workbench = new Uint8Array(2 * frameBytesMax);

function joined(remainder: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = remainder.length + chunk.length;
  const bytes = length <= workbench.length ? workbench : new Uint8Array(length);
  bytes.set(remainder);
  bytes.set(chunk, remainder.length);
  return bytes;
}

/** Memory of its own for every copy would cost several times what reading a frame does: they are cut from one piece. */
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
 * Behind a start byte that may belong to a longer, unfinished frame, only what looks like a message in every respect
 * ends the wait: a start byte in garbage must not hold back what follows, nor the inside of a frame pass for one.
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
 * The bytes of a message, CRC low byte first. `sequence` is a u16 whose bytes go out little-endian.
 * @throws RangeError when a field has a value that it can't carry; `checkMessage` tells beforehand.
 */
export function writeFrame(message: Message, sequence: number): Uint8Array {
  const written = writeBody(message.kind, message);
  if (!written.ok) throw new RangeError(`${message.kind}: ${written.error.field} wants ${written.error.wants}`);
  return writeRawFrame(definitions[message.kind].type, written.value, sequence);
}

/** As `writeFrame` with a body of any content, at most `bodyBytesMax` long. */
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

/** Fields of any origin as a message that can be written, or the first field that is wrong. */
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

/** The 14 digits of the pile that a frame is from or for, without reading the rest; null when it tells none. */
export function pileNoOf(frame: Frame): string | null {
  const at = pileNoAt[frame.type] ?? -1;
  if (at < 0 || frame.encrypted || bodyAt + at + pileNoBytes + crcBytes > frame.bytes.length) return null;
  return hexOf7(frame.bytes, bodyAt + at);
}

const pileNoBytes = 7;
/** Where the pile number stands in a body, by frame type. 0x40 has none, but its transaction number begins with it. */
const pileNoAt = Int8Array.from({ length: 256 }, (_, type) => {
  const fields = definitionOf(type)?.fields ?? [];
  const field = fields.find(({ name }) => name === 'pileNo') ?? fields.find(({ name }) => name === 'tradeNo');
  return field?.offset ?? -1;
});
