import dayjs from 'dayjs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftAsText, draftFromText, draftLengthMax } from './drafts.ts';

const at = '2026-11-21T03:00:00.000Z';
const back = (values: object) => draftFromText(draftAsText(values, at))?.values;

describe('a draft', () => {
  test('a draft restores what was typed, with its time', () => {
    const values = { name: '站点', count: 3, on: false, none: null, list: ['a', 1], nested: { city: '杭州' } };
    expect(draftFromText(draftAsText(values, at))).toEqual({ at, values, began: null });
  });

  test('a draft restores what it was typed over', () => {
    const began = { name: '旧名', openedAt: dayjs('2027-01-02T00:00:00Z') };
    expect(draftFromText(draftAsText({ name: '新名' }, at, began))).toEqual({ at, values: { name: '新名' }, began });
  });

  test('a draft restores texts, numbers and lists unchanged', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-f]{1,4}$/), fc.oneof(leaf, fc.array(leaf))), (values) => {
        expect(back(values)).toEqual({ ...values });
      }),
    );
  });

  test('a draft restores a date as a date', () => {
    const day = back({ expiresOn: dayjs('2027-01-02T00:00:00Z') })?.expiresOn;
    expect(dayjs.isDayjs(day) && day.toISOString()).toBe('2027-01-02T00:00:00.000Z');
  });

  test('a draft never contains a password or another secret, at any depth', () => {
    const text = draftAsText(
      {
        password: 'p-1',
        newPassword: 'p-2',
        connection: { apiSecret: 'p-3', token: 'p-4', name: 'kept' },
        keys: [{ privateKey: 'p-5' }],
        captcha: 'p-6',
      },
      at,
    );
    expect(text).toContain('kept');
    expect(text).not.toMatch(/p-\d/);
  });

  test('a draft leaves out files and whatever cannot be serialised', () => {
    expect(back({ file: new Blob(['x']), act: () => 1, undefined, wrong: Number.NaN, name: 'x' })).toEqual({
      name: 'x',
    });
  });

  test('a draft that is too long is not stored', () => {
    expect(draftAsText({ text: 'x'.repeat(draftLengthMax) }, at)).toBeNull();
  });

  test('a draft in an unknown format is ignored', () => {
    for (const text of [null, '', '{', 'null', '[]', '{"at":1,"values":{}}', `{"at":"${at}"}`]) {
      expect(draftFromText(text)).toBeNull();
    }
  });
});
