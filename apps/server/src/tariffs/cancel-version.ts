import type { ApiError } from '@voltdeck/contract/errors';
import type { Tariff } from '@voltdeck/contract/tariffs';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { lockOwnRule } from './lock-rule.ts';
import { findTariff } from './queries.ts';

/** Withdraws a version that has not taken effect; its number is not given again. */
export async function cancelVersion(
  trx: Trx,
  caller: Caller,
  id: TariffId,
  at: Instant,
): Promise<Result<Tariff, ApiError>> {
  const locked = await lockOwnRule(trx, caller, id);
  if (!locked.ok) return locked;
  const cancelled = await trx
    .updateTable('tariffs')
    .set({ state: 'cancelled' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['version', 'effective_at as effectiveAt'])
    .executeTakeFirst();
  if (cancelled === undefined) return failed({ code: 'tariff.not_waiting' });
  await audit(trx, caller, at, {
    action: 'tariff.version_cancel',
    recordKind: 'tariff',
    recordId: locked.value.ruleId,
    before: { version: cancelled.version, takesEffectAt: toIso(cancelled.effectiveAt) },
  });
  return found(await findTariff(trx, caller, locked.value.inForceId));
}
