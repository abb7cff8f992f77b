-- The hourly job finds what is past its retention without reading the whole history.
create index station_tariffs_from on station_tariffs (from_at);
