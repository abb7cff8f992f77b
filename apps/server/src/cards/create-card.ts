import { spellingsOf } from '@voltdeck/charging/chip-number';
import type { Card, createCard as route } from '@voltdeck/contract/cards';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CustomerId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { agentOfNewRecord, scopedByCards } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findCard } from './queries.ts';

/** Issues a card. A station may show either number, so neither may match another card, however it is written. */
export async function createCard(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Card, ApiError>> {
  const agentId = agentOfNewRecord(caller, undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (form.customerId !== undefined && !(await isCustomer(trx, caller, form.customerId))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'customerId', code: 'unknown_reference' }] });
  }
  // OCPP compares numbers without case (1.6, section 7.28); stored in capitals, they compare directly.
  const physicalNumber = form.physicalNumber?.toUpperCase() ?? form.number;
  const numbers = [form.number, physicalNumber].flatMap(spellingsOf);
  const taken = await trx
    .selectFrom('cards')
    .select('id')
    .where((eb) => eb.or([eb('number', 'in', numbers), eb('physical_number', 'in', numbers)]))
    .limit(1)
    .executeTakeFirst();
  const created =
    taken !== undefined
      ? undefined
      : await trx
          .insertInto('cards')
          .values({
            number: form.number,
            physical_number: physicalNumber,
            customer_id: form.customerId ?? null,
            agent_id: agentId,
            expires_at: form.expiresAt === undefined || form.expiresAt === null ? null : parseIso(form.expiresAt),
            created_at: at,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
  if (created === undefined) return failed({ code: 'card.number_taken', params: { number: form.number } });
  await audit(trx, caller, at, { action: 'card.create', recordKind: 'card', recordId: created.id, after: form });
  return found(await findCard(trx, caller, created.id));
}

function isCustomer(trx: Trx, caller: Caller, id: CustomerId): Promise<boolean> {
  return scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
    .then((row) => row !== undefined);
}
