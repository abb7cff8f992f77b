import { WebSocket } from 'ws';
import type { Clock } from './clock.ts';
import { type Faults, malformedFrame } from './faults.ts';
import type { Random } from './seeded.ts';
import type { Cancel } from './timer-queue.ts';

/** The result of a call to the central system. */
export type CallOutcome =
  | { kind: 'answered'; payload: Record<string, unknown> }
  | { kind: 'error'; code: string; description: string }
  | { kind: 'timed-out' }
  | { kind: 'link-lost' };

/** A station's answer to a call of the central system; `after` runs once the answer is on its way. */
export type CallAnswer =
  | { kind: 'result'; payload: object; after?: () => void }
  | { kind: 'error'; code: string; description: string };

export type LinkListener = {
  opened(): void;
  /** `httpStatus` is set when the handshake was refused. */
  closed(reason: { code: number; httpStatus: number | null }): void;
  called(action: string, payload: Record<string, unknown>): CallAnswer;
  /** The second copy of a duplicated message was answered; `same` if like the first. */
  twinAnswered(action: string, same: boolean): void;
  /** Nothing is outstanding: the next call may be sent. */
  idle(): void;
  frame(direction: 'sent' | 'received', text: string): void;
};

type Outstanding = {
  action: string;
  settle: (outcome: CallOutcome) => void;
  cancelTimeout: Cancel;
  release: Cancel;
};

const handshakeTimeoutMs = 10_000;
const closeTimeoutMs = 2_000;
const frameMaxBytes = 256 * 1024;
/** How many answers to first copies of duplicated messages are remembered for comparison. */
const twinsMax = 32;

/** The station's end of OCPP-J 1.6 (par. 3 and 4): one WebSocket, one outstanding call, JSON arrays. */
export class Link {
  readonly #url: string;
  readonly #number: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #faults: () => Faults;
  readonly #nextId: () => string;
  readonly #answerTimeoutMs: number;
  readonly #listener: LinkListener;
  #socket: WebSocket | null = null;
  #outstanding = new Map<string, Outstanding>();
  #firstAnswers = new Map<string, { action: string; text: string }>();
  #sentCount = 0;

  constructor(options: {
    url: string;
    number: string;
    clock: Clock;
    random: Random;
    faults: () => Faults;
    nextId: () => string;
    /** Real time. */
    answerTimeoutMs: number;
    listener: LinkListener;
  }) {
    this.#url = `${options.url.replace(/\/$/, '')}/${encodeURIComponent(options.number)}`;
    this.#number = options.number;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#faults = options.faults;
    this.#nextId = options.nextId;
    this.#answerTimeoutMs = options.answerTimeoutMs;
    this.#listener = options.listener;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  get isIdle(): boolean {
    return this.#outstanding.size === 0;
  }

  /** Connects unless connected. The listener gets `opened` or `closed`. */
  open(password: string | undefined): void {
    if (this.#socket !== null) return;
    const release = this.#clock.hold();
    const socket = new WebSocket(this.#url, ['ocpp1.6'], {
      perMessageDeflate: false,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: frameMaxBytes,
      headers:
        password === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(`${this.#number}:${password}`).toString('base64')}` },
    });
    let httpStatus: number | null = null;
    socket.on('unexpected-response', (_request, response) => {
      httpStatus = response.statusCode ?? null;
      response.resume();
      socket.terminate();
    });
    socket.on('open', () => {
      if (this.#socket === socket) this.#listener.opened();
      release();
    });
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#receive(data.toString());
    });
    socket.on('error', () => {
      // 'close' follows and says what matters.
    });
    socket.on('close', (code) => {
      this.#gone(socket, code, httpStatus);
      release();
    });
    this.#socket = socket;
  }

  /** Drops the link silently, like a dead network; false if there was none. */
  drop(): boolean {
    const socket = this.#socket;
    if (socket === null) return false;
    this.#gone(socket, 1006, null);
    socket.terminate();
    return true;
  }

  /** Closes with a handshake, or after a limit without. */
  close(): Promise<void> {
    const socket = this.#socket;
    if (socket === null) return Promise.resolve();
    this.#gone(socket, 1000, null);
    return new Promise((resolve) => {
      const cancel = this.#clock.afterReal(closeTimeoutMs, () => socket.terminate());
      const done = () => {
        cancel();
        resolve();
      };
      if (socket.readyState === WebSocket.CLOSED) done();
      else {
        socket.once('close', done);
        if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
        else socket.close(1000);
      }
    });
  }

  ping(): void {
    if (this.isOpen) this.#socket?.ping();
  }

  /** Sends a call. `id` is the message id to use. */
  call(id: string, action: string, payload: object): Promise<CallOutcome> {
    if (!this.isOpen) return Promise.resolve({ kind: 'link-lost' });
    const faults = this.#faults();
    this.#sentCount += 1;
    if (faults.malformedEvery !== null && this.#sentCount % faults.malformedEvery === 0) {
      this.#send(malformedFrame(this.#random, this.#nextId()));
    }
    const outcome = new Promise<CallOutcome>((resolve) => this.#expect(id, action, resolve));
    const frame = JSON.stringify([2, id, action, payload]);
    this.#send(frame);
    if (faults.duplicates === 'same-id' || faults.duplicates === 'both') this.#send(frame);
    if (faults.duplicates === 'new-id' || faults.duplicates === 'both') {
      const twinId = this.#nextId();
      this.#expect(twinId, action, (twin) => {
        const first = this.#firstAnswers.get(id);
        if (twin.kind === 'answered' && first !== undefined) {
          this.#listener.twinAnswered(action, JSON.stringify(twin.payload) === first.text);
        }
      });
      this.#send(JSON.stringify([2, twinId, action, payload]));
    }
    return outcome;
  }

  #expect(id: string, action: string, settle: (outcome: CallOutcome) => void): void {
    this.#outstanding.set(id, {
      action,
      settle,
      cancelTimeout: this.#clock.afterReal(this.#answerTimeoutMs, () => this.#settle(id, { kind: 'timed-out' })),
      release: this.#clock.hold(),
    });
  }

  #settle(id: string, outcome: CallOutcome): void {
    const outstanding = this.#outstanding.get(id);
    if (outstanding === undefined) return;
    this.#outstanding.delete(id);
    outstanding.cancelTimeout();
    outstanding.settle(outcome);
    outstanding.release();
    if (this.#outstanding.size === 0) this.#listener.idle();
  }

  #gone(socket: WebSocket, code: number, httpStatus: number | null): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    for (const id of [...this.#outstanding.keys()]) this.#settle(id, { kind: 'link-lost' });
    this.#firstAnswers.clear();
    this.#listener.closed({ code, httpStatus });
  }

  #send(text: string): void {
    if (!this.isOpen) return;
    this.#listener.frame('sent', text);
    this.#socket?.send(text);
  }

  #receive(text: string): void {
    this.#listener.frame('received', text);
    const frame = parseFrame(text);
    if (frame === null) return;
    switch (frame.kind) {
      case 'call':
        this.#answer(frame.id, frame.action, frame.payload);
        return;
      case 'result':
        this.#rememberAnswer(frame.id, frame.payload);
        this.#settle(frame.id, { kind: 'answered', payload: frame.payload });
        return;
      case 'error':
        this.#settle(frame.id, { kind: 'error', code: frame.code, description: frame.description });
        return;
    }
  }

  #rememberAnswer(id: string, payload: Record<string, unknown>): void {
    const duplicates = this.#faults().duplicates;
    if (duplicates === 'none') return;
    const text = JSON.stringify(payload);
    const first = this.#firstAnswers.get(id);
    if (first !== undefined) {
      this.#listener.twinAnswered(first.action, first.text === text);
      return;
    }
    const action = this.#outstanding.get(id)?.action;
    if (action === undefined) return;
    this.#firstAnswers.set(id, { action, text });
    for (const oldest of this.#firstAnswers.keys()) {
      if (this.#firstAnswers.size <= twinsMax) break;
      this.#firstAnswers.delete(oldest);
    }
  }

  #answer(id: string, action: string, payload: Record<string, unknown>): void {
    const socket = this.#socket;
    const faults = this.#faults();
    const send = (answer: CallAnswer) => {
      if (this.#socket !== socket) return;
      const frame =
        answer.kind === 'result'
          ? JSON.stringify([3, id, answer.payload])
          : JSON.stringify([4, id, answer.code, answer.description, {}]);
      this.#send(frame);
      if (faults.duplicates === 'same-id' || faults.duplicates === 'both') this.#send(frame);
      if (answer.kind === 'result') answer.after?.();
    };
    if (faults.slowAnswersMs > 0) {
      this.#clock.after(faults.slowAnswersMs, () => {
        if (this.#socket === socket) send(this.#listener.called(action, payload));
      });
    } else {
      send(this.#listener.called(action, payload));
    }
  }
}

type Frame =
  | { kind: 'call'; id: string; action: string; payload: Record<string, unknown> }
  | { kind: 'result'; id: string; payload: Record<string, unknown> }
  | { kind: 'error'; id: string; code: string; description: string };

/** Parses a frame; null for what a station would not understand and ignores. */
export function parseFrame(text: string): Frame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const [type, id, third, fourth] = value as unknown[];
  if (typeof id !== 'string') return null;
  if (type === 2 && typeof third === 'string' && isRecord(fourth)) {
    return { kind: 'call', id, action: third, payload: fourth };
  }
  if (type === 3 && isRecord(third)) return { kind: 'result', id, payload: third };
  if (type === 4 && typeof third === 'string') {
    return { kind: 'error', id, code: third, description: typeof fourth === 'string' ? fourth : '' };
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
