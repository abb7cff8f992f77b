import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench that carries out one order at a time. */
export type Child<Order, Answer> = {
  readonly pid: number;
  /** @throws Error with what the process says when it could not. */
  ask(order: Order): Promise<Answer>;
  end(): Promise<void>;
};

export type Told<Answer> = { done: Answer } | { failed: string };

/** Starts a bench's process from a file beside this one. */
export function startChild<Order extends object, Answer>(file: string): Child<Order, Answer> {
  const child: ChildProcess = fork(new URL(file, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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
  process.on('message', (order: Order) => {
    carryOut(order).then(
      (done) => process.send?.({ done }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
