-- The charging log: what vehicle, cable and station measured apart, what the rules doubted about a reading, and the
-- curve of an order that outlives its readings.
alter table readings rename column temperature_c to vehicle_temperature_c;
alter table readings add column ambient_temperature_c real;
-- Why its register cannot follow the one before: meter_backwards or meter_jump. Almost always null.
alter table readings add column doubt text;
create index readings_doubted on readings (at desc, order_id desc) where doubt is not null;

-- The thinned curve of an order, written before its readings are dropped.
create table order_curves (
  order_id bigint primary key references orders (id),
  points jsonb not null
);

-- Vehicles: what they are used for and whose they are. The plate at the time stays with the order.
alter table vehicles add column usage text not null default 'private'
  constraint vehicles_usage check (usage in ('private', 'taxi', 'bus', 'logistics', 'sanitation', 'official', 'other'));
alter table vehicles add column owner_id bigint references customers (id);
create index vehicles_owner on vehicles (owner_id) where owner_id is not null;
create index vehicles_created on vehicles (created_at desc, id desc);
-- A plate names one vehicle: the one that was registered with it last keeps it.
update vehicles v set plate = null
 where plate is not null and exists (select 1 from vehicles later where later.plate = v.plate and later.id > v.id);
drop index vehicles_plate;
create unique index vehicles_plate on vehicles (plate) where plate is not null;

alter table orders add column plate text;
update orders o set plate = v.plate from vehicles v where v.vin = o.vin and v.plate is not null;
create index orders_plate on orders (plate, placed_at desc, id desc) include (state) where plate is not null;
