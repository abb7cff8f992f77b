import { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { parseFrame } from '../link.ts';
import { type Exchange, isRecord } from './conversation.ts';
import { type CallListener, compare, type Difference, type ReplaySide } from './replay-side.ts';

const openTimeoutMs = 10_000;

type Waiting = { settle: (answer: string | null) => void };

/** The station's end of OCPP-J 1.6: message ids are new, and transaction ids are those of this server. */
export function ocppSide(options: {
  url: string;
  number: string;
  password: string | undefined;
  clock: Clock;
  answerTimeoutMs: number;
  listener: CallListener;
}): ReplaySide {
  const { number, password, clock, answerTimeoutMs, listener } = options;
  const url = `${options.url.replace(/\/$/, '')}/${encodeURIComponent(number)}`;
  const waiting = new Map<string, Waiting>();
  /** Recorded transaction ids to those of this server. */
  const numbers = new Map<number, number>();
  let socket: WebSocket | null = null;
  let sent = 0;

  const nextId = (): string => {
    sent += 1;
    return `replay-${sent}`;
  };

  const answerCall = (id: string, action: string, text: string): void => {
    const recorded = parseFrame(listener.called(action, text)?.answer ?? '');
    if (recorded?.kind === 'result') socket?.send(JSON.stringify([3, id, recorded.payload]));
    else if (recorded?.kind === 'error') socket?.send(JSON.stringify([4, id, recorded.code, recorded.description, {}]));
    else socket?.send(JSON.stringify([4, id, 'NotSupported', 'not in the recording', {}]));
  };

  const receive = (text: string): void => {
    const frame = parseFrame(text);
    if (frame === null) return;
    if (frame.kind === 'call') answerCall(frame.id, frame.action, text);
    else waiting.get(frame.id)?.settle(text);
  };

  const ask = (id: string, text: string): Promise<string | null> =>
    new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        cancel();
        waiting.delete(id);
        release();
        resolve(answer);
      };
      const release = clock.hold();
      const cancel = clock.afterReal(answerTimeoutMs, () => settle(null));
      waiting.set(id, { settle });
      socket?.send(text);
    });

  const call = (action: string, payload: object): Promise<string | null> => {
    const id = nextId();
    return ask(id, JSON.stringify([2, id, action, payload]));
  };

  return {
    get isOpen() {
      return socket?.readyState === WebSocket.OPEN;
    },
    open() {
      const opened = new WebSocket(url, ['ocpp1.6'], {
        perMessageDeflate: false,
        handshakeTimeout: openTimeoutMs,
        headers:
          password === undefined
            ? {}
            : { authorization: `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}` },
      });
      socket = opened;
      const release = clock.hold();
      opened.on('message', (data) => {
        if (socket === opened) receive(data.toString());
      });
      opened.on('error', () => {
        // 'close' follows.
      });
      return new Promise((resolve) => {
        opened.on('open', () => {
          release();
          resolve(true);
        });
        opened.on('close', () => {
          release();
          if (socket === opened) {
            socket = null;
            for (const { settle } of [...waiting.values()]) settle(null);
          }
          resolve(false);
        });
      });
    },
    async signIn() {
      await call('BootNotification', { chargePointVendor: 'Voltdeck Virtual', chargePointModel: 'Replay' });
    },
    opensConnection: () => false,
    introduces: (exchange) => exchange.action === 'BootNotification',
    async tell(exchange) {
      const frame = parseFrame(exchange.request);
      if (frame?.kind !== 'call') {
        socket?.send(exchange.request);
        return null;
      }
      const id = nextId();
      const payload = { ...frame.payload };
      const known = typeof payload.transactionId === 'number' ? numbers.get(payload.transactionId) : undefined;
      if (known !== undefined) payload.transactionId = known;
      const text = JSON.stringify([2, id, frame.action, payload]);
      const answer = await ask(id, text);
      const before = chargeNumber(exchange.answer);
      const now = chargeNumber(answer);
      if (frame.action === 'StartTransaction' && before !== null && now !== null) numbers.set(before, now);
      return answer;
    },
    differences: (recorded, now) => differencesOf(recorded, now),
    keepAlive: () => void call('Heartbeat', {}),
    async close() {
      const closing = socket;
      socket = null;
      for (const { settle } of [...waiting.values()]) settle(null);
      if (closing === null || closing.readyState === WebSocket.CLOSED) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.afterReal(2_000, () => closing.terminate());
        closing.once('close', () => {
          cancel();
          resolve();
        });
        closing.close(1000);
      });
    },
  };
}

function chargeNumber(answer: string | null): number | null {
  const frame = parseFrame(answer ?? '');
  if (frame?.kind !== 'result') return null;
  return typeof frame.payload.transactionId === 'number' ? frame.payload.transactionId : null;
}

/** Each server has its own transaction ids and time of day. */
const ownOfServer = new Set(['transactionId', 'currentTime', 'id']);

function differencesOf(recorded: string, now: string): Difference[] {
  const [before, after] = [parseFrame(recorded), parseFrame(now)];
  if (before === null || after === null) {
    return recorded === now ? [] : [{ path: 'frame', recorded, now, matters: true }];
  }
  return compare(before, after, (path) => {
    const key = path.split('.').at(-1) ?? '';
    if (ownOfServer.has(key)) return 'ignored';
    return key === 'description' || key === 'expiryDate' ? 'printed' : 'matters';
  });
}

/** Calls that a station makes while idle. */
export function isOcppHeartbeat({ action, request }: Exchange): boolean {
  return action === 'Heartbeat' && isRecord(parseFrame(request));
}
