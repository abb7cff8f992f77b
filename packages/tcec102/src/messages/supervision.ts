/** Section 9: what platforms of provinces and cities ask for besides. */

import { periodsMax } from './business.ts';
import {
  alarmCode,
  alarmLevel,
  alarmStatus,
  alarmType,
  connectorStatus,
  lockStatus,
  parkStatus,
  payChannel,
  receipt,
} from './codes.ts';
import {
  code,
  dateTime,
  energy,
  identifier,
  integer,
  list,
  money,
  needed,
  object,
  optional,
  organizationCode,
  power,
  price,
  sequence,
  text,
  type ValueFrom,
} from './field.ts';
import { queryStationsInfo, stationIdsMax, stationInfo } from './public.ts';

const service = { spelling: 'service' } as const;
/** PageSize of these platforms unless they name another. */
export const supervisedPageSize = 50;
const itemsMax = 500;
const portsMax = 20_000;
const countMax = 100_000_000;

const pageFields = {
  LastQueryTime: optional(dateTime),
  PageNo: optional(integer(1, countMax), { note: 'default 1' }),
  PageSize: optional(integer(1, countMax), { note: `default ${supervisedPageSize}` }),
} as const;

const answerPageFields = {
  PageNo: needed(integer(0, countMax)),
  PageCount: needed(integer(0, countMax)),
  ItemSize: needed(integer(0, countMax)),
} as const;

/** The person or company of a pile: 999999999 stands for a person. */
const place = {
  OperatorID: needed(organizationCode, { note: 'of the platform' }),
  EquipmentOwnerID: needed(organizationCode, { note: '999999999: a person' }),
  StationID: needed(identifier(20)),
} as const;

const receiptAnswer = object('receipt', { Status: needed(code(receipt)) });

const operatorInfo = object('OperatorInfo', {
  OperatorID: needed(organizationCode),
  OperatorName: needed(text(64)),
  OperatorTel1: optional(text(32)),
  OperatorTel2: optional(text(32)),
  OperatorRegAddress: optional(text(200)),
  OperatorNote: optional(text(255)),
});

export const superviseQueryOperatorInfo = {
  request: object('supervise_query_operator_info', pageFields),
  answer: object('supervise_query_operator_info answer', {
    ...answerPageFields,
    OperatorInfos: needed(list(operatorInfo, itemsMax, { isItemwise: true })),
  }),
};

export const superviseQueryStationsInfo = {
  request: object('supervise_query_stations_info', {
    ...pageFields,
    StationIDs: optional(list(identifier(20), stationIdsMax)),
  }),
  answer: object('supervise_query_stations_info answer', {
    ...answerPageFields,
    StationInfos: needed(list(stationInfo, itemsMax, { isItemwise: true })),
  }),
};

export const supervisedConnectorStatus = object('supervised ConnectorStatusInfo', {
  ...place,
  EquipmentID: needed(identifier(23)),
  ConnectorID: needed(identifier(26)),
  Status: needed(code(connectorStatus)),
  StatusDesc: optional(text(100)),
  ParkStatus: optional(code(parkStatus)),
  LockStatus: optional(code(lockStatus)),
  UpdateTime: needed(dateTime),
});
export type SupervisedConnectorStatus = ValueFrom<typeof supervisedConnectorStatus>;

export const superviseQueryStationStatus = {
  request: object('supervise_query_station_status', {
    ...pageFields,
    StationIDs: optional(list(identifier(20), stationIdsMax)),
  }),
  answer: object('supervise_query_station_status answer', {
    ...answerPageFields,
    ConnectorStatusInfos: needed(list(supervisedConnectorStatus, portsMax, { isItemwise: true }), { sure: 'L' }),
  }),
};

export const superviseNotificationStationStatus = {
  request: object('supervise_notification_station_status', {
    ConnectorStatusInfos: needed(list(supervisedConnectorStatus, portsMax), { sure: 'L' }),
  }),
  answer: receiptAnswer,
};

const connectorPowerInfo = object('ConnectorPowerInfo', {
  ConnectorID: needed(identifier(26)),
  DataTime: needed(dateTime),
  ConnectorRealTimePower: needed(power),
});

const equipmentPowerInfo = object('EquipmentPowerInfo', {
  EquipmentID: needed(identifier(23)),
  DataTime: needed(dateTime),
  EquipRealTimePower: needed(power),
  ConnectorPowerInfos: needed(list(connectorPowerInfo, 64)),
});

export const superviseNotificationRealtimePowerInfo = {
  request: object('supervise_notification_realtime_power_info', {
    ...place,
    DataTime: needed(dateTime),
    StationRealTimePower: needed(power),
    EquipmentPowerInfos: needed(list(equipmentPowerInfo, 1_000)),
  }),
  answer: receiptAnswer,
};

const supervisedDetail = object('supervised ChargeDetail', {
  OrderNo: needed(sequence),
  DetailStartTime: needed(dateTime),
  DetailEndTime: needed(dateTime),
  ElecPrice: optional(price),
  ServicePrice: optional(price, service),
  DetailPower: needed(energy),
  DetailElecMoney: optional(money),
  DetailServiceMoney: optional(money, service),
});

export const supervisedOrder = object('supervised order', {
  ...place,
  EquipmentID: needed(identifier(23)),
  ConnectorID: needed(identifier(26)),
  OrderNo: needed(sequence, { note: 'of the form of a StartChargeSeq' }),
  LicensePlate: optional(text(20)),
  VIN: optional(text(17)),
  Phone: optional(text(20)),
  TotalMoney: needed(money),
  TotalElecMoney: needed(money),
  TotalServiceMoney: needed(money, service),
  TotalElect: needed(energy),
  CuspElect: optional(energy),
  PeakElect: optional(energy),
  FlatElect: optional(energy),
  ValleyElect: optional(energy),
  StartTime: needed(dateTime),
  EndTime: needed(dateTime),
  PaymentAmount: optional(money),
  PayTime: optional(dateTime),
  PayChannel: optional(code(payChannel)),
  DiscountInfo: optional(text(200)),
  StopReason: needed(text(20), { note: 'a text here' }),
  StopDesc: optional(text(100)),
  SumPeriod: optional(integer(0, periodsMax)),
  ChargeDetails: optional(list(supervisedDetail, periodsMax)),
  PushTime: needed(dateTime),
});
export type SupervisedOrder = ValueFrom<typeof supervisedOrder>;

export const superviseNotificationChargeOrderInfo = {
  request: supervisedOrder,
  answer: object('supervise_notification_charge_order_info answer', {
    OrderNo: optional(sequence),
    ConfirmResult: optional(integer(0, 99)),
  }),
};

export const alarmInfo = object('AlarmInfo', {
  OperatorID: optional(organizationCode),
  StationID: needed(identifier(20)),
  EquipmentID: optional(identifier(23)),
  ConnectorID: optional(identifier(26)),
  AlarmTime: needed(dateTime),
  AlarmStatus: needed(code(alarmStatus), { sure: 'M' }),
  AlarmType: needed(code(alarmType), { sure: 'M' }),
  AlarmLevel: needed(code(alarmLevel), { sure: 'M' }),
  AlarmCode: needed(code(alarmCode), {
    sure: 'M',
    note: '101 to 122 are of battery and vehicle, 201 to 206 of distribution',
  }),
});
export type AlarmInfo = ValueFrom<typeof alarmInfo>;

export const notificationAlarmInfo = {
  request: object('notification_alarmInfo', { AlarmInfo: needed(alarmInfo) }),
  answer: receiptAnswer,
};

export const queryAlarmInfo = {
  request: object('query_alarmInfo', {
    StationIDs: optional(list(identifier(20), stationIdsMax)),
    PageNo: queryStationsInfo.request.fields.PageNo,
    PageSize: queryStationsInfo.request.fields.PageSize,
  }),
  answer: object('query_alarmInfo answer', {
    ...answerPageFields,
    AlarmInfos: needed(list(alarmInfo, itemsMax, { isItemwise: true })),
  }),
};
