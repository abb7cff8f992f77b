import { expect, test } from 'vitest';
import { failed, ok, type Result, unreachable } from './result.ts';

test('a result is either a value or an error, distinguished by `ok`', () => {
  const told = (result: Result<string, string>) => (result.ok ? `value ${result.value}` : `error ${result.error}`);
  expect([told(ok('1')), told(failed('2'))]).toEqual(['value 1', 'error 2']);
});

test('a case that the compiler rules out is a bug when it occurs', () => {
  expect(() => unreachable('a new kind' as never)).toThrow(Error);
});
