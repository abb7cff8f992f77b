import type { AnyRoute } from '../api/call.ts';
import type { Acts } from '../ui/list-page.ts';

/** The acts of a record's own page; each changes its story as well. */
export function withStory<Row>(acts: Acts<Row>, story: AnyRoute): Acts<Row> {
  return Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [
      name,
      'changes' in act || 'deed' in act
        ? { ...act, changes: [...(('changes' in act && act.changes) || []), story] }
        : act,
    ]),
  ) as Acts<Row>;
}
