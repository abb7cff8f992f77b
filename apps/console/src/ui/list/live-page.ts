import type { ConsoleEvent } from '@voltdeck/contract/events';

export type LivePage<Row> = { items: Row[]; total: number | null; totalIsAtLeast?: boolean };
export type AnyPatch<Row> = {
  concerns: (row: Row, event: ConsoleEvent) => boolean;
  patch: (row: Row, event: ConsoleEvent) => Row | null;
  mayAdd?: (event: ConsoleEvent) => boolean;
};

/** The page after an event; the same object if no row is concerned. */
export function patchedPage<Row>(page: LivePage<Row>, event: ConsoleEvent, patch: AnyPatch<Row>): LivePage<Row> {
  if (!page.items.some((row) => patch.concerns(row, event))) return page;
  const items = page.items.flatMap((row) => {
    if (!patch.concerns(row, event)) return [row];
    const after = patch.patch(row, event);
    return after === null ? [] : [after];
  });
  const gone = page.items.length - items.length;
  return { ...page, items, total: page.total === null ? null : page.total - gone };
}
