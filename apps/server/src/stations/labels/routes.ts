import * as contract from '@voltdeck/contract/stations';
import { ok } from '@voltdeck/units/result';
import { announceTask } from '../../background/announce-task.ts';
import { audit } from '../../caller/audit.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { labelSheetName, labelSheetType } from './run-label-sheet.ts';
import { startLabelSheet } from './start-label-sheet.ts';
import { countLabels } from './wanted-labels.ts';

export function bindLabelSheets({ bind, bindFile }: Binder, context: Context<'console'>): void {
  bindFile(contract.getLabelSheet, async ({ caller, query, at, transact }) => {
    const { format, connectorIds = null, sort, ...filter } = query;
    const chosen = { connectorIds, filter, sort };
    const counted = await countLabels(context.database.db, { caller, at }, chosen, contract.downloadedLabelsMax);
    if (!counted.ok) return counted;
    const labels = counted.value;
    const noted = await transact(async (trx) => {
      const after = { format, labels, query: filter };
      await audit(trx, caller, at, { action: 'connector.labels', recordKind: 'export', recordId: 'labels', after });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const content = context.exports.write({ caller, at, labels: { format, ...chosen } });
    return ok({ name: labelSheetName(caller.language, at), contentType: labelSheetType, content });
  });
  bind(contract.startLabelSheet, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startLabelSheet(trx, caller, body, at)),
  );
}
