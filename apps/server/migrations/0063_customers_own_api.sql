-- Sessions of customers, apart from those of the console: a token of one table is unknown to the other.
create table customer_sessions (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_because text check (ended_because in ('logout', 'disabled', 'too_many')),
  remote_address text not null,
  user_agent text not null default '',
  constraint customer_sessions_token unique (token_hash),
  constraint customer_sessions_ended check ((ended_at is null) = (ended_because is null))
);
create index customer_sessions_open on customer_sessions (customer_id, id desc) where ended_at is null;
create index customer_sessions_expires on customer_sessions (expires_at);

-- Whoever disables a customer ends their sessions: enabling them again revives none.
create function end_customer_sessions() returns trigger language plpgsql as $$
begin
  update customer_sessions set ended_at = now(), ended_because = 'disabled'
   where customer_id = new.id and ended_at is null;
  return null;
end $$;
create trigger customers_end_sessions after update of state on customers for each row
  when (old.state = 'normal' and new.state <> 'normal') execute function end_customer_sessions();

alter table sms_codes drop constraint sms_codes_purpose_check;
alter table sms_codes add constraint sms_codes_purpose check (purpose in ('register', 'sign_in'));

-- Users and customers each have keys of their own.
alter table idempotency_keys add column caller_kind text not null default 'user'
  constraint idempotency_keys_caller_kind check (caller_kind in ('user', 'customer'));
alter table idempotency_keys rename column user_id to caller_id;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add constraint idempotency_keys_pkey primary key (caller_kind, caller_id, key);

-- Customers look for sites around them, and for their own feedback and vehicles.
create index sites_position on sites (latitude, longitude);
create index feedbacks_customer on feedbacks (customer_id, created_at desc, id desc) where customer_id is not null;
