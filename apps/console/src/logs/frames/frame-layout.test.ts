import type { FrameSpan } from '@voltdeck/contract/logs';
import { describe, expect, test } from 'vitest';
import { hexRows, spacedHex } from '../hex-rows.ts';
import { prettySpans } from './pretty-spans.ts';

const span = (offset: number, length: number, part: FrameSpan['part'] = 'field'): FrameSpan => ({
  offset,
  length,
  part,
  name: null,
  path: null,
  raw: '',
  value: null,
  unit: null,
  meanings: [],
});

describe('bytes in rows', () => {
  test('bytes in rows are split into the pieces of their spans and at the end of each row', () => {
    expect(hexRows('680C0102AABB', [span(0, 1), span(1, 4), span(5, 1)], 4)).toEqual([
      {
        offset: 0,
        pieces: [
          { index: 0, bytes: ['68'], isStart: true, isEnd: true },
          { index: 1, bytes: ['0C', '01', '02'], isStart: true, isEnd: false },
        ],
      },
      {
        offset: 4,
        pieces: [
          { index: 1, bytes: ['AA'], isStart: false, isEnd: true },
          { index: 2, bytes: ['BB'], isStart: true, isEnd: true },
        ],
      },
    ]);
  });

  test('bytes in rows each appear once at any width, and spans beyond the text are dropped', () => {
    const spans = [span(0, 3), span(3, 30), span(33, 7), span(40, 5)];
    const text = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(2, '0')).join('');
    for (const width of [1, 7, 8, 16, 64]) {
      const rows = hexRows(text, spans, width);
      expect(rows.flatMap(({ pieces }) => pieces.flatMap(({ bytes }) => bytes)).join('')).toBe(text);
    }
  });

  test('bytes in rows are separated by spaces', () => {
    expect(spacedHex('680C01')).toBe('68 0C 01');
  });
});

describe('JSON on lines', () => {
  const shown = (text: string, spans: FrameSpan[]) =>
    prettySpans(text, spans).map(
      ({ depth, pieces }) =>
        ' '.repeat(depth) + pieces.map(({ text: piece, index }) => (index === null ? piece : `<${piece}>`)).join(''),
    );

  test('JSON on lines has a line for every value, which stays the piece of its span', () => {
    const text = '[2, "a", {"k:{": 5,"e":{},"l":[1,2]}]';
    const values = ['2', '"a"', '5', '1', '2'];
    const spans: FrameSpan[] = [];
    let at = 0;
    for (const value of values) {
      const found = text.indexOf(value, at);
      if (found > at) spans.push(span(at, found - at, 'syntax'));
      spans.push(span(found, value.length));
      at = found + value.length;
    }
    spans.push(span(at, text.length - at, 'syntax'));
    expect(shown(text, spans)).toEqual([
      '[',
      ' <2>,',
      ' <"a">,',
      ' {',
      '  "k:{": <5>,',
      '  "e": {},',
      '  "l": [',
      '   <1>,',
      '   <2>',
      '  ]',
      ' }',
      ']',
    ]);
  });

  test('broken JSON is shown in full', () => {
    const text = '[2,}}]]"x';
    const lines = shown(text, [span(0, 1, 'syntax'), span(1, 1), span(2, 7, 'syntax')]);
    expect(lines.join('').replaceAll(/[\s<>]/g, '')).toBe(text);
  });
});
