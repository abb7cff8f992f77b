import * as contract from '@voltdeck/contract/audit';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { exportAnswer } from '../http/list-export.ts';
import { spanOf } from '../http/list-page.ts';
import { listAuditPage } from './audit-log.ts';
import { auditExport } from './export-audit.ts';

export function bindAudit({ bind, bindFile }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.listAuditEntries, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listAuditPage(db, caller, query, span.value)) : span;
  });
  bindFile(contract.exportAuditEntries, (call) => exportAnswer(auditExport, context, call, call.query));
}
