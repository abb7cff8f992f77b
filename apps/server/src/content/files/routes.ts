import * as contract from '@voltdeck/contract/files';
import { failed, ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { changeFile } from './change-file.ts';
import { deleteFile } from './delete-file.ts';
import { findContent } from './queries.ts';
import { uploadFile } from './upload-file.ts';
import { UploadSlots } from './upload-slots.ts';

export function bindFiles({ bind, bindFile, bindUpload }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const slots = new UploadSlots();
  bindUpload(contract.uploadFile, ({ caller, query, at }, upload) =>
    slots.taking(caller.userId, at, () => uploadFile(context, caller, query.purpose, upload, at)),
  );
  bind(contract.changeFile, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeFile(trx, caller, params.id, body, at)),
  );
  bind(contract.deleteFile, async ({ caller, params, at, transact }) => {
    const deleted = await transact((trx) => deleteFile(trx, caller, params.id, at));
    if (!deleted.ok) return deleted;
    // The row is gone; if this fails, the nightly sweep deletes the bytes.
    await context.files.delete(deleted.value.key);
    return ok(null);
  });
  bindFile(contract.downloadFile, async ({ caller, params }) => {
    const file = found(await findContent(db, caller, params.id));
    if (!file.ok) return file;
    const content = await context.files.open(file.value.key);
    if (content === null) return failed({ code: 'record.not_found' });
    return ok({ name: file.value.name, contentType: file.value.contentType, content });
  });
}
