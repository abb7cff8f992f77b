-- Periods are closed, and what a closed one comes to is paid out to its party's balance.
alter table settlement_periods
  -- Of its shares, fixed when it was closed.
  add column shares_fen bigint,
  add column orders integer,
  -- What the period before came to where it was below zero.
  add column carried_in_fen bigint,
  add column net_fen bigint generated always as (shares_fen + carried_in_fen) stored,
  add column closed_at timestamptz,
  add column closed_by bigint references users (id),
  add column paid_out_at timestamptz,
  add column paid_out_by bigint references users (id),
  add constraint settlement_periods_closed check (
    (state = 'open') = (closed_at is null) and (state = 'open') = (shares_fen is null)
    and (state = 'open') = (orders is null) and (state = 'open') = (carried_in_fen is null)),
  add constraint settlement_periods_paid_out check ((state = 'paid_out') = (paid_out_at is not null)),
  add constraint settlement_periods_carried check (carried_in_fen <= 0);
create index settlement_periods_state on settlement_periods (state, to_on, id);

-- Whose people see a period: the agent's own, or the agent's that a divider shares with. It stays with the period.
alter table settlement_periods add column of_agent_id bigint references agents (id);
update settlement_periods p set of_agent_id = coalesce(p.agent_id, d.agent_id)
  from settlement_periods q left join dividers d on d.id = q.divider_id where q.id = p.id;
create function name_settled_agent() returns trigger language plpgsql as $$
begin
  new.of_agent_id := coalesce(new.agent_id, (select agent_id from dividers where id = new.divider_id));
  return new;
end
$$;
create trigger settlement_periods_agent before insert on settlement_periods
  for each row execute function name_settled_agent();
create index settlement_periods_order on settlement_periods (to_on desc, id desc);
create index settlement_periods_agent on settlement_periods (of_agent_id, to_on desc, id desc);

-- The sums of an open period are read from its shares.
drop index order_shares_period;
create index order_shares_period on order_shares (period_id, id) include (order_id, amount_fen) where period_id is not null;

-- A closed period never changes but by its payout, and gets no more shares.
create function keep_closed_period() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a settlement period is not deleted' using errcode = 'restrict_violation';
  end if;
  if old.state = 'paid_out' or (old.state = 'closed' and (
       new.state <> 'paid_out' or (new.party, new.agent_id, new.divider_id, new.of_agent_id, new.from_on, new.to_on, new.shares_fen,
         new.orders, new.carried_in_fen, new.closed_at, new.closed_by) is distinct from
       (old.party, old.agent_id, old.divider_id, old.of_agent_id, old.from_on, old.to_on, old.shares_fen,
         old.orders, old.carried_in_fen, old.closed_at, old.closed_by))) then
    raise exception 'a closed settlement period does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger settlement_periods_keep before update or delete on settlement_periods
  for each row execute function keep_closed_period();

create function refuse_share_of_closed_period() returns trigger language plpgsql as $$
begin
  if exists (select 1 from settlement_periods where id = new.period_id and state <> 'open') then
    raise exception 'the settlement period is closed' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;
create constraint trigger order_shares_open after insert on order_shares
  for each row when (new.period_id is not null) execute function refuse_share_of_closed_period();

-- Whether a party's periods are closed and paid out by themselves, and when the cycle was last changed.
alter table agents
  add column settles_itself boolean not null default true,
  add column settlement_changed_at timestamptz;
alter table dividers
  add column settles_itself boolean not null default true,
  add column settlement_changed_at timestamptz;

-- Why a period could not be closed or paid out by itself; gone once it was.
create table settlement_failures (
  period_id bigint primary key references settlement_periods (id),
  failure text not null,
  attempts integer not null,
  failed_at timestamptz not null
);

-- Who may see who shares in an order may see what the shares come to.
update positions set menu_codes = array_append(menu_codes, 'settlementList')
 where 'order.shares' = any (menu_codes) and not 'settlementList' = any (menu_codes);
