/** Lets `atOnce` tasks run and up to `waiting` wait their turn; more are refused with an error. */
export function createGate(atOnce: number, waiting: number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  const queue: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    running -= 1;
    queue.shift()?.();
  };
  return async (task) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Error('too many are waiting');
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    running += 1;
    try {
      return await task();
    } finally {
      next();
    }
  };
}
