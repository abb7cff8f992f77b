import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { ErrorCode, Payload } from '../frame.ts';

/** What is wrong with a payload, for the answer as CALLERROR. */
export type PayloadFault = { kind: 'payload-fault'; code: ErrorCode; description: string };

export type PayloadCheck = (payload: Payload) => PayloadFault | null;

/** A deviation of real stations from the schema that we accept. */
export type Leniency = {
  field: string;
  /** `any-length` drops the length limit, `any-text` also the list of values, `any-value` every rule but presence. */
  allows: 'any-length' | 'any-text' | 'any-value';
  because: string;
};

export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [field: string]: Schema };
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
};

/**
 * A check made from a schema of the Open Charge Alliance and the leniencies. Two apply to every message: unknown fields
 * are ignored, and an optional field that is null counts as absent. Times are checked in translation, where an unusable
 * clock is an expected case. Compiled on first use: most stations never send most messages.
 */
export function payloadCheck(schema: Schema, leniencies: readonly Leniency[] = []): PayloadCheck {
  let validate: ValidateFunction | null = null;
  return (payload) => {
    validate ??= ajv.compile(relaxed(schema, leniencies));
    if (validate(payload)) return null;
    return faultOf(validate.errors?.[0]);
  };
}

export function payloadFault(code: ErrorCode, description: string): PayloadFault {
  return { kind: 'payload-fault', code, description };
}

const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, formats: { 'date-time': true, uri: true } });

function relaxed(schema: Schema, leniencies: readonly Leniency[]): Schema {
  const properties: { [field: string]: Schema } = {};
  for (const [field, rule] of Object.entries(schema.properties ?? {})) {
    const leniency = leniencies.find((candidate) => candidate.field === field);
    const eased = leniency === undefined ? relaxed(rule, []) : easedRule(rule, leniency);
    properties[field] = schema.required?.includes(field) === true ? eased : orNull(eased);
  }
  return {
    ...(schema.type !== undefined && { type: schema.type }),
    ...(schema.properties !== undefined && { properties }),
    ...(schema.items !== undefined && { items: relaxed(schema.items, []) }),
    ...(schema.required !== undefined && { required: schema.required }),
    ...(schema.enum !== undefined && { enum: schema.enum }),
    ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
  };
}

function easedRule(rule: Schema, leniency: Leniency): Schema {
  switch (leniency.allows) {
    case 'any-value':
      return {};
    case 'any-text':
      return { type: 'string' };
    case 'any-length': {
      const { maxLength: _, ...rest } = relaxed(rule, []);
      return rest;
    }
  }
}

function orNull(rule: Schema): Schema {
  if (rule.type === undefined) return rule;
  return {
    ...rule,
    type: [...[rule.type].flat(), 'null'],
    ...(rule.enum !== undefined && { enum: [...rule.enum, null] }),
  };
}

/** OCPP-J 1.6, table 7 distinguishes type, occurence and property violations; a missing field is one of occurence. */
function faultOf(error: ErrorObject | undefined): PayloadFault {
  const place = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const description = `${place === '' ? '' : `${place}: `}${error?.message ?? 'not as the schema says'}`;
  switch (error?.keyword) {
    case 'required':
      return payloadFault('OccurenceConstraintViolation', description);
    case 'type':
      return payloadFault('TypeConstraintViolation', description);
    default:
      return payloadFault('PropertyConstraintViolation', description);
  }
}
