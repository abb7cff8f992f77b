import type { ApiError } from '@voltdeck/contract/errors';
import type { PriceChange, createPriceChange as route } from '@voltdeck/contract/price-changes';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { agentOfNewRecord } from '../caller/scope.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { lockVersionsInForce } from '../tariffs/rules-of-station.ts';
import { findPriceChange } from './queries.ts';
import { checkTargets, chooseStations } from './targets.ts';

/** Schedules a price change for the stations that match now. */
export async function createPriceChange(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PriceChange, ApiError>> {
  const agentId = agentOfNewRecord(caller, undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  const checked = await checkTargets(trx, caller, form, at);
  if (!checked.ok) return checked;
  const { rule, effectiveAt } = checked.value;
  // Locked against deletion until this refers to it.
  if (!(await lockVersionsInForce(trx, [rule.id])).has(rule.id)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'ruleId', code: 'unknown_reference' }] });
  }
  const chosen = await chooseStations(trx, caller, form, rule);
  if (!chosen.ok) return chosen;
  const { name, remark = '', slots } = form;
  const { id } = await trx
    .insertInto('price_changes')
    .values({
      name,
      remark,
      slots,
      rule_id: rule.id,
      effective_at: effectiveAt,
      agent_id: agentId,
      created_by: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into price_change_stations (price_change_id, station_id, agent_id)
    select ${id}::bigint, id, "agentId"
      from jsonb_to_recordset(${JSON.stringify(chosen.value)}::jsonb) as chosen (id bigint, "agentId" bigint)`.execute(
    trx,
  );
  await giveJob(trx, 'apply-due-prices', {}, { key: `price-change:${id}`, runAt: effectiveAt });
  await audit(trx, caller, at, {
    action: 'price_change.create',
    recordKind: 'price_change',
    recordId: id,
    after: { ...form, stationCount: chosen.value.length },
  });
  return found(await findPriceChange(trx, caller, id));
}
