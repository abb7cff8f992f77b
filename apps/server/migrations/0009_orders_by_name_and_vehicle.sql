-- Of all stations and with the cancelled ones: a record may come for an order that was cancelled, and people look for it.
create index orders_transaction_key_any on orders (transaction_key) where transaction_key is not null;
create index orders_vin on orders (vin, placed_at desc, id desc) where vin is not null;
create index vehicles_plate on vehicles (plate) where plate is not null;
