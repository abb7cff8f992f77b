import * as contract from '@voltdeck/contract/grid-bill-imports';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../../context.ts';
import type { Binder } from '../../../http/bind.ts';
import { found } from '../../../http/found.ts';
import { faultyRows, importReport } from '../../../http/import-rows.ts';
import { createReadingTurns, receiveSheet } from '../../../http/receive-sheet.ts';
import { say } from '../../../http/say.ts';
import { xlsxType } from '../../../http/xlsx.ts';
import { checkImport, findImport, startImport } from './bill-imports.ts';
import { billTemplate, readBills } from './template.ts';

export function bindGridBillImports({ bind, bindFile, bindUpload }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const turns = createReadingTurns();
  const sheet = { bytesMax: contract.gridBillImportLimits.bytesMax, read: readBills };
  bindFile(contract.getGridBillTemplate, async ({ caller: { language } }) =>
    ok({
      name: `${say(language, 'gridBillImport.template')}.xlsx`,
      contentType: xlsxType,
      content: billTemplate(language),
    }),
  );
  bindUpload(contract.checkGridBillImport, async ({ caller, at, transact }, upload) => {
    const received = await receiveSheet(upload, caller, turns, sheet);
    if (!received.ok) return received;
    return transact((trx) => checkImport(trx, caller, received.value, at));
  });
  bind(contract.getGridBillImport, async ({ caller, params }) => found(await findImport(db, caller, params.id)));
  bindFile(contract.getGridBillImportReport, async ({ caller, params }) => {
    const file = found(await findImport(db, caller, params.id));
    if (!file.ok) return file;
    const { language } = caller;
    const name = say(language, 'import.reportFile', { file: file.value.fileName.replace(/\.xlsx$/i, '') });
    return ok({
      name: `${name}.xlsx`,
      contentType: xlsxType,
      content: importReport(language, {
        columns: contract.gridBillImportColumns,
        rowsAfter: (after, limit) => faultyRows(db, 'grid_bill', params.id, { after, limit }),
      }),
    });
  });
  bind(contract.startGridBillImport, ({ caller, params, at, transact }) =>
    transact((trx) => startImport(trx, caller, params.id, at)),
  );
}
