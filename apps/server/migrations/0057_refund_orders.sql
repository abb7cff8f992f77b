-- Refunds as records of their own: found by number, payer, site and state, whatever becomes of them.
alter table order_refunds
  add column number text,
  add column state text not null default 'done',
  add column channel text not null default 'balance',
  add column third_party_number text,
  add column result text not null default '',
  add column done_at timestamptz,
  -- The order's own, beside the keys of the list.
  add column agent_id bigint,
  add column site_id bigint,
  add column customer_id bigint,
  add column card_id bigint;
-- Every refund so far was made at once, to the balance that had paid.
update order_refunds r
   set number = 'B' || to_char(r.created_at at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(r.id::text, 12, '0'),
       done_at = r.created_at, agent_id = o.agent_id, site_id = o.site_id, customer_id = o.customer_id,
       card_id = o.card_id
  from orders o where o.id = r.order_id;
alter table order_refunds
  alter column number set not null,
  alter column site_id set not null,
  add constraint order_refunds_number unique (number),
  add constraint order_refunds_state check (state in ('untreated', 'processing', 'done', 'failed', 'closed')),
  add constraint order_refunds_channel check (channel in ('balance', 'original')),
  add constraint order_refunds_done check ((state = 'done') = (done_at is not null));
create index order_refunds_applied on order_refunds (created_at desc, id desc) include (state);
create index order_refunds_done_at on order_refunds (done_at desc nulls last, id desc) include (state);
create index order_refunds_agent on order_refunds (agent_id, created_at desc, id desc) include (state);
create index order_refunds_site on order_refunds (site_id, created_at desc, id desc) include (state);
create index order_refunds_customer on order_refunds (customer_id, created_at desc, id desc)
  where customer_id is not null;
create index order_refunds_card on order_refunds (card_id, created_at desc, id desc) where card_id is not null;
create index order_refunds_user on order_refunds (user_id, created_at desc, id desc) where user_id is not null;
-- Almost every refund is done; the others are what people look for.
create index order_refunds_open on order_refunds (created_at desc, id desc) include (state) where state <> 'done';
