const end = new AbortController();

/** Aborted when this page is left for good: what is under way is given up. */
export const pageEnd: AbortSignal = end.signal;

/**
 * Ends this page's conversation with the server, once and for all: what is under way is given up and nothing new is
 * sent, so that nothing is asked in the name of a session that ends. Whoever calls this loads another page.
 */
export function endPage(): void {
  if (end.signal.aborted) return;
  end.abort();
  // The browser may keep the page and bring it back as it was; it would ask in vain.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** What `ask` gives or throws; nothing ever again after the end of the page, where nobody is left to be told. */
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
