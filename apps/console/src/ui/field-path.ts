/** A dotted path from the server as a form's field name: "slots.0.start" -> ['slots', 0, 'start']. */
export function fieldPath(path: string): (string | number)[] {
  return path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Whether two field names are the same. */
export function isSamePath(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  return a.length === b.length && a.every((part, index) => String(part) === String(b[index]));
}
