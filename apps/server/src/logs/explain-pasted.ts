import { type Protocol, protocols } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { FrameExplanation } from '@voltdeck/contract/logs';
import { JsonReader } from '@voltdeck/ocpp16/json-reader';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { bytesAroundLength, lengthMin, startByte } from '@voltdeck/ykc/frame';
import { explainBytes, explainMessages } from './explain-frames.ts';

/** More frames than this are a file, not a paste. */
export const pastedFramesMax = 200;
/** Deeper than any frame; parsing it afterwards reports the fault. */
const depthMax = 1_000;

const explainIn: Readonly<Record<Protocol, (text: string) => FrameExplanation[]>> = {
  'ocpp1.6': (text) => explainMessages(messagesIn(text)),
  ykc: (text) => framesFirst(stretchesIn(text)).flatMap(explainBytes),
};

/** The frames in any text, such as the lines of a log around them, explained; empty where there are none. */
export function explainPasted(text: string, protocol: Protocol | undefined): Result<FrameExplanation[], ApiError> {
  const frames = explainIn[protocol ?? protocolOf(text)](text);
  if (frames.length <= pastedFramesMax) return ok(frames);
  const fields = [{ path: 'text', code: 'too_many', params: { max: pastedFramesMax } }] as const;
  return failed({ code: 'request.invalid', fields });
}

/**
 * How much a text looks like a protocol, the surest last: bytes and brackets fit both, a frame or a message only one.
 */
const likenesses = { none: 0, someBytes: 1, brokenJson: 2, frame: 3, message: 4 } as const;

const likenessTo: Readonly<Record<Protocol, (text: string) => keyof typeof likenesses>> = {
  'ocpp1.6'(text) {
    if (messageStart.test(text)) return 'message';
    // Brackets may enclose bytes, and also the times of a log.
    return /^\s*[[{]/.test(text) ? 'brokenJson' : 'none';
  },
  ykc(text) {
    const stretches = stretchesIn(text);
    if (stretches.some(mayHoldFrame)) return 'frame';
    return framesFirst(stretches).length > 0 ? 'someBytes' : 'none';
  },
};

/** The protocol that the text looks like most. */
function protocolOf(text: string): Protocol {
  const ranked = protocols.map((protocol) => ({ protocol, likeness: likenesses[likenessTo[protocol](text)] }));
  return ranked.reduce((best, other) => (other.likeness > best.likeness ? other : best)).protocol;
}

const messageStart = /\[\s*[234]\s*,\s*"/;

/** Every JSON list that begins like a message, to its end or to the end of the line where it breaks. */
function messagesIn(text: string): string[] {
  const found: string[] = [];
  const start = new RegExp(messageStart, 'g');
  for (let at = 0; at < text.length; ) {
    start.lastIndex = at;
    const from = start.exec(text)?.index;
    if (from === undefined) break;
    const end = endOfJson(text, from);
    found.push(text.slice(from, end));
    at = end;
  }
  const whole = text.trim();
  return found.length === 0 && /^[[{]/.test(whole) ? [whole] : found;
}

function endOfJson(text: string, from: number): number {
  const rest = text.slice(from);
  const reader = new JsonReader(rest, depthMax);
  while (reader.next() !== null);
  // Text after a complete list also stops the parser, exactly there.
  const { brokenAt, endedAt } = reader;
  if (endedAt !== null) return from + endedAt;
  const lineEnd = rest.indexOf('\n', brokenAt ?? rest.length);
  return lineEnd < 0 ? text.length : from + lineEnd;
}

/** Stretches of bytes: they continue over spaces, colons, commas, dashes and line breaks, and end at any word. */
function stretchesIn(text: string): Uint8Array[] {
  const stretches: Uint8Array[] = [];
  let bytes: number[] = [];
  const end = () => {
    if (bytes.length > 0) stretches.push(Uint8Array.from(bytes));
    bytes = [];
  };
  for (const line of text.split('\n')) {
    for (const [piece] of withoutMargin(line).matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu)) {
      const digits = piece.replace(/^0x(?=[\da-f])/i, '');
      if (/^[\s:,;-]+$/.test(piece)) continue;
      if (/^[\da-f]+$/i.test(digits) && (digits.length % 2 === 0 || piece !== digits || digits.length > shortWordMax)) {
        for (const pair of pairsOf(digits)) bytes.push(Number.parseInt(pair, 16));
      } else if (/[\p{L}\p{N}_]/u.test(piece) || !/^[\s:,;[\](){}"'`|<>-]+$/.test(piece)) end();
    }
  }
  end();
  return stretches;
}

/** Up to this length an odd number of digits is a number; beyond it, bytes with a missing digit. */
const shortWordMax = 7;

/** `0xC` is a byte; a surplus digit at the end of longer ones is dropped. */
function pairsOf(digits: string): readonly string[] {
  return digits.length === 1 ? [digits] : (digits.match(/../g) ?? []);
}

const dateAndTime = /\d{4}[-/]\d\d[-/]\d\d(?:[T ]+\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** Unless it begins like a frame. */
const timeAtStart = /^\s*\[?(?!68)\d\d:\d\d:\d\d(?:[.,]\d+|(?![:\da-f]))/i;
/** `0010  68 22 …  h"..`: what hexdump, xxd and packet captures show. */
const dumpLine = /^\s*[\da-f]{4,8}(?::\s+|\s{2,})((?:[\da-f]{2,4}\s{1,2}){1,16})(?:\s.*|\|.*)?$/i;

/** A line without a log's time and a dump's offset in front. */
function withoutMargin(line: string): string {
  const dumped = dumpLine.exec(`${line} `)?.[1];
  if (dumped !== undefined) return dumped;
  return line.replaceAll(dateAndTime, ' @ ').replace(timeAtStart, ' @ ');
}

/** Stretches without a frame are numbers of the log, unless there is nothing else. */
function framesFirst(stretches: readonly Uint8Array[]): readonly Uint8Array[] {
  const promising = stretches.filter(mayHoldFrame);
  return promising.length > 0 ? promising : stretches.filter((bytes) => bytes.length > numberBytesMax);
}

function mayHoldFrame(bytes: Uint8Array): boolean {
  if (bytes[0] === startByte) return bytes.length > 1;
  return bytes.length >= frameBytesMin && bytes.includes(startByte);
}

const frameBytesMin = lengthMin + bytesAroundLength;
/** Numbers in a log are no longer than this. */
const numberBytesMax = 4;
