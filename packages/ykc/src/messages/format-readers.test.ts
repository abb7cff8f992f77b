import { expect, test } from 'vitest';
import { formatReaders } from './format-readers.ts';

test('the readers are those that the field tables make', async () => {
  await expect(formatReaders()).toMatchFileSnapshot('./readers.generated.ts');
});
