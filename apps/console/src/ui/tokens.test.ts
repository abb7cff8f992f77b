import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tones } from './state-colours.ts';

const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensOf(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((found) => [found[1], found[2]]));
}
const dark = tokens.slice(tokens.indexOf('[data-theme="dark"]'));
const light = tokensOf(tokens.slice(0, tokens.indexOf('[data-theme="dark"]')));
const themes = { light, dark: { ...light, ...tokensOf(dark) } };

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
function contrast(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (name) => {
  const theme: Record<string, string> = themes[name];
  const surfaces = ['page', 'panel', 'raised', 'head', 'hover', 'active', 'field'];

  test.each(['text', 'text-second', 'text-faint', 'strong-text', 'menu-text'])(
    '%s meets AA on every surface',
    (text) => {
      for (const surface of surfaces) {
        expect([surface, contrast(theme[text], theme[surface]) >= 4.5]).toEqual([surface, true]);
      }
    },
  );

  test.each(tones)('a %s state meets AA on its fill and on a panel', (tone) => {
    expect(contrast(theme[tone], theme[`${tone}-fill`])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme[tone], theme.panel)).toBeGreaterThanOrEqual(4.5);
  });

  test('the filled button and its hover meet AA', () => {
    expect(contrast(theme['on-strong'], theme.strong)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme['on-strong'], theme['strong-hover'])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['sharp', 'peak', 'flat', 'valley'])('the %s period stands out from a panel', (period) => {
    expect(contrast(theme[`period-${period}`], theme.panel)).toBeGreaterThanOrEqual(2.5);
  });
});
