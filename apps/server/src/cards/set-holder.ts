import type { Waits } from '@voltdeck/contract/approvals';
import type { Card, setCardHolder as route } from '@voltdeck/contract/cards';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { cardAccount, giftAccount, heldAccount, heldGiftAccount } from '@voltdeck/ledger/account';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scopedByCards } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { onlyOneOf } from '../http/only-one.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import { askSecondPerson, ChangedSinceAsked } from '../second-person/ask-second-person.ts';
import { lockCard } from './change-card.ts';
import { findCard } from './queries.ts';

type Form = BodyOf<typeof route>;

/** Phones of people without a card of its agent that one user outside the platform may try a day. */
export const newPhonesPerDayMax = 20;

/**
 * Binds a card to a registered user or frees it. The money stays on the card: a new holder takes it over, and an order
 * keeps the one it began with. An agent binds whoever it knows the whole phone of, since its first card is what makes a
 * person its customer, whose name and balance it then sees; `newPhones` counts them and its misses. A card with money may have to wait for a second person like a
 * transfer.
 */
export async function setHolder(
  trx: Trx,
  newPhones: RateLimit,
  caller: Caller,
  { id, form }: { id: CardId; form: Form },
  at: Instant,
): Promise<Result<Card | Waits, ApiError>> {
  const given = onlyOneOf(form, ['customerPhone', 'customerId']);
  if (!given.ok) return failed({ code: 'request.invalid', fields: [given.error] });
  const card = await lockCard(trx, caller, id);
  if (card === undefined) return failed({ code: 'record.not_found' });
  if (card.state === 'cancelled') return failed({ code: 'card.cancelled' });
  const holder = await findHolder(trx, newPhones, caller, form, at);
  if (!holder.ok) return holder;
  return giveHolder(trx, caller, { id, customerId: holder.value, beforeId: card.customer_id }, at);
}

/**
 * The same for a holder who is known; null frees the card.
 * @throws ChangedSinceAsked where an approved change would take the card from another holder than was approved.
 */
export async function giveHolder(
  trx: Trx,
  caller: Caller,
  { id, customerId, beforeId }: { id: CardId; customerId: CustomerId | null; beforeId: CustomerId | null },
  at: Instant,
): Promise<Result<Card | Waits, ApiError>> {
  const card = await lockCard(trx, caller, id);
  if (card === undefined) return failed({ code: 'record.not_found' });
  if (card.state === 'cancelled') return failed({ code: 'card.cancelled' });
  if (card.customer_id !== beforeId) throw new ChangedSinceAsked(beforeId ?? undefined, card.customer_id ?? 0);
  if (customerId === card.customer_id) return found(await findCard(trx, caller, id));
  if (customerId !== null) {
    const wallet = cardAccount(id);
    const balanceOf = await lockWallets(trx, [wallet]);
    const parts = [wallet, giftAccount(wallet), heldAccount(wallet), heldGiftAccount(wallet)];
    const amountFen = addFen(...parts.map(balanceOf));
    const customer = await trx
      .selectFrom('customers')
      .select('id')
      .where('id', '=', customerId)
      .where('state', '<>', 'merged')
      .forShare()
      .executeTakeFirst();
    if (customer === undefined) return failed({ code: 'customer.merged' });
    if (amountFen > 0 || caller.approvalId !== undefined) {
      const approval = await askSecondPerson(
        trx,
        caller,
        {
          kind: 'card_holder',
          amountFen,
          agentId: card.agent_id,
          subject: { kind: 'card', id, text: card.number },
          detail: { cardId: id, customerId, beforeId },
        },
        at,
      );
      if (approval !== null) return ok({ waitsFor: approval });
    }
  }
  await trx
    .updateTable('cards')
    .set({ customer_id: customerId, bound_at: customerId === null ? null : at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: customerId === null ? 'card.unbind' : 'card.bind',
    recordKind: 'card',
    recordId: id,
    before: { customerId: card.customer_id },
    after: { customerId },
  });
  return found(await findCard(trx, caller, id));
}

async function findHolder(
  trx: Trx,
  newPhones: RateLimit,
  caller: Caller,
  { customerPhone, customerId }: Form,
  at: Instant,
): Promise<Result<CustomerId | null, ApiError>> {
  const unknown = (path: keyof Form) =>
    failed({ code: 'request.invalid' as const, fields: [{ path, code: 'unknown_reference' as const }] });
  if (customerPhone === null || customerId === null) return ok(null);
  if (customerPhone === undefined) {
    const customer = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
      .select('id')
      .where('id', '=', customerId ?? null)
      .where('state', '<>', 'merged')
      .executeTakeFirst();
    return customer === undefined ? unknown('customerId') : ok(customer.id);
  }
  const asker = caller.agents === 'all' ? null : String(caller.userId);
  const seconds = asker === null ? 0 : newPhones.secondsLeft(asker, at);
  if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where('phone', '=', customerPhone)
    .where('state', '<>', 'merged')
    .executeTakeFirst();
  if (asker !== null && !(await isCustomerOf(trx, caller, customer?.id))) newPhones.secondsToWait(asker, at);
  return customer === undefined ? unknown('customerPhone') : ok(customer.id);
}

async function isCustomerOf(trx: Trx, caller: Caller, id: CustomerId | undefined): Promise<boolean> {
  if (id === undefined) return false;
  const known = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return known !== undefined;
}
