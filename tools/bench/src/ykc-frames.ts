import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Random, randomFrom } from '@voltdeck/units/random';
import { crc16 } from '@voltdeck/ykc/crc';
import { emptyRemainder, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import { anyMessage, frameMutator, messageKinds } from '@voltdeck/ykc/mutated-frames';
import { cpuNs } from './process-cpu.ts';
import { median, spread } from './spread.ts';

/** The bound that the reader is built for: CPU time compared with a bare scan of the same bytes. */
const overScanMax = 3;

const rounds = 10;
const framesOfRound = 100_000;
const warmUpFrames = 50_000;
const seed = 1;

type Taken = {
  scanNs: number;
  readNs: number;
  scanned: number;
  messages: number;
  faults: number;
  bytes: number;
};

/** Random frames, in segments as TCP delivers them under load or each in its own chunk. */
type Feed = {
  name: string;
  isBound: boolean;
  chunks: 'segments' | 'frames';
  frames: (random: Random) => () => Uint8Array;
};

const segmentBytes = 1_400;

const feeds: readonly Feed[] = [
  { name: 'mutated frames of every kind, glued', isBound: true, chunks: 'segments', frames: frameMutator },
  { name: 'mutated frames of every kind, one by one', isBound: false, chunks: 'frames', frames: frameMutator },
  {
    name: 'right frames of every kind, one by one',
    isBound: false,
    chunks: 'frames',
    frames: (random) => () => writeFrame(anyMessage(messageKinds[random(messageKinds.length)] ?? 'login', random), 1),
  },
  {
    name: 'frames of live data, one by one',
    isBound: false,
    chunks: 'frames',
    frames: (random) => () => writeFrame(anyMessage('realtime-data', random), 1),
  },
  {
    name: 'heartbeats, one by one',
    isBound: false,
    chunks: 'frames',
    frames: (random) => () => writeFrame(anyMessage('heartbeat', random), 1),
  },
];

/**
 * A million frames through `readFrames` and `readMessage`, compared with a bare length-and-CRC scan of the same bytes,
 * in alternating rounds of the same process.
 * @returns a line when the bound was missed.
 */
export function benchYkcFrames(): string[] {
  const total = (rounds * framesOfRound).toLocaleString('en');
  return feeds.flatMap((feed) => {
    const { name, isBound } = feed;
    const frame = feed.frames(randomFrom(seed));
    takeRound(feed, frame, warmUpFrames, 0);
    const taken = Array.from({ length: rounds }, (_, round) => takeRound(feed, frame, framesOfRound, round));
    const ratios = taken.map(({ scanNs, readNs }) => readNs / scanNs);
    const sum = (of: (one: Taken) => number) => taken.reduce((so, one) => so + of(one), 0);
    console.log(`  ${total} ${name} (${(sum(({ bytes }) => bytes) / rounds / framesOfRound).toFixed(0)} bytes each)`);
    console.log(
      `    scan                     ${spread(
        taken.map(({ scanNs }) => scanNs),
        0,
      )} ns CPU a frame`,
    );
    console.log(
      `    readFrames, readMessage  ${spread(
        taken.map(({ readNs }) => readNs),
        0,
      )} ns CPU a frame`,
    );
    console.log(
      `    ${sum(({ messages }) => messages)} messages, ${sum(({ faults }) => faults)} typed faults (the scan found ${sum(({ scanned }) => scanned)} frames)`,
    );
    console.log(`    ${spread(ratios)} times the scan${isBound ? `, bound ${overScanMax}` : ''}`);
    const ratio = median(ratios);
    return isBound && !(ratio <= overScanMax) ? [`ykc-frames: ${ratio.toFixed(2)} times the scan`] : [];
  });
}

function takeRound(feed: Feed, frame: () => Uint8Array, count: number, round: number): Taken {
  const chunks = chunksOf(feed, Array.from({ length: count }, frame));
  const bytes = chunks.reduce((so, { length }) => so + length, 0);
  const taken: Taken = { scanNs: 0, readNs: 0, scanned: 0, messages: 0, faults: 0, bytes };
  // Collect garbage, so that neither way pays for making the frames, and warm up both afterwards.
  collectGarbage();
  const some = chunks.slice(0, chunks.length / 4);
  scan(some);
  read(some, { ...taken });
  const ways = [
    () => {
      taken.scanNs = cpuNs(() => (taken.scanned = scan(chunks))) / count;
    },
    () => {
      taken.readNs = cpuNs(() => read(chunks, taken)) / count;
    },
  ];
  for (const way of round % 2 === 0 ? ways : ways.toReversed()) way();
  return taken;
}

/** Views into one memory, like a socket's chunks. */
function chunksOf({ chunks }: Feed, frames: readonly Uint8Array[]): Uint8Array[] {
  const memory = new Uint8Array(frames.reduce((so, { length }) => so + length, 0));
  let at = 0;
  const views = frames.map((frame) => {
    memory.set(frame, at);
    at += frame.length;
    return memory.subarray(at - frame.length, at);
  });
  if (chunks === 'frames') return views;
  return Array.from({ length: Math.ceil(memory.length / segmentBytes) }, (_, index) =>
    memory.subarray(index * segmentBytes, (index + 1) * segmentBytes),
  );
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function read(chunks: readonly Uint8Array[], taken: Taken): void {
  let remainder = emptyRemainder;
  for (const chunk of chunks) {
    const stream = readFrames(remainder, chunk);
    remainder = stream.remainder;
    for (const frame of stream.frames) {
      if (readMessage(frame).kind === 'fault') taken.faults += 1;
      else taken.messages += 1;
    }
  }
}

/** The minimum for any reader: find a start byte, trust its length, compare the CRC. */
function scan(chunks: readonly Uint8Array[]): number {
  let frames = 0;
  for (const bytes of chunks) {
    for (let at = 0; at < bytes.length; ) {
      const end = at + (bytes[at + 1] ?? 0) + 4;
      const isFrame =
        bytes[at] === 0x68 &&
        end >= at + 8 &&
        end <= bytes.length &&
        crc16(bytes, at + 2, end - 2) === ((bytes[end - 2] ?? 0) | ((bytes[end - 1] ?? 0) << 8));

      if (isFrame) frames += 1;
      at = isFrame ? end : at + 1;
    }
  }
  return frames;
}
