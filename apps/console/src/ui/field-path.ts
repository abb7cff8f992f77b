/** A dotted path from the server as a form's field name: "slots.0.start" -> ['slots', 0, 'start']. */
export function fieldPath(path: string): (string | number)[] {
  return path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Whether two field names are the same. */
export function isSamePath(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  return a.length === b.length && a.every((part, index) => String(part) === String(b[index]));
}

/** The known field that a path belongs to: itself, or the innermost one that holds it; undefined if there is none. */
export function fieldHolding<Name extends readonly (string | number)[]>(
  known: readonly Name[],
  path: readonly (string | number)[],
): Name | undefined {
  const [inner] = known
    .filter((name) => isSamePath(name, path.slice(0, name.length)))
    .sort((one, other) => other.length - one.length);
  return inner;
}
