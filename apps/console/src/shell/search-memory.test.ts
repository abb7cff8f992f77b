import { expect, test } from 'vitest';
import { readVisits, withVisit } from './search-memory.ts';

const visit = (path: string) => ({ title: path, path });

test('the latest search stands first, each place once, six at the most', () => {
  const visits = ['/a', '/b', '/c', '/d', '/e', '/f', '/b', '/g'].reduce<{ title: string; path: string }[]>(
    (all, path) => withVisit(all, visit(path)),
    [],
  );
  expect(visits.map(({ path }) => path)).toEqual(['/g', '/b', '/f', '/e', '/d', '/c']);
});

test('what somebody else wrote is left out, and so is every address outside', () => {
  expect(readVisits('{')).toEqual([]);
  expect(readVisits('{"title":"x"}')).toEqual([]);
  expect(readVisits(null)).toEqual([]);
  const mixed = [visit('/a'), visit('//evil.example'), visit('https://evil.example'), { title: 3, path: '/b' }, null];
  expect(readVisits(JSON.stringify(mixed))).toEqual([visit('/a')]);
});
