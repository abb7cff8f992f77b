import { rechargeTargetsMax, type findRechargeTargets as route } from '@voltdeck/contract/payments';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByCards } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { hasPart } from '../http/part-of-text.ts';
import { readPrepaid } from '../ledger/read-prepaid.ts';
import { partColumns, withBalance } from '../ledger/wallet-parts.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

type Answer = AnswerOf<typeof route>;
type Target = Answer['targets'][number];

/** How many matches are put in order; a text that matches more is too short to mean one card or person. */
const candidatesMax = 1_000;

/** Cards and registered users within the caller's scope, whole matches first. */
export async function findRechargeTargets(db: Kysely<Tables>, caller: Caller, query: QueryOf<typeof route>) {
  const [cards, customers, prepaidFen] = await Promise.all([
    findCards(db, caller, query),
    findCustomers(db, caller, query),
    prepaidOf(db, caller),
  ]);
  const targets = [...cards, ...customers].sort((a, b) => Number(b.isWhole) - Number(a.isWhole));
  return { targets: targets.slice(0, rechargeTargetsMax).map(({ isWhole: _, ...target }) => target), prepaidFen };
}

type Found = Target & { isWhole: boolean };

async function findCards(db: Kysely<Tables>, caller: Caller, { text, cardId }: QueryOf<typeof route>) {
  if (text === undefined && cardId === undefined) return [];
  const cards = scoped(db.selectFrom('cards'), caller, 'cards.agent_id')
    .select(['cards.id', 'cards.number', 'cards.physical_number', 'cards.customer_id', 'cards.state'])
    .$if(cardId !== undefined, (query) => query.where('cards.id', '=', cardId as CardId));
  const wanted = text?.toUpperCase() ?? '';
  const finds = (column: string) => findsPersonal(caller, column, wanted, hasPart(column, 'number', wanted));
  const whole = cards.where((eb) => eb.or([eb('number', '=', wanted), eb('physical_number', '=', wanted)]));
  const partly = cards
    .$if(text !== undefined, (query) =>
      query.where((eb) => eb.or([finds('cards.number'), finds('cards.physical_number')])),
    )
    .limit(sql.lit(candidatesMax));
  // Apart, so that no number of partial matches hides it.
  const found = whole.union((eb) => eb.parens(partly));
  const isWhole = sql<boolean>`(found.number = ${wanted} or found.physical_number = ${wanted})`;
  const rows = await db
    .selectFrom(found.as('found'))
    .leftJoin('customers', 'customers.id', 'found.customer_id')
    .select([
      'found.id as cardId',
      'found.number as cardNumber',
      'found.state as cardState',
      'customers.phone as customerPhone',
      'customers.nickname',
      isWhole.as('isWhole'),
      ...partColumns('card', 'found.id'),
    ])
    .orderBy(isWhole, 'desc')
    .orderBy('found.number')
    .limit(rechargeTargetsMax)
    .execute();
  return rows.map((row): Found => ({ kind: 'card', customerId: null, ...withBalance(row) }));
}

async function findCustomers(db: Kysely<Tables>, caller: Caller, { text, customerId }: QueryOf<typeof route>) {
  if (text === undefined && customerId === undefined) return [];
  if (text !== undefined && !/^\d+$/.test(text)) return [];
  const customers = scopedByCards(db.selectFrom('customers'), caller, 'customers.id')
    .select(['customers.id', 'customers.phone', 'customers.nickname'])
    .$if(customerId !== undefined, (query) => query.where('customers.id', '=', customerId as CustomerId));
  const wanted = text ?? '';
  const partly = customers
    .$if(text !== undefined, (query) =>
      query.where(findsPersonal(caller, 'customers.phone', wanted, hasPart('customers.phone', 'number', wanted))),
    )
    .limit(sql.lit(candidatesMax));
  const found = customers.where('phone', '=', wanted).union((eb) => eb.parens(partly));
  const isWhole = sql<boolean>`found.phone = ${wanted}`;
  const rows = await db
    .selectFrom(found.as('found'))
    .select([
      'found.id as customerId',
      'found.phone as customerPhone',
      'found.nickname',
      isWhole.as('isWhole'),
      ...partColumns('customer', 'found.id'),
    ])
    .orderBy(isWhole, 'desc')
    .orderBy('found.phone')
    .limit(rechargeTargetsMax)
    .execute();
  return rows.map(
    (row): Found => ({ kind: 'customer', cardId: null, cardNumber: null, cardState: null, ...withBalance(row) }),
  );
}

/** What the caller's agent can still pay recharges from; null for the platform, whose money comes from outside. */
async function prepaidOf(db: Kysely<Tables>, { agents }: Caller): Promise<Fen | null> {
  if (agents === 'all') return null;
  const [agentId] = agents;
  if (agentId === undefined) return zeroFen;
  return readPrepaid(db, agentId);
}
