-- Whether a gun port has an order is asked before it is deleted, also for orders that never began.
drop index orders_connector_started;
create index orders_connector on orders (connector_id, started_at desc);
