-- Why a bill was not taken: it is another merchant's, or its lines do not make its sums. It is fetched again.
alter table channel_bills add column failure text;
alter table channel_bills add constraint channel_bills_failed check (failure is null or lines = 0);
