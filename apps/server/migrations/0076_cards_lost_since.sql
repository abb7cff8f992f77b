-- Since when a card is reported lost. It stays when the card is replaced: what was charged in between is the finder's.
alter table cards add column lost_at timestamptz;
update cards set lost_at = told.at
  from (select distinct on (record_id) record_id, action, at from audit_entries
         where record_kind = 'card' and action in ('card.lose', 'card.restore')
         order by record_id, at desc, id desc) told
 where told.record_id = cards.id::text and told.action = 'card.lose' and cards.state in ('lost', 'cancelled');

-- What cards without a holder used of promotions before they were replaced counts for their successors.
with recursive heirs (id, heir_id) as (
  select id, successor_id from cards where successor_id is not null
  union all
  select heirs.id, cards.successor_id from heirs join cards on cards.id = heirs.heir_id
   where cards.successor_id is not null)
update promotion_uses set card_id = heirs.heir_id
  from heirs join cards on cards.id = heirs.heir_id
 where promotion_uses.card_id = heirs.id and cards.successor_id is null;
