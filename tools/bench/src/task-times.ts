import type { Browser } from 'playwright-core';

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

const taskName = 'ThreadControllerImpl::RunTask';
const pageThread = 'CrRendererMain';

/**
 * Watches the tasks of a browser's pages until the returned function is called, which answers how much of a processor
 * each took on a page's own thread, in milliseconds. By the clock, a task also waits for a processor that others hold.
 */
export async function watchTasks(browser: Browser): Promise<() => Promise<number[]>> {
  const session = await browser.newBrowserCDPSession();
  const pages = new Set<string>();
  const byThread = new Map<string, number[]>();
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, ph, pid, tid, tdur, args } of value as unknown as TraceEvent[]) {
      const thread = `${pid} ${tid}`;
      if (name === 'thread_name' && args.name === pageThread) pages.add(thread);
      if (name !== taskName || ph !== 'X' || tdur === undefined) continue;
      const times = byThread.get(thread) ?? [];
      byThread.set(thread, times);
      times.push(tdur / 1_000);
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const whole = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await whole;
    await session.detach();
    return [...pages].flatMap((thread) => byThread.get(thread) ?? []);
  };
}
