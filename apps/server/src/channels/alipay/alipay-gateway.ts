import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { z } from 'zod';
import type { CallKind, CallLog } from '../call-log.ts';
import type { AlipaySettings } from '../channel-settings.ts';
import { type Exchanged, exchange } from '../exchange.ts';
import type { Asked } from '../payment-channel.ts';
import { type AlipayClient, answerName } from './alipay-client.ts';

export const alipayLimits = {
  answerMs: 10 * secondMs,
  billMs: minuteMs,
  answerBytes: 1024 * 1024,
  billBytes: 64 * 1024 * 1024,
} as const;

const alipayAddress = 'https://openapi.alipay.com/gateway.do';

export type AlipayParts = { settings: AlipaySettings; client: AlipayClient; calls: CallLog; now(): Instant };

type Call<Answer> = {
  kind: CallKind;
  number: string | null;
  method: `alipay.${string}`;
  content: object;
  notifyUrl?: string;
  /** Null where it is not what is documented. */
  read(answer: unknown): Answer | null;
  /** What a refusal means where it is an answer, by its `sub_code`. */
  refusals?: Readonly<Record<string, Answer>>;
};

export type AlipayGateway = {
  address: string;
  ask<Answer>(call: Call<Answer>): Promise<Asked<Answer>>;
  /** A file at an address that an answer named. */
  download<Answer>(url: string, read: (bytes: Buffer) => Promise<Answer | null>): Promise<Asked<Answer>>;
};

const result = z.looseObject({
  code: z.string(),
  msg: z.string().optional(),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
});

/** Alipay says with these that it may have done what it was asked, or may do it when it is asked again. */
const isOpen = (code: string, subCode: string) =>
  code === '20000' || /SYSTEM_ERROR|unknow-error|TIMEOUT|REQUEST_PROCESSING|RESOURCE_LIMIT_EXCEED/i.test(subCode);

/** Signs calls of Alipay's gateway and verifies answers, and writes both down. */
export function createAlipayGateway({ settings, client, calls, now }: AlipayParts): AlipayGateway {
  const address = settings.baseUrl ?? alipayAddress;

  const record = async (
    call: { kind: CallKind; number: string | null; request: unknown; response: unknown },
    asked: Asked<unknown>,
    { at, beganAt, status }: { at: Instant; beganAt: number; status: number | null },
  ) =>
    calls('alipay', {
      ...call,
      at,
      status,
      outcome: asked.outcome,
      problem: asked.outcome === 'unknown' ? asked.because : asked.outcome === 'refused' ? asked.refusal.code : null,
      tookMs: performance.now() - beganAt,
    });

  return {
    address,
    async ask(call) {
      const { kind, number, method, content, notifyUrl } = call;
      const at = now();
      const beganAt = performance.now();
      const got = await exchange({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', 'user-agent': 'voltdeck' },
        body: client.sign(method, content, { at, ...(notifyUrl === undefined ? {} : { notifyUrl }) }),
        timeoutMs: alipayLimits.answerMs,
        bytesMax: alipayLimits.answerBytes,
      });
      const text = got.status === null ? null : got.body.toString('utf8');
      const asked = readExchange(client, call, got);
      const request = { method, content, ...(notifyUrl === undefined ? {} : { notifyUrl }) };
      await record({ kind, number, request, response: text === null ? null : jsonOf(text) }, asked, {
        at,
        beganAt,
        status: got.status,
      });
      return asked;
    },
    async download(url, read) {
      const at = now();
      const beganAt = performance.now();
      const got = await exchange({
        method: 'GET',
        url,
        headers: { 'user-agent': 'voltdeck' },
        timeoutMs: alipayLimits.billMs,
        bytesMax: alipayLimits.billBytes,
      });
      const answer = got.status === 200 ? await read(got.body) : null;
      const because =
        got.status === null
          ? `${got.fault}: ${got.detail}`
          : got.status === 200
            ? 'the bill is unreadable'
            : `status ${got.status}`;
      const asked =
        answer === null ? { outcome: 'unknown' as const, because } : { outcome: 'answered' as const, answer };
      const { origin, pathname } = new URL(url);
      const response = got.status === null ? null : `${got.body.length} bytes`;
      // The query is a password for the file.
      await record({ kind: 'download_bill', number: null, request: { url: `${origin}${pathname}` }, response }, asked, {
        at,
        beganAt,
        status: got.status,
      });
      return asked;
    },
  };
}

function readExchange<Answer>(client: AlipayClient, call: Call<Answer>, got: Exchanged): Asked<Answer> {
  if (got.status === null) return { outcome: 'unknown', because: `${got.fault}: ${got.detail}` };
  if (got.status !== 200) return { outcome: 'unknown', because: `status ${got.status}` };
  return readAnswer(client, call, got.body.toString('utf8'));
}

function readAnswer<Answer>(
  client: AlipayClient,
  { method, read, refusals = {} }: Call<Answer>,
  text: string,
): Asked<Answer> {
  const whole = jsonOf(text);
  const given = (typeof whole === 'object' && whole !== null ? whole : {}) as Readonly<Record<string, unknown>>;
  const { sign } = given;
  const parsed = result.safeParse(given[answerName(method)] ?? given.error_response);
  if (!parsed.success) return { outcome: 'unknown', because: 'the answer is unreadable' };
  const { code, msg = '', sub_code = '', sub_msg = '' } = parsed.data;
  const isSuccess = code === '10000';
  // Refusals at the door are not signed. What is signed must be signed well, and a success always is.
  if ((isSuccess || typeof sign === 'string') && !client.isAnswerSigned(text, method, String(sign))) {
    return { outcome: 'unknown', because: 'the answer is not believed: bad_signature' };
  }
  if (isSuccess) {
    const answer = read(parsed.data);
    return answer === null
      ? { outcome: 'unknown', because: 'the answer is unreadable' }
      : { outcome: 'answered', answer };
  }
  if (isOpen(code, sub_code)) return { outcome: 'unknown', because: `${code} ${sub_code}` };
  const meaning = refusals[sub_code];
  if (meaning !== undefined) return { outcome: 'answered', answer: meaning };
  return {
    outcome: 'refused',
    refusal: { code: sub_code === '' ? code : sub_code, text: sub_msg === '' ? msg : sub_msg },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
