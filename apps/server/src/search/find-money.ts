import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ofOwnParty } from '../agent-withdrawals/own-party.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { rechargeRows } from '../payments/queries.ts';
import { transfersInScope } from '../payments/transfers/queries.ts';
import {
  bestOf,
  byName,
  byNumber,
  hasWords,
  idsNumbered,
  isIn,
  latestOf,
  looked,
  type Receipt,
  rankIn,
  receiptOf,
  type SearchQuery,
  type Way,
  wordsOf,
} from './way.ts';

/** Receipts are found by their number, its beginning or its end. */
function byReceipt(
  letter: string,
  find: (db: Kysely<Tables>, caller: Caller, receipt: Receipt) => SearchQuery | null,
): Way {
  const found = byNumber((db, caller, text) => {
    const receipt = receiptOf(letter, text);
    return receipt === null ? null : find(db, caller, receipt);
  });
  return { ...found, batch: 'receipts' };
}

const yuan = (column: string): RawBuilder<string> =>
  sql`'¥' || to_char(${sql.ref(column)} / 100.0, 'FM999999999990.00')`;

/** By our number, the tax office's, and the words of the title. */
export const invoiceWays: readonly Way[] = [
  byReceipt('I', (db, caller, { part, isOf }) =>
    invoicesWith(db, caller, isOf('invoices'), 'number', rankIn('invoices.number', part)),
  ),
  byNumber((db, caller, text) => {
    if (text.length < invoiceNumberPartMin) return null;
    const number = text.toUpperCase();
    const matches = isIn('invoices.id', idsNumbered('invoices', 'invoice_number', number));
    return invoicesWith(db, caller, matches, 'invoice_number', rankIn('invoices.invoice_number', number));
  }),
  byName('invoiceList', 'title', (db, caller, text) =>
    wordsOf(text).length === 0
      ? null
      : invoicesWith(db, caller, hasWords(text, 'invoices.title'), 'number', rankIn('invoices.title', text)),
  ),
];

const invoiceNumberPartMin = 4;

function invoicesWith(
  db: Kysely<Tables>,
  caller: Caller,
  matches: RawBuilder<boolean>,
  title: 'number' | 'invoice_number',
  rank: RawBuilder<number>,
): SearchQuery {
  const candidates = scoped(db.selectFrom('invoices'), caller, 'invoices.agent_id')
    .where(matches)
    .select(['invoices.id', 'invoices.number'])
    .select(sql<string>`invoices.${sql.ref(title)}`.as('title'))
    .select(sql<string>`${yuan('invoices.amount_fen')} || ' · ' || invoices.title`.as('detail'))
    .select(rank.as('rank'))
    .limit(looked);
  return latestOf(db, candidates);
}

export const rechargeWays: readonly Way[] = [
  byReceipt('R', (db, caller, { part, isOf }) =>
    latestOf(
      db,
      rechargeRows(db, caller)
        .where(isOf('recharges'))
        .select(['recharges.id', 'recharges.number', 'recharges.number as title'])
        .select(sql<string>`${yuan('recharges.amount_fen')}`.as('detail'))
        .select(rankIn('recharges.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];

/** A refund is shown at its recharge, which decides who sees it. */
export const rechargeRefundWays: readonly Way[] = [
  byReceipt('D', (db, caller, { part, isOf }) =>
    latestOf(
      db,
      rechargeRows(db, caller)
        .innerJoin('recharge_refunds', 'recharge_refunds.recharge_id', 'recharges.id')
        .where(isOf('recharge_refunds'))
        .select(['recharge_refunds.id', 'recharges.number', 'recharge_refunds.number as title'])
        .select(sql<string>`${yuan('recharge_refunds.amount_fen')}`.as('detail'))
        .select(rankIn('recharge_refunds.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];

export const orderRefundWays: readonly Way[] = [
  byReceipt('B', (db, caller, { part, isOf }) =>
    latestOf(
      db,
      scoped(db.selectFrom('order_refunds'), caller, 'order_refunds.agent_id', 'order_refunds.customer_id')
        .innerJoin('orders', 'orders.id', 'order_refunds.order_id')
        .where(isOf('order_refunds'))
        .select(['order_refunds.id', 'order_refunds.number', 'order_refunds.number as title'])
        .select(sql<string>`${yuan('order_refunds.amount_fen')} || ' · ' || orders.number`.as('detail'))
        .select(rankIn('order_refunds.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];

/** Of registered users: only the platform's people pay them out. */
export const withdrawalWays: readonly Way[] = [
  byReceipt('W', (db, _caller, { part, isOf }) =>
    latestOf(
      db,
      db
        .selectFrom('withdrawals')
        .innerJoin('customers', 'customers.id', 'withdrawals.customer_id')
        .where(isOf('withdrawals'))
        .select(['withdrawals.id', 'withdrawals.number', 'withdrawals.number as title'])
        .select(sql<string>`${yuan('withdrawals.amount_fen')} || ' · ' || customers.nickname`.as('detail'))
        .select(rankIn('withdrawals.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];

export const agentWithdrawalWays: readonly Way[] = [
  byReceipt('E', (db, caller, { part, isOf }) =>
    latestOf(
      db,
      ofOwnParty(db.selectFrom('agent_withdrawals'), caller)
        .leftJoin('agents', 'agents.id', 'agent_withdrawals.agent_id')
        .leftJoin('dividers', 'dividers.id', 'agent_withdrawals.divider_id')
        .where(isOf('agent_withdrawals'))
        .select(['agent_withdrawals.id', 'agent_withdrawals.number', 'agent_withdrawals.number as title'])
        .select(
          sql<string>`${yuan('agent_withdrawals.amount_fen')} || ' · ' || coalesce(agents.name, dividers.name)`.as(
            'detail',
          ),
        )
        .select(rankIn('agent_withdrawals.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];

/** Shorter numbers of channels are none: WeChat's and Alipay's have 28 digits. */
const thirdPartyNumberMin = 16;

/** By our number, or by the whole number that the channel gave it, which is on the payer's phone. */
export const channelPaymentWays: readonly Way[] = [
  byReceipt('C', (db, _caller, { part, isOf }) =>
    paymentsWith(db, isOf('channel_payments'), 'number', rankIn('channel_payments.number', part)),
  ),
  byNumber((db, _caller, text) =>
    text.length < thirdPartyNumberMin
      ? null
      : paymentsWith(
          db,
          sql<boolean>`channel_payments.third_party_number = ${text}`,
          'third_party_number',
          rankIn('channel_payments.third_party_number', text),
        ),
  ),
];

function paymentsWith(
  db: Kysely<Tables>,
  matches: RawBuilder<boolean>,
  title: 'number' | 'third_party_number',
  rank: RawBuilder<number>,
): SearchQuery {
  const candidates = db
    .selectFrom('channel_payments')
    .where(matches)
    .select(['channel_payments.id', 'channel_payments.number'])
    .select(sql<string>`channel_payments.${sql.ref(title)}`.as('title'))
    .select(sql<string>`${yuan('channel_payments.amount_fen')}`.as('detail'))
    .select(rank.as('rank'))
    .limit(looked);
  return latestOf(db, candidates);
}

export const transferWays: readonly Way[] = [
  byReceipt('T', (db, caller, { part, isOf }) => {
    const seen = transfersInScope(db.selectFrom('wallet_transfers'), caller);
    if (seen === null) return null;
    const candidates = seen
      .where(isOf('wallet_transfers'))
      .select(['wallet_transfers.id', 'wallet_transfers.number', 'wallet_transfers.number as title'])
      .select(sql<string>`${yuan('wallet_transfers.paid_fen')}`.as('detail'))
      .select(rankIn('wallet_transfers.number', part).as('rank'))
      .limit(looked);
    return bestOf(db, candidates);
  }),
];

export const giftWays: readonly Way[] = [
  byReceipt('G', (db, caller, { part, isOf }) =>
    latestOf(
      db,
      scoped(db.selectFrom('wallet_gifts'), caller, 'wallet_gifts.agent_id', 'wallet_gifts.customer_id')
        .where(isOf('wallet_gifts'))
        .select(['wallet_gifts.id', 'wallet_gifts.number', 'wallet_gifts.number as title'])
        .select(sql<string>`${yuan('wallet_gifts.amount_fen')}`.as('detail'))
        .select(rankIn('wallet_gifts.number', part).as('rank'))
        .limit(looked),
    ),
  ),
];
