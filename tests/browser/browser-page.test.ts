import { expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';

test('a page speaks Chinese, uses Shanghai time and draws Chinese text with a font that has the characters', async () => {
  const { page, troubles } = await browserPage({ width: 375, height: 800 });
  await page.setContent('<p id="a">充电桩</p><p id="b">\u{10ffff}\u{10ffff}\u{10ffff}</p>');
  const seen = await page.evaluate(() => ({
    language: navigator.language,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    width: innerWidth,
  }));
  expect(seen).toEqual({ language: 'zh-CN', zone: 'Asia/Shanghai', width: 375 });
  const picture = async (selector: string) => (await page.locator(selector).screenshot()).toString('base64');
  expect(await picture('#a')).not.toBe(await picture('#b'));
  expect(troubles).toEqual([]);
});

test('errors in a page are reported', async () => {
  const { page, troubles, close } = await browserPage();
  await page.setContent('<script>console.error("first"); setTimeout(() => { throw new Error("second") })</script>');
  await expect.poll(() => troubles).toEqual(['console: first', 'uncaught: second']);
  await close();
});

test('every page has a profile of its own', async () => {
  const [one, two] = await Promise.all([browserPage(), browserPage()]);
  await one.context.addCookies([{ name: 'seen', value: '1', url: 'http://127.0.0.1/' }]);
  expect(await two.context.cookies()).toEqual([]);
});
