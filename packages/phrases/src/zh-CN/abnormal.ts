import type { AbnormalRule } from '@voltdeck/charging/states';

/** Why an order is marked, said on its page alone: a browser fetches it with that. */
export const abnormal = {
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
  'abnormal-why.amount_differs': '充电桩自行计算的金额与平台按同样电量计算的金额不一致。',
  'abnormal-why.energy_implausible': '电量超出该桩按额定功率在此时长内所能输出的电量。人工结算前不扣款。',
  'abnormal-why.record_contradicts': '交易记录中的总电量与分时电量、电表读数都对不上。人工结算前不扣款。',
  'abnormal-why.record_unasked':
    '充电桩上报了一笔平台未启动的充电：该卡未下发为离线卡，或同一枪口当时另有充电。人工结算前不扣款。',
  'abnormal-why.register_missing': '充电桩没有上报可用的电表读数，已改用充电过程中的读数。',
  'abnormal-why.port_unregistered': '充电发生在该桩未登记的枪口上。',
  'abnormal-why.stop_differs': '订单结算后又收到停止报文，电量与已结算的不同。',
  'abnormal-why.message_failed': '该笔充电的一条报文未能处理，原文保留在下方。',
} as const satisfies Record<`abnormal-why.${AbnormalRule}`, string>;
