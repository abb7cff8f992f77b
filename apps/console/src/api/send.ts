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
  /** Repeating it is harmless, although the server cannot recognise the repetition. */
  isHarmless?: boolean;
  /** Set only for signing out, the one request that may follow the end of the page. */
  isLast?: boolean;
};

/** The headers of a request: the common ones and the key of a write. */
export function requestHeaders({ idempotencyKey }: Pick<Request, 'idempotencyKey'>): Record<string, string> {
  return { ...callerHeaders(), ...(idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey }) };
}

/** The headers of every request (specification section 7). */
export function callerHeaders(): Record<string, string> {
  const token = readToken();
  return { [languageHeader]: language, ...(token === null ? {} : { [tokenHeader]: token }) };
}

/**
 * Sends a request once; it is aborted at the end of the page.
 * @throws Unreachable when no answer came, the signal's reason when the caller gave up.
 */
export function fetchOnce(request: Request): Promise<Response> {
  return request.isLast ? fetchBy(request, []) : untilPageEnd(() => fetchBy(request, [pageEnd]));
}

async function fetchBy(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
  const timeout = AbortSignal.timeout(callTimeoutMs);
  const headers = requestHeaders(request);
  let body: string | undefined;
  if (request.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(request.form).toString();
  } else if (request.json !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(request.json);
  }
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

/** Only harmless requests, and those that the server can recognise, may be repeated. */
export function isRepeatable({
  method,
  idempotencyKey,
  isHarmless,
}: Pick<Request, 'method' | 'idempotencyKey' | 'isHarmless'>): boolean {
  return method === 'GET' || idempotencyKey !== undefined || isHarmless === true;
}

/** The server is still working on the first attempt of this write; the next attempt fetches its answer. */
class StillAtWork extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super('the first attempt is still at work');
    this.verdict = verdict;
  }
}

/**
 * Retries up to three times, ten seconds apart, while no answer comes. Without a network it fails at once: reads are
 * repeated when the network returns, and acts are for the user to repeat.
 * @throws Unreachable
 */
export async function askWithRetries(ask: () => Promise<Verdict>, signal?: AbortSignal): Promise<Verdict> {
  try {
    return await withRetries(
      async () => {
        const verdict = await ask();
        if (verdict.kind === 'refused' && verdict.refused.code === 'request.in_progress')
          throw new StillAtWork(verdict);
        return verdict;
      },
      (failure) => (failure instanceof Unreachable || failure instanceof StillAtWork) && hasNetwork(),
      (ms, given) => whileSilent(waitFor(ms, given)),
      signal,
    );
  } catch (failure) {
    if (failure instanceof StillAtWork) return failure.verdict;
    throw failure;
  }
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** Reads the envelope of an answer. @throws Unreachable when it is not from our server */
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
 * Sends a request and reads the envelope, retrying after a network failure where that is safe.
 * @throws Unreachable
 */
export function send(request: Request): Promise<Verdict> {
  const once = async () => verdictOf(await fetchOnce(request), request.signal);
  const ask = () => (isRepeatable(request) ? askWithRetries(once, request.signal) : once());
  return request.isLast ? ask() : untilPageEnd(ask);
}
