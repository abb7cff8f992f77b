import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { ApprovalKind, ApprovalSubjectKind, Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { GiftKind } from '@voltdeck/contract/transfers';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { returnPayment } from '../agent-withdrawals/return-payment.ts';
import { reviewAgentWithdrawal } from '../agent-withdrawals/review-withdrawal.ts';
import { factsOfAgentWithdrawal } from '../agent-withdrawals/withdrawal-facts.ts';
import { rechargeAgent } from '../agents/recharge-agent.ts';
import { factsOfEntryReversal } from '../books/entry-facts.ts';
import { reverseEntry } from '../books/reverse-entry.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import { cancelCard } from '../cards/cancel-card.ts';
import { factsOfCancellation } from '../cards/close-cancellations.ts';
import { giveHolder } from '../cards/set-holder.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Context } from '../context.ts';
import { mergeCustomer } from '../customers/merge-customer.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { depositFor } from '../interop/deposit-for-partner.ts';
import { payPartner } from '../interop/pay-partner.ts';
import { factsOfRoamingWriteOff } from '../interop/roaming/close-write-offs.ts';
import { factsOfRoamingRefund, refundRoaming, writeOffRoaming } from '../interop/roaming/correct-roaming.ts';
import { assignStop } from '../orders/abnormal/assign-stop.ts';
import { factsOfWriteOff } from '../orders/debts/close-write-offs.ts';
import { writeOffDebt } from '../orders/debts/write-off-debt.ts';
import { type OrderMoved, publishMoved } from '../orders/order-events.ts';
import { refundOrder } from '../orders/refund-order.ts';
import { retryRefund } from '../orders/refunds/retry-refund.ts';
import { settleOrder } from '../orders/settle-order.ts';
import { tellBalanceLater, tellWalletLater } from '../orders/tell-balance.ts';
import { movedOrder } from '../orders/write-order.ts';
import { createRecharge } from '../payments/create-recharge.ts';
import { createGift } from '../payments/gifts/create-gift.ts';
import { refundRecharge } from '../payments/refunds/refund-recharge.ts';
import { reverseRecharge } from '../payments/reverse-recharge.ts';
import { createTransfer } from '../payments/transfers/create-transfer.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import type { ActSubject, FactsOf } from '../second-person/fact-figures.ts';
import { correctShares, factsOfShareCorrection } from '../shares/correct-shares.ts';
import { setDefault } from '../tariffs/set-default.ts';
import { factsOfOutcome, factsOfWithdrawal } from '../withdrawals/payout-facts.ts';
import { reviewWithdrawal } from '../withdrawals/review-withdrawal.ts';
import { stateOutcome } from '../withdrawals/state-outcome.ts';
import {
  factsOfAgentRecharge,
  factsOfDefault,
  factsOfDeposit,
  factsOfGift,
  factsOfGiftDeduction,
  factsOfHolder,
  factsOfMerge,
  factsOfPartnerPayment,
  factsOfRecharge,
  factsOfRefund,
  factsOfReversal,
  factsOfSettlement,
  factsOfTransfer,
} from './act-facts.ts';

/** What an approved act did. */
export type CarriedOut = {
  /** The record that it made or changed. */
  recordId: number;
  /** What consoles are told after the commit. */
  tell(context: Context<'console'>): void;
};

/** What acts reach besides the database. */
export type Outside = { channels: OpenChannels; sessions: Sessions };

type ApprovedAct<Kind extends ApprovalKind> = {
  /** Carries the act out as who asked for it, with what follows it when it is called directly. */
  carryOut(
    trx: Trx,
    asker: Caller,
    detail: ApprovalDetails[Kind],
    at: Instant,
    outside: Outside,
  ): Promise<Result<CarriedOut, ApiError>>;
  /** What it changes, for who decides. */
  factsOf: FactsOf<Kind>;
};

/** How each kind of act is carried out after its approval. */
export const approvedActs: { readonly [Kind in ApprovalKind]: ApprovedAct<Kind> } = {
  order_refund: {
    async carryOut(trx, asker, { orderId, body, refundId }, at) {
      const refunded = done(
        refundId === undefined
          ? await refundOrder(trx, asker, orderId, body, at)
          : await retryRefund(trx, asker, refundId, at),
      );
      return refunded.ok ? ok({ recordId: refunded.value.id, tell: tellOrders([refunded.value]) }) : refunded;
    },
    factsOf: factsOfRefund,
  },
  order_settlement: {
    async carryOut(trx, asker, detail, at) {
      if (detail.how === 'assigned') {
        const assigned = done(await assignStop(trx, asker, detail.parkedId, detail.body, at));
        if (!assigned.ok) return assigned;
        const { parked, ended } = assigned.value;
        return ok({ recordId: ended.id, tell: tellOrders([movedOrder(parked), movedOrder(ended)]) });
      }
      const { orderId, body, how } = detail;
      const settled = done(await settleOrder(trx, asker, orderId, body, at, how));
      return settled.ok ? ok({ recordId: settled.value.id, tell: tellOrders([movedOrder(settled.value)]) }) : settled;
    },
    factsOf: factsOfSettlement,
  },
  transfer: {
    async carryOut(trx, asker, { body }, at) {
      const transferred = done(await createTransfer(trx, asker, body, at));
      if (!transferred.ok) return transferred;
      const { transfer, repaidOrders } = transferred.value;
      await tellBalanceLater(trx, { cardId: transfer.fromCardId, customerId: transfer.fromCustomerId });
      await tellBalanceLater(trx, { cardId: transfer.toCardId, customerId: transfer.toCustomerId });
      return ok({ recordId: transfer.id, tell: tellOrders(repaidOrders) });
    },
    factsOf: factsOfTransfer,
  },
  recharge: {
    async carryOut(trx, asker, { body }, at) {
      const recharged = done(await createRecharge(trx, asker, body, at));
      if (!recharged.ok) return recharged;
      const { recharge, wallet, repaidOrders } = recharged.value;
      await tellWalletLater(trx, wallet);
      return ok({ recordId: recharge.id, tell: tellOrders(repaidOrders) });
    },
    factsOf: factsOfRecharge,
  },
  recharge_refund: {
    async carryOut(trx, asker, { rechargeId, body }, at, { channels }) {
      if ('amountFen' in body) {
        const refunded = done(await refundRecharge(trx, channels, asker, rechargeId, body, at));
        if (!refunded.ok) return refunded;
        await tellWalletLater(trx, refunded.value.wallet);
        return ok({ recordId: rechargeId, tell: () => undefined });
      }
      const reversed = done(await reverseRecharge(trx, asker, rechargeId, body, at));
      if (!reversed.ok) return reversed;
      await tellWalletLater(trx, reversed.value.wallet);
      return ok({ recordId: rechargeId, tell: tellOrders(reversed.value.owedOrders) });
    },
    factsOf: factsOfReversal,
  },
  write_off: {
    async carryOut(trx, asker, { orderId, body }, at) {
      const written = done(await writeOffDebt(trx, asker, orderId, body, at));
      return written.ok ? ok({ recordId: orderId, tell: () => undefined }) : written;
    },
    factsOf: factsOfWriteOff,
  },
  withdrawal: {
    async carryOut(trx, asker, { withdrawalId, body }, at, { channels }) {
      const reviewed = done(await reviewWithdrawal(trx, channels, asker, withdrawalId, body, at));
      return reviewed.ok ? ok({ recordId: reviewed.value, tell: () => undefined }) : reviewed;
    },
    factsOf: factsOfWithdrawal,
  },
  tariff_default: {
    async carryOut(trx, asker, { tariffId, body }, at) {
      const set = done(await setDefault(trx, asker, tariffId, body, at));
      return set.ok ? ok({ recordId: set.value.tariff.ruleId, tell: () => undefined }) : set;
    },
    factsOf: factsOfDefault,
  },
  card_cancellation: {
    async carryOut(trx, asker, { cardId, body, holderId }, at) {
      const cancelled = done(await cancelCard(trx, asker, { id: cardId, form: body, holderId }, at));
      if (!cancelled.ok) return cancelled;
      const { customerId } = cancelled.value;
      if (customerId !== null) await tellBalanceLater(trx, { cardId: null, customerId });
      return ok({ recordId: cardId, tell: () => undefined });
    },
    factsOf: factsOfCancellation,
  },
  gift: {
    carryOut: (trx, asker, { body }, at) => moveGifts(trx, asker, 'given', body, at),
    factsOf: factsOfGift,
  },
  gift_deduction: {
    carryOut: (trx, asker, { body }, at) => moveGifts(trx, asker, 'deducted', body, at),
    factsOf: factsOfGiftDeduction,
  },
  agent_recharge: {
    async carryOut(trx, asker, { agentId, body }, at) {
      const recharged = done(await rechargeAgent(trx, asker, agentId, body, at));
      return recharged.ok ? ok({ recordId: recharged.value.id, tell: () => undefined }) : recharged;
    },
    factsOf: factsOfAgentRecharge,
  },
  partner_deposit: {
    async carryOut(trx, asker, { partnerId, body }, at) {
      const deposited = done(await depositFor(trx, asker, partnerId, body, at));
      if (!deposited.ok) return deposited;
      const { deposit, repaidOrders } = deposited.value;
      return ok({ recordId: deposit.id, tell: tellOrders(repaidOrders) });
    },
    factsOf: factsOfDeposit,
  },
  partner_payment: {
    async carryOut(trx, asker, { partnerId, body }, at) {
      const paid = done(await payPartner(trx, asker, partnerId, body, at));
      return paid.ok ? ok({ recordId: paid.value, tell: () => undefined }) : paid;
    },
    factsOf: factsOfPartnerPayment,
  },
  roaming_refund: {
    async carryOut(trx, asker, { chargeId, body }, at) {
      const refunded = done(await refundRoaming(trx, asker, chargeId, body, at));
      return refunded.ok ? ok({ recordId: chargeId, tell: () => undefined }) : refunded;
    },
    factsOf: factsOfRoamingRefund,
  },
  roaming_write_off: {
    async carryOut(trx, asker, { chargeId, body }, at) {
      const written = done(await writeOffRoaming(trx, asker, chargeId, body, at));
      return written.ok ? ok({ recordId: chargeId, tell: () => undefined }) : written;
    },
    factsOf: factsOfRoamingWriteOff,
  },
  customer_merge: {
    async carryOut(trx, asker, { customerId, body }, at, { sessions }) {
      const merged = done(await mergeCustomer(trx, sessions, asker, customerId, body, at));
      if (!merged.ok) return merged;
      const { intoId, repaidOrders, signedOut } = merged.value;
      return ok({
        recordId: intoId,
        tell(context) {
          for (const userId of signedOut) sessions.forgetCached(userId);
          tellOrders(repaidOrders)(context);
        },
      });
    },
    factsOf: factsOfMerge,
  },
  card_holder: {
    async carryOut(trx, asker, { cardId, customerId, beforeId }, at) {
      const given = done(await giveHolder(trx, asker, { id: cardId, customerId, beforeId }, at));
      return given.ok ? ok({ recordId: cardId, tell: () => undefined }) : given;
    },
    factsOf: factsOfHolder,
  },
  withdrawal_outcome: {
    async carryOut(trx, asker, { withdrawalId, body }, at, { channels }) {
      const stated = done(await stateOutcome(trx, channels, asker, withdrawalId, body, at));
      return stated.ok ? ok({ recordId: stated.value, tell: () => undefined }) : stated;
    },
    factsOf: factsOfOutcome,
  },
  agent_withdrawal: {
    async carryOut(trx, asker, { agentWithdrawalId, body }, at) {
      const reviewed = done(await reviewAgentWithdrawal(trx, asker, agentWithdrawalId, body, at));
      return reviewed.ok ? ok({ recordId: reviewed.value, tell: () => undefined }) : reviewed;
    },
    factsOf: factsOfAgentWithdrawal,
  },
  agent_withdrawal_return: {
    async carryOut(trx, asker, { agentWithdrawalId, body }, at) {
      const returned = done(await returnPayment(trx, asker, agentWithdrawalId, body, at));
      return returned.ok ? ok({ recordId: returned.value, tell: () => undefined }) : returned;
    },
    factsOf: factsOfAgentWithdrawal,
  },
  share_correction: {
    async carryOut(trx, asker, { orderId, body }, at) {
      const corrected = done(await correctShares(trx, asker, orderId, body, at));
      return corrected.ok ? ok({ recordId: orderId, tell: () => undefined }) : corrected;
    },
    factsOf: factsOfShareCorrection,
  },
  reversal: {
    async carryOut(trx, asker, { transferId, body }, at) {
      const reversed = done(await reverseEntry(trx, asker, transferId, body, at));
      if (!reversed.ok) return reversed;
      for (const payer of reversed.value.payers) await tellBalanceLater(trx, payer);
      return ok({ recordId: transferId, tell: tellOrders(reversed.value.repaidOrders) });
    },
    factsOf: factsOfEntryReversal,
  },
};

/** The columns of an approval that say what its act changes. */
export const actColumns = [
  sql<ApprovalKind>`approvals.kind`.as('kind'),
  'approvals.detail',
  'approvals.amount_fen as amountFen',
  'approvals.price_change_e5 as priceChangeE5',
  'approvals.agent_id as agentId',
  sql<ApprovalSubjectKind>`approvals.subject_kind`.as('subjectKind'),
  'approvals.subject_id as subjectId',
] as const;

/** What a waiting act changes, as the records are now. */
export async function factsOfAct(
  db: Kysely<Tables>,
  { kind, detail, ...subject }: ActSubject & { kind: ApprovalKind; detail: unknown },
): Promise<ApprovalFact[]> {
  return approvedActs[kind].factsOf(db, detail as never, subject);
}

async function moveGifts(
  trx: Trx,
  asker: Caller,
  kind: GiftKind,
  body: ApprovalDetails['gift']['body'],
  at: Instant,
): Promise<Result<CarriedOut, ApiError>> {
  const gifted = done(await createGift(trx, asker, kind, body, at));
  if (!gifted.ok) return gifted;
  await tellBalanceLater(trx, gifted.value.gift);
  return ok({ recordId: gifted.value.gift.id, tell: tellOrders(gifted.value.repaidOrders) });
}

/** @throws Error for an act that asks again although it was approved. */
function done<Value>(result: Result<Value | Waits, ApiError>): Result<Value, ApiError> {
  if (!result.ok) return result;
  const { value } = result;
  if (isWaiting(value)) throw new Error('an approved act asked for approval again');
  return ok(value);
}

function tellOrders(orders: readonly OrderMoved[]): CarriedOut['tell'] {
  return (context) => {
    for (const order of orders) publishMoved(context, order);
  };
}
