-- Long work beyond exports, with a row for each of its records and a result.
alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind check (kind in ('export', 'station-import', 'station-commands', 'rehearsal'));
-- What it is about, beside its kind: a file's name, a number of stations.
alter table tasks add column subject text not null default '';
-- What it found out, in the shape of its kind.
alter table tasks add column result jsonb;

-- The records of a task: the lines of an import, the stations that a command is for.
create table task_rows (
  id bigint generated always as identity primary key,
  task_id bigint not null references tasks (id) on delete cascade,
  line integer not null check (line > 0),
  label text not null,
  record_id bigint,
  state text not null default 'waiting'
    constraint task_rows_state check (state in ('waiting', 'sent', 'done', 'refused', 'offline', 'timed-out', 'unknown', 'skipped')),
  -- The faults of a line, the answer of a station: in the shape of the task's kind.
  detail jsonb,
  at timestamptz,
  constraint task_rows_line unique (task_id, line)
);
create index task_rows_state on task_rows (task_id, state, id);

-- The workers' job has another name: unfinished tasks are taken up again under it.
do $$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.remove_job('task-' || id) from tasks where state in ('waiting', 'running');
  end if;
end
$$;
