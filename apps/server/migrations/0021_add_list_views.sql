-- How each user arranged each list: its columns, and filters that they gave a name.

create table list_columns (
  user_id bigint not null,
  list text not null,
  choice jsonb not null,
  constraint list_columns_pkey primary key (user_id, list),
  constraint list_columns_user foreign key (user_id) references users (id) on delete cascade
);

create table filter_sets (
  id bigint generated always as identity,
  user_id bigint not null,
  list text not null,
  name text not null,
  -- As it stands in the list's address.
  query text not null,
  is_first boolean not null default false,
  constraint filter_sets_pkey primary key (id),
  constraint filter_sets_name unique (user_id, list, name),
  constraint filter_sets_user foreign key (user_id) references users (id) on delete cascade
);
create unique index filter_sets_first on filter_sets (user_id, list) where is_first;
