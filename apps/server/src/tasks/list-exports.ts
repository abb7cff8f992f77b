import type { ExportList } from '@voltdeck/contract/tasks';
import { auditExport } from '../access/export-audit.ts';
import type { ListExport } from '../http/list-export.ts';
import { logExport } from '../logs/export-logs.ts';
import { orderExport } from '../orders/export-orders.ts';

/** How each list that can be exported becomes rows, with its filter already read. */
export const listExports = {
  listOrders: orderExport,
  listAuditEntries: auditExport,
  listInteractionLogs: logExport,
} satisfies Readonly<Record<ExportList, ListExport<never>>>;
