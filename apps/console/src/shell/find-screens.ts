import Fuse from 'fuse.js';

/** Specification section 2: fuzzy, threshold 0.4, on title and path. */
export const searchThreshold = 0.4;
const foundMax = 8;

/** What an entry can be found by. */
export type Words = {
  title: string;
  path?: string;
  /** The title in the other language, if known. */
  otherTitle?: string | undefined;
};

/** Whether `text` spells a Chinese title in pinyin, in full or by initials. */
export type Spells = (title: string, text: string) => boolean;

/** The distance of a match: 0 is the exact title, above 1 is no match. Literal matches rank before fuzzy ones. */
const distance = { same: 0, begins: 0.05, contains: 0.1, otherwise: 0.15, spelled: 0.2, fuzzy: 0.3 } as const;

export type Match<Entry> = { entry: Entry; distance: number };

/** Finds entries by part of their title or path, in either language or by pinyin, best match first. */
export function finderOf<Entry extends Words>(
  entries: readonly Entry[],
  spells: Spells | null = null,
): (text: string) => Match<Entry>[] {
  const fuse = new Fuse(entries, {
    threshold: searchThreshold,
    ignoreLocation: true,
    includeScore: true,
    keys: [
      { name: 'title', weight: 0.7 },
      { name: 'path', weight: 0.3 },
    ],
  });
  return (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return [];
    const fuzzy = new Map(fuse.search(wanted).map(({ item, score = 0 }) => [item, distance.fuzzy + score]));
    return entries
      .flatMap((entry) => {
        const found = literalDistance(entry, wanted, spells) ?? fuzzy.get(entry);
        return found === undefined ? [] : [{ entry, distance: found }];
      })
      .sort((a, b) => a.distance - b.distance)
      .slice(0, foundMax);
  };
}

function literalDistance({ title, path = '', otherTitle = '' }: Words, wanted: string, spells: Spells | null) {
  const own = title.toLowerCase();
  if (own === wanted) return distance.same;
  if (own.startsWith(wanted)) return distance.begins;
  if (own.includes(wanted)) return distance.contains;
  if (path.toLowerCase().includes(wanted) || otherTitle.toLowerCase().includes(wanted)) return distance.otherwise;
  if (spells?.(title, wanted) || spells?.(otherTitle, wanted)) return distance.spelled;
  return undefined;
}
