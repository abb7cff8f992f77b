import { instant, parseIso } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { queryOf, queryOfWholeDays, wantedIn } from './quality-query.ts';

const now = instant(parseIso('2026-08-25T12:00:00.000Z') ?? 0);

test('a part of a day is asked for as the whole days that the figures are of, in China', () => {
  const search = new URLSearchParams({ from: '2026-08-24T18:00:00.000Z', to: '2026-08-25T10:00:00.000Z' });
  expect(queryOfWholeDays(queryOf(search, now))).toEqual({
    from: '2026-08-24T16:00:00.000Z',
    to: '2026-08-25T15:59:59.999Z',
  });
});

test('a period up to now stays open, and other filters stay as they are', () => {
  const search = new URLSearchParams({ from: '2026-08-24T18:00:00.000Z', siteId: '7' });
  expect(queryOfWholeDays(queryOf(search, now))).toEqual({ from: '2026-08-24T16:00:00.000Z', siteId: 7 });
});

test('the figures ask for the starts that the list of attempts was filtered by, and leave out what is none', () => {
  const search = new URLSearchParams({ from: '2026-08-24T16:00:00.000Z', startMode: 'scan,test,card' });
  expect(queryOf(search, now).startMode).toEqual(['card', 'scan']);
  expect(wantedIn(search)).toEqual({ from: '2026-08-24T16:00:00.000Z', startMode: 'scan,test,card' });
  expect(queryOf(new URLSearchParams({ startMode: 'test' }), now)).not.toHaveProperty('startMode');
});
