import * as z from 'zod/mini';
import type { FieldFault } from './errors.ts';
import { fieldFaults } from './field-faults.ts';

type Schema = z.ZodMiniType;

/** One field of a body as a form sees it, derived entirely from the schema. */
export type BodyField = {
  schema: Schema;
  /** The schema of a present value, with optional and nullable unwrapped. */
  value: Schema;
  type: 'text' | 'number' | 'flag' | 'choice' | 'choices' | 'date' | 'instant' | 'other';
  /** The values of a choice. */
  choices: readonly (string | number)[];
  /** Characters of a text, or entries of a list. */
  lengthMax: number | null;
  isNullable: boolean;
};

/** The fields of an object schema, in its order. @throws Error when the schema is not an object. */
export function bodyFields(schema: Schema): ReadonlyMap<string, BodyField> {
  const { def } = schema._zod as unknown as { def: { shape?: Readonly<Record<string, Schema>> } };
  if (def.shape === undefined) throw new Error('form fields need an object schema');
  return new Map(Object.entries(def.shape).map(([name, field]) => [name, bodyField(field)]));
}

/** The faults of one field's value by the server's rules, each with its path within the value. */
export function faultsOfValue({ schema }: Pick<BodyField, 'schema'>, value: unknown): readonly FieldFault[] {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? [] : fieldFaults(parsed.error.issues, value);
}

/** The first fault of one field's value; null when it is valid. */
export function faultOfValue(field: Pick<BodyField, 'schema'>, value: unknown): FieldFault | null {
  return faultsOfValue(field, value)[0] ?? null;
}

/** What an empty field sends: nothing where that is allowed, otherwise the emptiest value. */
export function emptyValue({ schema, isNullable, type }: BodyField): unknown {
  if (isNullable) return null;
  if (type === 'flag') return false;
  if (type === 'choices') return [];
  if (type === 'text' && z.safeParse(schema, '').success) return '';
  return undefined;
}

export function isRequired(field: BodyField): boolean {
  return field.type !== 'flag' && faultOfValue(field, emptyValue(field)) !== null;
}

type Definition = {
  type: string;
  format?: string;
  innerType?: Schema;
  in?: Schema;
  element?: Schema;
  options?: readonly Schema[];
  entries?: Readonly<Record<string, string | number>>;
  values?: readonly (string | number)[];
  checks?: readonly { _zod: { def: { check: string; maximum?: number; length?: number } } }[];
};

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

function bodyField(schema: Schema): BodyField {
  let value = schema;
  let isNullable = false;
  for (;;) {
    const { type, innerType, options } = definitionOf(value);
    if (type === 'nullable') isNullable = true;
    // In a union of a literal and a link, the link describes the field.
    const next = innerType ?? options?.find((option) => definitionOf(option).type !== 'literal');
    if (next === undefined) break;
    value = next;
  }
  const definition = definitionOf(value);
  return {
    schema,
    value,
    type: typeOf(definition),
    choices: choicesOf(definition),
    lengthMax: lengthMaxOf(definition),
    isNullable,
  };
}

function typeOf({ type, format, element }: Definition): BodyField['type'] {
  switch (type) {
    case 'string':
      return format === 'date' ? 'date' : format === 'datetime' ? 'instant' : 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'enum':
    case 'literal':
      return 'choice';
    case 'array':
      return element !== undefined && definitionOf(element).type === 'enum' ? 'choices' : 'other';
    default:
      return 'other';
  }
}

function choicesOf({ entries, values, element }: Definition): BodyField['choices'] {
  if (entries !== undefined) return Object.values(entries);
  if (values !== undefined) return values;
  return element === undefined ? [] : choicesOf(definitionOf(element));
}

function lengthMaxOf({ checks = [] }: Definition): number | null {
  const lengths = checks.flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? [def.maximum] : def.check === 'length_equals' ? [def.length] : [],
  );
  return lengths.find((length) => length !== undefined) ?? null;
}
