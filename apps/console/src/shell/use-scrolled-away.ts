import { type RefObject, useEffect, useState } from 'react';

/** From here on a page has been scrolled, and not only touched. */
const awayFromPx = 48;
/** A page that would fit without the header would jump back and forth; it has to be longer than it by this much. */
const roomPx = 240;

/**
 * Whether the page inside `content` is scrolled down, for a header that scrolls away with it. `place` tells pages apart:
 * another one begins with the header in sight.
 */
export function useScrolledAway(content: RefObject<HTMLElement | null>, isOn: boolean, place: string): boolean {
  const [awayAt, setAwayAt] = useState<string | null>(null);
  useEffect(() => {
    const element = content.current;
    if (!isOn || element === null) return;
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement)) return;
      const { scrollTop, scrollHeight, clientHeight } = target;
      // A list inside a field scrolls as well.
      if (clientHeight < element.clientHeight / 3) return;
      if (scrollTop <= 0) setAwayAt(null);
      else if (scrollTop > awayFromPx && scrollHeight - clientHeight > roomPx) setAwayAt(place);
    };
    element.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => element.removeEventListener('scroll', onScroll, { capture: true });
  }, [content, isOn, place]);
  return isOn && awayAt === place;
}
