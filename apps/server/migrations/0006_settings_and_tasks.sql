-- Configuration parameters with numbers and sealed secrets, and long work with its progress.

alter table configs drop constraint configs_pkey;
alter table configs add column id bigint generated always as identity primary key;
alter table configs add constraint configs_key unique (key);
-- A secret's value: encrypted with the installation's key. `value` stays empty then.
alter table configs add column sealed bytea;
-- What the server itself reads: may be changed, not deleted.
alter table configs add column built_in boolean not null default false;
alter table configs add column created_at timestamptz not null default now();
alter table configs add constraint configs_sealed check (secret = (sealed is not null) and (not secret or value = ''));
alter table configs add constraint configs_public check (not (public and secret));

create table tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('export')),
  -- What the kind needs to be done: for an export the list and its filters.
  detail jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  done_count bigint not null default 0,
  -- Null while nobody has counted.
  total_count bigint,
  -- An error code, whose phrase is shown.
  error_code text,
  file_id bigint references files (id) on delete set null,
  -- The answer and its texts are in the language of who asked.
  language text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- How often it was begun: a restart takes it up again, not for ever.
  attempts integer not null default 0
);
create index tasks_user on tasks (user_id, created_at desc, id desc);
create index tasks_created on tasks (created_at desc, id desc);
create index tasks_unfinished on tasks (created_at) where state in ('waiting', 'running');

-- The customers that an agent sees are those who hold one of its cards.
create index cards_agent on cards (agent_id, customer_id);

-- The audit log is looked through by what was changed, by which record it was, and from where.
drop index audit_entries_record;
create index audit_entries_record_kind on audit_entries (record_kind, at desc, id desc);
create index audit_entries_record on audit_entries (record_id, at desc, id desc);
create index audit_entries_address on audit_entries (remote_address, at desc, id desc);
-- Emptying one week of it is refused like emptying the whole.
create function guard_audit_partition(part text) returns void language plpgsql as $$
begin
  if not exists (select 1 from pg_trigger where tgrelid = part::regclass and tgname = 'audit_entries_no_truncate') then
    execute format('create trigger audit_entries_no_truncate before truncate on %I
                      for each statement execute function refuse_change()', part);
  end if;
end
$$;
create or replace function make_partitions(parent text, step interval, from_at timestamptz, to_at timestamptz)
returns integer language plpgsql as $$
declare
  unit text := case when step = interval '7 days' then 'week' else 'day' end;
  -- Borders in UTC, so that a partition's name and its range never depend on the session's zone.
  start_at timestamp := date_trunc(unit, from_at at time zone 'UTC');
  part text;
  made integer := 0;
begin
  while start_at < to_at at time zone 'UTC' loop
    part := parent || '_' || to_char(start_at, 'YYYYMMDD');
    if to_regclass(part) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
                     part, parent, start_at at time zone 'UTC', (start_at + step) at time zone 'UTC');
      if parent = 'audit_entries' then
        perform guard_audit_partition(part);
      end if;
      made := made + 1;
    end if;
    start_at := start_at + step;
  end loop;
  return made;
end
$$;
select guard_audit_partition(inhrelid::regclass::text) from pg_inherits where inhparent = 'audit_entries'::regclass;
