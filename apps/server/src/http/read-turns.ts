import type { ApiError } from '@voltdeck/contract/errors';
import type { Route } from '@voltdeck/contract/route';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller/caller.ts';
import { searchConnections } from '../database/lanes.ts';
import { FairGate, type Leave } from '../limits/fair-gate.ts';

/**
 * How many reads the console's database connections bear. The rest is for signing in, for changes and for the
 * background.
 */
export const readTurnLimits = {
  /** Concurrent reads of one user: as many as a page starts, and half of all at most. */
  atOncePerUser: 4,
  waitingPerUser: 100,
  waiting: 2_000,
  /** The same for heavy reads: log searches, totals, exports. Each keeps a core of the database busy. */
  muchAtOnce: 2,
  muchAtOncePerUser: 1,
  muchWaitingPerUser: 10,
  muchWaiting: 100,
  /** Reads over several connections at once, which count as reads too. */
  wideAtOnce: 2,
  wideAtOncePerUser: 1,
  /** Connections that such a read takes. */
  wideConnections: 2,
  /** One of a user: whoever types wants the last. */
  searchesAtOncePerUser: 1,
  waitMsMax: 20 * secondMs,
  /** Seconds after which a refused call may be retried. */
  retryAfterSeconds: 10,
  /** A download alternates between reading a little and sending it, so it holds a place of its own until it ends. */
  downloadsPerUser: 2,
  downloads: 8,
  downloadMsMax: 10 * minuteMs,
} as const;

export type ReadTurns = {
  /** A place for a call; refused when too many are waiting. */
  enter(route: Route, caller: Caller, query: unknown, reply: FastifyReply): Promise<Result<Leave, ApiError>>;
  /** A place for the content of a file, released when it was sent or its reader left. */
  enterDownload(route: Route, caller: Caller, reply: FastifyReply): Promise<Result<null, ApiError>>;
};

/**
 * Lets users take turns at reading, by the connections of two lanes. Half of the console's are for reads, at most a
 * quarter for heavy ones. As many reads may be wide as half of them bear. Searches take turns at those of their own
 * lane, and at no others.
 */
export function createReadTurns({ console: connections, search }: Record<'console' | 'search', number>): ReadTurns {
  const limits = readTurnLimits;
  const { waitMsMax } = limits;
  const readsAtOnce = Math.max(1, Math.floor(connections / 2));
  const reads = new FairGate({
    atOnce: readsAtOnce,
    atOncePerKey: Math.min(limits.atOncePerUser, Math.ceil(readsAtOnce / 2)),
    waiting: limits.waiting,
    waitingPerKey: limits.waitingPerUser,
    waitMsMax,
  });
  const wideReads = new FairGate({
    atOnce: Math.max(1, Math.min(limits.wideAtOnce, Math.floor(connections / 2 / limits.wideConnections))),
    atOncePerKey: limits.wideAtOncePerUser,
    waiting: limits.waiting,
    waitingPerKey: limits.waitingPerUser,
    waitMsMax,
  });
  const searches = new FairGate({
    atOnce: Math.max(1, Math.floor(search / searchConnections)),
    atOncePerKey: limits.searchesAtOncePerUser,
    waiting: limits.waiting,
    waitingPerKey: limits.waitingPerUser,
    waitMsMax,
  });
  const muchReads = new FairGate({
    atOnce: Math.max(1, Math.min(limits.muchAtOnce, Math.floor(connections / 4))),
    atOncePerKey: limits.muchAtOncePerUser,
    waiting: limits.muchWaiting,
    waitingPerKey: limits.muchWaitingPerUser,
    waitMsMax,
  });
  const downloads = new FairGate({
    atOnce: limits.downloads,
    atOncePerKey: limits.downloadsPerUser,
    waiting: limits.muchWaiting,
    waitingPerKey: limits.muchWaitingPerUser,
    waitMsMax,
  });
  const tooMany = failed({ code: 'request.too_many_reads' as const, params: { seconds: limits.retryAfterSeconds } });
  /** Null once the reader has gone, or when `enter` found no place. */
  const whileHere = async (reply: FastifyReply, enter: (gone: AbortSignal) => Promise<Leave | null>) => {
    const gone = new AbortController();
    const onClose = () => gone.abort();
    reply.raw.once('close', onClose);
    // A reader that closed earlier emits no event any more, so the download's place would never be released.
    const leave = reply.raw.destroyed ? null : await enter(gone.signal);
    reply.raw.off('close', onClose);
    return leave === null ? tooMany : ok(leave);
  };
  const take = (gate: FairGate, { userId }: Caller, reply: FastifyReply) =>
    whileHere(reply, (gone) => gate.enter(String(userId), gone));
  /** Waits for a place in one gate while holding none in the other, so that nobody's full reads keep the wide places. */
  const takeBoth = ({ userId }: Caller, reply: FastifyReply) =>
    whileHere(reply, async (gone) => {
      const key = String(userId);
      const ended = AbortSignal.any([gone, AbortSignal.timeout(waitMsMax)]);
      for (let [awaited, other] = [wideReads, reads]; ; [awaited, other] = [other, awaited]) {
        const leave = await awaited.enter(key, ended);
        if (leave === null) return null;
        const leaveOther = other.enterNow(key);
        if (leaveOther !== null) {
          return () => {
            leaveOther();
            leave();
          };
        }
        leave();
      }
    });
  return {
    async enter(route, caller, query, reply) {
      if (readsMuch(route, query)) return take(muchReads, caller, reply);
      if (route.searches) return take(searches, caller, reply);
      if (route.readsWide) return takeBoth(caller, reply);
      if (route.method === 'GET' && route.answerKind !== 'stream') return take(reads, caller, reply);
      return ok(() => undefined);
    },
    async enterDownload(route, caller, reply) {
      if (route.readsMuch === undefined) return ok(null);
      const taken = await take(downloads, caller, reply);
      if (!taken.ok) return taken;
      const tooLong = setTimeout(() => reply.raw.destroy(), limits.downloadMsMax);
      reply.raw.once('close', () => {
        clearTimeout(tooLong);
        taken.value();
      });
      return ok(null);
    },
  };
}

export function readsMuch({ readsMuch: much }: Pick<Route, 'readsMuch'>, query: unknown): boolean {
  if (much === undefined) return false;
  if (much === 'always') return true;
  const asked = (query ?? {}) as Record<string, unknown>;
  return much.some((field) => asked[field] !== undefined);
}
