-- Sign-in, registration and what is kept of them.

-- Sessions are named in lists and ended from there: by a number, never by their hash.
alter table sessions add column id bigint generated always as identity;
alter table sessions add constraint sessions_id unique (id);

alter table users add column kind text not null default 'added' check (kind in ('added', 'registered'));
-- A registered person's own record: what "own" means in their data scope.
alter table users add column customer_id bigint references customers (id);
-- Somebody else chose the password: nothing but a change of it is answered until it is changed.
alter table users add column password_is_initial boolean not null default false;
alter table users add column password_changed_at timestamptz;
alter table users add column avatar_file_id bigint;
create unique index users_customer on users (customer_id) where customer_id is not null;
create index users_agent on users (agent_id) where agent_id is not null;
create index users_position on users (position_id) where position_id is not null;
create index users_created on users (created_at desc, id desc);

-- Every attempt to sign in, also under names that nobody has.
create table sign_ins (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id bigint references users (id) on delete set null,
  name text not null,
  result text not null
    check (result in ('signed_in', 'wrong_password', 'unknown_name', 'locked', 'disabled', 'wrong_captcha')),
  remote_address text not null,
  user_agent text not null default '',
  session_id bigint
);
create index sign_ins_at on sign_ins (at desc, id desc);
create index sign_ins_user on sign_ins (user_id, at desc, id desc);
create index sign_ins_session on sign_ins (session_id) where session_id is not null;

-- Pictures with characters to be typed in, before a lockout. Used once.
create table captchas (
  id text primary key,
  answer_hash bytea not null,
  expires_at timestamptz not null
);
create index captchas_expires on captchas (expires_at);

-- One-time codes sent by short message; the code itself is only in the message.
create table sms_codes (
  id bigint generated always as identity primary key,
  phone text not null,
  purpose text not null check (purpose in ('register')),
  code_hash bytea not null,
  remote_address text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  used_at timestamptz
);
create index sms_codes_phone on sms_codes (phone, sent_at desc);
create index sms_codes_address on sms_codes (remote_address, sent_at desc);
create index sms_codes_sent on sms_codes (sent_at);

-- The audit grows with every act: by weeks from now on, so that what is too old goes as a whole.
drop trigger audit_entries_append_only on audit_entries;
alter table audit_entries rename to audit_entries_before;
drop index audit_entries_at;
create table audit_entries (
  id bigint generated always as identity,
  at timestamptz not null,
  user_id bigint,
  action text not null,
  record_kind text not null,
  record_id text not null,
  remote_address text not null default '',
  before jsonb,
  after jsonb,
  primary key (at, id)
) partition by range (at);
create table audit_entries_stray partition of audit_entries default;
create index audit_entries_at on audit_entries (at desc, id desc);
create index audit_entries_user on audit_entries (user_id, at desc, id desc);
create index audit_entries_record on audit_entries (record_kind, record_id, at desc, id desc);
create index audit_entries_action on audit_entries (action, at desc, id desc);
-- Beforehand: a week whose entries lie in the default partition can be made no more.
select make_partitions('audit_entries', interval '7 days', coalesce(min(at), now()), now() + interval '7 days')
  from audit_entries_before;
insert into audit_entries (at, user_id, action, record_kind, record_id, remote_address, before, after)
  select at, user_id, action, record_kind, record_id, remote_address, before, after from audit_entries_before order by id;
drop table audit_entries_before;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
