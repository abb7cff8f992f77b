import type { ApiError } from '@voltdeck/contract/errors';
import { type ListName, listNames } from '@voltdeck/contract/list';
import type { Route } from '@voltdeck/contract/route';
import type { Result } from '@voltdeck/units/result';
import { listQueryReader, type Wanted } from '../http/list-query.ts';
import type { FileSource } from '../http/list-source.ts';
import { fileSource } from './list-sources.ts';

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

function exportable(list: ListName): ExportableList {
  const source = fileSource(list);
  const parseWanted = listQueryReader(source.route.query);
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
