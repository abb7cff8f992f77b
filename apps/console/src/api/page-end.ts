const end = new AbortController();

/** Aborted when the page is left for good; running requests end with it. */
export const pageEnd: AbortSignal = end.signal;

/**
 * Ends this page's requests for good: running ones are aborted and new ones are not sent, so that nothing is sent for a
 * session that is ending. The caller loads another page.
 */
export function endPage(): void {
  if (end.signal.aborted) return;
  end.abort();
  // The browser may restore the page from its cache, where every request would fail.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** Passes on the result or error of `ask`; never settles once the page has ended. */
export async function untilPageEnd<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  if (end.signal.aborted) return never();
  try {
    const answer = await ask();
    return end.signal.aborted ? never() : answer;
  } catch (failure) {
    if (end.signal.aborted) return never();
    throw failure;
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
