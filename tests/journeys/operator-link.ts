import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { Dice } from './dice.ts';
import { type OperatorKeys, openAnswer, openRequest, sealAnswer, sealRequest } from './operator-envelope.ts';

/** Both directions of an operator's link to the platform. */

const failures = ['cut before', 'busy', 'cut after', 'half an answer', 'gateway'] as const;
type Failure = (typeof failures)[number];
const failureShare = 0.5;
/** Answers that take their time, in which either side may die. */
const slowShare = 0.3;
const slowMsMax = 600;
const callLimitMs = 20_000;

/** What an operator's process is given: its address, its book, and the keys with which it is called and calls. */
export type OperatorSettings = {
  operatorId: string;
  port: number;
  bookPath: string;
  inbound: OperatorKeys;
  outbound: OperatorKeys;
  platformUrl: string;
  seed: number;
  /** Whether its link fails no more. */
  isSound: boolean;
};

export function settingsOfProcess(): OperatorSettings {
  return JSON.parse(process.argv[2] ?? '') as OperatorSettings;
}

/** The answer to a request; a number is the Ret of a refusal. */
type AnswerOf = (name: string, asked: Record<string, unknown>) => object | number;

/**
 * Serves an operator's interfaces over a link that is slow, and fails before, during and after its answers. Tokens
 * end with the process.
 */
export function serveOperator({ port, outbound, isSound }: OperatorSettings, chance: Dice, answerOf: AnswerOf): void {
  const tokens = new Set<string>();
  const giveToken = (asked: Record<string, unknown>) => {
    const token = randomUUID();
    tokens.add(token);
    return { OperatorID: asked.OperatorID, SuccStat: 0, AccessToken: token, TokenAvailableTime: 7_200, FailReason: 0 };
  };
  const send = (text: string, failure: Failure | null, response: ServerResponse): void => {
    if (failure === 'cut after') return void response.socket?.destroy();
    if (failure === 'gateway') return void response.writeHead(502).end('Bad Gateway');
    if (failure !== 'half an answer') return void response.end(text);
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
  };
  const answer = (name: string, token: string, body: string, response: ServerResponse): void => {
    const asked = openRequest(body, outbound);
    if (asked === null) return void response.end(sealAnswer(outbound, 4001, null));
    if (name === 'query_token') return void response.end(sealAnswer(outbound, 0, giveToken(asked)));
    if (!tokens.has(token)) return void response.end(sealAnswer(outbound, 4002, null));
    const failure = !isSound && chance.next() < failureShare ? chance.pick(failures) : null;
    if (failure === 'cut before') return void response.socket?.destroy();
    if (failure === 'busy') return void response.end(sealAnswer(outbound, -1, null));
    const said = answerOf(name, asked);
    const text = typeof said === 'number' ? sealAnswer(outbound, said, null) : sealAnswer(outbound, 0, said);
    const isSlow = !isSound && chance.next() < slowShare;
    setTimeout(() => send(text, failure, response), isSlow ? chance.whole(1, slowMsMax) : 0);
  };
  createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const name = (request.url ?? '').split('/').at(-1) ?? '';
      answer(name, (request.headers.authorization ?? '').replace(/^Bearer /, ''), body, response);
    });
  }).listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
}

export type OperatorAnswer = { ret: number; message: Record<string, unknown> | null };

/** A call to the platform; null where no answer came. `times` is how often the network delivers its envelope. */
export type CallPlatform = (
  platformUrl: string,
  name: string,
  message: object,
  how?: { times?: number; limitMs?: number },
) => Promise<OperatorAnswer | null>;

export function callerOf({ operatorId, inbound }: Pick<OperatorSettings, 'operatorId' | 'inbound'>): CallPlatform {
  let token: string | null = null;
  const send = async (url: string, body: string, limitMs: number): Promise<OperatorAnswer | null> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
        body,
        signal: AbortSignal.timeout(limitMs),
      });
      return openAnswer(await response.text(), inbound);
    } catch (error) {
      // A dead server is no answer; one that is not signed is a fault of ours.
      if (error instanceof Error && error.message.startsWith('not signed')) throw error;
      return null;
    }
  };
  return async (platformUrl, name, message, { times = 1, limitMs = callLimitMs } = {}) => {
    const urlOf = (interfaceName: string) => `${platformUrl}/evcs/v1/${interfaceName}`;
    if (token === null) {
      const asked = { OperatorID: operatorId, OperatorSecret: inbound.operatorSecret };
      const got = await send(urlOf('query_token'), sealRequest(operatorId, inbound, asked), callLimitMs);
      if (typeof got?.message?.AccessToken !== 'string') return null;
      token = got.message.AccessToken;
    }
    const body = sealRequest(operatorId, inbound, message);
    const answers = await Promise.all(Array.from({ length: times }, () => send(urlOf(name), body, limitMs)));
    // Of an envelope that the network doubled, one is carried out and the others are refused as replays.
    return answers.find((answer) => answer !== null && answer.ret === 0) ?? answers.find((answer) => answer) ?? null;
  };
}
