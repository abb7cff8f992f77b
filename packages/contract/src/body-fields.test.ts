import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAdvert } from './adverts.ts';
import { bodyFields, emptyValue, faultOfValue, isRequired } from './body-fields.ts';
import { linkField, textField } from './fields.ts';
import { createStation } from './stations.ts';

const fieldOf = (schema: z.ZodMiniType) => {
  const field = bodyFields(z.object({ one: schema })).get('one');
  if (field === undefined) throw new Error('no field');
  return field;
};

describe('form fields derived from a schema', () => {
  test.each([
    ['a text', textField(64), { type: 'text', lengthMax: 64 }],
    [
      'a text that may be left out',
      z.optional(z.nullable(textField(9))),
      { type: 'text', lengthMax: 9, isNullable: true },
    ],
    ['nothing or a link', z.optional(z.union([z.literal(''), linkField])), { type: 'text', lengthMax: 500 }],
    ['a number', z.optional(z.int().check(z.gte(1))), { type: 'number', lengthMax: null }],
    ['a flag', z.optional(z.boolean()), { type: 'flag' }],
    ['a choice with a default', z._default(z.enum(['a', 'b']), 'a'), { type: 'choice', choices: ['a', 'b'] }],
    ['several choices', z.array(z.enum(['a', 'b'])), { type: 'choices', choices: ['a', 'b'] }],
    ['a day', z.optional(z.iso.date()), { type: 'date' }],
    ['an instant', z.iso.datetime({ offset: true }), { type: 'instant' }],
    ['a list of texts', z.array(textField(9)), { type: 'other' }],
  ] as const)('the kind of a field is read from its schema: %s', (_, schema, known) => {
    expect(fieldOf(schema)).toMatchObject(known);
  });

  test('a field is required when the schema refuses its empty value', () => {
    expect(isRequired(fieldOf(textField(9)))).toBe(true);
    expect(isRequired(fieldOf(z.int()))).toBe(true);
    expect(isRequired(fieldOf(z.string().check(z.maxLength(9))))).toBe(false);
    expect(isRequired(fieldOf(z.nullable(z.int())))).toBe(false);
    expect(isRequired(fieldOf(z.optional(z.int())))).toBe(false);
    // A switch always has a value.
    expect(isRequired(fieldOf(z.boolean()))).toBe(false);
  });

  test('an empty field sends the emptiest value that the server accepts', () => {
    expect(emptyValue(fieldOf(z.nullable(textField(9))))).toBeNull();
    expect(emptyValue(fieldOf(z.optional(z.string().check(z.maxLength(9)))))).toBe('');
    expect(emptyValue(fieldOf(z.optional(textField(9))))).toBeUndefined();
    expect(emptyValue(fieldOf(z.optional(z.int())))).toBeUndefined();
    expect(emptyValue(fieldOf(z.boolean()))).toBe(false);
  });

  test('a field fault on the client is the one that the server would name', () => {
    expect(faultOfValue(fieldOf(textField(3)), 'four')).toEqual({ path: '', code: 'too_long', params: { max: 3 } });
    expect(faultOfValue(fieldOf(textField(3)), undefined)).toEqual({ path: '', code: 'required' });
    expect(faultOfValue(fieldOf(z.optional(z.union([z.literal(''), linkField]))), 'ftp://x')).toMatchObject({
      code: 'link_format',
    });
    expect(faultOfValue(fieldOf(textField(3)), 'abc')).toBeNull();
  });
});

test('body fields come in the order of the schema', () => {
  expect([...bodyFields(createAdvert.body ?? z.object({})).keys()]).toEqual([
    'title',
    'pictureFileId',
    'page',
    'link',
    'sort',
    'enabled',
  ]);
  expect(bodyFields(createStation.body ?? z.object({})).get('voltageV')?.type).toBe('number');
});
