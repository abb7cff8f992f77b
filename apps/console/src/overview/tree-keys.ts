import type { KeyboardEvent } from 'react';

const levelOf = (row: Element | undefined) => Number(row?.getAttribute('aria-level') ?? 0);
const isOpen = (row: Element) => row.getAttribute('aria-expanded') === 'true';
const toggleOf = (row: Element) => row.querySelector('[data-toggle]');
const toggle = (row: Element) =>
  toggleOf(row)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

/**
 * The keys of a tree (WAI-ARIA): up and down move between rows, right opens a row and then enters it, left closes it and
 * then leaves it, Enter and Space choose.
 */
export function onTreeKey(event: KeyboardEvent, tree: HTMLElement | null): void {
  const rows = [...(tree?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
  const at = event.target instanceof HTMLElement ? rows.indexOf(event.target) : -1;
  const row = rows[at];
  if (row === undefined) return;
  const go = (next: HTMLElement | undefined) => {
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  switch (event.key) {
    case 'ArrowDown':
      go(rows[at + 1]);
      break;
    case 'ArrowUp':
      go(rows[at - 1]);
      break;
    case 'Home':
      go(rows[0]);
      break;
    case 'End':
      go(rows.at(-1));
      break;
    case 'ArrowRight':
      if (!isOpen(row)) toggle(row);
      else if (levelOf(rows[at + 1]) > levelOf(row)) go(rows[at + 1]);
      break;
    case 'ArrowLeft':
      if (isOpen(row) && toggleOf(row) !== null) toggle(row);
      else go(rows.slice(0, at).findLast((before) => levelOf(before) < levelOf(row)));
      break;
    case 'Enter':
    case ' ':
      row.click();
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}
