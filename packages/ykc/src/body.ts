/** Bodies by their field tables: bytes <-> message objects. */
import { failed, ok, type Result } from '@voltdeck/units/result';
import { writeHex } from './hex.ts';
import { definitionOf, definitions, type Message, type MessageKind, type MessageOf } from './messages/all.ts';
import type { Definition, Field } from './messages/field.ts';
import { readers } from './messages/readers.generated.ts';
import { reversed, writeAscii, writeGun, writeTime, writeUint } from './values.ts';

/** A value that does not fit its field: `field` as `cards.2.physCardNo`, `wants` what would fit. */
export type FieldFault = { kind: 'field-fault'; field: string; wants: string };

type Values = Record<string, unknown>;

/** The number of list entries in this body; -1 when the body is shorter than its table. */
export function entriesIn(definition: Definition, bytes: Uint8Array, from: number, to: number): number {
  const { length, list } = definition;
  if (to - from < length) return -1;
  if (list === null) return 0;
  const room = Math.floor((to - from - length) / list.entryLength);
  const counted = definition.fields.find(({ encoding }) => encoding === 'count');
  if (counted === undefined) return room;
  const told = bytes[from + counted.offset] ?? 0;
  return told > room ? -1 : told;
}

/** Null when the body is too short or its type unknown. Bytes beyond the table are ignored (section 6). */
export function readBody(type: number, bytes: Uint8Array, from: number, to: number): Message | null {
  const definition = definitionOf(type);
  if (definition === undefined) return null;
  const entries = entriesIn(definition, bytes, from, to);
  return entries < 0 ? null : (readersByType[type]?.(bytes, from, entries) ?? null);
}

type Reader = (bytes: Uint8Array, from: number, entries: number) => Message;

const readersByType: readonly (Reader | undefined)[] = Array.from({ length: 256 }, (_, type) => {
  const kind = definitionOf(type)?.kind;
  return kind === undefined ? undefined : readers[kind as MessageKind];
});

/** The longest body. */
export const bodyBytesMax = 251;

/** Writes a message from any source, such as a raw command: every field is checked. */
export function writeBody(kind: MessageKind, given: Readonly<Values>): Result<Uint8Array, FieldFault> {
  const definition: Definition = definitions[kind];
  const { fields, list, length } = definition;
  const entries = list === null ? [] : given[list.name];
  if (list !== null) {
    const wants = `a list of ${list.entriesMin} to ${list.entriesMax}`;
    if (!Array.isArray(entries) || entries.length < list.entriesMin || entries.length > list.entriesMax) {
      return failed({ kind: 'field-fault', field: list.name, wants });
    }
  }
  const rows = entries as readonly unknown[];
  const bytes = new Uint8Array(length + rows.length * (list?.entryLength ?? 0));
  const wrong = writeFields(fields, given, bytes, 0, rows.length);
  if (wrong !== null) return failed(fieldFault(wrong, wrong.name));
  for (const [index, row] of rows.entries()) {
    if (list === null) break;
    const place = `${list.name}.${index}`;
    if (typeof row !== 'object' || row === null) {
      return failed({ kind: 'field-fault', field: place, wants: 'an object' });
    }
    const wrongEntry = writeFields(list.fields, { ...row }, bytes, length + index * list.entryLength, 0);
    if (wrongEntry !== null) return failed(fieldFault(wrongEntry, `${place}.${wrongEntry.name}`));
  }
  return ok(bytes);
}

function fieldFault(field: Field, place: string): FieldFault {
  return { kind: 'field-fault', field: place, wants: wanted(field) };
}

function wanted({ encoding, length }: Field): string {
  switch (encoding) {
    case 'digits':
      return `${2 * length} digits`;
    case 'raw':
      return `${2 * length} hexadecimal digits`;
    case 'gun':
      return '0 to 99';
    case 'uint':
      return `a whole number from 0 to ${256 ** length - 1}`;
    case 'ascii':
    case 'reversed-ascii':
      return `at most ${length} characters of printable ASCII`;
    case 'time':
      return 'a time in the years 2000 to 2127, in milliseconds since 1970, or null';
    case 'bytes':
      return `${length} numbers from 0 to 255`;
    case 'count':
    case 'reserved':
      return 'nothing';
  }
}

/** Returns the first field that could not be written. */
function writeFields(
  fields: readonly Field[],
  given: Readonly<Values>,
  bytes: Uint8Array,
  from: number,
  entries: number,
): Field | null {
  for (const field of fields) {
    if (!writeField(field, given[field.name], bytes, from + field.offset, entries)) return field;
  }
  return null;
}

function writeField(field: Field, value: unknown, bytes: Uint8Array, at: number, entries: number): boolean {
  const { encoding, length } = field;
  switch (encoding) {
    case 'uint':
      return typeof value === 'number' && writeUint(value, bytes, at, length);
    case 'digits':
    case 'raw':
      return typeof value === 'string' && writeHex(value, bytes, at, length);
    case 'gun':
      return typeof value === 'number' && writeGun(value, bytes, at);
    case 'ascii':
      return typeof value === 'string' && writeAscii(value, bytes, at, length);
    case 'reversed-ascii':
      return typeof value === 'string' && writeAscii(reversed(value), bytes, at, length);
    case 'time':
      return (
        (value === null || typeof value === 'number') && writeTime(value as MessageOf<'clock-set'>['time'], bytes, at)
      );
    case 'bytes':
      return (
        Array.isArray(value) &&
        value.length === length &&
        value.every((each, index) => typeof each === 'number' && writeUint(each, bytes, at + index, 1))
      );
    case 'count':
      return writeUint(entries, bytes, at, length);
    case 'reserved':
      return true;
  }
}
