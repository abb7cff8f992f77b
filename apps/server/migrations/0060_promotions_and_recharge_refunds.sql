-- Promotions: whoever recharges enough is given something. Each applies once per recharge; its uses are counted per
-- person, which is the registered user, or the card where nobody is known to hold it.
create table promotions (
  id bigint generated always as identity primary key,
  name text not null,
  satisfied_fen bigint not null constraint promotions_satisfied check (satisfied_fen > 0),
  gift_fen bigint not null constraint promotions_gift check (gift_fen > 0),
  effective boolean not null default true,
  displayed boolean not null default true,
  from_at timestamptz,
  to_at timestamptz,
  -- Null: any number of times.
  times_per_person integer constraint promotions_times check (times_per_person > 0),
  scope text not null default 'both' constraint promotions_scope check (scope in ('wallet', 'card', 'both')),
  -- Null: the platform's, for money that comes in by a channel.
  agent_id bigint references agents (id),
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint promotions_period check (from_at < to_at)
);
create index promotions_created on promotions (created_at desc, id desc);
create index promotions_agent on promotions (agent_id, created_at desc, id desc) where agent_id is not null;
create index promotions_effective on promotions (satisfied_fen) where effective;

alter table recharges
  add column channel text not null default 'back-office' constraint recharges_channel
    check (channel in ('front-desk', 'back-office', 'bank', 'wechat', 'alipay', 'embedded')),
  add column gift_fen bigint not null default 0 constraint recharges_gift check (gift_fen >= 0),
  add column promotion_id bigint references promotions (id),
  -- The part of the gift that the promotion gave; the rest was given by hand.
  add column promotion_gift_fen bigint not null default 0 constraint recharges_promotion_gift
    check (promotion_gift_fen between 0 and gift_fen),
  add column refunded_fen bigint not null default 0 constraint recharges_refunded
    check (refunded_fen between 0 and amount_fen),
  add column refunded_gift_fen bigint not null default 0 constraint recharges_refunded_gift
    check (refunded_gift_fen between 0 and gift_fen);
update recharges r set channel = p.channel from channel_payments p where p.recharge_id = r.id;
create index recharges_user on recharges (user_id, created_at) where user_id is not null;

create table promotion_uses (
  recharge_id bigint primary key references recharges (id),
  promotion_id bigint not null references promotions (id),
  customer_id bigint references customers (id),
  card_id bigint references cards (id),
  constraint promotion_uses_person check (num_nonnulls(customer_id, card_id) = 1)
);
create index promotion_uses_customer on promotion_uses (promotion_id, customer_id) where customer_id is not null;
create index promotion_uses_card on promotion_uses (promotion_id, card_id) where card_id is not null;

-- Money of recharges on its way back. The recharge counts it from the application on, and no more when it fails.
create table recharge_refunds (
  id bigint generated always as identity primary key,
  number text not null constraint recharge_refunds_number unique,
  recharge_id bigint not null references recharges (id),
  amount_fen bigint not null constraint recharge_refunds_amount check (amount_fen > 0),
  -- The gifts taken back with it.
  gift_fen bigint not null constraint recharge_refunds_gift check (gift_fen >= 0),
  state text not null constraint recharge_refunds_state check (state in ('processing', 'done', 'failed')),
  channel_refund_id bigint constraint recharge_refunds_channel_refund unique references channel_refunds (id),
  failure text,
  reason text not null,
  user_id bigint references users (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint recharge_refunds_ended check ((state = 'processing') = (ended_at is null))
);
create index recharge_refunds_recharge on recharge_refunds (recharge_id, id);
