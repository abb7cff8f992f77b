-- The specification's type and binding time of a card, what one tap of it pays, and the card that replaced it.
alter table cards
  add column type text not null default 'online' constraint cards_type check (type in ('online', 'offline')),
  add column bound_at timestamptz,
  add column tap_amount_fen bigint constraint cards_tap_amount check (tap_amount_fen > 0),
  add column successor_id bigint constraint cards_successor references cards (id),
  add constraint cards_replaced check (successor_id is null or state = 'cancelled');
update cards set bound_at = created_at where customer_id is not null;
update cards set type = 'offline' where physical_number in (select physical_number from station_cards);
create unique index cards_successor_once on cards (successor_id) where successor_id is not null;
create index cards_offline on cards (created_at desc, id desc) where type = 'offline';

-- Which stations hold a card, and which cards a station holds that it should not.
create index station_cards_of_card on station_cards (physical_number);

-- What was left on a card when it was cancelled, and where it went.
create table card_cancellations (
  id bigint generated always as identity primary key,
  number text not null constraint card_cancellations_number unique,
  card_id bigint not null constraint card_cancellations_card references cards (id),
  payout text not null constraint card_cancellations_payout check (payout in ('cash', 'customer')),
  -- The holder whose balance got the money.
  customer_id bigint constraint card_cancellations_customer references customers (id),
  -- The agent that paid over its own counter, and whose prepaid money it became again.
  agent_id bigint constraint card_cancellations_agent references agents (id),
  paid_fen bigint not null constraint card_cancellations_paid check (paid_fen >= 0),
  -- Gifts that were taken back.
  gift_fen bigint not null constraint card_cancellations_gift check (gift_fen >= 0),
  reason text not null,
  user_id bigint not null constraint card_cancellations_user references users (id),
  created_at timestamptz not null,
  constraint card_cancellations_holder check ((payout = 'customer') = (customer_id is not null))
);
create index card_cancellations_of_card on card_cancellations (card_id, created_at desc);

-- Charges with cards, by what their screen filters by, in the order of its list.
create index orders_with_card on orders (placed_at desc, id desc) include (state) where card_id is not null;
create index orders_with_card_of_site on orders (site_id, placed_at desc, id desc) include (state)
  where card_id is not null;
create index orders_with_card_of_station on orders (station_id, placed_at desc, id desc) include (state)
  where card_id is not null;
create index orders_with_card_of_agent on orders (agent_id, placed_at desc, id desc) include (state)
  where card_id is not null;
create index movements_of_order on movements (order_id, id) where order_id is not null;
