-- Whom a settling order waits for: its station's word about the end, or a person who looks at what is odd about it.
alter table orders add column waits_for text check (waits_for in ('stop', 'person'));
-- The figures that the person is proposed to settle by: { energyWh, endedAt }.
alter table orders add column proposal jsonb;
alter table orders add column priced_by text check (priced_by in ('station_periods', 'readings', 'hand'));
-- When we heard that the charge began, by our own clock. started_at is the station's.
alter table orders add column begun_at timestamptz;

update orders set waits_for = case when stop_reason = 'no_stop_received' then 'stop' else 'person' end
 where state = 'settling';
update orders set begun_at = started_at where state in ('charging', 'settling');
