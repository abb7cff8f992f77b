import type {
  AbnormalRule,
  BillingType,
  CardState,
  ConnectorGroup,
  ConnectorState,
  CustomerState,
  EquipmentType,
  OrderState,
  PaymentState,
  PaymentType,
  Protocol,
  StartMode,
  StationType,
  StopReason,
} from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand, TriggeredMessage } from '@voltdeck/charging/station-command';

/** One name for every state of the trade, the same on every screen; total over the tuples of packages/charging. */
type ChargingKey =
  | `protocol.${Protocol}`
  | `station-type.${StationType}`
  | `equipment-type.${EquipmentType}`
  | `connector-state.${ConnectorState}`
  | `connector-group.${ConnectorGroup}`
  | `order-state.${OrderState}`
  | `payment-state.${PaymentState}`
  | `payment-type.${PaymentType}`
  | `start-mode.${StartMode}`
  | `billing-type.${BillingType}`
  | `stop-reason.${StopReason}`
  | `abnormal-rule.${AbnormalRule}`
  | `abnormal-why.${AbnormalRule}`
  | `card-state.${CardState}`
  | `customer-state.${CustomerState}`
  | `command.${StationCommand['kind']}`
  | `command-outcome.${CommandOutcome['kind']}`
  | `triggered-message.${TriggeredMessage}`
  | `period.${'sharp' | 'peak' | 'flat' | 'valley'}`
  | `station-state.${'online' | 'offline' | 'enabled' | 'disabled'}`
  | `connector-open.${'open' | 'closed'}`;

export const charging = {
  'protocol.ocpp1.6': 'OCPP1.6J',
  'protocol.ykc': '云快充',
  'station-type.fast': '快充',
  'station-type.slow': '慢充',
  'equipment-type.two-wheel': '二轮',
  'equipment-type.four-wheel': '四轮',

  'connector-state.offline': '离线',
  'connector-state.free': '空闲',
  'connector-state.plugged_in': '已插枪',
  'connector-state.starting': '正在启动',
  'connector-state.charging': '充电中',
  'connector-state.suspended': '充电暂停',
  'connector-state.finishing': '待拔枪',
  'connector-state.reserved': '已预约',
  'connector-state.unavailable': '停用',
  'connector-state.fault': '故障',
  'connector-group.free': '空闲',
  'connector-group.occupied': '占用',
  'connector-group.fault': '故障',
  'connector-group.offline': '离线',
  'connector-open.open': '开启',
  'connector-open.closed': '关闭',
  'station-state.online': '在线',
  'station-state.offline': '离线',
  'station-state.enabled': '启用',
  'station-state.disabled': '禁用',

  'order-state.placed': '已下单',
  'order-state.charging': '充电中',
  'order-state.settling': '结算中',
  'order-state.completed': '已完成',
  'order-state.cancelled': '已取消',
  'payment-state.unpaid': '未支付',
  'payment-state.paid': '已支付',
  'payment-state.partly_paid': '部分支付',
  'payment-state.refunded': '已退款',
  'payment-state.partly_refunded': '部分退款',
  'payment-type.card': 'IC卡',
  'payment-type.online': '在线支付',
  'start-mode.card': '刷卡',
  'start-mode.remote': '远程启动',
  'start-mode.scan': '扫码',
  'start-mode.vin': '即插即充',
  'start-mode.partner': '互联互通',
  'billing-type.energy': '按度数计费',
  'billing-type.hour': '按小时计费',
  'period.sharp': '尖',
  'period.peak': '峰',
  'period.flat': '平',
  'period.valley': '谷',

  'stop-reason.local': '桩上停止',
  'stop-reason.remote': '远程停止',
  'stop-reason.balance_exhausted': '余额不足停止',
  'stop-reason.time_limit': '达到最长充电时长',
  'stop-reason.vehicle_disconnected': '车辆断开连接',
  'stop-reason.vehicle_full': '车辆已充满',
  'stop-reason.emergency_stop': '急停按下',
  'stop-reason.power_loss': '充电桩断电',
  'stop-reason.reboot': '充电桩重启',
  'stop-reason.soft_reset': '软重启',
  'stop-reason.hard_reset': '硬重启',
  'stop-reason.unlock_command': '远程解锁',
  'stop-reason.card_deauthorized': '卡授权失效',
  'stop-reason.station_fault': '充电桩故障',
  'stop-reason.no_stop_received': '未收到停止报文',
  'stop-reason.manual_settlement': '手动结算',
  'stop-reason.other': '其他原因',

  'abnormal-rule.no_stop_received': '未收到停止报文',
  'abnormal-rule.meter_backwards': '电表读数倒退',
  'abnormal-rule.meter_jump': '电表读数跳变',
  'abnormal-rule.energy_without_time': '有电量无时长',
  'abnormal-rule.amount_above_prepaid': '金额超出预付',
  'abnormal-rule.station_lost': '充电桩失联',
  'abnormal-rule.settlement_failed': '结算失败',
  'abnormal-rule.price_missing': '缺少计费规则',
  'abnormal-rule.clock_wrong': '充电桩时钟错误',
  'abnormal-rule.card_not_accepted': '卡未通过鉴权',
  'abnormal-rule.start_missing': '缺少启动记录',
  'abnormal-why.no_stop_received': '充电已结束，但充电桩始终没有上报停止。',
  'abnormal-why.meter_backwards': '后一次读数小于前一次，电量按不减少计算。',
  'abnormal-why.meter_jump': '两次读数之间的电量超出该桩最大功率所能输出的电量。',
  'abnormal-why.energy_without_time': '读数有增加，但开始与结束时间相同。',
  'abnormal-why.amount_above_prepaid': '订单金额高于启动时冻结的金额。',
  'abnormal-why.station_lost': '充电过程中失联时间超过允许值。',
  'abnormal-why.settlement_failed': '账单或扣款未能完成，需要人工处理。',
  'abnormal-why.price_missing': '启动时没有可用的计费规则，无法计价。',
  'abnormal-why.clock_wrong': '充电桩上报的时间不可信，已改用接收时间。',
  'abnormal-why.card_not_accepted': '充电桩用未通过鉴权的卡启动了充电。',
  'abnormal-why.start_missing': '收到停止，但没有对应的启动记录。',

  'card-state.active': '正常',
  'card-state.lost': '已挂失',
  'card-state.disabled': '禁用',
  'card-state.cancelled': '已销卡',
  'customer-state.normal': '正常',
  'customer-state.disabled': '禁用',

  'command.start-charge': '远程启动',
  'command.stop-charge': '远程停止',
  'command.reset': '远程重启',
  'command.unlock-connector': '解锁枪口',
  'command.change-availability': '启停用',
  'command.read-configuration': '读取参数',
  'command.write-configuration': '设置参数',
  'command.clear-cache': '清除缓存',
  'command.trigger-message': '触发上报',
  'command.transfer-data': '数据透传',
  'command.raw': '原始指令',
  'command-outcome.accepted': '充电桩已接受',
  'command-outcome.rejected': '充电桩拒绝执行',
  'command-outcome.scheduled': '充电桩将在当前充电结束后执行',
  'command-outcome.reboot-required': '充电桩已接受，重启后生效',
  'command-outcome.not-supported': '充电桩不支持该指令',
  'command-outcome.failed': '充电桩执行失败',
  'command-outcome.configuration': '充电桩返回了参数',
  'command-outcome.data': '充电桩返回了数据',
  'command-outcome.raw': '充电桩返回了应答',
  'command-outcome.station-error': '充电桩返回协议错误',
  'command-outcome.timed-out': '充电桩未在规定时间内应答',
  'command-outcome.offline': '充电桩离线，指令未送达',
  'command-outcome.busy': '充电桩待执行指令过多，请稍后再试',
  'triggered-message.boot': '启动通知',
  'triggered-message.heartbeat': '心跳',
  'triggered-message.readings': '电表读数',
  'triggered-message.connector-state': '枪口状态',
  'triggered-message.diagnostics-status': '诊断状态',
  'triggered-message.firmware-status': '固件状态',
} as const satisfies Record<ChargingKey, string>;
