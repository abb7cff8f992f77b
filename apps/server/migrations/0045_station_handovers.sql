-- Since when an agent has a station: what the station said before, cards of riders included, was said to another.
create table station_handovers (
  id bigint generated always as identity primary key,
  station_id bigint not null constraint station_handovers_station references stations (id) on delete cascade,
  at timestamptz not null,
  -- Null for the platform.
  from_agent_id bigint,
  to_agent_id bigint
);
create index station_handovers_of_station on station_handovers (station_id, at);
create index station_handovers_at on station_handovers (at);

create function note_handover() returns trigger language plpgsql as $$
begin
  insert into station_handovers (station_id, at, from_agent_id, to_agent_id)
  values (new.id, clock_timestamp(), old.agent_id, new.agent_id);
  return null;
end
$$;
create trigger stations_note_handover after update of agent_id on stations
  for each row when (old.agent_id is distinct from new.agent_id) execute function note_handover();
