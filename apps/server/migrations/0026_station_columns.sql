alter table stations
  -- Charges at a free station are billed zero, whatever its rules say.
  add column free boolean not null default false,
  -- Where in its site it stands, in the operator's words.
  add column custom_site text not null default '',
  add column imei text,
  add column sim_expires_on date,
  add column manufacturer text,
  -- Of the manufacturer, for T/CEC 102: nine characters.
  add column manufacturer_code text
    constraint stations_manufacturer_code check (manufacturer_code ~ '^[0-9A-Z]{9}$'),
  -- As bought; `model` is what the station reports.
  add column equipment_model text,
  add column produced_on date,
  -- When it first connected; null before that.
  add column activated_at timestamptz;

update stations set activated_at = coalesce(online_at, booted_at, last_seen_at);

-- A charge that is told late is free if the station was free when it began.
create table station_free_times (
  station_id bigint not null references stations (id) on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz,
  primary key (station_id, from_at)
);

create function note_station_free() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.free then insert into station_free_times values (new.id, clock_timestamp()); end if;
  elsif new.free and not old.free then
    insert into station_free_times values (new.id, clock_timestamp());
  elsif old.free and not new.free then
    update station_free_times set to_at = clock_timestamp() where station_id = new.id and to_at is null;
  end if;
  return null;
end
$$;
create trigger stations_free after insert or update of free on stations
  for each row execute function note_station_free();

-- Whoever marks a station as online, the first time is kept.
create function note_station_activation() returns trigger language plpgsql as $$
begin
  if new.online and new.activated_at is null then new.activated_at := coalesce(new.online_at, clock_timestamp()); end if;
  return new;
end
$$;
create trigger stations_activation before insert or update of online on stations
  for each row execute function note_station_activation();

create index stations_name_order on stations (name collate "zh-x-icu", id);
create index stations_sim_expiry on stations (sim_expires_on desc nulls last, id desc);
create index stations_expiry on stations (expires_on desc nulls last, id desc);
-- Most stations are neither, and the few would be looked for among all.
create index stations_free_ones on stations (created_at desc, id desc) where free;
create index stations_not_activated on stations (created_at desc, id desc) where activated_at is null;
