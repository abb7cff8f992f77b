import type { AnswerOf, ParamsOf, QueryOf, Route } from '@voltdeck/contract/route';
import type * as z from 'zod/mini';
import { addressOf } from './address.ts';
import { untilPageEnd } from './page-end.ts';
import { inSession, reactTo } from './reactions.ts';
import { Unreachable } from './refused.ts';
import { fetchOnce, send, verdictOf } from './send.ts';

type Schema = z.ZodMiniType;
export type AnyRoute = Route<Schema, Schema, Schema, Schema>;

/** A body as a form gives it: fields with a default may be left out. */
export type BodyInputOf<R> = R extends Route<Schema, Schema, infer B, Schema> ? z.input<B> : never;

type Absent<T> = [T] extends [undefined] ? true : false;

/** What a call of `R` needs: only what the route declares, every part of the query optional. */
export type CallInput<R> = (Absent<ParamsOf<R>> extends true ? { params?: undefined } : { params: ParamsOf<R> }) &
  (Absent<QueryOf<R>> extends true ? { query?: undefined } : { query?: Partial<QueryOf<R>> }) &
  (Absent<BodyInputOf<R>> extends true ? { body?: undefined } : { body: BodyInputOf<R> }) & {
    /** One is made for routes that take one; give your own to repeat the same act from another call. */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** The page shows the refusal itself, where it belongs: no toast. */
    quiet?: boolean;
  };

/** Whether a call may be made with nothing to say. */
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
 * Asks the server and gives the answer's data. What the specification wants shown (toast, sign-in dialog) is shown
 * here, so that a caller only handles what it does differently.
 * @throws Refused when the server said no; Unreachable when no answer came.
 */
export async function call<R extends AnyRoute>(route: R, ...[given]: CallArguments<R>): Promise<AnswerOf<R>> {
  const input = (given ?? {}) as LooseInput;
  const key = input.idempotencyKey ?? (route.idempotency !== undefined ? crypto.randomUUID() : undefined);
  const request = {
    method: route.method,
    address: addressOf(route.path, input.params, input.query),
    ...(input.body === undefined
      ? {}
      : route.bodyKind === 'form'
        ? { form: formOf(input.body) }
        : { json: input.body }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  };
  const verdict = await inSession(() => send(request), route.method !== 'GET');
  if (verdict.kind === 'accepted') return verdict.data as AnswerOf<R>;
  if (verdict.kind !== 'session-lost') reactTo(verdict, input.quiet ?? false);
  throw verdict.refused;
}

/** A file route: gives the bytes and the name that the server suggests. @throws Refused, Unreachable */
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
  let answered: Response | null = null;
  const verdict = await inSession(async () => {
    const response = await fetchOnce(request);
    if (!response.ok || response.headers.get('content-type')?.startsWith('application/json')) {
      return verdictOf(response, input.signal);
    }
    answered = response;
    return { kind: 'accepted', data: null };
  }, true);
  if (verdict.kind !== 'accepted') {
    if (verdict.kind !== 'session-lost') reactTo(verdict, input.quiet ?? false);
    throw verdict.refused;
  }
  const response = answered as Response | null;
  if (response === null) throw new Unreachable(false);
  return {
    file: await untilPageEnd(() => response.blob()),
    name: fileNameIn(response.headers.get('content-disposition')) ?? 'export.xlsx',
  };
}

/** RFC 6266: filename* (RFC 8187) before filename. */
export function fileNameIn(disposition: string | null): string | null {
  if (disposition === null) return null;
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
}
