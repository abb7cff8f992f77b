import { useEffect, useState } from 'react';

/** Scrolling less than this does not count. */
const awayFromPx = 48;
/** How much longer than the view a page must be: one that fits without the header would jump back and forth. */
const roomPx = 240;

/**
 * Whether the page is scrolled down, for a header that scrolls away. `place` identifies the page; each one starts with
 * the header visible.
 */
export function useScrolledAway(isOn: boolean, place: string): boolean {
  const [awayAt, setAwayAt] = useState<string | null>(null);
  useEffect(() => {
    const element = document.getElementById('content');
    if (!isOn || element === null) return;
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement)) return;
      const { scrollTop, scrollHeight, clientHeight } = target;
      // Lists inside a field scroll as well.
      if (clientHeight < element.clientHeight / 3) return;
      if (scrollTop <= 0) setAwayAt(null);
      else if (scrollTop > awayFromPx && scrollHeight - clientHeight > roomPx) setAwayAt(place);
    };
    element.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => element.removeEventListener('scroll', onScroll, { capture: true });
  }, [isOn, place]);
  return isOn && awayAt === place;
}
