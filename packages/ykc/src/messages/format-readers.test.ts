import { expect, test } from 'vitest';
import { formatReaders } from './format-readers.ts';

test('the generated readers agree with the field tables', async () => {
  await expect(formatReaders()).toMatchFileSnapshot('./readers.generated.ts');
});
