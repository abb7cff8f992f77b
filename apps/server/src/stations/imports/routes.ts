import * as contract from '@voltdeck/contract/station-imports';
import { ok } from '@voltdeck/units/result';
import { announceTask } from '../../background/announce-task.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { createReadingTurns, receiveSheet } from '../../http/receive-sheet.ts';
import { say } from '../../http/say.ts';
import { xlsxType } from '../../http/xlsx.ts';
import { checkImport } from './check-import.ts';
import { findImport } from './queries.ts';
import { readImport } from './read-import.ts';
import { stationReport } from './report.ts';
import { startImport } from './start-import.ts';
import { stationTemplate } from './template.ts';

export function bindStationImports({ bind, bindFile, bindUpload }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const { secrets } = context;
  const turns = createReadingTurns();
  const sheet = { bytesMax: contract.stationImportLimits.bytesMax, read: readImport };
  bindFile(contract.getStationTemplate, async ({ caller: { language } }) =>
    ok({ name: `${say(language, 'import.template')}.xlsx`, contentType: xlsxType, content: stationTemplate(language) }),
  );
  bindUpload(contract.checkStationImport, async ({ caller, at, transact }, upload) => {
    const received = await receiveSheet(upload, caller, turns, sheet);
    if (!received.ok) return received;
    return transact((trx) => checkImport(trx, caller, received.value, { at, secrets }));
  });
  bind(contract.getStationImport, async ({ caller, params }) => found(await findImport(db, caller, params.id)));
  bindFile(contract.getStationImportReport, async ({ caller, params }) => {
    const file = found(await findImport(db, caller, params.id));
    if (!file.ok) return file;
    const { language } = caller;
    const name = say(language, 'import.reportFile', { file: file.value.fileName.replace(/\.xlsx$/i, '') });
    return ok({ name: `${name}.xlsx`, contentType: xlsxType, content: stationReport(db, params.id, language) });
  });
  bind(contract.startStationImport, ({ caller, params, at, transact }) =>
    announceTask(context, transact, (trx) => startImport(trx, caller, params.id, { at, secrets })),
  );
}
