-- What agents and dividers withdraw from their balance: frozen from the application to the known end of its payment.
create table agent_withdrawals (
  id bigint generated always as identity primary key,
  number text not null constraint agent_withdrawals_number unique,
  party text not null constraint agent_withdrawals_party check (party in ('agent', 'divider')),
  agent_id bigint references agents (id),
  divider_id bigint references dividers (id),
  -- The payout account as it was when it was applied for.
  payee_kind text not null constraint agent_withdrawals_payee_kind check (payee_kind in ('private', 'corporate')),
  payee_holder text not null,
  payee_bank text not null,
  payee_branch text,
  payee_bank_code text,
  payee_number text not null,
  amount_fen bigint not null constraint agent_withdrawals_amount check (amount_fen > 0),
  fee_fen bigint not null,
  way text not null default 'bank' constraint agent_withdrawals_way check (way in ('bank', 'other')),
  state text not null default 'waiting'
    constraint agent_withdrawals_state check (state in ('waiting', 'in_review', 'withdrawn', 'failed', 'processed')),
  -- Its money is set aside.
  frozen boolean not null default true,
  remark text not null default '',
  failure text,
  receipt text,
  applied_by bigint not null references users (id),
  applied_at timestamptz not null,
  reviewed_by bigint references users (id),
  reviewed_at timestamptz,
  paid_by bigint references users (id),
  paid_at timestamptz,
  returned_by bigint references users (id),
  returned_at timestamptz,
  processed_at timestamptz,
  constraint agent_withdrawals_owner check (
    case party when 'agent' then agent_id is not null and divider_id is null
               else divider_id is not null and agent_id is null end),
  constraint agent_withdrawals_fee check (fee_fen >= 0 and fee_fen < amount_fen),
  constraint agent_withdrawals_frozen check (case when state in ('waiting', 'in_review') then frozen
                                                  when state in ('withdrawn', 'processed') then not frozen else true end),
  constraint agent_withdrawals_failure check ((state = 'failed') = (failure is not null)),
  constraint agent_withdrawals_paid check (
    case when state in ('withdrawn', 'processed') then paid_at is not null and receipt is not null and returned_at is null
         else (paid_at is null) = (returned_at is null) end),
  constraint agent_withdrawals_ended check ((processed_at is null) = frozen)
);
create index agent_withdrawals_applied on agent_withdrawals (applied_at desc, id desc);
create index agent_withdrawals_of_state on agent_withdrawals (state, applied_at desc, id desc);
create index agent_withdrawals_of_way on agent_withdrawals (way, applied_at desc, id desc);
create index agent_withdrawals_of_agent on agent_withdrawals (agent_id, applied_at desc, id desc)
  where agent_id is not null;
create index agent_withdrawals_of_divider on agent_withdrawals (divider_id, applied_at desc, id desc)
  where divider_id is not null;

-- What agents and dividers were paid in all is a part of their income.
create index agent_withdrawals_agent_paid on agent_withdrawals (agent_id) include (amount_fen)
  where agent_id is not null and state in ('withdrawn', 'processed');
create index agent_withdrawals_divider_paid on agent_withdrawals (divider_id) include (amount_fen)
  where divider_id is not null and state in ('withdrawn', 'processed');

alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome', 'agent_withdrawal', 'agent_withdrawal_return'));

-- Agents apply; passing and paying is the platform's.
update positions set menu_codes = array_append(menu_codes, 'agent_withdrawal.create')
 where name_key = 'position.agent' and not 'agent_withdrawal.create' = any (menu_codes);
update positions
   set menu_codes = menu_codes || '{agent_withdrawal.review,agent_withdrawal.pay,agent_withdrawal.return}'::text[]
 where name_key = 'position.platform' and not 'agent_withdrawal.review' = any (menu_codes);
