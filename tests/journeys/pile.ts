import { once } from 'node:events';
import { connect as open, type Socket } from 'node:net';
import { ascii, bcd, frameOf, framesIn, type PileFrame, u8, zeros } from './pile-bytes.ts';

/** How soon a pile reconnects; real ones take seconds to minutes. */
const reconnectAfterMs = { first: 20, max: 250 } as const;
/** Unanswered frames are resent after this; the protocol says 30 s. */
const askAgainAfterMs = 1_500;
/** Longer than a busy machine needs to restart a killed server five times in a row. */
const answerLimitMs = 400_000;

/** The answer type for each request of a pile. */
const answerTypeOf: Readonly<Record<number, number>> = { 1: 0x02, 3: 0x04, 5: 0x06, 9: 0x0a, 49: 0x32, 59: 0x40 };

export type Authorized = { tradeNo: string; balanceFen: number; ok: boolean; failReason: number };

/**
 * A YKC pile with the behaviour of its firmware: it signs in after every connection, verifies its billing model,
 * fetches it if missing, and repeats unanswered requests over as many connections as it takes.
 */
export type Pile = {
  readonly number: string;
  /** Everything the platform sent, oldest first. */
  readonly heard: readonly PileFrame[];
  readonly connections: number;
  /** The current billing model: the body of 0x0A or 0x58 after the pile number; null before there is one. */
  readonly model: Buffer | null;
  /** Resolves once it is signed in and has its billing model. */
  ready(): Promise<void>;
  send(type: number, body: Buffer): void;
  /** Repeats a request until it is answered; returns the answer's body. */
  ask(type: number, body: Buffer): Promise<Buffer>;
  /** Sends the last frame again, byte for byte. */
  repeatLastFrame(): void;
  /** Sets the answer to requests of the platform; without one, requests of these types stay unanswered. */
  answerBy(type: number, decide: (body: Buffer) => { type: number; body: Buffer } | null): void;
  /** Resolves with the next frame of this type that no earlier call got. */
  hears(type: number): Promise<PileFrame>;
  applyByCard(gun: number, physicalCard: string): Promise<Authorized>;
  cut(): Promise<void>;
  connect(): void;
  close(): Promise<void>;
};

export type PileOptions = { port: number; number: string; guns?: number; type?: 'dc' | 'ac' };

export function startPile({ port, number, guns = 1, type = 'dc' }: PileOptions): Pile {
  const heard: PileFrame[] = [];
  const taken = new Map<number, number>();
  const waits: { type: number; done: (frame: PileFrame) => void }[] = [];
  const asks: { type: number; body: Buffer; answered: (body: Buffer) => void }[] = [];
  const answers = new Map<number, (body: Buffer) => { type: number; body: Buffer } | null>();
  let socket: Socket | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let sequence = 0;
  let last: Buffer | null = null;
  let isReady = false;
  let isStopped = false;
  let isCut = false;
  let connections = 0;
  let model: Buffer | null = null;
  let whenReady = Promise.withResolvers<void>();
  let waitMs: number = reconnectAfterMs.first;
  let timer: NodeJS.Timeout | null = null;

  const write = (frame: PileFrame): void => {
    last = frameOf(frame);
    socket?.write(last);
  };
  const send = (frameType: number, body: Buffer): void => {
    write({ type: frameType, sequence, body });
    sequence = (sequence + 1) & 0xffff;
  };
  const becomeReady = (): void => {
    if (isReady) return;
    isReady = true;
    whenReady.resolve();
    for (const waiting of asks) send(waiting.type, waiting.body);
  };

  const hear = (frame: PileFrame): void => {
    heard.push(frame);
    const waiting = waits.findIndex((wait) => wait.type === frame.type);
    if (waiting !== -1) {
      taken.set(frame.type, (taken.get(frame.type) ?? 0) + 1);
      waits.splice(waiting, 1)[0]?.done(frame);
    }
    if (frame.type === 0x02 && frame.body[7] === 0)
      send(0x05, Buffer.concat([bcd(number), model?.subarray(0, 2) ?? zeros(2)]));
    if (frame.type === 0x06) {
      if (frame.body[9] === 0) becomeReady();
      else send(0x09, bcd(number));
    }
    if (frame.type === 0x0a) {
      model = Buffer.from(frame.body.subarray(7));
      becomeReady();
    }
    const answer = answers.get(frame.type)?.(frame.body) ?? null;
    if (answer !== null) write({ type: answer.type, sequence: frame.sequence, body: answer.body });
    const asked = asks.findIndex(
      (ask) =>
        answerTypeOf[ask.type] === frame.type &&
        (ask.type !== 0x3b || ask.body.subarray(0, 16).equals(frame.body.subarray(0, 16))),
    );
    if (asked !== -1) asks.splice(asked, 1)[0]?.answered(frame.body);
  };

  const connect = (): void => {
    isCut = false;
    const opened = open({ port, host: '127.0.0.1', noDelay: true });
    socket = opened;
    rest = Buffer.alloc(0);
    opened.on('error', () => undefined);
    opened.on('connect', () => {
      connections += 1;
      waitMs = reconnectAfterMs.first;
      sequence = 0;
      send(
        0x01,
        Buffer.concat([
          bcd(number),
          u8(type === 'dc' ? 0 : 1),
          u8(guns),
          u8(16),
          ascii('V4.2_0', 8),
          u8(0),
          bcd('89860000000000004711'),
          u8(0),
        ]),
      );
    });
    opened.on('data', (data) => {
      const read = framesIn(Buffer.concat([rest, data]));
      rest = read.rest;
      for (const frame of read.frames) hear(frame);
    });
    opened.on('close', () => {
      if (socket === opened) socket = null;
      if (isReady) {
        isReady = false;
        whenReady = Promise.withResolvers<void>();
      }
      if (isStopped || isCut) return;
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(waitMs * 2, reconnectAfterMs.max);
    });
  };

  const again = setInterval(() => {
    if (isReady) for (const waiting of asks) send(waiting.type, waiting.body);
  }, askAgainAfterMs);

  const end = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    const current = socket;
    if (current === null || current.closed) return;
    const closed = once(current, 'close');
    current.destroy();
    await closed;
  };

  const hears = (frameType: number): Promise<PileFrame> => {
    const known = heard.filter((frame) => frame.type === frameType)[taken.get(frameType) ?? 0];
    if (known !== undefined) {
      taken.set(frameType, (taken.get(frameType) ?? 0) + 1);
      return Promise.resolve(known);
    }
    return new Promise((done, failed) => {
      const limit = setTimeout(
        () => failed(new Error(`${number} heard no 0x${frameType.toString(16)}`)),
        answerLimitMs,
      );
      waits.push({
        type: frameType,
        done: (frame) => {
          clearTimeout(limit);
          done(frame);
        },
      });
    });
  };

  const ask = (frameType: number, body: Buffer): Promise<Buffer> =>
    new Promise((answered, failed) => {
      const limit = setTimeout(
        () => failed(new Error(`${number} got no answer to 0x${frameType.toString(16)}`)),
        answerLimitMs,
      );
      asks.push({
        type: frameType,
        body,
        answered: (answer) => {
          clearTimeout(limit);
          answered(answer);
        },
      });
      if (isReady) send(frameType, body);
    });

  connect();
  return {
    number,
    heard,
    get connections() {
      return connections;
    },
    get model() {
      return model;
    },
    ready: () => whenReady.promise,
    send,
    ask,
    repeatLastFrame() {
      if (last !== null) socket?.write(last);
    },
    answerBy: (frameType, decide) => void answers.set(frameType, decide),
    hears,
    async applyByCard(gun, physicalCard) {
      const answer = await ask(
        0x31,
        Buffer.concat([
          bcd(number),
          bcd(String(gun).padStart(2, '0')),
          u8(1),
          u8(0),
          bcd(physicalCard),
          zeros(16),
          zeros(17),
        ]),
      );
      const tradeNo = answer.subarray(0, 16).toString('hex');
      return { tradeNo, balanceFen: answer.readUInt32LE(32), ok: answer[36] === 1, failReason: answer[37] ?? 0 };
    },
    async cut() {
      isCut = true;
      await end();
    },
    connect,
    async close() {
      isStopped = true;
      clearInterval(again);
      await end();
    },
  };
}
