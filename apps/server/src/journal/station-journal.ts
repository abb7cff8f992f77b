import type pg from 'pg';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { changeConnectors } from './connectors.ts';
import { copyExchanges, copyNumbered, numbered, type StoredExchange } from './exchanges.ts';
import { changeFigures } from './figures.ts';
import { changeGroundLocks } from './ground-locks.ts';
import type { JournalEntry } from './journal-entry.ts';
import { copyNotes } from './notes.ts';
import { storeReadings } from './readings.ts';
import { changeStations } from './stations.ts';

/** Who is told what has become durable, if anybody is there. */
export type ExchangeAudience = {
  areExchangesWatched(): boolean;
  tellExchanges(exchanges: readonly StoredExchange[]): void;
};

export const journalLimits = {
  /** Messages are gathered so long before they are written in one transaction. */
  gatherMs: 5,
  /** Transactions under way at once: one is being committed while the next is filled. */
  writesAtOnce: 2,
  entriesPerWrite: 4_000,
  /** Entries that wait while the database is away. Beyond it they are lost, and so unanswered: stations send again. */
  entriesWaiting: 100_000,
  retryMs: { first: 100, max: 5_000 },
} as const;

/**
 * Makes what stations say durable, many messages in one transaction: the price of a commit is shared, which is what
 * carries thousands of stations on one small database (docs/capacity.md). A station is answered only from `onStored`.
 */
export class StationJournal {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #audience: ExchangeAudience | null;
  #waiting: JournalEntry[] = [];
  #writes = 0;
  /** Resolves when all that was taken up before has been told. */
  #told: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #retryMs = 0;
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(pool: pg.Pool, log: Logger, audience: ExchangeAudience | null = null) {
    this.#pool = pool;
    this.#log = log;
    this.#audience = audience;
  }

  add(entry: JournalEntry): void {
    if (this.#closed || this.#waiting.length >= journalLimits.entriesWaiting) {
      entry.onLost?.();
      return;
    }
    this.#waiting.push(entry);
    this.#plan();
  }

  /** Entries not yet durable. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Resolves when everything added before is stored or lost. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && this.#writes === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Stores what waits, then takes nothing more. Gives up on a database that is away. */
  async close(): Promise<void> {
    if (this.#retryMs === 0) await this.drained();
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
  }

  #plan(): void {
    if (this.#timer !== null || this.#waiting.length === 0 || this.#writes >= journalLimits.writesAtOnce) return;
    const wait = this.#retryMs > 0 ? this.#retryMs : journalLimits.gatherMs;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#write();
      this.#plan();
    }, wait);
  }

  async #write(): Promise<void> {
    const entries =
      this.#waiting.length <= journalLimits.entriesPerWrite
        ? this.#waiting
        : this.#waiting.slice(0, journalLimits.entriesPerWrite);
    this.#waiting = entries === this.#waiting ? [] : this.#waiting.slice(journalLimits.entriesPerWrite);
    if (entries.length === 0) return;
    this.#writes += 1;
    // Told in the order of adding: who hears a station answered finds all that it said before durable, too.
    const before = this.#told;
    const told = Promise.withResolvers<void>();
    this.#told = told.promise;
    try {
      await this.#store(entries, false);
      this.#retryMs = 0;
      await before;
      for (const entry of entries) entry.onStored?.();
    } catch (error) {
      if (isDatabaseAway(error)) {
        this.#retryMs = Math.min(Math.max(this.#retryMs * 2, journalLimits.retryMs.first), journalLimits.retryMs.max);
        this.#log.warn(
          { error: String(error), waiting: entries.length + this.#waiting.length },
          'journal: the database is away',
        );
        this.#waiting = entries.concat(this.#waiting);
      } else {
        await before;
        await this.#storeApart(entries, error);
      }
    } finally {
      told.resolve();
      this.#writes -= 1;
      this.#plan();
      if (this.#waiting.length === 0 && this.#writes === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** One entry spoils the transaction of all: halve until it stands alone, so that no neighbour is lost. */
  async #storeApart(entries: readonly JournalEntry[], error: unknown): Promise<void> {
    try {
      await this.#store(entries, true);
      for (const entry of entries) entry.onStored?.();
      return;
    } catch (again) {
      if (isDatabaseAway(again)) {
        this.#waiting = [...entries, ...this.#waiting];
        return;
      }
    }
    if (entries.length === 1) {
      this.#log.error({ error: String(error), exchange: entries[0]?.exchange }, 'journal: an entry cannot be stored');
      entries[0]?.onLost?.();
      return;
    }
    const middle = entries.length >> 1;
    await this.#storeApart(entries.slice(0, middle), error);
    await this.#storeApart(entries.slice(middle), error);
  }

  async #store(entries: readonly JournalEntry[], mayBeRepeated: boolean): Promise<void> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const exchanges = each(entries, ({ exchange }) => exchange);
      const watched = this.#audience?.areExchangesWatched() === true ? await numbered(client, exchanges) : null;
      await (watched === null ? copyExchanges(client, exchanges) : copyNumbered(client, watched));
      await storeReadings(
        client,
        all(entries, ({ readings }) => readings),
        mayBeRepeated,
      );
      await copyNotes(
        client,
        all(entries, ({ notes }) => notes),
      );
      await changeConnectors(
        client,
        all(entries, ({ connectorChanges }) => connectorChanges),
      );
      await changeGroundLocks(
        client,
        all(entries, ({ groundLockChanges }) => groundLockChanges),
      );
      await changeStations(
        client,
        each(entries, ({ stationChange }) => stationChange),
      );
      await changeFigures(
        client,
        each(entries, ({ figures }) => figures),
      );
      await client.query('commit');
      if (watched !== null) this.#tell(watched);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      if (!isDatabaseAway(error)) {
        await client.query('rollback').then(
          () => {
            broken = undefined;
          },
          () => {},
        );
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** What is durable stays so, whatever becomes of who watches. */
  #tell(exchanges: readonly StoredExchange[]): void {
    try {
      this.#audience?.tellExchanges(exchanges);
    } catch (error) {
      this.#log.error({ err: error }, 'journal: what was stored could not be told');
    }
  }
}

function each<Part>(entries: readonly JournalEntry[], partOf: (entry: JournalEntry) => Part | undefined): Part[] {
  return entries.flatMap((entry) => partOf(entry) ?? []);
}

function all<Part>(
  entries: readonly JournalEntry[],
  partsOf: (entry: JournalEntry) => readonly Part[] | undefined,
): Part[] {
  return entries.flatMap((entry) => partsOf(entry) ?? []);
}
