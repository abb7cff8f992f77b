-- Where a station stood, whose it was and since when: a charge that is told late belongs to the site and the agent that
-- the station had when it began.
create table station_places (
  station_id bigint not null references stations (id) on delete cascade,
  from_at timestamptz not null,
  site_id bigint not null references sites (id) on delete cascade,
  agent_id bigint references agents (id) on delete cascade,
  primary key (station_id, from_at)
);
-- For the deletion of a site or an agent, and for the job that finds what is past its retention.
create index station_places_site on station_places (site_id);
create index station_places_agent on station_places (agent_id);
create index station_places_from on station_places (from_at);

-- Whoever moves a station or hands it over, the history is kept.
create function note_station_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.site_id <> old.site_id or new.agent_id is distinct from old.agent_id then
    insert into station_places (station_id, from_at, site_id, agent_id)
    values (new.id, clock_timestamp(), new.site_id, new.agent_id)
    on conflict (station_id, from_at) do update set site_id = excluded.site_id, agent_id = excluded.agent_id;
  end if;
  return null;
end
$$;
create trigger stations_places after insert or update of site_id, agent_id on stations
  for each row execute function note_station_places();
insert into station_places (station_id, from_at, site_id, agent_id)
  select id, created_at, site_id, agent_id from stations;
