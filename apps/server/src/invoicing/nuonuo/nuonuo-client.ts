import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import * as z from 'zod/mini';
import { type Exchanged, exchange } from '../../channels/exchange.ts';
import type { InvoiceCall, InvoiceCallLog } from '../call-log.ts';
import type { NuonuoSettings } from '../invoicing-settings.ts';

/** Nuonuo's open platform, https://open.nuonuo.com: the address of its calls and that of its tokens. */
const addresses = {
  services: 'https://sdk.nuonuo.com/open/v1/services',
  tokens: 'https://open.nuonuo.com/accessToken',
} as const;

const timeoutMs = 30 * secondMs;
const answerBytesMax = 1024 * 1024;
const documentBytesMax = 20 * 1024 * 1024;
/** A token is renewed this long before its end. */
const tokenMarginMs = 10 * minuteMs;
const done = 'E0000';

export type NuonuoAnswer =
  | { outcome: 'answered'; result: unknown }
  /** Nuonuo has decided: nothing of it was done. */
  | { outcome: 'refused'; code: string; text: string }
  /** It may have been carried out. */
  | { outcome: 'unknown'; detail: string };

/** What a call is about, for the log of calls. */
export type NuonuoSubject = Pick<InvoiceCall, 'kind' | 'number'>;

export type NuonuoClient = {
  /** One call of an interface, for the seller with this tax number. */
  call(subject: NuonuoSubject, method: string, taxNumber: string, content: object): Promise<NuonuoAnswer>;
  /** The bytes behind an address that Nuonuo gave; null where they are not there. */
  fetchDocument(number: string, url: string): Promise<Buffer | null>;
};

const tokenAnswer = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.coerce.number() });
const serviceAnswer = z.object({
  code: z.string(),
  describe: z.optional(z.nullable(z.string())),
  result: z.optional(z.unknown()),
});

export type NuonuoWorld = { now(): Instant; note: InvoiceCallLog };

/**
 * Calls are signed with the appSecret over the body and the query (X-Nuonuo-Sign: Base64 of HMAC-SHA1), and carry a token
 * of one day. Tokens are few – fifty in thirty days – so one is kept until shortly before its end.
 */
export function createNuonuoClient(settings: NuonuoSettings, { now, note }: NuonuoWorld): NuonuoClient {
  const services = settings.baseUrl ?? addresses.services;
  const tokens = settings.tokenUrl ?? addresses.tokens;
  let token: { text: string; until: Instant } | null = null;

  /** Exchanges, and writes down what came of it. */
  const noted = async <Answer>(
    subject: NuonuoSubject & Pick<InvoiceCall, 'requestId' | 'request'>,
    request: Parameters<typeof exchange>[0],
    read: (exchanged: Exchanged) => { answer: Answer } & Pick<InvoiceCall, 'outcome' | 'problem' | 'response'>,
  ): Promise<Answer> => {
    const at = now();
    const beganAt = performance.now();
    const exchanged = await exchange(request);
    const tookMs = performance.now() - beganAt;
    const { answer, ...said } = read(exchanged);
    await note('nuonuo', { at, ...subject, ...said, status: exchanged.status, tookMs });
    return answer;
  };

  const tokenOf = async (): Promise<string | { detail: string }> => {
    const at = now();
    if (token !== null && at < token.until) return token.text;
    const grant = { grant_type: 'client_credentials' };
    const given = await noted<z.output<typeof tokenAnswer> | { detail: string }>(
      { kind: 'token', number: null, requestId: null, request: grant },
      {
        method: 'POST',
        url: tokens,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: settings.appKey,
          client_secret: settings.appSecret,
          ...grant,
        }).toString(),
        timeoutMs,
        bytesMax: answerBytesMax,
      },
      (exchanged) => {
        const unknown = (detail: string) =>
          ({ answer: { detail }, outcome: 'unknown', problem: detail, response: null }) as const;
        if (exchanged.status === null) return unknown(`token: ${exchanged.fault} ${exchanged.detail}`);
        const read = z.safeParse(tokenAnswer, jsonOf(exchanged.body));
        if (!read.success) return unknown(`token: status ${exchanged.status} without a token`);
        const { expires_in } = read.data;
        return { answer: read.data, outcome: 'answered', problem: null, response: { expires_in } };
      },
    );
    if ('detail' in given) return given;
    const lifetimeMs = given.expires_in * secondMs;
    token = { text: given.access_token, until: instant(at + Math.max(0, lifetimeMs - tokenMarginMs)) };
    return token.text;
  };

  return {
    async call(subject, method, taxNumber, content) {
      const held = await tokenOf();
      if (typeof held !== 'string') return { outcome: 'unknown', detail: held.detail };
      const body = JSON.stringify(content);
      const query = {
        senid: randomBytes(16).toString('hex'),
        nonce: String(randomInt(10_000_000, 100_000_000)),
        timestamp: String(Math.floor(now() / secondMs)),
        appkey: settings.appKey,
      };
      return noted(
        { ...subject, requestId: query.senid, request: { method, content } },
        {
          method: 'POST',
          url: `${services}?${new URLSearchParams(query)}`,
          headers: {
            'content-type': 'application/json',
            'X-Nuonuo-Sign': signOf(settings.appSecret, query, body),
            accessToken: held,
            userTax: taxNumber,
            method,
          },
          body,
          timeoutMs,
          bytesMax: answerBytesMax,
        },
        (exchanged) => {
          const response = exchanged.status === null ? null : jsonOf(exchanged.body);
          const answer = answerOf(method, exchanged, response);
          // Codes of the gateway say nothing of the invoice; the token may be used up.
          if (answer.outcome === 'unknown' && z.safeParse(serviceAnswer, response).success) token = null;
          const problem =
            answer.outcome === 'answered' ? null : answer.outcome === 'refused' ? answer.text : answer.detail;
          return { answer, outcome: answer.outcome, problem, response };
        },
      );
    },
    async fetchDocument(number, url) {
      if (!/^https?:\/\//.test(url)) return null;
      return noted(
        { kind: 'document', number, requestId: null, request: { url } },
        { method: 'GET', url, headers: {}, timeoutMs, bytesMax: documentBytesMax },
        (exchanged) => {
          const bytes = exchanged.status === null ? null : exchanged.body;
          const isDocument = exchanged.status === 200 && bytes?.subarray(0, 5).toString('latin1') === '%PDF-';
          const problem =
            exchanged.status === null
              ? `${exchanged.fault} ${exchanged.detail}`
              : `status ${exchanged.status} without a document`;
          return {
            answer: isDocument ? bytes : null,
            outcome: isDocument ? 'answered' : 'unknown',
            problem: isDocument ? null : problem,
            response: bytes === null ? null : { bytes: bytes.length },
          };
        },
      );
    },
  };
}

/** What an answer means; codes that do not begin with E are the gateway's. */
function answerOf(method: string, exchanged: Exchanged, response: unknown): NuonuoAnswer {
  if (exchanged.status === null) {
    return { outcome: 'unknown', detail: `${method}: ${exchanged.fault} ${exchanged.detail}` };
  }
  const said = z.safeParse(serviceAnswer, response);
  if (!said.success) {
    return { outcome: 'unknown', detail: `${method}: status ${exchanged.status} without an answer` };
  }
  const { code, describe, result } = said.data;
  if (code === done) return { outcome: 'answered', result };
  if (/^E\d/.test(code)) return { outcome: 'refused', code, text: `${code} ${describe ?? ''}`.trim() };
  return { outcome: 'unknown', detail: `${method}: ${code} ${describe ?? ''}` };
}

/** The parts of the path /open/v1/services come first, backwards and under names of their own. */
export function signOf(
  appSecret: string,
  { appkey, senid, nonce, timestamp }: Readonly<Record<'appkey' | 'senid' | 'nonce' | 'timestamp', string>>,
  body: string,
): string {
  const text = `a=services&l=v1&p=open&k=${appkey}&i=${senid}&n=${nonce}&t=${timestamp}&f=${body}`;
  return createHmac('sha1', appSecret).update(text).digest('base64');
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
