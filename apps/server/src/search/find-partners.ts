import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import {
  bestOf,
  byName,
  byNumber,
  hasWords,
  idsNumbered,
  isIn,
  latestOf,
  looked,
  ofFew,
  rankIn,
  type Way,
} from './way.ts';

/** By the words of its name, and by its organization code. */
export const partnerWays = ofFew([
  byName('supOperatorList', 'name', (db, _caller, text) =>
    bestOf(
      db,
      partnersOf(db)
        .where(sql<boolean>`${hasWords(text, 'partners.name', false)}`)
        .select(rankIn('partners.name', text).as('rank'))
        .limit(looked),
    ),
  ),
  byNumber((db, _caller, text) =>
    bestOf(
      db,
      partnersOf(db)
        .where(sql<boolean>`starts_with(partners.operator_id, ${text.toUpperCase()})`)
        .select(rankIn('partners.operator_id', text).as('rank'))
        .limit(looked),
    ),
  ),
]);

function partnersOf(db: Kysely<Tables>) {
  return db
    .selectFrom('partners')
    .select(['partners.id', 'partners.name as number', 'partners.name as title', 'partners.operator_id as detail']);
}

/** T/CEC 102: the organization code and eighteen digits. */
const sequenceLength = 27;
const sequencePartMin = 4;

/** Charges of partners at our stations (`partner_charges`), and of our customers at theirs. */
export const partnerChargeWays = chargesOf('partner_charges');
export const roamingChargeWays = chargesOf('roaming_charges');

function chargesOf(table: 'partner_charges' | 'roaming_charges'): readonly Way[] {
  return [
    byNumber((db, _caller, text) => {
      if (text.length < sequencePartMin || !/^[0-9A-Z]+$/i.test(text)) return null;
      const sequence = text.toUpperCase();
      const ids = idsNumbered(table, 'sequence', sequence, { length: sequenceLength });
      const candidates = db
        .selectFrom(table)
        .innerJoin('partners', 'partners.id', sql.ref<never>(`${table}.partner_id`) as never)
        .where(isIn(`${table}.id`, ids))
        .select([
          sql<number>`${sql.ref(`${table}.id`)}`.as('id'),
          sql<string>`${sql.ref(`${table}.sequence`)}`.as('number'),
          sql<string>`${sql.ref(`${table}.sequence`)}`.as('title'),
          'partners.name as detail',
          rankIn(`${table}.sequence`, sequence).as('rank'),
        ])
        .limit(looked);
      return latestOf(db, candidates);
    }),
  ];
}
