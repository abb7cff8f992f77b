-- A day that failed waits for the night in a request of the same cause: stations that change their kind meanwhile must not
-- wait with it.
create or replace function rebuild_sales_of_station() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  first date;
begin
  select (min(placed_at) at time zone 'Asia/Shanghai')::date into first from orders where station_id = new.id;
  if first is null or first > today then return null; end if;
  update sale_rebuilds set from_on = least(from_on, first), to_on = today, next_on = today
   where id = (select id from sale_rebuilds
                where done_at is null and days = 0 and because = 'station_changed' and asked_at <= now()
                order by id limit 1 for update);
  if not found then
    insert into sale_rebuilds (from_on, to_on, next_on, because, asked_at)
    values (first, today, today, 'station_changed', now());
  end if;
  return null;
end
$$;

-- Attempts at stations that told no make, model or firmware, the newest first.
create index start_attempts_no_make on start_attempts (at desc, id desc) where make = '';
create index start_attempts_no_model on start_attempts (at desc, id desc) where model = '';
create index start_attempts_no_firmware on start_attempts (at desc, id desc) where firmware = '';
