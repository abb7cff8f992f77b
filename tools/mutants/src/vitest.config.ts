import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { StoriesLast } from './stories-last.ts';

/** Runs in a copy of the repository that holds one package, with that package's own tests. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('./fixed-seed.ts', import.meta.url))],
    // A slow test on a busy machine must not count as having noticed a change: each change has a timeout as a whole.
    testTimeout: 600_000,
    sequence: { sequencer: StoriesLast },
    isolate: false,
  },
});
