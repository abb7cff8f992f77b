import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { cardAccount, customerAccount, type PersonalWallet } from '@voltdeck/ledger/account';
import type { AgentId, CardId, CustomerId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope, scopedByCards } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { onlyOneOf } from '../http/only-one.ts';

const fields = ['cardNumber', 'cardId', 'customerPhone', 'customerId'] as const;

/** A card or a customer as a form names it: exactly one of these, the card by either number. */
export type NamedWallet = {
  cardNumber?: string | undefined;
  cardId?: CardId | undefined;
  customerPhone?: string | undefined;
  customerId?: CustomerId | undefined;
};

export type FoundWallet = {
  wallet: PersonalWallet;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Of the card. */
  agentId: AgentId | null;
  /** Its number or phone, for records that name it. */
  text: string;
};

type Options = {
  /** `receive`: a card in use and a customer who is not disabled; `give`: any card that was not cancelled. */
  to: 'receive' | 'give';
  /** The form's names of the fields. */
  pathOf?: (field: (typeof fields)[number]) => string;
};

/**
 * The wallet that a form names, within the caller's scope, able to receive money or to give it. Its record stays as it is
 * until the end of the transaction: a card is not cancelled or replaced and a customer not merged meanwhile.
 */
export async function findWallet(
  trx: Trx,
  caller: Caller,
  named: NamedWallet,
  { to, pathOf = (field) => field }: Options,
): Promise<Result<FoundWallet, ApiError>> {
  const refuse = ({ path, code }: { path: (typeof fields)[number]; code: FieldFault['code'] }) =>
    failed({ code: 'request.invalid' as const, fields: [{ path: pathOf(path), code }] });
  const given = onlyOneOf(named, fields);
  if (!given.ok) return refuse({ path: given.error.path as (typeof fields)[number], code: given.error.code });
  const unknown = { path: given.value, code: 'unknown_reference' as const };
  if (given.value === 'cardNumber' || given.value === 'cardId') {
    const card = await findCard(trx, named);
    if (card === undefined || !isInScope(caller, card.agent_id)) return refuse(unknown);
    if (to === 'receive' && card.state !== 'active') return failed({ code: 'card.not_usable' });
    if (card.state === 'cancelled') return failed({ code: 'card.cancelled' });
    const { id, number, agent_id: agentId } = card;
    return ok({ wallet: cardAccount(id), cardId: id, customerId: null, agentId, text: number });
  }
  const { customerPhone, customerId } = named;
  const customers = scopedByCards(trx.selectFrom('customers'), caller, 'customers.id').select(['id', 'phone', 'state']);
  const customer = await (customerPhone === undefined
    ? customers.where('id', '=', customerId ?? null)
    : customers.where('phone', '=', customerPhone)
  )
    .forShare('customers')
    .executeTakeFirst();
  if (customer === undefined) return refuse(unknown);
  if (customer.state === 'merged') return failed({ code: 'customer.merged' });
  if (to === 'receive' && customer.state === 'disabled') return failed({ code: 'customer.disabled' });
  const { id, phone } = customer;
  return ok({ wallet: customerAccount(id), cardId: null, customerId: id, agentId: null, text: phone });
}

function findCard(trx: Trx, { cardNumber, cardId }: NamedWallet) {
  const number = cardNumber?.toUpperCase();
  return trx
    .selectFrom('cards')
    .select(['id', 'number', 'state', 'agent_id'])
    .where((eb) =>
      number === undefined
        ? eb('id', '=', cardId ?? null)
        : eb.or([eb('number', '=', number), eb('physical_number', '=', number)]),
    )
    .forShare()
    .executeTakeFirst();
}
