-- What an order took is shared among the platform, agents and dividers (docs/decisions/0020-shares.md). Rates are in
-- hundredths of a percent.

-- An agent's rate of what the one above it has; the platform is above agents without a parent.
alter table agents add column rate_e4 integer not null default 0
  constraint agents_rate check (rate_e4 between 0 and 10000);

-- What the platform keeps before anybody shares, for one site or by default.
create table share_terms (
  id bigint generated always as identity primary key,
  site_id bigint constraint share_terms_site unique nulls not distinct references sites (id),
  channel_fee_e4 integer not null default 0,
  electricity_e4 integer not null default 0,
  service_e4 integer not null default 0,
  occupancy_e4 integer not null default 0,
  user_id bigint references users (id),
  changed_at timestamptz not null,
  constraint share_terms_rates check (
    least(channel_fee_e4, electricity_e4, service_e4, occupancy_e4) >= 0
    and greatest(channel_fee_e4, electricity_e4, service_e4, occupancy_e4) <= 10000)
);

-- Who gets a part of what an agent, or the platform where there is none, has left.
create table dividers (
  id bigint generated always as identity primary key,
  name text not null,
  phone text,
  agent_id bigint references agents (id),
  enabled boolean not null default true,
  remark text not null default '',
  created_at timestamptz not null
);
create index dividers_agent on dividers (agent_id, id);

-- A divider's rates at all stations of its holder, at those of a site, or at one station.
create table divider_terms (
  id bigint generated always as identity primary key,
  divider_id bigint not null references dividers (id),
  -- That of the divider: a settlement looks for the terms of its agents.
  agent_id bigint references agents (id),
  site_id bigint references sites (id),
  station_id bigint references stations (id),
  electricity_e4 integer not null,
  service_e4 integer not null,
  occupancy_e4 integer not null,
  from_at timestamptz not null,
  to_at timestamptz,
  user_id bigint references users (id),
  created_at timestamptz not null,
  constraint divider_terms_place check (num_nonnulls(site_id, station_id) <= 1),
  constraint divider_terms_time check (to_at > from_at),
  constraint divider_terms_rates check (
    least(electricity_e4, service_e4, occupancy_e4) >= 0 and greatest(electricity_e4, service_e4, occupancy_e4) <= 10000)
);
create index divider_terms_agent on divider_terms (agent_id, id);
create index divider_terms_divider on divider_terms (divider_id, id);

-- Who shares in an order, as agreed when it was settled. Null where everything is the platform's.
alter table orders add column share_plan jsonb;

-- Days, weeks or months of a party's shares, one after the other.
create table settlement_periods (
  id bigint generated always as identity primary key,
  party text not null constraint settlement_periods_party check (party in ('agent', 'divider')),
  agent_id bigint references agents (id),
  divider_id bigint references dividers (id),
  from_on date not null,
  to_on date not null,
  state text not null default 'open' constraint settlement_periods_state check (state in ('open', 'closed', 'paid_out')),
  created_at timestamptz not null,
  constraint settlement_periods_owner check (
    case party when 'agent' then agent_id is not null and divider_id is null
               else divider_id is not null and agent_id is null end),
  constraint settlement_periods_time check (to_on >= from_on),
  constraint settlement_periods_one unique nulls not distinct (agent_id, divider_id, from_on)
);

-- How often a party's shares are settled: daily, weekly or monthly.
alter table agents add column settlement_cycle text not null default 'm1'
  constraint agents_settlement_cycle check (settlement_cycle in ('t1', 't7', 'm1'));
alter table dividers add column settlement_cycle text not null default 'm1'
  constraint dividers_settlement_cycle check (settlement_cycle in ('t1', 't7', 'm1'));

-- What a party got of an order, by fee, each time that money came in or went back. Only ever added to.
create table order_shares (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  -- Counts the postings of an order's shares, from 1.
  number integer not null,
  party text not null constraint order_shares_party check (party in ('platform', 'agent', 'divider')),
  agent_id bigint references agents (id),
  divider_id bigint references dividers (id),
  reason text not null
    constraint order_shares_reason check (reason in ('channel_fee', 'commission', 'rate', 'remainder', 'coupon')),
  electricity_fen bigint not null,
  service_fen bigint not null,
  occupancy_fen bigint not null,
  amount_fen bigint not null generated always as (electricity_fen + service_fen + occupancy_fen) stored,
  site_id bigint not null references sites (id),
  -- Null for the platform, which settles with nobody.
  period_id bigint references settlement_periods (id),
  created_at timestamptz not null,
  constraint order_shares_owner check (
    case party when 'agent' then agent_id is not null and divider_id is null and period_id is not null
               when 'divider' then divider_id is not null and agent_id is null and period_id is not null
               else agent_id is null and divider_id is null and period_id is null end),
  constraint order_shares_one unique nulls not distinct (order_id, number, agent_id, divider_id, reason)
);
create index order_shares_agent on order_shares (agent_id, created_at, id) where agent_id is not null;
create index order_shares_divider on order_shares (divider_id, created_at, id) where divider_id is not null;
create index order_shares_period on order_shares (period_id, id) where period_id is not null;
create trigger order_shares_append_only before update or delete on order_shares
  for each row execute function refuse_change();
create trigger order_shares_no_truncate before truncate on order_shares
  for each statement execute function refuse_change();

-- The lock of a party's periods: shared while shares are written, alone while a period is closed.
create function settlement_lock(of_party text, of_id bigint) returns bigint language sql immutable as $$
  select hashtextextended('settlement ' || of_party || ' ' || of_id, 0)
$$;

-- The open period that a party's shares of a day belong to, made where there is none. A day whose period is closed
-- belongs to the next one. The party's lock must be held.
create function settlement_period(of_party text, of_id bigint, day date, cycle text, made_at timestamptz)
returns bigint language plpgsql as $$
declare
  found bigint;
  wanted date := day;
  begins date;
  ends date;
begin
  loop
    select greatest(day, max(to_on) filter (where state <> 'open') + 1) into wanted from settlement_periods
     where party = of_party and coalesce(agent_id, divider_id) = of_id and to_on >= day;
    wanted := coalesce(wanted, day);
    select id into found from settlement_periods
     where party = of_party and agent_id is not distinct from case of_party when 'agent' then of_id end
       and divider_id is not distinct from case of_party when 'divider' then of_id end
       and state = 'open' and from_on <= wanted and to_on >= wanted;
    if found is not null then
      return found;
    end if;
    begins := case cycle when 't1' then wanted when 't7' then date_trunc('week', wanted)::date
                         else date_trunc('month', wanted)::date end;
    ends := case cycle when 't1' then wanted when 't7' then begins + 6
                       else (begins + interval '1 month - 1 day')::date end;
    -- Other cycles may have been in force around it.
    select greatest(begins, max(to_on) filter (where to_on < wanted) + 1),
           least(ends, min(from_on) filter (where from_on > wanted) - 1)
      into begins, ends from settlement_periods
     where party = of_party and agent_id is not distinct from case of_party when 'agent' then of_id end
       and divider_id is not distinct from case of_party when 'divider' then of_id end;
    insert into settlement_periods (party, agent_id, divider_id, from_on, to_on, created_at)
      values (of_party, case of_party when 'agent' then of_id end, case of_party when 'divider' then of_id end,
              begins, ends, made_at)
      on conflict do nothing returning id into found;
    if found is not null then
      return found;
    end if;
  end loop;
end
$$;

-- Writes shares of an order, each in the open period of its party.
create function write_order_shares(
  of_order bigint, of_site bigint, posting_number integer, written_at timestamptz, shares jsonb
) returns integer language plpgsql as $$
declare
  written integer;
begin
  perform pg_advisory_xact_lock_shared(lock) from (
    select distinct settlement_lock(s.party, coalesce(s.agent_id, s.divider_id)) as lock
      from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint)
     where s.party <> 'platform' order by lock) locks;
  with owners as materialized (
    select o.party, o.id, settlement_period(o.party, o.id, (written_at at time zone 'Asia/Shanghai')::date,
             case o.party when 'agent' then (select settlement_cycle from agents where id = o.id)
                          else (select settlement_cycle from dividers where id = o.id) end, written_at) as period_id
      from (select distinct s.party, coalesce(s.agent_id, s.divider_id) as id
              from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint)
             where s.party <> 'platform' order by 1, 2) o)
  insert into order_shares (order_id, number, party, agent_id, divider_id, reason, electricity_fen, service_fen,
                            occupancy_fen, site_id, period_id, created_at)
    select of_order, posting_number, s.party, s.agent_id, s.divider_id, s.reason, s.electricity_fen, s.service_fen,
           s.occupancy_fen, of_site, o.period_id, written_at
      from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint, reason text,
             electricity_fen bigint, service_fen bigint, occupancy_fen bigint)
      left join owners o on o.party = s.party and o.id = coalesce(s.agent_id, s.divider_id);
  get diagnostics written = row_count;
  return written;
end
$$;

-- What earlier orders took was the platform's.
insert into order_shares (order_id, number, party, reason, electricity_fen, service_fen, occupancy_fen, site_id, created_at)
  select id, 1, 'platform', 'remainder', electricity_fen, received_fen - electricity_fen, 0, site_id, settled_at
    from (select id, site_id, settled_at, paid_fen - refunded_fen as received_fen,
                 (2 * (paid_fen - refunded_fen) * electricity_fee_fen + amount_fen) / (2 * amount_fen) as electricity_fen
            from orders where state = 'completed' and amount_fen > 0 and paid_fen > refunded_fen) earlier;

-- Who may see what an order took may see who shares in it.
update positions set menu_codes = array_append(menu_codes, 'order.shares')
 where 'order.refund' = any (menu_codes) and not 'order.shares' = any (menu_codes);
