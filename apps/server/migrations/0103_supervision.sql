-- Platforms of authorities are told of every charge at the sites that are open to them, and of what these draw.
alter table partner_deliveries
  drop constraint partner_deliveries_kind,
  add constraint partner_deliveries_kind check (kind in (
    'status', 'start_result', 'charge_status', 'stop_result', 'order', 'order_check', 'station', 'power'));
drop index partner_deliveries_latest;
create unique index partner_deliveries_latest on partner_deliveries (partner_id, kind, subject)
  where state = 'pending' and kind in ('status', 'charge_status', 'station', 'power');

create or replace function tell_partners_of_port() returns trigger language plpgsql as $$
begin
  insert into partner_deliveries (partner_id, kind, subject, connector_id, next_at, created_at)
    select p.id, 'status', new.id::text, new.id, 'epoch', now()
      from stations t
      join sites s on s.id = t.site_id and s.opened_at is not null
      join partner_sites o on o.site_id = s.id
      join partners p on p.id = o.partner_id
     where t.id = new.station_id and p.enabled and p.pushing and 'status' = any (p.pushes)
       and p.role in ('demand', 'both', 'supervision')
    on conflict (partner_id, kind, subject)
      where state = 'pending' and kind in ('status', 'charge_status', 'station', 'power')
      do update set version = partner_deliveries.version + 1;
  return null;
end
$$;

-- A test run is no sale, and nobody supervises it.
create function tell_supervision_of_order() returns trigger language plpgsql as $$
begin
  insert into partner_deliveries (partner_id, kind, subject, order_id, next_at, created_at)
    select p.id, 'order', new.id::text, new.id, 'epoch', now()
      from partner_sites o
      join sites s on s.id = o.site_id and s.opened_at is not null
      join partners p on p.id = o.partner_id
     where o.site_id = new.site_id and p.role = 'supervision' and p.enabled and p.pushing
       and 'orders' = any (p.pushes)
    on conflict do nothing;
  return null;
end
$$;
create trigger orders_tell_supervision after update of state on orders
  for each row when (new.state = 'completed' and old.state <> 'completed' and new.payment_type <> 'none')
  execute function tell_supervision_of_order();

-- When a platform that wants to know what a site draws is told next.
alter table partner_sites add column power_due_at timestamptz not null default 'epoch';
create index partner_sites_power_due on partner_sites (power_due_at);
