-- A period keeps the cycle by which it was made. Those that were made before have the one that their days are of; a week
-- or a month may have been cut where the cycle changed around it.
alter table settlement_periods add column cycle text;
alter table settlement_periods disable trigger settlement_periods_keep;
update settlement_periods set cycle =
  case when from_on = to_on then 't1'
       when date_trunc('week', from_on) = date_trunc('week', to_on)
            and (extract(isodow from to_on) = 7 or extract(day from to_on + 1) <> 1) then 't7'
       else 'm1' end;
alter table settlement_periods enable trigger settlement_periods_keep;
alter table settlement_periods
  alter column cycle set not null,
  add constraint settlement_periods_cycle check (cycle in ('t1', 't7', 'm1'));

-- A closed period never changes but by its payout, and gets no more shares.
create or replace function keep_closed_period() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a settlement period is not deleted' using errcode = 'restrict_violation';
  end if;
  if old.state = 'paid_out' or (old.state = 'closed' and (
       new.state <> 'paid_out' or (new.party, new.agent_id, new.divider_id, new.of_agent_id, new.from_on, new.to_on,
         new.cycle, new.shares_fen, new.orders, new.carried_in_fen, new.closed_at, new.closed_by) is distinct from
       (old.party, old.agent_id, old.divider_id, old.of_agent_id, old.from_on, old.to_on,
         old.cycle, old.shares_fen, old.orders, old.carried_in_fen, old.closed_at, old.closed_by))) then
    raise exception 'a closed settlement period does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

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
    insert into settlement_periods (party, agent_id, divider_id, from_on, to_on, cycle, created_at)
      values (of_party, case of_party when 'agent' then of_id end, case of_party when 'divider' then of_id end,
              begins, ends, cycle, made_at)
      on conflict do nothing returning id into found;
    if found is not null then
      return found;
    end if;
  end loop;
end
$$;
