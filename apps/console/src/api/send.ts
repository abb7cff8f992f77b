import { idempotencyHeader, languageHeader, tokenHeader } from '@voltdeck/contract/envelope';
import { language } from '../language.ts';
import { callTimeoutMs, waitFor, withRetries } from './attempts.ts';
import { isEnvelope, judge, type Verdict } from './envelope.ts';
import { hasNetwork, whileSilent } from './network.ts';
import { pageEnd, untilPageEnd } from './page-end.ts';
import { Unreachable } from './refused.ts';
import { readToken } from './token.ts';

export type Request = {
  method: string;
  address: string;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The one request that may follow the end of the page: signing out. */
  isLast?: boolean;
};

/** The headers that every request carries (specification section 7). */
export function callerHeaders(): Record<string, string> {
  const token = readToken();
  return { [languageHeader]: language, ...(token === null ? {} : { [tokenHeader]: token }) };
}

/**
 * One request, once; it ends with the page.
 * @throws Unreachable when no answer came, the signal's reason when the caller gave up.
 */
export function fetchOnce(request: Request): Promise<Response> {
  return request.isLast ? fetchBy(request, []) : untilPageEnd(() => fetchBy(request, [pageEnd]));
}

async function fetchBy(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
  const timeout = AbortSignal.timeout(callTimeoutMs);
  const headers = callerHeaders();
  let body: string | undefined;
  if (request.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(request.form).toString();
  } else if (request.json !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(request.json);
  }
  if (request.idempotencyKey !== undefined) headers[idempotencyHeader] = request.idempotencyKey;
  try {
    return await fetch(request.address, {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any([timeout, ...(request.signal === undefined ? [] : [request.signal]), ...ends]),
    });
  } catch (failure) {
    if (request.signal?.aborted) throw failure;
    throw new Unreachable(timeout.aborted, failure);
  }
}

/** Only what the server can recognise as a repetition may be sent twice. */
export function isRepeatable(request: Pick<Request, 'method' | 'idempotencyKey'>): boolean {
  return request.method === 'GET' || request.idempotencyKey !== undefined;
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** Reads the envelope of an answer. @throws Unreachable when it is not one of our server's */
export async function verdictOf(response: Response, signal?: AbortSignal): Promise<Verdict> {
  let answer: unknown;
  try {
    answer = await response.json();
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Unreachable(false, failure);
  }
  // A proxy's error page or a captive portal, not our server.
  if (!isEnvelope(answer)) throw new Unreachable(false);
  return judge(answer, retryAfter(response));
}

/**
 * Sends and reads the envelope, again after a network failure where that is safe. Without a network it fails at once:
 * questions are asked again when it is back, and acts are the person's to repeat.
 * @throws Unreachable
 */
export function send(request: Request): Promise<Verdict> {
  const ask = () =>
    withRetries(
      async () => verdictOf(await fetchOnce(request), request.signal),
      (failure) => failure instanceof Unreachable && isRepeatable(request) && hasNetwork(),
      (ms, signal) => whileSilent(waitFor(ms, signal)),
      request.signal,
    );
  return request.isLast ? ask() : untilPageEnd(ask);
}
