/** What an act did to one field. */
export type Change = {
  /** Dotted, as the record nests it: "prices.sharp.electricity". */
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'same';
  before: unknown;
  after: unknown;
};

/** Nobody reads more fields than this; the rest are only counted. */
export const changesMax = 200;

const depthMax = 6;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists of plain values are compared as a whole; records are compared field by field. */
function isOpened(value: unknown): value is Readonly<Record<string, unknown>> | readonly unknown[] {
  return isRecord(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null));
}

function fieldsOf(value: unknown, path = '', depth = 0, into = new Map<string, unknown>()): Map<string, unknown> {
  if (value === null || value === undefined) return into;
  if (!isOpened(value) || depth === depthMax) return into.set(path === '' ? 'value' : path, value);
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (isOpened(inner)) fieldsOf(inner, innerPath, depth + 1, into);
    else into.set(innerPath, inner);
  }
  return into;
}

/** An empty text, null and an absent field mean the same. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function isSame(a: unknown, b: unknown): boolean {
  if (isNothing(a) && isNothing(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    const left = a.map(String).sort();
    const right = b.map(String).sort();
    return left.length === right.length && left.every((item, index) => item === right[index]);
  }
  return Object.is(a, b);
}

/**
 * The fields of a record before and after an act, changed fields first. When both sides exist, a field that the later
 * one lacks is ignored: forms do not send what the server computes.
 */
export function changesOf(before: unknown, after: unknown): Change[] {
  const old = fieldsOf(before);
  const next = fieldsOf(after);
  const hasBoth = old.size > 0 && next.size > 0;
  const changes = [...new Set([...next.keys(), ...old.keys()])].map((path): Change => {
    const was = old.get(path);
    const is = next.get(path);
    if (hasBoth && !next.has(path)) return { path, kind: 'same', before: was, after: was };
    if (isSame(was, is)) return { path, kind: 'same', before: was, after: is };
    return { path, kind: isNothing(was) ? 'added' : isNothing(is) ? 'removed' : 'changed', before: was, after: is };
  });
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')];
}

/** Which entries a list gained, lost and kept. */
export function listChange(
  before: unknown,
  after: unknown,
): { added: string[]; removed: string[]; kept: string[] } | null {
  if (!Array.isArray(before) && !Array.isArray(after)) return null;
  const old = new Set((Array.isArray(before) ? before : []).map(String));
  const next = new Set((Array.isArray(after) ? after : []).map(String));
  return {
    added: [...next].filter((item) => !old.has(item)),
    removed: [...old].filter((item) => !next.has(item)),
    kept: [...next].filter((item) => old.has(item)),
  };
}
