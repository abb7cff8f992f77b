-- Whichever way a station gets another rule, what it answered to the former one says nothing about the new one, and the
-- interval between two tries must not keep the new one from it.
create function forget_tariff_question() returns trigger language plpgsql as $$
begin
  new.tariff_asked_at := null;
  new.tariff_outcome := null;
  new.tariff_answer := null;
  return new;
end
$$;
create trigger stations_forget_tariff_question before update of card_tariff_id, wechat_tariff_id on stations
  for each row
  when (old.card_tariff_id is distinct from new.card_tariff_id or old.wechat_tariff_id is distinct from new.wechat_tariff_id)
  execute function forget_tariff_question();
