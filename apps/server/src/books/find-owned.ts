import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { hasPart } from '../http/part-of-text.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { prefixesOwnedBy } from './party.ts';

/** The keys of a record's accounts. */
export function keysOf(owner: 'site' | 'agent', id: number): string[] {
  return prefixesOwnedBy(owner).map((prefix) => `${prefix}:${id}`);
}

/** The keys of the accounts of cards that are found by the printed or the physical number, whole or in part. */
export function keysOfCards(caller: Caller, number: string, as: 'whole' | 'part'): RawBuilder<string> {
  const finds = (column: string) => findsPersonal(caller, column, number, byPart(column, number, as));
  return sql`select prefix || ':' || cards.id from cards, unnest(${prefixesOwnedBy('card')}::text[]) as prefix
              where ${finds('cards.number')} or ${finds('cards.physical_number')}`;
}

/** The same for registered users, by their phone. */
export function keysOfCustomers(caller: Caller, phone: string, as: 'whole' | 'part'): RawBuilder<string> {
  const finds = findsPersonal(caller, 'customers.phone', phone, byPart('customers.phone', phone, as));
  return sql`select prefix || ':' || customers.id from customers, unnest(${prefixesOwnedBy('customer')}::text[]) as prefix
              where ${finds}`;
}

function byPart(column: string, text: string, as: 'whole' | 'part'): RawBuilder<boolean> {
  return as === 'part' ? hasPart(column, 'number', text) : sql`${sql.ref(column)} = ${text}`;
}
