import { expect, test } from 'vitest';
import { formatPage } from './format-page.ts';

test('the documentation page of T/CEC 102 agrees with the field tables', async () => {
  await expect(formatPage()).toMatchFileSnapshot('../../../docs/protocols/tcec102.md');
});
