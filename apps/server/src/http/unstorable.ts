import type { FieldFault } from '@voltdeck/contract/errors';

/** No field of the contract nests this deep; recursive parsers and validators bear little more. */
export const levelsMax = 32;
/** Reported names are truncated to this length. */
const nameLengthMax = 64;

/**
 * Values that no field accepts, whatever its schema: texts and names with a character that PostgreSQL does not store
 * (U+0000) or half of a surrogate pair, and values nested too deep.
 */
export function unstorable(given: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  let level: { path: readonly string[]; value: unknown }[] = [{ path: [], value: given }];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: typeof level = [];
    for (const { path, value } of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) faults.push({ path: path.join('.'), code: 'bad_characters' });
      } else if (typeof value === 'object' && value !== null) {
        if (depth === levelsMax) return [{ path: path[0] ?? '', code: 'too_deep', params: { max: levelsMax } }];
        for (const [name, inner] of Object.entries(value)) {
          if (isStorable(name)) below.push({ path: [...path, name], value: inner });
          else faults.push({ path: [...path, shownName(name)].join('.'), code: 'bad_characters' });
        }
      }
    }
    level = below;
  }
  return faults;
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function shownName(name: string): string {
  return name.slice(0, nameLengthMax).toWellFormed().replaceAll('\0', '\ufffd');
}
