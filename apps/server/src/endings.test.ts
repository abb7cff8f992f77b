import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { Endings } from './endings.ts';

afterEach(() => vi.restoreAllMocks());

test('parts end once, the newest first, and one that fails does not keep the others', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const endings = new Endings();
  const ended: string[] = [];
  endings.add('database', () => ended.push('database'));
  endings.add('jobs', () => {
    throw new Error('a job runs');
  });
  endings.add('http', () => wait(5).then(() => ended.push('http')));
  await Promise.all([endings.endAll(), endings.endAll()]);
  expect(ended).toEqual(['http', 'database']);
  expect(said.mock.calls).toEqual([['jobs did not end cleanly: a job runs']]);
});

test('a start in progress begins nothing more, and what it was beginning ends before what it needs', async () => {
  const endings = new Endings();
  const ended: string[] = [];
  const begun = Promise.withResolvers<void>();
  const start = async () => {
    endings.add('database', () => ended.push('database'));
    await begun.promise;
    endings.add('jobs', () => ended.push('jobs'));
    if (!endings.signal.aborted) endings.add('demo', () => ended.push('demo'));
  };
  endings.endAfter(start());
  const ending = endings.endAll();
  expect(ended).toEqual([]);
  begun.resolve();
  await ending;
  expect(ended).toEqual(['jobs', 'database']);
});

test('a start that failed ends as one that succeeded', async () => {
  const endings = new Endings();
  const ended: string[] = [];
  endings.add('database', () => ended.push('database'));
  endings.endAfter(Promise.reject(new Error('the port is in use')));
  await endings.endAll();
  expect(ended).toEqual(['database']);
});
