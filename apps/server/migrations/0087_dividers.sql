-- Dividers whole: since when they are there, who signs in for them, and how their terms came to an end.
alter table dividers
  add column entered_on date,
  add column created_by bigint constraint dividers_creator references users (id) on delete set null;
update dividers set entered_on = (created_at at time zone 'Asia/Shanghai')::date;
alter table dividers
  alter column entered_on set default (now() at time zone 'Asia/Shanghai')::date,
  alter column entered_on set not null;
create index dividers_entered on dividers (entered_on desc, id desc);
create index dividers_name on dividers (name collate "zh-x-icu", id);

-- A divider's own account, which reaches the divider's income and nothing else.
alter table users add column divider_id bigint constraint users_divider references dividers (id);
create unique index users_divider_once on users (divider_id) where divider_id is not null;
alter table positions drop constraint positions_data_scope_check;
alter table positions add constraint positions_data_scope_check
  check (data_scope in ('platform', 'agent_tree', 'agent', 'divider', 'self'));

-- Terms that were in force are ended and followed by others, never rewritten; those still to come may be taken back.
alter table divider_terms
  add column ended_by bigint constraint divider_terms_ender references users (id),
  add column ended_at timestamptz;
create index divider_terms_created on divider_terms (created_at desc, id desc);
create index divider_terms_site on divider_terms (site_id, id) where site_id is not null;
create index divider_terms_station on divider_terms (station_id, id) where station_id is not null;
create function keep_divider_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.divider_id, new.agent_id, new.site_id, new.station_id, new.electricity_e4, new.service_e4, new.occupancy_e4,
        new.from_at, new.user_id, new.created_at)
       is distinct from
       (old.divider_id, old.agent_id, old.site_id, old.station_id, old.electricity_e4, old.service_e4, old.occupancy_e4,
        old.from_at, old.user_id, old.created_at)
       or (old.to_at is not null and (new.to_at is null or new.to_at > old.to_at)) then
      raise exception 'the terms of a divider are ended, not changed' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
end
$$;
create trigger divider_terms_keep before update on divider_terms
  for each row execute function keep_divider_terms();

-- The shares of all dividers in the order of time, and those of one at a site.
create index order_shares_of_dividers on order_shares (created_at, id) where divider_id is not null;
create index order_shares_divider_site on order_shares (divider_id, site_id, created_at, id)
  where divider_id is not null;
create index settlement_periods_divider on settlement_periods (divider_id, from_on desc) where divider_id is not null;

insert into positions (name, name_key, data_scope, menu_codes)
  select '分成方', 'position.divider', 'divider', '{dividerIncome,taskList}'
   where exists (select from positions)
  on conflict do nothing;
-- Who manages agents manages their dividers, and may hand on what a divider sees.
update positions set menu_codes = menu_codes || array(
    select code from unnest('{accountChildren,dividerIncome,divider.edit,divider.terms,divider.reset_password,divider.delete}'::text[]) as code
     where not code = any (menu_codes))
 where 'agent.edit' = any (menu_codes);
-- What the platform keeps is for whoever runs its books.
update positions set menu_codes = menu_codes || array(
    select code from unnest('{shareTermsList,share_terms.edit}'::text[]) as code where not code = any (menu_codes))
 where data_scope = 'platform' and 'ledger.reverse' = any (menu_codes);

-- A site or a station is deleted only if it never had an order, so its terms have shared nothing.
alter table divider_terms
  drop constraint divider_terms_site_id_fkey,
  drop constraint divider_terms_station_id_fkey,
  add constraint divider_terms_of_site foreign key (site_id) references sites (id) on delete cascade,
  add constraint divider_terms_of_station foreign key (station_id) references stations (id) on delete cascade;
alter table share_terms
  drop constraint share_terms_site_id_fkey,
  add constraint share_terms_of_site foreign key (site_id) references sites (id) on delete cascade;
create index share_terms_changed on share_terms (changed_at desc, site_id desc);
