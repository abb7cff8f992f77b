import type { Waits } from '@voltdeck/contract/approvals';
import type { mergeCustomer as route } from '@voltdeck/contract/customers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import {
  type Account,
  cardAccount,
  customerAccount,
  frozenAccount,
  giftAccount,
  heldAccount,
  heldGiftAccount,
  receivableAccount,
  type Wallet,
} from '@voltdeck/ledger/account';
import { totalOf } from '@voltdeck/ledger/parts';
import type { CustomerId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scopedByCards } from '../caller/scope.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { lockDebts, repayDebts } from '../orders/repay-debts.ts';
import { returnPotLater } from '../orders/return-pot-later.ts';
import { moveWallet } from '../payments/transfers/move-wallet.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { signOut } from './enable-customer.ts';

export type CustomerMerged = {
  intoId: CustomerId;
  /** Orders whose debt the money repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
  /** Users whose sessions ended: call `forgetCached` for them after the commit. */
  signedOut: UserId[];
};

/**
 * Merges one record of a person into another of the same person: both parts of its money, its cards with theirs,
 * vehicles, orders and feedback go over. Its phone and its own account open nothing any more. What happened to its money
 * stays with it, so that every number that a receipt shows is found again. Refused while something is under way that
 * would end after the merge: a charge, money that is held or on its way out, or a debt, which belongs to whom the books
 * name. It may have to wait for a second person like a transfer, by the money of both records and their cards: whoever
 * has one of the two gets that of the other.
 */
export async function mergeCustomer(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: CustomerId,
  { intoId, reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<CustomerMerged | Waits, ApiError>> {
  const refusal = await lockBoth(trx, caller, id, intoId);
  if (refusal !== null) return failed(refusal);
  // A start locks its card first, and so sees the new holder or is seen here.
  const cards = await trx
    .selectFrom('cards')
    .select(['id', 'customer_id'])
    .where('customer_id', 'in', [id, intoId])
    .orderBy('id')
    .forUpdate()
    .execute();
  const running = await trx
    .selectFrom('orders')
    .select('number')
    .where('customer_id', '=', id)
    .where('state', 'in', ['placed', 'charging', 'settling'])
    .limit(1)
    .executeTakeFirst();
  if (running !== undefined) return failed({ code: 'customer.is_charging', params: { order: running.number } });
  const [from, into] = [customerAccount(id), customerAccount(intoId)];
  // In the same order for a merge and for its opposite.
  for (const wallet of id < intoId ? [from, into] : [into, from]) await lockDebts(trx, wallet);
  const cardWallets = cards.map((card) => cardAccount(card.id));
  const balanceOf = await lockWallets(trx, [from, into, ...cardWallets]);
  const busyFen = addFen(
    balanceOf(heldAccount(from)),
    balanceOf(heldGiftAccount(from)),
    balanceOf(frozenAccount(from)),
  );
  if (busyFen > 0) return failed({ code: 'customer.money_held', params: { amount: formatYuan(busyFen) } });
  const owedFen = subtractFen(zeroFen, balanceOf(receivableAccount(from)));
  if (owedFen > 0) return failed({ code: 'customer.owes', params: { owed: formatYuan(owedFen) } });

  const amountFen = sumOf([from, into, ...cardWallets], balanceOf);
  if (amountFen > 0 || caller.approvalId !== undefined) {
    const { phone } = await trx.selectFrom('customers').select('phone').where('id', '=', id).executeTakeFirstOrThrow();
    const approval = await askSecondPerson(
      trx,
      caller,
      {
        kind: 'customer_merge',
        amountFen,
        agentId: null,
        subject: { kind: 'customer', id, text: phone },
        detail: { customerId: id, body: { intoId, reason } },
        reason,
      },
      at,
    );
    if (approval !== null) return ok({ waitsFor: approval });
  }
  const moved = { paidFen: balanceOf(from), giftFen: balanceOf(giftAccount(from)) };
  const repaidOrders: OrderMoved[] = [];
  if (totalOf(moved) > 0) {
    const side = { cardId: null, agentId: null };
    const sides = {
      from: { ...side, wallet: from, customerId: id },
      to: { ...side, wallet: into, customerId: intoId },
    };
    const transferId = await moveWallet(trx, caller, { kind: 'merged', ...sides, moved, reason }, at);
    const repaid = await repayDebts(trx, into, null, at);
    repaidOrders.push(...repaid.orders);
    await trx
      .updateTable('wallet_transfers')
      .set({ repaid_fen: repaid.repaidFen })
      .where('id', '=', transferId)
      .execute();
  }
  const counts = await moveRecords(trx, id, intoId, at);
  const signedOut = await signOut(trx, sessions, id, at);
  await trx
    .updateTable('customers')
    .set({ state: 'merged', state_reason: reason, merged_into_id: intoId })
    .where('id', '=', id)
    .execute();
  const told = { ...moved, ...counts, cards: cards.filter((card) => card.customer_id === id).length, reason };
  const act = { action: 'customer.merge', recordKind: 'customer' } as const;
  await audit(trx, caller, at, { ...act, recordId: id, after: { ...told, intoId } });
  await audit(trx, caller, at, { ...act, recordId: intoId, after: { ...told, fromId: id } });
  return ok({ intoId, repaidOrders, signedOut });
}

/** What is in wallets, held money and gifts included. */
function sumOf(wallets: readonly Wallet[], balanceOf: (account: Account) => Fen): Fen {
  return addFen(
    ...wallets.flatMap((wallet) =>
      [wallet, giftAccount(wallet), heldAccount(wallet), heldGiftAccount(wallet)].map(balanceOf),
    ),
  );
}

/** Locks both records, in the order of their ids. Why they cannot be merged; null where they can. */
async function lockBoth(trx: Trx, caller: Caller, id: CustomerId, intoId: CustomerId): Promise<ApiError | null> {
  const both = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select(['id', 'state'])
    .where('id', 'in', [id, intoId])
    .orderBy('id')
    .forUpdate()
    .execute();
  const [from, into] = [id, intoId].map((wanted) => both.find((customer) => customer.id === wanted));
  if (from === undefined) return { code: 'record.not_found' };
  if (caller.agents !== 'all') return { code: 'access.denied' };
  if (into === undefined) {
    return { code: 'request.invalid', fields: [{ path: 'intoId', code: 'unknown_reference' }] };
  }
  if (id === intoId) return { code: 'customer.same' };
  if (from.state === 'merged' || into.state === 'merged') return { code: 'customer.merged' };
  return into.state === 'normal' ? null : { code: 'customer.disabled' };
}

/** What names the old record and says something of the person now. Recharges and movements are history and stay. */
async function moveRecords(trx: Trx, id: CustomerId, intoId: CustomerId, at: Instant) {
  await trx.updateTable('cards').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await trx.updateTable('feedbacks').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await trx.updateTable('order_refunds').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await trx.updateTable('customer_coupons').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await trx.updateTable('promotion_uses').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await trx.updateTable('invoices').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await moveMemberships(trx, id, intoId, at);
  // The record that stays keeps its own default.
  await trx
    .updateTable('invoice_titles')
    .set({ customer_id: intoId, is_default: false })
    .where('customer_id', '=', id)
    .execute();
  await moveCredit(trx, id, intoId);
  const vehicles = await trx
    .updateTable('vehicles')
    .set({ owner_id: intoId })
    .where('owner_id', '=', id)
    .executeTakeFirstOrThrow();
  // A person is new once: the first charge of one record is that of both where the other had none.
  await sql`
    update first_charges set customer_id = ${intoId}
     where customer_id = ${id} and not exists (select 1 from first_charges where customer_id = ${intoId})`.execute(trx);
  await trx.updateTable('roaming_charges').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  const orders = await trx
    .updateTable('orders')
    .set({ customer_id: intoId })
    .where('customer_id', '=', id)
    .executeTakeFirstOrThrow();
  // Those that were merged into the old one before.
  await trx.updateTable('customers').set({ merged_into_id: intoId }).where('merged_into_id', '=', id).execute();
  return { vehicles: Number(vehicles.numUpdatedRows), orders: Number(orders.numUpdatedRows) };
}

/** The record that stays keeps its own group; that of the other ends then, and its pot goes back. */
async function moveMemberships(trx: Trx, id: CustomerId, intoId: CustomerId, at: Instant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`group-customer:${intoId}`}, 0))`.execute(trx);
  const bound = await trx
    .selectFrom('group_members')
    .select(['id', 'customer_id'])
    .where('customer_id', 'in', [id, intoId])
    .where('state', '=', 'bound')
    .forUpdate()
    .execute();
  const given = bound.find((member) => member.customer_id === id);
  if (given !== undefined && bound.length > 1) {
    await trx
      .updateTable('group_members')
      .set({ state: 'released', released_at: at })
      .where('id', '=', given.id)
      .execute();
    await returnPotLater(trx, given.id);
  }
  await trx.updateTable('group_members').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
}

/** Both scores become one; each movement keeps the score after it as it was. */
async function moveCredit(trx: Trx, id: CustomerId, intoId: CustomerId): Promise<void> {
  await trx.updateTable('credit_movements').set({ customer_id: intoId }).where('customer_id', '=', id).execute();
  await sql`
    with gone as (delete from credits where customer_id = ${id} returning score_e2, consumed_fen)
    insert into credits (customer_id, score_e2, consumed_fen) select ${intoId}, score_e2, consumed_fen from gone
        on conflict (customer_id) do update set score_e2 = credits.score_e2 + excluded.score_e2,
                                                consumed_fen = credits.consumed_fen + excluded.consumed_fen`.execute(
    trx,
  );
}
