import type { Server, ServerResponse } from 'node:http';

/** Tracks the requests being answered, so that a closing server waits only for those. */
export class RunningAnswers {
  readonly #running = new Set<ServerResponse>();
  #onIdle: (() => void) | null = null;

  constructor(server: Server) {
    server.on('request', (_request, response) => {
      this.#running.add(response);
      response.once('close', () => {
        this.#running.delete(response);
        if (this.#running.size === 0) this.#onIdle?.();
      });
    });
  }

  /** Resolves when no request is being answered, at the latest after `limitMs`. */
  async finished(limitMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
