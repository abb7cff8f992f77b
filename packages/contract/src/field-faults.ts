import { unreachable } from '@voltdeck/units/result';
import type * as z from 'zod/mini';
import { type FieldFault, type FieldFaultCode, fieldFaultCodes } from './errors.ts';

/**
 * Names the fault of each field. A check with a fault of its own gives a field fault code as its message
 * (contract/fields.ts); the others follow from the kind of zod issue and the value given.
 */
export function fieldFaults(issues: readonly z.core.$ZodIssue[], given: unknown): FieldFault[] {
  const faults = issues.flatMap((issue) => faultsOf(issue, given));
  // Each field reports only its first fault.
  const seen = new Set<string>();
  return faults.filter((fault) => !seen.has(fault.path) && seen.add(fault.path));
}

function faultsOf(issue: z.core.$ZodIssue, given: unknown): FieldFault[] {
  const path = issue.path.map(String).join('.');
  const value = valueAt(given, issue.path);
  if (value === undefined && issue.code !== 'unrecognized_keys') return [{ path, code: 'required' }];
  const own = fieldFaultCodes.find((code) => code === issue.message);
  if (own !== undefined) return [{ path, code: own }];
  const fault = (code: FieldFaultCode, params?: FieldFault['params']): FieldFault[] => [
    params === undefined ? { path, code } : { path, code, params },
  ];
  switch (issue.code) {
    case 'invalid_type':
      return fault(codeOfType(issue.expected, value));
    case 'invalid_value':
      return fault('not_choice', { choices: issue.values.map(String).join(', ') });
    case 'too_small':
      if (isBeyondNumbers(issue.minimum)) return fault('out_of_range');
      if (issue.origin === 'string') {
        return issue.minimum === 1 ? fault('required') : fault('too_short', { min: Number(issue.minimum) });
      }
      if (issue.origin === 'array') return fault('required');
      return issue.inclusive === false
        ? fault('not_above', { min: Number(issue.minimum) })
        : fault('too_small', { min: Number(issue.minimum) });
    case 'too_big':
      if (isBeyondNumbers(issue.maximum)) return fault('out_of_range');
      if (issue.origin === 'string') return fault('too_long', { max: Number(issue.maximum) });
      if (issue.origin === 'array') return fault('too_many', { max: Number(issue.maximum) });
      return fault('too_big', { max: Number(issue.maximum) });
    case 'invalid_format':
      return fault('bad_format');
    case 'invalid_union': {
      const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : null;
      return options === null ? fault('invalid') : fault('not_choice', { choices: options.map(String).join(', ') });
    }
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, code: 'unknown_field' as const }));
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return fault('invalid');
    default:
      return unreachable(issue);
  }
}

/** The bound of every integer without one of its own: nothing a person could go by. */
const isBeyondNumbers = (bound: number | bigint) => Math.abs(Number(bound)) >= Number.MAX_SAFE_INTEGER;

function codeOfType(expected: string, value: unknown): FieldFaultCode {
  if (value === null) return 'required';
  switch (expected) {
    case 'string':
      return 'not_text';
    case 'int':
      return typeof value === 'number' ? 'not_integer' : 'not_number';
    case 'number':
      return 'not_number';
    default:
      return 'invalid';
  }
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const key of path) {
    // An entry of a list written "a,b".
    if (typeof value !== 'object') return value;
    if (value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
