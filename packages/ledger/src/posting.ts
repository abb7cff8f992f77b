import { addFen, type Fen, fen } from '@voltdeck/units/money';
import type { AccountKey } from './account.ts';

/** Takes `amountFen` (more than zero) from one account and gives it to another. */
export type Posting = { from: AccountKey; to: AccountKey; amountFen: Fen };

/** An account and its share in a flow. */
export type Share = { account: AccountKey; amountFen: Fen };

/**
 * Lets money flow from sources to sinks, exhausting each before the next. Both sides have the same sum; shares of zero
 * make no posting.
 * @throws RangeError when a share is negative or the sums differ.
 */
export function flow(sources: readonly Share[], sinks: readonly Share[]): Posting[] {
  const sumOf = (shares: readonly Share[]) => addFen(...shares.map(({ amountFen }) => amountFen));
  if ([...sources, ...sinks].some(({ amountFen }) => amountFen < 0)) throw new RangeError('a share is below zero');
  if (sumOf(sources) !== sumOf(sinks)) throw new RangeError('sources and sinks differ in their sum');

  const postings: Posting[] = [];
  const waiting = sources.map((source) => ({ ...source }));
  let source = waiting.shift();
  for (const sink of sinks) {
    let missingFen: number = sink.amountFen;
    while (missingFen > 0 && source !== undefined) {
      const amountFen = fen(Math.min(missingFen, source.amountFen));
      if (amountFen > 0) postings.push({ from: source.account, to: sink.account, amountFen });
      missingFen -= amountFen;
      source.amountFen = fen(source.amountFen - amountFen);
      if (source.amountFen === 0) source = waiting.shift();
    }
  }
  return postings;
}
