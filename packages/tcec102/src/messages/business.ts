/** Sections 3 and 6: the token, and a charge from the question whether it may begin to the comparison of its order. */
import {
  authFailure,
  chargeState,
  confirmResult,
  connectorStatusOfCharge,
  disputeReason,
  policyFailure,
  priceType,
  receiptFailure,
  startFailure,
  stopFailure,
  stopReason,
  succStat,
  tokenFailure,
} from './codes.ts';
import {
  code,
  current,
  date,
  dateTime,
  energy,
  energyOfBoth,
  identifier,
  integer,
  list,
  money,
  moneyOfBoth,
  needed,
  object,
  optional,
  organizationCode,
  percentOrUnknown,
  power,
  price,
  sequence,
  text,
  timeOfDay,
  type ValueFrom,
  voltage,
} from './field.ts';

/** SumPeriod is 0 to 32 (section 6.2). */
export const periodsMax = 32;
/**
 * Charges that one comparison may list, so that it fits into an envelope. The protocol has no pages: who has more in a
 * day compares parts of it.
 */
export const checkedOrdersMax = 10_000;
/** All that one lists may be disputed, and all that only the other has. */
export const disputedOrdersMax = 2 * checkedOrdersMax;
/** Seven days (section 3). */
export const tokenSecondsMax = 604_800;

const service = { spelling: 'service' } as const;
const elect = { spelling: 'elect' } as const;
const some = { sure: 'M', note: 'an extension' } as const;

const connectorId = identifier(26);
const failureText = optional(text(200), some);

export const queryToken = {
  request: object('query_token', {
    OperatorID: needed(organizationCode, { note: 'the caller’s' }),
    OperatorSecret: needed(identifier(64)),
  }),
  answer: object('query_token answer', {
    OperatorID: needed(organizationCode),
    SuccStat: needed(code(succStat)),
    AccessToken: optional(identifier(512), { note: 'required after a success' }),
    TokenAvailableTime: optional(integer(0, tokenSecondsMax), { note: 'seconds, 7200 as a rule; as AccessToken' }),
    FailReason: needed(code(tokenFailure)),
  }),
};

export const queryEquipAuth = {
  request: object('query_equip_auth', { EquipAuthSeq: needed(sequence), ConnectorID: needed(connectorId) }),
  answer: object('query_equip_auth answer', {
    EquipAuthSeq: needed(sequence),
    ConnectorID: needed(connectorId),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(authFailure)),
    FailReasonMsg: failureText,
    OperatorID: optional(organizationCode, some),
  }),
};

export const policyInfo = object('PolicyInfo', {
  StartTime: needed(timeOfDay, { note: 'lasts until the next one, the last until 24:00 [L]' }),
  ElecPrice: needed(price),
  ServicePrice: needed(price, service),
  PriceType: optional(code(priceType), some),
});
export type PolicyInfo = ValueFrom<typeof policyInfo>;

export const queryEquipBusinessPolicy = {
  request: object('query_equip_business_policy', { EquipBizSeq: needed(sequence), ConnectorID: needed(connectorId) }),
  answer: object('query_equip_business_policy answer', {
    EquipBizSeq: needed(sequence),
    ConnectorID: needed(connectorId),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(policyFailure)),
    SumPeriod: optional(integer(0, periodsMax), { note: 'required after a success' }),
    PolicyInfos: optional(list(policyInfo, periodsMax), { note: 'required after a success' }),
  }),
};

export const queryStartCharge = {
  request: object('query_start_charge', {
    StartChargeSeq: needed(sequence),
    ConnectorID: needed(connectorId),
    QRCode: optional(text(500), { note: 'may be empty' }),
    PhoneNum: optional(text(20), some),
    PlateNum: optional(text(20), some),
    Balance: optional(money, some),
    ChargingAmt: optional(money, some),
    Vin: optional(text(17), some),
  }),
  answer: object('query_start_charge answer', {
    StartChargeSeq: needed(sequence),
    StartChargeSeqStat: needed(code(chargeState)),
    ConnectorID: needed(connectorId),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(startFailure)),
    FailReasonMsg: failureText,
  }),
};

export const notificationStartChargeResult = {
  request: object('notification_start_charge_result', {
    StartChargeSeq: needed(sequence),
    StartChargeSeqStat: needed(code(chargeState), { note: '2 after a success, 4 after a failure' }),
    ConnectorID: needed(connectorId),
    StartTime: optional(dateTime, { note: 'required after a success' }),
    IdentCode: optional(text(64), { note: 'stop code; one platform writes its failure code here' }),
  }),
  answer: object('notification_start_charge_result answer', {
    StartChargeSeq: needed(sequence),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(receiptFailure)),
  }),
};

export const chargeDetail = object('ChargeDetail', {
  DetailStartTime: needed(dateTime),
  DetailEndTime: needed(dateTime),
  ElecPrice: optional(price),
  ServicePrice: optional(price, service),
  DetailPower: needed(energy),
  DetailElecMoney: optional(money),
  DetailServiceMoney: optional(money, service),
});
export type ChargeDetail = ValueFrom<typeof chargeDetail>;

/** Sections 6.5 and 6.6 have the same body. */
export const chargeStatus = object('charge status', {
  StartChargeSeq: needed(sequence),
  StartChargeSeqStat: needed(code(chargeState)),
  ConnectorID: needed(connectorId),
  ConnectorStatus: needed(code(connectorStatusOfCharge)),
  CurrentA: needed(current, { note: 'DC uses A' }),
  CurrentB: optional(current),
  CurrentC: optional(current),
  VoltageA: needed(voltage, { note: 'DC uses A' }),
  VoltageB: optional(voltage),
  VoltageC: optional(voltage),
  Soc: needed(percentOrUnknown, { note: 'default 0; what is above 100 is unknown' }),
  StartTime: optional(dateTime, { note: 'required; empty with some partners before the start' }),
  EndTime: needed(dateTime, { note: 'of this sample' }),
  TotalPower: needed(energy),
  ElecMoney: optional(money, { ...elect, note: 'ElectMoney in the answer of some partners' }),
  ServiceMoney: optional(money, service),
  TotalMoney: optional(money),
  SumPeriod: optional(integer(0, periodsMax)),
  ChargeDetails: optional(list(chargeDetail, periodsMax)),
  Vin: optional(text(17), some),
  PlateNo: optional(text(20), some),
  Phone: optional(text(20), some),
});
export type ChargeStatus = ValueFrom<typeof chargeStatus>;

export const queryEquipChargeStatus = {
  request: object('query_equip_charge_status', { StartChargeSeq: needed(sequence) }),
  answer: chargeStatus,
};

export const notificationEquipChargeStatus = {
  request: chargeStatus,
  answer: object('notification_equip_charge_status answer', {
    StartChargeSeq: needed(sequence),
    SuccStat: needed(code(succStat)),
  }),
};

export const queryStopCharge = {
  request: object('query_stop_charge', { StartChargeSeq: needed(sequence), ConnectorID: needed(connectorId) }),
  answer: object('query_stop_charge answer', {
    StartChargeSeq: needed(sequence),
    StartChargeSeqStat: needed(code(chargeState)),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(stopFailure)),
    FailReasonMsg: failureText,
  }),
};

export const notificationStopChargeResult = {
  request: object('notification_stop_charge_result', {
    StartChargeSeq: needed(sequence),
    StartChargeSeqStat: needed(code(chargeState)),
    ConnectorID: needed(connectorId),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(stopFailure)),
  }),
  answer: object('notification_stop_charge_result answer', {
    StartChargeSeq: needed(sequence),
    SuccStat: needed(code(succStat)),
    FailReason: needed(code(receiptFailure)),
  }),
};

const orderFields = {
  StartChargeSeq: needed(sequence),
  ConnectorID: needed(connectorId),
  StartTime: needed(dateTime),
  EndTime: needed(dateTime),
  TotalPower: needed(energy),
  TotalElecMoney: optional(money, { note: 'required by the text, optional in the joint test' }),
  TotalServiceMoney: optional(money, { ...service, note: 'as TotalElecMoney' }),
  TotalMoney: needed(money),
  StopReason: needed(code(stopReason)),
  SumPeriod: optional(integer(0, periodsMax)),
  ChargeDetails: optional(list(chargeDetail, periodsMax)),
  Vin: optional(text(17), some),
  PlateNo: optional(text(20), some),
  AccountDate: optional(date, { extras: ['joint-test'], sure: 'M' }),
} as const;

export const chargeOrderInfo = object('ChargeOrderInfo', orderFields);
export type ChargeOrderInfo = ValueFrom<typeof chargeOrderInfo>;

const orderConfirmation = object('notification_charge_order_info answer', {
  StartChargeSeq: needed(sequence),
  ConnectorID: needed(connectorId),
  ConfirmResult: needed(code(confirmResult)),
});

export const notificationChargeOrderInfo = { request: chargeOrderInfo, answer: orderConfirmation };

export const notificationChargeOrderInfoForBonus = {
  request: object('ChargeOrderInfo for bonus', {
    ...orderFields,
    ChargeModel: optional(integer(0, 99), { note: 'the source does not say what its numbers mean' }),
    UserName: optional(text(64)),
    StationID: optional(identifier(20)),
    EquipmentID: optional(identifier(23)),
    ConnectorPower: optional(power),
    ChargeLast: optional(integer(0, 10_000_000), { note: 's' }),
    MeterValueStart: optional(energy),
    MeterValueEnd: optional(energy),
  }),
  answer: orderConfirmation,
};

const checkedOrder = object('ChargeOrder', {
  StartChargeSeq: needed(sequence),
  TotalPower: needed(energy),
  TotalMoney: needed(money),
});

const disputedOrder = object('DisputeOrder', {
  StartChargeSeq: needed(sequence),
  TotalPower: needed(energy),
  TotalMoney: needed(money),
  DisputeReason: needed(code(disputeReason)),
});

export const checkChargeOrders = {
  request: object('check_charge_orders', {
    CheckOrderSeq: needed(sequence),
    StartTime: needed(dateTime, { note: 'by the end of the orders' }),
    EndTime: needed(dateTime),
    OrderCount: needed(integer(0, checkedOrdersMax)),
    TotalOrderPower: needed(energy),
    TotalOrderMoney: needed(money),
    ChargeOrders: needed(list(checkedOrder, checkedOrdersMax)),
  }),
  answer: object('check_charge_orders answer', {
    CheckOrderSeq: needed(sequence),
    StartTime: needed(dateTime),
    EndTime: needed(dateTime),
    TotalDisputeOrder: needed(integer(0, disputedOrdersMax)),
    TotalDisputePower: needed(energyOfBoth),
    TotalDisputeMoney: needed(moneyOfBoth),
    DisputeOrders: needed(list(disputedOrder, disputedOrdersMax)),
  }),
};

export const notificationStationFee = {
  request: object('notification_stationFee', {
    StationID: needed(identifier(20)),
    ConnectorID: optional(connectorId),
    SumPeriod: needed(integer(0, periodsMax)),
    PolicyInfos: needed(list(policyInfo, periodsMax)),
  }),
  answer: object('notification_stationFee answer', { Status: needed(integer(0, 99)) }),
};
