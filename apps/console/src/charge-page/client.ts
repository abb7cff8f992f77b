import type { Envelope } from '@voltdeck/contract/envelope';
import type { AnswerOf, BodyOf, Route } from '@voltdeck/contract/route';
import { kept, keptInTab } from './kept.ts';
import { language } from './words.ts';

/** What a call came to. `network` has no answer: the call may have taken effect. */
export type Told<Data> = { ok: true; data: Data } | { ok: false; error: string; message: string; hasFields: boolean };

const answerLimitMs = 40_000;
const tokenKey = 'charge-token';

export const session = {
  get token(): string | null {
    return kept.get(tokenKey);
  },
  keep(token: string): void {
    kept.set(tokenKey, token);
  },
  forget(): void {
    kept.drop(tokenKey);
  },
};

type Asked = { method: 'GET' | 'POST' | 'DELETE'; body?: unknown; key?: string };

/** Calls the customers' own API; the type of the answer is that of the route in the contract. */
export async function call<R extends Route>(path: string, { method, body, key }: Asked): Promise<Told<AnswerOf<R>>> {
  const headers: Record<string, string> = { language };
  const { token } = session;
  if (token !== null) headers.token = token;
  if (key !== undefined) headers['idempotency-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(answerLimitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { message, data } = (await response.json()) as Envelope<AnswerOf<R>>;
    if (message.code === 0) return { ok: true, data };
    if (response.status === 401 || message.error === 'my.disabled') session.forget();
    const [field] = message.fields ?? [];
    const hasFields = field !== undefined;
    return { ok: false, error: message.error ?? '', message: field?.message ?? message.message, hasFields };
  } catch {
    return { ok: false, error: 'network', message: '', hasFields: false };
  }
}

/** The body of a route, checked where it is written. */
export const bodyOf = <R extends Route>(body: BodyOf<R>): BodyOf<R> => body;

/**
 * Hears the stream of the customer's charges until it ends or the signal aborts. `EventSource` could not send the
 * token.
 */
export async function hear(signal: AbortSignal, onEvent: () => void): Promise<void> {
  const { token } = session;
  if (token === null) return;
  try {
    const response = await fetch('/api/my/events', { headers: { token }, signal });
    if (!response.ok || response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (piece.value.includes('data:')) onEvent();
    }
  } catch {
    // A lost stream is opened again by whoever hears it.
  }
}

const keyName = (act: string) => `charge-key:${act}`;

/** The key of an act until its answer came, also over a reload, so that no retry takes effect twice. */
export function keyOf(act: string): string {
  const known = keptInTab.get(keyName(act));
  if (known !== null) return known;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  keptInTab.set(keyName(act), key);
  return key;
}

export function dropKey(act: string): void {
  keptInTab.drop(keyName(act));
}
