-- What a gun port is: for drivers who look for it, for supervision and for interconnected operators (T/CEC 102,
-- ConnectorInfo). Null is not entered; without own figures the station's rated voltage and current count.
alter table connectors
  add column bay_number text constraint connectors_bay_number check (char_length(bay_number) between 1 and 10),
  add column kind text constraint connectors_kind
    check (kind in ('household_socket', 'ac_socket', 'ac_plug', 'dc_plug', 'wireless', 'other')),
  add column national_standard text constraint connectors_national_standard
    check (national_standard in ('2011', '2015', '2023')),
  add column rated_voltage_min_v integer,
  add column rated_voltage_max_v integer,
  add column rated_current_a integer,
  add column rated_power_w integer,
  add constraint connectors_rated_voltage check (rated_voltage_min_v <= rated_voltage_max_v);
