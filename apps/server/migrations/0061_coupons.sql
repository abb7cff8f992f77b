-- Coupons on the service fee. A coupon is defined once and given to people; each of them uses it for one order.
create table coupons (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null constraint coupons_kind check (kind in ('amount', 'percent')),
  -- Of an amount.
  amount_fen bigint constraint coupons_amount check (amount_fen > 0),
  -- Of a percentage of the service fee, with the most that it takes off.
  percent integer constraint coupons_percent check (percent between 1 and 100),
  max_fen bigint constraint coupons_max check (max_fen > 0),
  -- Null: at all sites.
  site_ids bigint[],
  from_at timestamptz,
  to_at timestamptz,
  -- Who gives it up: the site earns less, or the platform pays it.
  bearer text not null constraint coupons_bearer check (bearer in ('site', 'platform')),
  -- What all its uses together take off; null: any sum.
  budget_fen bigint constraint coupons_budget check (budget_fen > 0),
  used_fen bigint not null default 0 constraint coupons_used check (used_fen >= 0),
  stopped_at timestamptz,
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint coupons_value check (case kind when 'amount' then amount_fen is not null and percent is null and max_fen is null
                                            else percent is not null and amount_fen is null end),
  constraint coupons_within_budget check (used_fen <= budget_fen),
  constraint coupons_period check (from_at < to_at)
);
create index coupons_created on coupons (created_at desc, id desc);

create table customer_coupons (
  id bigint generated always as identity primary key,
  coupon_id bigint not null references coupons (id),
  customer_id bigint not null references customers (id),
  user_id bigint references users (id),
  given_at timestamptz not null,
  order_id bigint constraint customer_coupons_order unique references orders (id),
  used_at timestamptz,
  amount_fen bigint constraint customer_coupons_amount check (amount_fen > 0),
  constraint customer_coupons_use check (num_nonnulls(order_id, used_at, amount_fen) in (0, 3))
);
-- A settlement looks here for its payer, who mostly has none.
create index customer_coupons_unused on customer_coupons (customer_id) where order_id is null;
create index customer_coupons_coupon on customer_coupons (coupon_id, id desc);
