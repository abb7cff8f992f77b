import { listOrderRefunds, type OrderRefund } from '@voltdeck/contract/order-refunds';
import type { OrderRefundId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';
import { isNumbered } from '../filter-orders.ts';

const columns = [
  'order_refunds.id',
  'order_refunds.number',
  'order_refunds.state',
  'order_refunds.channel',
  'order_refunds.third_party_number as thirdPartyNumber',
  'order_refunds.order_id as orderId',
  'orders.number as orderNumber',
  'order_refunds.amount_fen as amountFen',
  'order_refunds.gift_fen as giftFen',
  'order_refunds.forgiven_fen as forgivenFen',
  'order_refunds.electricity_fee_fen as electricityFeeFen',
  'order_refunds.service_fee_fen as serviceFeeFen',
  'orders.amount_fen as orderAmountFen',
  'order_refunds.reason',
  'order_refunds.result',
  'customers.nickname as userName',
  'customers.phone',
  'orders.card_number as cardNumber',
  'groups.name as groupName',
  'groups.card_number as groupCardNumber',
  'sites.name as siteName',
  'stations.number as stationNumber',
  'agents.name as agentName',
  'order_refunds.created_at as appliedAt',
  'order_refunds.done_at as doneAt',
] as const;

/** What went to the balance as money that was paid in; nothing while the refund is not done. */
const paidFen = sql<OrderRefund['paidFen']>`case when order_refunds.state = 'done'
  then order_refunds.amount_fen - order_refunds.forgiven_fen - order_refunds.gift_fen else 0 end`;

function refundsAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('order_refunds')
    .innerJoin('orders', 'orders.id', 'order_refunds.order_id')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .leftJoin('sites', 'sites.id', 'order_refunds.site_id')
    .leftJoin('agents', 'agents.id', 'order_refunds.agent_id')
    .leftJoin('customers', 'customers.id', 'order_refunds.customer_id')
    .leftJoin('users', 'users.id', 'order_refunds.user_id')
    .leftJoin('groups', 'groups.id', 'orders.group_id')
    .select(columns)
    .select([
      sql<boolean>`orders.group_id is not null`.as('isGroupOrder'),
      paidFen.as('paidFen'),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'),
    ]);
}

type RefundRow = Omit<OrderRefund, 'state' | 'channel' | 'appliedAt' | 'doneAt'> & {
  state: string;
  channel: string;
  appliedAt: Instant;
  doneAt: Instant | null;
};

function toRefund(row: RefundRow): OrderRefund {
  return {
    ...row,
    state: row.state as OrderRefund['state'],
    channel: row.channel as OrderRefund['channel'],
    appliedAt: toIso(row.appliedAt),
    doneAt: isoOrNull(row.doneAt),
  };
}

export async function findOrderRefund(
  db: Kysely<Tables>,
  caller: Caller,
  id: OrderRefundId,
): Promise<OrderRefund | null> {
  const row = await scoped(refundsAsShown(db, caller), caller, 'order_refunds.agent_id', 'order_refunds.customer_id')
    .where('order_refunds.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toRefund(row);
}

export const orderRefundList = listSource({
  route: listOrderRefunds,
  filtered(db, caller, filter) {
    let refunds = scoped(db.selectFrom('order_refunds'), caller, 'order_refunds.agent_id', 'order_refunds.customer_id');
    if (filter.number !== undefined) {
      refunds = refunds.where('order_refunds.number', '=', filter.number.toUpperCase());
    }
    if (filter.orderNumber !== undefined) {
      refunds = refunds.where(
        sql<boolean>`order_refunds.order_id in (select id from orders where ${isNumbered(filter.orderNumber)})`,
      );
    }
    if (filter.state !== undefined) refunds = refunds.where('order_refunds.state', 'in', filter.state);
    if (filter.channel !== undefined) refunds = refunds.where('order_refunds.channel', 'in', filter.channel);
    if (filter.phone !== undefined) {
      const found = findsPersonal(caller, 'customers.phone', filter.phone);
      refunds = refunds.where(sql<boolean>`order_refunds.customer_id in (select id from customers where ${found})`);
    }
    if (filter.cardNumber !== undefined) {
      const found = findsPersonal(caller, 'cards.number', filter.cardNumber.toUpperCase());
      refunds = refunds.where(sql<boolean>`order_refunds.card_id in (select id from cards where ${found})`);
    }
    if (filter.groupId !== undefined) {
      refunds = refunds.where(
        sql<boolean>`order_refunds.order_id in (select id from orders where group_id = ${filter.groupId})`,
      );
    }
    if (filter.groupOrder !== undefined) {
      const isOfGroup = sql<boolean>`exists (
        select from orders o where o.id = order_refunds.order_id and o.group_id is not null)`;
      refunds = refunds.where(filter.groupOrder ? isOfGroup : sql<boolean>`not ${isOfGroup}`);
    }
    if (filter.thirdPartyNumber !== undefined) {
      refunds = refunds.where('order_refunds.third_party_number', '=', filter.thirdPartyNumber);
    }
    if (filter.stationNumber !== undefined) {
      refunds = refunds.where(sql<boolean>`exists (
        select from orders o join stations s on s.id = o.station_id
         where o.id = order_refunds.order_id and s.number = ${filter.stationNumber})`);
    }
    if (filter.siteId !== undefined) refunds = refunds.where('order_refunds.site_id', '=', filter.siteId);
    if (filter.agentId !== undefined) refunds = refunds.where('order_refunds.agent_id', '=', filter.agentId);
    if (filter.operatorName !== undefined) {
      const like = containing(filter.operatorName);
      refunds = refunds.where(sql<boolean>`order_refunds.user_id in (
        select id from users where ${shownName(caller.language, 'user', 'users.real_name', 'users.real_name_key')} ilike ${like}
            or users.user_name ilike ${like})`);
    }
    if (filter.customerId !== undefined) {
      refunds = refunds.where('order_refunds.customer_id', '=', filter.customerId);
    }
    if (filter.cardId !== undefined) refunds = refunds.where('order_refunds.card_id', '=', filter.cardId);
    const time = filter.time === 'done' ? 'order_refunds.done_at' : 'order_refunds.created_at';
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) refunds = refunds.where(time, '>=', from);
    if (to !== null) refunds = refunds.where(time, '<=', to);
    return refunds;
  },
  id: sql`order_refunds.id`,
  sorts: { appliedAt: sql`order_refunds.created_at`, doneAt: sql`order_refunds.done_at` },
  sometimesAbsent: ['doneAt'],
  sums: {
    amountFen: sql`order_refunds.amount_fen`,
    paidFen,
    giftFen: sql`order_refunds.gift_fen`,
    forgivenFen: sql`order_refunds.forgiven_fen`,
    electricityFeeFen: sql`order_refunds.electricity_fee_fen`,
    serviceFeeFen: sql`order_refunds.service_fee_fen`,
  },
  rows: (db, read) => refundsAsShown(db, read),
  toItem: toRefund,
});
