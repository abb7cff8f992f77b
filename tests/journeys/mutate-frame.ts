import type { Dice } from './dice.ts';

const timestamp = '2026-11-20T23:30:00Z';
const sampledValue = [
  { value: '1234.5', measurand: 'Energy.Active.Import.Register', unit: 'Wh', context: 'Sample.Periodic' },
  { value: '7200', measurand: 'Power.Active.Import', unit: 'W', phase: 'L1' },
];

/** One valid frame of every kind that a station may send. */
const soundFrames: readonly string[] = [
  [2, 'id', 'Authorize', { idTag: 'F00000000000000F' }],
  [2, 'id', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1' }],
  [2, 'id', 'DataTransfer', { vendorId: 'v', messageId: 'm', data: 'd' }],
  [2, 'id', 'DiagnosticsStatusNotification', { status: 'Idle' }],
  [2, 'id', 'FirmwareStatusNotification', { status: 'Installed' }],
  [2, 'id', 'Heartbeat', {}],
  [2, 'id', 'MeterValues', { connectorId: 1, transactionId: 7, meterValue: [{ timestamp, sampledValue }] }],
  [2, 'id', 'StartTransaction', { connectorId: 1, idTag: 'F00000000000000F', meterStart: 10, timestamp }],
  [2, 'id', 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp }],
  [
    2,
    'id',
    'StopTransaction',
    { transactionId: 7, meterStop: 90, timestamp, transactionData: [{ timestamp, sampledValue }] },
  ],
  [3, 'id', { status: 'Accepted' }],
  [4, 'id', 'GenericError', 'why', {}],
].map((frame) => JSON.stringify(frame));

const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  0.1,
  1e308,
  9_007_199_254_740_992,
  -2_147_483_649,
  4_294_967_296,
  '',
  ' ',
  'NaN',
  '-1e999',
  '0x10',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e充电\u0007',
  "'; drop table orders; --",
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T25:61:61',
  'x'.repeat(2_000),
  [],
  {},
  [[]],
  { toString: 1, constructor: null },
  JSON.parse('{"__proto__":{"polluted":true}}'),
];
const oddTexts = ['\u0000', '"', '\\', '[', ']', '{', '}', ',', ':', '\u2028', '\ufeff', '\ud83d', 'null', '1e9', ' '];

/** A broken frame, or by chance a valid one. */
export function mutatedFrame(chance: Dice, id: string): string {
  const frame = JSON.parse(chance.pick(soundFrames)) as unknown[];
  frame[1] = id;
  switch (chance.whole(0, 7)) {
    case 0:
      return deepFrame(chance, id);
    case 1:
      frame[chance.whole(0, frame.length - 1)] = chance.pick(oddValues);
      return JSON.stringify(frame);
    case 2:
      frame.splice(chance.whole(0, frame.length - 1), chance.whole(0, 2), ...(chance.next() < 0.5 ? [{}] : []));
      return JSON.stringify(frame);
    case 3:
    case 4:
      replaceSomewhere(frame, chance);
      return JSON.stringify(frame);
    default:
      return scratched(JSON.stringify(frame), chance);
  }
}

function deepFrame(chance: Dice, id: string): string {
  const depth = chance.pick([10, 40, 400, 4_000]);
  const [open, close] = chance.next() < 0.5 ? ['[', ']'] : ['{"a":', '}'];
  return `[2,"${id}","DataTransfer",{"vendorId":${open.repeat(depth)}1${close.repeat(depth)}}]`;
}

/** Replaces some part of the frame, at any depth, with an odd value. */
function replaceSomewhere(within: unknown, chance: Dice): void {
  if (typeof within !== 'object' || within === null) return;
  const parts = within as Record<string, unknown>;
  const names = Object.keys(parts).filter((name) => !(Array.isArray(within) && Number(name) < 2));
  if (names.length === 0) return;
  const name = chance.pick(names);
  const part = parts[name];
  if (typeof part === 'object' && part !== null && chance.next() < 0.75) replaceSomewhere(part, chance);
  else if (chance.next() < 0.2) delete parts[name];
  else parts[name] = chance.pick(oddValues);
}

/** Damages the text itself, as a broken line or buffer would. */
function scratched(text: string, chance: Dice): string {
  let damaged = text;
  for (let scratch = chance.whole(1, 3); scratch > 0; scratch -= 1) {
    const from = chance.whole(0, damaged.length);
    const to = Math.min(damaged.length, from + chance.whole(0, 12));
    switch (chance.whole(0, 4)) {
      case 0:
        damaged = damaged.slice(0, from);
        break;
      case 1:
        damaged = damaged.slice(0, from) + damaged.slice(to);
        break;
      case 2:
        damaged = damaged.slice(0, to) + damaged.slice(from);
        break;
      case 3:
        damaged = damaged.slice(0, from) + chance.pick(oddTexts) + damaged.slice(from);
        break;
      default:
        damaged = damaged.slice(0, from) + String.fromCharCode(chance.whole(0, 0xffff)) + damaged.slice(from + 1);
    }
  }
  return damaged;
}
