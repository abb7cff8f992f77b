import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { iconPaths, isIconName } from './icon-paths.ts';

const folder = new URL('../../../server/src/access/menus/', import.meta.url);

test('every icon that a seeded menu names is drawn', () => {
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/icon: '([^']+)'/g)])
    .map((found) => found[1] ?? '');
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !isIconName(name))).toEqual([]);
});

test('a drawing is one path, and nothing but', () => {
  for (const path of Object.values(iconPaths)) expect(path).toMatch(/^[mM][-mMlLhHvVcCsSaAzZ0-9. ]+$/);
  expect(isIconName('toString')).toBe(false);
});
