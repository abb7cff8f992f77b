-- Scheduled price changes: at their time stations are given another billing rule.
create table price_changes (
  id bigint generated always as identity primary key,
  name text not null,
  -- The rule; which of its versions the stations are given is decided at the time.
  rule_id bigint not null constraint price_changes_rule references tariffs (id),
  slots text not null constraint price_changes_slots check (slots in ('card', 'wechat', 'both')),
  effective_at timestamptz not null,
  remark text not null default '',
  state text not null default 'waiting'
    constraint price_changes_state check (state in ('waiting', 'applied', 'cancelled')),
  -- Whose it is; null for the platform.
  agent_id bigint constraint price_changes_agent references agents (id),
  created_by bigint constraint price_changes_created_by references users (id) on delete set null,
  created_at timestamptz not null,
  -- The version that the stations were given, and when.
  tariff_id bigint constraint price_changes_tariff references tariffs (id),
  applied_at timestamptz,
  cancelled_at timestamptz
);
create index price_changes_due on price_changes (effective_at, id) where state = 'waiting';
create index price_changes_effective on price_changes (effective_at desc, id desc);
create index price_changes_agent on price_changes (agent_id, effective_at desc, id desc);
create index price_changes_of_rule on price_changes (rule_id) where state = 'waiting';

create table price_change_stations (
  id bigint generated always as identity primary key,
  price_change_id bigint not null constraint price_change_stations_change references price_changes (id) on delete cascade,
  station_id bigint not null constraint price_change_stations_station references stations (id) on delete cascade,
  -- Whose the station was when it was chosen.
  agent_id bigint,
  state text not null default 'waiting'
    constraint price_change_stations_state check (state in ('waiting', 'sent', 'taken', 'refused', 'offline', 'skipped')),
  -- Why it was skipped, or what the station answered.
  reason text,
  applied_at timestamptz,
  sent_at timestamptz,
  -- By us, when the station has taken it or refused it.
  answered_at timestamptz,
  constraint price_change_stations_once unique (price_change_id, station_id)
);
create index price_change_stations_by_state on price_change_stations (price_change_id, state, id);
create index price_change_stations_open on price_change_stations (station_id)
  where state in ('waiting', 'sent', 'refused', 'offline');

-- What a station answered when it refused a tariff.
alter table stations add column tariff_answer text;

-- Whoever tells of a station, the rows of price changes tell the truth about it: there is no second account of what it runs.
create function note_price_changes() returns trigger language plpgsql as $$
begin
  update price_change_stations r
     set state = next.state,
         reason = case next.state
                    when 'skipped' then 'replaced'
                    when 'refused' then concat_ws(':', new.tariff_outcome, new.tariff_answer)
                  end,
         sent_at = case when next.state in ('sent', 'refused', 'taken') then coalesce(new.tariff_asked_at, r.sent_at) else r.sent_at end,
         answered_at = case when next.state in ('refused', 'taken') then clock_timestamp() else r.answered_at end
    from price_changes c,
         lateral (select coalesce((select id from tariffs where id = new.card_tariff_id and kind = 'energy'),
                                  (select id from tariffs where id = new.wechat_tariff_id and kind = 'energy')) as id) own,
         lateral (select case
             when own.id is distinct from c.tariff_id then 'skipped'
             when new.running_tariff_id = own.id then 'taken'
             when not new.online or new.tariff_outcome = 'offline' then 'offline'
             when new.tariff_asked_at is null then 'waiting'
             when new.tariff_outcome is null then 'sent'
             else 'refused' end as state) next
   where r.station_id = new.id and r.state in ('waiting', 'sent', 'refused', 'offline')
     and c.id = r.price_change_id and c.state = 'applied' and next.state <> r.state;
  return null;
end
$$;
create trigger stations_price_changes
  after update of online, card_tariff_id, wechat_tariff_id, running_tariff_id, tariff_asked_at, tariff_outcome on stations
  for each row
  when (old.online is distinct from new.online or old.card_tariff_id is distinct from new.card_tariff_id
        or old.wechat_tariff_id is distinct from new.wechat_tariff_id
        or old.running_tariff_id is distinct from new.running_tariff_id
        or old.tariff_asked_at is distinct from new.tariff_asked_at
        or old.tariff_outcome is distinct from new.tariff_outcome)
  execute function note_price_changes();

-- A tariff given at a scheduled time is in force from that time on, also where the server was away at that moment; never
-- before what was in force until now.
create or replace function note_station_tariffs() returns trigger language plpgsql as $$
declare
  scheduled_at timestamptz := nullif(current_setting('voltdeck.tariffs_from', true), '')::timestamptz;
begin
  if tg_op = 'INSERT' or new.card_tariff_id is distinct from old.card_tariff_id then
    insert into station_tariffs (station_id, kind, from_at, tariff_id)
    values (new.id, 'card', tariff_from(new.id, 'card', scheduled_at), new.card_tariff_id);
  end if;
  if tg_op = 'INSERT' or new.wechat_tariff_id is distinct from old.wechat_tariff_id then
    insert into station_tariffs (station_id, kind, from_at, tariff_id)
    values (new.id, 'wechat', tariff_from(new.id, 'wechat', scheduled_at), new.wechat_tariff_id);
  end if;
  if tg_op = 'INSERT' or new.running_tariff_id is distinct from old.running_tariff_id then
    insert into station_tariffs (station_id, kind, from_at, tariff_id)
    values (new.id, 'running', coalesce(new.running_tariff_at, clock_timestamp()), new.running_tariff_id)
    on conflict (station_id, kind, from_at) do update set tariff_id = excluded.tariff_id;
  end if;
  return null;
end
$$;
create function tariff_from(station bigint, of_kind text, scheduled_at timestamptz) returns timestamptz language sql as $$
  select case when scheduled_at is null then clock_timestamp()
              else greatest(scheduled_at, (select max(from_at) + interval '1 microsecond' from station_tariffs
                                            where station_id = station and kind = of_kind)) end
$$;
