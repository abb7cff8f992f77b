import type { Readable } from 'node:stream';
import { idempotencyHeader, tokenCookie, tokenHeader } from '@voltdeck/contract/envelope';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { fieldFaults } from '@voltdeck/contract/field-faults';
import type { Language } from '@voltdeck/contract/languages';
import type { Permission } from '@voltdeck/contract/permissions';
import {
  type AnswerOf,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  type Route,
  takesKey,
} from '@voltdeck/contract/route';
import type { SessionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result, unreachable } from '@voltdeck/units/result';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Caller } from '../caller/caller.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { CustomerSessions } from '../caller/customer-sessions.ts';
import { reachesAllOf, type WholeReach } from '../caller/scope.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import { type Trx, transact, type Work } from '../database/transact.ts';
import { maskerOf } from '../personal/masker.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import { answerSchema } from './answer-schema.ts';
import type { CustomerTurns } from './customer-turns.ts';
import { goneSignal } from './gone-signal.ts';
import {
  claimKey,
  findEarlierRequest,
  hashRequest,
  type IdempotencyClaim,
  idempotencyKeyLengthMax,
  isPartDone,
  type KeyOwner,
  nameOfOwner,
  storeAnswer,
  storePart,
  storeRecord,
} from './idempotency.ts';
import { createReadTurns } from './read-turns.ts';
import { type Upload, uploadOf } from './read-upload.ts';
import { sendRefusal } from './refusal.ts';
import { remoteAddressOf } from './remote-address.ts';
import { languageOf } from './say.ts';
import { unknownFields } from './unknown-fields.ts';
import { unstorable } from './unstorable.ts';
import { watchDownloads } from './watch-downloads.ts';

type Schema = z.ZodMiniType;
type AnyRoute = Route<Schema, Schema, Schema, Schema>;

/** Where a request came from, for records and for links back. */
export type Origin = { remoteAddress: string; userAgent: string; host: string; secure: boolean };

/** One call of a route: everything validated, the caller allowed. */
export type Call<R> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  caller: Caller;
  /** The session of this call. */
  sessionId: SessionId;
  at: Instant;
  origin: Origin;
  /** The session's own token; null on a public route without one. */
  token: string | null;
  /** One transaction: the idempotency key, the effect and the answer are committed together. */
  transact: Transact;
  parts: Parts;
};

/** What a call that works in several transactions, one of each record, commits with each of them. */
export type Parts = {
  /** This record's part is done: a retry that finds no stored answer is told so by `isDone`. */
  note(trx: Trx, recordId: number): Promise<void>;
  isDone(trx: Trx, recordId: number): Promise<boolean>;
};

export type Transact = <Value>(work: Work<Value>, options?: TransactOptions<Value>) => Promise<Result<Value, ApiError>>;

type TransactOptions<Value> = {
  /**
   * For an answer that is only known after the commit: commits the affected record with the key instead, and the
   * route's `replay` answers a retry that finds no stored answer. Null where the value is the answer after all.
   */
  recordOf?: (value: Value) => number | null;
  /** What a retry is answered, where the value carries more than the answer. */
  answerOf?: (value: Value) => unknown;
};

export type PublicCall<R> = Omit<Call<R>, 'caller' | 'sessionId' | 'transact' | 'parts'> & { language: Language };

/** A call of the customers' own API. */
export type OwnCall<R> = Omit<Call<R>, 'caller' | 'sessionId' | 'token' | 'parts'> & {
  caller: CustomerCaller;
  token: string;
};

/** A file that is produced while it is sent. */
export type FileAnswer = { name: string; contentType: string; content: Readable };

export type Binder = {
  bind<R extends AnyRoute>(
    route: R,
    /** `gone` aborts when whoever asked no longer waits for the answer. */
    handle: (call: Call<R>, gone: AbortSignal) => Promise<Result<AnswerOf<R>, ApiError>>,
    options?: BindOptions<R>,
  ): void;
  bindPublic<R extends AnyRoute>(
    route: R,
    handle: (call: PublicCall<R>) => Promise<Result<AnswerOf<R>, ApiError>>,
    /** Checked first, before the call is validated. */
    admit?: (call: { origin: Origin; at: Instant }) => Result<null, ApiError>,
  ): void;
  /** A route of the customers' own API: only their tokens open it, and their reads take turns of their own. */
  bindOwn<R extends AnyRoute>(
    route: R,
    handle: (call: OwnCall<R>) => Promise<Result<AnswerOf<R>, ApiError>>,
    options?: { replay?: (recordId: number, call: OwnCall<R>) => Promise<Result<AnswerOf<R>, ApiError>> },
  ): void;
  /** As `bindStream`, for customers. */
  bindOwnStream<R extends AnyRoute>(
    route: R,
    handle: (call: OwnCall<R>, reply: FastifyReply) => Promise<Result<null, ApiError>>,
  ): void;
  /** As `bindFile`, for customers. */
  bindOwnFile<R extends AnyRoute>(route: R, handle: (call: OwnCall<R>) => Promise<Result<FileAnswer, ApiError>>): void;
  bindFile<R extends AnyRoute>(route: R, handle: (call: Call<R>) => Promise<Result<FileAnswer, ApiError>>): void;
  /** A form with a file. None of it is read before the caller is known and allowed. */
  bindUpload<R extends AnyRoute>(
    route: R,
    handle: (call: Call<R>, upload: Upload) => Promise<Result<AnswerOf<R>, ApiError>>,
  ): void;
  /** The handler writes to the raw response until the connection ends. */
  bindStream<R extends AnyRoute>(
    route: R,
    handle: (call: Call<R>, reply: FastifyReply) => Promise<Result<null, ApiError>>,
  ): void;
  /** @throws Error naming the routes of the contract that nothing answers. */
  proveComplete(routes: ReadonlyMap<string, Route>): void;
};

type BindOptions<R> = {
  /** Answers a retry whose first attempt took effect (`recordOf`) but never answered. */
  replay?: (recordId: number, call: Call<R>) => Promise<Result<AnswerOf<R>, ApiError>>;
};

/** A call as the binder sees it. */
type ClaimedCall<R> = Call<R> & { claim: IdempotencyClaim | null };
type OwnClaimedCall<R> = OwnCall<R> & { claim: IdempotencyClaim | null };

type Prepared = {
  params: unknown;
  query: unknown;
  body: unknown;
};

function partsUnder(claim: IdempotencyClaim | null, at: Instant): Parts {
  return {
    note: async (trx, recordId) => {
      if (claim !== null) await storePart(trx, claim, recordId, at);
    },
    isDone: async (trx, recordId) => claim !== null && (await isPartDone(trx, claim, recordId)),
  };
}

/** Binds the contract's routes below /api: validation, permission, envelope, idempotency and refusals in one place. */
export function createBinder(
  app: FastifyInstance,
  context: Context<'console'>,
  sessions: Sessions,
  customers: { sessions: CustomerSessions; turns: CustomerTurns },
): Binder {
  const bound = new Set<AnyRoute>();
  /** Keys in use on this node; the database tells other nodes. */
  const running = new Set<string>();

  /** Calls that move money or start a charge do not queue behind people's lists. */
  const laneOf = (route: AnyRoute): Context<'console'> | Context<'money'> =>
    route.idempotency === 'required' ? context.on('money') : context;

  const register = (route: AnyRoute, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    if (route.permission === undefined) throw new Error(`${route.method} ${route.path} declares no permission`);
    bound.add(route);
    const kind = route.answerKind ?? 'envelope';
    app.route({
      method: route.method,
      url: apiAddress(route),
      ...(kind === 'envelope' ? { schema: { response: { 200: answerSchema(route) } } } : {}),
      handler,
    });
  };

  const authorise = async (
    route: AnyRoute,
    request: FastifyRequest,
  ): Promise<Result<{ caller: Caller; sessionId: SessionId }, ApiError>> => {
    const token = tokenOf(request, route);
    if (token === null) return failed({ code: 'session.missing' });
    const session = await sessions.find(token, context.now());
    if (!session.ok) return session;
    const { sessionId, mustChangePassword, ...who } = session.value;
    const caller: Caller = {
      ...who,
      language: languageOf(request.headers),
      remoteAddress: remoteAddressOf(request),
    };
    if (mustChangePassword && route.openWithInitialPassword !== true) {
      return failed({ code: 'password.must_change' });
    }
    if (mayCall(route, caller)) return ok({ caller, sessionId });
    context.log.warn(
      {
        userId: caller.userId,
        remoteAddress: caller.remoteAddress,
        method: route.method,
        route: route.path,
        requestId: request.id,
      },
      'access denied',
    );
    return failed({ code: 'access.denied' });
  };

  const turns = createReadTurns({
    console: context.database.pool.options.max,
    search: context.on('search').database.pool.options.max,
  });
  const watch = watchDownloads(context, sessions);

  /** Carries out a call when its user's turn comes. */
  const inTurn = async <R extends AnyRoute, Value>(
    route: R,
    call: Call<R>,
    reply: FastifyReply,
    act: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError>> => {
    const entered = await turns.enter(route, call.caller, call.query, reply);
    if (!entered.ok) return entered;
    try {
      return await act();
    } finally {
      entered.value();
    }
  };

  const prepareCall = async <R extends AnyRoute>(
    route: R,
    validate: Validate,
    request: FastifyRequest,
  ): Promise<Result<ClaimedCall<R>, ApiError>> => {
    const authorised = await authorise(route, request);
    if (!authorised.ok) return authorised;
    const { caller, sessionId } = authorised.value;
    const input = validate(request);
    if (!input.ok) return input;
    const claim = readClaim(route, request, { kind: 'user', id: caller.userId }, input.value);
    if (!claim.ok) return claim;
    const at = context.now();
    return ok({
      ...(input.value as Pick<Call<R>, 'params' | 'query' | 'body'>),
      caller,
      sessionId,
      at,
      origin: originOf(request),
      token: tokenOf(request, route),
      claim: claim.value,
      transact: transactUnder(route, claim.value, at),
      parts: partsUnder(claim.value, at),
    });
  };

  /** One transaction that claims the key, has the effect and stores the answer. */
  const transactUnder =
    (route: AnyRoute, claim: IdempotencyClaim | null, at: Instant): Transact =>
    (work, { recordOf, answerOf = (value: unknown): unknown => value } = {}) =>
      transact(laneOf(route).database.db, async (trx) => {
        if (claim === null) return work(trx);
        const claimed = await claimKey(trx, claim, at);
        if (!claimed.ok) return claimed;
        const result = await work(trx);
        if (!result.ok) return result;
        const recordId = recordOf?.(result.value) ?? null;
        if (recordId === null) await storeAnswer(trx, claim, answerOf(result.value), at);
        else await storeRecord(trx, claim, recordId);
        return result;
      });

  const prepareOwnCall = async <R extends AnyRoute>(
    route: R,
    validate: Validate,
    request: FastifyRequest,
  ): Promise<Result<OwnClaimedCall<R>, ApiError>> => {
    const at = context.now();
    const origin = originOf(request);
    const fromNetwork = customers.turns.countNetwork(origin.remoteAddress, at);
    if (!fromNetwork.ok) return fromNetwork;
    const token = tokenOf(request, route);
    if (token === null) return failed({ code: 'session.missing' });
    const session = await customers.sessions.find(token, at);
    if (!session.ok) return session;
    const caller: CustomerCaller = {
      ...session.value,
      language: languageOf(request.headers),
      remoteAddress: origin.remoteAddress,
    };
    const fromSession = customers.turns.countSession(caller.sessionId, at);
    if (!fromSession.ok) return fromSession;
    const input = validate(request);
    if (!input.ok) return input;
    const claim = readClaim(route, request, { kind: 'customer', id: caller.customerId }, input.value);
    if (!claim.ok) return claim;
    return ok({
      ...(input.value as Pick<Call<R>, 'params' | 'query' | 'body'>),
      caller,
      at,
      origin,
      token,
      claim: claim.value,
      transact: transactUnder(route, claim.value, at),
    });
  };

  /**
   * The answer to a retried write whose session has ended since: changing one's own password ends every session, so a
   * retry arrives without a valid one. Null where there is none.
   */
  const answerOfEndedSession = async <R extends AnyRoute>(
    route: R,
    validate: Validate,
    request: FastifyRequest,
  ): Promise<Result<AnswerOf<R>, ApiError> | null> => {
    const token = tokenOf(request, route);
    const userId = token === null || !takesKey(route) ? null : await sessions.ownerOfEnded(token);
    const input = userId === null ? null : validate(request);
    if (userId === null || input?.ok !== true) return null;
    const claim = readClaim(route, request, { kind: 'user', id: userId }, input.value);
    if (!claim.ok || claim.value === null) return null;
    const earlier = await findEarlierRequest(laneOf(route).database.db, claim.value);
    return earlier.kind === 'answered' ? ok(earlier.answer as AnswerOf<R>) : null;
  };

  const carryOut = async <R extends AnyRoute, Claimed extends { claim: IdempotencyClaim | null }>(
    route: R,
    call: Claimed,
    handle: (call: Claimed) => Promise<Result<AnswerOf<R>, ApiError>>,
    replay?: (recordId: number, call: Claimed) => Promise<Result<AnswerOf<R>, ApiError>>,
  ): Promise<Result<AnswerOf<R>, ApiError>> => {
    const { claim } = call;
    if (claim === null) return handle(call);
    const { db } = laneOf(route).database;
    const name = `${nameOfOwner(claim.by)}:${claim.key}`;
    if (running.has(name)) return failed({ code: 'request.in_progress' });
    running.add(name);
    try {
      const earlier = await findEarlierRequest(db, claim);
      switch (earlier.kind) {
        case 'none': {
          const result = await handle(call);
          if (result.ok) await storeAnswer(db, claim, result.value, context.now());
          return result;
        }
        case 'answered':
          return ok(earlier.answer as AnswerOf<R>);
        case 'other-request':
          return failed({ code: 'request.repeated_differently' });
        case 'done':
          return replay === undefined || earlier.recordId === null
            ? failed({ code: 'request.in_progress' })
            : replay(earlier.recordId, call);
        default:
          return unreachable(earlier);
      }
    } finally {
      running.delete(name);
    }
  };

  return {
    bind(route, handle, options = {}) {
      const validate = validatorOf(route);
      const withErrorData = showsErrorAsData.has(route.path);
      const shown = shownBy(route);
      register(route, async (request, reply) => {
        const call = await prepareCall<typeof route>(route, validate, request);
        const result = call.ok
          ? await inTurn(route, call.value, reply, () =>
              carryOut(route, call.value, (claimed) => handle(claimed, goneSignal(reply)), options.replay),
            )
          : ((await answerOfEndedSession(route, validate, request)) ?? call);
        if (result.ok) return success(shown(result.value, call.ok ? call.value.caller : null));
        return sendRefusal(reply, result.error, languageOf(request.headers), withErrorData);
      });
    },
    bindPublic(route, handle, admit) {
      if (route.permission !== 'public') throw new Error(`${route.method} ${route.path} is not public`);
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const language = languageOf(request.headers);
        const admitted = admit?.({ origin: originOf(request), at: context.now() });
        if (admitted?.ok === false) return sendRefusal(reply, admitted.error, language);
        const input = validate(request);
        if (!input.ok) return sendRefusal(reply, input.error, language);
        const result = await handle({
          ...(input.value as Pick<Call<typeof route>, 'params' | 'query' | 'body'>),
          at: context.now(),
          origin: originOf(request),
          token: tokenOf(request, route),
          language,
        });
        return result.ok ? success(result.value) : sendRefusal(reply, result.error, language);
      });
    },
    bindOwn(route, handle, { replay } = {}) {
      if (route.permission !== 'customer') throw new Error(`${route.method} ${route.path} is not the customers’ own`);
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const call = await prepareOwnCall<typeof route>(route, validate, request);
        const result = call.ok
          ? await customers.turns.inTurn(route, String(call.value.caller.customerId), reply, () =>
              carryOut(route, call.value, handle, replay),
            )
          : call;
        return result.ok ? success(result.value) : sendRefusal(reply, result.error, languageOf(request.headers));
      });
    },
    bindOwnStream(route, handle) {
      if (route.permission !== 'customer') throw new Error(`${route.method} ${route.path} is not the customers’ own`);
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const call = await prepareOwnCall<typeof route>(route, validate, request);
        const result = call.ok ? await handle(call.value, reply) : call;
        return result.ok ? reply : sendRefusal(reply, result.error, languageOf(request.headers));
      });
    },
    bindOwnFile(route, handle) {
      if (route.permission !== 'customer') throw new Error(`${route.method} ${route.path} is not the customers’ own`);
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const call = await prepareOwnCall<typeof route>(route, validate, request);
        const result = call.ok
          ? await customers.turns.inTurn(route, String(call.value.caller.customerId), reply, () => handle(call.value))
          : call;
        return result.ok
          ? sendFile(reply, result.value)
          : sendRefusal(reply, result.error, languageOf(request.headers));
      });
    },
    bindFile(route, handle) {
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const call = await prepareCall<typeof route>(route, validate, request);
        if (!call.ok) return sendRefusal(reply, call.error, languageOf(request.headers));
        const { caller } = call.value;
        const download = await turns.enterDownload(route, caller, reply);
        if (!download.ok) return sendRefusal(reply, download.error, caller.language);
        const result = await inTurn(route, call.value, reply, () => handle(call.value));
        if (!result.ok) return sendRefusal(reply, result.error, caller.language);
        watch(call.value, reply, (now) => mayCall(route, now) && seesAllOf(now, caller));
        return sendFile(reply, result.value);
      });
    },
    bindUpload(route, handle) {
      if (route.bodyKind !== 'multipart') throw new Error(`${route.method} ${route.path} takes no file`);
      const validate = validatorOf(route);
      const shown = shownBy(route);
      register(route, async (request, reply) => {
        const call = await prepareCall<typeof route>(route, validate, request);
        const result = call.ok
          ? await carryOut(route, call.value, (claimed) => handle(claimed, uploadOf(request)))
          : call;
        if (!result.ok) return sendRefusal(reply, result.error, languageOf(request.headers));
        return success(shown(result.value, call.ok ? call.value.caller : null));
      });
    },
    bindStream(route, handle) {
      const validate = validatorOf(route);
      register(route, async (request, reply) => {
        const call = await prepareCall<typeof route>(route, validate, request);
        const result = call.ok ? await handle(call.value, reply) : call;
        return result.ok ? reply : sendRefusal(reply, result.error, languageOf(request.headers));
      });
    },
    proveComplete(routes) {
      const missing = [...routes].filter(([, route]) => !bound.has(route)).map(([name]) => name);
      if (missing.length > 0) throw new Error(`routes of the contract that nothing answers: ${missing.join(', ')}`);
    },
  };
}

/** Masks answers for callers who may not see personal data; null is a caller whose session has ended. */
function shownBy({ answer }: AnyRoute): (value: unknown, caller: Caller | null) => unknown {
  const mask = maskerOf(answer);
  if (mask === null) return (value) => value;
  return (value, caller) =>
    caller !== null && seesPersonal(caller) ? value : mask(value, caller === null ? null : caller.userId);
}

/** Specification section 7: the refusal of this call is read from `data`. */
const showsErrorAsData: ReadonlySet<string> = new Set(['/changePwd']);

/** The path as Fastify writes it. */
export function apiAddress(route: Pick<Route, 'path'>): string {
  return `/api${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function success(data: unknown) {
  return { message: { status: 200, code: 0, message: 'OK' }, data: data ?? null };
}

/** Whether a caller's permissions suffice: any one of several is enough. */
export function mayCall(route: Pick<Route, 'permission'>, caller: Pick<Caller, 'admin' | 'permissions'>): boolean {
  const { permission } = route;
  if (permission === 'customer') return false;
  if (permission === 'public' || permission === 'signed-in' || caller.admin) return true;
  const enough: readonly Permission[] = typeof permission === 'string' ? [permission] : permission;
  return enough.some((one) => caller.permissions.has(one));
}

type Sees = WholeReach & Pick<Caller, 'admin' | 'permissions'>;

/** Whether `now` may see everything that `then` could see. */
export function seesAllOf(now: Sees, then: Sees): boolean {
  return reachesAllOf(now, then) && (seesPersonal(now) || !seesPersonal(then));
}

/**
 * The header's token, or else that of the query or body where the specification puts it there. A browser downloads a
 * file by a plain link, which carries no header but the console's cookie.
 */
function tokenOf(request: FastifyRequest, route: AnyRoute): string | null {
  const header = request.headers[tokenHeader];
  if (typeof header === 'string' && header !== '') return header;
  if (route.tokenIn !== undefined) {
    const { token } = (request[route.tokenIn] ?? {}) as { token?: unknown };
    return typeof token === 'string' && token !== '' ? token : null;
  }
  if (route.answerKind !== 'file') return null;
  const cookie = request.headers.cookie?.split(/;\s*/).find((part) => part.startsWith(`${tokenCookie}=`));
  // A token needs no encoding, so one that cannot be decoded is not ours.
  return cookie?.slice(tokenCookie.length + 1) || null;
}

function originOf(request: FastifyRequest): Origin {
  return {
    remoteAddress: remoteAddressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    host: request.host,
    secure: request.protocol === 'https',
  };
}

type Validate = (request: FastifyRequest) => Result<Prepared, ApiError>;

function validatorOf(route: AnyRoute): Validate {
  const params = partReader(route.params);
  const query = partReader(route.query);
  const body = partReader(route.body);
  const hasBody = route.body !== undefined;
  return (request) => {
    // Empty filters are ignored. The token is not a filter where the specification puts it, and a fault everywhere
    // else.
    const asked = Object.fromEntries(
      Object.entries(request.query as Record<string, unknown>).filter(
        ([name, value]) => value !== '' && !(name === 'token' && route.tokenIn === 'query'),
      ),
    );
    const sent = request.body ?? {};
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
    if (isForm && route.bodyKind !== 'form') return failed({ code: 'request.malformed' });
    const isMultipart = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
    if (isMultipart !== (route.bodyKind === 'multipart')) return failed({ code: 'request.malformed' });
    if (hasBody && (typeof sent !== 'object' || Array.isArray(sent))) return failed({ code: 'request.malformed' });
    const refused = [...unstorable(request.params), ...unstorable(asked), ...unstorable(sent)];
    if (refused.length > 0) return failed({ code: 'request.invalid', fields: refused.slice(0, faultsToldMax) });
    const read = {
      params: params(request.params),
      query: query(asked),
      body: hasBody ? body(sent) : { value: undefined, faults: [] },
    };
    const fields = [
      ...read.params.faults,
      ...read.query.faults.map((fault) => ({ ...fault, path: fault.path.split('.')[0] ?? '' })),
      ...read.body.faults,
    ];
    if (fields.length > 0) return failed({ code: 'request.invalid', fields: fields.slice(0, faultsToldMax) });
    return ok({ params: read.params.value, query: read.query.value, body: read.body.value });
  };
}

const faultsToldMax = 100;

type Read = { value: unknown; faults: FieldFault[] };

/** Parses the input by the schema and names every field that is faulty or unknown. */
export function partReader(schema: Schema | undefined): (given: unknown) => Read {
  if (schema === undefined) {
    return (given) => ({
      value: undefined,
      faults: Object.keys((given ?? {}) as object).map((path) => ({ path, code: 'unknown_field' as const })),
    });
  }
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  const isNumber = numberFields(shape);
  return (given) => {
    const parsed = z.safeParse(schema, withoutOddNumbers(given, isNumber));
    const faults = parsed.success ? [] : fieldFaults(parsed.error.issues, given);
    return { value: parsed.data, faults: [...faults, ...unknownFields(shape, given)] };
  };
}

function numberFields({ properties = {} }: z.core.JSONSchema.BaseSchema): ReadonlySet<string> {
  const numbers = Object.entries(properties).filter(
    ([, field]) => typeof field === 'object' && (field.type === 'integer' || field.type === 'number'),
  );
  return new Set(numbers.map(([name]) => name));
}

/** How a number is written in an address. */
const decimal = /^-?\d+(?:\.\d+)?$/;

/** JavaScript also reads 0x10, 1e3, spaces and nothing at all as numbers, which no honest client writes. */
function withoutOddNumbers(given: unknown, isNumber: ReadonlySet<string>): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const odd = Object.entries(given).filter(
    ([name, value]) => isNumber.has(name) && typeof value === 'string' && !decimal.test(value),
  );
  return odd.length === 0 ? given : { ...given, ...Object.fromEntries(odd.map(([name]) => [name, Number.NaN])) };
}

function readClaim(
  route: AnyRoute,
  request: FastifyRequest,
  by: KeyOwner,
  input: Prepared,
): Result<IdempotencyClaim | null, ApiError> {
  const key = request.headers[idempotencyHeader];
  if (!takesKey(route)) return ok(null);
  if (key === undefined || key === '') {
    return route.idempotency === 'required' ? failed({ code: 'request.key_missing' }) : ok(null);
  }
  const fault = (code: FieldFault['code'], params?: FieldFault['params']) =>
    failed({
      code: 'request.invalid' as const,
      fields: [params === undefined ? { path: 'Idempotency-Key', code } : { path: 'Idempotency-Key', code, params }],
    });
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) return fault('bad_format');
  if (key.length > idempotencyKeyLengthMax) return fault('too_long', { max: idempotencyKeyLengthMax });
  const name = `${route.method} ${route.path}`;
  return ok({ by, key, route: name, requestHash: hashRequest(key, name, input) });
}

function sendFile(reply: FastifyReply, { name, contentType, content }: FileAnswer): FastifyReply {
  return (
    reply
      .header('content-type', contentType)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('cache-control', 'no-store')
      // Downloaded, never displayed: if a browser displays it after all, nothing in it runs.
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(content)
  );
}
