/** Starting and stopping a charge, alone or in parallel, and its record. */
import {
  ascii,
  digits,
  enumeration,
  gunNo,
  message,
  pileNo,
  raw,
  reversedAscii,
  time,
  tradeNo,
  u8,
  u32,
  uint,
} from './field.ts';
import { noYes, outcome } from './outcomes.ts';
import { stopReason } from './stop-reasons.ts';

export const startMode = enumeration('start-mode', { 1: 'card', 2: 'account', 3: 'vin' });
export const applicationRefusal = enumeration('application-refusal', {
  0: 'none',
  1: 'account-unknown',
  2: 'account-frozen',
  3: 'insufficient-balance',
  4: 'card-unsettled',
  5: 'pile-disabled',
  6: 'account-not-allowed-here',
  7: 'wrong-password',
  8: 'capacity-insufficient',
  9: 'vin-unknown',
  10: 'pile-unsettled',
  11: 'cards-not-supported',
});
export const startFailure = enumeration('start-failure', {
  0: 'none',
  1: 'pile-no-mismatch',
  2: 'already-charging',
  3: 'equipment-fault',
  4: 'equipment-offline',
  5: 'not-plugged',
});
export const stopFailure = enumeration('stop-failure', {
  0: 'none',
  1: 'pile-no-mismatch',
  2: 'not-charging',
  3: 'other',
});
const gunRole = enumeration('gun-role', { 0: 'master', 1: 'auxiliary' });
export const startFlag = enumeration('start-flag', { 1: 'app', 2: 'card', 4: 'offline-card', 5: 'vin' });
export const recordVerdict = enumeration('record-verdict', { 0: 'accepted', 1: 'illegal' });

const balance = u32('balance', { decimals: 2, unit: 'yuan' });
const logicCardNo = digits('logicCardNo', 8, { note: '16 digits, the number printed on the card' });
const physCardNo = raw('physCardNo', 8, { note: 'UID in wire order, padded with zeros on the left' });
const masterFlag = u8('masterFlag', { meanings: gunRole });
const parallelNo = digits('parallelNo', 6, { note: 'yyMMddHHmmss, the same for every gun of a parallel charge' });

const application = [
  pileNo,
  gunNo,
  u8('startMode', { meanings: startMode }),
  u8('needPassword', { meanings: noYes }),
  raw('account', 8, { note: 'account or UID of the card, padded with zeros on the left' }),
  raw('password', 16, { note: 'in practice 16 hex characters, the middle half of an MD5' }),
  reversedAscii('vin', 17, { note: 'only when started by VIN; last character first on the wire' }),
] as const;
const applicationAnswer = [
  tradeNo,
  pileNo,
  gunNo,
  logicCardNo,
  balance,
  u8('authOk', { meanings: outcome }),
  u8('failReason', { meanings: applicationRefusal }),
] as const;
const start = [tradeNo, pileNo, gunNo, logicCardNo, physCardNo, balance] as const;
const startReply = [
  tradeNo,
  pileNo,
  gunNo,
  u8('result', { meanings: outcome, label: 'startResult' }),
  u8('failReason', { meanings: startFailure }),
] as const;

export const chargeApplication = message('charge-application', 0x31, application, {
  answer: 'charge-application-answer',
});
export const chargeApplicationAnswer = message('charge-application-answer', 0x32, applicationAnswer);
export const remoteStart = message('remote-start', 0x34, start, { answer: 'remote-start-reply' });
export const remoteStartReply = message('remote-start-reply', 0x33, startReply);
export const remoteStop = message('remote-stop', 0x36, [pileNo, gunNo], { answer: 'remote-stop-reply' });
export const remoteStopReply = message('remote-stop-reply', 0x35, [
  pileNo,
  gunNo,
  u8('result', { meanings: outcome, label: 'stopResult' }),
  u8('failReason', { meanings: stopFailure }),
]);

const price = { decimals: 5, unit: 'yuan-per-kwh', note: 'energy and service price summed' } as const;
const energy = { decimals: 4, unit: 'kWh' } as const;
const amount = { decimals: 4, unit: 'yuan' } as const;

export const transactionRecord = message(
  'transaction-record',
  0x3b,
  [
    tradeNo,
    pileNo,
    gunNo,
    time('startTime'),
    time('endTime'),
    u32('sharpPrice', price),
    u32('sharpEnergy', energy),
    u32('sharpLossEnergy', energy),
    u32('sharpAmount', amount),
    u32('peakPrice', price),
    u32('peakEnergy', energy),
    u32('peakLossEnergy', energy),
    u32('peakAmount', amount),
    u32('flatPrice', price),
    u32('flatEnergy', energy),
    u32('flatLossEnergy', energy),
    u32('flatAmount', amount),
    u32('valleyPrice', price),
    u32('valleyEnergy', energy),
    u32('valleyLossEnergy', energy),
    u32('valleyAmount', amount),
    uint('meterStart', 5, energy),
    uint('meterEnd', 5, energy),
    u32('totalEnergy', energy),
    u32('totalLossEnergy', energy),
    u32('totalAmount', { ...amount, note: 'energy and service' }),
    ascii('vin', 17, { note: 'in normal order here' }),
    u8('startFlag', { meanings: startFlag, note: "vendors' own values occur" }),
    time('tradeTime'),
    u8('stopReason', { meanings: stopReason }),
    physCardNo,
  ],
  { answer: 'transaction-record-confirm' },
);
export const transactionRecordConfirm = message('transaction-record-confirm', 0x40, [
  tradeNo,
  u8('result', { meanings: recordVerdict, label: 'confirmResult', note: 'acknowledges receipt, not settlement' }),
]);

export const parallelChargeApplication = message(
  'parallel-charge-application',
  0xa1,
  [...application, masterFlag, parallelNo],
  { answer: 'parallel-charge-application-answer', since16: true },
);
export const parallelChargeApplicationAnswer = message(
  'parallel-charge-application-answer',
  0xa2,
  [...applicationAnswer, parallelNo],
  { since16: true },
);
export const remoteParallelStart = message('remote-parallel-start', 0xa4, [...start, parallelNo], {
  answer: 'remote-parallel-start-reply',
  since16: true,
});
export const remoteParallelStartReply = message(
  'remote-parallel-start-reply',
  0xa3,
  [...startReply, masterFlag, parallelNo],
  { since16: true },
);
