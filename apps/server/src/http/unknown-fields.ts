import type { FieldFault } from '@voltdeck/contract/errors';
import type * as z from 'zod/mini';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The fields of `given` that the schema does not know, by name: a misspelt field that is silently ignored costs the
 * author of a script an afternoon.
 */
export function unknownFields(schema: JsonSchema, given: unknown, at: readonly string[] = []): FieldFault[] {
  if (Array.isArray(given)) {
    const { items } = schema;
    if (typeof items !== 'object' || Array.isArray(items)) return [];
    return given.flatMap((item, index) => unknownFields(items, item, [...at, String(index)]));
  }
  if (typeof given !== 'object' || given === null) return [];
  const known = objectSchemaFor(schema, given as Record<string, unknown>);
  if (known === null || known.additionalProperties !== undefined) return [];
  return Object.entries(given).flatMap(([name, value]): FieldFault[] => {
    const property = known.properties?.[name];
    const path = [...at, name];
    if (property === undefined) return [{ path: path.join('.'), code: 'unknown_field' }];
    return typeof property === 'object' ? unknownFields(property, value, path) : [];
  });
}

/** The object schema itself, or the union member that matches the given object; null where none does. */
function objectSchemaFor(schema: JsonSchema, given: Readonly<Record<string, unknown>>): JsonSchema | null {
  if (schema.properties !== undefined) return schema;
  const members = (schema.oneOf ?? schema.anyOf ?? []).filter((member) => typeof member === 'object');
  const matching = members.filter((member) =>
    Object.entries(member.properties ?? {}).every(
      ([name, property]) => typeof property !== 'object' || !('const' in property) || property.const === given[name],
    ),
  );
  return matching.length === 1 ? (matching[0] ?? null) : null;
}
