import { expect, test } from 'vitest';
import { printedCharacters } from './printed-characters.ts';

test('the printed characters are those of GBK with rare names of places, and Latin ones with accents', () => {
  const characters = printedCharacters();
  for (const character of '充电桩站点枪口垟甪鄠圳喆垚Azé–·（），。￥')
    expect(characters, character).toContain(character);
  expect([...characters].filter((character) => /\p{Script=Han}/u.test(character)).length).toBeGreaterThan(20_000);
  expect(characters).not.toMatch(/[\p{Cc}\p{Co}\ufffd]/u);
});
