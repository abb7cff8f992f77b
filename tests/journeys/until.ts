const askEveryMs = 20;

/**
 * Polls until the result is not null, undefined or false, and returns it.
 * @throws Error naming `what` after `limitMs`, with the last failure if polling itself failed.
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  limitMs = 30_000,
): Promise<Exclude<Answer, null | undefined | false>> {
  const end = performance.now() + limitMs;
  let failure: unknown = null;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) {
        return answer as Exclude<Answer, null | undefined | false>;
      }
      failure = null;
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= end) {
      const because = failure === null ? '' : `: ${failure instanceof Error ? failure.message : String(failure)}`;
      throw new Error(`${what}: not within ${limitMs / 1_000} s${because}`);
    }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
