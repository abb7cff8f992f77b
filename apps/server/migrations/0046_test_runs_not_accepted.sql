-- A test run that began although its start was not accepted is stopped for that reason.
alter table test_runs drop constraint test_runs_stop_because;
alter table test_runs add constraint test_runs_stop_because
  check (stop_because in ('time_limit', 'remote', 'card_deauthorized'));
