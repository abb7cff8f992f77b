-- Two records of one person become one: the old one keeps its history and says where its money, cards and orders went.
alter table customers
  drop constraint customers_state_check,
  add constraint customers_state check (state in ('normal', 'disabled', 'merged')),
  -- Why it was disabled or merged.
  add column state_reason text not null default '',
  add column merged_into_id bigint references customers (id),
  add constraint customers_merged check ((state = 'merged') = (merged_into_id is not null));
create index customers_merged_into on customers (merged_into_id) where merged_into_id is not null;

-- Debts that nobody will pay any more, one row an act.
create table debt_write_offs (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  amount_fen bigint not null check (amount_fen > 0),
  reason text not null,
  user_id bigint references users (id),
  created_at timestamptz not null
);
create index debt_write_offs_order on debt_write_offs (order_id);

alter table orders
  drop constraint orders_payment_state_check,
  add constraint orders_payment_state check (
    payment_state in ('unpaid', 'paid', 'partly_paid', 'refunded', 'partly_refunded', 'written_off'));
-- What is owed, by who sees it, longest first or largest first.
create index orders_owed_since on orders (settled_at desc, id desc) where owed_fen > 0;
create index orders_owed_since_agent on orders (agent_id, settled_at desc, id desc) where owed_fen > 0;
create index orders_owed_most on orders (owed_fen desc, id desc) where owed_fen > 0;
create index orders_owed_most_agent on orders (agent_id, owed_fen desc, id desc) where owed_fen > 0;
