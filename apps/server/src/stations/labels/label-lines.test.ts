import { expect, test } from 'vitest';
import { type LabelText, labelLines } from './label-lines.ts';

/** Han characters are as wide as high, others half. */
const widthOf = (text: string) =>
  [...text].reduce((sum, character) => sum + (/\p{Script=Han}|…/u.test(character) ? 1 : 0.5), 0);
const text = (value: string, rest: Partial<LabelText> = {}): LabelText => ({
  text: value,
  sizeMm: 2,
  linesMax: 2,
  givesWay: 1,
  ...rest,
});
const linesOf = (texts: readonly LabelText[], width: number, height = 100) =>
  labelLines(texts, { width, height }, widthOf).map((line) => line.text);

test('Chinese breaks between any two characters, English between words', () => {
  expect(linesOf([text('西湖文化广场地下停车场', { linesMax: 3 })], 10)).toEqual(['西湖文化广', '场地下停车', '场']);
  expect(linesOf([text('West Lake Square garage', { linesMax: 3 })], 10)).toEqual(['West Lake', 'Square', 'garage']);
  expect(linesOf([text('地下停车场 12 号直流桩', { linesMax: 3 })], 14)).toEqual(['地下停车场 12', '号直流桩']);
  expect(linesOf([text('地下停车场 128 号直流桩', { linesMax: 3 })], 12)).toEqual(['地下停车场', '128 号直流桩']);
});

test('a name that is too long is cut with an ellipsis within its width', () => {
  const lines = linesOf([text('西湖文化广场地下停车场')], 10);
  expect(lines).toEqual(['西湖文化广', '场地下停…']);
});

test('a number is never cut, and a character wider than the line stands alone', () => {
  const number = 'OPERATOR-HANGZHOU-0000000000001-12';
  expect(linesOf([text(number, { linesMax: null, givesWay: null })], 10, 1).join('')).toBe(number);
  expect(linesOf([text('充电', { linesMax: null })], 1)).toEqual(['充', '电']);
});

test('what gives way first loses its second line, then goes, until the rest has room', () => {
  const texts = [
    text('西湖文化广场地下', { givesWay: null, linesMax: 1 }),
    text('站点的名称很长很长', { givesWay: 1 }),
    text('N-1', { givesWay: null, linesMax: null }),
  ];
  expect(linesOf(texts, 10, 10)).toEqual(['西湖文化…', '站点的名称', '很长很长', 'N-1']);
  expect(linesOf(texts, 10, 7.5)).toEqual(['西湖文化…', '站点的名…', 'N-1']);
  expect(linesOf(texts, 10, 5)).toEqual(['西湖文化…', 'N-1']);
});

test('an empty text takes no line', () => {
  expect(linesOf([text(''), text('站点')], 10)).toEqual(['站点']);
});
