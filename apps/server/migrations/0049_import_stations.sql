-- The station that a row became, whatever number it has now: whether the file of its passwords may still be read depends
-- on whose it is.
alter table station_import_rows add column station_id bigint;
update station_import_rows r set station_id = s.id
  from stations s, station_imports i, tasks t
 where i.id = r.import_id and t.id = i.task_id and t.state = 'done' and r.faults is null
   and s.number = r.cells->>'number';
