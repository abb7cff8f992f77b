/**
 * Progress of an export, 0 to 99; null while the number of rows is unknown. Rows may be added after counting, and the
 * file is finished after the last row, so it never shows 100.
 */
export function exportPercent(task: { doneCount: number; totalCount: number | null }): number | null {
  const { doneCount, totalCount } = task;
  if (totalCount === null || totalCount === 0) return null;
  return Math.min(99, Math.floor((doneCount / totalCount) * 100));
}
