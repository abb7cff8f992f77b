import type { PhraseKey } from '../phrases.ts';

/** A press: the browser's name of the key, and whether Ctrl (or Command) is held. */
type Press = { key: string; ctrl?: true; shift?: true };

/** Where keys work: the headings of the help, in order. */
export const keyPlaces = ['anywhere', 'search', 'list', 'tabs', 'form'] as const;
type KeyPlace = (typeof keyPlaces)[number];

type KeyUse = {
  place: KeyPlace;
  /** Any of them triggers it. */
  presses: readonly Press[];
  does: PhraseKey;
};

/** Every keyboard shortcut of the console, for handlers and for the help. */
export const keys = {
  search: { place: 'anywhere', presses: [{ key: 'k', ctrl: true }], does: 'keys.search' },
  find: { place: 'anywhere', presses: [{ key: '/' }], does: 'keys.find' },
  help: { place: 'anywhere', presses: [{ key: '?' }], does: 'keys.help' },
  close: { place: 'anywhere', presses: [{ key: 'Escape' }], does: 'keys.close' },
  choose: { place: 'search', presses: [{ key: 'ArrowUp' }, { key: 'ArrowDown' }], does: 'keys.choose' },
  open: { place: 'search', presses: [{ key: 'Enter' }], does: 'keys.open' },
  openBeside: { place: 'search', presses: [{ key: 'Enter', ctrl: true }], does: 'keys.openBeside' },
  alongRows: {
    place: 'list',
    presses: [
      { key: 'ArrowUp' },
      { key: 'ArrowDown' },
      { key: 'PageUp' },
      { key: 'PageDown' },
      { key: 'Home' },
      { key: 'End' },
    ],
    does: 'keys.alongRows',
  },
  openRow: { place: 'list', presses: [{ key: 'Enter' }], does: 'keys.openRow' },
  selectRow: { place: 'list', presses: [{ key: ' ' }], does: 'keys.selectRow' },
  rowMenu: {
    place: 'list',
    presses: [{ key: '.' }, { key: 'F10', shift: true }, { key: 'ContextMenu' }],
    does: 'keys.rowMenu',
  },
  alongTabs: {
    place: 'tabs',
    presses: [{ key: 'ArrowLeft' }, { key: 'ArrowRight' }, { key: 'Home' }, { key: 'End' }],
    does: 'keys.alongTabs',
  },
  closeTab: { place: 'tabs', presses: [{ key: 'Delete' }], does: 'keys.closeTab' },
  submit: { place: 'form', presses: [{ key: 'Enter' }], does: 'keys.submit' },
} as const satisfies Record<string, KeyUse>;
export type KeyName = keyof typeof keys;

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether an event is a press of that key. Shift counts only if it does not produce another character. */
export function isPressed(event: Pressed, name: KeyName): boolean {
  if (event.altKey) return false;
  const presses: readonly Press[] = keys[name].presses;
  return presses.some(
    ({ key, ctrl = false, shift = false }) =>
      event.key.toLowerCase() === key.toLowerCase() &&
      (event.ctrlKey || event.metaKey) === ctrl &&
      (key.length === 1 || event.shiftKey === shift),
  );
}

/** Whether a key press goes into a field, where letters are text. */
export function isTyping({ target }: Pick<KeyboardEvent, 'target'>): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

const shownKeys: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ContextMenu: '☰',
  Escape: 'Esc',
  ' ': 'Space',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
};

/** A key's presses as printed on a keyboard, modifiers first. */
export function pressesOf(name: KeyName, isMac: boolean): string[][] {
  const presses: readonly Press[] = keys[name].presses;
  return presses.map(({ key, ctrl, shift }) => [
    ...(ctrl ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(shift ? ['Shift'] : []),
    shownKeys[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ]);
}
