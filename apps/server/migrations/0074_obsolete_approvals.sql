-- An act that waited and whose record was decided in another way meanwhile.
alter table approvals drop constraint approvals_state;
alter table approvals add constraint approvals_state
  check (state in ('waiting', 'approved', 'refused', 'failed', 'withdrawn', 'obsolete'));
