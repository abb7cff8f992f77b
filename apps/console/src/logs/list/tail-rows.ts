import type { InteractionLog } from '@voltdeck/contract/logs';

/** The number of live rows kept in memory; older ones are in the list. */
export const tailRowsMax = 200;

/** The live view, newest first. Pure, so that holding and resuming can be tested without a stream. */
export type TailRows = {
  shown: readonly InteractionLog[];
  /** Rows that arrived while the view was held. */
  waiting: readonly InteractionLog[];
  /** How many arrived while the view was held, including those that `waiting` has no room for. */
  waitingCount: number;
  /** How many the server left out because more came than anyone reads. */
  skippedCount: number;
  /** Older rows were dropped from `shown`, so it no longer reaches the list below. */
  isCut: boolean;
};

export const noTailRows: TailRows = { shown: [], waiting: [], waitingCount: 0, skippedCount: 0, isCut: false };

function numbersOf(key: string): readonly [number, number] {
  const [at = '0', id = '0'] = key.split('_');
  return [Number(at), Number(id)];
}

/** Newest first, by instant and then by number; negative when `a` is newer. */
export function newestFirst(a: Pick<InteractionLog, 'key'>, b: Pick<InteractionLog, 'key'>): number {
  const [atA, idA] = numbersOf(a.key);
  const [atB, idB] = numbersOf(b.key);
  return atB - atA || idB - idA;
}

/** Both lists merged, newest first and without duplicates. */
export function mergeRows(
  some: readonly InteractionLog[],
  others: readonly InteractionLog[],
): readonly InteractionLog[] {
  const byKey = new Map([...others, ...some].map((row) => [row.key, row]));
  return [...byKey.values()].sort(newestFirst);
}

/** Adds new rows. While held, they wait and are counted. */
export function hear(rows: TailRows, came: readonly InteractionLog[], isHeld: boolean): TailRows {
  if (came.length === 0) return rows;
  if (!isHeld) return show(rows, came);
  const known = new Set([...rows.shown, ...rows.waiting].map(({ key }) => key));
  const fresh = came.filter(({ key }) => !known.has(key));
  const waiting = mergeRows(rows.waiting, fresh);
  return {
    ...rows,
    waiting: waiting.slice(0, tailRowsMax),
    waitingCount: rows.waitingCount + fresh.length,
    isCut: rows.isCut || waiting.length > tailRowsMax,
  };
}

/** Shows the waiting rows. */
export function resume(rows: TailRows): TailRows {
  if (rows.waitingCount === 0) return rows;
  return show({ ...rows, waiting: [], waitingCount: 0 }, rows.waiting);
}

export function skip(rows: TailRows, count: number): TailRows {
  return { ...rows, skippedCount: rows.skippedCount + count };
}

function show(rows: TailRows, came: readonly InteractionLog[]): TailRows {
  const shown = mergeRows(rows.shown, came);
  return { ...rows, shown: shown.slice(0, tailRowsMax), isCut: rows.isCut || shown.length > tailRowsMax };
}
