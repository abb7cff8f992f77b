/** Login, heartbeat, clock and live data: what every pile sends by itself. */
import { hardwareFaults } from './bits.ts';
import { ascii, digits, enumeration, gunNo, message, pileNo, raw, time, tradeNo, u8, u16, u32 } from './field.ts';
import { noYes } from './outcomes.ts';

export const pileType = enumeration('pile-type', { 0: 'dc', 1: 'ac' });
const netType = enumeration('net-type', { 0: 'sim', 1: 'lan', 2: 'wan', 3: 'other' });
const carrier = enumeration('carrier', { 0: 'china-mobile', 2: 'china-telecom', 3: 'china-unicom', 4: 'other' });
const protoVersion = enumeration('proto-version', { 10: 'v1-0', 15: 'v1-5', 16: 'v1-6', 17: 'v1-7' });
export const loginResult = enumeration('login-result', { 0: 'ok', 1: 'failed' });
export const gunState = enumeration('gun-state', { 0: 'normal', 1: 'fault' });
const heartbeatAnswer = enumeration('heartbeat-answer', { 0: 'ok' });
export const realtimeState = enumeration('realtime-state', { 0: 'offline', 1: 'fault', 2: 'idle', 3: 'charging' });
export const homed = enumeration('homed', { 0: 'no', 1: 'yes', 2: 'unknown' });

export const login = message(
  'login',
  0x01,
  [
    pileNo,
    u8('pileType', { meanings: pileType }),
    u8('gunCount'),
    u8('protoVersion', { meanings: protoVersion, note: 'version × 10' }),
    ascii('softwareVersion', 8),
    u8('netType', { meanings: netType }),
    digits('sim', 10, { note: '20 digits; letters A to F occur' }),
    u8('carrier', { meanings: carrier, note: '1 is not assigned and occurs' }),
  ],
  { answer: 'login-answer' },
);

export const loginAnswer = message('login-answer', 0x02, [
  pileNo,
  u8('result', { meanings: loginResult, label: 'loginResult', note: 'after a failure the platform closes' }),
]);

export const heartbeat = message('heartbeat', 0x03, [pileNo, gunNo, u8('gunState', { meanings: gunState })], {
  answer: 'heartbeat-answer',
});

export const heartbeatReply = message('heartbeat-answer', 0x04, [
  pileNo,
  gunNo,
  u8('answer', { meanings: heartbeatAnswer, label: 'heartbeatAnswer', note: 'always 0' }),
]);

export const readRealtimeData = message('read-realtime-data', 0x12, [pileNo, gunNo], { answer: 'realtime-data' });

export const realtimeData = message('realtime-data', 0x13, [
  tradeNo,
  pileNo,
  gunNo,
  u8('state', { meanings: realtimeState }),
  u8('homed', { meanings: homed }),
  u8('plugged', { meanings: noYes }),
  u16('voltage', { decimals: 1, unit: 'V' }),
  u16('current', { decimals: 1, unit: 'A', note: 'no offset here' }),
  u8('cableTemp', { shift: -50, unit: 'celsius', note: 'raw 0 also says: idle or not measured' }),
  raw('cableCode', 8),
  u8('soc', { unit: 'percent', note: '0 when idle and on AC' }),
  u8('battMaxTemp', { shift: -50, unit: 'celsius', note: 'raw 0 also says: not measured' }),
  u16('chargedMinutes', { unit: 'min' }),
  u16('remainMinutes', { unit: 'min', note: '0 on AC' }),
  u32('energy', { decimals: 4, unit: 'kWh' }),
  u32('lossEnergy', { decimals: 4, unit: 'kWh', note: 'the energy itself when the loss ratio is 0' }),
  u32('amount', { decimals: 4, unit: 'yuan' }),
  u16('hwFault', { bits: hardwareFaults }),
]);

export const clockSet = message('clock-set', 0x56, [pileNo, time('time')], { answer: 'clock-set-reply' });
export const clockSetReply = message('clock-set-reply', 0x55, [pileNo, time('time')]);
