-- Test runs of gun ports: charges without a payer, which cost nothing.
alter table orders drop constraint orders_start_mode_check;
alter table orders add constraint orders_start_mode_check
  check (start_mode in ('card', 'remote', 'scan', 'vin', 'partner', 'test'));
alter table orders drop constraint orders_payment_type_check;
alter table orders add constraint orders_payment_type_check check (payment_type in ('card', 'online', 'none'));
-- Whatever a station reports, a test run is on nobody's account.
alter table orders add constraint orders_test_costs_nothing
  check ((start_mode = 'test') = (payment_type = 'none')
         and (start_mode <> 'test' or (card_id is null and customer_id is null and amount_fen = 0 and held_fen = 0)));

create table test_runs (
  order_id bigint primary key constraint test_runs_order references orders (id) on delete cascade,
  connector_id bigint not null,
  minutes integer not null constraint test_runs_minutes check (minutes between 1 and 30),
  -- Who started it.
  user_name text not null,
  -- The station's answer to the start: a CommandOutcome of packages/charging.
  answer jsonb,
  answered_at timestamptz,
  -- Why the station was first asked to stop, and its last answer.
  stop_because text constraint test_runs_stop_because check (stop_because in ('time_limit', 'remote')),
  stop_asked_at timestamptz,
  stop_answer jsonb
);
create index test_runs_connector on test_runs (connector_id, order_id desc);
