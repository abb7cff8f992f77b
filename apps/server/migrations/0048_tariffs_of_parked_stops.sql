-- A stop without a start waits for a person with the tariff that its station had when it ended. Those of a rule with
-- choices are left without one: what was chosen is not known here.
with parked as (
  select o.id, o.ended_at, o.station_id
    from orders o
   where o.state = 'settling' and o.waits_for = 'person' and o.tariff is null and o.transaction_number is null
     and not o.was_placed and o.ended_at is not null
), free as (
  update orders o
     set tariff = '{"kind": "energy",
                    "prices": {"sharp": {"electricity": 0, "service": 0}, "peak": {"electricity": 0, "service": 0},
                               "flat": {"electricity": 0, "service": 0}, "valley": {"electricity": 0, "service": 0}},
                    "slots": [{"start": "00:00", "end": "24:00", "period": "flat"}]}'
    from parked p
   where o.id = p.id
     and exists (select from station_free_times f
                  where f.station_id = p.station_id and f.from_at <= p.ended_at
                    and (f.to_at is null or f.to_at > p.ended_at))
  returning o.id
)
update orders o
   set tariff_id = t.id, tariff = t.detail, billing_type = t.kind
  from parked p
  cross join lateral (
    select h.tariff_id from station_tariffs h
     where h.station_id = p.station_id and h.kind = 'card' and (h.from_at <= p.ended_at or h.tariff_id is not null)
     order by h.from_at <= p.ended_at desc, abs(extract(epoch from h.from_at - p.ended_at))
     limit 1) h
  join tariffs t on t.id = h.tariff_id
 where o.id = p.id and p.id not in (select id from free) and t.detail -> 'prepayment' is null;
