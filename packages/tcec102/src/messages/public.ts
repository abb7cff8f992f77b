/** Section 5: what partners tell each other of stations, their states and their statistics. */
import {
  auxiliaryVolts,
  bmsPowerType,
  connectorLock,
  connectorStatus,
  connectorType,
  construction,
  equipmentType,
  lockStatus,
  nationalStandard,
  newNationalStandard,
  noYes,
  operatorType,
  parkStatus,
  receipt,
  stationStatus,
  stationType,
} from './codes.ts';
import {
  coarseEnergy,
  code,
  current,
  date,
  dateTime,
  energy,
  identifier,
  integer,
  latitude,
  list,
  longitude,
  needed,
  object,
  optional,
  organizationCode,
  power,
  taxRate,
  temperature,
  text,
  type ValueFrom,
  voltage,
} from './field.ts';

const shenzhen = { extras: ['shenzhen'], sure: 'M' } as const;
const jointTest = { extras: ['joint-test'], sure: 'M' } as const;

/** Items of one site that are read: the largest known have some hundred piles. */
const equipmentsMax = 1_000;
const connectorsMax = 64;
export const picturesMax = 20;
/** Pages that are read may be larger than those that we answer. */
const pageItemsMax = 500;
/** Stations that one status query may name (section 5.5). */
export const stationIdsMax = 50;
const countMax = 100_000_000;

export const connectorInfo = object('ConnectorInfo', {
  ConnectorID: needed(identifier(26)),
  ConnectorName: optional(text(30)),
  ConnectorType: needed(code(connectorType)),
  VoltageUpperLimits: needed(integer(0, 10_000), { note: 'V' }),
  VoltageLowerLimits: needed(integer(0, 10_000), { note: 'V' }),
  Current: needed(integer(0, 10_000), { note: 'A' }),
  Power: needed(power),
  ParkNo: optional(text(10)),
  NationalStandard: needed(code(nationalStandard), { note: '3 and 4 are of later editions [L]' }),
  Voltage: optional(integer(0, 10_000), { ...shenzhen, note: 'V' }),
  BMSPowerType: optional(code(bmsPowerType), shenzhen),
  AuxPower: optional(code(auxiliaryVolts), jointTest),
  StartType: optional(integer(0, 1), jointTest),
});
export type ConnectorInfo = ValueFrom<typeof connectorInfo>;

export const equipmentInfo = object('EquipmentInfo', {
  EquipmentID: needed(identifier(23)),
  ManufacturerID: optional(organizationCode),
  ManufacturerName: optional(text(30)),
  EquipmentModel: optional(text(20)),
  ProductionDate: optional(date),
  EquipmentType: needed(code(equipmentType)),
  ConnectorInfos: needed(list(connectorInfo, connectorsMax)),
  EquipmentLng: optional(longitude),
  EquipmentLat: optional(latitude),
  Power: needed(power),
  EquipmentName: optional(text(30)),
  EquipmentStatus: optional(code(stationStatus), shenzhen),
  EquipmentPower: optional(power, shenzhen),
  NewNationalStandard: optional(code(newNationalStandard), shenzhen),
});
export type EquipmentInfo = ValueFrom<typeof equipmentInfo>;

export const stationInfo = object('StationInfo', {
  StationID: needed(identifier(20), { note: 'unique within the operator' }),
  OperatorID: needed(organizationCode),
  EquipmentOwnerID: needed(organizationCode),
  StationName: needed(text(50)),
  CountryCode: needed(text(2), { note: 'CN' }),
  AreaCode: needed(text(20), { note: 'GB/T 2260, six digits' }),
  Address: needed(text(50, { shenzhen: 200 })),
  StationTel: optional(text(30)),
  ServiceTel: needed(text(30)),
  StationType: needed(code(stationType)),
  StationStatus: needed(code(stationStatus)),
  ParkNums: needed(integer(0, 1_000_000), { note: '0: unknown' }),
  StationLng: needed(longitude, { note: 'GCJ-02' }),
  StationLat: needed(latitude, { note: 'GCJ-02' }),
  SiteGuide: optional(text(100)),
  Construction: needed(code(construction)),
  Pictures: optional(list(text(500), picturesMax), { note: 'addresses' }),
  MatchCars: optional(text(100)),
  ParkInfo: optional(text(100)),
  BusineHours: optional(text(100), { note: 'spelt so' }),
  ElectricityFee: optional(text(256)),
  ServiceFee: optional(text(100, { shenzhen: 256 })),
  ParkFee: optional(text(100)),
  Payment: optional(text(20)),
  SupportOrder: optional(code(noYes), { note: 'reservation; 0 is the default' }),
  Remark: optional(text(100)),
  ParkOwner: optional(text(100), shenzhen),
  ParkManager: optional(text(100), shenzhen),
  OpenAllDay: optional(code(noYes), shenzhen),
  ParkFree: optional(code(noYes), shenzhen),
  OpratorType: optional(code(operatorType), { ...shenzhen, note: 'spelt so' }),
  BusineHours724: optional(code(noYes), jointTest),
  BusineHoursFormat: optional(text(100), jointTest),
  ParkFeeFree: optional(integer(0, 4), { ...jointTest, note: 'the source does not say what its numbers mean' }),
  ElectricityTax: optional(taxRate, jointTest),
  ServiceTax: optional(taxRate, jointTest),
  EquipmentInfos: needed(list(equipmentInfo, equipmentsMax)),
});
export type StationInfo = ValueFrom<typeof stationInfo>;

export const connectorStatusInfo = object('ConnectorStatusInfo', {
  ConnectorID: needed(identifier(26)),
  Status: needed(code(connectorStatus)),
  ParkStatus: optional(code(parkStatus)),
  LockStatus: optional(code(lockStatus)),
  CurrentA: optional(current, shenzhen),
  CurrentB: optional(current, shenzhen),
  CurrentC: optional(current, shenzhen),
  VoltageA: optional(voltage, shenzhen),
  VoltageB: optional(voltage, shenzhen),
  VoltageC: optional(voltage, shenzhen),
  SOC: optional(integer(0, 100), shenzhen),
  ConnectorTemp: optional(temperature, shenzhen),
  EquipmentTemp: optional(temperature, shenzhen),
  ConnectorLock: optional(code(connectorLock), shenzhen),
  ChargeElectricity: optional(energy, shenzhen),
  DischargeElectricity: optional(energy, shenzhen),
});
export type ConnectorStatusInfo = ValueFrom<typeof connectorStatusInfo>;

export const stationStatusInfo = object('StationStatusInfo', {
  StationID: needed(identifier(20)),
  FullStationID: optional(identifier(29), { sure: 'M', note: 'OperatorID and StationID, with some partners' }),
  ConnectorStatusInfos: needed(list(connectorStatusInfo, equipmentsMax * connectorsMax, { isItemwise: true })),
});
export type StationStatusInfo = ValueFrom<typeof stationStatusInfo>;

export const queryStationsInfo = {
  request: object('query_stations_info', {
    LastQueryTime: optional(dateTime, { note: 'empty or absent: all; otherwise those that changed since' }),
    PageNo: optional(integer(1, countMax), { note: 'default 1' }),
    PageSize: optional(integer(1, countMax), { note: 'default 10' }),
  }),
  answer: object('query_stations_info answer', {
    PageNo: needed(integer(0, countMax), { note: 'the requested one, even beyond the end' }),
    PageCount: needed(integer(0, countMax)),
    ItemSize: needed(integer(0, countMax), { note: 'all matching stations' }),
    StationInfos: needed(list(stationInfo, pageItemsMax, { isItemwise: true, idField: 'StationID' })),
  }),
};

export const notificationStationInfo = {
  request: object('notification_stationInfo', { StationInfo: needed(stationInfo) }),
  answer: object('notification_stationInfo answer', { Status: needed(code(receipt)) }),
};

export const notificationStationStatus = {
  request: object('notification_stationStatus', { ConnectorStatusInfo: needed(connectorStatusInfo) }),
  answer: object('notification_stationStatus answer', { Status: needed(code(receipt)) }),
};

export const queryStationStatus = {
  request: object('query_station_status', {
    StationIDs: needed(list(identifier(20), stationIdsMax, { itemsMin: 1 })),
  }),
  answer: object('query_station_status answer', {
    Total: needed(integer(0, countMax, true), { note: 'a text with some partners' }),
    StationStatusInfos: needed(list(stationStatusInfo, pageItemsMax, { isItemwise: true })),
  }),
};

const connectorStatsInfo = object('ConnectorStatsInfo', {
  ConnectorID: needed(identifier(26)),
  ConnectorElectricity: needed(coarseEnergy),
});

const equipmentStatsInfo = object('EquipmentStatsInfo', {
  EquipmentID: needed(identifier(23)),
  EquipmentElectricity: needed(coarseEnergy),
  ConnectorStatsInfos: needed(list(connectorStatsInfo, connectorsMax)),
});

export const stationStatsInfo = object('StationStatsInfo', {
  StationID: needed(identifier(20)),
  StartTime: needed(date),
  EndTime: needed(date),
  StationElectricity: needed(coarseEnergy),
  EquipmentStatsInfos: needed(list(equipmentStatsInfo, equipmentsMax)),
});
export type StationStatsInfo = ValueFrom<typeof stationStatsInfo>;

export const queryStationStats = {
  request: object('query_station_stats', {
    StationID: needed(identifier(20)),
    StartTime: needed(date),
    EndTime: needed(date, { note: 'at most seven days [M]' }),
  }),
  answer: object('query_station_stats answer', { StationStats: needed(stationStatsInfo) }),
};
