import { QueryClient } from '@tanstack/react-query';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { expect, test, vi } from 'vitest';
import { keepOvertaking } from './overtaking-events.ts';

const key = ['/orders', null, { page: 1 }];
const eventOf = (taskId: number): ConsoleEvent => ({
  kind: 'task-changed',
  taskId: taskId as never,
  state: 'done',
  doneCount: 0,
  totalCount: null,
});

/** A list whose answers arrive when the test says so. */
function asked() {
  const client = new QueryClient();
  const answers: PromiseWithResolvers<string>[] = [];
  const fetch = () =>
    client.fetchQuery({
      queryKey: key,
      queryFn: () => {
        const answer = Promise.withResolvers<string>();
        answers.push(answer);
        return answer.promise;
      },
    });
  const take = vi.fn((event: ConsoleEvent) => {
    client.setQueryData(key, (rows: string | undefined) => `${rows} ${'taskId' in event ? event.taskId : ''}`);
  });
  const onTooMany = vi.fn();
  return { client, answers, fetch, take, onTooMany, ...keepOvertaking(client, { keyNow: () => key, take, onTooMany }) };
}

test('events during the first fetch are taken, in their order and once, when its answer is there', async () => {
  const { client, answers, fetch, note, take } = asked();
  const fetched = fetch();
  note(eventOf(1));
  note(eventOf(2));
  expect(take).not.toHaveBeenCalled();
  answers[0]?.resolve('read before');
  await fetched;
  await expect.poll(() => client.getQueryData(key)).toBe('read before 1 2');
  expect(take).toHaveBeenCalledTimes(2);
});

test('an event during a later fetch is not lost to an older answer', async () => {
  const { client, answers, fetch, note } = asked();
  const first = fetch();
  answers[0]?.resolve('first');
  await first;
  const second = fetch();
  note(eventOf(3));
  answers[1]?.resolve('second');
  await second;
  await expect.poll(() => client.getQueryData(key)).toBe('second 3');
});

test('an event while nothing is fetched is not kept, and none is after the list is gone', async () => {
  const { answers, fetch, note, take, stop } = asked();
  note(eventOf(4));
  const first = fetch();
  answers[0]?.resolve('first');
  await first;
  const second = fetch();
  note(eventOf(5));
  stop();
  answers[1]?.resolve('second');
  await second;
  expect(take).not.toHaveBeenCalled();
});

test('too many events during one fetch ask for the list again instead', async () => {
  const { answers, fetch, note, take, onTooMany } = asked();
  const fetched = fetch();
  for (let id = 1; id <= 2_000; id += 1) note(eventOf(id));
  answers[0]?.resolve('first');
  await fetched;
  await expect.poll(() => onTooMany.mock.calls.length).toBe(1);
  expect(take).not.toHaveBeenCalled();
});
