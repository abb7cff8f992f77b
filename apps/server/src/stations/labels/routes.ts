import * as connectors from '@voltdeck/contract/connectors';
import { announceTask } from '../../background/announce-task.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { downloadLabelSheet } from './download-label-sheet.ts';
import { startLabelSheet } from './start-label-sheet.ts';

export function bindLabelSheets({ bind, bindFile }: Binder, context: Context<'console'>): void {
  bindFile(connectors.getLabelSheet, ({ caller, query, at, transact }) =>
    downloadLabelSheet(context, caller, query, { at, transact }),
  );
  bind(connectors.startLabelSheet, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startLabelSheet(trx, caller, body, at)),
  );
}
