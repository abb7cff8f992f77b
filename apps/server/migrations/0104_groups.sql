-- Groups whose members charge at their expense. A card number names a group as it names a card.
create table groups (
  id bigint generated always as identity primary key,
  name text not null,
  contact text not null,
  contact_phone text not null,
  card_number text not null constraint groups_card_number unique,
  state text not null default 'enabled' constraint groups_state check (state in ('enabled', 'disabled')),
  funding text not null default 'shared' constraint groups_funding check (funding in ('shared', 'allocated')),
  -- Null for the platform's; it never changes.
  agent_id bigint constraint groups_agent references agents (id),
  -- What one member may spend in a month of Asia/Shanghai, and how often charge.
  month_limit_fen bigint constraint groups_month_limit check (month_limit_fen > 0),
  month_limit_charges integer constraint groups_month_limit_charges check (month_limit_charges > 0),
  -- Otherwise the sites of group_sites alone: a group whose last site is deleted may charge nowhere.
  all_sites boolean not null default true,
  hours text not null default '',
  title text not null default '',
  tax_number text not null default '',
  title_address text not null default '',
  title_phone text not null default '',
  bank text not null default '',
  bank_account text not null default '',
  email text not null default '',
  remark text not null default '',
  user_id bigint constraint groups_user references users (id),
  created_at timestamptz not null
);
create index groups_created on groups (created_at desc, id desc);
create index groups_name on groups (name, id);
create index groups_agent on groups (agent_id, created_at desc, id desc) where agent_id is not null;

create table group_sites (
  group_id bigint not null constraint group_sites_group references groups (id) on delete cascade,
  site_id bigint not null constraint group_sites_site references sites (id) on delete cascade,
  primary key (group_id, site_id)
);
create index group_sites_site on group_sites (site_id);

create table group_members (
  id bigint generated always as identity primary key,
  group_id bigint not null constraint group_members_group references groups (id),
  -- The group's.
  agent_id bigint constraint group_members_agent references agents (id),
  phone text not null,
  name text not null default '',
  -- Null while nobody has registered the phone.
  customer_id bigint constraint group_members_customer references customers (id),
  state text not null constraint group_members_state
    check (state in ('not_bound', 'waiting', 'bound', 'refused', 'released')),
  source text not null constraint group_members_source check (source in ('office', 'member')),
  opinion text not null default '',
  -- Agreed to before anybody registered the phone.
  is_agreed boolean not null default false,
  month_limit_fen bigint constraint group_members_month_limit check (month_limit_fen > 0),
  month_limit_charges integer constraint group_members_month_limit_charges check (month_limit_charges > 0),
  reviewed_by bigint constraint group_members_reviewer references users (id),
  reviewed_at timestamptz,
  released_at timestamptz,
  created_at timestamptz not null,
  constraint group_members_registered check (state not in ('waiting', 'bound') or customer_id is not null)
);
-- A customer charges at the expense of one group at a time, and a group names a phone once.
create unique index group_members_bound on group_members (customer_id) where state = 'bound';
create unique index group_members_named on group_members (group_id, phone)
  where state in ('not_bound', 'waiting', 'bound');
create index group_members_created on group_members (created_at desc, id desc);
create index group_members_group on group_members (group_id, created_at desc, id desc);
create index group_members_of_agent on group_members (agent_id, created_at desc, id desc) where agent_id is not null;
create index group_members_state on group_members (state, created_at desc, id desc);
create index group_members_customer on group_members (customer_id, created_at desc, id desc)
  where customer_id is not null;
create index group_members_phone on group_members (phone, created_at desc, id desc);
create index group_members_invited on group_members (phone) where state = 'not_bound';

-- Whoever registers a phone, or signs in with it, is who was named by it: bound where that was agreed to before, in the
-- first group that did, and otherwise waiting.
create function group_members_of_customer() returns trigger language plpgsql as $$
begin
  if new.state = 'merged'
     or not exists (select from group_members where phone = new.phone and state = 'not_bound') then
    return null;
  end if;
  -- One decision at a time about a customer, as in a review.
  perform pg_advisory_xact_lock(hashtextextended('group-customer:' || new.id, 0));
  update group_members m
     set customer_id = new.id,
         state = case when m.is_agreed
                       and not exists (select from group_members b where b.customer_id = new.id and b.state = 'bound')
                       and m.id = (select min(f.id) from group_members f
                                    where f.phone = new.phone and f.state = 'not_bound' and f.is_agreed)
                      then 'bound' else 'waiting' end
   where m.phone = new.phone and m.state = 'not_bound';
  return null;
end
$$;
create trigger group_members_of_customer after insert or update of phone on customers
  for each row execute function group_members_of_customer();

-- A card is not issued under the number of a group. Nothing is inserted then, as with the number of another card.
create function cards_not_of_groups() returns trigger language plpgsql as $$
begin
  if exists (select from groups where card_number in (new.number, new.physical_number)) then
    return null;
  end if;
  return new;
end
$$;
create trigger cards_not_of_groups before insert on cards for each row execute function cards_not_of_groups();

-- A checked file of members. Nobody of it is named before its user agrees.
create table group_member_imports (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint group_member_imports_user references users (id) on delete cascade,
  group_id bigint not null constraint group_member_imports_group references groups (id) on delete cascade,
  file_name text not null,
  ignored_columns text[] not null default '{}',
  total_count integer not null,
  good_count integer not null,
  imported_at timestamptz,
  created_at timestamptz not null
);
create index group_member_imports_user on group_member_imports (user_id);
create index group_member_imports_created on group_member_imports (created_at);
create index group_member_imports_group on group_member_imports (group_id);

create table group_member_import_rows (
  import_id bigint not null constraint group_member_import_rows_import
    references group_member_imports (id) on delete cascade,
  line integer not null,
  -- By field of a member, as the file has them.
  cells jsonb not null,
  -- Null in a good row.
  faults jsonb,
  primary key (import_id, line)
);
create index group_member_import_rows_faults on group_member_import_rows (import_id, line) where faults is not null;

-- Money between a group and the pot of a member; an act that moves money of many has one number.
create table group_allocations (
  id bigint generated always as identity primary key,
  number text not null,
  kind text not null constraint group_allocations_kind check (kind in ('allocated', 'taken_back', 'returned')),
  group_id bigint not null constraint group_allocations_group references groups (id),
  member_id bigint not null constraint group_allocations_member references group_members (id),
  amount_fen bigint not null constraint group_allocations_amount check (amount_fen > 0),
  remark text not null default '',
  user_id bigint constraint group_allocations_user references users (id),
  created_at timestamptz not null
);
create index group_allocations_group on group_allocations (group_id, created_at);
create index group_allocations_member on group_allocations (member_id, created_at);

alter table orders
  add constraint orders_group_record foreign key (group_id) references groups (id) not valid,
  add constraint orders_group_member foreign key (group_member_id) references group_members (id) not valid;
alter table orders validate constraint orders_group_record;
alter table orders validate constraint orders_group_member;
create index orders_of_groups on orders (placed_at desc, id desc) where group_id is not null;
create index orders_of_group on orders (group_id, placed_at desc, id desc) where group_id is not null;
create index orders_of_member on orders (group_member_id, placed_at) where group_member_id is not null;

alter table recharges add constraint recharges_group foreign key (group_id) references groups (id) not valid;
alter table recharges validate constraint recharges_group;
create index recharges_group on recharges (group_id, created_at desc, id desc) where group_id is not null;
create index recharges_of_groups on recharges (created_at desc, id desc) where group_id is not null;
create index movements_of_groups on movements (created_at desc, id desc) where group_id is not null;

-- As in 0068: a recharge is the group's agent's to see too.
create or replace function recharges_owner() returns trigger language plpgsql as $$
begin
  new.owner_agent_id := coalesce((select agent_id from cards where id = new.card_id),
                                 (select agent_id from groups where id = new.group_id), new.agent_id);
  return new;
end
$$;

alter table movements drop constraint movements_type_check;
alter table movements add constraint movements_type_check
  check (type in ('recharge', 'consume', 'gift', 'system_recharge', 'transfer', 'order_refund', 'withdrawal',
                  'gift_deducted', 'refund_failed', 'allocated', 'taken_back')) not valid;
alter table movements validate constraint movements_type_check;

-- Who an invoice over orders of a group is for.
alter table invoices add column group_id bigint constraint invoices_group references groups (id);
create index invoices_group on invoices (group_id) where group_id is not null;
