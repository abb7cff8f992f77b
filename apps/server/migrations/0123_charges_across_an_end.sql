-- The charges that ran across an end of a period are found in this index alone: those that ended after it and began
-- before it, a few of the many that ended that day.
create index orders_ended_and_started on orders (ended_at desc nulls last, id desc) include (state, started_at);
drop index orders_ended;
alter index orders_ended_and_started rename to orders_ended;
