import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { RoutePermission } from './permissions.ts';

type Schema = z.ZodMiniType;

/**
 * One thing the console (or a script) may ask of the server. The server binds it, the client is derived from it, the
 * API description is generated from it.
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
  /** Who may call it. A route without one does not start the server. */
  permission: RoutePermission;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Form bodies exist for sign-in alone, multipart ones for uploads. */
  bodyKind?: 'json' | 'form' | 'multipart';
  answer: Answer;
  /** Business refusals beyond those that any route may give (errors.ts, `errorsOfAnyRoute`). */
  errors: readonly ErrorCode[];
  /** Answered even while the caller's password is one that somebody else chose. */
  openWithInitialPassword?: boolean;
  /**
   * Whether an Idempotency-Key makes a retry safe: `accepted` where something is made or started, `required` where money
   * moves, so that no retry can pay twice.
   */
  idempotency?: 'accepted' | 'required';
  /**
   * Reads much of the database: always, or when one of these fields of the query is given. Users take turns at it, and
   * who asks for too much at once is refused with 429.
   */
  readsMuch?: 'always' | readonly string[];
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

export type ParamsOf<R> = R extends Route<infer P, Schema, Schema, Schema> ? z.output<P> : never;
export type QueryOf<R> = R extends Route<Schema, infer Q, Schema, Schema> ? z.output<Q> : never;
export type BodyOf<R> = R extends Route<Schema, Schema, infer B, Schema> ? z.output<B> : never;
export type AnswerOf<R> = R extends Route<Schema, Schema, Schema, infer A> ? z.output<A> : never;
