-- Days of a comparison that could not be compared, so that one of them does not keep all others waiting.
alter table sale_rebuilds add column failed integer not null default 0;
