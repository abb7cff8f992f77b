import { expect, test } from 'vitest';
import { formatPage } from './format-page.ts';

test('the page about YKC says what the field tables say', async () => {
  await expect(formatPage()).toMatchFileSnapshot('../../../docs/protocols/ykc.md');
});
