import fc from 'fast-check';
import * as schemas from 'typed-ocpp/dist/ocpp16/schemas.js';
import { Action } from 'typed-ocpp/dist/ocpp16/utils.js';
import { describe, expect, test } from 'vitest';
import { type Explanation, explain, explainedValuesMax } from './explain.ts';
import { errorCodes, frameDepthMax, withBlankPadding } from './frame.ts';
import { JsonReader } from './json-reader.ts';
import type { Schema } from './messages/payload-check.ts';
import { actions, enumerations, fields, knownErrorCodes } from './phrase-keys.ts';

const meterValues =
  '[2, "77", "MeterValues", {"connectorId":1, "meterValue":[{"timestamp":"2026-11-21T04:00:00Z","sampledValue":[' +
  '{"value":"1200","unit":"Wh","measurand":"Energy.Active.Import.Register"},{"value":"41","measurand":"SoC"}]}]}]';

/** Checks that every character is in exactly one span, in order. */
function expectWhole({ text, spans }: Explanation): void {
  let at = 0;
  for (const span of spans) {
    expect(span.offset).toBe(at);
    expect(span.length).toBe(span.raw.length);
    expect(span.length).toBeGreaterThan(0);
    at += span.length;
  }
  expect(at).toBe(text.length);
  expect(spans.map(({ raw }) => raw).join('')).toBe(text);
}

const at = (explanation: Explanation, path: string) => explanation.spans.find((span) => span.path === path);

describe('an OCPP message explained', () => {
  test('a call is explained with its name, its fields and the meaning of their values', () => {
    const explained = explain(meterValues);
    expectWhole(explained);
    expect(explained).toMatchObject({
      kind: 'call',
      action: 'MeterValues',
      name: 'ocpp.message.MeterValues',
      messageId: '77',
      fault: null,
    });
    expect(at(explained, 'meterValue[0].sampledValue[1].value')).toMatchObject({
      part: 'field',
      name: 'ocpp.field.value',
      raw: '"41"',
      value: '41',
      meaning: null,
    });
    expect(at(explained, 'meterValue[0].sampledValue[0].measurand')).toMatchObject({
      name: 'ocpp.field.measurand',
      meaning: 'ocpp.value.Energy.Active.Import.Register',
    });
    expect(explained.spans.filter(({ part }) => part === 'header').map(({ name, value }) => [name, value])).toEqual([
      ['ocpp.part.messageType', '2'],
      ['ocpp.part.messageId', '77'],
      ['ocpp.part.action', 'MeterValues'],
    ]);
  });

  test('a result is named after the call that it answers', () => {
    const explained = explain('[3,"9",{"status":"Accepted","currentTime":"2026-11-21T04:00:00Z"}]', 'BootNotification');
    expectWhole(explained);
    expect(explained).toMatchObject({ kind: 'result', action: 'BootNotification', messageId: '9', fault: null });
    expect(at(explained, 'status')).toMatchObject({ meaning: 'ocpp.value.Accepted' });
  });

  test('an error is explained by its code and its own details', () => {
    const explained = explain('[4,"9","NotImplemented","no such \\"thing\\"",{"hint":"upgrade"}]', 'DataTransfer');
    expectWhole(explained);
    expect(explained.spans.map(({ meaning }) => meaning)).toContain('ocpp.error.NotImplemented');
    expect(explained.spans.find(({ name }) => name === 'ocpp.part.errorDescription')?.value).toBe('no such "thing"');
    expect(at(explained, 'hint')).toMatchObject({ name: null, value: 'upgrade' });
  });

  test('items of a list are named after their list', () => {
    const explained = explain('[2,"1","GetConfiguration",{"key":["HeartbeatInterval"]}]');
    expect(at(explained, 'key[0]')).toMatchObject({ name: 'ocpp.field.key', value: 'HeartbeatInterval' });
  });

  test('a requested message is named like a sent one', () => {
    const explained = explain('[2,"1","TriggerMessage",{"requestedMessage":"StatusNotification"}]');
    expect(at(explained, 'requestedMessage')).toMatchObject({ meaning: 'ocpp.message.StatusNotification' });
  });

  test.each([
    ['[2,"1","Heartbeat",{"a":1', 'ocpp.fault.not-json'],
    ['[2,"1","Heartbeat",{"a":01}]', 'ocpp.fault.not-json'],
    ['[2,"1","Heartbeat",{}] and more', 'ocpp.fault.not-json'],
    ['{"connectorId":1}', 'ocpp.fault.not-a-frame'],
    ['[2,"1","Heartbeat"]', 'ocpp.fault.bad-payload'],
    ['[2,7,"Heartbeat",{}]', 'ocpp.fault.bad-id'],
    ['[2,"1",5,{}]', 'ocpp.fault.bad-action'],
    ['', 'ocpp.fault.not-json'],
  ])('%s is complete, with its fault', (text, fault) => {
    const explained = explain(text);
    expectWhole(explained);
    expect(explained.fault).toBe(fault);
  });

  test('a broken message is read up to the fault', () => {
    const explained = explain('[2,"1","StatusNotification",{"connectorId":1,"status":Faulted}]');
    expect(explained.action).toBe('StatusNotification');
    expect(at(explained, 'connectorId')).toMatchObject({ value: '1' });
    expect(explained.spans.at(-1)).toMatchObject({ part: 'surplus', name: 'ocpp.part.unreadable', raw: 'Faulted}]' });
  });

  test('nesting and length are limited', () => {
    const deep = explain(`[2,"1","DataTransfer",{"data":${'['.repeat(10_000)}`);
    expectWhole(deep);
    expect(deep.spans.at(-1)?.name).toBe('ocpp.part.unreadable');
    const nested = explain(`[2,"1","DataTransfer",{"data":${'['.repeat(frameDepthMax)}1${']'.repeat(frameDepthMax)}}]`);
    expectWhole(nested);
    expect(nested.fault).toBe('ocpp.fault.too-deep');
    const long = explain(`[2,"1","DataTransfer",{"data":[${'1,'.repeat(explainedValuesMax)}1]}]`);
    expectWhole(long);
    expect(long.fault).toBeNull();
    expect(long.spans.at(-1)?.name).toBe('ocpp.part.unexplained');
  });

  test('any JSON is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const explained = explain(json);
        expectWhole(explained);
        expect(explained.spans.some(({ name }) => name === 'ocpp.part.unreadable')).toBe(false);
      }),
    );
  });

  test('padding around a message is syntax', () => {
    const explained = explain('\ufeff[2,"7","Heartbeat",{}]\u2400');
    expectWhole(explained);
    expect(explained).toMatchObject({ kind: 'call', action: 'Heartbeat', fault: null });
    expect(explained.spans.map(({ part }) => part)).not.toContain('surplus');
  });

  test('mutated messages are explained without a throw, and broken exactly where JSON.parse refuses them', () => {
    const pieces = fc.constantFrom(
      '"',
      '\\',
      '\\u12',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '-',
      '1e',
      'null',
      ' ',
      '\u0000',
      '桩',
    );
    fc.assert(
      fc.property(fc.nat(meterValues.length), fc.nat(12), pieces, (from, cut, piece) => {
        const text = meterValues.slice(0, from) + piece + meterValues.slice(from + cut);
        const explained = explain(text);
        expectWhole(explained);
        expect(isReadable(text)).toBe(isJson(text));
        if (!isJson(withBlankPadding(text))) expect(explained.fault).toBe('ocpp.fault.not-json');
      }),
      { numRuns: 3_000 },
    );
  });
});

function isReadable(text: string): boolean {
  const reader = new JsonReader(text, frameDepthMax);
  while (reader.next() !== null);
  return reader.brokenAt === null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the lists of names', () => {
  const found = { fields: new Set<string>(), values: new Map<string, Set<string>>() };
  const look = (schema: Schema) => {
    for (const [field, rule] of Object.entries(schema.properties ?? {})) {
      found.fields.add(field);
      for (const value of rule.enum ?? []) {
        found.values.set(field, (found.values.get(field) ?? new Set()).add(String(value)));
      }
      look(rule);
      if (rule.items !== undefined) look(rule.items);
    }
  };
  for (const schema of Object.values(schemas)) look(schema as Schema);

  test('the lists of names have every action, field and value of the schemas, and no other', () => {
    expect([...actions]).toEqual(Object.values(Action).sort());
    expect([...fields]).toEqual([...found.fields].sort());
    const { requestedMessage, ...listed } = Object.fromEntries(found.values);
    for (const message of requestedMessage ?? []) expect(actions).toContain(message);
    const sorted = Object.fromEntries(Object.entries(listed).map(([field, values]) => [field, [...values].sort()]));
    expect(enumerations).toEqual(sorted);
  });

  test('the lists of names have every error code that we send', () => {
    for (const code of errorCodes) expect(knownErrorCodes).toContain(code);
  });
});
