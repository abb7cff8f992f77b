import type { Waits } from '@voltdeck/contract/approvals';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import { type AnswerOf, type ParamsOf, type QueryOf, type Route, takesKey } from '@voltdeck/contract/route';
import type * as z from 'zod/mini';
import { addressOf } from './address.ts';
import { takeEarly } from './early-answers.ts';
import type { Verdict } from './envelope.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { untilPageEnd } from './page-end.ts';
import { inSession, reactTo, showWaiting } from './reactions.ts';
import { Unreachable, Waiting } from './refused.ts';
import { askWithRetries, fetchOnce, send, verdictOf } from './send.ts';
import { underOneKey } from './unanswered-writes.ts';

type Schema = z.ZodMiniType;
export type AnyRoute = Route<Schema, Schema, Schema, Schema>;

/** What an act of `R` answers when it is done. */
export type DoneOf<R> = Exclude<AnswerOf<R>, Waits>;

/** A body as a form provides it: fields with a default may be left out. */
export type BodyInputOf<R> = R extends Route<Schema, Schema, infer B, Schema> ? z.input<B> : never;

type Absent<T> = [T] extends [undefined] ? true : false;

/** The input of a call of `R`: only what the route declares, with every part of the query optional. */
export type CallInput<R> = (Absent<ParamsOf<R>> extends true ? { params?: undefined } : { params: ParamsOf<R> }) &
  (Absent<QueryOf<R>> extends true ? { query?: undefined } : { query?: Partial<QueryOf<R>> }) &
  (Absent<BodyInputOf<R>> extends true ? { body?: undefined } : { body: BodyInputOf<R> }) & {
    /**
     * Generated for every write unless given; pass one to repeat the same act in another call. A write that moves money
     * keeps the key of its first try until the server has decided (`underOneKey`).
     */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** The page shows the refusal itself: no toast. */
    quiet?: boolean;
  };

/** The arguments of a call, which are optional when the route needs no input. */
export type CallArguments<R> =
  Record<never, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

export type LooseInput = {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  quiet?: boolean;
};

function formOf(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) => [name, String(value ?? '')]),
  );
}

/**
 * Calls the server and returns the answer's data. Shows what the specification requires (toast, sign-in dialog), so
 * that callers handle only what they do differently.
 * @throws Refused when the server said no; Unreachable when no answer came; Waiting when an act now waits for a second
 * person, so that nothing says that it is done.
 */
export async function call<R extends AnyRoute>(route: R, ...[given]: CallArguments<R>): Promise<DoneOf<R>> {
  const input = (given ?? {}) as LooseInput;
  const address = addressOf(route.path, input.params, input.query);
  if (route.idempotency === 'required') {
    return underOneKey(route, address, input, (key) => callUnder<R>(route, address, input, key));
  }
  return callUnder<R>(
    route,
    address,
    input,
    takesKey(route) ? (input.idempotencyKey ?? newIdempotencyKey()) : undefined,
  );
}

async function callUnder<R extends AnyRoute>(
  route: R,
  address: string,
  input: LooseInput,
  key: string | undefined,
): Promise<DoneOf<R>> {
  const request = {
    method: route.method,
    address,
    ...(input.body === undefined
      ? {}
      : route.bodyKind === 'form'
        ? { form: formOf(input.body) }
        : { json: input.body }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(route.idempotency === 'none' ? { isHarmless: true } : {}),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  };
  const verdict = await inSession(() => takeEarly(route.method, address) ?? send(request), route.method !== 'GET');
  if (verdict.kind === 'accepted') {
    const { data } = verdict;
    if (!isWaiting(data)) return data as DoneOf<R>;
    showWaiting(data.waitsFor);
    throw new Waiting();
  }
  if (verdict.kind !== 'session-lost') reactTo(verdict, input.quiet ?? false);
  throw verdict.refused;
}

/**
 * Downloads a file: its bytes and the name that the server suggests. Starts over after a network failure.
 * @throws Refused, Unreachable
 */
export async function download<R extends AnyRoute>(
  route: R,
  ...[given]: CallArguments<R>
): Promise<{ file: Blob; name: string }> {
  const input = (given ?? {}) as LooseInput;
  const request = {
    method: route.method,
    address: addressOf(route.path, input.params, input.query),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  };
  let downloaded: { file: Blob; name: string } | null = null;
  const fetchFile = async (): Promise<Verdict> => {
    const response = await fetchOnce(request);
    if (!response.ok || response.headers.get('content-type')?.startsWith('application/json')) {
      return verdictOf(response, input.signal);
    }
    downloaded = {
      file: await bytesOf(response, input.signal),
      name: fileNameIn(response.headers.get('content-disposition')) ?? 'export.xlsx',
    };
    return { kind: 'accepted', data: null };
  };
  const verdict = await inSession(() => untilPageEnd(() => askWithRetries(fetchFile, input.signal)), true);
  if (verdict.kind === 'accepted' && downloaded !== null) return downloaded;
  if (verdict.kind === 'accepted') throw new Unreachable(false);
  if (verdict.kind !== 'session-lost') reactTo(verdict, input.quiet ?? false);
  throw verdict.refused;
}

/** @throws Unreachable when the connection broke. */
async function bytesOf(response: Response, signal: AbortSignal | undefined): Promise<Blob> {
  try {
    return await response.blob();
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Unreachable(false, failure);
  }
}

/** RFC 6266: filename* (RFC 8187) takes precedence over filename. */
export function fileNameIn(disposition: string | null): string | null {
  if (disposition === null) return null;
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
}
