import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { adminPassword, compiledDir } from '@voltdeck/journeys/product';
import { databaseUrl, withClient } from '@voltdeck/server/database/test-database-setup';
import { instant } from '@voltdeck/units/instant';
import type { TestProject } from 'vitest/node';
import { offMidnightMs } from './off-midnight.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The port of the process that runs the product for the browser tests. */
    productHostPort: number;
    /** How far the clocks of tests, servers and pages are ahead of the machine's. */
    clockAheadMs: number;
  }
}

/** What the host is asked for: once by this set-up, and by each test in its first line. */
export type HostAsked = {
  settings: Readonly<Record<string, string>>;
  /** How far the server's clock is ahead. */
  aheadMs: number;
};

export const serverOn = (url: string, more: Readonly<Record<string, string>> = {}, aheadMs = 0): HostAsked => ({
  aheadMs,
  settings: {
    ...more,
    PORT: '0',
    YKC_PORT: 'any',
    HOST: '127.0.0.1',
    DEMO: '0',
    DATABASE_URL: url,
    ADMIN_PASSWORD: adminPassword,
  },
});

/** Passwords are hashed and files read in threads; Node's four are for one server. */
const threads = '16';

const hostMain = fileURLToPath(new URL('./product-host.ts', import.meta.url));

/**
 * Vitest's globalSetup: one process that runs a server for each browser test file that asks for one. The template of
 * their databases is one that a server has started on: what only a first start does is done once.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { testServerUrl, testTemplate } = project.getProvidedContext();
  const started = testTemplate.replace(/template$/, 'started_template');
  await withClient(testServerUrl, (client) => client.query(`CREATE DATABASE ${started} TEMPLATE ${testTemplate}`));
  const { PATH = '', HOME = '' } = process.env;
  const clockAheadMs = offMidnightMs(instant(Date.now()));
  project.provide('clockAheadMs', clockAheadMs);
  const host = fork(hostMain, [], {
    execArgv: [],
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE: compiledDir,
      UV_THREADPOOL_SIZE: threads,
      CLOCK_AHEAD_MS: String(clockAheadMs),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(host, 'exit');
  host.send(serverOn(databaseUrl(testServerUrl, started)));
  const heard = await Promise.race([once(host, 'message'), ended.then(() => null)]);
  if (heard === null) throw new Error('the host of the product ended before it listened');
  project.provide('testTemplate', started);
  project.provide('productHostPort', heard[0] as number);
  return async () => {
    host.disconnect();
    await ended;
  };
}
