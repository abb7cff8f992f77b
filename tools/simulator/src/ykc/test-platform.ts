import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { emptyRemainder, pileNoOf, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import type { Message, MessageKind, MessageOf, PlatformMessage } from '@voltdeck/ykc/messages/all';
import type { BillingModel } from './billing-model.ts';

export type HeardFrame = { message: Message; sequence: number; hex: string; crcOrder: 'low-first' | 'high-first' };
/** `null` leaves it unanswered; undefined answers as usual. */
export type PlatformAnswering = (message: Message) => PlatformMessage | null | undefined;

/** Flat all day except for a peak from 12:00 to 13:00 (Asia/Shanghai); 0.80, and 1.20 yuan per kWh. */
export const testModel: BillingModel = {
  modelNo: '0007',
  sharpElecPrice: 120_000,
  sharpServPrice: 80_000,
  peakElecPrice: 80_000,
  peakServPrice: 40_000,
  flatElecPrice: 50_000,
  flatServPrice: 30_000,
  valleyElecPrice: 20_000,
  valleyServPrice: 20_000,
  lossRatio: 0,
  slots: Array.from({ length: 48 }, (_, slot) => (slot === 24 || slot === 25 ? 1 : 2)),
};

/**
 * A minimal platform for tests: it accepts every login and card, has one billing model, confirms every record, and
 * records what it heard. `answering` overrides single answers.
 */
export async function openPlatform(answering: PlatformAnswering = () => undefined) {
  const heard: HeardFrame[] = [];
  const sockets = new Map<string, Socket>();
  const open = new Set<Socket>();
  let connections = 0;
  let skipped = 0;
  let faults = 0;
  let trades = 0;
  let sequence = 0;

  const usual = (message: Message): PlatformMessage | null => {
    switch (message.kind) {
      case 'login':
        return { kind: 'login-answer', pileNo: message.pileNo, result: 0 };
      case 'heartbeat':
        return { kind: 'heartbeat-answer', pileNo: message.pileNo, gunNo: message.gunNo, answer: 0 };
      case 'billing-model-verify':
        return {
          kind: 'billing-model-verify-answer',
          pileNo: message.pileNo,
          modelNo: message.modelNo,
          result: message.modelNo === testModel.modelNo ? 0 : 1,
        };
      case 'billing-model-request':
        return { kind: 'billing-model-answer', pileNo: message.pileNo, ...testModel };
      case 'charge-application':
      case 'parallel-charge-application': {
        const authorized = {
          tradeNo: nextTradeNo(message.pileNo, message.gunNo),
          pileNo: message.pileNo,
          gunNo: message.gunNo,
          logicCardNo: '8800000000000001',
          balance: 100_000,
          authOk: 1,
          failReason: 0,
        };
        return message.kind === 'charge-application'
          ? { kind: 'charge-application-answer', ...authorized }
          : { kind: 'parallel-charge-application-answer', ...authorized, parallelNo: message.parallelNo };
      }
      case 'transaction-record':
        return { kind: 'transaction-record-confirm', tradeNo: message.tradeNo, result: 0 };
      default:
        return null;
    }
  };

  const nextTradeNo = (pileNo: string, gunNo: number): string => {
    trades += 1;
    return `${pileNo}${String(gunNo).padStart(2, '0')}261121120000${String(trades).padStart(4, '0')}`;
  };

  const server = createServer((socket) => {
    let remainder = emptyRemainder;
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      const read = readFrames(remainder, chunk);
      remainder = read.remainder;
      skipped += read.skipped;
      for (const frame of read.frames) {
        const message = readMessage(frame);
        if (message.kind === 'fault') {
          faults += 1;
          continue;
        }
        const pileNo = pileNoOf(frame);
        if (pileNo !== null) sockets.set(pileNo, socket);
        const hex = Buffer.from(frame.bytes).toString('hex').toUpperCase();
        heard.push({ message, sequence: frame.sequence, hex, crcOrder: frame.crcOrder });
        const answer = answering(message);
        const said = answer === undefined ? usual(message) : answer;
        if (said !== null) socket.write(writeFrame(said, frame.sequence));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    get connections() {
      return connections;
    },
    /** Bytes that belonged to no frame. */
    get skipped() {
      return skipped;
    },
    /** Frames that could not be understood. */
    get faults() {
      return faults;
    },
    nextTradeNo,
    kinds: (pileNo?: string) =>
      heard
        .map(({ message }) => message)
        .filter((message) => pileNo === undefined || ('pileNo' in message && message.pileNo === pileNo))
        .map(({ kind }) => kind),
    of: <Kind extends MessageKind>(kind: Kind): MessageOf<Kind>[] =>
      heard.map(({ message }) => message).filter((message): message is MessageOf<Kind> => message.kind === kind),
    send: (message: PlatformMessage): number => {
      sequence += 1;
      const pileNo = 'pileNo' in message ? message.pileNo : message.tradeNo.slice(0, 14);
      sockets.get(pileNo)?.write(writeFrame(message, sequence));
      return sequence;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestPlatform = Awaited<ReturnType<typeof openPlatform>>;
