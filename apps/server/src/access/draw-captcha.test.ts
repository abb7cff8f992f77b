import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { captchaAlphabet, captchaHeight, captchaWidth, drawCaptcha } from './draw-captcha.ts';

/** The same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

async function inkOf(text: string, seed: number): Promise<Set<number>> {
  const png = await drawCaptcha(text, seeded(seed));
  const pixels = await new Transformer(png).rawPixels();
  const samples = pixels.length / (captchaWidth * captchaHeight);
  const ink = new Set<number>();
  for (let at = 0; at < captchaWidth * captchaHeight; at += 1) {
    if ((pixels[at * samples] ?? 255) < 128) ink.add(at);
  }
  return ink;
}

test('each captcha character is drawn within the picture and unlike any other', async () => {
  const drawn = new Map<string, string>();
  for (const character of captchaAlphabet) {
    const ink = await inkOf(character.repeat(4), 7);
    expect(ink.size, character).toBeGreaterThan(1_000);
    drawn.set([...ink].join(), character);
  }
  expect(drawn.size).toBe(captchaAlphabet.length);
});

test('two pictures of the same characters differ: a third of the ink lies elsewhere', async () => {
  const [first, second] = [await inkOf('KHGM', 1), await inkOf('KHGM', 2)];
  const both = [...first].filter((at) => second.has(at)).length;
  expect(both / first.size).toBeLessThan(2 / 3);
});

test('a captcha has no characters that look alike', () => {
  for (const group of ['0O', '1IL', '27Z', '35S', '6G', '8B']) {
    expect([...group].filter((character) => captchaAlphabet.includes(character)).length).toBeLessThanOrEqual(1);
  }
});
