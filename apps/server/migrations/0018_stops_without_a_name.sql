-- A stop without a charge's name that is told again is recognised by itself, also where its end was corrected.
alter table orders add column stop_key text;
create index orders_by_stop_key on orders (stop_key) where stop_key is not null;
