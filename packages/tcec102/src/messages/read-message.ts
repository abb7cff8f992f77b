import { parseShanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { isJsonObject, type JsonFault, JsonNumber, jsonValuesMax, readJson } from '../json-text.ts';
import type { PartnerProfile } from '../profile.ts';
import { readScaled } from '../scaled.ts';
import { readDateTime, readTimeOfDay } from '../shanghai-text.ts';
import { type Direction, type InterfaceName, interfaces, type Message } from './all.ts';
import {
  type AnyKind,
  type Codes,
  type DecimalKind,
  type Field,
  isInProfile,
  type ListKind,
  namesOf,
  type ObjectKind,
} from './field.ts';

/**
 * Why a body is no message: Ret 4004, with the field in Msg. `path` names it from the outside, as in
 * "StationInfos[3].StationID"; it is empty for the body itself.
 */
export type MessageFault = {
  path: string;
  because:
    | 'not-json'
    | 'not-an-object'
    | 'missing'
    | 'not-a-text'
    | 'not-a-number'
    | 'not-an-integer'
    | 'not-a-list'
    | 'too-long'
    | 'too-many'
    | 'too-few'
    | 'out-of-range'
    | 'too-fine'
    | 'unknown-code'
    | 'not-a-time'
    | 'not-readable';
};

/** Why an item was left out. `id` is what names it, as StationID of a station; null where that is unreadable as well. */
export type LeftOutItem = MessageFault & { id: string | null };

/** A text for people may be longer than the standard's: it is read up to this length whatever the field. */
export const textCharsMax = 1_024;
/**
 * A request has far fewer values than the answer with our partners' stations, and anybody with a token may send many: a
 * full comparison has 40,000, which leaves room for a field more in each of its orders.
 */
export const requestValuesMax = 60_000;
/** Items that are left out of one message at most before the message itself is refused. */
export const itemsLeftOutMax = 100;

/**
 * The message of a body.
 *
 * Leniencies, each because partners do so: both spellings of Service; an optional field that is null or an empty text
 * is absent; fields that the interface does not have are ignored; Total as a text; texts longer than the standard's, up
 * to `textCharsMax`; the rounding noise of a binary fraction in an amount.
 * Everything else that is of another type than the standard's is a fault: a number as a text hides what a partner's
 * software does to leading zeros and decimals.
 *
 * @param json what `readJson` gave; what JSON.parse gives is read as well, as far as its numbers go
 * @param leftOut receives the faults of single stations and port states, which are then left out; without it they
 * refuse the message
 */
export function readMessage<Name extends InterfaceName, D extends Direction>(
  interfaceName: Name,
  direction: D,
  json: unknown,
  profile: PartnerProfile,
  leftOut?: LeftOutItem[],
): Result<Message<Name, D>, MessageFault> {
  const schema: ObjectKind = interfaces[interfaceName][direction];
  const reading = new Reading(profile, leftOut);
  const value = reading.read(schema, json);
  return value === undefined ? failed(reading.fault()) : ok(value as Message<Name, D>);
}

/** The same from the text of an opened envelope. */
export function readBody<Name extends InterfaceName, D extends Direction>(
  interfaceName: Name,
  direction: D,
  text: string,
  profile: PartnerProfile,
  leftOut?: LeftOutItem[],
): Result<Message<Name, D>, MessageFault> {
  const json = readJson(text, direction === 'request' ? requestValuesMax : jsonValuesMax);
  if (!json.ok) return failed({ path: '', because: jsonBecause[json.error.because] });
  return readMessage(interfaceName, direction, json.value, profile, leftOut);
}

const jsonBecause: Readonly<Record<JsonFault['because'], MessageFault['because']>> = {
  'too-long': 'too-long',
  'not-json': 'not-json',
  'too-deep': 'not-json',
  'too-many-values': 'too-many',
  'duplicate-name': 'not-json',
};

/** What is undefined is a fault, whose path grows on the way out. */
class Reading {
  readonly #profile: PartnerProfile;
  readonly #leftOut: LeftOutItem[] | undefined;
  #because: MessageFault['because'] = 'not-json';
  #path = '';

  constructor(profile: PartnerProfile, leftOut: LeftOutItem[] | undefined) {
    this.#profile = profile;
    this.#leftOut = leftOut;
  }

  fault(): MessageFault {
    return { path: this.#path, because: this.#because };
  }

  read(kind: AnyKind, json: unknown): unknown {
    switch (kind.kind) {
      case 'object':
        return this.#object(kind, json);
      case 'list':
        return this.#list(kind, json);
      case 'decimal':
        return this.#decimal(kind, json);
      case 'integer':
        return this.#integer(json, kind.min, kind.max, kind.isTextToo);
      case 'code':
        return this.#code(kind.codes, json);
      case 'text':
        return this.#text(json);
      case 'identifier':
        return this.#identifier(
          json,
          kind.isWidened ? Math.max(kind.charsMax, this.#profile.identifierLengthMax ?? 0) : kind.charsMax,
        );
      case 'date-time':
        return this.#time(json, readDateTime);
      case 'date':
        return this.#time(json, (text) => (parseShanghaiDate(text) === null ? null : text));
      case 'time-of-day':
        return this.#time(json, readTimeOfDay);
    }
  }

  #object(kind: ObjectKind, json: unknown): unknown {
    if (!isJsonObject(json)) return this.#fail('not-an-object');
    const values: Record<string, unknown> = {};
    for (const name in kind.fields) {
      const field = kind.fields[name];
      if (field === undefined || !isInProfile(field, this.#profile)) continue;
      const given = givenOf(json, name, field);
      if (given === undefined || given === null || (given === '' && !field.isRequired)) {
        if (!field.isRequired) continue;
        this.#fail('missing');
        return this.#within(name);
      }
      const leftOutBefore = this.#leftOut?.length ?? 0;
      const value = this.read(field.kind, given);
      this.#nameLeftOut(leftOutBefore, name);
      if (value === undefined) return this.#within(name);
      values[name] = value;
    }
    return values;
  }

  #list(kind: ListKind, json: unknown): unknown {
    if (!Array.isArray(json)) return this.#fail('not-a-list');
    if (json.length < kind.itemsMin) return this.#fail('too-few');
    if (json.length > kind.itemsMax) return this.#fail('too-many');
    const values: unknown[] = [];
    const leftOut = kind.isItemwise ? this.#leftOut : undefined;
    for (let index = 0; index < json.length; index += 1) {
      const leftOutBefore = this.#leftOut?.length ?? 0;
      const value = this.read(kind.of, json[index]);
      this.#nameLeftOut(leftOutBefore, `[${index}]`);
      if (value !== undefined) {
        values.push(value);
        continue;
      }
      this.#within(`[${index}]`);
      if (leftOut === undefined || leftOut.length >= itemsLeftOutMax) return undefined;
      leftOut.push({ ...this.fault(), id: this.#idOf(kind, json[index]) });
      this.#path = '';
    }
    return values;
  }

  #idOf({ of, idField }: ListKind, json: unknown): string | null {
    const field = idField === null || of.kind !== 'object' ? undefined : of.fields[idField];
    if (field === undefined || idField === null || !isJsonObject(json)) return null;
    const id = this.read(field.kind, givenOf(json, idField, field));
    return typeof id === 'string' ? id : null;
  }

  #decimal({ scale, min, max, isRounded }: DecimalKind, json: unknown): unknown {
    const text = numberText(json);
    if (text === null) return this.#fail('not-a-number');
    const scaled = readScaled(text, scale);
    if (scaled === null || scaled.value < min || scaled.value > max) return this.#fail('out-of-range');
    if (scaled.exactness === 'rounded' && !isRounded) return this.#fail('too-fine');
    return scaled.value;
  }

  #integer(json: unknown, min: number, max: number, isTextToo: boolean): unknown {
    const text = isTextToo && typeof json === 'string' ? json : numberText(json);
    if (text === null) return this.#fail('not-a-number');
    if (!/^-?\d{1,15}$/.test(text)) return this.#fail('not-an-integer');
    const value = Number(text);
    return value < min || value > max ? this.#fail('out-of-range') : value;
  }

  #code({ meanings, custom, isOpen }: Codes, json: unknown): unknown {
    const value = this.#integer(json, codeMin, codeMax, false);
    if (typeof value !== 'number' || isOpen || Object.hasOwn(meanings, value)) return value;
    return custom !== undefined && value >= custom.from && value <= custom.to ? value : this.#fail('unknown-code');
  }

  #text(json: unknown): unknown {
    if (typeof json !== 'string') return this.#fail('not-a-text');
    return json.length > textCharsMax ? this.#fail('too-long') : cleanText(json);
  }

  #identifier(json: unknown, charsMax: number): unknown {
    if (typeof json !== 'string') return this.#fail('not-a-text');
    if (json.length > charsMax) return this.#fail('too-long');
    return isReadable(json) ? json : this.#fail('not-readable');
  }

  #time<Value>(json: unknown, readTime: (text: string) => Value | null): unknown {
    if (typeof json !== 'string') return this.#fail('not-a-text');
    return readTime(json) ?? this.#fail('not-a-time');
  }

  #fail(because: MessageFault['because']): undefined {
    this.#because = because;
    this.#path = '';
  }

  #within(name: string): undefined {
    this.#path = pathWithin(name, this.#path);
  }

  /** Completes the paths of what was left out within this name. */
  #nameLeftOut(from: number, name: string): void {
    const leftOut = this.#leftOut;
    for (let at = from; leftOut !== undefined && at < leftOut.length; at += 1) {
      const fault = leftOut[at];
      if (fault !== undefined) leftOut[at] = { ...fault, path: pathWithin(name, fault.path) };
    }
  }
}

function pathWithin(name: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? `${name}${inner}` : `${name}.${inner}`;
}

const codeMin = 0;
const codeMax = 9_999;

/** What comes under one of the field's names. Where a partner sends both spellings, the corrected one counts. */
function givenOf(json: { readonly [name: string]: unknown }, name: string, field: Field): unknown {
  const own = Object.hasOwn(json, name) ? json[name] : undefined;
  if (field.spelling === undefined || (own !== undefined && own !== null)) return own;
  for (const other of namesOf(name, field)) if (Object.hasOwn(json, other) && json[other] !== null) return json[other];
  return own;
}

/** Null for what is no number. */
function numberText(json: unknown): string | null {
  if (json instanceof JsonNumber) return json.text;
  return typeof json === 'number' ? String(json) : null;
}

/** Control characters, among them NUL, are no part of an identifier; neither are lone surrogates. */
function isReadable(identifier: string): boolean {
  for (let at = 0; at < identifier.length; at += 1) if (identifier.charCodeAt(at) < 0x20) return false;
  return identifier.isWellFormed();
}

/** Without NUL and lone surrogates, which no database text can hold: partners cut texts in the middle of a character. */
function cleanText(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return whole.toWellFormed();
}
