import { listPromotions, type Promotion } from '@voltdeck/contract/promotions';
import type { PromotionId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scopedOrPlatform } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';

/** An agent sees how often a promotion applied to recharges of its own. */
function promotionsAsShown(db: Kysely<Tables>, { language, agents }: Pick<Caller, 'language' | 'agents'>) {
  const isSeen = agents === 'all' ? sql<boolean>`true` : sql<boolean>`r.owner_agent_id = any(${[...agents]})`;
  return db
    .selectFrom('promotions')
    .leftJoin('agents', 'agents.id', 'promotions.agent_id')
    .leftJoin('users', 'users.id', 'promotions.user_id')
    .select([
      'promotions.id',
      'promotions.name',
      'promotions.satisfied_fen as satisfiedFen',
      'promotions.gift_fen as giftFen',
      'promotions.effective',
      'promotions.displayed',
      'promotions.from_at as from',
      'promotions.to_at as to',
      'promotions.times_per_person as timesPerPerson',
      'promotions.scope',
      'promotions.agent_id as agentId',
      'agents.name as agentName',
      'promotions.created_at as createdAt',
    ])
    .select([
      sql<number>`(select count(*) from promotion_uses u join recharges r on r.id = u.recharge_id
                    where u.promotion_id = promotions.id and ${isSeen})::integer`.as('uses'),
      sql<Fen>`(select coalesce(sum(r.promotion_gift_fen), 0) from promotion_uses u
                  join recharges r on r.id = u.recharge_id where u.promotion_id = promotions.id and ${isSeen})::bigint`.as(
        'givenFen',
      ),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('creatorName'),
    ]);
}

function toPromotion<Row extends { from: Instant | null; to: Instant | null; createdAt: Instant }>(row: Row) {
  return { ...row, from: isoOrNull(row.from), to: isoOrNull(row.to), createdAt: toIso(row.createdAt) };
}

export async function findPromotion(db: Kysely<Tables>, caller: Caller, id: PromotionId): Promise<Promotion | null> {
  const row = await scopedOrPlatform(promotionsAsShown(db, caller), caller, 'promotions.agent_id')
    .where('promotions.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toPromotion(row);
}

export const promotionList = listSource({
  route: listPromotions,
  filtered(db, caller, { name, effective, displayed, scope, agentId }) {
    let promotions = scopedOrPlatform(db.selectFrom('promotions'), caller, 'promotions.agent_id');
    if (name !== undefined) promotions = promotions.where('promotions.name', 'ilike', containing(name));
    if (effective !== undefined) promotions = promotions.where('promotions.effective', '=', effective);
    if (displayed !== undefined) promotions = promotions.where('promotions.displayed', '=', displayed);
    if (scope !== undefined) promotions = promotions.where('promotions.scope', 'in', scope);
    if (agentId !== undefined) promotions = promotions.where('promotions.agent_id', '=', agentId);
    return promotions;
  },
  id: sql`promotions.id`,
  sorts: { createdAt: sql`promotions.created_at` },
  rowsFor: (db, { caller }) => promotionsAsShown(db, caller),
  toItem: toPromotion,
});
