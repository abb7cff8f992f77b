import { shownPromotionsMax } from '@voltdeck/contract/own';
import type { AgentId, CardId, CustomerId, PromotionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';

export type ChosenPromotion = { id: PromotionId; name: string; giftFen: Fen; person: Person };

/** Whose uses are counted: the registered user, or the card where nobody is known to hold it. */
export type Person = { customerId: CustomerId; cardId: null } | { customerId: null; cardId: CardId };

type Wanted = {
  cardId: CardId | null;
  customerId: CustomerId | null;
  amountFen: Fen;
  /** Of the card, or whose prepaid money pays. */
  agentId: AgentId | null;
  /** An agent's prepaid money pays: the platform's own promotions are for money that comes in. */
  isPrepaid: boolean;
};

/** The same with all uses of the person locked until the transaction ends. Lock it before orders and accounts. */
export async function lockPromotion(trx: Trx, wanted: Wanted, at: Instant): Promise<ChosenPromotion | null> {
  const person = await personOf(trx, wanted);
  const key = person.customerId === null ? `card:${person.cardId}` : `customer:${person.customerId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`promotions:${key}`}, 0))`.execute(trx);
  return choose(trx, wanted, person, at);
}

/** The promotion that applies to a recharge: the largest gift, of equal ones the oldest. Null without any. */
export async function choosePromotion(
  db: Kysely<Tables>,
  wanted: Wanted,
  at: Instant,
): Promise<ChosenPromotion | null> {
  return choose(db, wanted, await personOf(db, wanted), at);
}

async function personOf(db: Kysely<Tables>, { cardId, customerId }: Wanted): Promise<Person> {
  if (customerId !== null) return { customerId, cardId: null };
  if (cardId === null) throw new Error('a recharge without a wallet');
  const card = await db.selectFrom('cards').select('customer_id').where('id', '=', cardId).executeTakeFirstOrThrow();
  return card.customer_id === null ? { customerId: null, cardId } : { customerId: card.customer_id, cardId: null };
}

/** The promotions that a registered user is shown: what their own recharges of enough would be given now. */
export async function findShownPromotions(db: Kysely<Tables>, customerId: CustomerId, at: Instant) {
  const wanted = { cardId: null, customerId, agentId: null, isPrepaid: false };
  return applicable(db, wanted, { customerId, cardId: null }, at)
    .select(['id', 'name', 'satisfied_fen as satisfiedFen', 'gift_fen as giftFen', 'to_at as to'])
    .where('displayed', '=', true)
    .orderBy('satisfied_fen')
    .orderBy('id')
    .limit(shownPromotionsMax)
    .execute();
}

async function choose(
  db: Kysely<Tables>,
  wanted: Wanted,
  person: Person,
  at: Instant,
): Promise<ChosenPromotion | null> {
  const chosen = await applicable(db, wanted, person, at)
    .select(['id', 'name', 'gift_fen as giftFen'])
    .where('satisfied_fen', '<=', wanted.amountFen)
    .orderBy('gift_fen', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return chosen === undefined ? null : { ...chosen, person };
}

/** The promotions that apply now to a recharge of such a wallet, if it is large enough. */
function applicable(
  db: Kysely<Tables>,
  { customerId, agentId, isPrepaid }: Omit<Wanted, 'amountFen'>,
  person: Person,
  at: Instant,
) {
  const uses = db
    .selectFrom('promotion_uses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('promotion_uses.promotion_id', '=', sql.ref<PromotionId>('promotions.id'))
    .where((eb) =>
      person.customerId === null
        ? eb('promotion_uses.card_id', '=', person.cardId)
        : eb('promotion_uses.customer_id', '=', person.customerId),
    );
  return db
    .selectFrom('promotions')
    .where('effective', '=', true)
    .where('scope', 'in', ['both', customerId === null ? 'card' : 'wallet'])
    .where((eb) => eb.or([eb('from_at', 'is', null), eb('from_at', '<=', at)]))
    .where((eb) => eb.or([eb('to_at', 'is', null), eb('to_at', '>', at)]))
    .where((eb) =>
      eb.or([
        ...(isPrepaid ? [] : [eb('agent_id', 'is', null)]),
        ...(agentId === null ? [] : [eb('agent_id', '=', agentId)]),
      ]),
    )
    .where((eb) => eb.or([eb('times_per_person', 'is', null), eb('times_per_person', '>', uses)]));
}
