import type { JournalEntry } from './journal-entry.ts';

/** The last change of each record, in a fixed order, so that two writers lock rows alike. */
export function latestOf<Change>(
  entries: readonly JournalEntry[],
  changeOf: (entry: JournalEntry) => Change | undefined,
  idOf: (change: Change) => number,
): Change[] {
  const latest = new Map<number, Change>();
  for (const entry of entries) {
    const change = changeOf(entry);
    if (change !== undefined) latest.set(idOf(change), change);
  }
  return [...latest.entries()].sort(([a], [b]) => a - b).map(([, change]) => change);
}
