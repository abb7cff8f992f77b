/** Section 4 and the extensions: every interface with its direction and both of its bodies. */
import {
  checkChargeOrders,
  notificationChargeOrderInfo,
  notificationChargeOrderInfoForBonus,
  notificationEquipChargeStatus,
  notificationStartChargeResult,
  notificationStationFee,
  notificationStopChargeResult,
  queryEquipAuth,
  queryEquipBusinessPolicy,
  queryEquipChargeStatus,
  queryStartCharge,
  queryStopCharge,
  queryToken,
} from './business.ts';
import type { ObjectKind, Sureness, ValueFrom } from './field.ts';
import {
  notificationStationInfo,
  notificationStationStatus,
  queryStationStats,
  queryStationStatus,
  queryStationsInfo,
} from './public.ts';
import {
  notificationAlarmInfo,
  queryAlarmInfo,
  superviseNotificationChargeOrderInfo,
  superviseNotificationRealtimePowerInfo,
  superviseNotificationStationStatus,
  superviseQueryOperatorInfo,
  superviseQueryStationStatus,
  superviseQueryStationsInfo,
} from './supervision.ts';

/** Who serves an interface: the operator of stations, the operator of customers, a supervising platform, or both. */
export type Server = 'station-operator' | 'customer-operator' | 'supervision' | 'both';

export type InterfaceSchema = {
  readonly server: Server;
  readonly sure: Sureness;
  /** The section of the text, or whose extension it is. */
  readonly section: string;
  readonly request: ObjectKind;
  readonly answer: ObjectKind;
};

export const interfaces = {
  query_token: { server: 'both', sure: 'H', section: '3', ...queryToken },
  query_stations_info: { server: 'station-operator', sure: 'H', section: '5.1', ...queryStationsInfo },
  notification_stationStatus: { server: 'customer-operator', sure: 'H', section: '5.5', ...notificationStationStatus },
  query_station_status: { server: 'station-operator', sure: 'H', section: '5.5', ...queryStationStatus },
  query_station_stats: { server: 'station-operator', sure: 'H', section: '5.6', ...queryStationStats },
  query_equip_auth: { server: 'station-operator', sure: 'H', section: '6.1', ...queryEquipAuth },
  query_equip_business_policy: { server: 'station-operator', sure: 'H', section: '6.2', ...queryEquipBusinessPolicy },
  query_start_charge: { server: 'station-operator', sure: 'H', section: '6.3', ...queryStartCharge },
  notification_start_charge_result: {
    server: 'customer-operator',
    sure: 'H',
    section: '6.4',
    ...notificationStartChargeResult,
  },
  query_equip_charge_status: { server: 'station-operator', sure: 'H', section: '6.5', ...queryEquipChargeStatus },
  notification_equip_charge_status: {
    server: 'customer-operator',
    sure: 'H',
    section: '6.6',
    ...notificationEquipChargeStatus,
  },
  query_stop_charge: { server: 'station-operator', sure: 'H', section: '6.7', ...queryStopCharge },
  notification_stop_charge_result: {
    server: 'customer-operator',
    sure: 'H',
    section: '6.8',
    ...notificationStopChargeResult,
  },
  notification_charge_order_info: {
    server: 'customer-operator',
    sure: 'H',
    section: '6.9',
    ...notificationChargeOrderInfo,
  },
  check_charge_orders: { server: 'customer-operator', sure: 'H', section: '6.10', ...checkChargeOrders },
  notification_stationInfo: {
    server: 'customer-operator',
    sure: 'M',
    section: 'extension',
    ...notificationStationInfo,
  },
  notification_stationFee: { server: 'customer-operator', sure: 'L', section: 'extension', ...notificationStationFee },
  notification_charge_order_info_for_bonus: {
    server: 'supervision',
    sure: 'M',
    section: 'Beijing',
    ...notificationChargeOrderInfoForBonus,
  },
  supervise_query_operator_info: {
    server: 'station-operator',
    sure: 'L',
    section: 'Zhejiang',
    ...superviseQueryOperatorInfo,
  },
  supervise_query_stations_info: {
    server: 'station-operator',
    sure: 'M',
    section: 'Zhejiang',
    ...superviseQueryStationsInfo,
  },
  supervise_query_station_status: {
    server: 'station-operator',
    sure: 'M',
    section: 'Zhejiang',
    ...superviseQueryStationStatus,
  },
  supervise_notification_station_status: {
    server: 'supervision',
    sure: 'L',
    section: 'Zhejiang',
    ...superviseNotificationStationStatus,
  },
  supervise_notification_realtime_power_info: {
    server: 'supervision',
    sure: 'L',
    section: 'Zhejiang',
    ...superviseNotificationRealtimePowerInfo,
  },
  supervise_notification_charge_order_info: {
    server: 'supervision',
    sure: 'L',
    section: 'Zhejiang',
    ...superviseNotificationChargeOrderInfo,
  },
  notification_alarmInfo: { server: 'supervision', sure: 'L', section: 'Shenzhen', ...notificationAlarmInfo },
  query_alarmInfo: { server: 'station-operator', sure: 'L', section: 'Shenzhen', ...queryAlarmInfo },
} as const satisfies { readonly [name: string]: InterfaceSchema };

export type InterfaceName = keyof typeof interfaces;
export type Direction = 'request' | 'answer';

export const interfaceNames = Object.keys(interfaces) as readonly InterfaceName[];

export function isInterfaceName(name: string): name is InterfaceName {
  return Object.hasOwn(interfaces, name);
}

/** The message object of an interface's request or answer. */
export type Message<Name extends InterfaceName, D extends Direction> = ValueFrom<(typeof interfaces)[Name][D]>;
