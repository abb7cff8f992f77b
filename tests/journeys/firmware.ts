import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import type { Message } from './two-hour-charge.ts';

/** How soon a station reconnects; real ones take seconds to minutes. */
const reconnectAfterMs = { first: 20, max: 250 } as const;
/** OCPP 1.6, TransactionMessageRetryInterval, shortened. */
const refusedAgainAfterMs = 100;
const handshakeLimitMs = 5_000;

/** A message with the answer that the station got. */
export type Told = { message: Message; answer: Record<string, unknown> };

/**
 * A station with the behaviour of real firmware (OCPP 1.6, section 3.7): one call at a time; everything about a charge
 * is queued and resent, in order, until it is answered, over as many connections as it takes.
 */
export type Firmware = {
  /**
   * Queues a message; resolves when it is answered. If connected and idle, the message is on the wire when this
   * returns.
   */
  tell(message: Message): Promise<Record<string, unknown>>;
  /** Everything that was answered, in order. */
  readonly told: readonly Told[];
  /** Calls from the server, oldest first; it agrees to all of them. */
  readonly asked: readonly { action: string; payload: Record<string, unknown> }[];
  /** Calls sent, including repetitions. */
  readonly sent: number;
  readonly connections: number;
  connected(): Promise<void>;
  stop(): Promise<void>;
};

export type FirmwareOptions = {
  ocppUrl: string;
  number: string;
  password: string;
  /** Whether a resent call keeps its message id. Both kinds of firmware exist. */
  resendsWith: 'same-id' | 'new-id';
};

export function startFirmware(options: FirmwareOptions): Firmware {
  const { ocppUrl, number, password, resendsWith } = options;
  const told: Told[] = [];
  const asked: { action: string; payload: Record<string, unknown> }[] = [];
  const queue: { message: Message; id: string | null; answered: (answer: Record<string, unknown>) => void }[] = [];
  const headers = { authorization: `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}` };
  let socket: WebSocket | null = null;
  let whenOpen = Promise.withResolvers<void>();
  let outstanding: string | null = null;
  let transactionId = 0;
  let calls = 0;
  let sent = 0;
  let connections = 0;
  let waitMs: number = reconnectAfterMs.first;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  const sendNext = (): void => {
    const next = queue[0];
    if (next === undefined || outstanding !== null || socket?.readyState !== WebSocket.OPEN) return;
    if (next.id === null || resendsWith === 'new-id') {
      calls += 1;
      next.id = `${number}-${calls}`;
    }
    outstanding = next.id;
    sent += 1;
    socket.send(JSON.stringify([2, next.id, next.message.action, next.message.payload(transactionId)]));
  };

  const onFrame = (data: RawData): void => {
    const frame = JSON.parse(String(data)) as [number, string, ...unknown[]];
    if (frame[0] === 2) {
      asked.push({ action: String(frame[2]), payload: frame[3] as Record<string, unknown> });
      socket?.send(JSON.stringify([3, frame[1], { status: 'Accepted' }]));
      return;
    }
    const next = queue[0];
    // A late answer to an expired id is ignored.
    if (next === undefined || frame[1] !== outstanding) return;
    outstanding = null;
    if (frame[0] === 4) {
      timer = setTimeout(sendNext, refusedAgainAfterMs);
      return;
    }
    const answer = frame[2] as Record<string, unknown>;
    if (next.message.action === 'StartTransaction') transactionId = Number(answer.transactionId);
    queue.shift();
    told.push({ message: next.message, answer });
    next.answered(answer);
    sendNext();
  };

  const connect = (): void => {
    const opened = new WebSocket(`${ocppUrl}/${number}`, 'ocpp1.6', { headers, handshakeTimeout: handshakeLimitMs });
    socket = opened;
    opened.on('error', () => undefined);
    opened.on('open', () => {
      connections += 1;
      waitMs = reconnectAfterMs.first;
      whenOpen.resolve();
      sendNext();
    });
    opened.on('message', onFrame);
    opened.on('close', () => {
      outstanding = null;
      if (isStopped) return;
      whenOpen = Promise.withResolvers<void>();
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(waitMs * 2, reconnectAfterMs.max);
    });
  };

  connect();
  return {
    told,
    asked,
    get sent() {
      return sent;
    },
    get connections() {
      return connections;
    },
    connected: () => whenOpen.promise,
    tell(message) {
      return new Promise((answered) => {
        queue.push({ message, id: null, answered });
        sendNext();
      });
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      if (socket === null || socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
