/** Repeatable random messages and broken frames, for the hostile-input test and the bench. */
import { instant } from '@voltdeck/units/instant';
import type { Random } from '@voltdeck/units/random';
import { crc16 } from './crc.ts';
import { checkMessage, writeFrame } from './frame.ts';
import { toHex } from './hex.ts';
import { definitions, type Message, type MessageKind } from './messages/all.ts';
import type { Definition, Field } from './messages/field.ts';

export const messageKinds = Object.keys(definitions) as readonly MessageKind[];

/** A message of this kind with random valid fields. */
export function anyMessage(kind: MessageKind, random: Random): Message {
  const { fields, list }: Definition = definitions[kind];
  const values = anyValues(fields, random);
  if (list !== null) {
    const entries = list.entriesMin + random(list.entriesMax - list.entriesMin + 1);
    values[list.name] = Array.from({ length: entries }, () => anyValues(list.fields, random));
  }
  const checked = checkMessage(kind, values);
  if (!checked.ok) throw new Error(`${kind}: ${checked.error.field} wants ${checked.error.wants}`);
  return checked.value;
}

function anyValues(fields: readonly Field[], random: Random): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, anyValue(field, random)]));
}

const firstTimeMs = Date.UTC(2000, 0, 1);
const timesMs = 127 * 365 * 86_400_000;

function anyValue({ encoding, length }: Field, random: Random): unknown {
  const many = <Value>(each: () => Value) => Array.from({ length }, each);
  switch (encoding) {
    case 'uint':
      return random(4) === 0 ? 256 ** length - 1 : random(256 ** length);
    case 'gun':
      return random(100);
    case 'digits':
      return many(() => `${random(10)}${random(10)}`).join('');
    case 'raw':
      return toHex(Uint8Array.from(many(() => random(256))));
    case 'ascii':
    case 'reversed-ascii':
      return String.fromCharCode(...many(() => 0x20 + random(95)).slice(random(length + 1)));
    case 'time':
      return random(8) === 0 ? null : instant(firstTimeMs + random(timesMs));
    case 'bytes':
      return many(() => random(256));
    case 'count':
    case 'reserved':
      return undefined;
  }
}

const samplesOfKind = 8;

/**
 * Frames with one to four mutations; every second one has its length byte and CRC corrected. They are based on a few
 * frames of every kind, so that most of the time goes into mutations.
 */
export function frameMutator(random: Random): () => Uint8Array {
  const samples = messageKinds.flatMap((kind) =>
    Array.from({ length: samplesOfKind }, () => writeFrame(anyMessage(kind, random), random(65_536))),
  );
  return () => spoilt(samples[random(samples.length)] ?? new Uint8Array(8), random);
}

/** One such frame, from a message made for it. */
export function mutatedFrame(random: Random): Uint8Array {
  const kind = messageKinds[random(messageKinds.length)] ?? 'heartbeat';
  return spoilt(writeFrame(anyMessage(kind, random), random(65_536)), random);
}

function spoilt(frame: Uint8Array, random: Random): Uint8Array {
  let bytes = frame;
  for (let count = 1 + random(4); count > 0; count -= 1) bytes = mutated(bytes, random);
  return random(2) === 0 ? bytes : mended(bytes);
}

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random(bytes.length);
  const copy = bytes.slice();
  switch (random(7)) {
    case 0:
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
      return copy;
    case 1:
      copy[at] = random(256);
      return copy;
    case 2:
      copy[at] = [0, 0x68, 0xff][random(3)] ?? 0;
      return copy;
    case 3:
      return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random(8)));
    case 4:
      return joined(
        bytes.subarray(0, at),
        Uint8Array.from({ length: random(8) }, () => random(256)),
        bytes.subarray(at),
      );
    case 5:
      return joined(bytes.subarray(0, at), bytes.subarray(random(bytes.length)));
    default:
      return copy.subarray(0, at + 1);
  }
}

/** The first mutation may have left less than a frame, or more than fits in one. */
function mended(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(Math.min(Math.max(bytes.length, 8), 259));
  copy.set(bytes.subarray(0, copy.length));
  copy[0] = 0x68;
  copy[1] = copy.length - 4;
  const crc = crc16(copy, 2, copy.length - 2);
  copy[copy.length - 2] = crc & 0xff;
  copy[copy.length - 1] = crc >>> 8;
  return copy;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
