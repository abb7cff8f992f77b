import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import {
  forgetRefused,
  noteRefused,
  type RefusedHolder,
  refusedDueAt,
  stopAskIntervalMs,
  stopAsksMax,
  takeDueRefused,
} from './refused-charges.ts';

const now = instant(1_000_000);
const later = (ms: number) => instant(now + ms);

test('a refused charge is due at its time, then at each interval, and forgotten after the last', () => {
  const holder: RefusedHolder = { refused: null };
  noteRefused(holder, { connectorNumber: 1, transaction: 7, dueAt: later(5) });
  expect(takeDueRefused(holder, later(4))).toEqual([]);
  for (let ask = 0; ask < stopAsksMax; ask += 1) {
    expect(refusedDueAt(holder)).toBe(later(5 + ask * stopAskIntervalMs));
    expect(takeDueRefused(holder, later(5 + ask * stopAskIntervalMs))).toMatchObject([{ transaction: 7 }]);
  }
  expect(holder.refused).toBeNull();
  expect(refusedDueAt(holder)).toBe(Number.MAX_SAFE_INTEGER);
});

test('a refused charge is forgotten after the number of requests it was noted with', () => {
  const holder: RefusedHolder = { refused: null };
  noteRefused(holder, { connectorNumber: 1, transaction: 7, dueAt: now, asksMax: 1 });
  expect(takeDueRefused(holder, now)).toMatchObject([{ transaction: 7 }]);
  expect(holder.refused).toBeNull();
});

test('a later charge of a gun port replaces an earlier one, and each is forgotten by itself', () => {
  const holder: RefusedHolder = { refused: null };
  noteRefused(holder, { connectorNumber: 1, transaction: 7, dueAt: now });
  noteRefused(holder, { connectorNumber: 1, transaction: 8, dueAt: now });
  noteRefused(holder, { connectorNumber: 2, transaction: 9, dueAt: now });
  forgetRefused(holder, ({ transaction }) => transaction === 9);
  expect(takeDueRefused(holder, now)).toMatchObject([{ connectorNumber: 1, transaction: 8 }]);
});
