-- Who issues, with which tax number: the platform's to say.
update positions set menu_codes = array_remove(menu_codes, 'invoice.settings')
 where 'invoice.settings' = any (menu_codes) and data_scope <> 'platform';

-- Deliveries that one person asked for, to be counted.
create index invoice_events_deliveries on invoice_events (user_id, at) where event = 'deliver';

-- What was said with invoice providers, with keys and people masked.
create table invoice_calls (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  provider text not null constraint invoice_calls_provider check (provider in ('embedded', 'nuonuo')),
  kind text not null,
  -- The request's number at the provider; null where the call is about no invoice.
  number text,
  -- The call's own name at the provider.
  request_id text,
  request text not null,
  response text,
  -- Of HTTP; null without an answer, and for the embedded provider.
  status integer,
  outcome text not null constraint invoice_calls_outcome check (outcome in ('answered', 'refused', 'unknown')),
  problem text,
  took_ms integer not null
);
create index invoice_calls_at on invoice_calls (at);
create index invoice_calls_number on invoice_calls (number, id) where number is not null;

-- A red letter over a part: what was refunded of the orders, while the invoice stands for the rest.
alter table invoices
  add column is_part boolean not null default false,
  -- Of an invoice: what issued red letters over parts have taken back.
  add column reddened_electricity_fen bigint not null default 0,
  add column reddened_service_fen bigint not null default 0,
  add constraint invoices_part check (kind = 'red' or not is_part),
  add constraint invoices_reddened check (case kind
    when 'blue' then reddened_electricity_fen between 0 and electricity_fen
                 and reddened_service_fen between 0 and service_fen
    else reddened_electricity_fen = 0 and reddened_service_fen = 0 end);
-- One red letter at a time; those over parts may follow each other.
drop index invoices_red;
create unique index invoices_red on invoices (original_id)
  where kind = 'red' and step <> 'voided' and not (is_part and step = 'issued');
create index invoices_original_id on invoices (original_id) where original_id is not null;

-- The outbox of documents: how often it was tried, when next, and why not yet.
alter table invoices
  add column delivery_tries integer not null default 0,
  add column delivery_next_at timestamptz,
  add column delivery_problem text;
update invoices set delivery_next_at = now() where delivery = 'waiting';
alter table invoices add constraint invoices_delivery_next check ((delivery_next_at is not null) = (coalesce(delivery, '') = 'waiting'));
create index invoices_to_deliver on invoices (delivery_next_at) where delivery_next_at is not null;
