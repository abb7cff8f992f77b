import type { Language } from '@voltdeck/journeys/api';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ruleWalk } from './rule-walk.ts';
import { type AddingView, addingViews } from './screen-views.ts';

const walk = ruleWalk();

const named = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`(^| )${name}$`) });

async function opened(
  { path, adds }: Pick<AddingView, 'path' | 'adds'>,
  language: Language,
  isTroubled = false,
): Promise<{ page: Page; form: Locator }> {
  const page = await walk.open(path, { language, isTroubled });
  await named(page, adds[language]).first().click();
  const form = page.getByRole('dialog').last();
  await form.locator('form').waitFor();
  await expect.poll(() => form.locator('.ant-skeleton').count()).toBe(0);
  return { page, form };
}

/** Labels of required fields that are empty and show no message. */
function silentFields(form: Locator): Promise<string[]> {
  return form.locator('.ant-form-item').evaluateAll((items) =>
    items.flatMap((item) => {
      const label = item.querySelector('label.ant-form-item-required');
      const control = item.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
      const isChosen = item.querySelector(
        '.ant-select-content-has-value, [aria-checked="true"], :checked, .ant-switch',
      );
      if (label === null || control === null || control.value !== '' || isChosen !== null) return [];
      return item.querySelector('.ant-form-item-explain-error')?.textContent ? [] : [label.textContent ?? ''];
    }),
  );
}

/** Texts of the form that are phrase keys. */
function rawKeys(form: Locator): Promise<string[]> {
  return form.evaluate((root) => {
    const texts = [...root.querySelectorAll('*')].flatMap((element) => [
      ...[...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent ?? ''),
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('placeholder') ?? '',
      element.getAttribute('title') ?? '',
    ]);
    return texts.filter((text) => /^[a-z][a-z-]*\.[a-zA-Z][\w.-]*$/.test(text.trim()));
  });
}

describe.each(['zh-CN', 'en'] as const)('in %s', (language) => {
  test.each(addingViews)(
    'the form of $path shows no raw phrase key, and each required field says so when it is sent empty',
    async (asked) => {
      const { form } = await opened(asked, language);
      const boxes = form.locator('input[type="text"]:not([readonly]), textarea, input:not([type])');
      const filled = await boxes.evaluateAll((all) =>
        (all as HTMLInputElement[]).flatMap((box, at) => {
          const isChoice = box.getAttribute('role') === 'combobox';
          return box.value !== '' && !isChoice && box.checkVisibility() && !box.disabled && !box.readOnly ? [at] : [];
        }),
      );
      for (const at of filled) await boxes.nth(at).fill('');
      await form.locator('button[type="submit"]').click();
      await form.locator('.ant-form-item-explain-error').first().waitFor();
      expect(await silentFields(form)).toEqual([]);
      expect(await rawKeys(form)).toEqual([]);
      expect(await form.locator('.ant-form-item-explain-error').allInnerTexts()).not.toContain('');
    },
  );
});

const words = {
  'zh-CN': { trying: '服务器没有回应，正在重试', leave: '离开', saved: '已保存', name: '参数名称', key: '键名' },
  en: { trying: 'No answer from the server yet', leave: 'Leave', saved: 'Saved', name: 'Parameter name', key: 'Key' },
} as const;

const parameterForm = { path: '/configList', adds: { 'zh-CN': '添加参数', en: 'Add parameter' } };
const adding = '**/api/sysConfig/addConfig';

async function storedParameters(key: string): Promise<number> {
  return (await walk.database.db.selectFrom('configs').select('id').where('key', '=', key).execute()).length;
}

/** Sends a new parameter; the first answer is lost after the server has stored it. */
async function sendWithLostAnswer(language: Language, key: string) {
  const { page, form } = await opened(parameterForm, language, true);
  const said = words[language];
  const keys: (string | undefined)[] = [];
  await page.route(adding, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await form.getByLabel(said.name, { exact: true }).fill(key);
  await form.getByLabel(said.key, { exact: true }).fill(key);
  await page.clock.install();
  await form.locator('button[type="submit"]').click();
  await form.getByText(said.trying).waitFor();
  expect(await storedParameters(key)).toBe(1);
  return { page, form, said, keys };
}

describe('7.2.7 a write whose answer is lost on the way', () => {
  test.each(['zh-CN', 'en'] as const)(
    'a write whose answer is lost happens once, and the form reports success, in %s',
    async (language) => {
      const key = `lost.${language}`;
      const { page, form, said, keys } = await sendWithLostAnswer(language, key);
      await page.clock.runFor(10_000);
      await page.getByText(said.saved).first().waitFor();
      await form.waitFor({ state: 'hidden' });
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
      expect(await storedParameters(key)).toBe(1);
    },
  );

  test('a write whose answer is lost finishes after its form is closed, and its outcome is shown', async () => {
    const { page, form, said, keys } = await sendWithLostAnswer('en', 'lost.left');
    await named(form, said.leave).click();
    await form.waitFor({ state: 'hidden' });
    await page.clock.runFor(10_000);
    await page.getByText(said.saved).first().waitFor();
    expect(keys).toHaveLength(2);
    expect(await storedParameters('lost.left')).toBe(1);
  });

  test('a write whose answer is lost fails after three retries with a message, and sending it again still happens once', async () => {
    const { page, form } = await opened(parameterForm, 'en', true);
    let tries = 0;
    await page.route(adding, async (route) => {
      tries += 1;
      if (tries === 1) await route.fetch();
      await route.abort('connectionreset');
    });
    await form.getByLabel('Parameter name', { exact: true }).fill('given up');
    await form.getByLabel('Key', { exact: true }).fill('lost.given-up');
    await page.clock.install();
    const send = form.locator('button[type="submit"]');
    await send.click();
    for (let at = 1; at < 4; at += 1) {
      await expect.poll(() => tries).toBe(at);
      await form.getByText(words.en.trying).waitFor();
      await page.clock.runFor(10_000);
    }
    await form.getByRole('alert').getByText('The server cannot be reached').waitFor();
    expect(tries).toBe(4);
    await page.unroute(adding);
    await send.click();
    await page.getByText(words.en.saved).first().waitFor();
    expect(await storedParameters('lost.given-up')).toBe(1);
  });

  test('a deletion whose answer is lost happens once, and the question stays until it is answered', async () => {
    await walk.database.db
      .insertInto('configs')
      .values({ key: 'lost.deletion', name: 'To be deleted', value: '' })
      .execute();
    const page = await walk.open('/configList?key=lost.deletion', { language: 'en', isTroubled: true });
    const row = page.getByRole('row').filter({ hasText: 'To be deleted' });
    let tries = 0;
    await page.route('**/api/sysConfig/deleteById*', async (route) => {
      tries += 1;
      if (tries > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.clock.install();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText(words.en.trying).waitFor();
    await page.clock.runFor(10_000);
    await page.getByText('Deleted To be deleted').waitFor();
    expect(tries).toBe(2);
    expect(await storedParameters('lost.deletion')).toBe(0);
  });

  test('a deletion confirmed again after it stayed without an answer has the same key, and happens once', async () => {
    await walk.database.db
      .insertInto('configs')
      .values({ key: 'lost.confirmed', name: 'Confirmed twice', value: '' })
      .execute();
    const page = await walk.open('/configList?key=lost.confirmed', { language: 'en', isTroubled: true });
    const keys: (string | undefined)[] = [];
    await page.route('**/api/sysConfig/deleteById*', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 4) return route.continue();
      if (keys.length === 1) await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('row').filter({ hasText: 'Confirmed twice' }).getByRole('button', { name: 'Delete' }).click();
    await page.clock.install();
    const question = page.getByRole('dialog');
    const verb = question.getByRole('button', { name: 'Delete' });
    await verb.click();
    for (let at = 1; at < 4; at += 1) {
      await expect.poll(() => keys.length).toBe(at);
      await question.getByText(words.en.trying).waitFor();
      await page.clock.runFor(10_000);
    }
    await page.getByText('The server cannot be reached').first().waitFor();
    await verb.click();
    await page.getByText('Deleted Confirmed twice').waitFor();
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(await storedParameters('lost.confirmed')).toBe(0);
  });
});
