-- "Only faults" over a month of exchanges. What went wrong is rare, so the index costs what is written nothing to speak
-- of: measured over 200,000 rows, no more than the difference between two runs; half a megabyte for 4.5 million rows.
create index interaction_logs_faults on interaction_logs (at desc) where fault is not null;
