import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { crc16 } from './crc.ts';
import { type Explanation, explain, type Span } from './explain.ts';
import { writeFrame } from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import type { Message, MessageOf } from './messages/all.ts';
import { anyMessage, messageKinds } from './mutated-frames.ts';
import { everyPhraseKey } from './phrase-keys.ts';

const pileNo = '32010200000001';
const tradeNo = '32010200000001012611221504050001';
const realtimeData: MessageOf<'realtime-data'> = {
  kind: 'realtime-data',
  tradeNo,
  pileNo,
  gunNo: 1,
  state: 3,
  homed: 2,
  plugged: 1,
  voltage: 3_805,
  current: 7,
  cableTemp: 80,
  cableCode: '00000000000000AF',
  soc: 55,
  battMaxTemp: 0,
  chargedMinutes: 12,
  remainMinutes: 33,
  energy: 123_456,
  lossEnergy: 0,
  amount: 4_294_967_295,
  hwFault: 0b1_0000_0000_0001,
};

function only(bytes: Uint8Array): Explanation {
  const [first, ...others] = explain(bytes);
  if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} explanations`);
  return first;
}

function fieldOf(message: Message, path: string): Span {
  const found = only(writeFrame(message, 0)).spans.find((span) => span.path === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found;
}

describe('a frame explained', () => {
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 1 }, 0x0102);

  test('a frame is explained with its kind and a correct CRC', () => {
    expect(only(heartbeat)).toMatchObject({
      text: toHex(heartbeat),
      kind: 'heartbeat',
      name: 'ykc.message.heartbeat',
      type: 3,
      sender: 'pile',
      sequence: '0201',
      checksum: { verdict: 'right' },
      fault: null,
    });
  });

  test('a frame has a span for every part, in order', () => {
    const blank = { path: null, unit: null, meaning: null, items: [] };
    expect(only(heartbeat).spans).toEqual([
      { ...blank, offset: 0, length: 1, part: 'start', name: 'ykc.part.start', raw: '68', value: null },
      { ...blank, offset: 1, length: 1, part: 'length', name: 'ykc.part.length', raw: '0D', value: '13' },
      { ...blank, offset: 2, length: 2, part: 'header', name: 'ykc.part.sequence', raw: '0201', value: '258' },
      {
        ...blank,
        offset: 4,
        length: 1,
        part: 'header',
        name: 'ykc.part.encryptFlag',
        raw: '00',
        value: '0',
        meaning: 'ykc.meaning.encrypt-flag.none',
      },
      {
        ...blank,
        offset: 5,
        length: 1,
        part: 'header',
        name: 'ykc.part.type',
        raw: '03',
        value: '0x03',
        meaning: 'ykc.message.heartbeat',
      },
      {
        ...blank,
        offset: 6,
        length: 7,
        part: 'field',
        name: 'ykc.field.pileNo',
        path: 'pileNo',
        raw: pileNo,
        value: pileNo,
      },
      { ...blank, offset: 13, length: 1, part: 'field', name: 'ykc.field.gunNo', path: 'gunNo', raw: '01', value: '1' },
      {
        ...blank,
        offset: 14,
        length: 1,
        part: 'field',
        name: 'ykc.field.gunState',
        path: 'gunState',
        raw: '01',
        value: '1',
        meaning: 'ykc.meaning.gun-state.fault',
      },
      {
        ...blank,
        offset: 15,
        length: 2,
        part: 'checksum',
        name: 'ykc.part.checksum',
        raw: toHex(heartbeat, 15),
        value: null,
      },
    ]);
  });

  test.each([
    ['energy', '12.3456', 'ykc.unit.kWh'],
    ['lossEnergy', '0.0000', 'ykc.unit.kWh'],
    ['amount', '429496.7295', 'ykc.unit.yuan'],
    ['voltage', '380.5', 'ykc.unit.V'],
    ['current', '0.7', 'ykc.unit.A'],
    ['cableTemp', '30', 'ykc.unit.celsius'],
    ['battMaxTemp', '-50', 'ykc.unit.celsius'],
    ['soc', '55', 'ykc.unit.percent'],
    ['cableCode', '00000000000000AF', null],
    ['tradeNo', tradeNo, null],
  ])('a frame shows %s as %s, exactly', (path, value, unit) => {
    expect(fieldOf(realtimeData, path)).toMatchObject({ value, unit });
  });

  test('a frame shows a GB/T 27930 current counted from -400 A', () => {
    const random = randomFrom(1);
    const config = anyMessage('bms-parameter-config', random) as MessageOf<'bms-parameter-config'>;
    const said = (maxCurrent: number) => fieldOf({ ...config, maxCurrent }, 'maxCurrent').value;
    expect([0, 1, 3_999, 4_000, 4_005].map(said)).toEqual(['-400.0', '-399.9', '-0.1', '0.0', '0.5']);
  });

  test('a frame shows which bits of a fault are set', () => {
    const { items } = fieldOf(realtimeData, 'hwFault');
    expect(items).toHaveLength(13);
    expect(items.filter(({ isSet }) => isSet).map(({ name }) => name)).toEqual([
      'ykc.bit.hardware-fault.emergency-stop',
      'ykc.bit.hardware-fault.door-open',
    ]);
  });

  test('a frame shows two-bit states of 0x1B in the byte and place of section 4.2', () => {
    const err = '0400000100002030';
    const { items } = fieldOf({ kind: 'bms-charger-error', tradeNo, pileNo, gunNo: 1, err }, 'err');
    expect(items.filter(({ isSet }) => isSet).map(({ name, value, meaning }) => [name, value, meaning])).toEqual([
      ['ykc.bit.charging-error.crm-aa-timeout', '1', 'ykc.meaning.timeout-state.timeout'],
      ['ykc.bit.charging-error.csd-timeout', '1', 'ykc.meaning.timeout-state.timeout'],
      ['ykc.bit.charging-error.bst-timeout', '2', 'ykc.meaning.timeout-state.untrusted'],
      ['ykc.bit.charging-error.charger-other', '12', null],
    ]);
  });

  test("a frame's highest cell voltage is split from its group: 12 and 4 bits", () => {
    const demand = anyMessage('bms-demand', randomFrom(2)) as MessageOf<'bms-demand'>;
    expect(fieldOf({ ...demand, cellMax: 0xf19a }, 'cellMax').items).toMatchObject([
      { name: 'ykc.bit.cell-maximum.voltage', value: '4.10', unit: 'ykc.unit.V' },
      { name: 'ykc.bit.cell-maximum.group', value: '15', unit: null },
    ]);
  });

  test('a frame names the period of every half hour', () => {
    const model = anyMessage('billing-model-set', randomFrom(3)) as MessageOf<'billing-model-set'>;
    const { items } = fieldOf({ ...model, slots: model.slots.map((_, index) => index % 5) }, 'slots');
    expect(items).toHaveLength(48);
    expect(items.slice(15, 20).map(({ text, meaning }) => [text, meaning])).toEqual([
      ['07:30', 'ykc.meaning.slot-period.sharp'],
      ['08:00', 'ykc.meaning.slot-period.peak'],
      ['08:30', 'ykc.meaning.slot-period.flat'],
      ['09:00', 'ykc.meaning.slot-period.valley'],
      ['09:30', null],
    ]);
  });

  test('a frame shows a time in Shanghai, or that there is none', () => {
    const bytes = writeFrame({ kind: 'clock-set', pileNo, time: null }, 0);
    bytes.set(fromHex('2E160403020118') ?? [], 13);
    expect(only(bytes).spans.find(({ path }) => path === 'time')).toMatchObject({
      value: '2024-01-02 03:04:05.678',
      meaning: null,
    });
    expect(fieldOf({ kind: 'clock-set', pileNo, time: null }, 'time')).toMatchObject({
      value: null,
      meaning: 'ykc.meaning.time.invalid',
    });
  });

  test('a frame numbers the entries of a list', () => {
    const card = { logicCardNo: '0000001000000573', physCardNo: '00000000D14B0A54' };
    const { spans } = only(writeFrame({ kind: 'offline-card-sync', pileNo, cards: [card, card] }, 0));
    expect(spans.flatMap(({ path }) => path ?? [])).toEqual([
      'pileNo',
      'count',
      'cards.0.logicCardNo',
      'cards.0.physCardNo',
      'cards.1.logicCardNo',
      'cards.1.physCardNo',
    ]);
  });

  test.each(messageKinds)('a frame uses only existing phrases: %s', (kind) => {
    const keys = everyPhraseKey();
    const { name, spans, fault } = only(writeFrame(anyMessage(kind, randomFrom(4)), 0));
    const said = [
      name,
      ...spans.flatMap((span) => [span, ...span.items].flatMap((each) => [each.name, each.unit, each.meaning])),
    ];
    expect(said.filter((key) => key !== null && !keys.has(key))).toEqual([]);
    expect(fault).toBeNull();
  });
});

describe('a broken frame is explained', () => {
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 0 }, 0);
  const hex = toHex(heartbeat);
  const crc = hex.slice(-4);
  const swapped = crc.slice(2) + crc.slice(0, 2);
  const explained = (text: string) => explain(fromHex(text) ?? new Uint8Array());

  test('a CRC with its high byte first is correct, too', () => {
    expect(explained(hex.slice(0, -4) + swapped)).toMatchObject([
      { checksum: { verdict: 'right_high_first', found: swapped, expected: crc }, fault: null },
    ]);
  });

  test('a wrong CRC is shown with the expected one; the fields are still read', () => {
    const [explanation] = explained(`${hex.slice(0, -4)}ABCD`);
    expect(explanation).toMatchObject({
      kind: 'heartbeat',
      checksum: { verdict: 'wrong', found: 'ABCD', expected: crc },
      fault: 'ykc.fault.wrong-checksum',
    });
    expect(explanation?.spans.some(({ path }) => path === 'gunState')).toBe(true);
  });

  test('a frame that ends too early is read as far as it goes', () => {
    const [explanation] = explained(hex.slice(0, 28));
    expect(explanation).toMatchObject({ kind: 'heartbeat', checksum: { verdict: 'none' }, fault: 'ykc.fault.cut-off' });
    expect(explanation?.spans.map(({ path, raw }) => path ?? raw).slice(5)).toEqual(['pileNo', 'gunNo']);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 13])('a frame cut off after %i bytes loses none of them', (length) => {
    const [explanation] = explained(hex.slice(0, 2 * length));
    expect(explanation?.fault).toBe('ykc.fault.cut-off');
    expect(explanation?.spans.map(({ raw }) => raw).join('')).toBe(hex.slice(0, 2 * length));
  });

  test('an encrypted frame, an unknown type and a short body show the body in one piece', () => {
    const mended = (text: string) => {
      const bytes = fromHex(`${text}0000`) ?? new Uint8Array();
      const crcOf = crc16(bytes, 2, bytes.length - 2);
      bytes.set([crcOf & 0xff, crcOf >> 8], bytes.length - 2);
      return only(bytes);
    };
    const cases: readonly [string, string, string][] = [
      [`680C00000103${pileNo}01`, 'ykc.fault.encrypted', 'ykc.part.ciphertext'],
      [`680C000000F0${pileNo}01`, 'ykc.fault.unknown-type', 'ykc.part.unknownBody'],
      ['680800000003AABBCCDD', 'ykc.fault.body-too-short', 'ykc.part.incomplete'],
    ];
    for (const [text, fault, name] of cases) {
      const explanation = mended(text);
      expect([explanation.fault, explanation.checksum.verdict]).toEqual([fault, 'right']);
      expect(explanation.spans.at(-2)).toMatchObject({ name, part: 'surplus', raw: text.slice(12) });
    }
  });

  test('bytes before, between and after frames are separate', () => {
    expect(explained(`0011${hex}6801${hex}99`).map(({ fault, text }) => fault ?? text)).toEqual([
      'ykc.fault.not-a-frame',
      hex,
      'ykc.fault.not-a-frame',
      hex,
      'ykc.fault.not-a-frame',
    ]);
  });

  test('no bytes are no frame', () => {
    expect(explain(new Uint8Array())).toEqual([]);
  });
});
