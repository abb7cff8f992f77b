-- Agents whole: who signs in for them, where they are paid, and whether they are frozen.
alter table agents
  add column kind text not null default 'agent'
    constraint agents_kind check (kind in ('agent', 'individual', 'self_run', 'other')),
  add column user_id bigint constraint agents_user references users (id),
  add column contact text not null default '',
  add column address text not null default '',
  add column credit_code text,
  add column subscribed_on date,
  add column payout_kind text constraint agents_payout_kind check (payout_kind in ('private', 'corporate')),
  add column payout_holder text,
  add column payout_bank text,
  add column payout_branch text,
  add column payout_bank_code text,
  add column payout_number text,
  add column licence_file_id bigint constraint agents_licence references files (id),
  add column frozen_at timestamptz,
  add column frozen_reason text not null default '',
  add column created_by bigint constraint agents_creator references users (id) on delete set null,
  add constraint agents_parent_other check (parent_id <> id),
  add constraint agents_payout_whole check (
    num_nonnulls(payout_kind, payout_holder, payout_bank, payout_number) in (0, 4)
    and (payout_kind is not null or (payout_branch is null and payout_bank_code is null)));
update agents set frozen_at = now() where not enabled;
alter table agents drop column enabled;
create unique index agents_user_once on agents (user_id) where user_id is not null;
create index agents_below on agents (parent_id) where parent_id is not null;
create index agents_licence_file on agents (licence_file_id) where licence_file_id is not null;
create index agents_created on agents (created_at desc, id desc);
create index users_of_agent on users (agent_id) where agent_id is not null;

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose check (
  purpose in ('editor', 'advert', 'site', 'avatar', 'feedback', 'document', 'licence', 'task'));

-- How often an agent's stations were used and for how much, by station so that charges of two stations never wait for
-- each other. It belongs to the agent of the order, whoever has the station now. Test runs are no sale.
create table agent_uses (
  agent_id bigint not null constraint agent_uses_agent references agents (id) on delete cascade,
  station_id bigint not null,
  uses bigint not null,
  amount_fen bigint not null,
  primary key (agent_id, station_id)
);
insert into agent_uses (agent_id, station_id, uses, amount_fen)
  select agent_id, station_id, count(*), coalesce(sum(amount_fen), 0)
    from orders where state = 'completed' and start_mode <> 'test' and agent_id is not null group by agent_id, station_id;

create function count_agent_uses() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = 'completed' and old.agent_id is not null then
    update agent_uses set uses = uses - 1, amount_fen = amount_fen - coalesce(old.amount_fen, 0)
     where agent_id = old.agent_id and station_id = old.station_id;
  end if;
  if new.state = 'completed' and new.agent_id is not null then
    insert into agent_uses as u (agent_id, station_id, uses, amount_fen)
    values (new.agent_id, new.station_id, 1, coalesce(new.amount_fen, 0))
    on conflict (agent_id, station_id)
      do update set uses = u.uses + 1, amount_fen = u.amount_fen + excluded.amount_fen;
  end if;
  return null;
end
$$;
create trigger orders_agent_uses after insert on orders
  for each row when (new.state = 'completed' and new.start_mode <> 'test' and new.agent_id is not null)
  execute function count_agent_uses();
create trigger orders_agent_uses_changed after update of state, amount_fen, agent_id, station_id on orders
  for each row when (
    (old.state = 'completed' or new.state = 'completed') and new.start_mode <> 'test'
    and (old.state, old.amount_fen, old.agent_id, old.station_id)
        is distinct from (new.state, new.amount_fen, new.agent_id, new.station_id))
  execute function count_agent_uses();

-- The details of an agent belong to the list of agents, as those of every other record do, and have no menu of their own.
update positions set menu_codes = array_remove(menu_codes, 'childrenAccount') where 'childrenAccount' = any (menu_codes);
update menus set parent_code = 'operator' where parent_code = 'childrenAccount';
delete from menus where code = 'childrenAccount';
