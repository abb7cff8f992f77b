-- When a person found out at the channel what became of a payout; its channel is off, or says what cannot be.
alter table channel_payouts add column checked_at timestamptz;
alter table withdrawals drop constraint withdrawals_attention;
alter table withdrawals add constraint withdrawals_attention
  check (attention in ('paid_twice', 'sent_back', 'amount_differs'));
-- How often its payment came back, after which it can be paid again.
alter table withdrawals add column times_returned integer not null default 0
  constraint withdrawals_times_returned check (times_returned >= 0);
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome'));
