import type { ApiError } from '@voltdeck/contract/errors';
import { type ListName, listNames, partFields } from '@voltdeck/contract/list';
import type { Route } from '@voltdeck/contract/route';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { partReader } from '../http/bind.ts';
import type { FileSource } from '../http/list-source.ts';
import { fileSource } from './list-sources.ts';

/** The wanted rows of a list, and their order. */
export type Wanted = { filter: object; sort: string | undefined };

/** A list as a background task exports it. */
export type ExportableList = FileSource & {
  /** The permission, which is that of the direct download. */
  permission: Route['permission'];
  /** The filter and the order in a list's address, validated as the list itself does. */
  parseWanted(query: Readonly<Record<string, string>>): Result<Wanted, ApiError>;
  /**
   * The stored filter and order.
   * @throws Error when this version does not know them any more and so cannot carry the task out.
   */
  parseStored(query: Readonly<Record<string, string>>): Wanted;
};

const parts: ReadonlySet<string> = new Set(partFields);

function exportable(list: ListName): ExportableList {
  const source = fileSource(list);
  const read = partReader(source.route.query);
  const parseWanted = (query: Readonly<Record<string, string>>): Result<Wanted, ApiError> => {
    const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const { value, faults } = read(asked);
    if (faults.length > 0) {
      const fields = faults.map((fault) => ({ ...fault, path: `query.${fault.path.split('.')[0]}` }));
      return failed({ code: 'request.invalid', fields });
    }
    const { sort } = value as { sort?: string };
    const filter = Object.fromEntries(Object.entries(value as object).filter(([name]) => !parts.has(name)));
    return ok({ filter, sort });
  };
  return {
    ...source,
    permission: source.route.file.permission,
    parseWanted,
    parseStored(query) {
      const wanted = parseWanted(query);
      if (!wanted.ok) throw new Error(`a stored filter of ${list} is no longer valid`);
      return wanted.value;
    },
  };
}

export const exportableLists = Object.fromEntries(listNames.map((list) => [list, exportable(list)])) as Readonly<
  Record<ListName, ExportableList>
>;
