import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { standBack } from '@voltdeck/server/database/yield-cores';

/** A process of the bench that carries out one order at a time. */
export type Child<Order, Answer> = {
  readonly pid: number;
  /** @throws Error with what the process says when it could not. */
  ask(order: Order): Promise<Answer>;
  end(): Promise<void>;
};

export type Told<Answer> = { done: Answer } | { failed: string };

/**
 * Starts a bench's process from a file beside this one, in a session of its own, as if it ran elsewhere. With
 * `standsBack` it takes the cores that everybody else leaves: what it asks of the server counts, not what it costs itself.
 */
export async function startChild<Order extends object, Answer>(
  file: string,
  { standsBack = false } = {},
): Promise<Child<Order, Answer>> {
  const child: ChildProcess = fork(new URL(file, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  if (standsBack) await standBack(child.pid ?? 0);
  return {
    pid: child.pid ?? 0,
    async ask(order) {
      const answered = Promise.race([
        once(child, 'message') as Promise<[Told<Answer>]>,
        once(child, 'exit').then(() => [{ failed: `${file} ended` }] as [Told<Answer>]),
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

/** What the process itself does: carries out every order that it is given and answers it. */
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
