import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { identityNumbers } from '@voltdeck/contract/identity-numbers';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { IdentityBatch, makeIdentities as route } from '@voltdeck/contract/station-identities';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../../background/announce-task.ts';
import { startTask } from '../../background/start-task.ts';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { lockAgent } from '../../caller/lock-agent.ts';
import { agentOfNewRecord } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { lockSite } from '../lock-site.ts';
import { takenNumbers } from './taken-numbers.ts';

/** Queues a batch whose numbers are all free now; nothing is written before. */
export async function startIdentities(
  trx: Trx,
  caller: Caller,
  form: IdentityBatch,
  at: Instant,
): Promise<Result<Started<AnswerOf<typeof route>>, ApiError>> {
  const { startNumber, count, protocol, siteId } = form;
  const fields: FieldFault[] = [];
  const counted = identityNumbers(startNumber, count, protocol);
  if ('fault' in counted) {
    const { fault: code, params } = counted;
    fields.push({ path: 'startNumber', code, ...(params === undefined ? {} : { params }) });
  }
  const site = siteId === undefined ? null : await lockSite(trx, caller, siteId);
  if (site === undefined) fields.push({ path: 'siteId', code: 'unknown_reference' });
  const agentId = agentOfNewRecord(caller, form.agentId ?? site?.agentId ?? undefined);
  if (agentId === undefined || (agentId !== null && !(await lockAgent(trx, caller, agentId)))) {
    fields.push({ path: 'agentId', code: 'unknown_reference' });
  }
  if ('fault' in counted || fields.length > 0) return failed({ code: 'request.invalid', fields });
  const numbers = Array.from({ length: count }, (_, index) => counted.numbers(index));
  const taken = await takenNumbers(trx, numbers);
  if (taken.first !== null) {
    return failed({ code: 'identity.number_taken', params: { number: taken.first, count: taken.count } });
  }
  const batch = { ...form, ...(agentId == null ? {} : { agentId }) };
  const subject = `${form.batch} · ${numbers[0]}`;
  const detail = { kind: 'station-identities', subject, detail: { batch }, totalCount: count } as const;
  const started = await startTask(trx, caller, detail, at);
  if (!started.ok) return started;
  const task = started.value;
  await audit(trx, caller, at, { action: 'identity.make', recordKind: 'task', recordId: task.id, after: batch });
  return ok({ answer: { taskId: task.id, count }, task });
}
