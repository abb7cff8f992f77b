-- The part of a transfer that came by the embedded channel: play money stays play money in whichever wallet it is.
alter table wallet_transfers add column play_fen bigint not null default 0
  constraint wallet_transfers_play check (play_fen between 0 and paid_fen);
create index recharges_embedded_customer on recharges (customer_id) where channel = 'embedded' and customer_id is not null;
create index recharges_embedded_card on recharges (card_id) where channel = 'embedded' and card_id is not null;

-- Earlier transfers, the oldest first, because each takes along what earlier ones brought.
do $$
declare
  moved record;
  play bigint;
begin
  if not exists (select 1 from recharges where channel = 'embedded') then
    return;
  end if;
  for moved in select * from wallet_transfers where paid_fen > 0 order by id loop
    select coalesce((select sum(amount_fen - refunded_fen) from recharges
                      where channel = 'embedded' and reversed_at is null and created_at <= moved.created_at
                        and (customer_id = moved.from_customer_id or card_id = moved.from_card_id)), 0)
         + coalesce((select sum(play_fen) from wallet_transfers
                      where id < moved.id
                        and (to_customer_id = moved.from_customer_id or to_card_id = moved.from_card_id)), 0)
         - coalesce((select sum(play_fen) from wallet_transfers
                      where id < moved.id
                        and (from_customer_id = moved.from_customer_id or from_card_id = moved.from_card_id)), 0)
         - coalesce((select sum(amount_fen) from withdrawals
                      where customer_id = moved.from_customer_id and way = 'embedded'
                        and (frozen or state = 'withdrawn') and applied_at <= moved.created_at), 0)
      into play;
    if play > 0 then
      update wallet_transfers set play_fen = least(play, moved.paid_fen) where id = moved.id;
    end if;
  end loop;
end
$$;
