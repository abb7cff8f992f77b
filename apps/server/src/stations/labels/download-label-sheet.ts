import { downloadedLabelsMax, type getLabelSheet as route } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import type { QueryOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { FileAnswer, Transact } from '../../http/bind.ts';
import { labelSheetName, labelSheetType } from './run-label-sheet.ts';
import { countLabels } from './wanted-labels.ts';

/** Writes a sheet of few labels while it is downloaded. */
export async function downloadLabelSheet(
  context: Context<'console'>,
  caller: Caller,
  { format, connectorIds, sort, ...filter }: QueryOf<typeof route>,
  { at, transact }: { at: Instant; transact: Transact },
): Promise<Result<FileAnswer, ApiError>> {
  const chosen = { connectorIds: connectorIds ?? null, filter, sort };
  const counted = await countLabels(context.database.db, { caller, at }, chosen, downloadedLabelsMax);
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
}
