-- How the station and we call a charge that has a name before it begins (YKC 交易流水号). A cancelled order gives it up.
alter table orders add column transaction_key text;
create unique index orders_transaction_key on orders (station_id, transaction_key)
  where transaction_key is not null and state <> 'cancelled';
alter table orders add column vin text;
-- What the station itself says the charge was and cost: a StationBill of packages/charging.
alter table orders add column station_bill jsonb;
-- Why it ended, in the protocol's own spelling.
alter table orders add column stop_code text;
-- Of two gun ports that charged one vehicle together: the same text at both.
alter table orders add column parallel_key text;

alter table stations add column protocol_version text;
-- How many gun ports the station says it has.
alter table stations add column reported_connectors integer;
-- The tariff that a station which prices by itself runs: what it reports or confirmed, and when.
alter table stations add column running_tariff_id bigint references tariffs (id);
alter table stations add column running_tariff_version text;
alter table stations add column running_tariff_at timestamptz;
-- When we last tried to give it another one, and what came of it.
alter table stations add column tariff_asked_at timestamptz;
alter table stations add column tariff_outcome text;

alter table connectors add column ground_lock text check (ground_lock in ('moving', 'raised', 'lowered'));
alter table connectors add column parking_bay text check (parking_bay in ('free', 'occupied'));
alter table connectors add column ground_lock_battery smallint;
alter table connectors add column ground_lock_alarm text;
alter table connectors add column ground_lock_at timestamptz;

alter table readings add column cable_temperature_c real;

-- What vehicle and charger told each other during a charge, for the charging log. Weekly partitions like the readings.
create table charge_notes (
  at timestamptz not null,
  id bigint generated always as identity,
  -- Null when the charge is not known (yet).
  order_id bigint,
  station_id bigint not null,
  connector_number integer not null,
  kind text not null,
  detail jsonb not null
) partition by range (at);
create table charge_notes_stray partition of charge_notes default;
create index charge_notes_order on charge_notes (order_id, at);
create index charge_notes_station on charge_notes (station_id, at desc);

-- Vehicles that pay by being recognised (VIN): the card whose money is spent.
create table vehicles (
  id bigint generated always as identity primary key,
  vin text not null unique check (vin ~ '^[A-HJ-NPR-Z0-9]{17}$'),
  card_id bigint not null references cards (id),
  plate text,
  created_at timestamptz not null default now()
);
create index vehicles_card on vehicles (card_id);
