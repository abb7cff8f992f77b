-- What an act changes, as it was when its approval ended. Null while it waits, and for those that ended before.
alter table approvals add column facts jsonb;
alter table approvals add constraint approvals_facts check (facts is null or state <> 'waiting');
