import type { Locator, Page } from 'playwright-core';
import { leave } from './console-page.ts';
import type { NetworkWalk } from './network-walk.ts';

/** The first row in front with all the texts. */
export function rowOf(page: Page, ...texts: readonly string[]): Locator {
  let rows = page.getByRole('row').filter({ visible: true });
  for (const text of texts) rows = rows.filter({ hasText: text });
  return rows.first();
}

/** Presses a button by its name, which an icon's may precede. */
export const press = (within: Page | Locator, name: string) =>
  within
    .getByRole('button', { name: new RegExp(`(^| )${name}$`) })
    .filter({ visible: true })
    .first()
    .click();

/** Types into a field that offers records, and chooses the one found. */
export async function chooseRecord(page: Page, form: Locator, field: string, text: string): Promise<void> {
  await form.locator(field).fill(text);
  await page.locator('.ant-select-item-option').filter({ hasText: text }).filter({ visible: true }).first().click();
}

/** Does an act of a row, by its button or in the menu of those that have none. */
export async function actOn({ page, say }: NetworkWalk, row: Locator, name: string): Promise<void> {
  const button = row.getByRole('button', { name: new RegExp(`^${name}( |$)`) }).first();
  const more = row.getByRole('button', { name: new RegExp(`^${say('list.moreActions')}`) });
  await button.or(more).first().waitFor();
  if (await button.isVisible()) return button.click();
  await more.click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Follows a link to another screen. */
export const follow = (page: Page, link: Locator): Promise<void> => leave(page, () => link.first().click());
