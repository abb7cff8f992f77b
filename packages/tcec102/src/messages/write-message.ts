import type { Instant } from '@voltdeck/units/instant';
import type { PartnerProfile } from '../profile.ts';
import { writeScaled } from '../scaled.ts';
import { secondOfDayMax, writeDateTime, writeTimeOfDay } from '../shanghai-text.ts';
import { type Direction, type InterfaceName, interfaces, type Message } from './all.ts';
import { type AnyKind, type DecimalKind, isInProfile, type NameUse, type ObjectKind, writtenName } from './field.ts';

/**
 * The JSON text of a message as this partner wants it: spelling, digits after the point, additional fields. Texts for
 * people are cut to the standard's length; energy and prices finer than the profile's digits are rounded half up, so
 * sums that must agree are made of rounded parts before (`chargeDetailsOf`).
 *
 * @throws RangeError for what no partner could read: an identifier that is too long, a number outside its range.
 */
export function writeMessage<Name extends InterfaceName, D extends Direction>(
  interfaceName: Name,
  direction: D,
  value: Message<Name, D>,
  profile: PartnerProfile,
): string {
  const schema: ObjectKind = interfaces[interfaceName][direction];
  return writeObject(schema, value as Values, { profile, use: { interfaceName, direction } });
}

type Values = { readonly [name: string]: unknown };
type Writing = { readonly profile: PartnerProfile; readonly use: NameUse };

function write(kind: AnyKind, value: unknown, writing: Writing): string {
  switch (kind.kind) {
    case 'object':
      return writeObject(kind, value as Values, writing);
    case 'list': {
      const items = value as readonly unknown[];
      inRange(items.length, kind.itemsMin, kind.itemsMax);
      return `[${items.map((item) => write(kind.of, item, writing)).join(',')}]`;
    }
    case 'text':
      return quoted(cut(value as string, kind.charsMaxOf[writing.profile.extras] ?? kind.charsMax));
    case 'identifier': {
      const charsMax = kind.isWidened
        ? Math.max(kind.charsMax, writing.profile.identifierLengthMax ?? 0)
        : kind.charsMax;
      inRange((value as string).length, 0, charsMax);
      return quoted(value as string);
    }
    case 'integer':
      return String(inRange(value as number, kind.min, kind.max));
    case 'code':
      return String(inRange(value as number, 0, 9_999));
    case 'decimal':
      return writeDecimal(kind, value as number, writing.profile);
    case 'date-time':
      return `"${writeDateTime(value as Instant)}"`;
    case 'date':
      return quoted(value as string);
    case 'time-of-day':
      return `"${writeTimeOfDay(inRange(value as number, 0, secondOfDayMax))}"`;
  }
}

function writeObject({ fields }: ObjectKind, values: Values, writing: Writing): string {
  const parts: string[] = [];
  for (const name in fields) {
    const field = fields[name];
    const value = values[name];
    if (field === undefined || value === undefined || !isInProfile(field, writing.profile)) continue;
    const written = writtenName(name, field, writing.profile, writing.use);
    parts.push(`"${written}":${write(field.kind, value, writing)}`);
  }
  return `{${parts.join(',')}}`;
}

function writeDecimal({ scale, decimals, min, max }: DecimalKind, value: number, profile: PartnerProfile): string {
  inRange(value, min, max);
  return writeScaled(value, scale, typeof decimals === 'number' ? decimals : profile[decimals]);
}

function inRange(value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`a field holds ${min} to ${max}, got ${value}`);
  }
  return value;
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** At most so many UTF-16 units, without half a character at the end. */
function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const short = text.slice(0, charsMax);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
