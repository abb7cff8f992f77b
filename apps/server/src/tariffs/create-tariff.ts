import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createTariff as route, Tariff } from '@voltdeck/contract/tariffs';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import { agentOfNewRecord } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findTariff } from './queries.ts';
import { readTariffForm } from './read-tariff-form.ts';

/** Adds a billing rule with its first version, in force at once. */
export async function createTariff(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Tariff, ApiError>> {
  const { name, note = '', agentId: askedAgentId } = form;
  const read = readTariffForm(form);
  const fields: FieldFault[] = read.ok ? [] : [...read.error];
  const agentId = agentOfNewRecord(caller, askedAgentId);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (agentId !== null && !(await lockAgent(trx, caller, agentId))) {
    fields.push({ path: 'agentId', code: 'unknown_reference' });
  }
  if (!read.ok || fields.length > 0) return failed({ code: 'request.invalid', fields });
  const { id } = await trx
    .insertInto('tariffs')
    .values({
      name,
      note,
      kind: read.value.kind,
      detail: JSON.stringify(read.value),
      agent_id: agentId,
      created_by: caller.userId,
      created_at: at,
      effective_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'tariff.create', recordKind: 'tariff', recordId: id, after: form });
  return found(await findTariff(trx, caller, id));
}
