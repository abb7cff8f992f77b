import { listRecharges, type Recharge } from '@voltdeck/contract/payments';
import type { RechargeId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart, isWhole } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';

function rechargesWithNames(db: Kysely<Tables>) {
  return db
    .selectFrom('recharges')
    .leftJoin('cards', 'cards.id', 'recharges.card_id')
    .leftJoin('customers', 'customers.id', 'recharges.customer_id')
    .leftJoin('groups', 'groups.id', 'recharges.group_id')
    .leftJoin('partners', 'partners.id', 'recharges.partner_id');
}

/** The columns that a list shows beyond those that its filters read. */
function rechargesAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return rechargesWithNames(db)
    .leftJoin('customers as holders', 'holders.id', 'cards.customer_id')
    .leftJoin('users', 'users.id', 'recharges.user_id')
    .leftJoin('promotions', 'promotions.id', 'recharges.promotion_id')
    .select('promotions.name as promotionName')
    .select(sql.raw<Recharge['state']>(stateOf).as('state'))
    .select(columns)
    .select(sql<string | null>`coalesce(customers.nickname, holders.nickname)`.as('nickname'))
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'))
    .select(waitingActs('recharge', 'recharges.id').as('waits'));
}

/**
 * A recharge belongs to the agent whose card it filled or whose money it was; any other of a customer's belongs to the
 * platform.
 */
export function rechargeRows(db: Kysely<Tables>, caller: Caller) {
  return scoped(
    rechargesWithNames(db),
    caller,
    'recharges.owner_agent_id',
    sql`coalesce(recharges.customer_id, cards.customer_id)`,
  );
}

const stateOf = `case when recharges.reversed_at is not null then 'reversed'
  when recharges.refunded_fen = 0 then 'done'
  when recharges.refunded_fen < recharges.amount_fen then 'partly_refunded' else 'refunded' end`;

const columns = [
  'recharges.id',
  'recharges.number',
  'recharges.card_id as cardId',
  'cards.number as cardNumber',
  'recharges.customer_id as customerId',
  'customers.phone as customerPhone',
  'recharges.group_id as groupId',
  'groups.name as groupName',
  'recharges.partner_id as partnerId',
  'partners.name as partnerName',
  'recharges.amount_fen as amountFen',
  'recharges.gift_fen as giftFen',
  'recharges.promotion_id as promotionId',
  'recharges.channel',
  'recharges.refunded_fen as refundedFen',
  'recharges.balance_before_fen as balanceBeforeFen',
  'recharges.balance_after_fen as balanceAfterFen',
  'recharges.repaid_fen as repaidFen',
  'recharges.owed_after_fen as owedAfterFen',
  'recharges.agent_id as agentId',
  'recharges.prepaid_after_fen as prepaidAfterFen',
  'recharges.remark',
  'recharges.reversed_at as reversedAt',
  'recharges.reversal_reason as reversalReason',
  'recharges.created_at as createdAt',
] as const;

function toRecharge<Row extends { createdAt: Instant; reversedAt: Instant | null }>(row: Row) {
  const { createdAt, reversedAt } = row;
  return { ...row, createdAt: toIso(createdAt), reversedAt: isoOrNull(reversedAt) };
}

export async function findRecharge(db: Kysely<Tables>, caller: Caller, id: RechargeId): Promise<Recharge | null> {
  const row = await scoped(
    rechargesAsShown(db, caller),
    caller,
    'recharges.owner_agent_id',
    sql`coalesce(recharges.customer_id, cards.customer_id)`,
  )
    .where('recharges.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toRecharge(row);
}

export const rechargeList = listSource({
  route: listRecharges,
  filtered(db, caller, filter) {
    let recharges = rechargeRows(db, caller);
    if (filter.cardNumber !== undefined) {
      const number = filter.cardNumber.toUpperCase();
      // By id, so that they are read by their own index, which is in the order of the list for a single one.
      const named = db
        .selectFrom('cards')
        .select('cards.id')
        .where(findsPersonal(caller, 'cards.number', number, hasPart('cards.number', 'number', number)));
      recharges = recharges.where('recharges.card_id', isWhole('cards.number', number) ? '=' : 'in', named);
    }
    if (filter.phone !== undefined) {
      const isNamed = findsPersonal(
        caller,
        'customers.phone',
        filter.phone,
        hasPart('customers.phone', 'number', filter.phone),
      );
      const named = db.selectFrom('customers').select('customers.id').where(isNamed);
      const operator = isWhole('customers.phone', filter.phone) ? '=' : 'in';
      recharges = recharges.where('recharges.customer_id', operator, named);
    }
    if (filter.number !== undefined) recharges = recharges.where('recharges.number', '=', filter.number.toUpperCase());
    if (filter.cardId !== undefined) recharges = recharges.where('recharges.card_id', '=', filter.cardId);
    if (filter.customerId !== undefined) {
      recharges = recharges.where('recharges.customer_id', '=', filter.customerId);
    }
    if (filter.groupId !== undefined) recharges = recharges.where('recharges.group_id', '=', filter.groupId);
    if (filter.ofGroup !== undefined) {
      recharges = recharges.where('recharges.group_id', filter.ofGroup ? 'is not' : 'is', null);
    }
    if (filter.reversed !== undefined) {
      recharges = recharges.where('recharges.reversed_at', filter.reversed ? 'is not' : 'is', null);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) recharges = recharges.where('recharges.created_at', '>=', from);
    if (to !== null) recharges = recharges.where('recharges.created_at', '<=', to);
    return recharges;
  },
  id: sql`recharges.id`,
  sorts: { createdAt: sql`recharges.created_at` },
  sums: {
    amountFen: sql`recharges.amount_fen`,
    giftFen: sql`recharges.gift_fen`,
    refundedFen: sql`recharges.refunded_fen`,
    repaidFen: sql`recharges.repaid_fen`,
  },
  rows: (db, read) => rechargesAsShown(db, read),
  toItem: toRecharge,
});
