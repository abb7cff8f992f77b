-- A checked file of stations. Nothing of it is written to the stations before its user agrees.
create table station_imports (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint station_imports_user references users (id) on delete cascade,
  file_name text not null,
  ignored_columns text[] not null default '{}',
  total_count integer not null,
  good_count integer not null,
  -- The task that adds the good rows.
  task_id bigint constraint station_imports_task references tasks (id) on delete set null,
  started_at timestamptz,
  created_at timestamptz not null
);
create index station_imports_user on station_imports (user_id);
create index station_imports_created on station_imports (created_at);

create table station_import_rows (
  import_id bigint not null references station_imports (id) on delete cascade,
  line integer not null,
  -- By field of a station, as the file has them.
  cells jsonb not null,
  -- Null in a good row.
  faults jsonb,
  primary key (import_id, line)
);
create index station_import_rows_faults on station_import_rows (import_id, line) where faults is not null;

-- Numbers and passwords given to a factory before anybody knows where the stations will stand.
create table station_identities (
  id bigint generated always as identity primary key,
  number text not null constraint station_identities_number unique,
  protocol text not null constraint station_identities_protocol check (protocol in ('ocpp1.6', 'ykc')),
  type text not null constraint station_identities_type check (type in ('fast', 'slow')),
  equipment_type text not null
    constraint station_identities_equipment_type check (equipment_type in ('two-wheel', 'four-wheel')),
  connector_count integer not null constraint station_identities_connector_count check (connector_count between 1 and 255),
  max_power_w integer not null constraint station_identities_max_power check (max_power_w > 0),
  -- Null where the protocol has no passwords.
  password_hash text,
  -- The batch it was made in: an order number, a factory.
  batch text not null,
  -- Whom it is meant for; null while it lies in the platform's store.
  agent_id bigint constraint station_identities_agent references agents (id),
  -- Where it was installed.
  station_id bigint constraint station_identities_station unique references stations (id) on delete set null,
  created_at timestamptz not null
);
create index station_identities_created on station_identities (created_at desc, id desc);
create index station_identities_agent on station_identities (agent_id);

alter table tasks drop constraint tasks_kind;
alter table tasks add constraint tasks_kind
  check (kind in ('export', 'station-import', 'station-commands', 'rehearsal', 'station-acts', 'station-identities'));
