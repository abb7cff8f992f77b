/** A part that does not end by itself within this is left to the end of the process. */
const endLimitMs = 20_000;

/** A start that does not settle within this of a request to end is not waited for any longer. */
const startLimitMs = 5_000;

/** What must be closed at the end of a server. */
export class Endings {
  readonly #endings: { name: string; end(): unknown }[] = [];
  readonly #ended = new AbortController();
  #start: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | null = null;

  /** Aborts once the server is to end, so that a start in progress begins nothing more. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** The start whose parts these are: the parts end after it has settled, for what it has half begun cannot end. */
  endAfter(start: Promise<unknown>): void {
    this.#start = start;
  }

  add(name: string, end: () => unknown): void {
    this.#endings.push({ name, end });
  }

  /** Ends the parts once, the newest first. Never throws: failures are written to stderr. */
  endAll(): Promise<void> {
    this.#ending ??= this.#endEach();
    return this.#ending;
  }

  async #endEach(): Promise<void> {
    this.#ended.abort();
    await within(
      startLimitMs,
      this.#start.catch(() => undefined),
    );
    for (let part = this.#endings.pop(); part !== undefined; part = this.#endings.pop()) {
      const { name, end } = part;
      try {
        const inTime = await within(endLimitMs, Promise.resolve(end()));
        if (!inTime) console.error(`${name} did not end within ${endLimitMs / 1_000} s`);
      } catch (error) {
        console.error(`${name} did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

/** Whether a promise settled in time. Rejects as it does. */
async function within(limitMs: number, promise: Promise<unknown>): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => limit.resolve(false), limitMs);
  try {
    return await Promise.race([promise.then(() => true), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
