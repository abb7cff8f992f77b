import type { ApiError } from '@voltdeck/contract/errors';
import type { RoamingChargeId } from '@voltdeck/units/id';
import { instant, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { CustomerCaller } from '../../caller/customer-caller.ts';
import type { Context } from '../../context.ts';
import { callLimits, type PartnerCaller } from '../deliver/partner-caller.ts';
import { findPartnerById } from '../partner.ts';
import { isRunningRoaming, writeRoaming } from './change-roaming.ts';
import { askStop } from './roaming-calls.ts';
import { byId, lockRoaming } from './roaming-row.ts';

/** A wish is passed on once in this time. */
const askedAgainMs = 10 * secondMs;

/**
 * Asks the partner to end a charge; its end is what the partner tells afterwards. The wish is written down first: it is
 * asked again for as long as the charge goes on. `agreed` is false where the partner refused.
 */
export async function stopRoaming(
  context: Context<'console'>,
  calls: PartnerCaller,
  id: RoamingChargeId,
  who: Caller | CustomerCaller,
): Promise<Result<{ agreed: boolean }, ApiError>> {
  const { db } = context.database;
  const charge = await db.transaction().execute(async (trx) => {
    const locked = await lockRoaming(trx, byId(id));
    if (locked === null || !isRunningRoaming(locked)) return null;
    const now = context.now();
    // Pressed again and again, it is one wish.
    if (locked.stopAskedAt !== null && now - locked.stopAskedAt < askedAgainMs) return 'asked';
    await writeRoaming(trx, locked, {
      stop_asked_at: now,
      ...(locked.state === 'charging' && { poll_due_at: instant(now + 2 * callLimits.timeoutMs) }),
    });
    await audit(trx, who, now, { action: 'roaming.stop', recordKind: 'roaming_charge', recordId: id });
    return locked;
  });
  if (charge === null) return failed({ code: 'order.not_charging' });
  if (charge === 'asked') return ok({ agreed: true });
  const partner = await findPartnerById(db, charge.partnerId);
  if (partner === null) return failed({ code: 'roaming.no_answer' });
  const said = await askStop(calls, await calls.open(partner), charge);
  switch (said.kind) {
    case 'said':
      return ok({ agreed: true });
    case 'refused':
      // It ended already, which its own message will tell.
      return ok({ agreed: said.refusal === 'already_stopped' });
    case 'silent':
      return failed({ code: 'roaming.no_answer' });
  }
}
