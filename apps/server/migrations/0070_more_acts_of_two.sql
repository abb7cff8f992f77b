-- Gifts, prepaid money of agents, merges and holders of cards wait for a second person too.
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder'));
-- What counts in the daily limit of a user.
create index wallet_gifts_of_user on wallet_gifts (user_id, created_at);
create index agent_recharges_of_user on agent_recharges (user_id, created_at);
