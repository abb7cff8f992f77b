import { expect, test } from 'vitest';
import { isPressed, type KeyName, keys, pressesOf } from './keys.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test('a key matches only with exactly its modifiers', () => {
  expect(isPressed(press('k', { ctrlKey: true }), 'search')).toBe(true);
  expect(isPressed(press('K', { metaKey: true }), 'search')).toBe(true);
  expect(isPressed(press('k'), 'search')).toBe(false);
  expect(isPressed(press('k', { ctrlKey: true, altKey: true }), 'search')).toBe(false);
  expect(isPressed(press('Enter'), 'open')).toBe(true);
  expect(isPressed(press('Enter', { ctrlKey: true }), 'open')).toBe(false);
  expect(isPressed(press('Enter', { ctrlKey: true }), 'openBeside')).toBe(true);
  expect(isPressed(press('F10', { shiftKey: true }), 'rowMenu')).toBe(true);
  expect(isPressed(press('F10'), 'rowMenu')).toBe(false);
});

test('a character matches with Shift too, which some keyboards need for it', () => {
  expect(isPressed(press('?', { shiftKey: true }), 'help')).toBe(true);
  expect(isPressed(press('/', { shiftKey: true }), 'find')).toBe(true);
});

test('keys are shown as printed on a keyboard', () => {
  expect(pressesOf('search', false)).toEqual([['Ctrl', 'K']]);
  expect(pressesOf('search', true)).toEqual([['⌘', 'K']]);
  expect(pressesOf('rowMenu', false)).toEqual([['.'], ['Shift', 'F10'], ['☰']]);
});

test('no two keys of one place have the same press', () => {
  const pressed = (Object.keys(keys) as KeyName[]).flatMap((name) =>
    pressesOf(name, false).map((one) => `${keys[name].place} ${one.join('+')}`),
  );
  expect(new Set(pressed).size).toBe(pressed.length);
});
