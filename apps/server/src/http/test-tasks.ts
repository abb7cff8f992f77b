import type { Task } from '@voltdeck/contract/tasks';
import { expect } from 'vitest';
import { startJobs } from '../jobs/run-jobs.ts';
import type { TestApi } from './test-api.ts';

/** The workers of a test's server and the tasks that they do. `api` is asked for once it is open. */
export function testTasks(api: () => TestApi) {
  let workers: { stop(): Promise<void> } | null = null;
  const find = async (id: number | null) => (await api().get<Task>(`/tasks/${id}`)).data;
  return {
    async work(): Promise<void> {
      workers ??= await startJobs(api().database.url, api().context);
    },
    async rest(): Promise<void> {
      await workers?.stop();
      workers = null;
    },
    find,
    async ended(id: number | null): Promise<void> {
      await expect
        .poll(async () => (await find(id)).state, { timeout: 60_000, interval: 100 })
        .not.toMatch(/waiting|running/);
    },
  };
}
