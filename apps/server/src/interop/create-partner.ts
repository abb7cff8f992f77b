import type { ApiError } from '@voltdeck/contract/errors';
import type { createPartner as route } from '@voltdeck/contract/partners';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { checkPartner } from './check-partner.ts';
import { completedKeys } from './make-keys.ts';
import { beginKeys } from './partner-keys.ts';
import { findPartnerDetail } from './queries.ts';

/** Adds a partner with the keys of both directions, which are in this answer and in no other. */
export async function createPartner(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  { inbound: givenInbound, outbound: givenOutbound, ...form }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const checked = await checkPartner(trx, form, null);
  if (!checked.ok) return checked;
  const made = await trx
    .insertInto('partners')
    .values({
      ...checked.value,
      operator_id: form.operatorId,
      name: form.name,
      role: form.role,
      user_id: caller.userId,
      created_at: at,
      changed_at: at,
    })
    // Two with one code at the same time: the second waits for the first and finds it taken.
    .onConflict((conflict) => conflict.column('operator_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return failed({ code: 'partner.code_taken' });
  const { id } = made;
  const inbound = completedKeys(givenInbound);
  const outbound = completedKeys(givenOutbound);
  const of = { partnerId: id, overlapMs: 0, userId: caller.userId };
  await beginKeys(trx, secrets, { ...of, direction: 'inbound', keys: inbound }, at);
  await beginKeys(trx, secrets, { ...of, direction: 'outbound', keys: outbound }, at);
  await audit(trx, caller, at, { action: 'partner.create', recordKind: 'partner', recordId: id, after: form });
  const partner = await findPartnerDetail({ db: trx, secrets }, caller, id);
  if (partner === null) throw new Error(`partner ${id} is gone`);
  return ok({ ...partner, inbound, outbound });
}
