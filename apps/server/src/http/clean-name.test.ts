import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanName, fileNameMax, nameFor } from './clean-name.ts';

describe('a sender’s name for a file', () => {
  test.each([
    ['Lake view.JPG', 'Lake view.JPG'],
    ['充电桩 安装合同（2026）.pdf', '充电桩 安装合同（2026）.pdf'],
    ['a/b\\c:d*e?f"g<h>i|j.txt', 'a_b_c_d_e_f_g_h_i_j.txt'],
    ['  .hidden . ', 'hidden'],
    ['nul', 'filenul'],
    ['\u0000\u200b\u202e', 'file'],
    ['tab\tand\nline.txt', 'tabandline.txt'],
    ['x\ud800y.txt', 'xy.txt'],
  ])('the file name %j is stored as %j', (given, kept) => {
    expect(cleanName(given)).toBe(kept);
  });

  test('a picture’s file name gets the ending of its type', () => {
    expect(nameFor('image/png', 'photo.PNG')).toBe('photo.PNG');
    expect(nameFor('image/jpeg', 'photo.jpeg')).toBe('photo.jpeg');
    expect(nameFor('image/png', 'shell.php')).toBe('shell.php.png');
    expect(nameFor('image/webp', '')).toBe('file.webp');
    expect(nameFor('application/pdf', 'shell.php')).toBe('shell.php');
  });

  test('a cleaned file name is no path, hides nothing, can be saved, and stays the same when cleaned again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('image/png', 'application/octet-stream'), (given, type) => {
        const name = nameFor(type, given);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]|^[. ]|[. ]$|^$/u);
        expect([...name].length).toBeLessThanOrEqual(fileNameMax);
        expect(nameFor(type, name)).toBe(name);
        expect(() => encodeURIComponent(name)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});
