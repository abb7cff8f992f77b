import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { RunningAnswers } from './running-answers.ts';

test('a closing server waits for the work on a request whose caller has hung up', async () => {
  const app = Fastify();
  const answers = new RunningAnswers(app);
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const told: string[] = [];
  app.get('/slow', async () => {
    begun.resolve();
    await finish.promise;
    told.push('the work is done');
    return {};
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const caller = new AbortController();
  const asked = fetch(`${url}/slow`, { signal: caller.signal }).catch(() => null);
  await begun.promise;
  caller.abort();
  await asked;
  await expect.poll(() => new Promise((tell) => app.server.getConnections((_, count) => tell(count)))).toBe(0);
  const closed = answers.finished(60_000).then(() => told.push('nothing is being answered'));
  finish.resolve();
  await closed;
  expect(told).toEqual(['the work is done', 'nothing is being answered']);
  await app.close();
});
