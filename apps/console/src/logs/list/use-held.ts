import { type RefObject, useEffect, useState } from 'react';

/** Why the live view is held. */
export type HeldBecause = 'paused' | 'open' | 'selection' | 'scrolled' | 'hover';

export type Held = {
  because: HeldBecause | null;
  isPaused: boolean;
  pause: (on: boolean) => void;
  /** Releases everything that holds the view, to show what arrived. */
  letGo: () => void;
};

/** A list scrolled further than this is being read. */
const scrolledPx = 8;

/** Holds the live view while someone reads it: when paused, and while its rows are hovered, scrolled or selected. */
export function useHeld(region: RefObject<HTMLElement | null>, isOn: boolean, isFrameOpen: boolean): Held {
  const [isPaused, setPaused] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const [hasSelection, setSelection] = useState(false);
  useEffect(() => {
    const element = region.current;
    if (!isOn || element === null) return;
    const onEnter = (event: PointerEvent) => setPointed(event.pointerType === 'mouse');
    const onLeave = () => setPointed(false);
    const onSelect = () => {
      const selection = document.getSelection();
      setSelection(selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode));
    };
    // The table scrolls inside itself, cards scroll with the page: capture the first, observe the second.
    const onScroll = (event: Event) => setScrolled((event.target as HTMLElement).scrollTop > scrolledPx);
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry !== undefined && element.querySelector('table') === null) {
          setScrolled(entry.boundingClientRect.top < (entry.rootBounds?.top ?? 0));
        }
      },
      { threshold: [0, 0.02, 0.05, 0.1, 0.5, 1] },
    );
    element.addEventListener('pointerenter', onEnter);
    element.addEventListener('pointerleave', onLeave);
    element.addEventListener('scroll', onScroll, true);
    document.addEventListener('selectionchange', onSelect);
    observer.observe(element);
    return () => {
      element.removeEventListener('pointerenter', onEnter);
      element.removeEventListener('pointerleave', onLeave);
      element.removeEventListener('scroll', onScroll, true);
      document.removeEventListener('selectionchange', onSelect);
      observer.disconnect();
      setPointed(false);
      setScrolled(false);
      setSelection(false);
    };
  }, [region, isOn]);

  const because: HeldBecause | null = !isOn
    ? null
    : isPaused
      ? 'paused'
      : isFrameOpen
        ? 'open'
        : hasSelection
          ? 'selection'
          : isScrolled
            ? 'scrolled'
            : isPointed
              ? 'hover'
              : null;
  return {
    because,
    isPaused,
    pause: setPaused,
    letGo: () => {
      setPaused(false);
      region.current?.querySelector('table')?.parentElement?.scrollTo({ top: 0 });
    },
  };
}
