-- Ended orders that are no sales: the totals of a list of orders are those of the sales and of these.
create index orders_beside_sales on orders (ended_at) where ended_at is not null and (state = 'cancelled' or start_mode = 'test');
