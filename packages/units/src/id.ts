declare const entity: unique symbol;

/**
 * A database id (bigint in PostgreSQL, safe as a number up to 9e15), typed so that ids of different kinds cannot be
 * mixed up.
 */
export type Id<Kind extends string> = number & { readonly [entity]: Kind };

export type SiteId = Id<'site'>;
export type StationId = Id<'station'>;
export type ConnectorId = Id<'connector'>;
export type OrderId = Id<'order'>;
export type StartAttemptId = Id<'start_attempt'>;
export type OrderRefundId = Id<'order_refund'>;
export type TariffId = Id<'tariff'>;
export type CustomerId = Id<'customer'>;
export type CardId = Id<'card'>;
export type AgentId = Id<'agent'>;
export type GroupId = Id<'group'>;
export type GroupMemberId = Id<'group_member'>;
export type DividerId = Id<'divider'>;
export type SettlementPeriodId = Id<'settlement_period'>;
export type UserId = Id<'user'>;
export type PositionId = Id<'position'>;
export type AccountId = Id<'account'>;
export type SignInId = Id<'sign_in'>;
export type SessionId = Id<'session'>;
export type FileId = Id<'file'>;
export type FeedbackId = Id<'feedback'>;
export type AdvertId = Id<'advert'>;
export type ArticleId = Id<'article'>;
export type ConfigId = Id<'config'>;
export type TaskId = Id<'task'>;
export type RechargeId = Id<'recharge'>;
export type WalletTransferId = Id<'wallet_transfer'>;
export type WalletGiftId = Id<'wallet_gift'>;
export type RechargeRefundId = Id<'recharge_refund'>;
export type MovementId = Id<'movement'>;
export type PromotionId = Id<'promotion'>;
export type CouponId = Id<'coupon'>;
export type CustomerCouponId = Id<'customer_coupon'>;
export type AgentRechargeId = Id<'agent_recharge'>;
export type WithdrawalId = Id<'withdrawal'>;
export type AgentWithdrawalId = Id<'agent_withdrawal'>;
export type InvoiceId = Id<'invoice'>;
export type InvoiceTitleId = Id<'invoice_title'>;
export type FilterSetId = Id<'filter_set'>;
export type ApprovalId = Id<'approval'>;
export type PriceChangeId = Id<'price_change'>;
export type TransferId = Id<'transfer'>;
export type CreditMovementId = Id<'credit_movement'>;
export type ProofRunId = Id<'proof_run'>;
export type ReconciliationDayId = Id<'reconciliation_day'>;
export type ReconciliationDifferenceId = Id<'reconciliation_difference'>;
export type PartnerId = Id<'partner'>;
export type RoamingChargeId = Id<'roaming_charge'>;
export type PartnerChargeId = Id<'partner_charge'>;
export type PartnerPaymentId = Id<'partner_payment'>;
export type PulledPortId = Id<'pulled_port'>;
export type PartnerPullId = Id<'partner_pull'>;
