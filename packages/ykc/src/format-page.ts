import { definitions } from './messages/all.ts';
import type { BitSet, Definition, Encoding, Enumeration, Field } from './messages/field.ts';

/** docs/protocols/ykc.md: every message with its field table. */
export function formatPage(): string {
  const all = Object.values<Definition>(definitions);
  return [
    '# YKC 1.5 and 1.6, message by message',
    '',
    'Written from the field tables of `packages/ykc` by `npm test -- ykc/src/format-page -u`; the same test fails when this page is no longer true. The console’s frame view, the decoder and the encoder read the same tables.',
    '',
    '**Numbers in a message object are the wire’s own integers, neither scaled nor shifted.** What a person reads is (integer + shift) / 10^decimals in the unit of the column *reads as*; the frame view shows it so. Texts: `digits` and `raw` are hexadecimal text in wire order, two characters a byte; `ascii` ends at the first 0x00; `time` is CP56Time2a, an instant or null. Codes that are not listed occur and stay numbers.',
    '',
    '## Frame',
    '',
    '| offset | bytes | part |',
    '| --- | --- | --- |',
    '| 0 | 1 | start, 0x68 |',
    '| 1 | 1 | length L of sequence, flag, type and body: 4 to 255 |',
    '| 2 | 2 | sequence; an answer repeats both bytes |',
    '| 4 | 1 | encryption flag: 0 none, 1 3DES (not readable: no public text gives the key) |',
    '| 5 | 1 | type |',
    '| 6 | L − 4 | body |',
    '| L + 2 | 2 | CRC-16/MODBUS of offsets 2 to L + 1, low byte first; high byte first is accepted |',
    '',
    '## Messages',
    '',
    '| type | kind | from | answered by | L | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...all.map(overviewRow),
    '',
    ...all.flatMap(messageSection),
    '## Bit fields',
    '',
    ...bitSetsOf(all).flatMap(bitSetSection),
  ].join('\n');
}

const hexByte = (value: number) => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;

function overviewRow({ kind, type, sender, answer, length, list, since16 }: Definition): string {
  const lengthByte = `${length + 4}${list === null ? '' : ` + ${list.entryLength}n`}`;
  const anchor = `[${kind}](#${hexByte(type).toLowerCase()}-${kind})`;
  return `| ${hexByte(type)} | ${anchor} | ${sender} | ${answer ?? '–'} | ${lengthByte} | ${since16 ? '1.6' : ''} |`;
}

function messageSection({ kind, type, sender, fields, list, since16 }: Definition): string[] {
  const other = sender === 'pile' ? 'platform' : 'pile';
  return [
    `### ${hexByte(type)} ${kind}`,
    '',
    `From ${sender} to ${other}${since16 ? ', since 1.6' : ''}.`,
    '',
    ...tableHead,
    ...fields.map(fieldRow),
    '',
    ...(list === null
      ? []
      : [
          `Then \`${list.name}\`, ${list.entriesMin} to ${list.entriesMax} entries of ${list.entryLength} bytes:`,
          '',
          ...tableHead,
          ...list.fields.map(fieldRow),
          '',
        ]),
  ];
}

const tableHead = [
  '| offset | bytes | field | on the wire | reads as | values and notes |',
  '| --- | --- | --- | --- | --- | --- |',
];

function fieldRow(field: Field): string {
  const { name, offset, length, encoding, meanings, bits, note } = field;
  const notes = [
    ...(meanings === undefined ? [] : [formatMeanings(meanings)]),
    ...(bits === undefined ? [] : [`[${bits.name}](#${bits.name})`]),
    ...(note === undefined ? [] : [note]),
  ];
  const wire = encoding === 'uint' && length === 1 ? 'unsigned' : onTheWire[encoding];
  const cells = [offset, length, `\`${name}\``, wire, readsAs(field), notes.join('; ')];
  return `| ${cells.join(' | ')} |`;
}

const onTheWire: Readonly<Record<Encoding, string>> = {
  digits: 'BCD digits',
  gun: 'BCD number',
  uint: 'unsigned, little-endian',
  ascii: 'ASCII, padded with 0x00',
  'reversed-ascii': 'ASCII, last character first',
  raw: 'raw bytes',
  time: 'CP56Time2a',
  bytes: 'a number a byte',
  count: 'entries that follow',
  reserved: 'reserved, zeros',
};

function readsAs({ decimals = 0, shift = 0, unit }: Pick<Field, 'decimals' | 'shift' | 'unit'>): string {
  const shifted = shift === 0 ? '' : ` ${shift > 0 ? '+' : '−'} ${Math.abs(shift) / 10 ** decimals}`;
  const scale = decimals === 0 ? '' : `× ${(10 ** -decimals).toFixed(decimals)}`;
  return [`${scale}${shifted}`.trim(), unit ?? ''].filter((part) => part !== '').join(' ');
}

function formatMeanings({ meanings }: Enumeration): string {
  const codes = Object.entries(meanings).map(([code, meaning]) => `${formatCode(Number(code))} ${meaning}`);
  return codes.join(', ');
}

const formatCode = (code: number) => (code > 9 ? hexByte(code) : String(code));

function bitSetsOf(all: readonly Definition[]): BitSet[] {
  const sets = all.flatMap(({ fields }) => fields.flatMap(({ bits }) => bits ?? []));
  return [...new Set(sets)];
}

function bitSetSection({ name, items }: BitSet): string[] {
  return [
    `### ${name}`,
    '',
    '| bits | item | reads as | values |',
    '| --- | --- | --- | --- |',
    ...items.map((item) => {
      const to = item.from + item.width - 1;
      const bits = to === item.from ? `${to}` : `${item.from}–${to}`;
      const values = item.meanings === undefined ? '' : formatMeanings(item.meanings);
      return `| ${bits} | ${item.key} | ${readsAs(item)} | ${values} |`;
    }),
    '',
  ];
}
