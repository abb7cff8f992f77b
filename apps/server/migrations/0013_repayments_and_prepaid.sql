-- Debts that a recharge repays, recharges that can be undone, and agents that recharge out of money paid in beforehand.

alter table recharges
  add column repaid_fen bigint not null default 0 check (repaid_fen >= 0),
  add column owed_after_fen bigint not null default 0 check (owed_after_fen >= 0),
  -- Whose prepaid account paid; null where the money came from outside.
  add column agent_id bigint references agents (id),
  add column prepaid_after_fen bigint check (prepaid_after_fen >= 0),
  add column reversed_at timestamptz,
  add column reversed_by bigint references users (id),
  add column reversal_reason text,
  add constraint recharges_prepaid check ((agent_id is null) = (prepaid_after_fen is null)),
  add constraint recharges_reversal check ((reversed_at is null) = (reversal_reason is null));

create table debt_repayments (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  -- The recharge that brought the money; null where it came back to the balance otherwise.
  recharge_id bigint references recharges (id),
  amount_fen bigint not null check (amount_fen > 0),
  created_at timestamptz not null,
  reversed_at timestamptz
);
create index debt_repayments_order on debt_repayments (order_id);
create index debt_repayments_recharge on debt_repayments (recharge_id) where recharge_id is not null;

create table agent_recharges (
  id bigint generated always as identity primary key,
  number text not null unique,
  agent_id bigint not null references agents (id),
  amount_fen bigint not null check (amount_fen > 0),
  balance_before_fen bigint not null,
  balance_after_fen bigint not null,
  reason text not null,
  user_id bigint references users (id),
  created_at timestamptz not null
);
create index agent_recharges_agent on agent_recharges (agent_id, created_at desc, id desc);
