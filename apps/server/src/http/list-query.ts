import type { ApiError } from '@voltdeck/contract/errors';
import { partFields } from '@voltdeck/contract/list';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { partReader } from './bind.ts';

/** The wanted rows of a list, and their order. */
export type Wanted = { filter: object; sort: string | undefined };

const parts: ReadonlySet<string> = new Set(partFields);

/**
 * Reads the filter and the order of a list where a body holds them as the list's address does. Empty fields count as
 * absent, the page is left out, and a fault names its field below `query`.
 */
export function listQueryReader(
  schema: Parameters<typeof partReader>[0],
): (query: Readonly<Record<string, string>>) => Result<Wanted, ApiError> {
  const read = partReader(schema);
  return (query) => {
    const { value, faults } = read(Object.fromEntries(Object.entries(query).filter(([, text]) => text !== '')));
    if (faults.length > 0) {
      const fields = faults.map((fault) => ({ ...fault, path: `query.${fault.path.split('.')[0]}` }));
      return failed({ code: 'request.invalid', fields });
    }
    const { sort } = value as { sort?: string };
    const filter = Object.fromEntries(Object.entries(value as object).filter(([name]) => !parts.has(name)));
    return ok({ filter, sort });
  };
}
