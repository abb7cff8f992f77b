/** Specification section 7: timeout 100000 ms, up to 3 retries with 10 s delay on network failure. */
export const callTimeoutMs = 100_000;
export const retriesMax = 3;
export const retryDelayMs = 10_000;

export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>;

/**
 * Repeats `attempt` up to `retriesMax` times while its failure `isRetryable`.
 * @throws what the last attempt threw, or the signal's reason.
 */
export async function withRetries<Value>(
  attempt: () => Promise<Value>,
  isRetryable: (failure: unknown) => boolean,
  wait: Wait,
  signal?: AbortSignal,
): Promise<Value> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (retries >= retriesMax || signal?.aborted || !isRetryable(failure)) throw failure;
      await wait(retryDelayMs, signal);
    }
  }
}

export const waitFor: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
