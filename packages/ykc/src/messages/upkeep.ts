/** Balance, offline cards, work parameters, ground lock, reboot and firmware. */
import {
  ascii,
  count,
  digits,
  entryList,
  enumeration,
  gunNo,
  listMessage,
  message,
  pileNo,
  raw,
  reserved,
  u8,
  u16,
  u32,
} from './field.ts';
import { outcome } from './outcomes.ts';

export const balanceVerdict = enumeration('balance-verdict', { 0: 'ok', 1: 'wrong-pile-no', 2: 'wrong-card-no' });
export const cardSyncFailure = enumeration('card-sync-failure', {
  0: 'none',
  1: 'card-no-format-wrong',
  2: 'storage-full',
});
/** The document prints "cleared" as 2 in one row and as 0 in another. */
export const cardClearReason = enumeration('card-clear-reason', {
  0: 'cleared',
  1: 'card-no-format-wrong',
  2: 'cleared',
});
export const cardClearMark = enumeration('card-clear-mark', { 0: 'failed', 1: 'cleared' });
export const cardPresence = enumeration('card-presence', { 0: 'absent', 1: 'present' });
export const workPermission = enumeration('work-permission', { 0: 'allowed', 1: 'stopped' });
export const lockState = enumeration('lock-state', { 0: 'moving', 85: 'raised', 255: 'lowered' });
export const spaceState = enumeration('space-state', { 0: 'free', 255: 'occupied' });
export const lockAlarm = enumeration('lock-alarm', { 0: 'none', 85: 'movement-abnormal', 255: 'arm-damaged' });
export const lockAction = enumeration('lock-action', { 85: 'raise', 255: 'lower' });
export const execution = enumeration('execution', { 1: 'immediately', 2: 'when-idle' });
/** Counts from 1, unlike the type that a pile sends at login. */
export const pileModel = enumeration('pile-model', { 1: 'dc', 2: 'ac' });
export const otaState = enumeration('ota-state', {
  0: 'ok',
  1: 'wrong-pile-no',
  2: 'model-mismatch',
  3: 'download-timeout',
});

const physCardNo = raw('physCardNo', 8, { note: 'UID in wire order, padded with zeros on the left' });
const when = u8('when', { meanings: execution });
const setResult = u8('result', { meanings: outcome, label: 'setResult' });

export const balanceUpdate = message(
  'balance-update',
  0x42,
  [pileNo, gunNo, physCardNo, u32('balance', { decimals: 2, unit: 'yuan', label: 'newBalance' })],
  { answer: 'balance-update-reply' },
);
export const balanceUpdateReply = message('balance-update-reply', 0x41, [
  pileNo,
  physCardNo,
  u8('result', { meanings: balanceVerdict, label: 'updateResult' }),
]);

export const offlineCardSync = listMessage(
  'offline-card-sync',
  0x44,
  [pileNo, count],
  entryList('cards', [digits('logicCardNo', 8), physCardNo], 1, 15),
  { answer: 'offline-card-sync-reply' },
);
export const offlineCardSyncReply = message('offline-card-sync-reply', 0x43, [
  pileNo,
  u8('result', { meanings: outcome, label: 'saveResult' }),
  u8('failReason', { meanings: cardSyncFailure }),
]);
export const offlineCardClear = listMessage(
  'offline-card-clear',
  0x46,
  [pileNo, count],
  entryList('cards', [physCardNo], 1, 24),
  { answer: 'offline-card-clear-reply' },
);
export const offlineCardClearReply = listMessage(
  'offline-card-clear-reply',
  0x45,
  [pileNo],
  entryList(
    'items',
    [physCardNo, u8('cleared', { meanings: cardClearMark }), u8('failReason', { meanings: cardClearReason })],
    0,
    24,
  ),
);
export const offlineCardQuery = listMessage(
  'offline-card-query',
  0x48,
  [pileNo, count],
  entryList('cards', [physCardNo], 1, 26),
  { answer: 'offline-card-query-reply' },
);
export const offlineCardQueryReply = listMessage(
  'offline-card-query-reply',
  0x47,
  [pileNo],
  entryList('items', [physCardNo, u8('result', { meanings: cardPresence, label: 'queryResult' })], 0, 26),
);

export const workParameterSet = message(
  'work-parameter-set',
  0x52,
  [pileNo, u8('disabled', { meanings: workPermission }), u8('maxPowerPct', { unit: 'percent', note: '30 to 100' })],
  { answer: 'work-parameter-reply' },
);
export const workParameterReply = message('work-parameter-reply', 0x51, [pileNo, setResult]);

const lockGunNo = u8('gunNo', { note: 'binary here' });
export const groundLockReport = message('ground-lock-report', 0x61, [
  pileNo,
  lockGunNo,
  u8('lockState', { meanings: lockState }),
  u8('spaceState', { meanings: spaceState }),
  u8('battery', { unit: 'percent' }),
  u8('alarm', { meanings: lockAlarm }),
  reserved('reserved', 4),
]);
export const groundLockCommand = message(
  'ground-lock-command',
  0x62,
  [pileNo, lockGunNo, u8('action', { meanings: lockAction }), reserved('reserved', 4)],
  { answer: 'ground-lock-command-reply' },
);
export const groundLockCommandReply = message('ground-lock-command-reply', 0x63, [
  pileNo,
  lockGunNo,
  u8('result', { meanings: outcome, label: 'lockResult' }),
  reserved('reserved', 4),
]);

export const reboot = message('reboot', 0x92, [pileNo, when], { answer: 'reboot-reply' });
export const rebootReply = message('reboot-reply', 0x91, [pileNo, setResult]);
export const otaUpdate = message(
  'ota-update',
  0x94,
  [
    pileNo,
    u8('pileModel', { meanings: pileModel }),
    u16('power', { unit: 'kW' }),
    ascii('host', 16),
    u16('port'),
    ascii('user', 16),
    ascii('password', 16, { label: 'otaPassword' }),
    ascii('path', 32),
    when,
    u8('timeoutMin', { unit: 'min' }),
  ],
  { answer: 'ota-reply' },
);
export const otaReply = message('ota-reply', 0x93, [pileNo, u8('state', { meanings: otaState, label: 'otaState' })]);
