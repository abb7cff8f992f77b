-- A period pays out what is left of its party's shares by then. What it came to beyond that, because money went back after
-- it was closed, is carried into an open period.
alter table settlement_periods
  add column paid_out_fen bigint,
  -- Where the rest was carried.
  add column rest_period_id bigint references settlement_periods (id),
  drop constraint settlement_periods_carried,
  drop constraint settlement_periods_paid_out;
alter table settlement_periods disable trigger settlement_periods_keep;
update settlement_periods set paid_out_fen = greatest(net_fen, 0) where state = 'paid_out';
alter table settlement_periods enable trigger settlement_periods_keep;
alter table settlement_periods
  add constraint settlement_periods_paid_out check (
    (state = 'paid_out') = (paid_out_at is not null) and (state = 'paid_out') = (paid_out_fen is not null)
    and paid_out_fen between 0 and greatest(net_fen, 0)),
  add constraint settlement_periods_rest check (
    (rest_period_id is not null) = (paid_out_fen is not null and paid_out_fen < greatest(net_fen, 0)));
create index settlement_periods_rest on settlement_periods (rest_period_id) where rest_period_id is not null;

-- Play money that was transferred or left by its own channel, for what agents and dividers may have got of it.
create index wallet_transfers_play on wallet_transfers (id) where play_fen > 0;
create index withdrawals_embedded on withdrawals (customer_id) where way = 'embedded';

-- Periods of a party are found by their days, from whichever side. Those of one party never overlap: each party has a
-- million days of its own in one line of numbers, so that no extension is needed.
create index settlement_periods_party on settlement_periods (party, coalesce(agent_id, divider_id), to_on);
create function settlement_days(of_party text, of_id bigint, from_on date, to_on date)
returns int8range language sql immutable as $$
  select int8range(line + (from_on - date '1970-01-01'), line + (to_on - date '1970-01-01'), '[]')
    from (select (2 * of_id + case of_party when 'agent' then 0 else 1 end) * 1000000 as line) lines
$$;
alter table settlement_periods add constraint settlement_periods_apart exclude using gist (
  settlement_days(party, coalesce(agent_id, divider_id), from_on, to_on) with &&);

-- The open period that a party's shares of a day belong to, made where there is none. A day whose period is closed
-- belongs to the next one. The party's lock must be held. Whoever makes a period that another transaction is making, or
-- one that overlaps it after a change of the cycle, waits for it and takes what it made.
create or replace function settlement_period(of_party text, of_id bigint, day date, cycle text, made_at timestamptz)
returns bigint language plpgsql as $$
declare
  found bigint;
  wanted date := day;
  begins date;
  ends date;
begin
  loop
    select greatest(day, max(to_on) + 1) into wanted from settlement_periods
     where party = of_party and coalesce(agent_id, divider_id) = of_id and to_on >= day and state <> 'open';
    wanted := coalesce(wanted, day);
    select id into found from settlement_periods
     where party = of_party and coalesce(agent_id, divider_id) = of_id and to_on >= wanted and from_on <= wanted
       and state = 'open' order by to_on limit 1;
    if found is not null then
      return found;
    end if;
    begins := case cycle when 't1' then wanted when 't7' then date_trunc('week', wanted)::date
                         else date_trunc('month', wanted)::date end;
    ends := case cycle when 't1' then wanted when 't7' then begins + 6
                       else (begins + interval '1 month - 1 day')::date end;
    -- Other cycles may have been in force around it.
    begins := greatest(begins, (select max(to_on) + 1 from settlement_periods
                                 where party = of_party and coalesce(agent_id, divider_id) = of_id and to_on < wanted));
    ends := least(ends, (select min(from_on) - 1 from settlement_periods
                          where party = of_party and coalesce(agent_id, divider_id) = of_id and to_on > wanted
                            and from_on > wanted));
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
