import type { assignStop } from '@voltdeck/contract/abnormal-orders';
import type { returnAgentWithdrawal, reviewAgentWithdrawal } from '@voltdeck/contract/agent-withdrawals';
import type { rechargeAgent } from '@voltdeck/contract/agents';
import type { ApprovalKind } from '@voltdeck/contract/approvals';
import type { reverseLedgerTransfer } from '@voltdeck/contract/books';
import type { cancelCard } from '@voltdeck/contract/cards';
import type { mergeCustomer } from '@voltdeck/contract/customers';
import type { writeOffDebt } from '@voltdeck/contract/debts';
import type { refundOrder, settleOrder } from '@voltdeck/contract/orders';
import type { depositForPartner, payPartner } from '@voltdeck/contract/partner-deposits';
import type { createRecharge, refundRecharge, reverseRecharge } from '@voltdeck/contract/payments';
import type { Permission } from '@voltdeck/contract/permissions';
import type { refundRoamingCharge, writeOffRoamingDebt } from '@voltdeck/contract/roaming';
import type { BodyOf } from '@voltdeck/contract/route';
import type { correctOrderShares } from '@voltdeck/contract/shares';
import type { setDefaultTariff } from '@voltdeck/contract/tariffs';
import type { createGift, createTransfer } from '@voltdeck/contract/transfers';
import type { reviewWithdrawal, stateWithdrawalOutcome } from '@voltdeck/contract/withdrawals';
import type {
  AgentId,
  AgentWithdrawalId,
  CardId,
  CustomerId,
  OrderId,
  OrderRefundId,
  PartnerId,
  RechargeId,
  RoamingChargeId,
  TariffId,
  TransferId,
  WithdrawalId,
} from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import type { Reach } from '../caller/scope.ts';

/** What an act of each kind was called with, as it is called again when it was approved. */
export type ApprovalDetails = {
  /** `refundId`: of a failed refund that is made again. */
  order_refund: { orderId: OrderId; body: BodyOf<typeof refundOrder>; refundId?: OrderRefundId };
  /** `assigned`: by the stop that stands parked in another order. */
  order_settlement:
    | { orderId: OrderId; body: BodyOf<typeof settleOrder>; how: 'settled' | 'accepted' }
    | { orderId: OrderId; parkedId: OrderId; body: BodyOf<typeof assignStop>; how: 'assigned' };
  transfer: { body: BodyOf<typeof createTransfer> };
  recharge: { body: BodyOf<typeof createRecharge> };
  withdrawal: { withdrawalId: WithdrawalId; body: BodyOf<typeof reviewWithdrawal> };
  write_off: { orderId: OrderId; body: BodyOf<typeof writeOffDebt> };
  /** A reversal, or a refund where the body names an amount. */
  recharge_refund: { rechargeId: RechargeId; body: BodyOf<typeof reverseRecharge> | BodyOf<typeof refundRecharge> };
  tariff_default: { tariffId: TariffId; body: BodyOf<typeof setDefaultTariff> };
  /** `holderId`: whose balance gets the money, where the payout is to the holder. */
  card_cancellation: { cardId: CardId; body: BodyOf<typeof cancelCard>; holderId?: CustomerId };
  gift: { body: BodyOf<typeof createGift> };
  gift_deduction: { body: BodyOf<typeof createGift> };
  agent_recharge: { agentId: AgentId; body: BodyOf<typeof rechargeAgent> };
  partner_deposit: { partnerId: PartnerId; body: BodyOf<typeof depositForPartner> };
  partner_payment: { partnerId: PartnerId; body: BodyOf<typeof payPartner> };
  roaming_refund: { chargeId: RoamingChargeId; body: BodyOf<typeof refundRoamingCharge> };
  roaming_write_off: { chargeId: RoamingChargeId; body: BodyOf<typeof writeOffRoamingDebt> };
  customer_merge: { customerId: CustomerId; body: BodyOf<typeof mergeCustomer> };
  /** `beforeId`: from whom the card goes over; null where it had no holder. */
  card_holder: { cardId: CardId; customerId: CustomerId; beforeId: CustomerId | null };
  withdrawal_outcome: { withdrawalId: WithdrawalId; body: BodyOf<typeof stateWithdrawalOutcome> };
  agent_withdrawal: { agentWithdrawalId: AgentWithdrawalId; body: BodyOf<typeof reviewAgentWithdrawal> };
  agent_withdrawal_return: { agentWithdrawalId: AgentWithdrawalId; body: BodyOf<typeof returnAgentWithdrawal> };
  share_correction: { orderId: OrderId; body: BodyOf<typeof correctOrderShares> };
  reversal: { transferId: TransferId; body: BodyOf<typeof reverseLedgerTransfer> };
};

/** Who asked, with their rights and scope at that time. */
export type Asker = {
  caller: Pick<Caller, 'userName' | 'admin' | 'dataScope' | 'agents' | 'customerId' | 'language' | 'remoteAddress'> & {
    permissions: readonly Permission[];
  };
};

export type StoredApproval<Kind extends ApprovalKind> = ApprovalDetails[Kind] & Asker;

export function storedApproval<Kind extends ApprovalKind>(
  { userName, admin, dataScope, agents, customerId, language, remoteAddress, permissions }: Caller,
  detail: ApprovalDetails[Kind],
): StoredApproval<Kind> {
  const who = { userName, admin, dataScope, agents, customerId, language, remoteAddress };
  return { ...detail, caller: { ...who, permissions: [...permissions] } };
}

/**
 * Whether an act means the same with the reach that its asker has now: it covers what they could reach, and the agent
 * who pays for what they do, the first one, is the same.
 */
export function meansTheSame(now: Reach, { caller: then }: Asker): boolean {
  const { agents } = now;
  if (agents === 'all' || then.agents === 'all') return agents === then.agents;
  return agents[0] === then.agents[0] && then.agents.every((agent) => agents.includes(agent));
}
