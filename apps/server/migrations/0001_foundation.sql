-- The tables of the first screens. Money in fen, energy in Wh, prices in 1e-5 yuan per kWh, instants with zone.

create table agents (
  id bigint generated always as identity primary key,
  name text not null,
  parent_id bigint references agents (id),
  phone text,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

-- A position grants permissions (menus and buttons) and says whose records they reach.
create table positions (
  id bigint generated always as identity primary key,
  name text not null unique,
  description text not null default '',
  data_scope text not null check (data_scope in ('platform', 'agent_tree', 'agent', 'self')),
  permissions text[] not null default '{}',
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  user_name text not null,
  phone text unique,
  real_name text not null,
  password_hash text not null,
  admin boolean not null default false,
  agent_id bigint references agents (id),
  position_id bigint references positions (id),
  enabled boolean not null default true,
  last_login_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_user_name on users (lower(user_name));

create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_because text check (ended_because in ('logout', 'password_changed', 'ended_by_admin', 'disabled')),
  remote_address text not null,
  user_agent text not null default ''
);
create index sessions_user on sessions (user_id, created_at desc);

-- Failed sign-ins by name and by address, for the lockout with back-off.
create table login_failures (
  subject text primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  locked_until_at timestamptz
);

create table menus (
  code text primary key,
  parent_code text references menus (code),
  name_zh text not null,
  name_en text not null,
  frontend_url text unique,
  icon text,
  kind text not null check (kind in ('menu', 'button')),
  permission text,
  sort integer not null,
  shown boolean not null default true,
  enabled boolean not null default true
);

create table configs (
  key text primary key,
  name text not null,
  value text not null,
  remark text not null default '',
  public boolean not null default false,
  secret boolean not null default false,
  changed_at timestamptz not null default now()
);

create table sites (
  id bigint generated always as identity primary key,
  name text not null,
  region_code text not null check (region_code ~ '^\d{6}$'),
  address text not null,
  longitude double precision not null check (longitude between -180 and 180),
  latitude double precision not null check (latitude between -90 and 90),
  parking_fee text not null default 'free' check (parking_fee in ('free', 'charged')),
  parking_info text not null default '',
  invoice_available boolean not null default false,
  facilities text[] not null default '{}',
  opening_hours text not null default '',
  service_phone text not null default '',
  agent_id bigint references agents (id),
  created_at timestamptz not null default now()
);
create index sites_agent on sites (agent_id);
create index sites_region on sites (region_code);

-- `detail` is the rule itself (packages/tariffs). Rules are never changed in place: a running order keeps its own copy.
create table tariffs (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null check (kind in ('energy', 'hour')),
  detail jsonb not null,
  agent_id bigint references agents (id),
  created_at timestamptz not null default now()
);

create table stations (
  id bigint generated always as identity primary key,
  number text not null unique,
  name text not null,
  type text not null check (type in ('fast', 'slow')),
  equipment_type text not null check (equipment_type in ('two-wheel', 'four-wheel')),
  protocol text not null check (protocol in ('ocpp1.6', 'ykc')),
  site_id bigint not null references sites (id),
  agent_id bigint references agents (id),
  enabled boolean not null default true,
  password_hash text,
  max_power_w integer not null check (max_power_w > 0),
  voltage_v integer check (voltage_v > 0),
  current_a integer check (current_a > 0),
  card_tariff_id bigint references tariffs (id),
  wechat_tariff_id bigint references tariffs (id),
  expires_on date,
  vendor text,
  model text,
  serial_number text,
  firmware_version text,
  iccid text,
  imsi text,
  booted_at timestamptz,
  online boolean not null default false,
  online_at timestamptz,
  offline_at timestamptz,
  last_seen_at timestamptz,
  remote_address text,
  refused_at timestamptz,
  refused_because text,
  refused_address text,
  total_energy_wh bigint not null default 0,
  created_at timestamptz not null default now()
);
create index stations_site on stations (site_id);
create index stations_agent on stations (agent_id);
create index stations_name on stations (name);
create index stations_created on stations (created_at desc, id desc);

create table connectors (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id) on delete cascade,
  number integer not null check (number between 1 and 255),
  name text not null,
  open boolean not null default true,
  state text not null default 'offline'
    check (state in ('offline', 'free', 'plugged_in', 'starting', 'charging', 'suspended', 'finishing', 'reserved',
                     'unavailable', 'fault')),
  state_at timestamptz,
  fault_code text,
  fault_info text,
  constraint connectors_number unique (station_id, number)
);
create index connectors_state on connectors (state);

-- Stations that tried to connect under a number nobody registered; one click adopts them.
create table unknown_stations (
  id bigint generated always as identity primary key,
  number text not null,
  protocol text not null,
  remote_address text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  attempts integer not null default 1,
  constraint unknown_stations_number unique (protocol, number)
);

create table customers (
  id bigint generated always as identity primary key,
  phone text not null unique,
  nickname text not null,
  state text not null default 'normal' check (state in ('normal', 'disabled')),
  created_at timestamptz not null default now()
);
create index customers_created on customers (created_at desc, id desc);

create table cards (
  id bigint generated always as identity primary key,
  number text not null unique,
  physical_number text not null unique,
  state text not null default 'active' check (state in ('active', 'lost', 'disabled', 'cancelled')),
  customer_id bigint references customers (id),
  agent_id bigint references agents (id),
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index cards_customer on cards (customer_id);
create index cards_created on cards (created_at desc, id desc);

-- OCPP wants a positive 32-bit number that no restart uses again.
create sequence transaction_numbers as integer minvalue 1 maxvalue 2147483647 no cycle;
create sequence order_numbers;

create table orders (
  id bigint generated always as identity primary key,
  number text not null unique,
  state text not null check (state in ('placed', 'charging', 'settling', 'completed', 'cancelled')),
  payment_state text not null default 'unpaid'
    check (payment_state in ('unpaid', 'paid', 'partly_paid', 'refunded', 'partly_refunded')),
  payment_type text not null check (payment_type in ('card', 'online')),
  start_mode text not null check (start_mode in ('card', 'remote', 'scan', 'vin', 'partner')),
  billing_type text not null check (billing_type in ('energy', 'hour')),
  abnormal boolean not null default false,
  site_id bigint not null,
  station_id bigint not null references stations (id),
  connector_id bigint not null,
  connector_number integer not null,
  agent_id bigint,
  customer_id bigint,
  card_id bigint,
  -- What the station was shown, known to us or not.
  card_number text,
  transaction_number integer unique,
  -- Recognises a repeated start: station, connector, card, station time and meter in one text.
  start_key text unique,
  -- What the station was told about the card when the charge began.
  start_authorization text,
  tariff_id bigint,
  -- The rule as it was when the charge began.
  tariff jsonb,
  meter_start_wh bigint,
  meter_stop_wh bigint,
  energy_wh bigint not null default 0 check (energy_wh >= 0),
  amount_fen bigint not null default 0 check (amount_fen >= 0),
  electricity_fee_fen bigint not null default 0,
  service_fee_fen bigint not null default 0,
  held_fen bigint not null default 0,
  holds integer not null default 0,
  paid_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  balance_before_fen bigint,
  power_w integer,
  soc_percent smallint,
  placed_at timestamptz not null,
  -- Event time by the station's clock; when that is unusable, the time of receipt.
  started_at timestamptz,
  last_reading_at timestamptz,
  ended_at timestamptz,
  settled_at timestamptz,
  stop_reason text,
  -- What happened, in order: [{ at, event, params }].
  timeline jsonb not null default '[]',
  constraint orders_amount check (amount_fen = electricity_fee_fen + service_fee_fen),
  constraint orders_refund check (refunded_fen between 0 and paid_fen)
);
create index orders_placed on orders (placed_at desc, id desc);
create index orders_ended on orders (ended_at desc, id desc) where ended_at is not null;
create index orders_site on orders (site_id, placed_at desc, id desc);
create index orders_agent on orders (agent_id, placed_at desc, id desc);
create index orders_station on orders (station_id, placed_at desc, id desc);
create index orders_customer on orders (customer_id, placed_at desc, id desc) where customer_id is not null;
create index orders_card on orders (card_number, placed_at desc, id desc) where card_number is not null;
create index orders_live on orders (placed_at desc, id desc) where state in ('placed', 'charging', 'settling');
create index orders_cancelled on orders (placed_at desc, id desc) where state = 'cancelled';
create index orders_abnormal on orders (placed_at desc, id desc) where abnormal;
-- A gun port carries one running charge, a card pays for one at a time.
create index orders_card_charging on orders (card_number) where state = 'charging';
create unique index orders_connector_charging on orders (connector_id) where state = 'charging';

create table order_lines (
  order_id bigint not null references orders (id),
  line integer not null,
  kind text not null check (kind in ('energy', 'hour')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  period text check (period in ('sharp', 'peak', 'flat', 'valley')),
  energy_wh bigint not null,
  electricity_price_e5 integer,
  service_price_e5 integer,
  tier_from_w integer,
  tier_to_w integer,
  steps integer,
  step_minutes integer,
  fee_fen_per_step bigint,
  electricity_fee_fen bigint not null,
  service_fee_fen bigint not null,
  primary key (order_id, line)
);

create table order_flags (
  order_id bigint not null references orders (id),
  rule text not null,
  at timestamptz not null,
  evidence jsonb not null,
  primary key (order_id, rule)
);

create table order_refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  amount_fen bigint not null check (amount_fen > 0),
  electricity_fee_fen bigint not null,
  service_fee_fen bigint not null,
  reason text not null,
  user_id bigint references users (id),
  created_at timestamptz not null
);
create index order_refunds_order on order_refunds (order_id);

create table recharges (
  id bigint generated always as identity primary key,
  number text not null unique,
  card_id bigint references cards (id),
  customer_id bigint references customers (id),
  amount_fen bigint not null check (amount_fen > 0),
  balance_before_fen bigint not null,
  balance_after_fen bigint not null,
  remark text not null default '',
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint recharges_target check ((card_id is null) <> (customer_id is null))
);
create index recharges_created on recharges (created_at desc, id desc);

-- The books. Balances are a cache of the postings; a proof re-computes them.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  key text not null unique,
  may_go_below_zero boolean not null,
  balance_fen bigint not null default 0,
  constraint ledger_accounts_floor check (may_go_below_zero or balance_fen >= 0)
);

create table ledger_transfers (
  id bigint generated always as identity primary key,
  key text not null unique,
  reason text not null,
  order_id bigint,
  created_at timestamptz not null
);
create index ledger_transfers_order on ledger_transfers (order_id) where order_id is not null;

create table ledger_postings (
  transfer_id bigint not null references ledger_transfers (id),
  line integer not null,
  from_account_id bigint not null references ledger_accounts (id),
  to_account_id bigint not null references ledger_accounts (id),
  amount_fen bigint not null check (amount_fen > 0),
  primary key (transfer_id, line),
  check (from_account_id <> to_account_id)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the books are append-only: correct by a reversing transfer' using errcode = 'restrict_violation';
end
$$;
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function refuse_change();
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger ledger_postings_no_truncate before truncate on ledger_postings
  for each statement execute function refuse_change();

-- Posts one transfer in one round trip; false when its key was posted before. Accounts are locked in the order of their
-- ids before anything refers to them, so that two transfers never wait for each other in a circle.
create function post_transfer(
  transfer_key text, transfer_reason text, transfer_order_id bigint, posted_at timestamptz,
  from_keys text[], to_keys text[], amounts bigint[], keys_below_zero text[]
) returns boolean language plpgsql as $$
declare
  new_id bigint;
begin
  insert into ledger_transfers (key, reason, order_id, created_at)
    values (transfer_key, transfer_reason, transfer_order_id, posted_at)
    on conflict (key) do nothing returning id into new_id;
  if new_id is null then
    return false;
  end if;
  insert into ledger_accounts (key, may_go_below_zero)
    select distinct k, k = any (keys_below_zero) from unnest(from_keys || to_keys) as k
      where not exists (select 1 from ledger_accounts a where a.key = k)
    on conflict (key) do nothing;
  perform 1 from ledger_accounts where key = any (from_keys || to_keys) order by id for no key update;
  insert into ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen)
    select new_id, p.line, f.id, t.id, p.amount
      from unnest(from_keys, to_keys, amounts) with ordinality as p (from_key, to_key, amount, line)
      join ledger_accounts f on f.key = p.from_key
      join ledger_accounts t on t.key = p.to_key;
  update ledger_accounts a set balance_fen = a.balance_fen + d.change
    from (select k, sum(change) as change from (
            select unnest(from_keys) as k, -unnest(amounts) as change
            union all select unnest(to_keys), unnest(amounts)) moves
          group by k) d
    where a.key = d.k;
  return true;
end
$$;

-- What meters and vehicles said, one row an instant. Weekly partitions are made ahead and dropped after the retention.
create table readings (
  order_id bigint not null,
  at timestamptz not null,
  connector_id bigint not null,
  energy_wh bigint,
  power_w integer,
  current_ma integer,
  voltage_mv integer,
  soc_percent real,
  temperature_c real,
  signed_data text,
  received_at timestamptz not null,
  primary key (order_id, at)
) partition by range (at);
create table readings_stray partition of readings default;

-- Every frame exchanged with stations: one row a call with its answer, exactly as on the wire. Daily partitions.
create table interaction_logs (
  at timestamptz not null,
  id bigint generated always as identity,
  station_id bigint not null,
  protocol text not null,
  direction text not null,
  action text,
  message_id text,
  request text not null,
  answer text,
  latency_ms integer,
  fault text
) partition by range (at);
create table interaction_logs_stray partition of interaction_logs default;
create index interaction_logs_station on interaction_logs (station_id, at desc);
create index interaction_logs_at on interaction_logs using brin (at);

create function make_partitions(parent text, step interval, from_at timestamptz, to_at timestamptz)
returns integer language plpgsql as $$
declare
  unit text := case when step = interval '7 days' then 'week' else 'day' end;
  -- Borders in UTC, so that a partition's name and its range never depend on the session's zone.
  start_at timestamp := date_trunc(unit, from_at at time zone 'UTC');
  part text;
  made integer := 0;
begin
  while start_at < to_at at time zone 'UTC' loop
    part := parent || '_' || to_char(start_at, 'YYYYMMDD');
    if to_regclass(part) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
                     part, parent, start_at at time zone 'UTC', (start_at + step) at time zone 'UTC');
      made := made + 1;
    end if;
    start_at := start_at + step;
  end loop;
  return made;
end
$$;

create function drop_old_partitions(parent text, before_at timestamptz) returns integer language plpgsql as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{8}$')
        and to_date(right(c.relname, 8), 'YYYYMMDD') + 7 < (before_at at time zone 'UTC')::date
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- A retried request finds its first answer here.
create table idempotency_keys (
  user_id bigint not null,
  key text not null,
  route text not null,
  request_hash bytea not null,
  status integer,
  answer jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Who did what to which record; append-only like the books.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id bigint,
  action text not null,
  record_kind text not null,
  record_id text not null,
  remote_address text not null default '',
  before jsonb,
  after jsonb
);
create index audit_entries_at on audit_entries (at desc, id desc);
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
