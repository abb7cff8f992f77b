-- What of a kind a partner was told, and what of a kind failed: with ten million deliveries, either condition alone has
-- hundreds of thousands to read through. A list of a kind in any state reads each state by the same indexes.
create index partner_deliveries_of_partner_kind on partner_deliveries (partner_id, kind, state, created_at desc, id desc);
create index partner_deliveries_kind_state on partner_deliveries (kind, state, created_at desc, id desc);
drop index partner_deliveries_kind;
