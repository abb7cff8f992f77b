/** The phrase keys for the parts of this protocol. */
import { definitions } from './messages/all.ts';
import type { BitItem, BitSet, Definition, Enumeration, Field, Reading, Unit } from './messages/field.ts';

/** The parts of a frame besides its fields. */
export const frameParts = [
  'start',
  'length',
  'sequence',
  'encryptFlag',
  'type',
  'checksum',
  'ciphertext',
  'unknownBody',
  'incomplete',
  'surplus',
  'noFrame',
] as const;
export type FramePart = (typeof frameParts)[number];

export const encryptFlag: Enumeration = { name: 'encrypt-flag', meanings: { 0: 'none', 1: 'triple-des' } };

/** Why a frame is not understood, wholly or in part. */
export const explanationFaults = [
  'encrypted',
  'unknown-type',
  'body-too-short',
  'wrong-checksum',
  'cut-off',
  'not-a-frame',
] as const;
export type ExplanationFault = (typeof explanationFaults)[number];

export const messageKey = (kind: string): string => `ykc.message.${kind}`;
export const fieldKey = ({ name, label }: Pick<Field, 'name' | 'label'>): string => `ykc.field.${label ?? name}`;
export const partKey = (part: FramePart): string => `ykc.part.${part}`;
export const faultKey = (fault: ExplanationFault): string => `ykc.fault.${fault}`;
export const unitKey = (unit: Unit): string => `ykc.unit.${unit}`;
export const bitKey = ({ name }: BitSet, { key }: BitItem): string => `ykc.bit.${name}.${key}`;
export const timeKey = (): string => 'ykc.meaning.time.invalid';

/** Null for an undocumented code. */
export function meaningKey({ name, meanings }: Enumeration, code: number): string | null {
  const meaning = meanings[code];
  return meaning === undefined ? null : `ykc.meaning.${name}.${meaning}`;
}

/** Every key that an explanation can have. */
export function everyPhraseKey(): ReadonlySet<string> {
  const keys = new Set<string>([timeKey(), ...frameParts.map(partKey), ...explanationFaults.map(faultKey)]);
  addMeanings(encryptFlag, keys);
  for (const { kind, fields, list } of Object.values<Definition>(definitions)) {
    keys.add(messageKey(kind));
    for (const field of [...fields, ...(list?.fields ?? [])]) {
      keys.add(fieldKey(field));
      addReading(field, keys);
    }
  }
  return keys;
}

function addReading({ unit, meanings, bits }: Reading, keys: Set<string>): void {
  if (unit !== undefined) keys.add(unitKey(unit));
  if (meanings !== undefined) addMeanings(meanings, keys);
  for (const item of bits?.items ?? []) {
    if (bits !== undefined) keys.add(bitKey(bits, item));
    addReading(item, keys);
  }
}

function addMeanings(meanings: Enumeration, keys: Set<string>): void {
  for (const code of Object.keys(meanings.meanings)) keys.add(meaningKey(meanings, Number(code)) ?? '');
}
