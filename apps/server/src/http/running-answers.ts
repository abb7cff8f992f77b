import type { ServerResponse } from 'node:http';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/**
 * Tracks the requests being answered, so that a closing server waits only for those. A caller who hangs up ends the
 * response, but not the work on it.
 */
export class RunningAnswers {
  readonly #running = new Set<ServerResponse | Promise<unknown>>();
  #onIdle: (() => void) | null = null;

  /** Call it before the routes are bound. */
  constructor(app: FastifyInstance) {
    app.server.on('request', (_request, response: ServerResponse) => {
      this.#running.add(response);
      response.once('close', () => this.#end(response));
    });
    app.addHook('onRoute', (route) => {
      const { handler } = route;
      const running = this.#running;
      const end = this.#end.bind(this);
      route.handler = function (request, reply) {
        const work: unknown = handler.call(this, request, reply);
        if (!(work instanceof Promise)) return work;
        running.add(work);
        const ended = () => end(work);
        work.then(ended, ended);
        return work;
      } as RouteHandlerMethod;
    });
  }

  #end(one: ServerResponse | Promise<unknown>): void {
    this.#running.delete(one);
    if (this.#running.size === 0) this.#onIdle?.();
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
