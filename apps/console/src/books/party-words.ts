import { type AccountParty, ownerNameOf } from '@voltdeck/contract/books';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { findable } from '../ui/is-masked.ts';

export type Party = Omit<AccountParty, 'accountId'>;

/** Whose account it is; null for those without an owner. */
export function ownerText(party: Party): string | null {
  return party.channel === null ? ownerNameOf(party) : phrase(`books.channel.${party.channel}`);
}

/** "IC card balance A1B2…" */
export function partyText(party: Party): string {
  return [phrase(`account-kind.${party.kind}`), ownerText(party)].filter((part) => part !== null).join(' ');
}

/** The owner's own record. */
export function ownerPlace({ cardNumber, customerPhone, siteId, agentId }: Party): Place | null {
  if (cardNumber !== null) return place('cardList', { number: findable(cardNumber) });
  if (customerPhone !== null) return place('registerUser', { phone: findable(customerPhone) });
  if (siteId !== null) return place('plotDetail', { id: siteId });
  return agentId === null ? null : place('childrenAccount', { id: agentId });
}
