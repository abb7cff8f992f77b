import { expect, test } from 'vitest';
import { iconPaths, isIconName } from './icon-paths.ts';

test('a drawing is a single path', () => {
  for (const path of Object.values(iconPaths)) expect(path).toMatch(/^[mM][-mMlLhHvVcCsSaAzZ0-9. ]+$/);
  expect(isIconName('toString')).toBe(false);
});
