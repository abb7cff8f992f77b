import axe from 'axe-core';
import type { Page } from 'playwright-core';

const rules = {
  /** WCAG 2.0, 2.1 and 2.2, levels A and AA. */
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  /** Those that depend on colours. */
  'of colours': { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const satisfies Record<string, axe.RunOnly>;
const faultsMax = 20;

/**
 * Serious and critical findings of axe on the current page, one line each. `within` checks only the last visible
 * element of a selector, when the rest of the page has been checked before.
 */
export async function accessibilityFaults(
  page: Page,
  looked: { within?: string | undefined; rules?: keyof typeof rules } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ runOnly, max, selector }) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      const places = selector === undefined ? [] : [...document.querySelectorAll(selector)];
      const place = selector === undefined ? document : places.findLast((element) => element.checkVisibility());
      if (place === undefined) return [`nothing is shown that is ${selector}`];
      const { violations } = await inPage.run(place, { runOnly, resultTypes: ['violations'], preload: false });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
        )
        .slice(0, max);
    },
    { runOnly: { ...rules[looked.rules ?? 'all'] } as axe.RunOnly, max: faultsMax, selector: looked.within },
  );
}

/**
 * What extends beyond the sides of the window, one line each: the document itself, and elements that are cut off
 * because no ancestor scrolls or truncates them on purpose.
 */
export async function overflowFaults(page: Page): Promise<string[]> {
  return page.evaluate((max) => {
    const faults: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`the document is ${scrollWidth} wide, the window ${innerWidth}`);
    const isHeld = (element: Element): boolean => {
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        const { overflowX, position } = getComputedStyle(around);
        const { left, right } = around.getBoundingClientRect();
        if (overflowX !== 'visible' && left >= -1 && right <= innerWidth + 1 && around !== document.body) return true;
        if (position === 'fixed') return false;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width, height } = element.getBoundingClientRect();
      const isSeen =
        width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isSeen || (right <= innerWidth + 1 && left >= -1) || isHeld(element)) continue;
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      faults.push(`${name} from ${Math.round(left)} to ${Math.round(right)}: ${element.textContent.slice(0, 40)}`);
    }
    return faults.slice(0, max);
  }, faultsMax);
}
