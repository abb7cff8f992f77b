import { dayMs, type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { isOutOfTime } from '../database/is-database-away.ts';

/** The initial, minimum and maximum length of a stretch. */
const stretchMs = { least: secondMs, first: 10 * secondMs, most: 2 * dayMs } as const;
/** After a quicker read the next stretch is longer; after a slower one, shorter. */
const readingMs = { quick: 100, slow: 1_000 } as const;
const growth = 8;

/** The rows that one read found in a stretch. */
export type Found<Row> = {
  rows: readonly Row[];
  /** There may be more of it after the last one. */
  isCut: boolean;
};

export type Batch<Row> = {
  rows: readonly Row[];
  /** Everything from here on has been read. */
  reachedAt: Instant;
  isLast: boolean;
};

type Placed = { at: Instant; id: number };

/**
 * Rows from `until` (exclusive) back to `from`, newest first, in batches of at most `limit`. The log's time index is
 * coarse, so it is read in stretches: longer ones while that is quick, shorter ones when a stretch holds much. Ten
 * thousand rows a day and a billion are thus read alike. A batch may be empty.
 */
export async function* lookBack<Row extends Placed>(
  span: { from: Instant; until: Instant; before: Placed | null; limit: number },
  read: (stretch: { start: Instant; end: Instant; before: Placed | null; limit: number }) => Promise<Found<Row>>,
): AsyncGenerator<Batch<Row>, void> {
  const { from, limit } = span;
  let { before } = span;
  let end = span.until;
  let length: number = stretchMs.first;
  while (end > from) {
    const start = instant(Math.max(from, end - length));
    const beganAt = performance.now();
    let found: Found<Row>;
    try {
      found = await read({ start, end, before, limit });
    } catch (error) {
      // A quiet night may be followed by a day with more rows than a statement has time for.
      if (!isOutOfTime(error) || length <= stretchMs.least) throw error;
      length = bounded(length / growth ** 2);
      continue;
    }
    const tookMs = performance.now() - beganAt;
    const { rows, isCut } = found;
    const last = rows.at(-1);
    const isFull = last !== undefined && isCut;
    const reachedAt = isFull ? last.at : start;
    yield { rows, reachedAt, isLast: !isFull && start <= from };
    if (isFull) {
      // As much as was just found, and some more, because a stretch is read again for every batch.
      length = bounded(2 * (end - last.at));
      before = { at: last.at, id: last.id };
      end = instant(last.at + 1);
      continue;
    }
    end = start;
    if (tookMs < readingMs.quick) length = bounded(length * growth);
    else if (tookMs > readingMs.slow) length = bounded(length / growth);
  }
}

function bounded(lengthMs: number): number {
  return Math.round(Math.min(Math.max(lengthMs, stretchMs.least), stretchMs.most));
}
