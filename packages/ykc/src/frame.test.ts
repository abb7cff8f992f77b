import { parseIso } from '@voltdeck/units/instant';
import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { bitwiseCrc } from './bitwise-crc.ts';
import {
  checkMessage,
  emptyRemainder,
  type Frame,
  frameBytesMax,
  pileNoOf,
  readFrames,
  readMessage,
  remainderBytesMax,
  writeFrame,
} from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import { definitions, type Message, type MessageKind } from './messages/all.ts';
import type { Definition } from './messages/field.ts';
import { anyMessage, messageKinds } from './mutated-frames.ts';

const seed = Number(process.env.SEED ?? 20_261_122);

const bytesOf = (hex: string) => fromHex(hex.replaceAll(' ', '')) ?? new Uint8Array();

/** A frame around a given body, its CRC calculated bit by bit. */
function golden(type: number, body: string, { sequence = '0000', flag = 0, highFirst = false } = {}): Uint8Array {
  const counted = Uint8Array.of(...bytesOf(sequence), flag, type, ...bytesOf(body));
  const crc = bitwiseCrc(counted);
  const ends = highFirst ? [crc >> 8, crc & 0xff] : [crc & 0xff, crc >> 8];
  return Uint8Array.of(0x68, counted.length, ...counted, ...ends);
}

const pileNo = '32010200000001';
const pile = '32010200000001';
const tradeNo = '32010200000001012611221504050001';

const goldens: readonly [MessageKind, Uint8Array, Message][] = [
  [
    'login',
    golden(0x01, `${pile} 00 02 10 56312E302E310000 00 89860012345678901234 00`),
    {
      kind: 'login',
      pileNo,
      pileType: 0,
      gunCount: 2,
      protoVersion: 16,
      softwareVersion: 'V1.0.1',
      netType: 0,
      sim: '89860012345678901234',
      carrier: 0,
    },
  ],
  ['login-answer', golden(0x02, `${pile} 00`), { kind: 'login-answer', pileNo, result: 0 }],
  ['heartbeat', golden(0x03, `${pile} 12 01`), { kind: 'heartbeat', pileNo, gunNo: 12, gunState: 1 }],
  [
    'billing-model-verify-answer',
    golden(0x06, `${pile} 01A0 01`),
    { kind: 'billing-model-verify-answer', pileNo, modelNo: '01A0', result: 1 },
  ],
  [
    'realtime-data',
    golden(
      0x13,
      `${tradeNo} ${pile} 01 03 01 01 DD0E B104 50 0000000000000000 37 4D 0C00 2100 40E20100 40E20100 CD810100 0110`,
    ),
    {
      kind: 'realtime-data',
      tradeNo,
      pileNo,
      gunNo: 1,
      state: 3,
      homed: 1,
      plugged: 1,
      voltage: 3_805,
      current: 1_201,
      cableTemp: 80,
      cableCode: '0000000000000000',
      soc: 55,
      battMaxTemp: 77,
      chargedMinutes: 12,
      remainMinutes: 33,
      energy: 123_456,
      lossEnergy: 123_456,
      amount: 98_765,
      hwFault: 0x1001,
    },
  ],
  [
    'charge-application',
    golden(0x31, `${pile} 01 03 00 0000000000000000 ${'00'.repeat(16)} 37343834383132433738313 44D4156534C`),
    {
      kind: 'charge-application',
      pileNo,
      gunNo: 1,
      startMode: 3,
      needPassword: 0,
      account: '0'.repeat(16),
      password: '0'.repeat(32),
      vin: 'LSVAM4187C2184847',
    },
  ],
  [
    'remote-start',
    golden(0x34, `${tradeNo} ${pile} 01 0000001000000573 00000000D14B0A54 A0860100`),
    {
      kind: 'remote-start',
      tradeNo,
      pileNo,
      gunNo: 1,
      logicCardNo: '0000001000000573',
      physCardNo: '00000000D14B0A54',
      balance: 100_000,
    },
  ],
  [
    'transaction-record-confirm',
    golden(0x40, `${tradeNo} 00`),
    { kind: 'transaction-record-confirm', tradeNo, result: 0 },
  ],
  [
    'offline-card-sync',
    golden(0x44, `${pile} 02 0000001000000573 00000000D14B0A54 0000001000000574 00000000D14B0A55`),
    {
      kind: 'offline-card-sync',
      pileNo,
      cards: [
        { logicCardNo: '0000001000000573', physCardNo: '00000000D14B0A54' },
        { logicCardNo: '0000001000000574', physCardNo: '00000000D14B0A55' },
      ],
    },
  ],
  [
    'clock-set',
    golden(0x56, `${pile} 2E160403020118`),
    { kind: 'clock-set', pileNo, time: parseIso('2024-01-02T03:04:05.678+08:00') },
  ],
];

function messagesIn(bytes: Uint8Array): (Message | { because: string })[] {
  return readFrames(emptyRemainder, bytes).frames.map((frame) => {
    const message = readMessage(frame);
    return message.kind === 'fault' ? { because: message.because } : message;
  });
}

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.of(...parts.flatMap((part) => [...part]));

function firstFrame(bytes: Uint8Array): Frame {
  const [frame] = readFrames(emptyRemainder, bytes).frames;
  if (frame === undefined) throw new Error(`no frame in ${toHex(bytes)}`);
  return frame;
}

describe('golden frames', () => {
  test.each(goldens)('golden frame %s is read', (_kind, bytes, message) => {
    expect(messagesIn(bytes)).toEqual([message]);
    expect(firstFrame(bytes)).toMatchObject({ crcOrder: 'low-first', sequence: 0, encrypted: false });
  });

  test.each(goldens)('golden frame %s is written', (_kind, bytes, message) => {
    expect(toHex(writeFrame(message, 0))).toBe(toHex(bytes));
  });
});

describe('a frame', () => {
  test('a frame keeps the two bytes of its sequence, which an answer repeats', () => {
    const frame = firstFrame(golden(0x03, `${pile} 01 00`, { sequence: '12FE' }));
    const answer = writeFrame({ kind: 'heartbeat-answer', pileNo, gunNo: 1, answer: 0 }, frame.sequence);
    expect(toHex(answer, 2, 4)).toBe('12FE');
  });

  test('a frame with the high byte of its CRC first is read and marked as such; ours have the low byte first (2.2)', () => {
    const bytes = golden(0x03, `${pile} 01 00`, { highFirst: true });
    expect(firstFrame(bytes).crcOrder).toBe('high-first');
    expect(messagesIn(bytes)).toMatchObject([{ kind: 'heartbeat' }]);
    expect(toHex(writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 0 }, 0))).toBe(
      toHex(golden(0x03, `${pile} 01 00`)),
    );
  });

  test('an encrypted frame is a fault with its bytes', () => {
    const bytes = golden(0x03, `${pile} 01 00`, { flag: 1 });
    expect(readMessage(firstFrame(bytes))).toMatchObject({ because: 'encrypted', frame: { type: 3, bytes } });
  });

  test.each([0x00, 0x3d, 0xf0, 0xff])('a frame of unknown type %i is a fault with its bytes', (type) => {
    const bytes = golden(type, pile);
    expect(readMessage(firstFrame(bytes))).toMatchObject({ because: 'unknown-type', frame: { type, bytes } });
  });

  test('a frame with too short a body is a fault, a longer one is read as far as it is known (section 6)', () => {
    expect(messagesIn(golden(0x03, `${pile} 01`))).toEqual([{ because: 'body-too-short' }]);
    expect(messagesIn(golden(0x03, `${pile} 01 00 99`))).toMatchObject([{ kind: 'heartbeat', gunState: 0 }]);
  });

  test('a frame may be as long as its length byte can say', () => {
    const bytes = golden(0x03, `${pile} 01 00 ${'00'.repeat(242)}`);
    expect(bytes).toHaveLength(frameBytesMax);
    expect(messagesIn(bytes)).toMatchObject([{ kind: 'heartbeat' }]);
  });

  test('a frame without a body is valid, one with a length byte below 4 is not', () => {
    expect(messagesIn(golden(0x03, ''))).toEqual([{ because: 'body-too-short' }]);
    const counted = Uint8Array.of(0, 0, 0);
    const crc = bitwiseCrc(counted);
    const none = Uint8Array.of(0x68, 3, ...counted, crc & 0xff, crc >> 8);
    expect(readFrames(emptyRemainder, none)).toEqual({ frames: [], remainder: emptyRemainder, skipped: 7 });
  });

  test('a frame that cannot carry its message is not written', () => {
    expect(() => writeFrame({ kind: 'remote-stop', pileNo: '1', gunNo: 1 }, 0)).toThrow(
      new RangeError('remote-stop: pileNo wants 14 digits'),
    );
    expect(checkMessage('remote-stop', { pileNo, gunNo: 1, more: true })).toEqual({
      ok: true,
      value: { kind: 'remote-stop', pileNo, gunNo: 1 },
    });
    expect(checkMessage('remote-stop', { pileNo, gunNo: '1' })).toMatchObject({ ok: false, error: { field: 'gunNo' } });
  });

  test.each(messageKinds)('%s shows its pile number without being read', (kind) => {
    const message = anyMessage(kind, randomFrom(seed));
    const frame = firstFrame(writeFrame(message, 0));
    const own = 'pileNo' in message ? message.pileNo : message.tradeNo.slice(0, 14);
    expect(pileNoOf(frame)).toBe(own);
  });

  test('an encrypted, unknown or too short frame shows no pile number', () => {
    const frames = [golden(0x03, pile, { flag: 1 }), golden(0xf0, pile), golden(0x13, tradeNo)];
    expect(frames.map((bytes) => pileNoOf(firstFrame(bytes)))).toEqual([null, null, null]);
  });
});

describe('a stream', () => {
  const kindsOf = (bytes: Uint8Array) => messagesIn(bytes).map((each) => ('kind' in each ? each.kind : each.because));
  const all = messageKinds.map((kind) => writeFrame(anyMessage(kind, randomFrom(seed)), 7));

  test('a stream of frames without gaps returns every one', () => {
    expect(kindsOf(joined(...all))).toEqual(messageKinds);
  });

  test.each(messageKinds)('a stream with %s split at each byte, between two others, is read', (kind) => {
    const one = writeFrame(anyMessage(kind, randomFrom(seed)), 9);
    const around = writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 0 }, 1);
    const stream = joined(around, one, around);
    for (let at = 0; at <= stream.length; at += 1) {
      const first = readFrames(emptyRemainder, stream.subarray(0, at));
      const second = readFrames(first.remainder, stream.subarray(at));
      expect([...first.frames, ...second.frames].map((frame) => toHex(frame.bytes))).toEqual(
        [around, one, around].map((bytes) => toHex(bytes)),
      );
      expect([first.skipped + second.skipped, second.remainder.length]).toEqual([0, 0]);
    }
  });

  test('a stream in single bytes is read', () => {
    let remainder = emptyRemainder;
    const types: number[] = [];
    for (const byte of joined(...all)) {
      const read = readFrames(remainder, Uint8Array.of(byte));
      remainder = read.remainder;
      expect(remainder.length).toBeLessThanOrEqual(remainderBytesMax);
      types.push(...read.frames.map(({ type }) => type));
    }
    expect(types).toEqual(messageKinds.map((kind) => definitions[kind].type));
  });

  test('a stream accepts a Buffer from a socket, in the middle of its memory', () => {
    const whole = joined(bytesOf('EEEEEE'), ...all);
    const chunk = Buffer.from(whole).subarray(3);
    expect(readFrames(emptyRemainder, chunk).frames.map(({ bytes }) => toHex(bytes))).toEqual(
      all.map((bytes) => toHex(bytes)),
    );
  });

  test('a stream keeps no whole chunk for a few waiting bytes', () => {
    const chunk = new Uint8Array(65_536);
    chunk.set([0x68, 0x40, 1], chunk.length - 3);
    const { remainder } = readFrames(emptyRemainder, chunk);
    expect(toHex(remainder)).toBe('684001');
    expect(remainder.buffer.byteLength).toBeLessThanOrEqual(4_096);
  });

  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 0 }, 1);
  test.each([
    ['bytes that begin no frame', '00112233'],
    ['start bytes', '6868686868'],
    ['a start byte with an impossible length', '6803000000'],
    ['a start byte that promises more than came', '68FF'],
    ['a start byte that promises what came', '6805010203'],
    ['a frame with a wrong CRC', `${toHex(heartbeat).slice(0, -2)}00`],
    ['half a frame', toHex(heartbeat).slice(0, 20)],
  ])('a stream finds the frame after %s at once and counts what it dropped', (_what, garbage) => {
    const rubbish = bytesOf(garbage);
    const read = readFrames(emptyRemainder, joined(rubbish, heartbeat, rubbish, heartbeat));
    expect(read.frames.map(({ bytes }) => toHex(bytes))).toEqual([toHex(heartbeat), toHex(heartbeat)]);
    expect([read.skipped, read.remainder.length]).toEqual([2 * rubbish.length, 0]);
  });

  test('a stream finds every frame between garbage of any kind, however it is split', () => {
    const random = randomFrom(seed);
    for (let round = 0; round < 100; round += 1) {
      const parts = Array.from({ length: 6 }, () => [
        // Start bytes in the garbage look like the start of a frame.
        Uint8Array.from({ length: random(80) }, () => (random(8) === 0 ? 0x68 : random(256))),
        writeFrame(anyMessage(messageKinds[random(messageKinds.length)] ?? 'login', random), random(65_536)),
      ]).flat();
      const stream = joined(...parts, new Uint8Array(frameBytesMax));
      const found = new Set<string>();
      let remainder = emptyRemainder;
      let kept = 0;
      for (let at = 0; at < stream.length; ) {
        const size = 1 + random(200);
        const read = readFrames(remainder, stream.subarray(at, at + size));
        remainder = read.remainder;
        for (const { bytes } of read.frames) found.add(toHex(bytes));
        kept += read.skipped + read.frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
        at += size;
      }
      expect(kept + remainder.length, `seed ${seed}, round ${round}`).toBe(stream.length);
      for (const [index, part] of parts.entries()) {
        if (index % 2 === 1) expect(found.has(toHex(part)), `seed ${seed}, round ${round}`).toBe(true);
      }
    }
  });

  test('a stream keeps a start byte at the very end, whatever was read before in its place', () => {
    const first = readFrames(emptyRemainder, heartbeat.subarray(0, 3));
    // The same memory has held a zero after the place of the next start byte.
    readFrames(first.remainder, joined(heartbeat.subarray(3), Uint8Array.of(0, 0, 0)));
    const second = readFrames(first.remainder, joined(heartbeat.subarray(3), heartbeat.subarray(0, 1)));
    expect(toHex(second.remainder)).toBe('68');
    expect(readFrames(second.remainder, heartbeat.subarray(1)).frames).toHaveLength(1);
  });

  test('a stream does not change frames and remainders that it has returned', () => {
    const half = readFrames(emptyRemainder, heartbeat.subarray(0, 3));
    const read = readFrames(half.remainder, joined(heartbeat.subarray(3), heartbeat.subarray(0, 5)));
    const [frame] = read.frames;
    readFrames(half.remainder, new Uint8Array(100).fill(0xee));
    expect([toHex(frame?.bytes ?? emptyRemainder), toHex(read.remainder)]).toEqual([
      toHex(heartbeat),
      toHex(heartbeat, 0, 5),
    ]);
  });

  test('a stream takes bytes inside an unfinished frame for a frame only if they are a message in every respect', () => {
    const inner = golden(0xf0, pile);
    const outer = golden(0x94, `${pile} 01 7800 ${toHex(inner)} ${'00'.repeat(84 - inner.length)}`);
    const cut = readFrames(emptyRemainder, outer.subarray(0, 40));
    expect([cut.frames.length, cut.remainder.length]).toEqual([0, 40]);
    expect(readFrames(cut.remainder, outer.subarray(40)).frames.map(({ type }) => type)).toEqual([0x94]);
  });
});

describe('definitions', () => {
  test('a type shows its sender: odd ones come from the pile', () => {
    for (const { type, sender } of Object.values<Definition>(definitions)) {
      expect(sender).toBe(type % 2 === 1 ? 'pile' : 'platform');
    }
  });
});
