-- What partners show us: their sites, stations and gun ports, as they told them last. Nobody edits them here.
create table pulled_sites (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint pulled_sites_partner references partners (id) on delete cascade,
  -- The partner's own name of it, unique within the partner.
  code text not null,
  operator_code text not null,
  owner_code text not null,
  name text not null,
  region_code text not null,
  address text not null,
  -- WGS-84, as our own sites.
  longitude double precision not null,
  latitude double precision not null,
  kind text not null,
  place text not null,
  state text not null,
  service_phone text not null,
  site_phone text,
  -- All that was told, in our words (PartnerSite).
  told jsonb not null,
  -- Since when a full pull no longer has it.
  missing_at timestamptz,
  added_at timestamptz not null,
  changed_at timestamptz not null,
  seen_at timestamptz not null,
  constraint pulled_sites_code unique (partner_id, code)
);
create index pulled_sites_added on pulled_sites (added_at desc, id desc);
create index pulled_sites_name on pulled_sites (name, id);
create index pulled_sites_region on pulled_sites (region_code, id);

create table pulled_stations (
  id bigint generated always as identity primary key,
  site_id bigint not null constraint pulled_stations_site references pulled_sites (id) on delete cascade,
  partner_id bigint not null,
  code text not null,
  name text,
  manufacturer text,
  manufacturer_code text,
  model text,
  produced_on date,
  power_w integer not null,
  added_at timestamptz not null,
  constraint pulled_stations_code unique (site_id, code)
);
create index pulled_stations_added on pulled_stations (added_at desc, id desc);
create index pulled_stations_partner on pulled_stations (partner_id, added_at desc, id desc);

create table pulled_ports (
  id bigint generated always as identity primary key,
  station_id bigint not null constraint pulled_ports_station references pulled_stations (id) on delete cascade,
  partner_id bigint not null,
  code text not null,
  name text,
  kind text not null,
  national_standard text not null,
  voltage_min_v integer not null,
  voltage_max_v integer not null,
  current_a integer not null,
  power_w integer not null,
  bay_number text,
  state text not null default 'offline',
  bay text,
  lock text,
  state_at timestamptz,
  added_at timestamptz not null,
  constraint pulled_ports_code unique (partner_id, code)
);
create index pulled_ports_station on pulled_ports (station_id);
create index pulled_ports_added on pulled_ports (added_at desc, id desc);
create index pulled_ports_state on pulled_ports (state, added_at desc, id desc);

-- Each pull, with what it changed.
create table partner_pulls (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint partner_pulls_partner references partners (id) on delete cascade,
  kind text not null constraint partner_pulls_kind check (kind in ('full', 'incremental')),
  state text not null default 'running' constraint partner_pulls_state check (state in ('running', 'done', 'failed')),
  started_at timestamptz not null,
  ended_at timestamptz,
  sites integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  missing integer not null default 0,
  -- What could not be read and was left out.
  left_out integer not null default 0,
  failure text not null default '',
  user_id bigint constraint partner_pulls_user references users (id)
);
create unique index partner_pulls_running on partner_pulls (partner_id) where state = 'running';
create index partner_pulls_partner on partner_pulls (partner_id, started_at desc, id desc);

alter table partners add column pulling boolean not null default true;
