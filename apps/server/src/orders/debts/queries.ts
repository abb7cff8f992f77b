import { listDebts } from '@voltdeck/contract/debts';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import { scoped } from '../../caller/scope.ts';
import { valueIn } from '../../database/parameter.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { debtLimit } from '../../ledger/debt.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';
import { waitingActs } from '../../second-person/waiting-acts.ts';
import { walletKeyOf } from '../order-row.ts';

function debtsAsShown(db: Kysely<Tables>) {
  return db
    .selectFrom('orders')
    .leftJoin('cards', (join) =>
      join.onRef('cards.id', '=', 'orders.card_id').on('orders.payment_type', '=', sql.lit('card')),
    )
    .leftJoin('customers', 'customers.id', 'orders.customer_id')
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .leftJoin('sites', 'sites.id', 'orders.site_id')
    .leftJoin('groups', 'groups.id', 'orders.group_id')
    .select([
      'orders.id',
      'orders.number',
      'cards.id as cardId',
      'cards.number as cardNumber',
      'orders.customer_id as customerId',
      'customers.phone as customerPhone',
      'customers.nickname',
      'orders.group_id as groupId',
      'groups.name as groupName',
      'orders.agent_id as agentId',
      'agents.name as agentName',
      'orders.site_id as siteId',
      'sites.name as siteName',
      sql<Fen>`orders.amount_fen - orders.discount_fen`.as('billFen'),
      'orders.paid_fen as paidFen',
      'orders.owed_fen as owedFen',
      sql<Fen>`coalesce(-(select balance_fen from ledger_accounts where key = ${walletKeyOf('orders', 'receivable')}), 0)`.as(
        'payerOwesFen',
      ),
      sql<string | null>`(select value from configs where key = ${sql.lit(debtLimit.key)})`.as('debtLimit'),
      sql<Instant>`orders.settled_at`.as('settledAt'),
      waitingActs('order', 'orders.id', 'write_off').as('waits'),
    ]);
}

/** Settled orders that are still owed for; each sort has an index of exactly these. */
export const debtList = listSource({
  route: listDebts,
  filtered(db, caller, filter) {
    let debts = scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id').where(
      sql<boolean>`orders.owed_fen > 0`,
    );
    if (filter.number !== undefined) debts = debts.where('orders.number', '=', filter.number);
    if (filter.siteId !== undefined) debts = debts.where('orders.site_id', '=', filter.siteId);
    if (filter.agentId !== undefined) debts = debts.where('orders.agent_id', '=', filter.agentId);
    if (filter.customerId !== undefined) debts = debts.where('orders.customer_id', '=', filter.customerId);
    if (filter.cardId !== undefined) {
      debts = debts.where('orders.card_id', '=', filter.cardId).where(sql<boolean>`orders.payment_type = 'card'`);
    }
    if (filter.groupId !== undefined) debts = debts.where('orders.group_id', '=', filter.groupId);
    if (filter.phone !== undefined) {
      const customers = db.selectFrom('customers').select('customers.id');
      const named = customers.where(findsPersonal(caller, 'customers.phone', filter.phone));
      debts = debts.where('orders.customer_id', 'in', named);
    }
    if (filter.cardNumber !== undefined) {
      const cards = db.selectFrom('cards').select('cards.id');
      const named = cards.where(findsPersonal(caller, 'cards.number', filter.cardNumber.toUpperCase()));
      debts = debts.where('orders.card_id', 'in', named).where(sql<boolean>`orders.payment_type = 'card'`);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) debts = debts.where('orders.settled_at', '>=', from);
    if (to !== null) debts = debts.where('orders.settled_at', '<=', to);
    return debts;
  },
  id: sql`orders.id`,
  sorts: { settledAt: sql`orders.settled_at`, owedFen: sql`orders.owed_fen` },
  sums: { owedFen: sql`orders.owed_fen` },
  rows: debtsAsShown,
  toItem: ({ debtLimit: limit, ...row }) => ({
    ...row,
    debtLimitFen: valueIn(debtLimit, limit),
    settledAt: toIso(row.settledAt),
  }),
});
