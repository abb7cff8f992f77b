-- A price change of an agent says nothing more of a station that another agent has got.
create function leave_price_changes() returns trigger language plpgsql as $$
begin
  update price_change_stations r set state = 'skipped', reason = 'moved'
    from price_changes c
   where r.station_id = new.id and r.state in ('waiting', 'sent', 'refused', 'offline')
     and c.id = r.price_change_id and c.state = 'applied' and c.agent_id is not null
     and r.agent_id is distinct from new.agent_id;
  return null;
end
$$;
create trigger stations_leave_price_changes after update of agent_id on stations
  for each row when (old.agent_id is distinct from new.agent_id) execute function leave_price_changes();
update price_change_stations r set state = 'skipped', reason = 'moved'
  from price_changes c, stations s
 where s.id = r.station_id and r.state in ('waiting', 'sent', 'refused', 'offline')
   and c.id = r.price_change_id and c.state = 'applied' and c.agent_id is not null
   and r.agent_id is distinct from s.agent_id;

-- An identity belongs to whom its station belongs to.
create function give_identity_with_station() returns trigger language plpgsql as $$
begin
  update station_identities set agent_id = new.agent_id
   where station_id = new.id and agent_id is distinct from new.agent_id;
  return null;
end
$$;
create trigger stations_give_identity after update of agent_id on stations
  for each row when (old.agent_id is distinct from new.agent_id) execute function give_identity_with_station();
create function take_agent_of_station() returns trigger language plpgsql as $$
begin
  new.agent_id := (select agent_id from stations where id = new.station_id);
  return new;
end
$$;
create trigger station_identities_agent before insert or update of station_id on station_identities
  for each row when (new.station_id is not null) execute function take_agent_of_station();
update station_identities i set agent_id = s.agent_id
  from stations s where s.id = i.station_id and i.agent_id is distinct from s.agent_id;
