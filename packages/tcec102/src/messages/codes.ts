/** The enumerations of sections 5 and 6, and of the extensions. */
import { closedCodes, openCodes } from './field.ts';

export const succStat = closedCodes('SuccStat', { 0: 'success', 1: 'failure' });
export const tokenFailure = closedCodes(
  'token FailReason',
  { 0: 'none', 1: 'no such operator', 2: 'wrong secret' },
  { from: 3, to: 99 },
);
export const authFailure = closedCodes(
  'auth FailReason',
  { 0: 'none', 1: 'gun not plugged in', 2: 'equipment check failed' },
  { from: 3, to: 99 },
);
export const policyFailure = closedCodes(
  'policy FailReason',
  { 0: 'none', 1: 'no policy for this pile' },
  { from: 2, to: 99 },
);
export const startFailure = closedCodes(
  'start FailReason',
  { 0: 'none', 1: 'no such equipment', 2: 'equipment offline' },
  { from: 3, to: 99 },
);
export const stopFailure = closedCodes(
  'stop FailReason',
  { 0: 'none', 1: 'no such equipment', 2: 'equipment offline', 3: 'already stopped' },
  { from: 4, to: 99 },
);
export const receiptFailure = closedCodes(
  'receipt FailReason',
  { 0: 'none', 1: 'receive failed' },
  { from: 2, to: 99 },
);
export const chargeState = closedCodes('StartChargeSeqStat', {
  1: 'starting',
  2: 'charging',
  3: 'stopping',
  4: 'ended',
  5: 'unknown',
});
export const connectorStatus = closedCodes('Status', {
  0: 'offline',
  1: 'free',
  2: 'occupied, not charging',
  3: 'charging',
  4: 'reserved',
  255: 'fault',
});
/** In the state of a charge, which is worth having whatever its operator says of the port. */
export const connectorStatusOfCharge = openCodes('ConnectorStatus', connectorStatus.meanings);
export const parkStatus = openCodes('ParkStatus', { 0: 'unknown', 10: 'free', 50: 'occupied' });
export const lockStatus = openCodes('LockStatus', { 0: 'unknown', 10: 'unlocked', 50: 'locked' });
export const receipt = closedCodes('Status of a push', { 0: 'accepted', 1: 'discarded, not to be retried' });
export const confirmResult = closedCodes('ConfirmResult', { 0: 'success', 1: 'disputed' }, { from: 2, to: 99 });
/** From 5 on each operator has its own. A bill is not refused for a reason that only its operator knows. */
export const stopReason = openCodes('StopReason', {
  0: 'stopped by the user',
  1: 'stopped by the customer’s platform',
  2: 'stopped by the BMS',
  3: 'fault of the charger',
  4: 'connector disconnected',
});
export const disputeReason = closedCodes(
  'DisputeReason',
  { 1: 'order does not exist', 2: 'amount differs', 3: 'energy differs' },
  { from: 4, to: 99 },
);
export const priceType = openCodes('PriceType', { 0: 'sharp', 1: 'peak', 2: 'flat', 3: 'valley' });
export const stationType = openCodes('StationType', {
  1: 'public',
  50: 'private',
  100: 'bus',
  101: 'sanitation',
  102: 'logistics',
  103: 'taxi',
  255: 'other',
});
export const stationStatus = openCodes('StationStatus', {
  0: 'unknown',
  1: 'under construction',
  5: 'closed or offline',
  6: 'maintenance',
  50: 'normal',
});
export const construction = openCodes('Construction', {
  1: 'residential',
  2: 'public institution',
  3: 'enterprise',
  4: 'office building',
  5: 'industrial park',
  6: 'transport hub',
  7: 'large culture or sport venue',
  8: 'urban green',
  9: 'car park of a large building',
  10: 'roadside',
  11: 'motorway service area',
  255: 'other',
});
export const equipmentType = openCodes('EquipmentType', {
  1: 'DC',
  2: 'AC',
  3: 'AC and DC',
  4: 'wireless',
  5: 'other',
});
export const connectorType = openCodes('ConnectorType', {
  1: 'household socket',
  2: 'AC socket',
  3: 'AC plug',
  4: 'DC plug',
  5: 'wireless; high-power AC in Shenzhen',
  6: 'other',
  255: 'other, in Shenzhen',
});
export const nationalStandard = openCodes('NationalStandard', { 1: '2011', 2: '2015', 3: '2011 and 2015', 4: '2023' });
export const noYes = openCodes('no or yes', { 0: 'no', 1: 'yes' });
export const payChannel = openCodes('PayChannel', {
  1: 'Alipay',
  2: 'WeChat',
  3: 'transport card',
  4: 'prepaid card',
  5: 'UnionPay',
  6: 'other',
});
export const operatorType = openCodes('OpratorType', { 1: 'operated by its owner', 2: 'operated for others' });
export const newNationalStandard = openCodes('NewNationalStandard', {
  1: '2011',
  2: '2015',
  3: 'high-power AC',
  255: 'other',
});
export const bmsPowerType = openCodes('BMSPowerType', { 1: '12 V', 2: '24 V', 3: 'adaptive', 255: 'other' });
export const connectorLock = openCodes('ConnectorLock', { 0: 'unknown', 1: 'unlocked', 2: 'locked', 255: 'other' });
export const auxiliaryVolts = openCodes('AuxPower', { 12: '12 V', 24: '24 V' });
export const alarmStatus = closedCodes('AlarmStatus', { 0: 'recovered', 1: 'raised' });
export const alarmType = openCodes('AlarmType', { 1: 'charger', 2: 'battery', 3: 'distribution' });
export const alarmLevel = openCodes('AlarmLevel', { 1: 'personal safety', 2: 'equipment safety', 3: 'hint' });
export const alarmCode = openCodes('AlarmCode', {
  1: 'AC contactor',
  2: 'emergency stop',
  3: 'meter communication',
  4: 'insulation',
  5: 'insulation',
  6: 'insulation',
  7: 'insulation',
  8: 'power loss',
  9: 'smoke',
  10: 'AC breaker',
  11: 'DC contactor',
  12: 'DC fuse',
  13: 'electronic lock',
  14: 'fan',
  15: 'surge arrester',
  16: 'control pilot',
  17: 'pile over temperature',
  18: 'gun over temperature',
  19: 'gun not homed',
  20: 'BMS auxiliary power',
  21: 'precharge',
  22: 'bus voltage while idle',
  23: 'communication with all modules',
  24: 'discharge circuit',
  25: 'voltage off by 5 %',
  26: 'door open',
  27: 'communication with the platform',
  28: 'vehicle connector',
  29: 'high-voltage relay of the vehicle',
  30: 'communication with a module',
  31: 'module',
});
