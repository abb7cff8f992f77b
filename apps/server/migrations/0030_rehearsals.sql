-- What the charges of a rehearsal add up to, by agent and by site. The task has the totals.
create table rehearsal_figures (
  id bigint generated always as identity primary key,
  task_id bigint not null references tasks (id) on delete cascade,
  by text not null constraint rehearsal_figures_by check (by in ('agent', 'site')),
  -- Not references: figures of the past outlive what they are about.
  site_id bigint,
  agent_id bigint,
  charges integer not null,
  energy_wh bigint not null,
  before_fen bigint not null,
  after_fen bigint not null,
  difference_fen bigint not null generated always as (after_fen - before_fen) stored,
  constraint rehearsal_figures_once unique nulls not distinct (task_id, by, site_id, agent_id)
);
