import { type Personal, type PersonalKind, personalOf } from '@voltdeck/contract/fields';
import type { InteractionLog } from '@voltdeck/contract/logs';
import type { UserId } from '@voltdeck/units/id';
import { maskExchange } from './mask-exchange.ts';
import { maskFields } from './mask-fields.ts';
import { maskPartnerText } from './mask-partner-text.ts';
import { maskCard, maskEmails, maskName, maskPhone, maskPlate } from './mask-text.ts';

type Row = Readonly<Record<string, unknown>>;
/** The object that holds a value, the object around it, and the caller, whose own data stays visible. */
type Place = { row: Row; around: Row | null; userId: UserId | null };
type Mask = (value: unknown, place: Place) => unknown;

/** Masks what leads to a person in an answer in a copy. */
export type Masker = <Answer>(answer: Answer, userId: UserId | null) => Answer;

const maskOf: Readonly<Record<PersonalKind, (value: unknown) => unknown>> = {
  phone: onText(maskPhone),
  card: onText(maskCard),
  plate: onText(maskPlate),
  vin: onText(maskCard),
  email: onText(maskEmails),
  name: onText(maskName),
  fields: (value) => maskFields(value),
  'partner-text': onText(maskPartnerText),
  exchange: (value) => maskExchange(value as InteractionLog),
};

function onText(mask: (text: string) => string) {
  return (value: unknown) => (typeof value === 'string' ? mask(value) : value);
}

/** Compiles the masker of an answer schema; null for schemas without personal data. */
export function maskerOf(answer: object): Masker | null {
  const mask = compiled(answer, new Map());
  if (mask === null) return null;
  const nowhere = {};
  return (value, userId) => mask(value, { row: nowhere, around: null, userId }) as typeof value;
}

type Definition = {
  shape?: Readonly<Record<string, object>>;
  element?: object;
  innerType?: object;
  options?: readonly object[];
  items?: readonly object[];
  valueType?: object;
  out?: object;
};

/** `known` ends the recursion for schemas that contain themselves. */
function compiled(schema: object, known: Map<object, Mask | null>): Mask | null {
  const seen = known.get(schema);
  if (seen !== undefined) return seen;
  known.set(schema, null);
  const personal = personalOf(schema);
  const mask = personal === undefined ? within(schema, known) : leaf(personal);
  known.set(schema, mask);
  return mask;
}

function leaf({ kind, ownedBy }: Personal): Mask {
  return (value, { row, around, userId }) => {
    if (ownedBy !== undefined && userId !== null && row[ownedBy] === userId) return value;
    const by = typeof kind === 'string' ? kind : kind(row, around);
    return by === null ? value : maskOf[by](value);
  };
}

function within(schema: object, known: Map<object, Mask | null>): Mask | null {
  const { def } = (schema as { _zod: { def: Definition } })._zod;
  const { shape, element, innerType, options, items, valueType, out } = def;
  if (shape !== undefined) return ofObject(shape, known);
  if (element !== undefined) return ofEach(compiled(element, known));
  if (valueType !== undefined) return ofValues(compiled(valueType, known));
  if (options !== undefined) return ofOptions(options, known);
  if (items !== undefined) throw new Error('tuples in answers cannot be masked');
  const inner = innerType ?? out;
  return inner === undefined ? null : compiled(inner, known);
}

function ofObject(shape: Readonly<Record<string, object>>, known: Map<object, Mask | null>): Mask | null {
  const masks = Object.entries(shape).flatMap(([name, field]): [string, Mask][] => {
    const mask = compiled(field, known);
    return mask === null ? [] : [[name, mask]];
  });
  if (masks.length === 0) return null;
  return (value, { row: around, userId }) => {
    if (typeof value !== 'object' || value === null) return value;
    const row = value as Row;
    const masked: Record<string, unknown> = { ...row };
    for (const [name, mask] of masks) {
      if (row[name] !== undefined && row[name] !== null) masked[name] = mask(row[name], { row, around, userId });
    }
    return masked;
  };
}

function ofEach(mask: Mask | null): Mask | null {
  if (mask === null) return null;
  return (value, place) => (Array.isArray(value) ? value.map((one) => mask(one, place)) : value);
}

function ofValues(mask: Mask | null): Mask | null {
  if (mask === null) return null;
  return (value, place) =>
    typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mask(one, place)]));
}

/** Masking twice would hide more, so at most one option may hold personal data. */
function ofOptions(options: readonly object[], known: Map<object, Mask | null>): Mask | null {
  const [mask = null, ...others] = options.map((option) => compiled(option, known)).filter((one) => one !== null);
  if (others.length > 0) throw new Error('several options of an answer hold personal data');
  return mask;
}
