import { tidyPlate } from '@voltdeck/charging/plate';
import { tidyVin } from '@voltdeck/charging/vin';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { contains, hasPart } from '../http/part-of-text.ts';
import { findsName, findsPersonal } from '../personal/sees-personal.ts';
import {
  amongFirst,
  bestOf,
  byName,
  byNumber,
  hasWords,
  idsOfPerson,
  isIn,
  looked,
  lookedBy,
  noDetail,
  ofFew,
  rankIn,
  type Search,
  type SearchQuery,
  type Way,
  wordsOf,
} from './way.ts';

/** By the printed number or the physical one. */
export const cardWays: readonly Way[] = [byNumber(findCards, { list: 'cardList', filter: 'number' })];

export const customerWays: readonly Way[] = [
  byNumber(
    (db, caller, text) =>
      /^\d+$/.test(text)
        ? customersWith(
            db,
            caller,
            text,
            'phone',
            findsPersonal(caller, 'customers.phone', text, hasPart('customers.phone', 'number', text)),
          )
        : null,
    { list: 'registerUser', filter: 'phone' },
  ),
  byName('registerUser', 'nickname', (db, caller, text) =>
    customersWith(db, caller, text, 'nickname', hasWords(text, 'customers.nickname')),
  ),
];

/** By plate or VIN, or by a part at either end of them. */
export const vehicleWays: readonly Way[] = [
  { shownBy: [], find: (db, caller, text) => vehiclesWith(db, caller, 'plate', tidyPlate(text)) },
  byNumber((db, caller, text) => vehiclesWith(db, caller, 'vin', tidyVin(text))),
];

/** By name, or by the phone of its contact. */
export const agentWays = ofFew([
  byName('operatorList', 'realName', (db, caller, text) =>
    bestOf(
      db,
      scoped(db.selectFrom('agents'), caller, 'agents.id')
        .where(sql<boolean>`${hasWords(text, 'agents.name', false)}`)
        .select(['agents.id', 'agents.name as number', 'agents.name as title', noDetail])
        .select(rankIn('agents.name', text).as('rank'))
        .limit(looked),
    ),
  ),
  byNumber((db, caller, text) =>
    bestOf(
      db,
      scoped(db.selectFrom('agents'), caller, 'agents.id')
        .where(findsPersonal(caller, 'agents.phone', text))
        .select(['agents.id', 'agents.name as number', 'agents.name as title', noDetail])
        .select(rankIn('agents.phone', text).as('rank'))
        .limit(looked),
    ),
  ),
]);

export const dividerWays = ofFew([
  byName('accountChildren', 'name', (db, caller, text) =>
    bestOf(
      db,
      scoped(db.selectFrom('dividers'), caller, 'dividers.agent_id')
        .where(sql<boolean>`${hasWords(text, 'dividers.name', false)}`)
        .select(['dividers.id', 'dividers.name as number', 'dividers.name as title', noDetail])
        .select(rankIn('dividers.name', text).as('rank'))
        .limit(looked),
    ),
  ),
]);

/** By name, by the number of its card, and by the phone of its contact. */
export const groupWays: readonly Way[] = [
  byName('groupList', 'name', (db, caller, text) =>
    wordsOf(text).length === 0
      ? null
      : groupsWith(db, caller, hasWords(text, 'groups.name'), rankIn('groups.name', text)),
  ),
  ...(['card_number', 'contact_phone'] as const).map((column) =>
    byNumber((db, caller, text) => {
      const wanted = text.toUpperCase();
      const ids = idsOfPerson(caller, 'groups', column, wanted);
      return groupsWith(db, caller, isIn('groups.id', ids), rankIn(`groups.${column}`, wanted));
    }),
  ),
];

export const memberWays: readonly Way[] = [
  byNumber((db, caller, text) =>
    /^\d+$/.test(text)
      ? membersWith(
          db,
          caller,
          isIn('group_members.id', idsOfPerson(caller, 'group_members', 'phone', text)),
          rankIn('group_members.phone', text),
        )
      : null,
  ),
  byName('userList', 'name', (db, caller, text) =>
    wordsOf(text).length === 0
      ? null
      : membersWith(db, caller, hasWords(text, 'group_members.name'), rankIn('group_members.name', text)),
  ),
];

/** By the login name, the real name or the phone, like the list's filter. */
export const userWays = ofFew([byName('user', 'text', findUsers)]);

function findCards(db: Kysely<Tables>, caller: Caller, text: string): Search {
  const number = text.toUpperCase();
  const finds = (column: string) => findsPersonal(caller, column, number, hasPart(column, 'number', number));
  const candidates = db
    .selectFrom('cards')
    .select(['cards.id', 'cards.number', 'cards.physical_number', 'cards.customer_id', 'cards.agent_id'])
    .where((eb) => eb.or([finds('cards.number'), finds('cards.physical_number')]))
    .limit(sql.lit(lookedBy(caller)));
  const own = scoped(db.selectFrom(candidates.as('seen')), caller, 'seen.agent_id', 'seen.customer_id')
    .leftJoin('customers', 'customers.id', 'seen.customer_id')
    .select(['seen.id', 'seen.number', 'seen.customer_id'])
    .select([
      sql<string>`case when strpos(seen.number, ${number}) > 0 then seen.number else seen.physical_number end`.as(
        'title',
      ),
      sql<string>`coalesce(customers.nickname, '')`.as('detail'),
    ]);
  const best = bestOf(
    db,
    db
      .selectFrom(own.as('own'))
      .select(['own.id', 'own.number', 'own.title', 'own.detail'])
      .select(rankIn('own.title', number).as('rank')),
  );
  return amongFirst(db, caller, candidates, best);
}

function customersWith(
  db: Kysely<Tables>,
  caller: Caller,
  text: string,
  by: 'phone' | 'nickname',
  matches: RawBuilder<boolean>,
): Search | null {
  if (by === 'nickname' && wordsOf(text).length === 0) return null;
  const candidates = db
    .selectFrom('customers')
    .select(['customers.id', 'customers.phone', 'customers.nickname'])
    .where(matches)
    .limit(sql.lit(lookedBy(caller)));
  const own = scopedByCardsOrOwn(db.selectFrom(candidates.as('seen')), caller, 'seen.id')
    .select(['seen.id', 'seen.phone as number', 'seen.phone as title', 'seen.nickname as detail'])
    .select(rankIn(`seen.${by}`, text).as('rank'));
  return amongFirst(db, caller, candidates, bestOf(db, own));
}

/** The beginning of a plate names a province and a city, which thousands share. */
const platePartMin = 4;

function vehiclesWith(db: Kysely<Tables>, caller: Caller, by: 'plate' | 'vin', part: string): SearchQuery | null {
  const isPlausible = by === 'plate' ? /^\p{Script=Han}?[A-Z0-9]+\p{Script=Han}?$/u : /^[A-Z0-9]+$/;
  if (part.length < platePartMin || !isPlausible.test(part)) return null;
  // A vehicle has the scope of its card.
  const own = scoped(
    db
      .selectFrom('vehicles')
      .innerJoin('cards', 'cards.id', 'vehicles.card_id')
      .leftJoin('customers as owners', 'owners.id', 'vehicles.owner_id'),
    caller,
    'cards.agent_id',
    'cards.customer_id',
  )
    .where(isIn('vehicles.id', idsOfPerson(caller, 'vehicles', by, part)))
    .select(['vehicles.id', 'vehicles.vin as number'])
    .select(sql<string>`vehicles.${sql.ref(by)}`.as('title'))
    .select(sql<string>`coalesce(owners.nickname, '')`.as('detail'))
    .select(rankIn(`vehicles.${by}`, part).as('rank'));
  return bestOf(db, own);
}

function groupsWith(
  db: Kysely<Tables>,
  caller: Caller,
  matches: RawBuilder<boolean>,
  rank: RawBuilder<number>,
): SearchQuery {
  const candidates = scoped(db.selectFrom('groups'), caller, 'groups.agent_id')
    .where(matches)
    .select(['groups.id', 'groups.name as number', 'groups.name as title', 'groups.contact as detail'])
    .select(rank.as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}

function membersWith(
  db: Kysely<Tables>,
  caller: Caller,
  matches: RawBuilder<boolean>,
  rank: RawBuilder<number>,
): SearchQuery {
  const candidates = scoped(
    db.selectFrom('group_members').innerJoin('groups', 'groups.id', 'group_members.group_id'),
    caller,
    'group_members.agent_id',
  )
    .where(matches)
    .select(['group_members.id', 'group_members.phone as number', 'group_members.phone as title'])
    .select(sql<string>`concat_ws(' · ', nullif(group_members.name, ''), groups.name)`.as('detail'))
    .select(rank.as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}

function findUsers(db: Kysely<Tables>, caller: Caller, text: string): SearchQuery {
  const candidates = scoped(db.selectFrom('users'), caller, 'users.agent_id')
    .where((eb) =>
      eb.or([
        findsName(caller, 'users.user_name', text, contains('users.user_name', text)),
        contains('users.real_name', text),
        findsPersonal(caller, 'users.phone', text, contains('users.phone', text)),
      ]),
    )
    .select(['users.id', 'users.user_name as number', 'users.user_name as title', 'users.real_name as detail'])
    .select(sql<number>`least(${rankIn('users.user_name', text)}, ${rankIn('users.real_name', text)}, 2)`.as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}
