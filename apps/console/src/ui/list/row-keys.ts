import type { KeyboardEvent } from 'react';
import { isPressed } from '../keys.ts';

/** The row that a key leads to; null for other keys. `at` is -1 while no row has the focus. */
export function rowAfter(key: string, at: number, count: number, perPage: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(last, at + Math.max(1, perPage));
    case 'PageUp':
      return Math.max(0, at - Math.max(1, perPage));
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** What Enter on a row opens: its first link, or what its first value opens, or its first action. */
const leads = '[data-cell] a[href], [data-cell] button:not([aria-label], [role])';
const acts = '.row-actions button:not(.unavailable)';
const menu = '.row-actions [aria-haspopup="menu"]';

function press(row: HTMLElement, ...selectors: readonly string[]): boolean {
  for (const selector of selectors) {
    const found = row.querySelector<HTMLElement>(selector);
    if (found === null) continue;
    found.focus({ preventScroll: true });
    found.click();
    return true;
  }
  return false;
}

function isTyping(target: HTMLElement): boolean {
  if (target.isContentEditable || target.closest('[role="separator"], [role="menu"]') !== null) return true;
  return target.matches('textarea, select, input:not([type="checkbox"])');
}

/**
 * Handles keys on rows (marked `data-row`) inside the listening element. Elements with their own key handling keep it.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const whole = event.currentTarget;
  const target = event.target as HTMLElement;
  const row = target.closest<HTMLElement>('[data-row]');
  // Portals such as menus and dialogs bubble their keys here as well.
  if (!whole.contains(target) || (row === null && target !== whole) || isTyping(target)) return;
  if (row !== null && isPressed(event, 'rowMenu')) {
    if (press(row, menu, acts)) event.preventDefault();
    return;
  }
  if (event.shiftKey) return;
  if (row !== null && target === row) {
    if (isPressed(event, 'openRow')) {
      if (press(row, leads, acts)) event.preventDefault();
      return;
    }
    if (isPressed(event, 'selectRow')) {
      row.querySelector<HTMLElement>('[data-check] input')?.click();
      event.preventDefault();
      return;
    }
  }
  if (!isPressed(event, 'alongRows')) return;
  const rows = [...whole.querySelectorAll<HTMLElement>('[data-row]')];
  const perPage = Math.floor(Math.min(whole.clientHeight, innerHeight) / (row ?? rows[0] ?? whole).offsetHeight) - 2;
  const next = rowAfter(event.key, row === null ? -1 : rows.indexOf(row), rows.length, perPage);
  const found = next === null ? undefined : rows[next];
  if (found === undefined) return;
  event.preventDefault();
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
