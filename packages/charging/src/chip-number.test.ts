import { expect, test } from 'vitest';
import { spellingsOf, withoutPadding } from './chip-number.ts';

test('eight bytes lose the zero bytes before the number, only whole ones and never all', () => {
  expect(withoutPadding('00000000D14B0A54')).toBe('D14B0A54');
  expect(withoutPadding('0000000000000A54')).toBe('0A54');
  expect(withoutPadding('0000000000000000')).toBe('00');
});

test('a text that is not eight bytes stays as it is', () => {
  for (const number of ['00D14B0A54', 'D14B0A54', '00-CARD']) expect(withoutPadding(number)).toBe(number);
});

test('a chip number is shown as it is and as eight bytes', () => {
  expect(spellingsOf('D14B0A54')).toEqual(['D14B0A54', '00000000D14B0A54']);
  expect(spellingsOf('00000000D14B0A54')).toEqual(['00000000D14B0A54', 'D14B0A54']);
  for (const number of ['A000000000000001', 'VD01', '123']) expect(spellingsOf(number)).toEqual([number]);
});
