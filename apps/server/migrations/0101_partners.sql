-- Other operators and platforms we exchange stations and orders with over T/CEC 102.
create table partners (
  id bigint generated always as identity primary key,
  version integer not null default 1,
  -- Characters 9 to 17 of the unified social credit code.
  operator_id text not null constraint partners_operator_id unique
    constraint partners_operator_id_form check (operator_id ~ '^[0-9A-Z]{9}$'),
  name text not null,
  -- `demand`: its customers charge at our stations; `infrastructure`: ours charge at its stations; `both`;
  -- `supervision`: a platform of an authority that is only told.
  role text not null constraint partners_role check (role in ('demand', 'infrastructure', 'both', 'supervision')),
  enabled boolean not null default true,
  environment text not null default 'test' constraint partners_environment check (environment in ('test', 'production')),
  credit_code text not null default '',
  platform_name text not null default '',
  docking_code text not null default '',
  contact text not null default '',
  contact_phone text not null default '',
  service_phone text not null default '',
  second_service_phone text not null default '',
  address text not null default '',
  remark text not null default '',
  -- Where its interfaces are, and those that are elsewhere: { "query_token": "https://…" }.
  base_url text not null default '',
  interface_urls jsonb not null default '{}',
  -- Addresses or networks that it may call from; empty for any.
  allowed_addresses text[] not null default '{}',
  -- In what it differs from the standard text (PartnerProfile).
  profile jsonb not null default '{}',
  -- What it is told of, while `pushes` is on at all.
  pushing boolean not null default true,
  pushes text[] not null default '{status,charges,orders,checks}',
  -- Requests to it in a second.
  rate_per_second integer not null default 10 constraint partners_rate check (rate_per_second between 1 and 1000),
  -- What its charges cost; null for what the stations ask of everybody.
  tariff_id bigint constraint partners_tariff references tariffs (id),
  -- With less it begins no charge.
  start_balance_min_fen bigint not null default 1000 constraint partners_start_balance check (start_balance_min_fen >= 0),
  -- A worker tells it until then; its rate holds because there is one at a time.
  delivery_ends_at timestamptz,
  user_id bigint constraint partners_user references users (id),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index partners_created on partners (created_at desc, id desc);
create index partners_name on partners (name, id);

alter table orders add constraint orders_of_partner foreign key (partner_id) references partners (id);
alter table recharges add constraint recharges_of_partner foreign key (partner_id) references partners (id);
alter table movements add constraint movements_of_partner foreign key (partner_id) references partners (id);

-- The four secrets of a direction, sealed. `inbound`: we issued them and the partner calls us with them; `outbound`: it
-- issued them. A rotation begins a new set and lets the old one end after an overlap.
create table partner_keys (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint partner_keys_partner references partners (id) on delete cascade,
  direction text not null constraint partner_keys_direction check (direction in ('inbound', 'outbound')),
  sealed bytea not null,
  from_at timestamptz not null,
  ended_at timestamptz,
  user_id bigint constraint partner_keys_user references users (id)
);
create unique index partner_keys_present on partner_keys (partner_id, direction) where ended_at is null;
create index partner_keys_partner on partner_keys (partner_id, direction, from_at desc);

-- Tokens that we gave partners, by their hash.
create table partner_tokens (
  id bigint generated always as identity primary key,
  hash bytea not null constraint partner_tokens_hash unique,
  partner_id bigint not null constraint partner_tokens_partner references partners (id) on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index partner_tokens_partner on partner_tokens (partner_id, id desc);
create index partner_tokens_expiry on partner_tokens (expires_at);

-- The token that a partner gave us, sealed.
create table partner_logins (
  partner_id bigint primary key constraint partner_logins_partner references partners (id) on delete cascade,
  sealed bytea not null,
  refresh_at timestamptz not null,
  expires_at timestamptz not null
);

-- Envelopes that were taken. Losing them with a crash costs no more than the time window of a replay.
create unlogged table partner_envelopes (
  partner_id bigint not null,
  key bytea not null,
  expires_at timestamptz not null,
  primary key (partner_id, key)
);
create index partner_envelopes_expiry on partner_envelopes (expires_at);

-- What is open to whom.
create table partner_sites (
  partner_id bigint not null constraint partner_sites_partner references partners (id) on delete cascade,
  site_id bigint not null constraint partner_sites_site references sites (id) on delete cascade,
  tariff_id bigint constraint partner_sites_tariff references tariffs (id),
  user_id bigint constraint partner_sites_user references users (id),
  opened_at timestamptz not null,
  primary key (partner_id, site_id)
);
create index partner_sites_site on partner_sites (site_id);

-- The charge that an order is to a partner: it starts them at our stations under a name of its own.
create table partner_charges (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint partner_charges_partner references partners (id),
  sequence text not null,
  -- Null while it was refused.
  order_id bigint constraint partner_charges_order unique references orders (id),
  port_id text not null,
  connector_id bigint,
  -- Null where it was accepted.
  refusal text,
  -- Who asked for the stop, when it was not the station.
  stop_asked_at timestamptz,
  -- The next time that the partner is told how it is going.
  status_due_at timestamptz,
  soc_begin_percent smallint,
  soc_end_percent smallint,
  confirmation text constraint partner_charges_confirmation check (confirmation in ('confirmed', 'disputed')),
  confirm_result integer,
  confirmed_at timestamptz,
  -- What the daily comparison found.
  checked_at timestamptz,
  dispute text,
  created_at timestamptz not null,
  constraint partner_charges_sequence unique (partner_id, sequence)
);
create index partner_charges_created on partner_charges (created_at desc, id desc);
create index partner_charges_of_partner on partner_charges (partner_id, created_at desc, id desc);
create index partner_charges_due on partner_charges (status_due_at) where status_due_at is not null;

-- What a partner is still to be told, was told, or refused to hear. Of `subject` only the latest state is told.
create table partner_deliveries (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint partner_deliveries_partner references partners (id) on delete cascade,
  kind text not null constraint partner_deliveries_kind check (kind in (
    'status', 'start_result', 'charge_status', 'stop_result', 'order', 'order_check', 'station')),
  subject text not null,
  order_id bigint,
  connector_id bigint,
  site_id bigint,
  -- Of `order_check`.
  day date,
  state text not null default 'pending' constraint partner_deliveries_state
    check (state in ('pending', 'delivered', 'failed', 'superseded')),
  tries integer not null default 0,
  -- Counts what happened to the subject while it waited, so that news during a try is told afterwards.
  version integer not null default 0,
  -- Null once nothing more is tried.
  next_at timestamptz,
  http_status integer,
  ret integer,
  answer text not null default '',
  created_at timestamptz not null,
  done_at timestamptz,
  constraint partner_deliveries_next check ((next_at is not null) = (state = 'pending'))
);
create unique index partner_deliveries_latest on partner_deliveries (partner_id, kind, subject)
  where state = 'pending' and kind in ('status', 'charge_status', 'station');
create unique index partner_deliveries_once on partner_deliveries (partner_id, kind, subject)
  where kind in ('start_result', 'stop_result', 'order', 'order_check');
create index partner_deliveries_due on partner_deliveries (partner_id, next_at, id) where state = 'pending';
-- Bills and results do not wait for the states of a thousand gun ports.
create index partner_deliveries_due_first on partner_deliveries (partner_id, next_at, id)
  where state = 'pending' and kind <> 'status';
create index partner_deliveries_created on partner_deliveries (created_at desc, id desc);
create index partner_deliveries_of_partner on partner_deliveries (partner_id, created_at desc, id desc);
create index partner_deliveries_state on partner_deliveries (state, created_at desc, id desc);
create index partner_deliveries_kind on partner_deliveries (kind, created_at desc, id desc);
create index partner_deliveries_order on partner_deliveries (order_id) where order_id is not null;

-- Every exchange with a partner, decrypted and without its secrets.
create table partner_exchanges (
  id bigint generated always as identity,
  at timestamptz not null,
  -- Null for a caller that nobody knows.
  partner_id bigint,
  direction text not null constraint partner_exchanges_direction check (direction in ('in', 'out')),
  interface text not null,
  request text not null,
  answer text not null,
  http_status integer,
  ret integer,
  took_ms integer not null,
  address text not null default '',
  primary key (at, id)
) partition by range (at);
create table partner_exchanges_stray partition of partner_exchanges default;
create index partner_exchanges_at on partner_exchanges (at desc, id desc);
create index partner_exchanges_partner on partner_exchanges (partner_id, at desc, id desc);

-- A delivery is made in the transaction of its fact, due at once: nothing that happened can be forgotten.
create function tell_partners_of_port() returns trigger language plpgsql as $$
begin
  insert into partner_deliveries (partner_id, kind, subject, connector_id, next_at, created_at)
    select p.id, 'status', new.id::text, new.id, 'epoch', now()
      from stations t
      join sites s on s.id = t.site_id and s.opened_at is not null
      join partner_sites o on o.site_id = s.id
      join partners p on p.id = o.partner_id
     where t.id = new.station_id and p.enabled and p.pushing and 'status' = any (p.pushes)
       and p.role in ('demand', 'both', 'supervision')
    on conflict (partner_id, kind, subject) where state = 'pending' and kind in ('status', 'charge_status', 'station')
      do update set version = partner_deliveries.version + 1;
  return null;
end
$$;
create trigger connectors_tell_partners after update of state on connectors
  for each row when (new.state is distinct from old.state) execute function tell_partners_of_port();

create function tell_partner_of_order() returns trigger language plpgsql as $$
begin
  if new.state = 'charging' or (new.state = 'cancelled' and old.state = 'placed') then
    insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
      values (new.partner_id, 'start_result', new.id::text, new.id, 'epoch', now()) on conflict do nothing;
    update partner_charges set status_due_at = case when new.state = 'charging' then now() + interval '50 seconds' end
     where order_id = new.id;
  end if;
  if new.state in ('settling', 'completed') or (new.state = 'cancelled' and old.state <> 'placed') then
    insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
      values (new.partner_id, 'stop_result', new.id::text, new.id, 'epoch', now()) on conflict do nothing;
    update partner_charges set status_due_at = null where order_id = new.id;
  end if;
  if new.state = 'completed' then
    insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
      values (new.partner_id, 'order', new.id::text, new.id, 'epoch', now()) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger orders_tell_partner after update of state on orders
  for each row when (new.partner_id is not null and new.state is distinct from old.state)
  execute function tell_partner_of_order();

-- A station may begin a charge that was given up as not begun: the new order is the partner's charge then.
create function tell_partner_of_late_order() returns trigger language plpgsql as $$
begin
  update partner_charges set order_id = new.id, status_due_at = now() + interval '50 seconds'
   where id = (select p.id from partner_charges p join orders o on o.id = p.order_id
                where p.partner_id = new.partner_id and o.connector_id = new.connector_id and o.state = 'cancelled'
                  and (o.transaction_key = new.transaction_key or o.card_number = new.card_number)
                order by o.id desc limit 1);
  insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
    values (new.partner_id, 'start_result', new.id::text, new.id, 'epoch', now()) on conflict do nothing;
  return null;
end
$$;
create trigger orders_tell_partner_late after insert on orders
  for each row when (new.partner_id is not null and new.state <> 'placed') execute function tell_partner_of_late_order();

-- When what partners are told of a site, its stations and its gun ports last changed.
alter table sites add column told_changed_at timestamptz not null default now();
create function note_told_change() returns trigger language plpgsql as $$
begin
  new.told_changed_at := now();
  return new;
end
$$;
create trigger sites_told_change before update of name, region_code, address, longitude, latitude, parking_fee,
    parking_info, opening_hours, open_all_day, service_phone, site_phone, state, bay_count, reservable, vehicles,
    directions, payment_info, remark, kind, place, opened_at on sites
  for each row execute function note_told_change();
create function note_told_change_of_station() returns trigger language plpgsql as $$
begin
  update sites set told_changed_at = now()
   where (id = new.site_id or (tg_op = 'UPDATE' and id = old.site_id))
     and exists (select from partner_sites where partner_sites.site_id = sites.id);
  return null;
end
$$;
create trigger stations_told_change after insert or update of number, name, manufacturer, manufacturer_code,
    equipment_model, produced_on, max_power_w, voltage_v, current_a, enabled, site_id on stations
  for each row execute function note_told_change_of_station();
create function note_told_change_of_port() returns trigger language plpgsql as $$
begin
  update sites set told_changed_at = now()
   where id = (select site_id from stations where stations.id = new.station_id)
     and exists (select from partner_sites where partner_sites.site_id = sites.id);
  return null;
end
$$;
create trigger connectors_told_change after insert or update of name, kind, national_standard, rated_voltage_min_v,
    rated_voltage_max_v, rated_current_a, rated_power_w, bay_number, registered, station_id on connectors
  for each row execute function note_told_change_of_port();
