import { beforeEach, describe, expect, test, vi } from 'vitest';

let page: typeof import('./page-end.ts');
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('window', { addEventListener: () => {} });
  page = await import('./page-end.ts');
  return () => vi.unstubAllGlobals();
});

/** Whether a promise is still open once everything that is ready has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let state = true;
  const close = () => {
    state = false;
  };
  promise.then(close, close);
  await new Promise<void>((resolve) => setImmediate(resolve));
  return state;
}

describe('a page that has ended', () => {
  test('hears neither the answer nor the failure of what it had asked', async () => {
    const [answer, failure] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const asked = [page.untilPageEnd(() => answer.promise), page.untilPageEnd(() => failure.promise)];
    page.endPage();
    expect(page.pageEnd.aborted).toBe(true);
    answer.resolve(1);
    failure.reject(new Error('given up'));
    for (const each of asked) expect(await isOpen(each)).toBe(true);
  });

  test('asks nothing more', async () => {
    page.endPage();
    const ask = vi.fn(async () => 1);
    expect(await isOpen(page.untilPageEnd(ask))).toBe(true);
    expect(ask).not.toHaveBeenCalled();
  });

  test('heard everything before', async () => {
    await expect(page.untilPageEnd(async () => 1)).resolves.toBe(1);
    await expect(page.untilPageEnd(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
