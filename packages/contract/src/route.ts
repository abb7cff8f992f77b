import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { RoutePermission } from './permissions.ts';

type Schema = z.ZodMiniType;

/**
 * One call that the console (or a script) can make. The server binds it, the client is derived from it, and the API
 * description is generated from it.
 */
export type Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api, with {name} for parameters. */
  path: string;
  summary: string;
  /** Who may call it. The server does not start with a route that lacks it. */
  permission: RoutePermission;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Only sign-in has a form body, only uploads are multipart. */
  bodyKind?: 'json' | 'form' | 'multipart';
  answer: Answer;
  /** Business refusals beyond those of any route (errors.ts, `errorsOfAnyRoute`). */
  errors: readonly ErrorCode[];
  /**
   * Where the specification (section 7) puts the token of this call; it is read from there when no header carries one.
   * Every other route reads it from the header alone.
   */
  tokenIn?: 'query' | 'body';
  /** Answered even while the caller's password is one that someone else set. */
  openWithInitialPassword?: boolean;
  /**
   * Every write of a signed-in caller takes an Idempotency-Key, which makes a retry safe (`takesKey`). It is `required`
   * where money moves, so that no retry can pay twice, and `none` where a POST only reads.
   */
  idempotency?: 'required' | 'none';
  /**
   * Reads much of the database: always, or when one of these query fields is given. Users take turns at such reads, and
   * a user who starts too many at once is refused with 429.
   */
  readsMuch?: 'always' | readonly string[];
  /** Is read over several connections to the database at once. Users take turns at such reads, one at a time each. */
  readsWide?: true;
  /** Reads over the connections that searches have for themselves. Users take turns, one at a time each. */
  searches?: true;
  /** The answer is a file or a stream instead of the envelope. */
  answerKind?: 'envelope' | 'file' | 'stream';
};

export function route<
  Params extends Schema = z.ZodMiniUndefined,
  Query extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
  Answer extends Schema = Schema,
>(definition: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  return definition;
}

/** Whether a repeated call with the same Idempotency-Key gets the first answer without taking effect again. */
export function takesKey({ method, permission, idempotency }: Pick<Route, 'method' | 'permission' | 'idempotency'>) {
  return method !== 'GET' && permission !== 'public' && idempotency !== 'none';
}

export type ParamsOf<R> = R extends Route<infer P, Schema, Schema, Schema> ? z.output<P> : never;
export type QueryOf<R> = R extends Route<Schema, infer Q, Schema, Schema> ? z.output<Q> : never;
export type BodyOf<R> = R extends Route<Schema, Schema, infer B, Schema> ? z.output<B> : never;
export type AnswerOf<R> = R extends Route<Schema, Schema, Schema, infer A> ? z.output<A> : never;
