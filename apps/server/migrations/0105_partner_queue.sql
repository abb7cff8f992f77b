-- The queue of one partner by state, and the count of what failed.
create index partner_deliveries_of_partner_state on partner_deliveries (partner_id, state, created_at desc, id desc);

alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome', 'agent_withdrawal', 'agent_withdrawal_return', 'share_correction', 'partner_deposit'));
