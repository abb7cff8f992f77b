import { type RefObject, useEffect } from 'react';

const keysBack = new Set(['ArrowLeft', 'ArrowUp']);
const keysOn = new Set(['ArrowRight', 'ArrowDown']);

/**
 * Highlights everything that shows the same part (`data-span`) on hover or focus; a click keeps it. Arrow keys, Home
 * and End move between the parts of a group (`data-span-group`), which is one tab stop; Enter moves to the same part in
 * the other group. It works on the DOM rather than on state: a frame may have two thousand parts, and hovering must not
 * render them again.
 */
export function useSpanPointing(whole: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = whole.current;
    if (element === null) return;
    let chosen: string | null = null;
    let marked: string | null = null;
    const spanOf = (target: EventTarget | null): string | null =>
      target instanceof Element ? (target.closest<HTMLElement>('[data-span]')?.dataset.span ?? null) : null;
    const allOf = (span: string) => element.querySelectorAll<HTMLElement>(`[data-span="${span}"]`);
    const mark = (span: string | null) => {
      if (span === marked) return;
      if (marked !== null) for (const part of allOf(marked)) delete part.dataset.marked;
      if (span !== null) for (const part of allOf(span)) part.dataset.marked = 'true';
      marked = span;
    };
    const choose = (span: string | null) => {
      if (chosen !== null) for (const part of allOf(chosen)) delete part.dataset.chosen;
      chosen = span === chosen ? null : span;
      if (chosen !== null) {
        for (const part of allOf(chosen)) {
          part.dataset.chosen = 'true';
          part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        }
      }
    };
    const buttonsIn = (group: Element) => [...group.querySelectorAll<HTMLButtonElement>('button[data-span]')];

    const onOver = (event: Event) => mark(spanOf(event.target));
    const onLeave = () => mark(null);
    const onClick = (event: Event) => {
      const span = spanOf(event.target);
      if (span !== null) choose(span);
    };
    const onFocus = (event: FocusEvent) => {
      const span = spanOf(event.target);
      mark(span);
      const group = event.target instanceof Element ? event.target.closest('[data-span-group]') : null;
      if (span === null || group === null) return;
      for (const button of buttonsIn(group)) button.tabIndex = button === event.target ? 0 : -1;
    };
    const onKey = (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLButtonElement) || event.target.dataset.span === undefined) return;
      const group = event.target.closest('[data-span-group]');
      if (group === null) return;
      const buttons = buttonsIn(group);
      const at = buttons.indexOf(event.target);
      const next = keysOn.has(event.key)
        ? buttons[at + 1]
        : keysBack.has(event.key)
          ? buttons[at - 1]
          : event.key === 'Home'
            ? buttons[0]
            : event.key === 'End'
              ? buttons.at(-1)
              : event.key === 'Enter'
                ? [...allOf(event.target.dataset.span)].find(
                    (part) => part instanceof HTMLButtonElement && !group.contains(part),
                  )
                : undefined;
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    element.addEventListener('mouseover', onOver);
    element.addEventListener('mouseleave', onLeave);
    element.addEventListener('click', onClick);
    element.addEventListener('focusin', onFocus);
    element.addEventListener('focusout', onLeave);
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('mouseover', onOver);
      element.removeEventListener('mouseleave', onLeave);
      element.removeEventListener('click', onClick);
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('focusout', onLeave);
      element.removeEventListener('keydown', onKey);
    };
  }, [whole]);
}
