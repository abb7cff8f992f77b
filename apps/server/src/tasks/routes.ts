import * as contract from '@voltdeck/contract/tasks';
import { failed, ok } from '@voltdeck/units/result';
import { announceTask } from '../background/announce-task.ts';
import { publishTask } from '../bus/publish-task.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { countPasswordsOfOthers } from '../stations/passwords-of-others.ts';
import { cancelTask } from './cancel-task.ts';
import { mayHave } from './may-have.ts';
import { findTaskDetail, findTaskFile } from './queries.ts';
import { startExport } from './start-export.ts';

export function bindTasks({ bind, bindFile }: Binder, context: Context<'console'>): void {
  const { db } = context.database;

  bind(contract.getTask, async ({ caller, params }) => found(await findTaskDetail(db, caller, params.id)));
  bind(contract.startExport, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startExport(trx, caller, body, at)),
  );
  bind(contract.cancelTask, async ({ caller, params, at, transact }) => {
    const cancelled = await transact((trx) => cancelTask(trx, caller, params.id, at));
    if (cancelled.ok) publishTask(context, cancelled.value);
    return cancelled;
  });
  bindFile(contract.getTaskFile, async ({ caller, params }) => {
    const file = await findTaskFile(db, caller, params.id);
    if (file === null) return failed({ code: 'record.not_found' });
    if (file !== 'no-file' && !mayHave(caller, file.kind, file.detail)) return failed({ code: 'access.denied' });
    const others = file === 'no-file' ? 0 : await countPasswordsOfOthers(db, caller, file.kind, file.detail);
    if (others > 0) return failed({ code: 'task.file_of_others', params: { count: others } });
    const content = file === 'no-file' ? null : await context.files.open(file.key);
    if (file === 'no-file' || content === null) return failed({ code: 'task.no_file' });
    return ok({ name: file.name, contentType: file.contentType, content });
  });
}
