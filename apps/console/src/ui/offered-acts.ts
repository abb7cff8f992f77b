import { useEffect, useRef } from 'react';

/** An act available here and now, like a button: with the same permission, reason and question. */
export type OfferedAct = {
  /** Identifies the act wherever it is offered: "refresh", "order.stop". */
  key: string;
  label: string;
  /** The heading for acts on a record rather than the page. */
  on?: string;
  /** Why it is disabled now. */
  because?: string | undefined;
  danger?: boolean;
  onClick: () => void;
};

type Offer = { acts: readonly OfferedAct[] };

const offers = new Set<Offer>();

/**
 * Offers acts in the search of the top bar while the caller is visible; pages in hidden tabs offer none. Pass only acts
 * that the position grants, as with buttons.
 */
export function useOfferedActs(acts: readonly OfferedAct[]): void {
  const offer = useRef<Offer>({ acts });
  useEffect(() => {
    offer.current.acts = acts;
  });
  useEffect(() => {
    const own = offer.current;
    offers.add(own);
    return () => {
      offers.delete(own);
    };
  }, []);
}

/** The acts of what is visible, each once: a page's own before those of its parts. */
export function offeredActs(): OfferedAct[] {
  const byKey = new Map<string, OfferedAct>();
  // Effects of children run before those of their parents.
  for (const { acts } of [...offers].reverse()) {
    for (const act of acts) if (!byKey.has(act.key)) byKey.set(act.key, act);
  }
  return [...byKey.values()];
}
