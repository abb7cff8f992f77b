import { beforeEach, describe, expect, test, vi } from 'vitest';

let page: typeof import('./page-end.ts');
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('window', { addEventListener: () => {} });
  page = await import('./page-end.ts');
  return () => vi.unstubAllGlobals();
});

/** Whether a promise is still pending after everything that is ready has run. */
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
  test('a page that has ended gets neither the answer nor the failure of a running request', async () => {
    const [answer, failure] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const asked = [page.untilPageEnd(() => answer.promise), page.untilPageEnd(() => failure.promise)];
    page.endPage();
    expect(page.pageEnd.aborted).toBe(true);
    answer.resolve(1);
    failure.reject(new Error('given up'));
    for (const each of asked) expect(await isOpen(each)).toBe(true);
  });

  test('a page that has ended sends no requests', async () => {
    page.endPage();
    const ask = vi.fn(async () => 1);
    expect(await isOpen(page.untilPageEnd(ask))).toBe(true);
    expect(ask).not.toHaveBeenCalled();
  });

  test('a page that has ended got every earlier answer', async () => {
    await expect(page.untilPageEnd(async () => 1)).resolves.toBe(1);
    await expect(page.untilPageEnd(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
