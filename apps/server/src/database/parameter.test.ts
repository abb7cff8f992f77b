import { expect, test } from 'vitest';
import { valueIn, wholeNumber } from './parameter.ts';

const days = wholeNumber({ key: 'days', defaultValue: 180, min: 1, max: 3_650 });

test.each(['1', '30', '3650', '0007'])('a parameter takes %s, a whole number between its bounds', (text) => {
  expect(days.isUsable(text)).toBe(true);
  expect(valueIn(days, text)).toBe(Number(text));
});

test.each(['0', '3651', '00001', '-1', '1.5', '1e3', '0x10', ' 5', '', null, undefined])(
  'a parameter that is %j has its default',
  (text) => {
    expect(valueIn(days, text)).toBe(180);
  },
);
