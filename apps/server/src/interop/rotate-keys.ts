import type { ApiError } from '@voltdeck/contract/errors';
import { overlapHours, type rotatePartnerKeys as route } from '@voltdeck/contract/partners';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { PartnerId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { forgetLogin, lockPartner } from './change-partner.ts';
import { completedKeys } from './make-keys.ts';
import { beginKeys } from './partner-keys.ts';

/**
 * Begins new keys of a direction. The ones before stay valid for the overlap, so that both sides change without a call
 * lost; without an overlap, whatever was given for them ends too. The audit log has that it was done, not the keys.
 */
export async function rotateKeys(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  { direction, keys: given, overlapHours: hours = overlapHours.usual }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const partner = await lockPartner(trx, secrets, caller, id);
  if (partner === null) return failed({ code: 'record.not_found' });
  const keys = completedKeys(given);
  const overlapMs = hours * hourMs;
  await beginKeys(trx, secrets, { partnerId: id, direction, keys, overlapMs, userId: caller.userId }, at);
  if (direction === 'outbound') await forgetLogin(trx, id);
  else if (hours === 0) await trx.deleteFrom('partner_tokens').where('partner_id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'partner.rotate_keys',
    recordKind: 'partner',
    recordId: id,
    after: { direction, overlapHours: hours },
  });
  return ok({
    direction,
    keys,
    from: toIso(at),
    previousUntil: partner.keys[direction].length === 0 ? null : toIso(instant(at + overlapMs)),
  });
}
