import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/front-door/longest-first.ts';

/**
 * How many files run at once, the same in every project so that they share one queue. Most of them wait – for a server
 * of their own to start, for a browser, for half a minute to pass – so there are more than cores.
 */
const maxWorkers = Math.max(5, availableParallelism());

/** A condition is waited for as long as a machine may need that runs four such files and other things besides. */
const patient = { expect: { poll: { timeout: 30_000 } } };

/**
 * Files that run in turn share the modules of their process, which cost more than most tests. Only for code whose modules
 * keep nothing that a test changes: packages are pure, and the server's state is in what a test makes for itself.
 */
const sharedModules = { isolate: false };

const database = {
  globalSetup: ['apps/server/src/database/test-database-setup.ts'],
  setupFiles: ['apps/server/src/database/test-database-cleanup.ts'],
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'packages',
          maxWorkers,
          ...patient,
          ...sharedModules,
          include: ['packages/*/src/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
          // Generated input by the hundred thousand, on a machine that does other things as well.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'console and tools',
          maxWorkers,
          ...patient,
          include: ['apps/console/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tools/bench/**', 'tools/world/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          maxWorkers,
          ...patient,
          ...sharedModules,
          include: ['apps/server/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
          ...database,
        },
      },
      {
        test: {
          name: 'world',
          maxWorkers,
          ...patient,
          include: ['tools/world/src/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          ...database,
        },
      },
      {
        test: {
          name: 'bench',
          maxWorkers,
          ...patient,
          include: ['tools/bench/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 240_000,
          ...database,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          maxWorkers,
          ...patient,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          ...database,
        },
      },
      {
        test: {
          name: 'browser',
          maxWorkers,
          ...patient,
          include: ['tests/browser/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          // What a file keeps in mind is in its own constants; loading what all of them share costs seconds each time.
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          globalSetup: [...database.globalSetup, 'tests/browser/chromium-setup.ts', 'tests/browser/product-setup.ts'],
          setupFiles: [...database.setupFiles, 'tests/browser/off-midnight-setup.ts', 'tests/browser/pages-cleanup.ts'],
        },
      },
    ],
  },
});
