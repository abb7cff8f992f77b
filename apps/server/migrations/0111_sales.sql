-- Sales: what charges brought, by the hour in which they ended. Whatever counts an order, corrects it, refunds it or
-- shares it writes what that changed, in its own transaction; a job adds the changes to the sums, and whoever reads adds
-- those that are left. No two charges wait for each other, because nobody but the job writes a sum.

-- The first charge of a customer, or of a card that nobody has registered.
create table first_charges (
  order_id bigint primary key,
  customer_id bigint,
  card_id bigint,
  constraint first_charges_payer check (num_nonnulls(customer_id, card_id) = 1),
  constraint first_charges_one unique nulls not distinct (customer_id, card_id)
);

-- The band of an amount that was due for a charge, in steps of ten yuan up to fifty.
create function amount_band(due_fen bigint) returns integer language sql immutable parallel safe as $$
  select width_bucket(due_fen, array[1000, 2000, 3000, 4000, 5000]::bigint[])
$$;

-- What an order adds to the sums, apart from its shares and the periods of its bill. Test runs are no sales.
create view order_sale_heads as
select o.id as order_id, date_trunc('hour', o.ended_at, 'UTC') as hour_at, o.ended_at, o.site_id, o.agent_id, o.station_id,
       o.connector_id, o.start_mode, o.payment_type,
       1::bigint as orders, o.energy_wh,
       greatest(0, floor(extract(epoch from o.ended_at - coalesce(o.started_at, o.placed_at))))::bigint as busy_s,
       o.electricity_fee_fen as electricity_fen, o.service_fee_fen as service_fen, o.amount_fen, o.discount_fen,
       o.gift_paid_fen - o.refunded_gift_fen as gift_fen, o.paid_fen, o.refunded_fen, o.forgiven_fen, o.written_off_fen,
       (exists (select 1 from first_charges f where f.order_id = o.id))::int::bigint as first_orders,
       (b.band = 0)::int::bigint as band_0, (b.band = 1)::int::bigint as band_1, (b.band = 2)::int::bigint as band_2,
       (b.band = 3)::int::bigint as band_3, (b.band = 4)::int::bigint as band_4, (b.band = 5)::int::bigint as band_5
  from orders o
  cross join lateral (select amount_band(o.amount_fen - o.discount_fen) as band) b
 where o.state = 'completed' and o.start_mode <> 'test' and o.ended_at is not null;

-- The same with what each period brought.
create view order_sales as
select o.*, l.sharp_wh, l.sharp_electricity_fen, l.sharp_service_fen, l.peak_wh, l.peak_electricity_fen, l.peak_service_fen,
       l.flat_wh, l.flat_electricity_fen, l.flat_service_fen, l.valley_wh, l.valley_electricity_fen, l.valley_service_fen
  from order_sale_heads o
  cross join lateral (
    select coalesce(sum(energy_wh) filter (where period = 'sharp'), 0)::bigint as sharp_wh,
           coalesce(sum(electricity_fee_fen) filter (where period = 'sharp'), 0)::bigint as sharp_electricity_fen,
           coalesce(sum(service_fee_fen) filter (where period = 'sharp'), 0)::bigint as sharp_service_fen,
           coalesce(sum(energy_wh) filter (where period = 'peak'), 0)::bigint as peak_wh,
           coalesce(sum(electricity_fee_fen) filter (where period = 'peak'), 0)::bigint as peak_electricity_fen,
           coalesce(sum(service_fee_fen) filter (where period = 'peak'), 0)::bigint as peak_service_fen,
           coalesce(sum(energy_wh) filter (where period = 'flat'), 0)::bigint as flat_wh,
           coalesce(sum(electricity_fee_fen) filter (where period = 'flat'), 0)::bigint as flat_electricity_fen,
           coalesce(sum(service_fee_fen) filter (where period = 'flat'), 0)::bigint as flat_service_fen,
           coalesce(sum(energy_wh) filter (where period = 'valley'), 0)::bigint as valley_wh,
           coalesce(sum(electricity_fee_fen) filter (where period = 'valley'), 0)::bigint as valley_electricity_fen,
           coalesce(sum(service_fee_fen) filter (where period = 'valley'), 0)::bigint as valley_service_fen
      from order_lines where order_id = o.order_id) l;

-- What each share of an order adds to the sums, and who got it; the platform has no number.
create view order_sale_shares as
select s.id, s.order_id, s.party, coalesce(s.agent_id, s.divider_id) as party_id, s.amount_fen as share_fen,
       case s.party when 'agent' then s.amount_fen else 0 end as agents_fen,
       case s.party when 'divider' then s.amount_fen else 0 end as dividers_fen,
       case s.party when 'platform' then s.amount_fen else 0 end as platform_fen,
       case s.reason when 'channel_fee' then s.amount_fen else 0 end as channel_fee_fen,
       case s.reason when 'commission' then s.amount_fen else 0 end as commission_fen
  from order_shares s;

-- Changes that the sums do not hold yet. The hour is that in which the charge ended.
create table sale_changes (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  hour_at timestamptz not null,
  site_id bigint not null,
  agent_id bigint,
  station_id bigint not null,
  connector_id bigint not null,
  start_mode text not null,
  payment_type text not null,
  -- Whose share it is; null for what is no share.
  party text,
  party_id bigint,
  share_fen bigint not null default 0,
  orders bigint not null default 0,
  energy_wh bigint not null default 0,
  busy_s bigint not null default 0,
  electricity_fen bigint not null default 0,
  service_fen bigint not null default 0,
  amount_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  gift_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  forgiven_fen bigint not null default 0,
  written_off_fen bigint not null default 0,
  first_orders bigint not null default 0,
  band_0 bigint not null default 0, band_1 bigint not null default 0, band_2 bigint not null default 0,
  band_3 bigint not null default 0, band_4 bigint not null default 0, band_5 bigint not null default 0,
  sharp_wh bigint not null default 0, sharp_electricity_fen bigint not null default 0, sharp_service_fen bigint not null default 0,
  peak_wh bigint not null default 0, peak_electricity_fen bigint not null default 0, peak_service_fen bigint not null default 0,
  flat_wh bigint not null default 0, flat_electricity_fen bigint not null default 0, flat_service_fen bigint not null default 0,
  valley_wh bigint not null default 0, valley_electricity_fen bigint not null default 0, valley_service_fen bigint not null default 0,
  agents_fen bigint not null default 0,
  dividers_fen bigint not null default 0,
  platform_fen bigint not null default 0,
  channel_fee_fen bigint not null default 0,
  commission_fen bigint not null default 0
);
create index sale_changes_hour on sale_changes (hour_at);

-- By port and hour, day and month in China.
create table sale_port_hours (
  hour_at timestamptz not null,
  connector_id bigint not null,
  station_id bigint not null,
  site_id bigint not null,
  agent_id bigint,
  orders bigint not null,
  energy_wh bigint not null,
  busy_s bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  amount_fen bigint not null,
  discount_fen bigint not null,
  paid_fen bigint not null,
  refunded_fen bigint not null,
  constraint sale_port_hours_one unique nulls not distinct (connector_id, hour_at, station_id, site_id, agent_id)
);
create index sale_port_hours_hour on sale_port_hours (hour_at);
create index sale_port_hours_station on sale_port_hours (station_id, hour_at);

create table sale_port_days (
  day date not null,
  connector_id bigint not null,
  station_id bigint not null,
  site_id bigint not null,
  agent_id bigint,
  orders bigint not null,
  energy_wh bigint not null,
  busy_s bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  amount_fen bigint not null,
  discount_fen bigint not null,
  gift_fen bigint not null,
  paid_fen bigint not null,
  refunded_fen bigint not null,
  forgiven_fen bigint not null,
  written_off_fen bigint not null,
  agents_fen bigint not null,
  dividers_fen bigint not null,
  platform_fen bigint not null,
  channel_fee_fen bigint not null,
  commission_fen bigint not null,
  constraint sale_port_days_one unique nulls not distinct (day, connector_id, station_id, site_id, agent_id)
);
create index sale_port_days_connector on sale_port_days (connector_id, day);
create index sale_port_days_station on sale_port_days (station_id, day);
create index sale_port_days_site on sale_port_days (site_id, day);
create index sale_port_days_agent on sale_port_days (agent_id, day);

-- The day of a month is its first.
create table sale_port_months (like sale_port_days including defaults);
alter table sale_port_months add constraint sale_port_months_one
  unique nulls not distinct (day, connector_id, station_id, site_id, agent_id);
create index sale_port_months_connector on sale_port_months (connector_id, day);
create index sale_port_months_station on sale_port_months (station_id, day);
create index sale_port_months_site on sale_port_months (site_id, day);
create index sale_port_months_agent on sale_port_months (agent_id, day);

-- By site and hour. What kind of station it is follows the station as it is now.
create table sale_site_hours (
  hour_at timestamptz not null,
  site_id bigint not null,
  agent_id bigint,
  equipment_type text not null,
  orders bigint not null,
  energy_wh bigint not null,
  busy_s bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  amount_fen bigint not null,
  discount_fen bigint not null,
  paid_fen bigint not null,
  refunded_fen bigint not null,
  constraint sale_site_hours_one unique nulls not distinct (hour_at, site_id, agent_id, equipment_type)
);
create index sale_site_hours_site on sale_site_hours (site_id, hour_at);
create index sale_site_hours_agent on sale_site_hours (agent_id, hour_at);

-- The same for all sites of an agent, for a year of hours.
create table sale_agent_hours (
  hour_at timestamptz not null,
  agent_id bigint,
  equipment_type text not null,
  orders bigint not null,
  energy_wh bigint not null,
  busy_s bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  amount_fen bigint not null,
  discount_fen bigint not null,
  paid_fen bigint not null,
  refunded_fen bigint not null,
  constraint sale_agent_hours_one unique nulls not distinct (hour_at, agent_id, equipment_type)
);

create table sale_site_days (
  day date not null,
  site_id bigint not null,
  agent_id bigint,
  equipment_type text not null,
  station_type text not null,
  start_mode text not null,
  payment_type text not null,
  orders bigint not null,
  energy_wh bigint not null,
  busy_s bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  amount_fen bigint not null,
  discount_fen bigint not null,
  gift_fen bigint not null,
  paid_fen bigint not null,
  refunded_fen bigint not null,
  forgiven_fen bigint not null,
  written_off_fen bigint not null,
  first_orders bigint not null,
  band_0 bigint not null, band_1 bigint not null, band_2 bigint not null,
  band_3 bigint not null, band_4 bigint not null, band_5 bigint not null,
  sharp_wh bigint not null, sharp_electricity_fen bigint not null, sharp_service_fen bigint not null,
  peak_wh bigint not null, peak_electricity_fen bigint not null, peak_service_fen bigint not null,
  flat_wh bigint not null, flat_electricity_fen bigint not null, flat_service_fen bigint not null,
  valley_wh bigint not null, valley_electricity_fen bigint not null, valley_service_fen bigint not null,
  agents_fen bigint not null,
  dividers_fen bigint not null,
  platform_fen bigint not null,
  channel_fee_fen bigint not null,
  commission_fen bigint not null,
  constraint sale_site_days_one
    unique nulls not distinct (day, site_id, agent_id, equipment_type, station_type, start_mode, payment_type)
);
create index sale_site_days_site on sale_site_days (site_id, day);
create index sale_site_days_agent on sale_site_days (agent_id, day);

create table sale_site_months (like sale_site_days including defaults);
alter table sale_site_months add constraint sale_site_months_one
  unique nulls not distinct (day, site_id, agent_id, equipment_type, station_type, start_mode, payment_type);
create index sale_site_months_site on sale_site_months (site_id, day);
create index sale_site_months_agent on sale_site_months (agent_id, day);

-- What agents and dividers got of the orders of a station.
create table sale_share_days (
  day date not null,
  station_id bigint not null,
  site_id bigint not null,
  agent_id bigint,
  party text not null,
  party_id bigint not null,
  share_fen bigint not null,
  constraint sale_share_days_one unique nulls not distinct (day, station_id, site_id, agent_id, party, party_id)
);
create index sale_share_days_agent on sale_share_days (agent_id, day);
create table sale_share_months (like sale_share_days including defaults);
alter table sale_share_months add constraint sale_share_months_one
  unique nulls not distinct (day, station_id, site_id, agent_id, party, party_id);
create index sale_share_months_agent on sale_share_months (agent_id, day);

-- Writes what an order adds to the sums, or takes away again.
create function write_sale(o orders, sign integer, with_shares boolean) returns void language plpgsql as $$
declare
  band integer := amount_band(o.amount_fen - o.discount_fen);
begin
  insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
    orders, energy_wh, busy_s, electricity_fen, service_fen, amount_fen, discount_fen, gift_fen, paid_fen, refunded_fen,
    forgiven_fen, written_off_fen, first_orders, band_0, band_1, band_2, band_3, band_4, band_5,
    sharp_wh, sharp_electricity_fen, sharp_service_fen, peak_wh, peak_electricity_fen, peak_service_fen,
    flat_wh, flat_electricity_fen, flat_service_fen, valley_wh, valley_electricity_fen, valley_service_fen)
  select o.id, date_trunc('hour', o.ended_at, 'UTC'), o.site_id, o.agent_id, o.station_id, o.connector_id, o.start_mode,
         o.payment_type, sign, sign * o.energy_wh,
         sign * greatest(0, floor(extract(epoch from o.ended_at - coalesce(o.started_at, o.placed_at))))::bigint,
         sign * o.electricity_fee_fen, sign * o.service_fee_fen, sign * o.amount_fen, sign * o.discount_fen,
         sign * (o.gift_paid_fen - o.refunded_gift_fen), sign * o.paid_fen, sign * o.refunded_fen,
         sign * o.forgiven_fen, sign * o.written_off_fen,
         case when exists (select 1 from first_charges f where f.order_id = o.id) then sign else 0 end,
         case band when 0 then sign else 0 end, case band when 1 then sign else 0 end,
         case band when 2 then sign else 0 end, case band when 3 then sign else 0 end,
         case band when 4 then sign else 0 end, case band when 5 then sign else 0 end,
         coalesce(sign * sum(l.energy_wh) filter (where period = 'sharp'), 0),
         coalesce(sign * sum(l.electricity_fee_fen) filter (where period = 'sharp'), 0),
         coalesce(sign * sum(l.service_fee_fen) filter (where period = 'sharp'), 0),
         coalesce(sign * sum(l.energy_wh) filter (where period = 'peak'), 0),
         coalesce(sign * sum(l.electricity_fee_fen) filter (where period = 'peak'), 0),
         coalesce(sign * sum(l.service_fee_fen) filter (where period = 'peak'), 0),
         coalesce(sign * sum(l.energy_wh) filter (where period = 'flat'), 0),
         coalesce(sign * sum(l.electricity_fee_fen) filter (where period = 'flat'), 0),
         coalesce(sign * sum(l.service_fee_fen) filter (where period = 'flat'), 0),
         coalesce(sign * sum(l.energy_wh) filter (where period = 'valley'), 0),
         coalesce(sign * sum(l.electricity_fee_fen) filter (where period = 'valley'), 0),
         coalesce(sign * sum(l.service_fee_fen) filter (where period = 'valley'), 0)
    from order_lines l where l.order_id = o.id;
  if with_shares then
    insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
      party, party_id, share_fen, agents_fen, dividers_fen, platform_fen, channel_fee_fen, commission_fen)
    select o.id, date_trunc('hour', o.ended_at, 'UTC'), o.site_id, o.agent_id, o.station_id, o.connector_id, o.start_mode,
           o.payment_type, s.party, s.party_id, sign * s.share_fen, sign * s.agents_fen, sign * s.dividers_fen,
           sign * s.platform_fen, sign * s.channel_fee_fen, sign * s.commission_fen
      from order_sale_shares s where s.order_id = o.id;
  end if;
end
$$;

create function is_sale(o orders) returns boolean language sql immutable as $$
  select o.state = 'completed' and o.start_mode <> 'test' and o.ended_at is not null
$$;

-- At the end of the transaction, when the lines of the bill are written too.
create function note_sale() returns trigger language plpgsql as $$
declare
  was boolean := false;
begin
  if tg_op = 'UPDATE' then was := is_sale(old); end if;
  if not was then
    if is_sale(new) then
      if coalesce(new.customer_id, new.card_id) is not null then
        insert into first_charges (order_id, customer_id, card_id)
        values (new.id, new.customer_id, case when new.customer_id is null then new.card_id end)
        on conflict do nothing;
      end if;
      perform write_sale(new, 1, false);
    end if;
  elsif not is_sale(new) then
    perform write_sale(old, -1, true);
  elsif (old.ended_at, old.started_at, old.placed_at, old.site_id, old.agent_id, old.station_id, old.connector_id,
         old.start_mode, old.payment_type, old.energy_wh, old.electricity_fee_fen, old.service_fee_fen, old.amount_fen,
         old.discount_fen)
        is distinct from
        (new.ended_at, new.started_at, new.placed_at, new.site_id, new.agent_id, new.station_id, new.connector_id,
         new.start_mode, new.payment_type, new.energy_wh, new.electricity_fee_fen, new.service_fee_fen, new.amount_fen,
         new.discount_fen) then
    perform write_sale(old, -1, true);
    perform write_sale(new, 1, true);
  else
    insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
      gift_fen, paid_fen, refunded_fen, forgiven_fen, written_off_fen)
    values (new.id, date_trunc('hour', new.ended_at, 'UTC'), new.site_id, new.agent_id, new.station_id, new.connector_id,
      new.start_mode, new.payment_type,
      new.gift_paid_fen - new.refunded_gift_fen - old.gift_paid_fen + old.refunded_gift_fen, new.paid_fen - old.paid_fen,
      new.refunded_fen - old.refunded_fen, new.forgiven_fen - old.forgiven_fen, new.written_off_fen - old.written_off_fen);
  end if;
  return null;
end
$$;
create constraint trigger orders_note_sale after insert on orders deferrable initially deferred
  for each row when (new.state = 'completed') execute function note_sale();
create constraint trigger orders_note_sale_changed
  after update of state, start_mode, ended_at, started_at, placed_at, site_id, agent_id, station_id, connector_id,
                  payment_type, energy_wh, electricity_fee_fen, service_fee_fen, amount_fen, discount_fen, gift_paid_fen,
                  refunded_gift_fen, paid_fen, refunded_fen, forgiven_fen, written_off_fen
  on orders deferrable initially deferred
  for each row when (
    (old.state = 'completed' or new.state = 'completed')
    and (old.state, old.start_mode, old.ended_at, old.started_at, old.placed_at, old.site_id, old.agent_id, old.station_id,
         old.connector_id, old.payment_type, old.energy_wh, old.electricity_fee_fen, old.service_fee_fen, old.amount_fen,
         old.discount_fen, old.gift_paid_fen, old.refunded_gift_fen, old.paid_fen, old.refunded_fen, old.forgiven_fen,
         old.written_off_fen)
        is distinct from
        (new.state, new.start_mode, new.ended_at, new.started_at, new.placed_at, new.site_id, new.agent_id, new.station_id,
         new.connector_id, new.payment_type, new.energy_wh, new.electricity_fee_fen, new.service_fee_fen, new.amount_fen,
         new.discount_fen, new.gift_paid_fen, new.refunded_gift_fen, new.paid_fen, new.refunded_fen, new.forgiven_fen,
         new.written_off_fen))
  execute function note_sale();

create function note_sale_share() returns trigger language plpgsql as $$
begin
  insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
    party, party_id, share_fen, agents_fen, dividers_fen, platform_fen, channel_fee_fen, commission_fen)
  select o.id, date_trunc('hour', o.ended_at, 'UTC'), o.site_id, o.agent_id, o.station_id, o.connector_id, o.start_mode,
         o.payment_type, s.party, s.party_id, s.share_fen, s.agents_fen, s.dividers_fen, s.platform_fen, s.channel_fee_fen,
         s.commission_fen
    from orders o, order_sale_shares s
   where o.id = new.order_id and is_sale(o) and s.id = new.id;
  return null;
end
$$;
create constraint trigger order_shares_note_sale after insert on order_shares deferrable initially deferred
  for each row execute function note_sale_share();

-- Days whose sums are compared with the orders and mended, the newest first. One row is one request.
create table sale_rebuilds (
  id bigint generated always as identity primary key,
  from_on date not null,
  to_on date not null,
  -- The next day to compare; before `from_on` when all are.
  next_on date not null,
  because text not null constraint sale_rebuilds_because check (because in ('first', 'asked', 'station_changed', 'nightly')),
  days integer not null default 0,
  -- Sums that were not as the orders say.
  differing bigint not null default 0,
  failure text,
  user_id bigint references users (id) on delete set null,
  asked_at timestamptz not null,
  done_at timestamptz,
  constraint sale_rebuilds_days check (to_on >= from_on)
);
create index sale_rebuilds_open on sale_rebuilds (id) where done_at is null;
create index sale_rebuilds_asked on sale_rebuilds (asked_at, id);

-- The sums of an installation that has charges already are made after its first start with them.
insert into sale_rebuilds (from_on, to_on, next_on, because, asked_at)
select first, last, last, 'first', now()
  from (select (min(ended_at) at time zone 'Asia/Shanghai')::date as first,
               (max(ended_at) at time zone 'Asia/Shanghai')::date as last from orders where state = 'completed') days
 where first is not null;
insert into first_charges (order_id, customer_id, card_id)
select distinct on (customer_id, card) id, customer_id, card
  from (select id, customer_id, case when customer_id is null then card_id end as card, settled_at
          from orders
         where state = 'completed' and start_mode <> 'test' and ended_at is not null
           and coalesce(customer_id, card_id) is not null) o
 order by customer_id, card, settled_at, id;

-- What kind of station an order was charged at is that of the station now.
create function rebuild_sales_of_station() returns trigger language plpgsql as $$
begin
  insert into sale_rebuilds (from_on, to_on, next_on, because, asked_at)
  select (first at time zone 'Asia/Shanghai')::date, (now() at time zone 'Asia/Shanghai')::date,
         (now() at time zone 'Asia/Shanghai')::date, 'station_changed', now()
    from (select min(placed_at) as first from orders where station_id = new.id) placed
   where first is not null and first <= now();
  return null;
end
$$;
create trigger stations_rebuild_sales after update of type, equipment_type on stations
  for each row when ((old.type, old.equipment_type) is distinct from (new.type, new.equipment_type))
  execute function rebuild_sales_of_station();

-- Whoever reads finance reads what it is made of, and so do the people of agents.
update positions set menu_codes = menu_codes || array['statisticsList', 'totalList']
 where ('financeList' = any (menu_codes) or name_key = 'position.agent') and not 'statisticsList' = any (menu_codes);
update positions set menu_codes = menu_codes || array['statistics.rebuild']
 where 'finance.holdings' = any (menu_codes) and not 'statistics.rebuild' = any (menu_codes);

-- What the console shows of them.
create table sale_progress (
  only_row boolean primary key default true check (only_row),
  folded_at timestamptz
);
insert into sale_progress default values;
