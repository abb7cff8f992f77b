import { exchangeFaults } from '@voltdeck/charging/exchange';
import type { StationId } from '@voltdeck/units/id';
import { minuteMs } from '@voltdeck/units/instant';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isDatabaseAway, isOutOfTime } from '../database/is-database-away.ts';
import { Backlog, type BacklogBounds, backlogBounds, type Load } from './backlog.ts';
import type { LoggedExchange, StoredExchange } from './exchanges.ts';
import type { JournalEntry } from './journal-entry.ts';
import { LogAllowance, type LogLimits, logLimits } from './log-allowance.ts';
import { NoteAllowance, type NoteLimits, noteLimits } from './note-allowance.ts';
import { writeEntries } from './write-entries.ts';

/** Who receives what has become durable, if anybody does. */
export type ExchangeAudience = {
  areExchangesWatched(): boolean;
  tellExchanges(exchanges: readonly StoredExchange[]): void;
};

export const journalLimits = {
  /** How long messages are batched before they are written in one transaction. */
  gatherMs: 5,
  /** Concurrent transactions: one commits while the next fills. */
  writesAtOnce: 2,
  entriesPerWrite: 4_000,
  bytesPerWrite: 4 * 1024 * 1024,
  /** Entries of suspects per write. */
  entriesPerWriteApart: 64,
  /** A write that times out is retried with its limits divided by this, down to single entries … */
  slowerFactor: 4,
  /** … and each write that succeeds multiplies them by this. */
  fasterFactor: 2,
  retryMs: { first: 100, max: 5_000 },
  /** A station with an entry that could not be stored is written separately for this long. */
  suspectMs: 10 * minuteMs,
  suspectsMax: 10_000,
  /** Paused sockets add nothing; entries that arrive all the same beyond this multiple of the bounds are lost. */
  overflowFactor: 2,
  /** How often lost entries are counted and logged. */
  tellLostEveryMs: minuteMs,
} as const;

export type JournalOptions = {
  audience?: ExchangeAudience | null;
  bounds?: BacklogBounds;
  log?: LogLimits;
  notes?: NoteLimits;
};

/** What the journal needs from the reader of a station's socket. */
export type Reader = { pause(): void; resume(): void };

type Item = {
  entry: JournalEntry;
  account: StationAccount | null;
  bytes: number;
  sequence: number;
  /** It may already be stored, after a commit whose answer was lost or an attempt together with others. */
  isRetried: boolean;
  state: 'waiting' | 'stored' | 'lost';
};

type Failure = { error: unknown };

type Queue = {
  waiting: Item[];
  writes: number;
  readonly writesAtOnce: number;
  readonly entriesPerWrite: number;
  timer: NodeJS.Timeout | null;
};

/** The journal operations of accounts, shared by all of them. */
type AccountWays = {
  add(account: StationAccount, entry: JournalEntry): void;
  close(account: StationAccount): void;
};

/** A station's access to the journal: its entries count towards its bounds, and are reported in the order of adding. */
export class StationAccount {
  readonly stationId: StationId;
  readonly loads: readonly Load[];
  readonly #ways: AccountWays;
  readonly reader: Reader;
  isClosed = false;

  constructor(parts: {
    stationId: StationId;
    loads: readonly Load[];
    reader: Reader;
    ways: AccountWays;
  }) {
    this.stationId = parts.stationId;
    this.loads = parts.loads;
    this.reader = parts.reader;
    this.#ways = parts.ways;
  }

  add(entry: JournalEntry): void {
    this.#ways.add(this, entry);
  }

  /** The socket is gone: nothing is paused or resumed any more. Added entries are stored all the same. */
  close(): void {
    if (!this.isClosed) this.#ways.close(this);
  }
}

/**
 * Makes stations' messages durable, many in one transaction: sharing the cost of a commit is what carries thousands of
 * stations on one small database (docs/capacity.md). A station is answered only from `onStored`. What waits is bounded;
 * a station that reaches a bound is not read until there is room again.
 */
export class StationJournal {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #audience: ExchangeAudience | null;
  readonly #backlog: Backlog;
  readonly #entriesMax: number;
  readonly #allowance: LogAllowance;
  readonly #noteAllowance: NoteAllowance;
  readonly #main: Queue = queueOf(journalLimits.writesAtOnce, journalLimits.entriesPerWrite);
  /** Where suspects wait, so that nobody else waits for them. */
  readonly #apart: Queue = queueOf(1, journalLimits.entriesPerWriteApart);
  readonly #suspects = new Map<StationId, number>();
  /** Unreported entries by account, the oldest first; null holds what belongs to no station. */
  readonly #untold = new Map<StationAccount | null, Item[]>();
  readonly #paused = new Set<StationAccount>();
  readonly #ways: AccountWays = {
    add: (account, entry) => this.#take(account, entry),
    close: (account) => {
      account.isClosed = true;
      this.#paused.delete(account);
      for (const load of account.loads) load.release();
    },
  };
  #sequence = 0;
  /** The present limit of a write, as a share of the full one. */
  #share = 1;
  #retryMs = 0;
  #idle: (() => void)[] = [];
  #closed = false;
  #lost = 0;
  #lostStations = new Set<StationId>();
  #lostTimer: NodeJS.Timeout | null = null;

  constructor(pool: pg.Pool, log: Logger, options: JournalOptions = {}) {
    const { audience = null, bounds = backlogBounds } = options;
    this.#pool = pool;
    this.#log = log;
    this.#audience = audience;
    this.#backlog = new Backlog(bounds);
    this.#entriesMax = bounds.all.entries * journalLimits.overflowFactor;
    this.#allowance = new LogAllowance(options.log ?? logLimits);
    this.#noteAllowance = new NoteAllowance(options.notes ?? noteLimits);
  }

  /** Opens a station's account. `network` is the network that its address counts towards. */
  open(station: { id: StationId; network: string }, reader: Reader): StationAccount {
    const { id, network } = station;
    return new StationAccount({
      stationId: id,
      loads: this.#backlog.hold(id, network),
      reader,
      ways: this.#ways,
    });
  }

  /** Adds an entry of no connected station. */
  add(entry: JournalEntry): void {
    this.#take(null, entry);
  }

  /** Entries not yet durable. */
  get backlog(): number {
    return this.#backlog.all.entries;
  }

  /** Their approximate bytes. */
  get backlogBytes(): number {
    return this.#backlog.all.bytes;
  }

  /** Stations whose sockets are paused. */
  get paused(): number {
    return this.#paused.size;
  }

  /** Resolves when everything added before is stored or lost. */
  async drained(): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Stores what waits, then accepts nothing more. Gives up on a database that is away. */
  async close(): Promise<void> {
    if (this.#retryMs === 0) await this.drained();
    this.#closed = true;
    for (const queue of [this.#main, this.#apart]) {
      if (queue.timer !== null) clearTimeout(queue.timer);
      queue.timer = null;
      queue.waiting = [];
    }
    if (this.#lostTimer !== null) clearTimeout(this.#lostTimer);
    this.#tellLost();
  }

  #take(account: StationAccount | null, given: JournalEntry): void {
    const { entry, notice } = this.#withinAllowance(given);
    const loads = account?.loads ?? [this.#backlog.all];
    const item: Item = {
      entry,
      account,
      bytes: bytesOf(entry),
      sequence: this.#sequence,
      isRetried: false,
      state: 'waiting',
    };
    if (this.#closed || this.#backlog.all.entries >= this.#entriesMax) {
      this.#noteLost(item);
      entry.onLost?.();
      return;
    }
    this.#sequence += 1;
    const untold = this.#untold.get(account);
    if (untold === undefined) this.#untold.set(account, [item]);
    else untold.push(item);
    for (const load of loads) load.add(item.bytes);
    const chosen = this.#queueFor(account);
    chosen.waiting.push(item);
    this.#plan(chosen);
    if (notice !== null) this.#take(account, notice);
    if (account !== null && !account.isClosed && !this.#paused.has(account) && loads.some(({ isFull }) => isFull)) {
      this.#paused.add(account);
      account.reader.pause();
    }
  }

  #withinAllowance(all: JournalEntry): { entry: JournalEntry; notice: JournalEntry | null } {
    const given = { ...all, ...(all.notes && { notes: all.notes.filter((note) => this.#noteAllowance.take(note)) }) };
    if (given.exchange === undefined || given.exchange.fault === exchangeFaults.dailyLogLimit) {
      return { entry: given, notice: null };
    }
    const { exchange, notice } = this.#allowance.take(given.exchange);
    if (exchange === given.exchange) return { entry: given, notice: notice === null ? null : { exchange: notice } };
    const { exchange: _, ...rest } = given;
    return { entry: exchange === null ? rest : { ...rest, exchange }, notice: null };
  }

  #queueFor(account: StationAccount | null): Queue {
    if (account === null || this.#suspects.size === 0) return this.#main;
    const until = this.#suspects.get(account.stationId);
    if (until === undefined) return this.#main;
    if (performance.now() < until) return this.#apart;
    this.#suspects.delete(account.stationId);
    return this.#main;
  }

  #plan(queue: Queue): void {
    if (this.#closed || queue.timer !== null || queue.waiting.length === 0 || queue.writes >= queue.writesAtOnce)
      return;
    const wait = this.#retryMs > 0 ? this.#retryMs : journalLimits.gatherMs;
    queue.timer = setTimeout(() => {
      queue.timer = null;
      void this.#write(queue);
      this.#plan(queue);
    }, wait);
  }

  async #write(queue: Queue): Promise<void> {
    const items = this.#nextOf(queue);
    if (items.length === 0) return;
    queue.writes += 1;
    const failure = await this.#store(items);
    if (failure === null) {
      this.#share = Math.min(1, this.#share * journalLimits.fasterFactor);
      this.#retryMs = 0;
      this.#settle(items, 'stored');
    } else await this.#onFailure(queue, items, failure);
    queue.writes -= 1;
    this.#plan(queue);
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #nextOf(queue: Queue): Item[] {
    const entriesMax = Math.max(1, Math.floor(queue.entriesPerWrite * this.#share));
    const bytesMax = journalLimits.bytesPerWrite * this.#share;
    let count = 0;
    let bytes = 0;
    for (const item of queue.waiting) {
      bytes += item.bytes;
      if (count >= entriesMax || (count > 0 && bytes > bytesMax)) break;
      count += 1;
    }
    return queue.waiting.splice(0, count);
  }

  async #onFailure(queue: Queue, items: Item[], { error }: Failure): Promise<void> {
    if (isOutOfTime(error)) {
      this.#share = Math.min(this.#share, items.length / queue.entriesPerWrite) / journalLimits.slowerFactor;
      this.#log.warn({ entries: items.length, waiting: this.backlog }, 'journal: a write took too long');
      this.#putBack(queue, items);
    } else if (isDatabaseAway(error)) this.#wait(queue, items, error);
    else if (queue === this.#apart) await this.#storeOneByOne(items);
    else await this.#findSuspects(items, error);
  }

  #wait(queue: Queue, items: readonly Item[], error: unknown): void {
    const { first, max } = journalLimits.retryMs;
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, first), max);
    this.#log.warn({ error: String(error), waiting: this.backlog }, 'journal: the database is away');
    this.#putBack(queue, items);
  }

  #putBack(queue: Queue, items: readonly Item[]): void {
    queue.waiting = [...items, ...queue.waiting].sort((one, other) => one.sequence - other.sequence);
  }

  /**
   * Handles an entry that spoils the transaction of all. All are retried once with the insert that tolerates
   * repetitions; then the stations are halved until the one with the faulty entry is alone, and it waits separately
   * from then on.
   */
  async #findSuspects(items: Item[], error: unknown): Promise<void> {
    const failure = await this.#store(items);
    if (failure === null) {
      this.#settle(items, 'stored');
      return;
    }
    if (isDatabaseAway(failure.error)) {
      this.#wait(this.#main, items, failure.error);
      return;
    }
    const stations = [...new Set(items.map(({ account }) => account?.stationId ?? null))];
    if (stations.length === 1) {
      this.#suspect(stations[0] ?? null, items, error);
      return;
    }
    const half = new Set(stations.slice(0, stations.length >> 1));
    const isInHalf = ({ account }: Item) => half.has(account?.stationId ?? null);
    await this.#findSuspects(items.filter(isInHalf), error);
    await this.#findSuspects(
      items.filter((item) => !isInHalf(item)),
      error,
    );
  }

  #suspect(stationId: StationId | null, items: readonly Item[], error: unknown): void {
    this.#log.error({ error: String(error), stationId }, 'journal: an entry of this station cannot be stored');
    if (stationId !== null) {
      if (this.#suspects.size >= journalLimits.suspectsMax) this.#suspects.clear();
      this.#suspects.set(stationId, performance.now() + journalLimits.suspectMs);
    }
    const isTheirs = ({ account }: Item) => account?.stationId === stationId;
    const waiting = stationId === null ? [] : this.#main.waiting.filter(isTheirs);
    if (waiting.length > 0) this.#main.waiting = this.#main.waiting.filter((item) => !isTheirs(item));
    this.#putBack(this.#apart, [...items, ...waiting]);
    this.#plan(this.#apart);
  }

  async #storeOneByOne(items: readonly Item[]): Promise<void> {
    for (const [index, item] of items.entries()) {
      const failure = await this.#storeAlone(item);
      if (failure !== null && isDatabaseAway(failure.error)) {
        this.#wait(this.#apart, items.slice(index), failure.error);
        return;
      }
      if (failure !== null) this.#noteLost(item);
      this.#settle([item], failure === null ? 'stored' : 'lost');
    }
  }

  /** Keeps the frames of what cannot be stored even alone, so that somebody can see what was sent. */
  async #storeAlone(item: Item): Promise<Failure | null> {
    const failure = await this.#store([item]);
    if (failure === null || isDatabaseAway(failure.error) || item.entry.exchange === undefined) return failure;
    item.entry = framesOf(item.entry, item.entry.exchange);
    return this.#store([item]);
  }

  async #store(items: readonly Item[]): Promise<Failure | null> {
    const isWatched = this.#audience?.areExchangesWatched() === true;
    const mayBeRepeated = items.some(({ isRetried }) => isRetried);
    const entries = items.map(({ entry }) => entry);
    try {
      const watched = await writeEntries(this.#pool, entries, { isWatched, mayBeRepeated });
      if (watched !== null) this.#tellExchanges(watched);
      return null;
    } catch (error) {
      for (const item of items) item.isRetried = true;
      return { error };
    }
  }

  /** Stored entries stay stored, whatever happens to their watchers. */
  #tellExchanges(exchanges: readonly StoredExchange[]): void {
    try {
      this.#audience?.tellExchanges(exchanges);
    } catch (error) {
      this.#log.error({ err: error }, 'journal: publishing stored exchanges failed');
    }
  }

  /**
   * Makes room and reports outcomes, each account in the order of adding: when a station is answered, everything it
   * sent before is durable as well.
   */
  #settle(items: readonly Item[], state: 'stored' | 'lost'): void {
    const accounts = new Set<StationAccount | null>();
    for (const item of items) {
      item.state = state;
      accounts.add(item.account);
      for (const load of item.account?.loads ?? [this.#backlog.all]) load.remove(item.bytes);
    }
    for (const account of accounts) this.#tell(account);
    for (const account of [...this.#paused]) {
      if (!account.loads.every(({ isEased }) => isEased)) continue;
      this.#paused.delete(account);
      account.reader.resume();
    }
  }

  #tell(account: StationAccount | null): void {
    const untold = this.#untold.get(account) ?? [];
    const waiting = untold.findIndex(({ state }) => state === 'waiting');
    const due = waiting === -1 ? untold : untold.slice(0, waiting);
    if (waiting === -1) this.#untold.delete(account);
    else this.#untold.set(account, untold.slice(waiting));
    for (const { entry, state } of due) {
      try {
        if (state === 'stored') entry.onStored?.();
        else entry.onLost?.();
      } catch (error) {
        this.#log.error({ err: error, stationId: account?.stationId }, 'journal: reporting an outcome failed');
      }
    }
  }

  #noteLost({ account }: Item): void {
    this.#lost += 1;
    if (account !== null) this.#lostStations.add(account.stationId);
    this.#lostTimer ??= setTimeout(() => this.#tellLost(), journalLimits.tellLostEveryMs).unref();
  }

  #tellLost(): void {
    this.#lostTimer = null;
    if (this.#lost === 0) return;
    this.#log.error({ entries: this.#lost, stations: this.#lostStations.size }, 'journal: entries were lost');
    this.#lost = 0;
    this.#lostStations.clear();
  }

  #isIdle(): boolean {
    return [this.#main, this.#apart].every(({ waiting, writes }) => waiting.length === 0 && writes === 0);
  }
}

function queueOf(writesAtOnce: number, entriesPerWrite: number): Queue {
  return { waiting: [], writes: 0, writesAtOnce, entriesPerWrite, timer: null };
}

/** The size of an entry beside its texts, and of each record in it. */
const entryBytes = 256;
const recordBytes = 128;

function bytesOf({ exchange, readings, notes, connectorChanges }: JournalEntry): number {
  const texts = (exchange?.request.length ?? 0) + (exchange?.answer?.length ?? 0);
  const records = (readings?.length ?? 0) + (notes?.length ?? 0) + (connectorChanges?.length ?? 0);
  return entryBytes + texts + records * recordBytes;
}

function framesOf({ onStored, onLost }: JournalEntry, exchange: LoggedExchange): JournalEntry {
  return {
    exchange: { ...exchange, fault: exchangeFaults.notStored },
    ...(onStored !== undefined && { onStored }),
    ...(onLost !== undefined && { onLost }),
  };
}
