import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { lowerPriority } from '@voltdeck/server/database/yield-cores';

/** A process of the bench that handles one order at a time. */
export type Child<Order, Answer> = {
  readonly pid: number;
  /** @throws Error with the process's message when it failed. */
  ask(order: Order): Promise<Answer>;
  end(): Promise<void>;
};

export type ChildMessage<Answer> = { done: Answer } | { failed: string };

/**
 * Starts a bench's process from a file beside this one, in its own session, as if it ran elsewhere. With `standsBack`
 * it has the lowest priority: the bench measures the server, not this process.
 */
export async function startChild<Order extends object, Answer>(
  file: string,
  { standsBack = false } = {},
): Promise<Child<Order, Answer>> {
  const child: ChildProcess = fork(new URL(file, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  if (standsBack) await lowerPriority(child.pid ?? 0);
  return {
    pid: child.pid ?? 0,
    async ask(order) {
      const answered = Promise.race([
        once(child, 'message') as Promise<[ChildMessage<Answer>]>,
        once(child, 'exit').then(() => [{ failed: `${file} ended` }] as [ChildMessage<Answer>]),
      ]);
      child.send(order);
      const [told] = await answered;
      if ('failed' in told) throw new Error(told.failed);
      return told.done;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Runs in the process itself: handles and answers every order. */
export function carryOutOrders<Order, Answer>(carryOut: (order: Order) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit());
  process.on('message', (order: Order) => {
    carryOut(order).then(
      (done) => process.send?.({ done }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
