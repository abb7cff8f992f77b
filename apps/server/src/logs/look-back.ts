import { dayMs, type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { isOutOfTime } from '../database/is-database-away.ts';

/** How long a stretch is at first and at least, and at most. */
const stretchMs = { least: secondMs, first: 10 * secondMs, most: 2 * dayMs } as const;
/** Quicker than this, the next stretch is longer; slower, it is shorter. */
const readingMs = { quick: 100, slow: 1_000 } as const;
const growth = 8;

/** What one reading found of a stretch. */
export type Found<Row> = {
  rows: readonly Row[];
  /** There may be more of it behind the last one. */
  isCut: boolean;
};

export type Batch<Row> = {
  rows: readonly Row[];
  /** Everything from here on has been looked at. */
  reachedAt: Instant;
  isLast: boolean;
};

type Placed = { at: Instant; id: number };

/**
 * Rows from `until` (exclusive) back to `from`, newest first, `limit` a batch at the most. The log is indexed by time
 * only coarsely, so it is read in stretches: longer ones while that is quick, shorter ones when a stretch holds much, so
 * that ten thousand rows a day and a billion are read alike. A batch may be empty.
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
      // Behind a quiet night lies a day with more in it than a statement has time for.
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
      // As much as came just now, and some more: a stretch is read anew for every batch that it gives.
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
