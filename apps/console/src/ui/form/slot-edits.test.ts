import { describe, expect, test } from 'vitest';
import { type Slot, withChange, withOneMore } from './slot-edits.ts';

const day: readonly Slot[] = [
  { start: '00:00', end: '08:00', period: 'valley' },
  { start: '08:00', end: '20:00', period: 'peak' },
  { start: '20:00', end: '24:00', period: 'flat' },
];
const times = (slots: readonly Slot[] | null) => slots?.map(({ start, end }) => `${start}–${end}`);

describe('a slot that is changed', () => {
  test('a changed slot moves the border it shares with its neighbour', () => {
    expect(times(withChange(day, 1, { end: '18:00' }))).toEqual(['00:00–08:00', '08:00–18:00', '18:00–24:00']);
    expect(times(withChange(day, 1, { start: '07:30' }))).toEqual(['00:00–07:30', '07:30–20:00', '20:00–24:00']);
  });

  test('a changed slot does not move a neighbour that would be left with no time', () => {
    expect(times(withChange(day, 1, { end: '24:00' }))).toEqual(['00:00–08:00', '08:00–24:00', '20:00–24:00']);
    expect(times(withChange(day, 1, { start: '00:00' }))).toEqual(['00:00–08:00', '00:00–20:00', '20:00–24:00']);
  });

  test('a slot whose start is moved past its end lasts half an hour and moves its neighbour', () => {
    const late = withChange(day, 0, { start: '09:00' });
    expect(times(late)).toEqual(['09:00–09:30', '09:30–20:00', '20:00–24:00']);
  });

  test('a slot keeps its times when only its period changes', () => {
    expect(withChange(day, 2, { period: 'sharp' })).toEqual([
      ...day.slice(0, 2),
      { start: '20:00', end: '24:00', period: 'sharp' },
    ]);
  });
});

describe('an added slot', () => {
  test('an added slot covers the whole day at first, then the rest of the day', () => {
    expect(withOneMore([], 'flat')).toEqual([{ start: '00:00', end: '24:00', period: 'flat' }]);
    expect(times(withOneMore(day.slice(0, 2), 'flat'))).toEqual(['00:00–08:00', '08:00–20:00', '20:00–24:00']);
  });

  test('an added slot splits the last slot when the day is full', () => {
    expect(withOneMore(day, 'sharp')?.slice(2)).toEqual([
      { start: '20:00', end: '22:00', period: 'flat' },
      { start: '22:00', end: '24:00', period: 'sharp' },
    ]);
  });

  test('an added slot is refused when the last slot is the half hour before midnight', () => {
    expect(withOneMore([{ start: '23:30', end: '24:00', period: 'flat' }], 'flat')).toBeNull();
  });

  test('an added slot is refused after forty-eight half hours', () => {
    let slots: readonly Slot[] = [];
    for (let start = 0; start < 48; start += 1) {
      const next = withOneMore(slots, 'flat');
      if (next === null) throw new Error(`no room for slot ${start + 1}`);
      const last = next.length - 1;
      const half = (at: number) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`;
      slots = next.with(last, { start: half(start), end: half(start + 1), period: 'flat' });
    }
    expect(slots.at(-1)).toEqual({ start: '23:30', end: '24:00', period: 'flat' });
    expect(withOneMore(slots, 'flat')).toBeNull();
  });
});
