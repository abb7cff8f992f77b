-- The first charge is the one that ended first, whichever was settled first: one that a station tells late, or that is
-- uploaded after it was offline, takes the place of a later one.
create function place_first_charge(o orders) returns void language plpgsql as $$
declare
  card bigint := case when o.customer_id is null then o.card_id end;
  earlier first_charges;
begin
  if coalesce(o.customer_id, card) is null then return; end if;
  insert into first_charges (order_id, customer_id, card_id) values (o.id, o.customer_id, card) on conflict do nothing;
  if found then return; end if;
  select f.* into earlier from first_charges f
   where f.customer_id is not distinct from o.customer_id and f.card_id is not distinct from card for update;
  if earlier.order_id = o.id or exists (
       select 1 from orders e where e.id = earlier.order_id and is_sale(e) and (e.ended_at, e.id) < (o.ended_at, o.id)) then
    return;
  end if;
  update first_charges set order_id = o.id where order_id = earlier.order_id;
  insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
    first_orders)
  select e.id, date_trunc('hour', e.ended_at, 'UTC'), e.site_id, e.agent_id, e.station_id, e.connector_id, e.start_mode,
         e.payment_type, -1
    from orders e where e.id = earlier.order_id and is_sale(e);
end
$$;

create or replace function note_sale() returns trigger language plpgsql as $$
declare
  was boolean := false;
begin
  if tg_op = 'UPDATE' then was := is_sale(old); end if;
  if not was then
    if is_sale(new) then
      perform place_first_charge(new);
      perform write_sale(new, 1, false);
    end if;
  elsif not is_sale(new) then
    perform write_sale(old, -1, true);
  elsif (old.ended_at, old.started_at, old.placed_at, old.site_id, old.agent_id, old.station_id, old.connector_id,
         old.start_mode, old.payment_type, old.energy_wh, old.electricity_fee_fen, old.service_fee_fen, old.amount_fen,
         old.discount_fen)
        is distinct from
        (new.ended_at, new.started_at, new.placed_at, new.site_id, new.agent_id, new.station_id, new.connector_id,
         new.start_mode, new.payment_type, new.energy_wh, new.electricity_fee_fen, new.service_fee_fen, new.amount_fen,
         new.discount_fen) then
    perform write_sale(old, -1, true);
    perform write_sale(new, 1, true);
  else
    insert into sale_changes (order_id, hour_at, site_id, agent_id, station_id, connector_id, start_mode, payment_type,
      gift_fen, paid_fen, refunded_fen, forgiven_fen, written_off_fen)
    values (new.id, date_trunc('hour', new.ended_at, 'UTC'), new.site_id, new.agent_id, new.station_id, new.connector_id,
      new.start_mode, new.payment_type,
      new.gift_paid_fen - new.refunded_gift_fen - old.gift_paid_fen + old.refunded_gift_fen, new.paid_fen - old.paid_fen,
      new.refunded_fen - old.refunded_fen, new.forgiven_fen - old.forgiven_fen, new.written_off_fen - old.written_off_fen);
  end if;
  return null;
end
$$;
