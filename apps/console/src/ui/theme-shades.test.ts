import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appearances } from './appearance.ts';
import { contrastOf, defaultThemeColour, isColour, presetColours, shadesOf } from './theme-shades.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const darkAt = css.indexOf('[data-theme="dark"]');
const tokensOf = (block: string) =>
  Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((found) => [found[1], found[2]]));
const light: Record<string, string> = tokensOf(css.slice(0, darkAt));
const tokens = { light, dark: { ...light, ...tokensOf(css.slice(darkAt)) } };

const byte = fc.integer({ min: 0, max: 255 });
const anyColour = fc
  .tuple(byte, byte, byte)
  .map((rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`);
const edges = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#ff0000', '#0000ff', '#808080', '#00ffff', '#ff00ff'];

describe.each(appearances)('any theme colour in the %s appearance', (appearance) => {
  const fixed: Record<string, string> = tokens[appearance];
  const check = (colour: string) => {
    const shades = shadesOf(colour, appearance);
    const all: Record<string, string> = { ...fixed, ...shades };
    const readable = (text: string, on: string) =>
      expect([colour, text, on, contrastOf(all[text] ?? '', all[on] ?? '') >= 4.5]).toEqual([colour, text, on, true]);
    expect(Object.values(shades).every(isColour)).toBe(true);
    readable('on-strong', 'strong');
    readable('on-strong', 'strong-hover');
    for (const surface of ['page', 'panel', 'raised', 'head', 'field', 'hover', 'active']) {
      readable('strong-text', surface);
    }
    for (const tint of ['hover', 'active']) {
      for (const text of ['text', 'text-second', 'text-faint', 'menu-text']) readable(text, tint);
    }
    expect(contrastOf(shades['theme-mark'], fixed.panel ?? '')).toBeGreaterThanOrEqual(3);
  };

  test('a theme colour gives shades with readable text (WCAG AA)', () => {
    fc.assert(fc.property(anyColour, check), { numRuns: 400, examples: edges.map((colour) => [colour]) });
  });

  test('a theme colour is used unchanged for marks if it is visible there', () => {
    for (const colour of presetColours) {
      if (appearance === 'light') expect(shadesOf(colour, 'light')['theme-mark']).toBe(colour);
      expect(shadesOf(colour, appearance).theme).toBe(colour);
    }
  });
});

test('the default theme is that of the specification, and every preset is a colour', () => {
  expect(defaultThemeColour).toBe('#5f7df9');
  expect(presetColours.every(isColour)).toBe(true);
  expect(presetColours[0]).toBe(defaultThemeColour);
});

test('only six hexadecimal digits are a colour', () => {
  for (const wrong of ['red', '#fff', '#12345g', '#1234567', '', null, 5]) expect(isColour(wrong)).toBe(false);
});

test('contrast is computed as WCAG defines it', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#5f7df9', '#ffffff')).toBeCloseTo(3.63, 2);
});
