-- The credit score of registered users. Points are kept in hundredths: one fen is as many as a yuan has points.
create table credits (
  customer_id bigint primary key references customers (id),
  score_e2 bigint not null constraint credits_floor check (score_e2 >= 0),
  -- The really paid money that counted.
  consumed_fen bigint not null
);
create index credits_score on credits (score_e2, customer_id);
create index credits_consumed on credits (consumed_fen, customer_id);

-- Every change of a score, with the score afterwards.
create table credit_movements (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  kind text not null constraint credit_movements_kind check (kind in ('order_paid', 'order_refunded', 'adjusted')),
  order_id bigint,
  amount_fen bigint not null,
  points_e2 bigint not null,
  after_e2 bigint not null,
  reason text not null default '',
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint credit_movements_cause check ((kind = 'adjusted') = (order_id is null))
);
create index credit_movements_created on credit_movements (created_at, id);
create index credit_movements_customer on credit_movements (customer_id, created_at, id);
create index credit_movements_kind on credit_movements (kind, created_at, id);
create index credit_movements_order on credit_movements (order_id) where order_id is not null;

-- Writes one change of a score, which is never taken below zero. It comes after the money of its cause: whoever holds
-- the lock on a score waits for no account.
create function count_credit(
  of_customer bigint, of_kind text, of_order bigint, counted_fen bigint, counted_e2 bigint, counted_at timestamptz,
  why text default '', by_user bigint default null
) returns bigint language plpgsql as $$
declare
  change_e2 bigint := counted_e2;
  new_e2 bigint;
begin
  if change_e2 < 0 then
    select greatest(change_e2, -score_e2) into change_e2 from credits where customer_id = of_customer for update;
    change_e2 := coalesce(change_e2, 0);
  end if;
  insert into credits as c (customer_id, score_e2, consumed_fen) values (of_customer, greatest(change_e2, 0), greatest(counted_fen, 0))
    on conflict (customer_id) do update
      set score_e2 = c.score_e2 + change_e2, consumed_fen = c.consumed_fen + counted_fen
    returning score_e2 into new_e2;
  insert into credit_movements (customer_id, kind, order_id, amount_fen, points_e2, after_e2, reason, user_id, created_at)
    values (of_customer, of_kind, of_order, counted_fen, change_e2, new_e2, why, by_user, counted_at);
  return new_e2;
end
$$;
