import { type startLabelSheet as route, sheetLabelsMax } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../../background/announce-task.ts';
import { startTask } from '../../background/start-task.ts';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { onlyOneOf } from '../../http/only-one.ts';
import { countLabels, portsOfQuery } from './wanted-labels.ts';

/** Queues a sheet of labels of the chosen ports, or of those that the filter matches now. */
export async function startLabelSheet(
  trx: Trx,
  caller: Caller,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Started<AnswerOf<typeof route>>, ApiError>> {
  const given = onlyOneOf(body, ['connectorIds', 'query']);
  if (!given.ok) return failed({ code: 'request.invalid', fields: [given.error] });
  const { format, connectorIds, query } = body;
  const read = portsOfQuery(query ?? {});
  if (!read.ok) return read;
  const chosen = { ...read.value, connectorIds: connectorIds ?? null };
  const counted = await countLabels(trx, { caller, at }, chosen, sheetLabelsMax);
  if (!counted.ok) return counted;
  const labels = counted.value;
  const started = await startTask(
    trx,
    caller,
    {
      kind: 'label-sheet',
      subject: String(labels),
      detail: { format, connectorIds: chosen.connectorIds, query: query ?? {} },
      totalCount: labels,
    },
    at,
  );
  if (!started.ok) return started;
  const task = started.value;
  await audit(trx, caller, at, {
    action: 'connector.labels',
    recordKind: 'task',
    recordId: task.id,
    after: { format, labels, query },
  });
  return ok({ answer: { taskId: task.id, labels }, task });
}
