/** Bit fields of section 4. A name says what a set bit, or a value other than 0, means. */
import { type BitItem, type BitSet, type Enumeration, enumeration } from './field.ts';

/** The document counts bits from 1, the least significant. */
export const hardwareFaults = bitSet('hardware-fault', 1, null, [
  'emergency-stop',
  'no-rectifier',
  'air-outlet-hot',
  'surge-protector',
  'dc20-lost',
  'fc08-lost',
  'meter-lost',
  'card-reader-lost',
  'rc10-lost',
  'fan-board',
  'dc-fuse',
  'high-voltage-contactor',
  'door-open',
]);

const timeoutState = enumeration('timeout-state', { 0: 'normal', 1: 'timeout', 2: 'untrusted' });
/** 4.2: eight bytes of 2-bit items; null names are undefined. */
export const chargingErrors: BitSet = {
  name: 'charging-error',
  items: [
    pair('crm-00-timeout', 0, timeoutState),
    pair('crm-aa-timeout', 2, timeoutState),
    pair('cts-cml-timeout', 8, timeoutState),
    pair('cro-timeout', 10, timeoutState),
    pair('ccs-timeout', 16, timeoutState),
    pair('cst-timeout', 18, timeoutState),
    pair('csd-timeout', 24, timeoutState),
    { key: 'bms-other', from: 26, width: 6 },
    pair('brm-timeout', 32, timeoutState),
    pair('bcp-timeout', 40, timeoutState),
    pair('bro-timeout', 42, timeoutState),
    pair('bcs-timeout', 48, timeoutState),
    pair('bcl-timeout', 50, timeoutState),
    pair('bst-timeout', 52, timeoutState),
    pair('bsd-timeout', 56, timeoutState),
    { key: 'charger-other', from: 58, width: 6 },
  ],
};

/** 4.3 and 4.4 give no coding of their own; 4.5 and GB/T 27930 agree on this one. */
const faultState = enumeration('fault-state', { 0: 'normal', 1: 'abnormal', 2: 'untrusted' });

export const bmsAbortReasons = bitSet('bms-abort-reason', 2, faultState, [
  'target-soc',
  'target-total-voltage',
  'target-cell-voltage',
  'charger-stopped',
]);
export const bmsAbortFaults = bitSet('bms-abort-fault', 2, faultState, [
  'insulation',
  'output-connector-hot',
  'bms-element-hot',
  'charging-connector',
  'pack-hot',
  'high-voltage-relay',
  'detection-point-2',
  'other',
]);
export const bmsAbortErrors = bitSet('bms-abort-error', 2, faultState, ['over-current', 'voltage-abnormal']);

export const chargerAbortReasons = bitSet('charger-abort-reason', 2, faultState, [
  'condition-reached',
  'manual-stop',
  'abnormal-stop',
  'bms-stopped',
]);
export const chargerAbortFaults = bitSet('charger-abort-fault', 2, faultState, [
  'charger-hot',
  'charging-connector',
  'internal-hot',
  'energy-undeliverable',
  'emergency-stop',
  'other',
]);
export const chargerAbortErrors = bitSet('charger-abort-error', 2, faultState, [
  'current-mismatch',
  'voltage-abnormal',
]);

const levelState = enumeration('level-state', { 0: 'normal', 1: 'high', 2: 'low' });
const excessState = enumeration('excess-state', { 0: 'normal', 1: 'over', 2: 'untrusted' });
const chargingPermission = enumeration('charging-permission', { 0: 'forbidden', 1: 'allowed' });

export const batteryStates: BitSet = {
  name: 'battery-state',
  items: [
    pair('cell-voltage', 0, levelState),
    pair('soc', 2, levelState),
    pair('over-current', 4, excessState),
    pair('over-temperature', 6, excessState),
  ],
};
export const connectionStates: BitSet = {
  name: 'connection-state',
  items: [
    pair('insulation', 0, faultState),
    pair('output-connector', 2, faultState),
    pair('charging-permission', 4, chargingPermission),
  ],
};

export const cellMaximum: BitSet = {
  name: 'cell-maximum',
  items: [
    { key: 'voltage', from: 0, width: 12, decimals: 2, unit: 'V' },
    { key: 'group', from: 12, width: 4 },
  ],
};

function pair(key: string, from: number, meanings: Enumeration): BitItem {
  return { key, from, width: 2, meanings };
}

function bitSet(name: string, width: number, meanings: Enumeration | null, keys: readonly string[]): BitSet {
  return {
    name,
    items: keys.map((key, index) => ({
      key,
      from: index * width,
      width,
      ...(meanings === null ? {} : { meanings }),
    })),
  };
}
