/** A part that does not end by itself within this is left to the end of the process. */
const endLimitMs = 20_000;

/** What must be closed at the end of a server. */
export class Endings {
  readonly #endings: { name: string; end(): unknown }[] = [];
  #ending: Promise<void> | null = null;

  add(name: string, end: () => unknown): void {
    this.#endings.push({ name, end });
  }

  /** Ends the parts once, the newest first. Never throws: failures are written to stderr. */
  endAll(): Promise<void> {
    this.#ending ??= this.#endEach();
    return this.#ending;
  }

  async #endEach(): Promise<void> {
    for (const { name, end } of this.#endings.reverse()) {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        console.error(`${name} did not end within ${endLimitMs / 1_000} s`);
        limit.resolve();
      }, endLimitMs);
      try {
        await Promise.race([end(), limit.promise]);
      } catch (error) {
        console.error(`${name} did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
