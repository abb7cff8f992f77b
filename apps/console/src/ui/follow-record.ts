type Values = Readonly<Record<string, unknown>>;

export type Followed = {
  values: Values;
  /** Whether the record was changed. */
  isChanged: boolean;
  /** Fields that both the user and somebody else changed, to different values; the user's stand. */
  clashes: readonly string[];
};

/**
 * What a form shows when its record was changed under it: what the user typed stays, every other field follows the
 * record. `began` are the values that the form started with, `now` those of the record.
 */
export function followRecord({ typed, began, now }: { typed: Values; began: Values; now: Values }): Followed {
  const values: Record<string, unknown> = { ...typed };
  const clashes: string[] = [];
  let isChanged = false;
  for (const name of Object.keys(now)) {
    if (isSame(began[name], now[name])) continue;
    isChanged = true;
    // What a form does not show was not touched.
    if (!(name in typed) || isSame(typed[name], began[name])) values[name] = now[name];
    else if (!isSame(typed[name], now[name])) clashes.push(name);
  }
  return { values, isChanged, clashes };
}

/** As JSON, which writes dates as texts; nothing entered is the same however it is said. */
export function isSame(one: unknown, other: unknown): boolean {
  return written(one) === written(other);
}

function written(value: unknown): string {
  return isNothing(value) ? 'null' : JSON.stringify(value, (_, part: unknown) => inOrder(part));
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A form builds its nested values in the order of its fields, and with gaps. */
function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  const entries = Object.entries(part).filter(([, value]) => !isNothing(value));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
