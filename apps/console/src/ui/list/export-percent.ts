/**
 * How far an export is, 0 to 99; null while nobody knows how many rows there are. Rows may be added while they are
 * counted, and the file is finished after the last row: it is never said to be whole before it is.
 */
export function exportPercent(task: { doneCount: number; totalCount: number | null }): number | null {
  const { doneCount, totalCount } = task;
  if (totalCount === null || totalCount === 0) return null;
  return Math.min(99, Math.floor((doneCount / totalCount) * 100));
}
