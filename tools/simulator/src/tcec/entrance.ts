import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { decideRequest, isInTimeWindow, type RequestCheck, replayMemoryMs } from '@voltdeck/tcec102/conversation';
import {
  envelopeCharsMax,
  openData,
  type RequestEnvelope,
  type RetCode,
  readRequestEnvelope,
  replayKey,
  requestAt,
  retCodes,
  sealAnswer,
  verifyRequest,
} from '@voltdeck/tcec102/envelope';
import { type InterfaceName, isInterfaceName, type Message } from '@voltdeck/tcec102/messages/all';
import { readBody } from '@voltdeck/tcec102/messages/read-message';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import type { BenchSettings } from './bench-settings.ts';
import type { Exchange, ExchangeBook } from './exchanges.ts';

/** How the next request of an interface is answered, instead of as it should be. */
export const answerFaults = ['http-500', 'silence', 'cut-in-answer', 'slow', 'busy'] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Longer than people wait, shorter than servers should. */
const slowAnswerMs = 10_000;
/** Callers that begin anew with every request are no reason to keep more. */
const tokensMax = 64;
/** Envelopes that are remembered: a test that never rests sends so many within the window of its clock. */
const envelopesMax = 100_000;

/** What the tested server said, in the values of the message. */
export type Heard = {
  name: InterfaceName;
  asked: unknown;
  fault: AnswerFault | null;
  exchange: Exchange;
  /** Whether the whole answer went out while the caller still waited for it. */
  isAnswered: Promise<boolean>;
};

export type Answers = {
  readonly [Name in InterfaceName]?: (
    asked: Message<Name, 'request'>,
  ) => Message<Name, 'answer'> | { refusal: RetCode; msg: string };
};

/** The server of the bench: examines what comes, as the standard says, and answers as its role does. */
export class BenchEntrance {
  readonly #settings: BenchSettings;
  readonly #book: ExchangeBook;
  readonly #now: () => Instant;
  readonly #answers: Answers;
  readonly #server: Server;
  readonly #tokens = new Map<string, Instant>();
  readonly #replayed = new Map<string, Instant>();
  readonly #faults = new Map<InterfaceName, AnswerFault[]>();
  readonly #listeners = new Set<(heard: Heard) => void>();
  #isAway = false;

  constructor(settings: BenchSettings, book: ExchangeBook, now: () => Instant, answers: Answers) {
    this.#settings = settings;
    this.#book = book;
    this.#now = now;
    this.#answers = answers;
    this.#server = createServer((request, response) => {
      // Whoever breaks off is no fault of the bench.
      void this.#serve(request, response).catch(() => request.socket.destroy());
    });
  }

  /** The address that the tested server has to know. */
  async open(): Promise<string> {
    const { host, port } = this.#settings;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const at = this.#server.address() as AddressInfo;
    return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${at.port}/evcs/v1.0`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** The next requests of an interface are answered so, one after the other. */
  misbehave(name: InterfaceName, ...faults: readonly AnswerFault[]): void {
    this.#faults.set(name, [...(this.#faults.get(name) ?? []), ...faults]);
  }

  behave(name: InterfaceName): void {
    this.#faults.delete(name);
  }

  /** While it is away, every link is cut. */
  stayAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) this.#server.closeAllConnections();
  }

  onHeard(listener: (heard: Heard) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isAway) return void request.socket.destroy();
    const at = this.#now();
    const beganAt = performance.now();
    const name = new URL(request.url ?? '/', 'http://bench').pathname.split('/').at(-1) ?? '';
    const body = await readBounded(request);
    if (!isInterfaceName(name)) return this.#respond(response, this.#sealed(retCodes.parameters, 'interface', null));
    const examined = this.#examine(name, body, request.headers.authorization, at);
    const fault = examined.ret === retCodes.success ? (this.#faults.get(name)?.shift() ?? null) : null;
    const answered =
      examined.ret === retCodes.success && fault !== 'busy'
        ? this.#answer(name, examined.asked)
        : { ret: fault === 'busy' ? retCodes.busy : examined.ret, msg: examined.msg, text: null };
    const exchange = this.#book.note({
      at,
      direction: 'heard',
      interfaceName: name,
      request: examined.text,
      answer: fault === null || fault === 'busy' ? (answered.text ?? answered.msg) : '',
      ret: fault === null || fault === 'busy' ? answered.ret : null,
      httpStatus: fault === 'http-500' ? 500 : fault === null || fault === 'busy' ? 200 : null,
      remark: fault ?? '',
      tookMs: performance.now() - beganAt,
      token: tokenIn(request.headers.authorization),
    });
    const sealed = this.#sealed(answered.ret, answered.msg, answered.text);
    const isAnswered = this.#respondWith(fault, request, response, sealed);
    if (examined.ret !== retCodes.success) return;
    for (const listener of [...this.#listeners]) {
      listener({ name, asked: examined.asked, fault, exchange, isAnswered });
    }
  }

  async #respondWith(
    fault: AnswerFault | null,
    request: IncomingMessage,
    response: ServerResponse,
    sealed: string,
  ): Promise<boolean> {
    switch (fault) {
      case 'http-500':
        response.writeHead(500).end('bench');
        return false;
      case 'silence':
        request.socket.destroy();
        return false;
      case 'cut-in-answer':
        response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(sealed) });
        response.write(sealed.slice(0, sealed.length / 2), () => request.socket.destroy());
        return false;
      case 'slow':
        await pause(slowAnswerMs / this.#settings.hurry, undefined, { ref: false });
        break;
      case 'busy':
      case null:
        break;
    }
    if (response.destroyed) return false;
    this.#respond(response, sealed);
    return fault !== 'busy';
  }

  #respond(response: ServerResponse, sealed: string): void {
    response.writeHead(200, { 'content-type': contentType }).end(sealed);
  }

  #sealed(ret: RetCode, msg: string, text: string | null): string {
    const { ourKeys: keys, profile, operatorId } = this.#settings;
    return sealAnswer({ keys, ret, msg, profile, operatorId }, text);
  }

  #answer(name: InterfaceName, asked: unknown): { ret: RetCode; msg: string; text: string | null } {
    if (name === 'query_token') {
      const text = writeMessage(name, 'answer', this.#giveToken(asked as never), this.#settings.profile);
      return { ret: retCodes.success, msg: '', text };
    }
    const answer = this.#answers[name] as ((asked: unknown) => object) | undefined;
    if (answer === undefined) return { ret: retCodes.parameters, msg: 'operator', text: null };
    const given = answer(asked);
    if ('refusal' in given) {
      const { refusal, msg } = given as { refusal: RetCode; msg: string };
      return { ret: refusal, msg, text: null };
    }
    return {
      ret: retCodes.success,
      msg: '',
      text: writeMessage(name, 'answer', given as never, this.#settings.profile),
    };
  }

  #giveToken(asked: Message<'query_token', 'request'>): Message<'query_token', 'answer'> {
    const { theirOperatorId, ourKeys, tokenSeconds } = this.#settings;
    const refused = (FailReason: number) => ({ OperatorID: asked.OperatorID, SuccStat: 1, FailReason });
    if (asked.OperatorID !== theirOperatorId) return refused(1);
    if (asked.OperatorSecret !== ourKeys.operatorSecret) return refused(2);
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, instant(this.#now() + tokenSeconds * secondMs));
    for (const oldest of this.#tokens.keys()) if (this.#tokens.size > tokensMax) this.#tokens.delete(oldest);
    return {
      OperatorID: theirOperatorId,
      SuccStat: 0,
      AccessToken: token,
      TokenAvailableTime: tokenSeconds,
      FailReason: 0,
    };
  }

  #examine(name: InterfaceName, body: string | null, authorization: string | undefined, at: Instant): Examined {
    const { theirOperatorId, ourKeys, profile } = this.#settings;
    const passed: { [Check in RequestCheck]?: boolean } = {};
    const known: { envelope: RequestEnvelope | null; text: string; asked: unknown; msg: string } = {
      envelope: null,
      text: '',
      asked: null,
      msg: '',
    };
    const checks: Readonly<Record<RequestCheck, () => boolean>> = {
      size: () => body !== null,
      envelope: () => {
        const read = readRequestEnvelope(body ?? '');
        if (read.ok) known.envelope = read.value;
        else known.msg = 'field' in read.error ? read.error.field : read.error.because;
        return read.ok;
      },
      operator: () => known.envelope?.operatorId === theirOperatorId,
      signature: () => known.envelope !== null && verifyRequest(known.envelope, ourKeys, profile),
      token: () => (this.#tokens.get(tokenIn(authorization) ?? '') ?? 0) > at,
      time: () => known.envelope !== null && isInTimeWindow(requestAt(known.envelope), at, profile),
      replay: () => known.envelope !== null && this.#isNew(known.envelope, at),
      content: () => {
        const opened = openData(known.envelope?.data ?? '', ourKeys);
        if (opened.ok) known.text = opened.value;
        else known.msg = opened.error.because;
        return opened.ok;
      },
      fields: () => {
        const read = readBody(name, 'request', known.text, profile);
        if (read.ok) known.asked = read.value;
        else known.msg = `${read.error.path} ${read.error.because}`.trim();
        return read.ok;
      },
    };
    for (;;) {
      const decision = decideRequest(name, passed);
      if (decision.kind === 'handle') return { ret: retCodes.success, ...known };
      if (decision.kind === 'refuse') return { ...known, ret: decision.ret, msg: known.msg || decision.check };
      passed[decision.check] = checks[decision.check]();
    }
  }

  #isNew(envelope: RequestEnvelope, at: Instant): boolean {
    // They are in the order in which they end.
    for (const [oldest, until] of this.#replayed) {
      if (until > at && this.#replayed.size < envelopesMax) break;
      this.#replayed.delete(oldest);
    }
    const key = replayKey(envelope);
    if (this.#replayed.has(key)) return false;
    this.#replayed.set(key, instant(at + replayMemoryMs(this.#settings.profile)));
    return true;
  }
}

type Examined = { ret: RetCode; msg: string; text: string; asked: unknown };

const contentType = 'application/json; charset=utf-8';

function tokenIn(authorization: string | undefined): string | null {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Null for what is longer than an envelope may be; the rest of it is read away. */
async function readBounded(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= envelopeCharsMax) chunks.push(chunk);
  }
  return bytes > envelopeCharsMax ? null : Buffer.concat(chunks).toString('utf8');
}
