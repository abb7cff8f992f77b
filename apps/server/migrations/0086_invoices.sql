-- Who sells: the platform (no agent) or an agent, with what stands of it on an invoice.
create table invoice_sellers (
  id bigint generated always as identity primary key,
  agent_id bigint references agents (id),
  name text not null,
  tax_number text not null default '',
  address text not null default '',
  phone text not null default '',
  bank text not null default '',
  bank_account text not null default '',
  drawer text not null default '',
  checker text not null default '',
  payee text not null default '',
  -- Hundredths of a percent.
  electricity_rate_bp integer not null constraint invoice_sellers_electricity_rate check (electricity_rate_bp between 0 and 10000),
  service_rate_bp integer not null constraint invoice_sellers_service_rate check (service_rate_bp between 0 and 10000),
  -- Goods and services by the classification of the tax administration.
  electricity_tax_code text not null default '',
  service_tax_code text not null default '',
  allowed text not null constraint invoice_sellers_allowed check (allowed in ('none', 'ordinary', 'special', 'both')),
  terminal text not null default '',
  changed_by bigint references users (id),
  changed_at timestamptz not null,
  constraint invoice_sellers_agent unique nulls not distinct (agent_id)
);

-- What registered users want on their invoices.
create table invoice_titles (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  title_kind text not null constraint invoice_titles_kind check (title_kind in ('personal', 'company')),
  title text not null,
  tax_number text not null default '',
  address text not null default '',
  phone text not null default '',
  bank text not null default '',
  bank_account text not null default '',
  email text not null default '',
  is_default boolean not null default false,
  created_at timestamptz not null,
  constraint invoice_titles_tax_number check (title_kind = 'personal' or tax_number <> '')
);
create index invoice_titles_customer on invoice_titles (customer_id, id);
create unique index invoice_titles_default on invoice_titles (customer_id) where is_default;

create table invoices (
  id bigint generated always as identity primary key,
  number text not null constraint invoices_number unique,
  kind text not null constraint invoices_kind check (kind in ('blue', 'red')),
  -- The blue invoice that a red letter takes back.
  original_id bigint references invoices (id),
  type text not null constraint invoices_type check (type in ('ordinary', 'special')),
  -- The seller; null is the platform.
  agent_id bigint references agents (id),
  -- Who paid; null where nobody holds the card that did.
  customer_id bigint references customers (id),
  title_kind text not null constraint invoices_title_kind check (title_kind in ('personal', 'company')),
  title text not null,
  tax_number text not null default '',
  address text not null default '',
  phone text not null default '',
  bank text not null default '',
  bank_account text not null default '',
  email text not null default '',
  remark text not null default '',
  -- The seller as the provider gets it: set with the pass, so that every attempt says the same.
  seller jsonb,
  order_count integer not null,
  energy_wh bigint not null,
  -- Below zero on a red letter.
  amount_fen bigint not null,
  net_fen bigint not null,
  tax_fen bigint not null,
  electricity_fen bigint not null,
  electricity_tax_fen bigint not null,
  electricity_rate_bp integer not null,
  service_fen bigint not null,
  service_tax_fen bigint not null,
  service_rate_bp integer not null,
  state text not null constraint invoices_state
    check (state in ('waiting', 'signing', 'invoiced', 'failed', 'signing_failed', 'voiding', 'voided')),
  step text not null constraint invoices_step
    check (step in ('review', 'issuing', 'issuing_person', 'signing', 'issued', 'refused', 'rejected', 'signing_failed',
                    'voiding', 'voiding_person', 'reddening', 'voided', 'reddened')),
  -- The code that e-invoice services use for it.
  external_code text not null,
  -- What a person has to know or do.
  rejection_reason text,
  failure text,
  person_step text,
  red_reason text,
  attention text constraint invoices_attention check (attention in ('red_letter_needed', 'amount_changed')),
  delivery text constraint invoices_delivery check (delivery in ('waiting', 'sent', 'by_hand', 'failed')),
  -- The provider's side.
  provider text constraint invoices_provider check (provider in ('embedded', 'nuonuo')),
  -- Names the request at the provider, which issues one invoice for it however often it is asked.
  request_number text constraint invoices_request_number unique,
  -- How often it was handed over: each attempt is a request of its own, because the one before is refused for good.
  attempts integer not null default 0,
  asked_at timestamptz,
  step_at timestamptz not null,
  next_try_at timestamptz,
  provider_serial text,
  invoice_code text,
  invoice_number text,
  issued_at timestamptz,
  document_file_id bigint references files (id) on delete set null,
  applied_by bigint references users (id),
  applied_at timestamptz not null,
  reviewed_by bigint references users (id),
  reviewed_at timestamptz,
  constraint invoices_state_of_step check (state = case step
    when 'review' then 'waiting'
    when 'issuing' then 'signing' when 'issuing_person' then 'signing' when 'signing' then 'signing'
    when 'issued' then 'invoiced'
    when 'refused' then 'failed' when 'rejected' then 'failed'
    when 'signing_failed' then 'signing_failed'
    when 'voiding' then 'voiding' when 'voiding_person' then 'voiding' when 'reddening' then 'voiding'
    when 'voided' then 'voided' when 'reddened' then 'voided' end),
  constraint invoices_rejection check (rejection_reason is not null or step <> 'rejected'),
  constraint invoices_person check ((person_step is not null) = (step in ('issuing_person', 'voiding_person'))),
  constraint invoices_original check ((kind = 'red') = (original_id is not null)),
  constraint invoices_sign check (case kind when 'blue' then amount_fen > 0 else amount_fen < 0 end),
  constraint invoices_net check (amount_fen = net_fen + tax_fen),
  constraint invoices_parts check (amount_fen = electricity_fen + service_fen and tax_fen = electricity_tax_fen + service_tax_fen),
  constraint invoices_issued check (issued_at is not null or step not in ('issued', 'reddening', 'reddened')),
  constraint invoices_tried check (next_try_at is null
    or step in ('issuing', 'issuing_person', 'signing', 'voiding', 'voiding_person'))
);
create index invoices_applied on invoices (applied_at desc, id desc);
create index invoices_state on invoices (state, applied_at desc, id desc);
create index invoices_agent on invoices (agent_id, applied_at desc, id desc);
create index invoices_customer on invoices (customer_id, applied_at desc, id desc);
create index invoices_attention on invoices (applied_at desc, id desc) where attention is not null;
create index invoices_person on invoices (applied_at desc, id desc) where person_step is not null;
create index invoices_due on invoices (next_try_at) where next_try_at is not null;
-- One red letter takes an invoice back; one that was given up may be followed by another.
create unique index invoices_red on invoices (original_id) where kind = 'red' and step <> 'voided';

create table invoice_orders (
  invoice_id bigint not null references invoices (id),
  order_id bigint not null references orders (id),
  energy_wh bigint not null,
  amount_fen bigint not null constraint invoice_orders_amount check (amount_fen > 0),
  electricity_fen bigint not null constraint invoice_orders_electricity check (electricity_fen >= 0),
  service_fen bigint not null constraint invoice_orders_service check (service_fen >= 0),
  -- Until the invoice is rejected, voided or taken back.
  stands boolean not null default true,
  primary key (invoice_id, order_id),
  constraint invoice_orders_parts check (amount_fen = electricity_fen + service_fen)
);
-- An order is invoiced once.
create unique index invoice_orders_once on invoice_orders (order_id) where stands;
create index invoice_orders_order on invoice_orders (order_id);

-- What happened to an invoice, for its page.
create table invoice_events (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  at timestamptz not null,
  event text not null,
  user_id bigint references users (id),
  text text not null default ''
);
create index invoice_events_invoice on invoice_events (invoice_id, id);

-- The other side of the embedded provider, which issues at once.
create table embedded_invoices (
  request_number text primary key,
  invoice_number text not null constraint embedded_invoices_number unique,
  state text not null constraint embedded_invoices_state check (state in ('issued', 'voided')),
  issued_at timestamptz not null
);
create sequence embedded_invoice_numbers;

alter table files drop constraint files_purpose;
alter table files add constraint files_purpose
  check (purpose in ('editor', 'advert', 'site', 'avatar', 'feedback', 'document', 'licence', 'task', 'invoice'));
