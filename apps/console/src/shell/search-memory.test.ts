import { expect, test } from 'vitest';
import { readVisits, type Visit, withVisit } from './search-memory.ts';

const visit = (path: string) => ({ title: path, path });

test('recent searches start with the latest, list each page once, and keep six at most', () => {
  const visits = ['/a', '/b', '/c', '/d', '/e', '/f', '/b', '/g'].reduce<Visit[]>(
    (all, path) => withVisit(all, visit(path)),
    [],
  );
  expect(visits).toEqual(['/g', '/b', '/f', '/e', '/d', '/c'].map(visit));
});

test('a performed act is remembered by its key, once', () => {
  const visits = [{ act: 'logout' }, visit('/a'), { act: 'list.refresh' }, { act: 'logout' }].reduce<Visit[]>(
    withVisit,
    [],
  );
  expect(visits).toEqual([{ act: 'logout' }, { act: 'list.refresh' }, visit('/a')]);
  expect(readVisits(JSON.stringify(visits))).toEqual(visits);
});

test('unreadable entries and addresses outside the console are ignored', () => {
  expect(readVisits('{')).toEqual([]);
  expect(readVisits('{"title":"x"}')).toEqual([]);
  expect(readVisits(null)).toEqual([]);
  const mixed = [
    visit('/a'),
    visit('//evil.example'),
    visit('https://evil.example'),
    { title: 3, path: '/b' },
    { act: 3 },
    null,
  ];
  expect(readVisits(JSON.stringify(mixed))).toEqual([visit('/a')]);
});
