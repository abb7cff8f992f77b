import dayjs from 'dayjs';
import { describe, expect, test } from 'vitest';
import { followRecord } from './follow-record.ts';

const began = { name: '望京站', address: '旧地址', bayCount: 12, facilities: ['toilet'] };

describe('a form whose record was changed under it', () => {
  test('it keeps what was typed and takes everything else from the record', () => {
    const typed = { ...began, name: '望京东园站' };
    const now = { ...began, address: '新地址', facilities: ['toilet', 'wifi'] };
    expect(followRecord({ typed, began, now })).toEqual({
      values: { ...now, name: '望京东园站' },
      isChanged: true,
      clashes: [],
    });
  });

  test('it names the fields that both changed, and keeps the user’s', () => {
    const typed = { ...began, name: '望京东园站', bayCount: 20 };
    const now = { ...began, name: '望京二站', bayCount: 20 };
    const { values, clashes } = followRecord({ typed, began, now });
    expect(values).toEqual(typed);
    expect(clashes).toEqual(['name']);
  });

  test('it is unchanged when the record only was read again', () => {
    const typed = { ...began, address: '另一地址' };
    expect(followRecord({ typed, began, now: structuredClone(began) })).toEqual({
      values: typed,
      isChanged: false,
      clashes: [],
    });
  });

  test('nothing entered is the same as an empty text, and a date the same as its text', () => {
    const at = dayjs('2027-01-02T00:00:00Z');
    const start = { remark: undefined, from: at };
    const followed = followRecord({
      typed: { remark: '', from: at },
      began: start,
      now: { remark: null, from: at.toISOString() },
    });
    expect(followed).toMatchObject({ isChanged: false, clashes: [] });
  });

  test('nested values are the same in any order, with or without gaps', () => {
    const start = { prices: { flat: { electricity: 1, service: 2 }, valley: {} } };
    const typed = { prices: { valley: { service: undefined }, flat: { service: 2, electricity: 1 } } };
    const now = { prices: { flat: { electricity: 3, service: 2 }, valley: {} } };
    expect(followRecord({ typed, began: start, now })).toEqual({ values: now, isChanged: true, clashes: [] });
  });

  test('a field that the form does not show follows the record', () => {
    const { bayCount: _hidden, ...typed } = began;
    const { values, clashes } = followRecord({ typed, began, now: { ...began, bayCount: 14 } });
    expect(values).toMatchObject({ bayCount: 14 });
    expect(clashes).toEqual([]);
  });

  test('a field that the user emptied stays empty', () => {
    const followed = followRecord({
      typed: { ...began, address: '' },
      began,
      now: { ...began, bayCount: 14 },
    });
    expect(followed.values).toMatchObject({ address: '', bayCount: 14 });
  });
});
