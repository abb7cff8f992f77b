import type { KeyObject } from 'node:crypto';
import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import type { CallKind, CallLog } from '../call-log.ts';
import type { WechatSettings } from '../channel-settings.ts';
import { exchange } from '../exchange.ts';
import { type Asked, notificationAgeMaxMs } from '../payment-channel.ts';
import { WechatCertificates } from './wechat-certificates.ts';
import { type WechatKeys, wechatRules } from './wechat-keys.ts';

export const wechatLimits = {
  answerMs: 10 * secondMs,
  billMs: minuteMs,
  answerBytes: 1024 * 1024,
  billBytes: 64 * 1024 * 1024,
} as const;

const wechatAddress = 'https://api.mch.weixin.qq.com';

export type WechatParts = { settings: WechatSettings; keys: WechatKeys; calls: CallLog; now(): Instant };

type Request<Answer> = {
  kind: CallKind;
  number: string | null;
  method: 'GET' | 'POST';
  /** With its query; a whole address for bills. */
  path: string;
  body?: object;
  /** The answer of a success; null where it is not what is documented. */
  read(answer: unknown, raw: Buffer): Answer | null;
  /** What a refusal means where it is an answer. */
  refusals?: Readonly<Record<string, Answer>>;
  /** Bills are not signed; their hash is. */
  isUnsigned?: true;
};

export type VerifyFault = 'bad_signature' | 'unknown_serial' | 'stale' | 'no_keys' | 'unreadable';

export type WechatClient = {
  address: string;
  ask<Answer>(request: Request<Answer>): Promise<Asked<Answer>>;
  /** Null for a text that WeChat Pay has signed a moment ago. */
  verify(header: (name: string) => string | null, body: string, at: Instant): Promise<VerifyFault | null>;
};

const headerNames = {
  timestamp: 'wechatpay-timestamp',
  nonce: 'wechatpay-nonce',
  signature: 'wechatpay-signature',
  serial: 'wechatpay-serial',
} as const;

/** Signs requests and verifies answers of WeChat Pay's API v3, and writes both down. */
export function createWechatClient({ settings, keys, calls, now }: WechatParts): WechatClient {
  const address = (settings.baseUrl ?? wechatAddress).replace(/\/$/, '');

  const send = (method: 'GET' | 'POST', url: URL, body: string, limits: { timeoutMs: number; bytesMax: number }) => {
    const { Formatter, Rsa } = wechatRules();
    const timestamp = Math.floor(now() / secondMs);
    const nonce = Formatter.nonce();
    const signed = Formatter.request(method, `${url.pathname}${url.search}`, String(timestamp), nonce, body);
    return exchange({
      method,
      url: url.href,
      headers: {
        accept: 'application/json',
        'user-agent': 'voltdeck',
        authorization: Formatter.authorization(
          settings.mchId,
          nonce,
          Rsa.sign(signed, keys.privateKey),
          String(timestamp),
          settings.certSerial,
        ),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        // Says which key the answer is to be signed with, during a change from certificates to the public key.
        ...(keys.publicKey === null ? {} : { 'wechatpay-serial': keys.publicKey.id }),
      },
      ...(method === 'POST' ? { body } : {}),
      ...limits,
    });
  };

  const answerLimits = { timeoutMs: wechatLimits.answerMs, bytesMax: wechatLimits.answerBytes };

  const certificates = new WechatCertificates(async () => {
    const at = now();
    const beganAt = performance.now();
    const got = await send('GET', new URL('/v3/certificates', address), '', answerLimits);
    const isGot = got.status === 200;
    await calls('wechat', {
      at,
      kind: 'fetch_keys',
      number: null,
      request: { method: 'GET', path: '/v3/certificates' },
      response: got.status === null ? null : jsonOf(got.body.toString('utf8')),
      status: got.status,
      outcome: isGot ? 'answered' : 'unknown',
      problem: got.status === null ? `${got.fault}: ${got.detail}` : isGot ? null : `status ${got.status}`,
      tookMs: performance.now() - beganAt,
    });
    if (got.status !== 200) return null;
    const body = got.body.toString('utf8');
    return {
      body,
      verifiedBy(fetched) {
        const key = fetched.get(got.headers.get(headerNames.serial) ?? '');
        return key !== undefined && isSigned((name) => got.headers.get(name), body, key);
      },
    };
  }, settings.apiV3Key);

  const keyOf = async (serial: string, at: Instant): Promise<KeyObject | 'unknown' | 'unavailable'> => {
    if (keys.publicKey?.id === serial) return keys.publicKey.key;
    // Numbers of public keys have a prefix; an unknown one is nobody's certificate.
    return serial.startsWith('PUB_KEY_ID_') ? 'unknown' : certificates.keyOf(serial, at);
  };

  const verify: WechatClient['verify'] = async (header, body, at) => {
    const timestamp = header(headerNames.timestamp) ?? '';
    const serial = header(headerNames.serial) ?? '';
    if (!/^\d{1,12}$/.test(timestamp) || serial === '' || !header(headerNames.nonce)) return 'unreadable';
    const key = await keyOf(serial, at);
    if (key === 'unknown') return 'unknown_serial';
    if (key === 'unavailable') return 'no_keys';
    if (!isSigned(header, body, key)) return 'bad_signature';
    return Math.abs(at - Number(timestamp) * secondMs) > notificationAgeMaxMs ? 'stale' : null;
  };

  const ask: WechatClient['ask'] = async (request) => {
    const { kind, number, method, path, body, isUnsigned } = request;
    const url = new URL(path, address);
    const text = body === undefined ? '' : JSON.stringify(body);
    const at = now();
    const beganAt = performance.now();
    const limits = isUnsigned ? { timeoutMs: wechatLimits.billMs, bytesMax: wechatLimits.billBytes } : answerLimits;
    const got = await send(method, url, text, limits);
    const answer = got.status === null ? null : got.body.toString('utf8');
    const asked = await readAnswer(request, got, answer, verify, now);
    await calls('wechat', {
      at,
      kind,
      number,
      request: { method, path: `${url.pathname}${url.search}`, ...(body === undefined ? {} : { body }) },
      response:
        answer === null ? null : isUnsigned ? `${got.status === null ? 0 : got.body.length} bytes` : jsonOf(answer),
      status: got.status,
      outcome: asked.outcome,
      problem: asked.outcome === 'unknown' ? asked.because : asked.outcome === 'refused' ? asked.refusal.code : null,
      tookMs: performance.now() - beganAt,
    });
    return asked;
  };

  return { address, ask, verify };
}

async function readAnswer<Answer>(
  { read, refusals = {}, isUnsigned }: Request<Answer>,
  got: Awaited<ReturnType<typeof exchange>>,
  text: string | null,
  verify: WechatClient['verify'],
  now: () => Instant,
): Promise<Asked<Answer>> {
  if (got.status === null || text === null) {
    return { outcome: 'unknown', because: got.status === null ? `${got.fault}: ${got.detail}` : 'no answer' };
  }
  const { status, headers } = got;
  const isSuccess = status >= 200 && status < 300;
  // Errors of a gateway in front are not signed. What is signed must be signed well, and a success always is.
  if (isUnsigned === undefined && (isSuccess || headers.has(headerNames.signature))) {
    const fault = await verify((name) => headers.get(name), text, now());
    if (fault !== null) return { outcome: 'unknown', because: `the answer is not believed: ${fault}` };
  }
  if (isSuccess) {
    const answer = read(text === '' || isUnsigned ? null : jsonOf(text), got.body);
    return answer === null
      ? { outcome: 'unknown', because: 'the answer is unreadable' }
      : { outcome: 'answered', answer };
  }
  const { code, message } = errorOf(text);
  // Too many questions, or WeChat Pay's own trouble: the request may have been carried out.
  if (status < 400 || status === 429 || status >= 500)
    return { outcome: 'unknown', because: `status ${status} ${code}` };
  const meaning = refusals[code];
  if (meaning !== undefined) return { outcome: 'answered', answer: meaning };
  return { outcome: 'refused', refusal: { code: code === '' ? `status ${status}` : code, text: message } };
}

function isSigned(header: (name: string) => string | null, body: string, key: KeyObject): boolean {
  const { Formatter, Rsa } = wechatRules();
  const signed = Formatter.response(header(headerNames.timestamp) ?? '', header(headerNames.nonce) ?? '', body);
  return Rsa.verify(signed, header(headerNames.signature) ?? '', key);
}

/** What the text says as JSON, or the text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function errorOf(text: string): { code: string; message: string } {
  const error = jsonOf(text);
  const given = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof given.code === 'string' ? given.code : '',
    message: typeof given.message === 'string' ? given.message : '',
  };
}
