-- An order that a late record moves to another site or agent takes its attempt along, and the sums with it.
create or replace function attempt_follows_order() returns trigger language plpgsql as $$
declare
  attempt start_attempts;
begin
  select * into attempt from start_attempts where order_id = new.id for update;
  if found then
    attempt := follow_order(attempt, new);
    update start_attempts
       set step = attempt.step, drop_out = attempt.drop_out, succeeded = attempt.succeeded,
           energised_at = attempt.energised_at, billed_ms = attempt.billed_ms, energy_wh = attempt.energy_wh,
           occupied_ms = attempt.occupied_ms, plate = attempt.plate, vin = attempt.vin,
           site_id = new.site_id, agent_id = new.agent_id
     where id = attempt.id;
  end if;
  return null;
end
$$;
drop trigger orders_follow_attempt on orders;
create trigger orders_follow_attempt after update of state, waits_for, energy_wh, site_id, agent_id on orders
  for each row when (
    new.start_mode <> 'test'
    and (new.state <> old.state or new.waits_for is distinct from old.waits_for
         or (old.energy_wh = 0 and new.energy_wh > 0)
         or (new.state in ('completed', 'settling') and new.energy_wh <> old.energy_wh)
         or (new.site_id, new.agent_id) is distinct from (old.site_id, old.agent_id)))
  execute function attempt_follows_order();
drop trigger start_attempts_changed on start_attempts;
create trigger start_attempts_changed
  after update of step, drop_out, succeeded, times, answered_ms, billed_ms, energy_wh, occupied_ms, site_id, agent_id
  on start_attempts
  for each row when (
    (old.step, old.drop_out, old.succeeded, old.times, old.answered_ms, old.billed_ms, old.energy_wh, old.occupied_ms,
     old.site_id, old.agent_id)
    is distinct from
    (new.step, new.drop_out, new.succeeded, new.times, new.answered_ms, new.billed_ms, new.energy_wh, new.occupied_ms,
     new.site_id, new.agent_id))
  execute function keep_attempt_whole();

-- A fault of some seconds is the flicker of a relay, and nobody repaired it.
create or replace function follow_port_fault() returns trigger language plpgsql as $$
declare
  fault port_faults;
begin
  if new.state = 'fault' then
    insert into port_faults (connector_id, station_id, from_at)
      values (new.id, new.station_id, coalesce(new.state_at, now())) on conflict do nothing;
    return null;
  end if;
  update port_faults set to_at = greatest(from_at, coalesce(new.state_at, now()))
   where connector_id = new.id and to_at is null returning * into fault;
  if not found then return null; end if;
  if fault.attended_at is null and fault.to_at - fault.from_at < interval '10 seconds' then
    delete from port_faults where id = fault.id;
    return null;
  end if;
  insert into quality_changes (day, site_id, agent_id, equipment_type, measure, bucket, events)
  select quality_day(fault.to_at), s.site_id, s.agent_id, s.equipment_type, 'repair',
         quality_bucket((1000 * extract(epoch from fault.to_at - fault.from_at))::bigint), 1
    from stations s where s.id = new.station_id;
  return null;
end
$$;
