import { instant } from '@voltdeck/units/instant';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyBytesMax, entriesIn, readBody, writeBody } from './body.ts';
import { definitionOf, definitions, type MessageKind } from './messages/all.ts';
import type { Definition, Field } from './messages/field.ts';

const kinds = Object.keys(definitions) as MessageKind[];

function fieldValues({ encoding, length }: Field): fc.Arbitrary<unknown> {
  const hexDigit = fc.constantFrom(...'0123456789ABCDEF');
  switch (encoding) {
    case 'uint':
      return fc.integer({ min: 0, max: 256 ** length - 1 });
    case 'gun':
      return fc.integer({ min: 0, max: 99 });
    case 'digits':
    case 'raw':
      return fc.string({ unit: hexDigit, minLength: 2 * length, maxLength: 2 * length });
    case 'ascii':
    case 'reversed-ascii':
      return fc.string({ unit: 'grapheme-ascii', maxLength: length });
    case 'time':
      return fc.option(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2127, 11, 31) }).map(instant));
    case 'bytes':
      return fc.array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length });
    case 'count':
    case 'reserved':
      throw new Error('not in a message');
  }
}

function rows(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const told = fields.filter(({ encoding }) => encoding !== 'count' && encoding !== 'reserved');
  return fc.record(Object.fromEntries(told.map((field) => [field.name, fieldValues(field)])));
}

function messages({ kind, fields, list }: Definition): fc.Arbitrary<Record<string, unknown>> {
  const entries =
    list === null
      ? fc.constant({})
      : fc
          .array(rows(list.fields), { minLength: list.entriesMin, maxLength: list.entriesMax })
          .map((all) => ({ [list.name]: all }));
  return fc.tuple(rows(fields), entries).map(([values, listed]) => ({ kind, ...values, ...listed }));
}

/** Section 3.1: the length byte of every message without list entries. It counts four bytes besides the body. */
const lengthBytes: Readonly<Record<number, number>> = {
  1: 34,
  2: 12,
  3: 13,
  4: 13,
  5: 13,
  6: 14,
  9: 11,
  10: 94,
  18: 12,
  19: 64,
  21: 77,
  23: 49,
  25: 43,
  27: 36,
  29: 32,
  33: 32,
  35: 48,
  37: 35,
  49: 55,
  50: 42,
  52: 48,
  51: 30,
  54: 12,
  53: 14,
  59: 162,
  64: 21,
  66: 24,
  65: 20,
  68: 12,
  67: 13,
  70: 12,
  69: 11,
  72: 12,
  71: 11,
  82: 13,
  81: 12,
  86: 18,
  85: 18,
  88: 94,
  87: 12,
  97: 20,
  98: 17,
  99: 17,
  146: 12,
  145: 12,
  148: 98,
  147: 12,
  161: 62,
  162: 48,
  164: 54,
  163: 37,
};
const entryBytes: Readonly<Record<number, number>> = { 68: 16, 69: 10, 70: 8, 71: 9, 72: 8 };

describe('the field tables', () => {
  test('the field tables have every message of section 3.1 with its length', () => {
    const found = Object.values<Definition>(definitions).map(({ type, length }) => [type, length + 4]);
    expect(Object.fromEntries(found)).toEqual(lengthBytes);
    expect(found).toHaveLength(Object.keys(lengthBytes).length);
    const lists = Object.values<Definition>(definitions).flatMap(({ type, list }) =>
      list === null ? [] : [[type, list.entryLength]],
    );
    expect(Object.fromEntries(lists)).toEqual(entryBytes);
  });

  test('the field tables pair requests and answers as section 3.2 does', () => {
    const pairs = Object.values<Definition>(definitions).flatMap(({ type, answer }) =>
      answer === null ? [] : [[type, definitions[answer as MessageKind].type]],
    );
    expect(pairs.map((pair) => pair.map((type) => type.toString(16)).join(' ')).sort()).toEqual(
      '1 2,12 13,3 4,31 32,34 33,36 35,3b 40,42 41,44 43,46 45,48 47,5 6,52 51,56 55,58 57,62 63,9 a,92 91,94 93,a1 a2,a4 a3'.split(
        ',',
      ),
    );
  });

  test('the field tables name every kind as listed, and no field twice', () => {
    for (const [kind, definition] of Object.entries<Definition>(definitions)) {
      expect(definition.kind).toBe(kind);
      expect(definitionOf(definition.type)).toBe(definition);
      const names = [...definition.fields.map(({ name }) => name), definition.list?.name, 'kind'];
      expect(new Set(names).size).toBe(names.length);
      const body = definition.length + (definition.list?.entryLength ?? 0) * (definition.list?.entriesMax ?? 0);
      expect(body).toBeLessThanOrEqual(bodyBytesMax);
    }
  });

  test('the field tables mark only what came with 1.6: the parallel charge', () => {
    const marked = Object.values<Definition>(definitions).filter(({ since16 }) => since16);
    expect(marked.map(({ type }) => type.toString(16))).toEqual(['a1', 'a2', 'a4', 'a3']);
  });
});

describe('bodies', () => {
  test.each(kinds)('%s: any values read back as written', (kind) => {
    const definition: Definition = definitions[kind];
    fc.assert(
      fc.property(messages(definition), (message) => {
        const written = writeBody(kind, message);
        if (!written.ok) throw new Error(JSON.stringify(written.error));
        expect(readBody(definition.type, written.value, 0, written.value.length)).toEqual(message);
        // The same after other bytes, and with bytes behind it where no list could take them (section 6).
        const extra = definition.list === null ? 3 : 0;
        const moved = new Uint8Array(5 + written.value.length + extra).fill(0xee);
        moved.set(written.value, 5);
        expect(readBody(definition.type, moved, 5, moved.length)).toEqual(message);
      }),
    );
  });

  test.each(kinds)('%s: a body that is a byte short is refused', (kind) => {
    const { type, length }: Definition = definitions[kind];
    expect(readBody(type, new Uint8Array(300), 0, length - 1)).toBeNull();
    expect(readBody(type, new Uint8Array(300), 0, length)).not.toBeNull();
  });

  test('a list with fewer entries than it counts is refused, extra bytes are ignored', () => {
    const definition = definitions['offline-card-sync'];
    const bytes = new Uint8Array(8 + 2 * 16 + 15);
    for (const [told, entries] of [
      [0, 0],
      [2, 2],
      [3, -1],
      [255, -1],
    ] as const) {
      bytes[7] = told;
      expect(entriesIn(definition, bytes, 0, bytes.length)).toBe(entries);
    }
  });

  test('a list without a count has as many entries as fit', () => {
    const { type } = definitions['offline-card-query-reply'];
    expect(readBody(type, new Uint8Array(7 + 2 * 9 + 8), 0, 7 + 2 * 9 + 8)).toMatchObject({ items: [{}, {}] });
  });

  test('a VIN is reversed in an application (0x31) and not in a record (0x3B)', () => {
    const applied = writeBody('charge-application', {
      pileNo: '0'.repeat(14),
      gunNo: 1,
      startMode: 3,
      needPassword: 0,
      account: '0'.repeat(16),
      password: '0'.repeat(32),
      vin: 'LSVAM4187C2184847',
    });
    expect(applied.ok && new TextDecoder().decode(applied.value.subarray(34))).toBe('7484812C7814MAVSL');
  });
});

describe("a value that does not fit its field is refused with the field's name", () => {
  const card = { logicCardNo: '0'.repeat(16), physCardNo: '0'.repeat(16) };
  test.each<[string, MessageKind, Record<string, unknown>, string]>([
    ['a field left out', 'remote-stop', { pileNo: '0'.repeat(14) }, 'gunNo'],
    ['a pile number of 13 digits', 'remote-stop', { pileNo: '0'.repeat(13), gunNo: 1 }, 'pileNo'],
    ['a pile number that is a number', 'remote-stop', { pileNo: 12, gunNo: 1 }, 'pileNo'],
    ['gun 100', 'remote-stop', { pileNo: '0'.repeat(14), gunNo: 100 }, 'gunNo'],
    ['gun 256 of a lock', 'ground-lock-command', { pileNo: '0'.repeat(14), gunNo: 256, action: 0xff }, 'gunNo'],
    ['a fraction', 'reboot', { pileNo: '0'.repeat(14), when: 1.5 }, 'when'],
    ['a time as text', 'clock-set', { pileNo: '0'.repeat(14), time: '2026-11-22' }, 'time'],
    ['no list', 'offline-card-sync', { pileNo: '0'.repeat(14) }, 'cards'],
    ['an empty list', 'offline-card-sync', { pileNo: '0'.repeat(14), cards: [] }, 'cards'],
    ['16 cards', 'offline-card-sync', { pileNo: '0'.repeat(14), cards: Array(16).fill(card) }, 'cards'],
    ['a card that is none', 'offline-card-sync', { pileNo: '0'.repeat(14), cards: [card, null] }, 'cards.1'],
    [
      'a card with half a number',
      'offline-card-sync',
      { pileNo: '0'.repeat(14), cards: [card, { ...card, physCardNo: '0' }] },
      'cards.1.physCardNo',
    ],
  ])('%s', (_what, kind, given, field) => {
    expect(writeBody(kind, given)).toMatchObject({ ok: false, error: { kind: 'field-fault', field } });
  });
});
