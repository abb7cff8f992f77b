import type { FilterShape } from './list-query.ts';

const fieldWidthPx = 210;
const periodWidthPx = 330;
const periodWithChoiceWidthPx = 430;
const gapPx = 8;

export function filterWidthPx(filter: Pick<FilterShape, 'kind'> & { which?: unknown }): number {
  if (filter.kind !== 'period') return fieldWidthPx;
  return filter.which === undefined ? periodWidthPx : periodWithChoiceWidthPx;
}

/** How many filters fit on one line of `roomPx`, at least one. */
export function filtersThatFit(filters: readonly FilterShape[], roomPx: number): number {
  let used = 0;
  let count = 0;
  for (const filter of filters) {
    used += filterWidthPx(filter) + (count === 0 ? 0 : gapPx);
    if (used > roomPx) break;
    count += 1;
  }
  return Math.max(1, count);
}
