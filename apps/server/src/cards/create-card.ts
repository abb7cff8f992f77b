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
import { numbersOf, spellingsOfCard, takenNumbers } from './card-numbers.ts';
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
  const numbers = numbersOf(form);
  const taken = await takenNumbers(trx, spellingsOfCard(numbers));
  const customerId = form.customerId ?? null;
  const created =
    taken.size > 0
      ? undefined
      : await trx
          .insertInto('cards')
          .values({
            number: numbers.number,
            physical_number: numbers.physicalNumber,
            type: form.type ?? 'online',
            customer_id: customerId,
            bound_at: customerId === null ? null : at,
            agent_id: agentId,
            tap_amount_fen: form.tapAmountFen ?? null,
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
    .where('state', '<>', 'merged')
    .executeTakeFirst()
    .then((row) => row !== undefined);
}
