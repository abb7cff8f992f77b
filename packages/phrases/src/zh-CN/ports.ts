import type { ConnectorKind, NationalStandard } from '@voltdeck/charging/states';

type Choice = Record<`connector-kind.${ConnectorKind}` | `national-standard.${NationalStandard}`, string>;

export const ports = {
  'ports.editTitle': '编辑 {station} {number} 号枪',
  'ports.nameHint': '车主看到的名称，如“1 号枪”“靠电梯口”',
  'ports.bayNumber': '车位号',
  'ports.bayNumberHint': '与地面车位编号一致；会印在二维码标签上',
  'ports.bay': '车位 {number}',
  'ports.formRating': '接口与额定参数',
  'ports.kind': '接口类型',
  'ports.kindHint': '二轮车插座选“家用插座”',
  'ports.nationalStandard': '国家标准',
  'ports.nationalStandardHint': 'GB/T 20234 的年份，见枪头铭牌',
  'ports.ratedVoltage': '额定电压(V)',
  'ports.ratedVoltageMin': '额定电压下限',
  'ports.ratedVoltageMax': '额定电压上限',
  'ports.ratedVoltageHint': '上下限都留空则按充电桩的 {volts} V',
  'ports.ratedCurrent': '额定电流(A)',
  'ports.ratedCurrentA': '额定电流',
  'ports.ratedCurrentHint': '留空则按充电桩的 {amperes} A',
  'ports.ratedPower': '额定功率',
  'ports.ofStation': '{figure}（充电桩）',

  'connector-kind.household_socket': '家用插座',
  'connector-kind.ac_socket': '交流插座',
  'connector-kind.ac_plug': '交流枪',
  'connector-kind.dc_plug': '直流枪',
  'connector-kind.wireless': '无线充电',
  'connector-kind.other': '其他',
  'national-standard.2011': '2011 版',
  'national-standard.2015': '2015 版',
  'national-standard.2023': '2023 版',
} as const satisfies Choice & Record<string, string>;
