/** The last change of each record, in a fixed order, so that concurrent writers lock rows in the same order. */
export function latestOf<Change>(changes: readonly Change[], idOf: (change: Change) => number): Change[] {
  const latest = new Map(changes.map((change) => [idOf(change), change]));
  return [...latest.entries()].sort(([a], [b]) => a - b).map(([, change]) => change);
}
