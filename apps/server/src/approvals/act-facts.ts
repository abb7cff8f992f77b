import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import { cardAccount, customerAccount, groupAccount, partnerAccount, type Wallet } from '@voltdeck/ledger/account';
import type { CardId, CustomerId, GroupId, OrderId } from '@voltdeck/units/id';
import { addFen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { readPayable } from '../interop/pay-partner.ts';
import { readBalance } from '../ledger/read-balance.ts';
import { readPrepaid } from '../ledger/read-prepaid.ts';
import { findWalletOf, walletOf as walletOfRecharge } from '../payments/lock-recharge.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { findPhone, findReceiver, money, type ActSubject as Subject } from '../second-person/fact-figures.ts';
import { findPresentDefault } from '../tariffs/set-default.ts';

type Db = Kysely<Tables>;

/** What a refund leaves of an order's bill. */
export async function factsOfRefund(
  db: Db,
  { orderId, body }: ApprovalDetails['order_refund'],
): Promise<ApprovalFact[]> {
  const order = await findOrder(db, orderId);
  const givenBackFen = addFen(order.refunded_fen, order.forgiven_fen);
  const leftFen = addFen(order.owed_fen, subtractFen(order.paid_fen, order.refunded_fen));
  return [
    money('bill', null, order.amount_fen),
    money('givenBack', givenBackFen, addFen(givenBackFen, body.amountFen)),
    money('refundable', leftFen, subtractFen(leftFen, minFen(leftFen, body.amountFen))),
  ];
}

export async function factsOfSettlement(
  db: Db,
  detail: ApprovalDetails['order_settlement'],
  { amountFen }: Subject,
): Promise<ApprovalFact[]> {
  const order = await findOrder(db, detail.orderId);
  const bill = money('bill', order.amount_fen, amountFen);
  if (detail.how === 'assigned') {
    const { number } = await findOrder(db, detail.parkedId);
    return [bill, { name: 'stopOf', kind: 'text', before: null, after: number }];
  }
  const { body } = detail;
  return [
    bill,
    { name: 'energy', kind: 'energyWh', before: order.energy_wh, after: body.energyWh },
    { name: 'endedAt', kind: 'instant', before: null, after: body.endedAt },
  ];
}

function findOrder(db: Db, id: OrderId) {
  return db
    .selectFrom('orders')
    .select(['number', 'amount_fen', 'energy_wh', 'paid_fen', 'refunded_fen', 'forgiven_fen', 'owed_fen'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** What a transfer leaves in the wallet that gives, and who receives it. */
export async function factsOfTransfer(
  db: Db,
  { body }: ApprovalDetails['transfer'],
  { subjectKind, subjectId }: Subject,
): Promise<ApprovalFact[]> {
  const { balanceFen } = await readBalance(db, walletOf(subjectKind, subjectId));
  const receiver = await findReceiver(db, body);
  return [
    money('balance', balanceFen, subtractFen(balanceFen, body.amountFen)),
    { name: 'receiver', kind: 'text', before: null, after: receiver },
  ];
}

function walletOf(kind: Subject['subjectKind'], id: number): Wallet {
  if (kind === 'group') return groupAccount(id as GroupId);
  return kind === 'card' ? cardAccount(id as CardId) : customerAccount(id as CustomerId);
}

/** What a recharge leaves in a wallet: debts are repaid first. */
export async function factsOfRecharge(
  db: Db,
  { body }: ApprovalDetails['recharge'],
  { amountFen, subjectKind, subjectId }: Subject,
): Promise<ApprovalFact[]> {
  const { balanceFen, owedFen } = await readBalance(db, walletOf(subjectKind, subjectId));
  // What was asked for is measured with its gifts, by hand and of a promotion.
  const giftFen = subtractFen(amountFen ?? body.amountFen, body.amountFen);
  const repaidFen = minFen(owedFen, body.amountFen);
  return [
    money('balance', balanceFen, addFen(balanceFen, subtractFen(body.amountFen, repaidFen))),
    ...(giftFen > 0 ? [money('gift', null, giftFen)] : []),
    ...(owedFen > 0 ? [money('owed', owedFen, subtractFen(owedFen, repaidFen))] : []),
  ];
}

/** A reversal takes all of it back, what it repaid included; a refund an amount. */
export async function factsOfReversal(
  db: Db,
  { rechargeId, body }: ApprovalDetails['recharge_refund'],
): Promise<ApprovalFact[]> {
  const { amount_fen, repaid_fen, ...owner } = await db
    .selectFrom('recharges')
    .select(['card_id', 'customer_id', 'group_id', 'partner_id', 'amount_fen', 'repaid_fen'])
    .where('id', '=', rechargeId)
    .executeTakeFirstOrThrow();
  const recharged = {
    cardId: owner.card_id,
    customerId: owner.customer_id,
    groupId: owner.group_id,
    partnerId: owner.partner_id,
  };
  if ('amountFen' in body) {
    const { wallet } = await findWalletOf(db, recharged);
    const { balanceFen } = await readBalance(db, wallet);
    return [
      money('recharged', null, amount_fen),
      money('balance', balanceFen, subtractFen(balanceFen, body.amountFen)),
    ];
  }
  const { balanceFen, owedFen } = await readBalance(db, walletOfRecharge(recharged));
  return [
    money('recharged', null, amount_fen),
    money('balance', balanceFen, subtractFen(balanceFen, subtractFen(amount_fen, repaid_fen))),
    ...(repaid_fen > 0 ? [money('owed', owedFen, addFen(owedFen, repaid_fen))] : []),
  ];
}

/** What a gift leaves of a wallet's gifts: debts are repaid first. */
export async function factsOfGift(
  db: Db,
  { body }: ApprovalDetails['gift'],
  { subjectKind, subjectId }: Subject,
): Promise<ApprovalFact[]> {
  const { giftFen, owedFen } = await readBalance(db, walletOf(subjectKind, subjectId));
  const repaidFen = minFen(owedFen, body.amountFen);
  return [
    money('gifts', giftFen, addFen(giftFen, subtractFen(body.amountFen, repaidFen))),
    ...(owedFen > 0 ? [money('owed', owedFen, subtractFen(owedFen, repaidFen))] : []),
  ];
}

export async function factsOfGiftDeduction(
  db: Db,
  { body }: ApprovalDetails['gift_deduction'],
  { subjectKind, subjectId }: Subject,
): Promise<ApprovalFact[]> {
  const { giftFen } = await readBalance(db, walletOf(subjectKind, subjectId));
  return [money('gifts', giftFen, subtractFen(giftFen, body.amountFen))];
}

export async function factsOfAgentRecharge(
  db: Db,
  { agentId, body }: ApprovalDetails['agent_recharge'],
): Promise<ApprovalFact[]> {
  const prepaidFen = await readPrepaid(db, agentId);
  return [money('prepaid', prepaidFen, addFen(prepaidFen, body.amountFen))];
}

/** What a deposit leaves of a partner's money: what it owes is repaid first. */
export async function factsOfDeposit(
  db: Db,
  { partnerId, body }: ApprovalDetails['partner_deposit'],
): Promise<ApprovalFact[]> {
  const { balanceFen, owedFen } = await readBalance(db, partnerAccount(partnerId));
  const repaidFen = minFen(owedFen, body.amountFen);
  return [
    money('balance', balanceFen, addFen(balanceFen, subtractFen(body.amountFen, repaidFen))),
    ...(owedFen > 0 ? [money('owed', owedFen, subtractFen(owedFen, repaidFen))] : []),
  ];
}

/** What is owed to a partner before and after a payment to it. */
export async function factsOfPartnerPayment(
  db: Db,
  { partnerId, body }: ApprovalDetails['partner_payment'],
): Promise<ApprovalFact[]> {
  const { payableFen } = await readPayable(db, partnerId);
  return [money('payable', payableFen, subtractFen(payableFen, body.amountFen))];
}

/** What the old record has, which its cards' money comes on top of, and who takes it over. */
export async function factsOfMerge(
  db: Db,
  { customerId, body }: ApprovalDetails['customer_merge'],
): Promise<ApprovalFact[]> {
  const { balanceFen, giftFen } = await readBalance(db, customerAccount(customerId));
  return [
    money('balance', balanceFen, zeroFen),
    ...(giftFen > 0 ? [money('gifts', giftFen, zeroFen)] : []),
    { name: 'receiver', kind: 'text', before: null, after: await findPhone(db, body.intoId) },
  ];
}

/** From whom a card goes to whom. */
export async function factsOfHolder(
  db: Db,
  { customerId, beforeId }: ApprovalDetails['card_holder'],
): Promise<ApprovalFact[]> {
  const before = beforeId === null ? null : await findPhone(db, beforeId);
  return [{ name: 'holder', kind: 'text', before, after: await findPhone(db, customerId) }];
}

export async function factsOfDefault(
  db: Db,
  { tariffId, body }: ApprovalDetails['tariff_default'],
  { agentId, priceChangeE5 }: Subject,
): Promise<ApprovalFact[]> {
  const { name } = await db.selectFrom('tariffs').select('name').where('id', '=', tariffId).executeTakeFirstOrThrow();
  const present = await findPresentDefault(db, agentId, body.equipmentType);
  return [
    { name: 'defaultRule', kind: 'text', before: present?.name ?? null, after: body.isDefault ? name : null },
    { name: 'equipment', kind: 'word', before: null, after: `equipment-type.${body.equipmentType}` },
    { name: 'givesToStations', kind: 'word', before: null, after: body.givesToStations ? 'list.yes' : 'list.no' },
    { name: 'largestPriceChange', kind: 'priceE5', before: null, after: priceChangeE5 },
  ];
}
