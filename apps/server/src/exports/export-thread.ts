import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import type { Exports, Wanted } from './exports.ts';
import { chunkBytes, errorOf, type FromThread, type ThreadSettings, type ToThread } from './thread-messages.ts';

export const exportThreadLimits = {
  /** An idle thread ends after this, which frees its memory. */
  idleMs: minuteMs,
  /** Grace period before the thread is terminated. */
  endMs: 5 * secondMs,
  /** Ten exports hold a batch each, and a row of the log may be long. */
  resources: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
} as const;

/** pino's logger fits. */
export interface ThreadLog {
  error(details: { err: unknown }, text: string): void;
}

export type ExportThreadOptions = ThreadSettings & {
  log?: ThreadLog;
  idleMs?: number;
  /** The script that the thread runs. */
  entry?: URL;
};

const ownEntry = new URL('../exports-main.ts', import.meta.url);

/** What happens to an export, for its stream. */
type Receiver = {
  rows(count: number): void;
  chunk(bytes: Buffer): void;
  end(): void;
  broken(error: Error): void;
};

/**
 * Writes exports in a thread of their own, with database connections of their own, so that the thread that answers
 * stations reads no rows (docs/decisions/0013). It starts with the first export and ends some time after the last. If
 * it dies, its files break off, and the next export starts another.
 */
export class ExportThread implements Exports {
  readonly #options: ExportThreadOptions;
  readonly #threads = new Set<Thread>();
  #isClosed = false;

  constructor(options: ExportThreadOptions) {
    this.#options = options;
  }

  write(wanted: Wanted, onRows: (rows: number) => void = () => undefined): Readable {
    let begun: { thread: Thread; id: number } | null = null;
    let takenChunks = 0;
    const stream = new Readable({
      highWaterMark: chunkBytes,
      read: () => {
        if (begun === null) {
          const thread = this.#thread();
          begun = { thread, id: thread.begin(wanted, receiver) };
        } else if (takenChunks > 0) {
          begun.thread.tell({ kind: 'taken', id: begun.id, chunks: takenChunks });
          takenChunks = 0;
        }
      },
      destroy(error, callback) {
        begun?.thread.drop(begun.id);
        callback(error);
      },
    });
    const receiver: Receiver = {
      rows: onRows,
      chunk(bytes) {
        takenChunks += 1;
        stream.push(bytes);
      },
      end: () => stream.push(null),
      broken: (error) => stream.destroy(error),
    };
    return stream;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  /** @throws Error after `close`. */
  #thread(): Thread {
    if (this.#isClosed) throw new Error('the server stops and writes no more exports');
    for (const thread of this.#threads) if (!thread.isEnding) return thread;
    const thread = new Thread(this.#options);
    this.#threads.add(thread);
    void thread.ended.then(() => this.#threads.delete(thread));
    return thread;
  }
}

/** One thread from its start to its end. */
class Thread {
  /** It gets no new exports. */
  isEnding = false;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #receivers = new Map<number, Receiver>();
  readonly #idleMs: number;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor({ databaseUrl, connections, log, entry = ownEntry, idleMs }: ExportThreadOptions) {
    this.#idleMs = idleMs ?? exportThreadLimits.idleMs;
    this.#worker = new Worker(entry, {
      name: 'exports',
      workerData: { databaseUrl, connections } satisfies ThreadSettings,
      resourceLimits: exportThreadLimits.resources,
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    let fault = new Error('the thread that writes exports ended');
    this.#worker.on('error', (error: Error) => {
      fault = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        if (!this.isEnding) log?.error({ err: fault }, 'the thread that writes exports died');
        this.isEnding = true;
        clearTimeout(this.#idle);
        this.#breakOff(fault);
        resolve();
      });
    });
  }

  /** The number that identifies the export in messages. */
  begin(wanted: Wanted, receiver: Receiver): number {
    clearTimeout(this.#idle);
    this.#lastId += 1;
    this.#receivers.set(this.#lastId, receiver);
    this.tell({ kind: 'write', id: this.#lastId, wanted });
    return this.#lastId;
  }

  tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Ends an export without a reader; one that has ended is left alone. */
  drop(id: number): void {
    if (this.#forget(id)) this.tell({ kind: 'drop', id });
  }

  /** Breaks off its files and waits for its end. */
  async end(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true;
      clearTimeout(this.#idle);
      this.tell({ kind: 'close' });
      this.#breakOff(new Error('the server is closing'));
      const tooLong = setTimeout(() => void this.#worker.terminate(), exportThreadLimits.endMs);
      void this.ended.then(() => clearTimeout(tooLong));
    }
    await this.ended;
  }

  #hear(message: FromThread): void {
    const receiver = this.#receivers.get(message.id);
    // It was dropped before the thread knew.
    if (receiver === undefined) return;
    switch (message.kind) {
      case 'rows':
        receiver.rows(message.rows);
        return;
      case 'chunk':
        receiver.chunk(Buffer.from(message.bytes));
        return;
      case 'end':
        this.#forget(message.id);
        receiver.end();
        return;
      case 'broken':
        this.#forget(message.id);
        receiver.broken(errorOf(message.fault));
    }
  }

  #forget(id: number): boolean {
    const wasThere = this.#receivers.delete(id);
    if (wasThere && this.#receivers.size === 0 && !this.isEnding) {
      this.#idle = setTimeout(() => void this.end(), this.#idleMs);
      this.#idle.unref();
    }
    return wasThere;
  }

  #breakOff(error: Error): void {
    const broken = [...this.#receivers.values()];
    this.#receivers.clear();
    for (const receiver of broken) receiver.broken(error);
  }
}
