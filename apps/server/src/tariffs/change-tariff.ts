import { isDeepStrictEqual } from 'node:util';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import {
  type changeTariff as route,
  type Tariff,
  tariffVersionsMax,
  waitingVersionsMax,
} from '@voltdeck/contract/tariffs';
import type { Tariff as Prices } from '@voltdeck/tariffs/tariff';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { type LockedRule, lockOwnRule } from './lock-rule.ts';
import { findTariff } from './queries.ts';
import { readTariffForm } from './read-tariff-form.ts';
import { passOver, replaceInForce } from './take-into-force.ts';

/**
 * Changes a rule. Other prices are a new version: now, with its stations moved to it, or waiting for its time. The name
 * and the note are the rule's own and change at once.
 */
export async function changeTariff(
  trx: Trx,
  caller: Caller,
  id: TariffId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Tariff, ApiError>> {
  const locked = await lockOwnRule(trx, caller, id);
  if (!locked.ok) return locked;
  const rule = locked.value;
  if (form.basedOnId !== undefined && form.basedOnId !== rule.inForceId) return failed({ code: 'record.changed' });
  const read = readTariffForm(form);
  const fields: FieldFault[] = read.ok ? [] : [...read.error];
  if (form.kind !== rule.kind) fields.push({ path: 'kind', code: 'not_changeable' });
  if (form.agentId !== undefined && form.agentId !== rule.agentId) {
    fields.push({ path: 'agentId', code: 'not_changeable' });
  }
  if (!read.ok || fields.length > 0) return failed({ code: 'request.invalid', fields });
  const before = await findTariff(trx, caller, rule.inForceId);
  await trx
    .updateTable('tariffs')
    .set({ name: form.name, note: form.note ?? rule.note })
    .where('rule_id', '=', rule.ruleId)
    .execute();
  const asked = form.takesEffectAt === undefined ? null : parseIso(form.takesEffectAt);
  const isLater = asked !== null && asked > at;
  const effectiveAt = isLater ? asked : at;
  const isNew = isLater || !isDeepStrictEqual(plain(rule.detail), plain(read.value));
  const added = isNew
    ? await addVersion(trx, caller, rule, { prices: read.value, effectiveAt, isLater, form, at })
    : null;
  if (added !== null && !added.ok) return added;
  await audit(trx, caller, at, {
    action: 'tariff.change',
    recordKind: 'tariff',
    recordId: rule.ruleId,
    before,
    after: {
      ...form,
      ...(added?.ok === true ? { version: added.value.version, stationCount: added.value.stations } : {}),
    },
  });
  return found(await findTariff(trx, caller, added?.ok === true ? added.value.id : rule.inForceId));
}

/** As it was written to the database and read again. */
function plain(detail: unknown): unknown {
  return JSON.parse(JSON.stringify(detail));
}

async function addVersion(
  trx: Trx,
  caller: Caller,
  rule: LockedRule,
  change: {
    prices: Prices;
    effectiveAt: Instant;
    isLater: boolean;
    form: BodyOf<typeof route>;
    at: Instant;
  },
): Promise<Result<{ id: TariffId; version: number; stations: number }, ApiError>> {
  const { prices, effectiveAt, isLater, form, at } = change;
  const versions = await trx
    .selectFrom('tariffs')
    .select([
      sql<number>`max(version)`.as('last'),
      sql<number>`count(*) filter (where state = 'waiting')`.as('waiting'),
      sql<boolean>`coalesce(bool_or(state = 'waiting' and effective_at = to_timestamp(${effectiveAt} / 1000.0)), false)`.as(
        'isTaken',
      ),
    ])
    .where('rule_id', '=', rule.ruleId)
    .executeTakeFirstOrThrow();
  if (versions.last >= tariffVersionsMax) {
    return failed({ code: 'tariff.too_many_versions', params: { max: tariffVersionsMax } });
  }
  if (isLater && versions.waiting >= waitingVersionsMax) {
    return failed({ code: 'tariff.too_many_versions', params: { max: waitingVersionsMax } });
  }
  if (isLater && versions.isTaken) return failed({ code: 'tariff.effective_at_taken' });
  const version = versions.last + 1;
  // A version that should be in force by now must not replace this one when the job gets to it.
  if (!isLater) await passOver(trx, caller, { ruleId: rule.ruleId, until: at, at });
  const { id } = await trx
    .insertInto('tariffs')
    .values({
      rule_id: rule.ruleId,
      version,
      state: 'waiting',
      effective_at: effectiveAt,
      name: form.name,
      note: form.note ?? rule.note,
      kind: rule.kind,
      detail: JSON.stringify(prices),
      agent_id: rule.agentId,
      created_by: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!isLater) {
    const { stations } = await replaceInForce(trx, { ruleId: rule.ruleId, to: id, effectiveAt });
    return { ok: true, value: { id, version, stations } };
  }
  await giveJob(trx, 'apply-due-prices', {}, { key: `tariff:${id}`, runAt: effectiveAt });
  return { ok: true, value: { id, version, stations: 0 } };
}
