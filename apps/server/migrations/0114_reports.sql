-- A saved filter that is made into a file on a schedule, and what became of each time.
create table reports (
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null,
  -- Null after its filter was deleted: the report then says so instead of running.
  filter_set_id bigint,
  every text not null,
  weekday smallint,
  month_day smallint,
  hour smallint not null,
  format text not null,
  language text not null,
  emails text not null,
  enabled boolean not null,
  -- When it is due next; null while it is off.
  next_at timestamptz,
  constraint reports_pkey primary key (id),
  constraint reports_user foreign key (user_id) references users (id) on delete cascade,
  constraint reports_filter_set foreign key (filter_set_id) references filter_sets (id) on delete set null,
  constraint reports_every check (every in ('day', 'week', 'month')),
  constraint reports_weekday check (weekday between 1 and 7 and (every = 'week') = (weekday is not null) or weekday is null and every <> 'week'),
  constraint reports_month_day check (month_day between 1 and 31 and every = 'month' or month_day is null and every <> 'month'),
  constraint reports_hour check (hour between 0 and 23),
  constraint reports_next check ((next_at is not null) = enabled)
);
create index reports_user on reports (user_id, id);
create index reports_filter_set on reports (filter_set_id);
create index reports_due on reports (next_at) where next_at is not null;

create table report_runs (
  id bigint generated always as identity,
  report_id bigint not null,
  due_at timestamptz not null,
  is_asked boolean not null,
  -- The owner alone gets it, to try it.
  is_trial boolean not null default false,
  from_on date not null,
  to_on date not null,
  state text not null default 'waiting',
  task_id bigint,
  error_code text,
  tries integer not null default 0,
  -- When it is looked at again; null once it has ended.
  next_at timestamptz,
  constraint report_runs_pkey primary key (id),
  -- However many nodes find a report due, and however often one starts again, it is made once.
  constraint report_runs_once unique (report_id, due_at),
  constraint report_runs_report foreign key (report_id) references reports (id) on delete cascade,
  constraint report_runs_task foreign key (task_id) references tasks (id) on delete set null,
  constraint report_runs_state check (state in ('waiting', 'writing', 'mailing', 'done', 'failed')),
  constraint report_runs_open check ((next_at is not null) = (state in ('waiting', 'writing', 'mailing')))
);
create index report_runs_due on report_runs (next_at) where next_at is not null;
create index report_runs_task on report_runs (task_id);

create table report_mails (
  id bigint generated always as identity,
  run_id bigint not null,
  email text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  next_at timestamptz,
  problem text,
  constraint report_mails_pkey primary key (id),
  constraint report_mails_once unique (run_id, email),
  constraint report_mails_run foreign key (run_id) references report_runs (id) on delete cascade,
  constraint report_mails_state check (state in ('waiting', 'sent', 'failed')),
  constraint report_mails_open check ((next_at is not null) = (state = 'waiting'))
);
create index report_mails_due on report_mails (next_at) where next_at is not null;
