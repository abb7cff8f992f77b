import { exportAuditEntries, listAuditEntries } from '@voltdeck/contract/audit';
import type { ApiError } from '@voltdeck/contract/errors';
import { exportInteractionLogs, listInteractionLogs } from '@voltdeck/contract/logs';
import { exportOrders, listOrders } from '@voltdeck/contract/orders';
import type { QueryOf, Route } from '@voltdeck/contract/route';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import { auditExport } from '../access/export-audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { partReader } from '../http/bind.ts';
import type { ListExport, OpenExport } from '../http/list-export.ts';
import { logExport } from '../logs/export-logs.ts';
import { orderExport } from '../orders/export-orders.ts';

type Schema = z.ZodMiniType;

/** What says which part of a list is asked for, not what belongs to it. */
type PageOf = 'page' | 'pageSize' | 'sort' | 'total' | 'before';

/** A list that can be exported in the background, whatever its rows and filters are. */
export type ExportableList = Pick<ListExport<never>, 'list' | 'title' | 'action'> & {
  /** Who may have it: that of its direct download. */
  permission: Route['permission'];
  /** The filter in a list's address, checked as the list itself checks it. Page and order are not part of it. */
  readFilter(query: Readonly<Record<string, string>>): Result<unknown, ApiError>;
  open(db: Kysely<Tables>, caller: Caller, query: Readonly<Record<string, string>>, at: Instant): Promise<OpenExport>;
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
    async open(db, caller, query, at) {
      const filter = readFilter(query);
      // It was checked before it was kept; a version that knows it no longer cannot carry it out.
      if (!filter.ok) throw new Error(`a kept filter of ${listExport.list} is not understood any more`);
      return listExport.open(db, caller, filter.value as Omit<QueryOf<R>, PageOf>, at);
    },
  };
}

export const exportableLists: Readonly<Record<ExportList, ExportableList>> = {
  listOrders: exportable(listOrders, exportOrders, orderExport),
  listAuditEntries: exportable(listAuditEntries, exportAuditEntries, auditExport),
  listInteractionLogs: exportable(listInteractionLogs, exportInteractionLogs, logExport),
};
