-- Debts that are collected, and books that say so.

-- A refund of an order that is not fully paid reduces what is owed before it gives money back.
alter table orders add column forgiven_fen bigint not null default 0;
-- What a known payer still owes for a settled order.
alter table orders add column owed_fen bigint not null generated always as (
  case when state = 'completed' and (case payment_type when 'card' then card_id else customer_id end) is not null
       then amount_fen - paid_fen - forgiven_fen else 0 end) stored;
alter table orders add constraint orders_owed check (owed_fen >= 0);
create index orders_owed_by_card on orders (card_id, settled_at, id) where owed_fen > 0 and payment_type = 'card';
create index orders_owed_by_customer on orders (customer_id, settled_at, id)
  where owed_fen > 0 and payment_type = 'online';
-- `amount_fen` is the refund as it was decided; of it this much reduced the order's debt.
alter table order_refunds add column forgiven_fen bigint not null default 0
  constraint order_refunds_forgiven check (forgiven_fen between 0 and amount_fen);
