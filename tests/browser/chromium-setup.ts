import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags, isSandboxed } from './chromium-flags.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the run's one Chromium listens; empty when the machine has none. */
    chromiumEndpoint: string;
  }
}

/**
 * What the tests' pages do without: each is loaded for a second or two, and an optimising compiler would work as long
 * again for code that is thrown away; pages of one profile get along with one process. An eighth less work in all.
 */
const frugalFlags = ['--js-flags=--no-maglev --no-turbofan', '--renderer-process-limit=1'] as const;

/** Vitest's globalSetup: one Chromium for the whole run; every test gets a profile of its own in it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (executablePath === null) {
    // The tests that need it say so one by one; the others of the run still run.
    project.provide('chromiumEndpoint', '');
    return async () => undefined;
  }
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    chromiumSandbox: isSandboxed,
    args: [...chromiumFlags, ...frugalFlags],
  });
  project.provide('chromiumEndpoint', server.wsEndpoint());
  return () => server.close();
}
