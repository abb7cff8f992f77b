import { isOutOfTime } from './is-database-away.ts';

export type BatchLimits = {
  rowsAtOnce: number;
  /** A machine so busy that a batch runs out of time gets smaller ones, down to this. */
  rowsAtOnceMin: number;
  /** Of one run. */
  batchesMax: number;
};

/** `left` is what may be left: nothing, up to a batch or more, or what another node is at. */
export type Worked = { rows: number; left: 'nothing' | 'more' | 'others' };

/**
 * Works off a backlog. `work` takes up to so many of its rows in a transaction of its own and says how many it had; null
 * where another node is at it. A batch that runs out of time is tried again with fewer rows.
 */
export async function inBatches(
  { rowsAtOnce, rowsAtOnceMin, batchesMax }: BatchLimits,
  work: (rowsMax: number) => Promise<number | null>,
): Promise<Worked> {
  let rows = 0;
  let rowsMax = rowsAtOnce;
  for (let batch = 0; batch < batchesMax; batch += 1) {
    try {
      const had = await work(rowsMax);
      if (had === null) return { rows, left: 'others' };
      rows += had;
      if (had < rowsMax) return { rows, left: 'nothing' };
    } catch (error) {
      if (!isOutOfTime(error) || rowsMax <= rowsAtOnceMin) throw error;
      rowsMax = Math.max(rowsAtOnceMin, Math.floor(rowsMax / 4));
    }
  }
  return { rows, left: 'more' };
}
