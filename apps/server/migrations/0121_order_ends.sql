-- Orders by what their number ends with, with all that the search looks at before it shows some: a thousand numbers of ten
-- million end alike, and each would be read from the table.
drop index orders_number_end;
create index orders_number_end on orders (reverse(number)) include (number, id, state, agent_id, customer_id);
