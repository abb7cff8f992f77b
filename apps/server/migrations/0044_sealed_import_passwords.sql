-- A password in a checked file is sealed, and only until its station exists: a copy of the database opens nothing.
alter table station_import_rows add column sealed_password bytea;

-- Files that still stand here with passwords in clear: nothing can seal them here, so what was not carried out is
-- uploaded again. Stations would otherwise get passwords that nobody chose.
delete from station_imports
 where id in (select import_id from station_import_rows where cells ? 'password')
   and not exists (select 1 from tasks where tasks.id = station_imports.task_id and tasks.state = 'done');
update station_import_rows set cells = cells - 'password' where cells ? 'password';
