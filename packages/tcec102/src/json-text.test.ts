import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  type Json,
  JsonNumber,
  jsonCharsMax,
  jsonNamesMax,
  jsonValuesMax,
  readJson,
} from './json-text.ts';

/** What JSON.parse would have made of it. */
function plain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.text);
  if (Array.isArray(json)) return json.map(plain);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plain(value)]));
}

function read(text: string): unknown {
  const json = readJson(text);
  return json.ok ? plain(json.value) : json.error.because;
}

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (text, indent) => {
      const written = JSON.stringify(JSON.parse(text), null, indent);
      expect(read(written)).toEqual(JSON.parse(written));
    }),
  );
});

test('what JSON.parse refuses is refused, whatever is broken', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ',', '}', ']', '\\', '\u0001', '0', '.'),
      (text, at, by) => {
        const broken = text.slice(0, at % (text.length + 1)) + by + text.slice((at % (text.length + 1)) + 1);
        let wanted: unknown = 'not-json';
        try {
          wanted = JSON.parse(broken);
        } catch {
          // Then the fault is wanted.
        }
        const got = read(broken);
        if (got !== 'duplicate-name') expect(got).toEqual(wanted);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('numbers keep their text', () => {
  expect(readJson('[12.50,-0,1E400,9007199254740993]')).toEqual({
    ok: true,
    value: ['12.50', '-0', '1E400', '9007199254740993'].map((text) => new JsonNumber(text)),
  });
});

describe('limits', () => {
  test.each([
    ['{"a":1,"a":1}', 'duplicate-name'],
    ['{"a":1,"\\u0061":1}', 'duplicate-name'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate-name'],
    ['['.repeat(17), 'too-deep'],
    ['{"a":'.repeat(17), 'too-deep'],
    [`${'['.repeat(16)}${']'.repeat(16)}`, JSON.parse(`${'['.repeat(16)}${']'.repeat(16)}`)],
    [`[${'0,'.repeat(jsonValuesMax)}0]`, 'too-many-values'],
    [`{${Array.from({ length: jsonNamesMax + 1 }, (_, index) => `"${index}":0`).join(',')}}`, 'too-many-values'],
    [' '.repeat(jsonCharsMax + 1), 'too-long'],
    ['', 'not-json'],
    ['1 1', 'not-json'],
    ['"\n"', 'not-json'],
    ['"\\x"', 'not-json'],
    ['01', 'not-json'],
    ['\u00a01', 'not-json'],
  ])('case %#', (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  test('names of every object are names like others', () => {
    expect(readJson('{"__proto__":null,"toString":"a"}')).toMatchObject({ ok: true });
    const json = readJson('{"toString":"a"}');
    expect(json.ok && isJsonObject(json.value) && Object.keys(json.value)).toEqual(['toString']);
  });
});
