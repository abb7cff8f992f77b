-- A price change of many stations is carried out in steps of their own transactions; it is finished with the last.
alter table price_changes add column finished_at timestamptz;
update price_changes set finished_at = applied_at where state = 'applied';
drop index price_changes_due, price_changes_of_rule;
create index price_changes_due on price_changes (effective_at, id) where state <> 'cancelled' and finished_at is null;
create index price_changes_of_rule on price_changes (rule_id) where state <> 'cancelled' and finished_at is null;

-- Whether a station has been given a rule of another kind since an instant: neither `rule` nor a version of what it had
-- by then, or first. Scheduled changes of one instant follow each other by microseconds (tariff_from).
create function rule_replaced_since(station bigint, of_kind text, since timestamptz, rule bigint) returns boolean
language sql stable as $$
  select exists (
    select from station_tariffs h left join tariffs t on t.id = h.tariff_id
     where h.station_id = station and h.kind = of_kind and h.from_at > since + interval '1 millisecond'
       and t.rule_id is distinct from rule
       and t.rule_id is distinct from (
             select f.rule_id from station_tariffs b left join tariffs f on f.id = b.tariff_id
              where b.station_id = station and b.kind = of_kind
              order by b.from_at > since + interval '1 millisecond', abs(extract(epoch from b.from_at - since)) limit 1))
$$;

-- A row follows its station from the moment at which the price change reached it. One whose station has lost the tariff
-- again, or never had the answer that gave it, waits once more.
drop index price_change_stations_open;
create index price_change_stations_followed on price_change_stations (station_id) where state <> 'skipped';
create or replace function note_price_changes() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from price_change_stations r where r.station_id = new.id and r.state <> 'skipped') then
    return null;
  end if;
  update price_change_stations r
     set state = next.state,
         reason = case next.state
                    when 'skipped' then 'replaced'
                    when 'refused' then concat_ws(':', new.tariff_outcome, new.tariff_answer)
                  end,
         sent_at = case when next.state in ('sent', 'refused', 'taken') then coalesce(new.tariff_asked_at, r.sent_at) else r.sent_at end,
         answered_at = case when next.state in ('refused', 'taken') then clock_timestamp() end
    from price_changes c,
         lateral (select coalesce((select id from tariffs where id = new.card_tariff_id and kind = 'energy'),
                                  (select id from tariffs where id = new.wechat_tariff_id and kind = 'energy')) as id) own,
         lateral (select case
             when own.id is distinct from c.tariff_id then 'skipped'
             when new.running_tariff_id = own.id then 'taken'
             when not new.online or new.tariff_outcome = 'offline' then 'offline'
             when new.tariff_asked_at is null then 'waiting'
             when new.tariff_outcome is null then 'sent'
             when new.tariff_outcome = 'accepted' then 'waiting'
             else 'refused' end as state) next
   where r.station_id = new.id and r.applied_at is not null and c.id = r.price_change_id and next.state <> r.state
     and (r.state in ('waiting', 'sent', 'refused', 'offline')
          or r.state = 'taken' and next.state <> 'skipped'
             and old.running_tariff_id = c.tariff_id and new.running_tariff_id is distinct from c.tariff_id);
  return null;
end
$$;
create or replace function leave_price_changes() returns trigger language plpgsql as $$
begin
  update price_change_stations r set state = 'skipped', reason = 'moved'
    from price_changes c
   where r.station_id = new.id and r.state in ('waiting', 'sent', 'refused', 'offline') and r.applied_at is not null
     and c.id = r.price_change_id and c.agent_id is not null
     and r.agent_id is distinct from new.agent_id;
  return null;
end
$$;
