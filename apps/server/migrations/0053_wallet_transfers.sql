-- Money that moved from one wallet to another, each part into its like.
create table wallet_transfers (
  id bigint generated always as identity primary key,
  number text not null constraint wallet_transfers_number unique,
  -- Between people, to the card that replaces another one, or to the record that another one was merged into.
  kind text not null constraint wallet_transfers_kind check (kind in ('between', 'card_replaced', 'merged')),
  from_card_id bigint references cards (id),
  from_customer_id bigint references customers (id),
  -- The agent of the card; null for the platform's and for a customer's balance.
  from_agent_id bigint references agents (id),
  to_card_id bigint references cards (id),
  to_customer_id bigint references customers (id),
  to_agent_id bigint references agents (id),
  paid_fen bigint not null check (paid_fen >= 0),
  -- Zero between people, who transfer paid money only.
  gift_fen bigint not null default 0 check (gift_fen >= 0),
  -- The part that repaid the receiver's debts at once.
  repaid_fen bigint not null default 0 check (repaid_fen >= 0),
  reason text not null default '',
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint wallet_transfers_from check (num_nonnulls(from_card_id, from_customer_id) = 1),
  constraint wallet_transfers_to check (num_nonnulls(to_card_id, to_customer_id) = 1),
  constraint wallet_transfers_two_wallets check (
    from_card_id is distinct from to_card_id or from_customer_id is distinct from to_customer_id),
  constraint wallet_transfers_amount check (paid_fen + gift_fen > 0)
);
create index wallet_transfers_created on wallet_transfers (created_at desc, id desc);
create index wallet_transfers_kinds on wallet_transfers (kind, created_at desc, id desc) where kind <> 'between';
create index wallet_transfers_from_card on wallet_transfers (from_card_id, created_at desc, id desc)
  where from_card_id is not null;
create index wallet_transfers_from_customer on wallet_transfers (from_customer_id, created_at desc, id desc)
  where from_customer_id is not null;
create index wallet_transfers_from_agent on wallet_transfers (from_agent_id, created_at desc, id desc)
  where from_agent_id is not null;
create index wallet_transfers_to_card on wallet_transfers (to_card_id, created_at desc, id desc)
  where to_card_id is not null;
create index wallet_transfers_to_customer on wallet_transfers (to_customer_id, created_at desc, id desc)
  where to_customer_id is not null;
create index wallet_transfers_to_agent on wallet_transfers (to_agent_id, created_at desc, id desc)
  where to_agent_id is not null;

-- Gifts that the operator gave into a wallet or took back, beside those of recharge promotions.
create table wallet_gifts (
  id bigint generated always as identity primary key,
  number text not null constraint wallet_gifts_number unique,
  kind text not null constraint wallet_gifts_kind check (kind in ('given', 'deducted')),
  card_id bigint references cards (id),
  customer_id bigint references customers (id),
  -- The agent of the card.
  agent_id bigint references agents (id),
  amount_fen bigint not null check (amount_fen > 0),
  -- The part that repaid debts at once.
  repaid_fen bigint not null default 0 check (repaid_fen >= 0),
  reason text not null,
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint wallet_gifts_wallet check (num_nonnulls(card_id, customer_id) = 1)
);
create index wallet_gifts_created on wallet_gifts (created_at desc, id desc);
create index wallet_gifts_of_kind on wallet_gifts (kind, created_at desc, id desc);
create index wallet_gifts_of_card on wallet_gifts (card_id, created_at desc, id desc) where card_id is not null;
create index wallet_gifts_of_customer on wallet_gifts (customer_id, created_at desc, id desc)
  where customer_id is not null;
create index wallet_gifts_of_agent on wallet_gifts (agent_id, created_at desc, id desc) where agent_id is not null;
