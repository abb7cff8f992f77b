-- A person deals with each flag of an order: accepts it, or settles, refunds or dismisses the order because of it.
alter table order_flags
  add column handled_at timestamptz,
  add column handled_by bigint references users (id),
  add column handled_how text,
  add column handled_reason text not null default '',
  add constraint order_flags_how
    check (handled_how in ('accepted', 'settled', 'cancelled', 'refunded', 'dismissed', 'assigned')),
  add constraint order_flags_handled check ((handled_at is null) = (handled_how is null));
-- Orders by the rule that flagged them.
create index order_flags_rule on order_flags (rule, order_id);
-- Who settled these by hand is told by the audit log; that they were dealt with is certain.
update order_flags set handled_at = o.settled_at, handled_how = 'settled'
  from orders o where o.id = order_flags.order_id and o.priced_by = 'hand' and o.settled_at is not null;

-- Whether a flag still waits for a person, beside the keys of the lists that ask for it.
alter table orders add column unhandled boolean not null default false;
update orders set unhandled = true
 where abnormal and exists (select from order_flags f where f.order_id = orders.id and f.handled_at is null);
alter table orders add constraint orders_unhandled check (abnormal or not unhandled);
create index orders_unhandled on orders (placed_at desc, id desc) include (state) where unhandled;
create index orders_unhandled_agent on orders (agent_id, placed_at desc, id desc) include (state) where unhandled;
create index orders_abnormal_agent on orders (agent_id, placed_at desc, id desc) include (state) where abnormal;
