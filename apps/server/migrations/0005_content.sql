-- Files and what is published with them: feedback, adverts, articles.

-- `key` is the unguessable name under which a file is served. The bytes lie in the file store under the same name.
create table files (
  id bigint generated always as identity primary key,
  key text not null unique,
  name text not null,
  description text not null default '',
  content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  sha256 bytea not null,
  purpose text not null check (purpose in ('editor', 'advert', 'site', 'avatar', 'feedback', 'document', 'task')),
  -- Public ones are shown to whoever has the address; private ones to signed-in people with the permission.
  public boolean not null,
  width_px integer,
  height_px integer,
  user_id bigint references users (id) on delete set null,
  -- Whose it is; null is the platform's.
  agent_id bigint references agents (id),
  created_at timestamptz not null
);
create index files_created on files (created_at desc, id desc);
create index files_purpose on files (purpose, created_at desc, id desc);
create index files_agent on files (agent_id, created_at desc, id desc);
alter table users add constraint users_avatar foreign key (avatar_file_id) references files (id) on delete set null;

create table feedbacks (
  id bigint generated always as identity primary key,
  kind text not null
    check (kind in ('cannot_start', 'connector_broken', 'slow', 'bay_occupied', 'billing', 'suggestion', 'other')),
  state text not null default 'waiting' check (state in ('waiting', 'handled', 'ignored')),
  description text not null,
  phone text not null default '',
  customer_id bigint references customers (id),
  agent_id bigint references agents (id),
  station_id bigint references stations (id) on delete set null,
  -- As the person wrote it, registered or not.
  station_number text not null default '',
  picture_keys text[] not null default '{}',
  -- For us.
  annotation text not null default '',
  -- For the person.
  reply text not null default '',
  handled_by bigint references users (id) on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null,
  constraint feedbacks_handled check ((state = 'waiting') = (handled_at is null))
);
create index feedbacks_created on feedbacks (created_at desc, id desc);
-- By whom a picture of a feedback may be seen, and whether it may be deleted.
create index feedbacks_pictures on feedbacks using gin (picture_keys);
create index feedbacks_agent on feedbacks (agent_id, created_at desc, id desc);
create index feedbacks_waiting on feedbacks (created_at desc, id desc) where state = 'waiting';

create table adverts (
  id bigint generated always as identity primary key,
  title text not null,
  picture_file_id bigint not null references files (id),
  page text not null check (page in ('home', 'charging', 'account', 'splash')),
  link text not null default '',
  sort integer not null default 0,
  enabled boolean not null default true,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index adverts_page on adverts (page, sort, id);

create table articles (
  id bigint generated always as identity primary key,
  title text not null,
  -- Pages of the apps ask for their article by it: about-us, user-guide, agreement, privacy.
  key text unique,
  category text not null check (category in ('guide', 'about', 'other')),
  sort integer not null default 0,
  remark text not null default '',
  enabled boolean not null default true,
  -- Sanitised before it is stored.
  content text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index articles_created on articles (created_at desc, id desc);
