import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags, isSandboxed } from './chromium-flags.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The endpoint of the run's one Chromium; empty if the machine has none. */
    chromiumEndpoint: string;
  }
}

/**
 * Features that the tests can do without: each page lives for a second or two, so optimising compilers would work for
 * nothing, and the pages of a profile can share one process. Saves an eighth of the work.
 */
const frugalFlags = ['--js-flags=--no-maglev --no-turbofan', '--renderer-process-limit=1'] as const;

/**
 * The first three load two pages for the address bar of every window, which cost as much as a page of the console. Only
 * Chromium's last list of features counts, so the others repeat what Playwright switches off.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
] as const;

/** Vitest's globalSetup: starts one Chromium for the whole run; every test gets its own profile in it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (executablePath === null) {
    // The tests that need it fail one by one; the others still run.
    project.provide('chromiumEndpoint', '');
    return async () => undefined;
  }
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    chromiumSandbox: isSandboxed,
    args: [...chromiumFlags, ...frugalFlags, `--disable-features=${featuresOff.join(',')}`],
  });
  project.provide('chromiumEndpoint', server.wsEndpoint());
  return () => server.close();
}
