import { type InteractionLog, type TailEvent, tailInteractionLogs } from '@voltdeck/contract/logs';
import type { AgentId, StationId } from '@voltdeck/units/id';
import { type Instant, instant, secondMs, toIso } from '@voltdeck/units/instant';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import type { OpenStream, StreamSource, Streams } from '../http/open-streams.ts';
import type { StoredExchange } from '../journal/exchanges.ts';
import { maskExchange } from '../personal/mask-exchange.ts';
import { matcher, type TailFilter } from './filter-logs.ts';
import { keyOf } from './queries.ts';

export const tailLimits = {
  /** Batch interval per event. */
  gatherMs: 250,
  /** 400 a second, more than anybody reads. */
  itemsPerEvent: 100,
  /** Characters of frames per event, since a frame may be long. */
  charactersPerEvent: 256 * 1024,
  /**
   * Exchanges that wait while their stations are looked up. Beyond it, every stream ends and the consoles reconnect.
   */
  exchangesWaiting: 20_000,
  /** Lifetime of the station-owner cache. */
  stationsKnownMs: 5 * secondMs,
} as const;

type Station = { number: string; agentId: AgentId | null };

/** The interaction log as it becomes durable, to everybody who watches, filtered by their filter and scope. */
export function bindTail({ bindStream }: Binder, context: Context, streams: Streams): void {
  const watchers = new Set<Watcher>();
  const stations = new Map<StationId, Station | null>();
  let stationsSince: Instant = instant(0);
  let waiting: StoredExchange[] = [];
  let isAsking = false;
  let stopHearing: (() => void) | null = null;

  const tell = (exchanges: readonly StoredExchange[]) => {
    for (const exchange of exchanges) {
      const station = stations.get(exchange.stationId);
      if (station === null || station === undefined) continue;
      for (const watcher of watchers) watcher.hear(exchange, station);
    }
  };
  const hear = (exchanges: readonly StoredExchange[]) => {
    const now = context.now();
    if (!isAsking && Math.abs(now - stationsSince) > tailLimits.stationsKnownMs) {
      stations.clear();
      stationsSince = now;
    }
    if (!isAsking && exchanges.every(({ stationId }) => stations.has(stationId))) return tell(exchanges);
    waiting = waiting.concat(exchanges);
    if (waiting.length > tailLimits.exchangesWaiting) giveUp();
    else if (!isAsking) void askWhose();
    return;
  };
  const askWhose = async () => {
    isAsking = true;
    try {
      while (waiting.length > 0) {
        const exchanges = waiting;
        waiting = [];
        const unknown = new Set(exchanges.map(({ stationId }) => stationId).filter((id) => !stations.has(id)));
        for (const id of unknown) stations.set(id, null);
        for (const { id, ...station } of await readStations(context, [...unknown])) stations.set(id, station);
        tell(exchanges);
      }
    } catch (error) {
      context.log.warn({ err: error }, 'watching the log failed');
      giveUp();
    } finally {
      isAsking = false;
    }
  };
  /** Consoles reconnect, and find in the list what they missed. */
  const giveUp = () => {
    waiting = [];
    stations.clear();
    for (const watcher of [...watchers]) watcher.stream.end();
  };

  bindStream(tailInteractionLogs, async (call, reply) =>
    streams.open(tailInteractionLogs, call, reply, (stream): StreamSource => {
      const watcher = new Watcher(stream, call.query);
      watchers.add(watcher);
      stopHearing ??= context.bus.watchExchanges(hear);
      return {
        drained: () => watcher.flush(),
        ended() {
          watcher.end();
          watchers.delete(watcher);
          if (watchers.size > 0) return;
          stopHearing?.();
          stopHearing = null;
          stations.clear();
        },
      };
    }),
  );
}

/** One stream: collects matching exchanges, sends them in bounded events, and counts what it drops. */
class Watcher {
  readonly stream: OpenStream;
  /** The filter for full and for masked frames. */
  readonly #matches: { whole: (exchange: StoredExchange) => boolean; masked: (exchange: StoredExchange) => boolean };
  readonly #stationNumber: string | null;
  #texts: string[] = [];
  #characters = 0;
  #skipped = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(stream: OpenStream, filter: TailFilter) {
    this.stream = stream;
    this.#matches = { whole: matcher(filter, true), masked: matcher(filter, false) };
    this.#stationNumber = filter.stationNumber?.toLowerCase() ?? null;
  }

  hear(exchange: StoredExchange, station: Station): void {
    const { seesPersonal } = this.stream;
    if (!isInScope(this.stream, station.agentId)) return;
    if (!(seesPersonal ? this.#matches.whole : this.#matches.masked)(exchange)) return;
    if (this.#stationNumber !== null && !station.number.toLowerCase().includes(this.#stationNumber)) return;
    this.#timer ??= setTimeout(() => this.flush(), tailLimits.gatherMs);
    const length = exchange.request.length + (exchange.answer?.length ?? 0);
    const hasRoom = this.#texts.length === 0 || this.#characters + length <= tailLimits.charactersPerEvent;
    if (this.#texts.length >= tailLimits.itemsPerEvent || !hasRoom || this.stream.isFull()) {
      this.#skipped += 1;
      return;
    }
    this.#texts.push(textOf(exchange, station, seesPersonal ? 'whole' : 'masked'));
    this.#characters += length;
  }

  /** A slow connection gets the rest when it has caught up. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.stream.isFull()) return;
    if (this.#texts.length > 0) this.stream.send(`{"kind":"logged","items":[${this.#texts.join(',')}]}`);
    if (this.#skipped > 0) {
      this.stream.send(JSON.stringify({ kind: 'skipped', count: this.#skipped } satisfies TailEvent));
    }
    this.#texts = [];
    this.#characters = 0;
    this.#skipped = 0;
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#texts = [];
  }
}

function readStations({ database }: Context, ids: StationId[]) {
  return database.db
    .selectFrom('stations')
    .select(['id', 'number', 'agent_id as agentId'])
    .where('id', 'in', ids)
    .execute();
}

const texts = { whole: new WeakMap<StoredExchange, string>(), masked: new WeakMap<StoredExchange, string>() };

/** Serialised once per kind of watcher. */
function textOf(exchange: StoredExchange, { number }: Station, as: keyof typeof texts): string {
  const known = texts[as].get(exchange);
  if (known !== undefined) return known;
  const item: InteractionLog = {
    ...exchange,
    id: String(exchange.id),
    key: keyOf(exchange),
    at: toIso(exchange.at),
    stationNumber: number,
  };
  const text = JSON.stringify(as === 'whole' ? item : maskExchange(item));
  texts[as].set(exchange, text);
  return text;
}
