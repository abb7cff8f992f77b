import * as contract from '@voltdeck/contract/card-imports';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { faultyRows, importReport } from '../../http/import-rows.ts';
import { createReadingTurns, receiveSheet } from '../../http/receive-sheet.ts';
import { say } from '../../http/say.ts';
import { xlsxType } from '../../http/xlsx.ts';
import { checkImport, findImport, startImport } from './card-imports.ts';
import { cardTemplate, readCards } from './template.ts';

export function bindCardImports({ bind, bindFile, bindUpload }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const turns = createReadingTurns();
  const sheet = { bytesMax: contract.cardImportLimits.bytesMax, read: readCards };
  bindFile(contract.getCardTemplate, async ({ caller: { language } }) =>
    ok({
      name: `${say(language, 'cardImport.template')}.xlsx`,
      contentType: xlsxType,
      content: cardTemplate(language),
    }),
  );
  bindUpload(contract.checkCardImport, async ({ caller, at, transact }, upload) => {
    const received = await receiveSheet(upload, caller, turns, sheet);
    if (!received.ok) return received;
    return transact((trx) => checkImport(trx, caller, received.value, at));
  });
  bind(contract.getCardImport, async ({ caller, params }) => found(await findImport(db, caller, params.id)));
  bindFile(contract.getCardImportReport, async ({ caller, params }) => {
    const file = found(await findImport(db, caller, params.id));
    if (!file.ok) return file;
    const { language } = caller;
    const name = say(language, 'import.reportFile', { file: file.value.fileName.replace(/\.xlsx$/i, '') });
    return ok({
      name: `${name}.xlsx`,
      contentType: xlsxType,
      content: importReport(language, {
        columns: contract.cardImportColumns,
        rowsAfter: (after, limit) => faultyRows(db, 'card', params.id, { after, limit }),
      }),
    });
  });
  bind(contract.startCardImport, ({ caller, params, at, transact }) =>
    transact((trx) => startImport(trx, caller, params.id, at)),
  );
}
