import type { BillingType } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

export type LockedRule = {
  ruleId: TariffId;
  agentId: AgentId | null;
  kind: BillingType;
  name: string;
  note: string;
  /** The version in force. */
  inForceId: TariffId;
  detail: unknown;
  /** When the version in force took effect. */
  effectiveAt: Instant;
};

/**
 * Locks a rule by any version's id, so that its versions change one after the other; null where there is none or it was
 * deleted. A rule is locked before its stations, everywhere.
 */
export async function lockRule(trx: Trx, id: TariffId): Promise<LockedRule | null> {
  const head = await trx
    .selectFrom('tariffs')
    .select('id')
    .where('id', '=', (query) =>
      query.selectFrom('tariffs as named').select('named.rule_id').where('named.id', '=', id),
    )
    .where('archived_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (head === undefined) return null;
  // Read once the lock is held: whoever held it before may have put another version in force.
  const rule = await trx
    .selectFrom('tariffs')
    .select(['rule_id as ruleId', 'agent_id as agentId', 'kind', 'name', 'note', 'id as inForceId', 'detail'])
    .select('effective_at as effectiveAt')
    .where('rule_id', '=', head.id)
    .where('state', '=', sql.lit('in_force'))
    .executeTakeFirst();
  return rule ?? null;
}

/** Locks a rule that the caller may change: an agent its own, the platform any. */
export async function lockOwnRule(trx: Trx, caller: Caller, id: TariffId): Promise<Result<LockedRule, ApiError>> {
  const rule = await lockRule(trx, id);
  if (rule === null) return failed({ code: 'record.not_found' });
  if (isInScope(caller, rule.agentId)) return ok(rule);
  return failed({ code: rule.agentId === null ? 'access.denied' : 'record.not_found' });
}
