import { expect, test } from 'vitest';
import { formatPage } from './format-page.ts';

test('the documentation page of YKC agrees with the field tables', async () => {
  await expect(formatPage()).toMatchFileSnapshot('../../../docs/protocols/ykc.md');
});
