import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { fetchAgain } from './fetch-again.ts';

/** A question whose answers arrive when the test says so. */
function asked(client: QueryClient) {
  const answers: PromiseWithResolvers<string>[] = [];
  const question = {
    queryKey: ['/tasks', 7],
    queryFn: () => {
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    },
  };
  const shown = new QueryObserver(client, question);
  return { question, answers, shown };
}

test('a change that arrives before the first answer is shown, however old that answer is', async () => {
  const client = new QueryClient();
  const { answers, shown } = asked(client);
  const stop = shown.subscribe(() => undefined);
  const again = fetchAgain(client, ['/tasks']);
  answers[0]?.resolve('running');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve('done');
  await again;
  expect(shown.getCurrentResult().data).toBe('done');
  stop();
});

test('a question that was asked before its page shows is asked again when the page is there', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const { question, answers, shown } = asked(client);
  void client.prefetchQuery(question);
  const again = fetchAgain(client, ['/tasks']);
  answers[0]?.resolve('running');
  await again;
  const stop = shown.subscribe(() => undefined);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve('done');
  await expect.poll(() => shown.getCurrentResult().data).toBe('done');
  stop();
});

test('changes that arrive before the first answer ask once more together', async () => {
  const client = new QueryClient();
  const { answers, shown } = asked(client);
  const stop = shown.subscribe(() => undefined);
  const changes = [1, 2, 3].map(() => fetchAgain(client, ['/tasks']));
  answers[0]?.resolve('running');
  await expect.poll(() => answers.length).toBeGreaterThan(1);
  answers.at(-1)?.resolve('done');
  await Promise.all(changes);
  expect(answers).toHaveLength(2);
  expect(shown.getCurrentResult().data).toBe('done');
  stop();
});

test('an answer that is shown is fetched again once, in place of a request under way', async () => {
  const client = new QueryClient();
  const { answers, shown } = asked(client);
  const stop = shown.subscribe(() => undefined);
  answers[0]?.resolve('running');
  await expect.poll(() => shown.getCurrentResult().data).toBe('running');
  const again = fetchAgain(client, ['/tasks']);
  const last = fetchAgain(client, ['/tasks']);
  answers[2]?.resolve('done');
  await Promise.all([again, last]);
  expect(answers).toHaveLength(3);
  expect(shown.getCurrentResult().data).toBe('done');
  stop();
});
