-- Days of a comparison that could not be compared, so that one of them does not keep all others waiting.
alter table sale_rebuilds drop column failure, add column failed integer not null default 0;

-- Until when changes are in the kept sums.
alter table sale_progress rename column folded_at to kept_at;

-- Many stations that change their kind wait in one request for the days that any of them needs.
create or replace function rebuild_sales_of_station() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  first date;
begin
  select (min(placed_at) at time zone 'Asia/Shanghai')::date into first from orders where station_id = new.id;
  if first is null or first > today then return null; end if;
  update sale_rebuilds set from_on = least(from_on, first), to_on = today, next_on = today
   where id = (select id from sale_rebuilds
                where done_at is null and days = 0 and because = 'station_changed' order by id limit 1 for update);
  if not found then
    insert into sale_rebuilds (from_on, to_on, next_on, because, asked_at)
    values (first, today, today, 'station_changed', now());
  end if;
  return null;
end
$$;
