-- Partitions are made and dropped one at a time, each for itself, so that none keeps anybody waiting and none that fails
-- keeps another from being made.

-- Makes the partition that begins at `start_at` (UTC), with the rows of its range that wait in the default partition:
-- "made", "exists", or "too_many_strays" when they are more than a transaction should move. ATTACH lets everybody read
-- and write the other partitions meanwhile; CREATE TABLE … PARTITION OF would lock all of them. A table of that name that
-- is no partition was detached and not dropped yet: it comes back with its rows.
create function add_partition(parent text, step interval, start_at timestamp, strays_max integer)
returns text language plpgsql as $$
declare
  part text := parent || '_' || to_char(start_at, 'YYYYMMDD');
  stray text := parent || '_stray';
  -- Borders in UTC, so that a partition's name and its range never depend on the session's zone.
  from_at timestamptz := start_at at time zone 'UTC';
  to_at timestamptz := (start_at + step) at time zone 'UTC';
  is_append_only boolean := parent = 'audit_entries';
  columns text;
  strays integer;
begin
  -- Whoever else makes partitions of this table waits here.
  execute format('lock table only %I in share update exclusive mode', parent);
  if exists (select 1 from pg_inherits where inhrelid = to_regclass(part)) then
    return 'exists';
  end if;
  execute format('select count(*) from (select from only %I where at >= $1 and at < $2 limit $3) s', stray)
    into strays using from_at, to_at, strays_max + 1;
  if strays > strays_max then
    return 'too_many_strays';
  end if;
  if to_regclass(part) is null then
    execute format('create table %I (like %I including defaults including constraints including storage
                                          including compression)', part, parent);
  end if;
  if is_append_only then
    execute format('alter table only %I disable trigger audit_entries_append_only', stray);
  end if;
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute where attrelid = parent::regclass and attnum > 0 and not attisdropped;
  -- Most are moved while the default partition is still open to everybody; those that came meanwhile, when it is not.
  for pass in 1..2 loop
    if pass = 2 then
      execute format('lock table only %I in access exclusive mode', stray);
    end if;
    execute format('with moved as (delete from only %1$I where at >= $1 and at < $2 returning *)
                    insert into %2$I (%3$s) select %3$s from moved', stray, part, columns) using from_at, to_at;
  end loop;
  if is_append_only then
    execute format('alter table only %I enable trigger audit_entries_append_only', stray);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, from_at, to_at);
  if is_append_only then
    perform guard_audit_partition(part);
  end if;
  return 'made';
end
$$;

create or replace function make_partitions(parent text, step interval, from_at timestamptz, to_at timestamptz)
returns integer language plpgsql as $$
declare
  unit text := case when step = interval '7 days' then 'week' else 'day' end;
  start_at timestamp := date_trunc(unit, from_at at time zone 'UTC');
  made integer := 0;
begin
  while start_at < to_at at time zone 'UTC' loop
    if add_partition(parent, step, start_at, 1000000) = 'made' then
      made := made + 1;
    end if;
    start_at := start_at + step;
  end loop;
  return made;
end
$$;

drop function drop_old_partitions(text, timestamptz);
