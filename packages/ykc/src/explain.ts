/** Explains bytes for a person: every byte belongs to exactly one span, whatever the bytes are. */
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { entriesIn } from './body.ts';
import { crc16 } from './crc.ts';
import { bodyAt, bytesAroundLength, crcBytes, emptyRemainder, lengthMin, readFrames, startByte } from './frame.ts';
import { toHex } from './hex.ts';
import { definitionOf } from './messages/all.ts';
import type { BitItem, BitSet, Definition, Field, Sender } from './messages/field.ts';
import {
  bitKey,
  type ExplanationFault,
  encryptFlag,
  type FramePart,
  faultKey,
  fieldKey,
  meaningKey,
  messageKey,
  partKey,
  timeKey,
  unitKey,
} from './phrase-keys.ts';
import { readAscii, readBytes, readGun, readTime, readUint, reversed } from './values.ts';

/** `name`, `unit`, `meaning` and `fault` are phrase keys. */
export type Explanation = {
  /** All bytes of this explanation as hex text. */
  text: string;
  /** The message's kind and name; null for an unknown type and for what is not a frame. */
  kind: string | null;
  name: string | null;
  type: number | null;
  sender: Sender | null;
  /** The two bytes in wire order, hex. */
  sequence: string | null;
  /** `found` and `expected` are two bytes of hex in wire order; the low byte is expected first. */
  checksum: {
    verdict: 'right' | 'right_high_first' | 'wrong' | 'none';
    found: string | null;
    expected: string | null;
  };
  fault: string | null;
  spans: readonly Span[];
};

export type Span = {
  /** Bytes from the start of this explanation. */
  offset: number;
  length: number;
  part: 'start' | 'length' | 'header' | 'field' | 'surplus' | 'checksum';
  name: string;
  /** The field in the message object, such as `cards.0.physCardNo`; null for what is not a field. */
  path: string | null;
  /** Hex text. */
  raw: string;
  /** The exact value for a person; null when unreadable. */
  value: string | null;
  unit: string | null;
  meaning: string | null;
  /** The items of a bit field or of 48 half hours. */
  items: readonly SpanItem[];
};

export type SpanItem = {
  /** Phrase key; null if `text` names the item in every language, such as 07:30. */
  name: string | null;
  text: string | null;
  value: string;
  unit: string | null;
  meaning: string | null;
  /** Whether it is not 0; bit fields show only these. */
  isSet: boolean;
};

/** One explanation for each frame, valid or not, and one for each stretch of other bytes. */
export function explain(bytes: Uint8Array): Explanation[] {
  const explanations: Explanation[] = [];
  let from = 0;
  for (const frame of readFrames(emptyRemainder, bytes).frames) {
    const at = frame.bytes.byteOffset - bytes.byteOffset;
    explanations.push(...explainBroken(bytes.subarray(from, at)), explainFrame(frame.bytes));
    from = at + frame.bytes.length;
  }
  return [...explanations, ...explainBroken(bytes.subarray(from))];
}

/** Explains bytes without a valid frame: an apparent frame is read as far as it goes. */
function explainBroken(bytes: Uint8Array): Explanation[] {
  const explanations: Explanation[] = [];
  let from = 0;
  while (from < bytes.length) {
    const at = claimedStart(bytes, from);
    if (at > from) explanations.push(explainNothing(bytes.subarray(from, at)));
    if (at === bytes.length) break;
    const length = bytes[at + 1] ?? 0xff;
    const end = Math.min(bytes.length, at + length + bytesAroundLength);
    explanations.push(explainFrame(bytes.subarray(at, end)));
    from = end;
  }
  return explanations;
}

/** The next start byte with a possible length after it, or the end. */
function claimedStart(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(startByte, from); at >= 0; at = bytes.indexOf(startByte, at + 1)) {
    if ((bytes[at + 1] ?? lengthMin) >= lengthMin) return at;
  }
  return bytes.length;
}

function explainNothing(bytes: Uint8Array): Explanation {
  return {
    text: toHex(bytes),
    kind: null,
    name: null,
    type: null,
    sender: null,
    sequence: null,
    checksum: { verdict: 'none', found: null, expected: null },
    fault: faultKey('not-a-frame'),
    spans: [partSpan(bytes, 0, bytes.length, 'surplus', 'noFrame')],
  };
}

/** `bytes` start with the start byte and end where the length byte says, or earlier. */
function explainFrame(bytes: Uint8Array): Explanation {
  const isWhole = bytes.length === (bytes[1] ?? 0xff) + bytesAroundLength;
  const bodyEnd = isWhole ? bytes.length - crcBytes : bytes.length;
  const type = bytes[typeAt];
  const definition = type === undefined ? undefined : definitionOf(type);
  const isEncrypted = (bytes[flagAt] ?? 0) !== 0;
  const checksum = isWhole ? checksumOf(bytes) : ({ verdict: 'none', found: null, expected: null } as const);
  const body = bytes.length > bodyAt ? bodySpans(bytes, bodyEnd, isEncrypted ? 'encrypted' : definition) : [];
  const fault = faultOf({ isWhole, checksum, isEncrypted, definition, bytes });
  return {
    text: toHex(bytes),
    kind: definition?.kind ?? null,
    name: definition === undefined ? null : messageKey(definition.kind),
    type: type ?? null,
    sender: definition?.sender ?? null,
    sequence: bytes.length < flagAt ? null : toHex(bytes, sequenceAt, flagAt),
    checksum,
    fault: fault === null ? null : faultKey(fault),
    spans: [
      ...headerSpans(bytes, definition),
      ...body,
      ...(isWhole ? [partSpan(bytes, bodyEnd, crcBytes, 'checksum', 'checksum')] : []),
    ],
  };
}

const sequenceAt = 2;
const flagAt = 4;
const typeAt = 5;

function checksumOf(bytes: Uint8Array): Explanation['checksum'] {
  const at = bytes.length - crcBytes;
  const crc = crc16(bytes, sequenceAt, at);
  const found = toHex(bytes, at);
  const expected = toHex(Uint8Array.of(crc & 0xff, crc >>> 8));
  if (found === expected) return { verdict: 'right', found, expected };
  const isHighFirst = found === toHex(Uint8Array.of(crc >>> 8, crc & 0xff));
  return { verdict: isHighFirst ? 'right_high_first' : 'wrong', found, expected };
}

function faultOf(seen: {
  isWhole: boolean;
  checksum: Explanation['checksum'];
  isEncrypted: boolean;
  definition: Definition | undefined;
  bytes: Uint8Array;
}): ExplanationFault | null {
  const { definition, bytes } = seen;
  if (!seen.isWhole) return 'cut-off';
  if (seen.checksum.verdict === 'wrong') return 'wrong-checksum';
  if (seen.isEncrypted) return 'encrypted';
  if (definition === undefined) return 'unknown-type';
  return entriesIn(definition, bytes, bodyAt, bytes.length - crcBytes) < 0 ? 'body-too-short' : null;
}

/** The first six bytes, as far as they exist. */
function headerSpans(bytes: Uint8Array, definition: Definition | undefined): Span[] {
  const decimal = (at: number, length: number) => String(readUint(bytes, at, length));
  const spans: Span[] = [
    partSpan(bytes, 0, 1, 'start', 'start'),
    { ...partSpan(bytes, 1, 1, 'length', 'length'), value: decimal(1, 1) },
    { ...partSpan(bytes, sequenceAt, 2, 'header', 'sequence'), value: decimal(sequenceAt, 2) },
    {
      ...partSpan(bytes, flagAt, 1, 'header', 'encryptFlag'),
      value: decimal(flagAt, 1),
      meaning: meaningKey(encryptFlag, bytes[flagAt] ?? 0),
    },
    {
      ...partSpan(bytes, typeAt, 1, 'header', 'type'),
      value: `0x${toHex(bytes, typeAt, typeAt + 1)}`,
      meaning: definition === undefined ? null : messageKey(definition.kind),
    },
  ];
  const whole = spans.filter(({ offset, length }) => offset + length <= bytes.length);
  const read = whole.reduce((sum, { length }) => sum + length, 0);
  const rest = Math.min(bytes.length, bodyAt) - read;
  return rest > 0 ? [...whole, partSpan(bytes, read, rest, 'surplus', 'incomplete')] : whole;
}

function bodySpans(bytes: Uint8Array, end: number, content: Definition | undefined | 'encrypted'): Span[] {
  const rest = (from: number, part: FramePart) =>
    end > from ? [partSpan(bytes, from, end - from, 'surplus', part)] : [];
  if (content === undefined) return rest(bodyAt, 'unknownBody');
  if (content === 'encrypted') return rest(bodyAt, 'ciphertext');
  const { fields, list, length } = content;
  const spans: Span[] = [];
  const add = (all: readonly Field[], from: number, path: string) => {
    for (const field of all) {
      const at = from + field.offset;
      if (at + field.length > end) return;
      spans.push(fieldSpan(bytes, field, at, `${path}${field.name}`));
    }
  };
  add(fields, bodyAt, '');
  const told = entriesIn(content, bytes, bodyAt, end);
  if (list !== null) {
    // If fewer entries arrived than announced, read those.
    const entries = told >= 0 ? told : Math.ceil(Math.max(0, end - bodyAt - length) / list.entryLength);
    for (let index = 0; index < entries; index += 1) {
      add(list.fields, bodyAt + length + index * list.entryLength, `${list.name}.${index}.`);
    }
  }
  const read = spans.reduce((sum, span) => sum + span.length, bodyAt);
  return [...spans, ...rest(read, told < 0 ? 'incomplete' : 'surplus')];
}

function partSpan(bytes: Uint8Array, offset: number, length: number, part: Span['part'], name: FramePart): Span {
  const raw = toHex(bytes, offset, Math.min(bytes.length, offset + length));
  return {
    offset,
    length,
    part,
    name: partKey(name),
    path: null,
    raw,
    value: null,
    unit: null,
    meaning: null,
    items: [],
  };
}

function fieldSpan(bytes: Uint8Array, field: Field, at: number, path: string): Span {
  const { length, encoding, unit, meanings, bits } = field;
  const isNumber = encoding === 'uint' || encoding === 'gun' || encoding === 'count';
  const number = encoding === 'gun' ? readGun(bytes, at) : isNumber ? readUint(bytes, at, length) : null;
  const time = encoding === 'time' ? readTime(bytes, at) : null;
  const isNoTime = encoding === 'time' && time === null;
  return {
    offset: at,
    length,
    part: 'field',
    name: fieldKey(field),
    path,
    raw: toHex(bytes, at, at + length),
    value:
      number === null ? textOf(bytes, field, at, time) : decimalText(number + (field.shift ?? 0), field.decimals ?? 0),
    unit: unit === undefined ? null : unitKey(unit),
    meaning: isNoTime ? timeKey() : number === null || meanings === undefined ? null : meaningKey(meanings, number),
    items: bits !== undefined ? bitItems(bytes, at, bits) : encoding === 'bytes' ? halfHours(bytes, field, at) : [],
  };
}

function textOf(bytes: Uint8Array, { encoding, length }: Field, at: number, time: Instant | null): string | null {
  switch (encoding) {
    case 'ascii':
      return readAscii(bytes, at, length);
    case 'reversed-ascii':
      return reversed(readAscii(bytes, at, length));
    case 'time':
      return time === null ? null : `${shanghaiDateTime(time)}.${String(time % 1_000).padStart(3, '0')}`;
    case 'bytes':
      return readBytes(bytes, at, length).join(' ');
    default:
      return toHex(bytes, at, at + length);
  }
}

function bitItems(bytes: Uint8Array, at: number, bits: BitSet): SpanItem[] {
  return bits.items.map((item) => {
    const value = bitsOf(bytes, at, item);
    return {
      name: bitKey(bits, item),
      text: null,
      value: decimalText(value, item.decimals ?? 0),
      unit: item.unit === undefined ? null : unitKey(item.unit),
      meaning: item.meanings === undefined ? null : meaningKey(item.meanings, value),
      isSet: value !== 0,
    };
  });
}

/** The bits of an item as a number; items span at most 16 bits from the byte in which they start. */
function bitsOf(bytes: Uint8Array, at: number, { from, width }: BitItem): number {
  const byteAt = at + (from >>> 3);
  return (readUint(bytes, byteAt, 2) >>> (from & 7)) & ((1 << width) - 1);
}

const halfHourMin = 30;

function halfHours(bytes: Uint8Array, { length, meanings }: Field, at: number): SpanItem[] {
  return readBytes(bytes, at, length).map((value, index) => {
    const minute = index * halfHourMin;
    const hour = String(Math.floor(minute / 60)).padStart(2, '0');
    return {
      name: null,
      text: `${hour}:${String(minute % 60).padStart(2, '0')}`,
      value: String(value),
      unit: null,
      meaning: meanings === undefined ? null : meaningKey(meanings, value),
      isSet: value !== 0,
    };
  });
}

/** 123456 with 4 decimals is 12.3456: formatted without division, so that it stays exact. */
function decimalText(value: number, decimals: number): string {
  if (decimals === 0) return String(value);
  const figures = String(Math.abs(value)).padStart(decimals + 1, '0');
  return `${value < 0 ? '-' : ''}${figures.slice(0, -decimals)}.${figures.slice(-decimals)}`;
}
