import * as contract from '@voltdeck/contract/group-member-imports';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { faultyRows, importReport } from '../../http/import-rows.ts';
import { createReadingTurns, receiveSheet } from '../../http/receive-sheet.ts';
import { say } from '../../http/say.ts';
import { xlsxType } from '../../http/xlsx.ts';
import { checkImport, findImport, startImport } from './member-imports.ts';
import { memberTemplate, readMembers } from './template.ts';

export function bindGroupMemberImports({ bind, bindFile, bindUpload }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const turns = createReadingTurns();
  const sheet = { bytesMax: contract.groupMemberImportLimits.bytesMax, read: readMembers };
  bindFile(contract.getGroupMemberTemplate, async ({ caller: { language } }) =>
    ok({
      name: `${say(language, 'groupImport.template')}.xlsx`,
      contentType: xlsxType,
      content: memberTemplate(language),
    }),
  );
  bindUpload(contract.checkGroupMemberImport, async ({ caller, query, at, transact }, upload) => {
    const received = await receiveSheet(upload, caller, turns, sheet);
    if (!received.ok) return received;
    return transact((trx) => checkImport(trx, caller, query.groupId, received.value, at));
  });
  bind(contract.getGroupMemberImport, async ({ caller, params }) => found(await findImport(db, caller, params.id)));
  bindFile(contract.getGroupMemberImportReport, async ({ caller, params }) => {
    const file = found(await findImport(db, caller, params.id));
    if (!file.ok) return file;
    const { language } = caller;
    const name = say(language, 'import.reportFile', { file: file.value.fileName.replace(/\.xlsx$/i, '') });
    return ok({
      name: `${name}.xlsx`,
      contentType: xlsxType,
      content: importReport(language, {
        columns: contract.groupMemberImportColumns,
        rowsAfter: (after, limit) => faultyRows(db, 'group_member', params.id, { after, limit }),
      }),
    });
  });
  bind(contract.startGroupMemberImport, ({ caller, params, at, transact }) =>
    transact((trx) => startImport(trx, caller, params.id, at)),
  );
}
