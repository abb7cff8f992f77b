/**
 * Whatever arrives on the socket becomes frames, messages or typed faults, never a throw, and everything has a limit.
 */

import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { crc16 } from './crc.ts';
import { explain } from './explain.ts';
import { emptyRemainder, pileNoOf, readFrames, readMessage, remainderBytesMax } from './frame.ts';
import { toHex } from './hex.ts';
import { frameMutator, messageKinds } from './mutated-frames.ts';

const seed = Number(process.env.SEED ?? 20_261_122);
const frames = 100_000;

describe(`hostile input (SEED=${seed})`, () => {
  test(`${frames.toLocaleString('en')} mutated frames raise nothing but typed faults`, () => {
    const mutatedFrame = frameMutator(randomFrom(seed));
    const seen: Record<string, number> = {};
    let remainder = emptyRemainder;
    for (let count = 0; count < frames; count += 1) {
      const read = readFrames(remainder, mutatedFrame());
      remainder = read.remainder;
      if (remainder.length > remainderBytesMax) throw new Error(`${remainder.length} bytes kept, frame ${count}`);
      for (const frame of read.frames) {
        const message = readMessage(frame);
        pileNoOf(frame);
        const what = message.kind === 'fault' ? message.because : message.kind;
        seen[what] = (seen[what] ?? 0) + 1;
      }
    }
    // The mutations reach every message and every fault.
    for (const what of [...messageKinds, 'encrypted', 'unknown-type', 'body-too-short']) {
      expect([what, seen[what] ?? 0]).toEqual([what, expect.toSatisfy((times: number) => times > 0)]);
    }
  });

  test('mutated frames are explained, every byte in one place', () => {
    const mutatedFrame = frameMutator(randomFrom(seed + 1));
    for (let count = 0; count < 20_000; count += 1) {
      const bytes = mutatedFrame();
      const explanations = explain(bytes);
      const spans = explanations.flatMap((each) => each.spans);
      const rejoined = spans.map(({ raw }) => raw).join('');
      if (rejoined !== toHex(bytes)) throw new Error(`${rejoined} of ${toHex(bytes)}, frame ${count}`);
      for (const { text, spans: own } of explanations) {
        let at = 0;
        for (const span of own) {
          if (span.offset !== at || span.length < 1) throw new Error(`a gap at ${at} of ${text}`);
          at += span.length;
        }
        if (at * 2 !== text.length) throw new Error(`the end of ${text} is nowhere`);
      }
    }
  });

  test('a stream of nothing but start bytes costs about as much as any other', () => {
    // Counted, not timed: every start byte promises a frame of 108 bytes, whose single CRCs would take a hundred
    // passes.
    const bytes = new Uint8Array(200_000).fill(0x68);
    const reads = countedReads(bytes);
    const { frames: found, skipped, remainder } = readFrames(emptyRemainder, reads.bytes);
    expect([found.length, skipped + remainder.length]).toEqual([0, bytes.length]);
    expect(reads.count() / bytes.length).toBeLessThan(10);
  });

  test('bytes that are valid frames only by chance count as frames, in any number', () => {
    const tiny = Uint8Array.of(0x68, 4, 0, 0, 0, 0x99, 0, 0);
    const crc = crc16(tiny, 2, 6);
    tiny.set([crc & 0xff, crc >> 8], 6);
    const bytes = new Uint8Array(80_000);
    for (let at = 0; at < bytes.length; at += tiny.length) bytes.set(tiny, at);
    expect(readFrames(emptyRemainder, bytes)).toMatchObject({ frames: { length: 10_000 }, skipped: 0 });
  });
});

/** Counts every byte that is read. */
function countedReads(bytes: Uint8Array): { bytes: Uint8Array; count: () => number } {
  let reads = 0;
  const counted = new Proxy(bytes, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { bytes: counted, count: () => reads };
}
