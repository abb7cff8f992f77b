import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import lighthouse from 'lighthouse';
import { launch } from 'puppeteer-core';
import { chromiumFlags, isSandboxed } from './chromium-flags.ts';

/** 0 to 100, as Lighthouse shows them. */
export type Scores = {
  performance: number;
  accessibility: number;
  /** Audits of the two categories that did not pass in full, with what was measured. */
  short: string[];
};

/** A Chromium that starts too slowly leaves a truncated trace; another attempt succeeds. */
const attemptsMax = 2;

/**
 * Lighthouse's scores for an address on a phone with a slow network (its default form factor and throttling), in its
 * own Chromium with an empty profile.
 * @throws Error when the machine has no Chromium, or Lighthouse could not judge the page.
 */
export async function lighthouseScores(address: string): Promise<Scores> {
  for (let attempt = 1; ; attempt += 1) {
    const { categories, audits, runtimeError } = await report(address);
    if (runtimeError !== undefined) {
      if (attempt < attemptsMax) continue;
      throw new Error(`Lighthouse: ${runtimeError.message}`);
    }
    const scoreOf = (category: 'performance' | 'accessibility') =>
      Math.round((categories[category]?.score ?? Number.NaN) * 100);
    const weighed = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
    const short = weighed.flatMap(({ id }) => {
      const audit = audits[id];
      if (audit === undefined || audit.score === null || audit.score >= 1) return [];
      return [`${id} ${audit.displayValue ?? ''} (${Math.round(audit.score * 100)})`];
    });
    return { performance: scoreOf('performance'), accessibility: scoreOf('accessibility'), short };
  }
}

async function report(address: string) {
  const chromePath = findChromium();
  if (chromePath === null) throw new Error('this machine has no Chromium or Chrome');
  // Chromium chooses the port of its inspector and reports it.
  const chrome = await launch({
    executablePath: chromePath,
    args: [...(isSandboxed ? [] : ['--no-sandbox']), ...chromiumFlags],
  });
  try {
    const judged = await lighthouse(address, {
      port: Number(new URL(chrome.wsEndpoint()).port),
      logLevel: 'error',
      output: 'json',
      onlyCategories: ['performance', 'accessibility'],
    });
    if (judged === undefined) throw new Error('Lighthouse gave no result');
    return judged.lhr;
  } finally {
    await chrome.close();
  }
}
