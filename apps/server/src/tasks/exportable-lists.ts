import { exportAuditEntries, listAuditEntries } from '@voltdeck/contract/audit';
import type { ApiError } from '@voltdeck/contract/errors';
import { exportInteractionLogs, listInteractionLogs } from '@voltdeck/contract/logs';
import { exportOrders, listOrders } from '@voltdeck/contract/orders';
import type { QueryOf, Route } from '@voltdeck/contract/route';
import type { ExportList } from '@voltdeck/contract/tasks';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type * as z from 'zod/mini';
import { partReader } from '../http/bind.ts';
import type { ListExport } from '../http/list-export.ts';
import { listExports } from './list-exports.ts';

type Schema = z.ZodMiniType;

/** What says which part of a list is asked for, not what belongs to it. */
type PageOf = 'page' | 'pageSize' | 'sort' | 'total' | 'before';

/** A list that can be exported in the background, whatever its rows and filters are. */
export type ExportableList = Pick<ListExport<unknown>, 'list' | 'title' | 'action' | 'open'> & {
  /** Who may have it: that of its direct download. */
  permission: Route['permission'];
  /** The filter in a list's address, checked as the list itself checks it. Page and order are not part of it. */
  readFilter(query: Readonly<Record<string, string>>): Result<unknown, ApiError>;
  /**
   * The filter that was checked before it was kept.
   * @throws Error when this version does not know it any more, and so cannot carry it out.
   */
  keptFilter(query: Readonly<Record<string, string>>): unknown;
};

function exportable<R extends Route<Schema, Schema, Schema, Schema>>(
  list: R,
  direct: Pick<Route, 'permission'>,
  listExport: ListExport<Omit<QueryOf<R>, PageOf>>,
): ExportableList {
  const read = partReader(list.query);
  const readFilter = (query: Readonly<Record<string, string>>): Result<unknown, ApiError> => {
    const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const { value, faults } = read(asked);
    if (faults.length > 0) {
      const fields = faults.map((fault) => ({ ...fault, path: `query.${fault.path.split('.')[0]}` }));
      return failed({ code: 'request.invalid', fields });
    }
    const {
      page: _page,
      pageSize: _pageSize,
      sort: _sort,
      total: _total,
      before: _before,
      ...filter
    } = value as Record<string, unknown>;
    return ok(filter);
  };
  return {
    ...listExport,
    permission: direct.permission,
    readFilter,
    open: (db, caller, query, at) => listExport.open(db, caller, query as Omit<QueryOf<R>, PageOf>, at),
    keptFilter(query) {
      const filter = readFilter(query);
      if (!filter.ok) throw new Error(`a kept filter of ${listExport.list} is not understood any more`);
      return filter.value;
    },
  };
}

export const exportableLists: Readonly<Record<ExportList, ExportableList>> = {
  listOrders: exportable(listOrders, exportOrders, listExports.listOrders),
  listAuditEntries: exportable(listAuditEntries, exportAuditEntries, listExports.listAuditEntries),
  listInteractionLogs: exportable(listInteractionLogs, exportInteractionLogs, listExports.listInteractionLogs),
};
