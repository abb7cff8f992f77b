-- A checked file of cards. Nothing of it becomes a card before its user agrees.
create table card_imports (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint card_imports_user references users (id) on delete cascade,
  file_name text not null,
  ignored_columns text[] not null default '{}',
  total_count integer not null,
  good_count integer not null,
  imported_at timestamptz,
  created_at timestamptz not null
);
create index card_imports_user on card_imports (user_id);
create index card_imports_created on card_imports (created_at);

create table card_import_rows (
  import_id bigint not null constraint card_import_rows_import references card_imports (id) on delete cascade,
  line integer not null,
  -- By field of a card, as the file has them.
  cells jsonb not null,
  -- Null in a good row.
  faults jsonb,
  primary key (import_id, line)
);
create index card_import_rows_faults on card_import_rows (import_id, line) where faults is not null;
