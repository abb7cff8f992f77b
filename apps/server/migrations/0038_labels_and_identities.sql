alter table tasks drop constraint tasks_kind;
alter table tasks add constraint tasks_kind
  check (kind in ('export', 'station-import', 'station-commands', 'rehearsal', 'station-acts', 'station-identities',
                  'label-sheet'));
alter table station_identities
  add column manufacturer text,
  add column equipment_model text;
