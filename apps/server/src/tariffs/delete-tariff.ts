import type { ApiError } from '@voltdeck/contract/errors';
import type { TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockOwnRule } from './lock-rule.ts';
import { findTariff } from './queries.ts';

/**
 * Deletes a rule that no station uses, no partner has agreed on, no price change waits for and that is nobody's default. Orders and the history of
 * stations keep referring to its versions, so they are hidden rather than removed.
 */
export async function deleteTariff(
  trx: Trx,
  caller: Caller,
  id: TariffId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const locked = await lockOwnRule(trx, caller, id);
  if (!locked.ok) return locked;
  const { ruleId, inForceId } = locked.value;
  const defaults = await trx.selectFrom('tariff_defaults').select('agent_id').where('rule_id', '=', ruleId).execute();
  if (defaults.some(({ agent_id: agentId }) => agentId === null)) return failed({ code: 'tariff.platform_default' });
  if (defaults.length > 0) return failed({ code: 'tariff.agent_default' });
  const used = await trx
    .selectFrom('tariffs as v')
    .innerJoin('stations as s', (join) => join.on(sql<boolean>`v.id = s.card_tariff_id or v.id = s.wechat_tariff_id`))
    .select('s.id')
    .where('v.rule_id', '=', ruleId)
    .limit(1)
    .executeTakeFirst();
  const agreed = await sql`
    select 1 from tariffs v
     where v.rule_id = ${ruleId}
       and (exists (select 1 from partners p where p.tariff_id = v.id)
            or exists (select 1 from partner_sites o where o.tariff_id = v.id))`.execute(trx);
  const planned = await trx
    .selectFrom('price_changes')
    .select('id')
    .where('rule_id', '=', ruleId)
    .where('state', '<>', sql.lit('cancelled'))
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined || agreed.rows.length > 0 || planned !== undefined) return failed({ code: 'tariff.in_use' });
  const before = await findTariff(trx, caller, inForceId);
  await trx
    .updateTable('tariffs')
    .set({ archived_at: at, state: sql`case when state = 'waiting' then 'cancelled' else state end` })
    .where('rule_id', '=', ruleId)
    .execute();
  await audit(trx, caller, at, { action: 'tariff.delete', recordKind: 'tariff', recordId: ruleId, before });
  return ok(null);
}
