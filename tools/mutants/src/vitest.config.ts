import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { StoriesLast } from './stories-last.ts';

/** Runs in a copy of the repository that holds one package, with that package's own tests. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('./fixed-seed.ts', import.meta.url))],
    // On a busy machine a test that is only slow must not look as if it had noticed something: a change is timed as a whole.
    testTimeout: 600_000,
    sequence: { sequencer: StoriesLast },
    isolate: false,
  },
});
