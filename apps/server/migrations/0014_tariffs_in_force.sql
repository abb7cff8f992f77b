-- What a station's tariffs were and since when: a charge that is told late is priced by the one in force when it began.
-- `card` and `wechat` are the ones it was given, `running` is the one that a station which prices by itself runs.
create table station_tariffs (
  station_id bigint not null references stations (id) on delete cascade,
  kind text not null constraint station_tariffs_kind check (kind in ('card', 'wechat', 'running')),
  from_at timestamptz not null,
  tariff_id bigint references tariffs (id),
  primary key (station_id, kind, from_at)
);

-- Whoever writes a station's tariffs, their history is kept.
create function note_station_tariffs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.card_tariff_id is distinct from old.card_tariff_id then
    insert into station_tariffs values (new.id, 'card', clock_timestamp(), new.card_tariff_id);
  end if;
  if tg_op = 'INSERT' or new.wechat_tariff_id is distinct from old.wechat_tariff_id then
    insert into station_tariffs values (new.id, 'wechat', clock_timestamp(), new.wechat_tariff_id);
  end if;
  if tg_op = 'INSERT' or new.running_tariff_id is distinct from old.running_tariff_id then
    insert into station_tariffs values (new.id, 'running', coalesce(new.running_tariff_at, clock_timestamp()), new.running_tariff_id)
    on conflict (station_id, kind, from_at) do update set tariff_id = excluded.tariff_id;
  end if;
  return null;
end
$$;
create trigger stations_tariffs after insert or update of card_tariff_id, wechat_tariff_id, running_tariff_id on stations
  for each row execute function note_station_tariffs();
insert into station_tariffs (station_id, kind, from_at, tariff_id)
  select id, 'card', created_at, card_tariff_id from stations
  union all select id, 'wechat', created_at, wechat_tariff_id from stations
  union all select id, 'running', coalesce(running_tariff_at, created_at), running_tariff_id from stations;

-- Cards that a station was given for charges while it is offline.
create table station_cards (
  station_id bigint not null references stations (id) on delete cascade,
  physical_number text not null,
  given_at timestamptz not null,
  primary key (station_id, physical_number)
);

-- Looked for at every start, by gun port and by station.
create index orders_live_connector on orders (connector_id, id desc) where state in ('placed', 'charging');
create index orders_live_station on orders (station_id) where state in ('placed', 'charging', 'settling');
create index orders_connector_started on orders (connector_id, started_at desc) where started_at is not null;

-- Somebody asked for it: placed by a person, swiped with our yes, or told as it began. False for a name that nobody gave.
alter table orders add column was_placed boolean not null default true;
update orders set was_placed = false where transaction_key is not null and timeline -> 0 ->> 'event' <> 'placed';
-- False for a gun port that its station told of and nobody entered.
alter table connectors add column registered boolean not null default true;
