/** How many more chunks of a file may be sent to its reader. */
export class Allowance {
  #left: number;
  #granted: (() => void) | null = null;

  constructor(chunks: number) {
    this.#left = chunks;
  }

  grant(chunks: number): void {
    this.#left += chunks;
    this.#granted?.();
  }

  /** Waits for one. @throws the signal's reason. */
  async take(signal: AbortSignal): Promise<void> {
    while (this.#left === 0) {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#granted = resolve;
      const onAbort = () => resolve();
      signal.addEventListener('abort', onAbort, { once: true });
      await promise;
      signal.removeEventListener('abort', onAbort);
    }
    this.#left -= 1;
  }
}
