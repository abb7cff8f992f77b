-- Most stations have no row of a price change left open, and the answer of a station to a tariff that is no longer its
-- own says nothing about the one that it waits for.
create or replace function note_price_changes() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from price_change_stations r
                  where r.station_id = new.id and r.state in ('waiting', 'sent', 'refused', 'offline')) then
    return null;
  end if;
  update price_change_stations r
     set state = next.state,
         reason = case next.state
                    when 'skipped' then 'replaced'
                    when 'refused' then concat_ws(':', new.tariff_outcome, new.tariff_answer)
                  end,
         sent_at = case when next.state in ('sent', 'refused', 'taken') then coalesce(new.tariff_asked_at, r.sent_at) else r.sent_at end,
         answered_at = case when next.state in ('refused', 'taken') then clock_timestamp() else r.answered_at end
    from price_changes c,
         lateral (select coalesce((select id from tariffs where id = new.card_tariff_id and kind = 'energy'),
                                  (select id from tariffs where id = new.wechat_tariff_id and kind = 'energy')) as id) own,
         lateral (select case
             when own.id is distinct from c.tariff_id then 'skipped'
             when new.running_tariff_id = own.id then 'taken'
             when not new.online or new.tariff_outcome = 'offline' then 'offline'
             when new.tariff_asked_at is null then 'waiting'
             when new.tariff_outcome is null then 'sent'
             when new.tariff_outcome = 'accepted' then 'waiting'
             else 'refused' end as state) next
   where r.station_id = new.id and r.state in ('waiting', 'sent', 'refused', 'offline')
     and c.id = r.price_change_id and c.state = 'applied' and next.state <> r.state;
  return null;
end
$$;
