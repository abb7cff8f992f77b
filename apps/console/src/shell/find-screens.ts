import Fuse from 'fuse.js';
import type { Screen } from '../session/menus.ts';

/** Specification section 2: fuzzy, threshold 0.4, on title and path. */
export const searchThreshold = 0.4;
const foundMax = 8;

/** Finds screens by what somebody remembers of their title or path, the best first. */
export function screenFinder(screens: readonly Screen[]): (text: string) => Screen[] {
  const fuse = new Fuse(screens, {
    threshold: searchThreshold,
    ignoreLocation: true,
    keys: [
      { name: 'title', weight: 0.7 },
      { name: 'path', weight: 0.3 },
    ],
  });
  return (text) => {
    const wanted = text.trim();
    return wanted === '' ? [] : fuse.search(wanted, { limit: foundMax }).map(({ item }) => item);
  };
}
