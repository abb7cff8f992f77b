import { expect, test } from 'vitest';
import { prettyFrame } from './pretty-frame.ts';

test('JSON is indented, anything else stays as it came', () => {
  expect(prettyFrame('[2,"a","Heartbeat",{}]')).toBe('[\n  2,\n  "a",\n  "Heartbeat",\n  {}\n]');
  expect(prettyFrame('[2,"a"')).toBe('[2,"a"');
  expect(prettyFrame('68 1A 00')).toBe('68 1A 00');
});
