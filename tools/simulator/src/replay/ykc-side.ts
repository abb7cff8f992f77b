import { connect, type Socket } from 'node:net';
import { crc16 } from '@voltdeck/ykc/crc';
import { bodyAt, emptyRemainder, type Frame, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import { fromHex, toHex, writeHex } from '@voltdeck/ykc/hex';
import { definitionOf, type Message } from '@voltdeck/ykc/messages/all';
import type { Clock } from '../clock.ts';
import { socketAddress } from '../ykc/pile-link.ts';
import type { Exchange } from './conversation.ts';
import { type CallListener, compare, type Difference, type ReplaySide } from './replay-side.ts';

const openTimeoutMs = 10_000;
const loginType = 0x01;
const noTradeNo = '0'.repeat(32);

type Waiting = { kind: string; gunNo: number | null; tradeNo: string | null; settle: (answer: string | null) => void };

/** The station's end of YKC: sequence numbers and CRC are new, and transaction numbers are those of this server. */
export function ykcSide(options: {
  url: string;
  number: string;
  recordedNumber: string;
  exchanges: readonly Exchange[];
  clock: Clock;
  answerTimeoutMs: number;
  listener: CallListener;
}): ReplaySide {
  const { number, recordedNumber, exchanges, clock, answerTimeoutMs, listener } = options;
  const address = socketAddress(options.url);
  const waiting = new Set<Waiting>();
  /** Recorded transaction numbers to those of this server. */
  const trades = new Map<string, string>();
  let socket: Socket | null = null;
  let isOpen = false;
  let remainder = emptyRemainder;
  let sequence = 0;
  let hasLoggedIn = false;

  const nextSequence = (): number => {
    const taken = sequence;
    sequence = (sequence + 1) & 0xffff;
    return taken;
  };

  const learnTrade = (recorded: string | null, now: Message): void => {
    const before = recorded === null ? null : messageOf(recorded);
    if (before === null || !('tradeNo' in before) || !('tradeNo' in now)) return;
    if (before.tradeNo !== noTradeNo && now.tradeNo !== noTradeNo) trades.set(before.tradeNo, now.tradeNo);
  };

  /** The recorded bytes with this station's number, this server's transaction numbers, and a new sequence and CRC. */
  const rewritten = (recorded: Frame, withSequence: number): Uint8Array => {
    const bytes = Uint8Array.from(recorded.bytes);
    bytes[2] = withSequence & 0xff;
    bytes[3] = withSequence >>> 8;
    for (const field of definitionOf(recorded.type)?.fields ?? []) {
      const at = bodyAt + field.offset;
      if (at + field.length + 2 > bytes.length) continue;
      const text = toHex(bytes, at, at + field.length);
      if (field.name === 'pileNo' && text === recordedNumber) writeHex(number, bytes, at, field.length);
      if (field.name !== 'tradeNo' || text === noTradeNo) continue;
      const own = text.startsWith(recordedNumber) ? number + text.slice(recordedNumber.length) : text;
      writeHex(trades.get(text) ?? own, bytes, at, field.length);
    }
    const crc = crc16(bytes, 2, bytes.length - 2);
    const [low, high] = [crc & 0xff, crc >>> 8];
    bytes.set(recorded.crcOrder === 'low-first' ? [low, high] : [high, low], bytes.length - 2);
    return bytes;
  };

  const hear = (frame: Frame): void => {
    const message = readMessage(frame);
    if (message.kind === 'fault') return;
    const hex = toHex(frame.bytes);
    const gunNo = 'gunNo' in message ? message.gunNo : null;
    const tradeNo = message.kind === 'transaction-record-confirm' ? message.tradeNo : null;
    const waiter = [...waiting].find(
      (each) =>
        each.kind === message.kind &&
        (each.gunNo === null || each.gunNo === gunNo) &&
        (each.tradeNo === null || tradeNo === null || each.tradeNo === tradeNo),
    );
    if (waiter !== undefined) {
      waiter.settle(hex);
      return;
    }
    // Answers to messages of our own, such as heartbeats.
    if ((definitionOf(frame.type)?.answer ?? null) === null) return;
    const recorded = listener.called(actionOf(frame.type), hex);
    if (recorded === null) return;
    learnTrade(recorded.request, message);
    const answer = recorded.answer === null ? null : frameOf(recorded.answer);
    if (answer !== null) socket?.write(rewritten(answer, frame.sequence));
  };

  const awaitAnswer = (sent: Frame): Promise<string | null> => {
    const kind = definitionOf(sent.type)?.answer ?? null;
    if (kind === null) return Promise.resolve(null);
    const message = readMessage(sent);
    const gunNo = message.kind !== 'fault' && 'gunNo' in message && kind !== 'transaction-record-confirm';
    return new Promise((resolve) => {
      const release = clock.hold();
      const waiter: Waiting = {
        kind,
        gunNo: gunNo ? message.gunNo : null,
        tradeNo: message.kind === 'transaction-record' ? message.tradeNo : null,
        settle: (answer) => {
          cancel();
          waiting.delete(waiter);
          release();
          resolve(answer);
        },
      };
      const cancel = clock.afterReal(answerTimeoutMs, () => waiter.settle(null));
      waiting.add(waiter);
    });
  };

  const lost = (closed: Socket): void => {
    if (socket !== closed) return;
    socket = null;
    isOpen = false;
    for (const waiter of [...waiting]) waiter.settle(null);
  };

  const disconnect = async (): Promise<void> => {
    const closing = socket;
    if (closing === null) return;
    lost(closing);
    if (closing.closed) return;
    const closed = new Promise((resolve) => closing.once('close', resolve));
    closing.destroy();
    await closed;
  };

  return {
    get isOpen() {
      return isOpen;
    },
    async open() {
      await disconnect();
      const opened = connect({ ...address, noDelay: true });
      const release = clock.hold();
      const cancel = clock.afterReal(openTimeoutMs, () => opened.destroy());
      socket = opened;
      remainder = emptyRemainder;
      sequence = 0;
      hasLoggedIn = false;
      opened.on('data', (chunk) => {
        if (socket !== opened) return;
        const read = readFrames(remainder, chunk);
        remainder = read.remainder;
        for (const frame of read.frames) hear(frame);
      });
      opened.on('error', () => {
        // 'close' follows.
      });
      return new Promise((resolve) => {
        opened.on('connect', () => {
          cancel();
          isOpen = true;
          release();
          resolve(true);
        });
        opened.on('close', () => {
          cancel();
          lost(opened);
          release();
          resolve(false);
        });
      });
    },
    async signIn() {
      const guns = exchanges.flatMap(({ request }) => {
        const message = messageOf(request);
        return message !== null && 'gunNo' in message ? [message.gunNo] : [];
      });
      const login = writeFrame(
        {
          kind: 'login',
          pileNo: number,
          pileType: 0,
          gunCount: Math.max(1, ...guns),
          protoVersion: 16,
          softwareVersion: 'replay',
          netType: 0,
          sim: '0'.repeat(20),
          carrier: 0,
        },
        nextSequence(),
      );
      hasLoggedIn = true;
      const [frame] = readFrames(emptyRemainder, login).frames;
      if (frame === undefined) return;
      const answered = awaitAnswer(frame);
      socket?.write(login);
      await answered;
    },
    opensConnection: ({ request }) => hasLoggedIn && frameOf(request)?.type === loginType,
    introduces: ({ request }) => frameOf(request)?.type === loginType,
    async tell(exchange) {
      const recorded = frameOf(exchange.request);
      if (recorded === null) {
        // An unreadable message is sent unchanged.
        const bytes = fromHex(exchange.request);
        if (bytes !== null) socket?.write(bytes);
        return null;
      }
      if (recorded.type === loginType) hasLoggedIn = true;
      const bytes = rewritten(recorded, nextSequence());
      const [frame] = readFrames(emptyRemainder, bytes).frames;
      const answered = frame === undefined ? null : awaitAnswer(frame);
      socket?.write(bytes);
      const answer = (await answered) ?? null;
      const message = answer === null ? null : messageOf(answer);
      if (message !== null) learnTrade(exchange.answer, message);
      return answer;
    },
    differences: (recorded, now) => differencesOf(recorded, now),
    keepAlive: () => {
      socket?.write(writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, nextSequence()));
    },
    close: disconnect,
  };
}

function frameOf(hex: string): Frame | null {
  const bytes = fromHex(hex.replace(/\s/g, ''));
  return bytes === null ? null : (readFrames(emptyRemainder, bytes).frames[0] ?? null);
}

function messageOf(hex: string): Message | null {
  const frame = frameOf(hex);
  const message = frame === null ? null : readMessage(frame);
  return message === null || message.kind === 'fault' ? null : message;
}

function actionOf(type: number): string {
  return `0x${type.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Balances and model numbers may differ on another server; transaction numbers, times and our number do. */
const judged: Readonly<Record<string, 'printed' | 'ignored'>> = {
  tradeNo: 'ignored',
  pileNo: 'ignored',
  time: 'ignored',
  balance: 'printed',
  modelNo: 'printed',
};

function differencesOf(recorded: string, now: string): Difference[] {
  const [before, after] = [messageOf(recorded), messageOf(now)];
  if (before === null || after === null) {
    return recorded === now ? [] : [{ path: 'frame', recorded, now, matters: true }];
  }
  return compare(before, after, (path) => judged[path] ?? 'matters');
}

/** Whether this recording keeps its connection alive by itself. */
export function isYkcHeartbeat({ request }: Exchange): boolean {
  return messageOf(request)?.kind === 'heartbeat';
}
