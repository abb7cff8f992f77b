import type { Route } from '@voltdeck/contract/route';
import * as z from 'zod/mini';

type JsonSchema = Record<string, unknown>;

/** The success envelope as JSON Schema, from which the serialiser is built once at start-up. */
export function answerSchema(route: Route): JsonSchema {
  return {
    type: 'object',
    required: ['message', 'data'],
    properties: {
      message: {
        type: 'object',
        required: ['status', 'code', 'message'],
        properties: { status: { type: 'integer' }, code: { type: 'integer' }, message: { type: 'string' } },
      },
      data: forSerialiser(z.toJSONSchema(route.answer, { unrepresentable: 'any', io: 'output' })),
    },
  };
}

const checksOnly = new Set(['$schema', 'minimum', 'maximum', 'pattern', 'format', 'minLength', 'maxLength', 'enum']);

/**
 * The serialiser needs shapes, not checks: our own answers are already typed. "X or null" becomes `nullable`, which it
 * writes without trying each alternative.
 */
function forSerialiser(schema: unknown): JsonSchema {
  if (typeof schema !== 'object' || schema === null) return {};
  const { anyOf, ...rest } = schema as JsonSchema & { anyOf?: unknown };
  if (Array.isArray(anyOf)) {
    const others = anyOf.filter((member) => !isNull(member));
    const only = forSerialiser(others[0]);
    const isNullable = others.length === 1 && others.length < anyOf.length;
    // A record of several kinds has no one type that could be nullable.
    if (isNullable && Array.isArray(only.oneOf)) return { anyOf: [...only.oneOf, { type: 'null' }] };
    // Within an alternative, `nullable` is refused beside anything but a type.
    if (isNullable && 'type' in only) return { ...only, nullable: true };
    return { anyOf: anyOf.map(forSerialiser) };
  }
  if (Array.isArray(rest.type)) {
    const types = rest.type.filter((type) => type !== 'null');
    if (types.length === 1) return { ...forSerialiser({ ...rest, type: types[0] }), nullable: true };
  }
  return Object.fromEntries(
    Object.entries(rest)
      // A record with more fields than its schema is still that alternative; the serialiser leaves them out.
      .filter(([name, value]) => !checksOnly.has(name) && !(name === 'additionalProperties' && value === false))
      .map(([name, value]) => {
        if (name === 'properties') {
          return [
            name,
            Object.fromEntries(Object.entries(value as JsonSchema).map(([key, inner]) => [key, forSerialiser(inner)])),
          ];
        }
        if (name === 'oneOf') return [name, (value as unknown[]).map(forSerialiser)];
        if (name === 'items' || (name === 'additionalProperties' && typeof value === 'object')) {
          return [name, forSerialiser(value)];
        }
        return [name, value];
      }),
  );
}

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null';
}
