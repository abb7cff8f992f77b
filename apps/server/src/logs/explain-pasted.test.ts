import type { FrameExplanation } from '@voltdeck/contract/logs';
import { writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainPasted, pastedFramesMax } from './explain-pasted.ts';

const pileNo = '32010200000001';
const heartbeat = toHex(writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 1 }, 0x0102));
const answer = toHex(writeFrame({ kind: 'heartbeat-answer', pileNo, gunNo: 1, answer: 0 }, 0x0102));
const spaced = (hex: string, between = ' ') => (hex.match(/../g) ?? []).join(between);

function framesOf(text: string, protocol?: FrameExplanation['protocol']): FrameExplanation[] {
  const read = explainPasted(text, protocol);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
const told = (text: string) => framesOf(text).map(({ action, fault }) => fault ?? action);

describe('a pasted YKC frame is found', () => {
  test.each([
    ['as it is', heartbeat],
    ['in lower case', heartbeat.toLowerCase()],
    ['with spaces', spaced(heartbeat)],
    ['with colons', spaced(heartbeat.toLowerCase(), ':')],
    ['with 0x and commas', spaced(heartbeat, ', 0x').replace(/^/, '0x')],
    ['in an array of C', `{ 0x${spaced(heartbeat, ', 0x')} };`],
    ['over several lines', `${spaced(heartbeat.slice(0, 16))}\r\n${spaced(heartbeat.slice(16))}\n`],
    ['in quotes', `payload: "${heartbeat}"`],
    ['in a line of a log', `2026-11-21 12:00:01.123 [INFO] 10.0.0.7:8768 recv 21 bytes: ${spaced(heartbeat)} (ok)`],
    ['behind a time alone', `12:00:01 ${spaced(heartbeat)}`],
    ['behind a stamp of a zone', `[2026-11-21T12:00:01.123+08:00] RX ${heartbeat}`],
  ])('a pasted YKC frame is found %s', (_how, text) => {
    const frames = framesOf(text);
    expect(frames).toMatchObject([
      {
        protocol: 'ykc',
        direction: 'from-station',
        action: '0x03',
        name: 'ykc.message.heartbeat',
        checksum: { verdict: 'right' },
        fault: null,
        text: heartbeat,
      },
    ]);
  });

  test('a pasted YKC frame is found in a dump with offsets and letters beside the bytes', () => {
    const lines = (spaced(heartbeat).match(/.{1,47}( |$)/g) ?? []).map(
      (bytes, index) => `${String(index * 10).padStart(4, '0')}  ${bytes.trim().padEnd(49)} h..........f.`,
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(told(lines.join('\n'))).toEqual(['0x03']);
  });

  test('a pasted YKC frame is found among others, glued together and in lines of a log', () => {
    expect(told(heartbeat + answer)).toEqual(['0x03', '0x04']);
    const log = `2026-11-21 12:00:01 RX ${heartbeat}\n2026-11-21 12:00:01 TX ${answer}\n`;
    expect(told(log)).toEqual(['0x03', '0x04']);
  });

  test('a broken pasted YKC frame is found and its fault explained', () => {
    const wrong = `${heartbeat.slice(0, -4)}0000`;
    expect(framesOf(wrong)).toMatchObject([{ fault: 'ykc.fault.wrong-checksum', checksum: { verdict: 'wrong' } }]);
    expect(told(heartbeat.slice(0, 20))).toEqual(['ykc.fault.cut-off']);
    expect(told('00112233445566')).toEqual(['ykc.fault.not-a-frame']);
  });
});

describe('pasted OCPP messages are found', () => {
  const call = '[2,"7","BootNotification",{"chargePointVendor":"V","chargePointModel":"M"}]';
  const result = '[3,"7",{"status":"Accepted","currentTime":"2026-11-21T04:00:00Z","interval":300}]';

  test('pasted OCPP messages are found alone, pretty-printed and in the lines of a log, and a result is named by its call', () => {
    expect(framesOf(call)).toMatchObject([{ protocol: 'ocpp1.6', direction: 'from-station', fault: null, text: call }]);
    const pretty = JSON.stringify(JSON.parse(call), null, 2);
    expect(framesOf(pretty)).toMatchObject([{ action: 'BootNotification', fault: null, text: pretty }]);
    const log = `12:00:01 [debug] << ${call}\n12:00:01 [debug] >> ${result} took 3 ms\n`;
    expect(framesOf(log)).toMatchObject([
      { action: 'BootNotification', direction: 'from-station', text: call },
      { action: 'BootNotification', direction: 'to-station', text: result, name: 'ocpp.message.BootNotification' },
    ]);
  });

  test('a broken pasted OCPP message is found to the end of the line', () => {
    const broken = '[2,"7","Heartbeat",{"a":]';
    expect(framesOf(`${broken}\n${call}`)).toMatchObject([
      { fault: 'ocpp.fault.not-json', action: 'Heartbeat', text: broken },
      { fault: null, text: call },
    ]);
    expect(told('{"connectorId":1}')).toEqual(['ocpp.fault.not-a-frame']);
  });
});

describe('a text without frames', () => {
  test.each(['hello', '12', '   ', '68', '2026-11-21 12:00:00'])('the pasted text %j contains no frame', (text) => {
    expect(framesOf(text)).toEqual([]);
  });

  test('too many pasted frames are refused with the limit', () => {
    const text = heartbeat.repeat(pastedFramesMax);
    expect(framesOf(text)).toHaveLength(pastedFramesMax);
    expect(explainPasted(text + heartbeat, undefined)).toMatchObject({
      ok: false,
      error: { fields: [{ code: 'too_many', params: { max: pastedFramesMax } }] },
    });
  });
});

/** Every character (or byte) of a frame in exactly one span. */
function expectWhole({ protocol, text, spans }: FrameExplanation): void {
  expect(spans.map(({ raw }) => raw).join('')).toBe(text);
  const lengths = spans.reduce((sum, { length }) => sum + length, 0);
  expect(lengths).toBe(protocol === 'ykc' ? text.length / 2 : text.length);
}

describe('hostile pastes', () => {
  const charactersMax = 20_000;

  test('mutated pastes are explained in full or refused, and never throw', () => {
    const base = `12:00:01 RX ${spaced(heartbeat)}\n[2,"7","Heartbeat",{}] ${answer}\n0000  68 0c 00 01`;
    const pieces = fc.constantFrom('68', '"', '[2,"', '[', '0x', '\n', ' ', '桩', '\u0000', 'ff', '2026-11-21', '}');
    fc.assert(
      fc.property(fc.nat(base.length), fc.nat(9), pieces, fc.boolean(), (from, cut, piece, isYkc) => {
        const read = explainPasted(base.slice(0, from) + piece + base.slice(from + cut), isYkc ? 'ykc' : undefined);
        if (read.ok) for (const frame of read.value) expectWhole(frame);
      }),
      { numRuns: 2_000 },
    );
  });

  /** Texts for which a backtracking search would need minutes. */
  test.each([
    ['start bytes', '68'],
    ['short frames', '6804'],
    ['long frames that do not come', '68FF'],
    ['lists', '['],
    ['messages', '[2,"'],
    ['messages that begin a list', '[2,"a",'],
    ['broken messages in lines', '[2,"a"x\n'],
    ['objects', '{"a":'],
    ['spaces', ' '],
    ['offsets', '0000  '],
    ['digits', '1 '],
    ['dates', '2026-11-21 '],
    ['escapes', '\\"'],
    ['line ends', '\n'],
  ])('pasted %s up to the limit are parsed in linear time', (_what, piece) => {
    for (const head of ['', '0000', '2026-11-21 ', '[2,"1","A",{"a":"', '68 ']) {
      const text = (head + piece.repeat(charactersMax)).slice(0, charactersMax);
      for (const protocol of [undefined, 'ykc', 'ocpp1.6'] as const) {
        const read = explainPasted(text, protocol);
        if (read.ok) for (const frame of read.value) expectWhole(frame);
      }
    }
  });
});
