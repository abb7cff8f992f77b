import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  errorDescriptionCharsMax,
  frameCharsMax,
  frameDepthMax,
  readFrame,
  stationIdCharsMax,
  writeCall,
  writeError,
  writeResult,
} from './frame.ts';

describe('readFrame', () => {
  test('readFrame reads a call', () => {
    expect(readFrame('[2,"19223201","Heartbeat",{}]')).toEqual({
      kind: 'call',
      id: '19223201',
      action: 'Heartbeat',
      payload: {},
    });
  });

  test('readFrame reads a result', () => {
    expect(readFrame(' [3, "7", {"status":"Accepted"} ] ')).toEqual({
      kind: 'result',
      id: '7',
      payload: { status: 'Accepted' },
    });
  });

  test.each([
    ['[4,"7","NotSupported","why",{"a":1}]', 'NotSupported', 'why', { a: 1 }],
    ['[4,"7","FormatViolation","",{}]', 'FormatViolation', '', {}],
    ['[4,"7","OccurrenceConstraintViolation","",{}]', 'OccurrenceConstraintViolation', '', {}],
    ['[4,"7","OccurenceConstraintViolation","",{}]', 'OccurenceConstraintViolation', '', {}],
    ['[4,"7","GenericError"]', 'GenericError', '', {}],
    ['[4,"7","GenericError",null,[]]', 'GenericError', '', {}],
  ])('readFrame reads an error as the station spells it: %s', (text, code, description, details) => {
    expect(readFrame(text)).toEqual({ kind: 'error', id: '7', code, description, details });
  });

  test.each([
    ['nothing', '', 'not-json', 'unknown', null],
    ['a text that is no JSON', 'hello', 'not-json', 'unknown', null],
    ['an object', '{"a":1}', 'not-a-frame', 'unknown', null],
    ['an empty array', '[]', 'not-a-frame', 'unknown', null],
    ['an unknown message type', '[5,"7","Heartbeat",{}]', 'not-a-frame', 'unknown', null],
    ['a message type as text', '["2","7","Heartbeat",{}]', 'not-a-frame', 'unknown', null],
    ['a call without payload', '[2,"7","Heartbeat"]', 'bad-payload', 'call', '7'],
    ['a call with one part too many', '[2,"7","Heartbeat",{},{}]', 'bad-payload', 'call', '7'],
    ['a payload that is a list', '[2,"7","Heartbeat",[]]', 'bad-payload', 'call', '7'],
    ['a payload that is null', '[2,"7","Heartbeat",null]', 'bad-payload', 'call', '7'],
    ['an action that is a number', '[2,"7",8,{}]', 'bad-action', 'call', '7'],
    ['an empty action', '[2,"7","",{}]', 'bad-action', 'call', '7'],
    ['an id that is a number', '[2,7,"Heartbeat",{}]', 'bad-id', 'call', '7'],
    ['an empty id', '[2,"","Heartbeat",{}]', 'bad-id', 'call', null],
    ['an id that is an object', '[2,{},"Heartbeat",{}]', 'bad-id', 'call', null],
    ['a result without payload', '[3,"7"]', 'bad-payload', 'reply', '7'],
    ['a result that is a list', '[3,"7",[]]', 'bad-payload', 'reply', '7'],
    ['an error without code', '[4,"7"]', 'bad-payload', 'reply', '7'],
    ['a value left out', '[2,"7","StopTransaction",{"transactionId":,"meterStop":1}]', 'not-json', 'call', '7'],
    ['a broken list', '[2, "7" ,"MeterValues",{"meterValue":[,{}]}]', 'not-json', 'call', '7'],
    ['a frame cut off', '[2,"a\\"b","MeterValues",{"meterValue":[', 'not-json', 'call', 'a"b'],
    ['a result cut off', '[3,"7",{"status":', 'not-json', 'reply', '7'],
    ['an id with a bad escape', '[2,"\\x","Heartbeat",{]', 'not-json', 'call', null],
  ])('readFrame returns a fault for %s, with the id if readable', (_what, text, because, intent, id) => {
    expect(readFrame(text)).toMatchObject({ kind: 'fault', because, intent, id });
  });

  test('readFrame returns the action of a broken call, for the log', () => {
    expect(readFrame('[2,"7","StopTransaction",{"transactionId":,}]')).toMatchObject({ action: 'StopTransaction' });
  });

  test('readFrame accepts ids longer than the standard allows, up to the limit', () => {
    const long = 'x'.repeat(stationIdCharsMax);
    expect(readFrame(`[2,"${long}","Heartbeat",{}]`)).toMatchObject({ kind: 'call', id: long });
    expect(readFrame(`[2,"${long}x","Heartbeat",{}]`)).toMatchObject({ because: 'bad-id', id: null });
  });

  test('readFrame refuses a frame longer than the limit, and still finds its id', () => {
    const text = `[2,"7","DataTransfer",{"vendorId":"v","data":"${'x'.repeat(frameCharsMax)}"}]`;
    expect(readFrame(text)).toMatchObject({ because: 'too-long', id: '7', action: 'DataTransfer' });
  });

  test('readFrame accepts nesting up to the limit and refuses one level more', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(readFrame(`[2,"7","DataTransfer",${nested(frameDepthMax - 1)}]`)).toMatchObject({ kind: 'call' });
    expect(readFrame(`[2,"7","DataTransfer",${nested(frameDepthMax)}]`)).toMatchObject({
      because: 'too-deep',
      id: '7',
    });
    expect(readFrame(`[3,"7",{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}]`)).toMatchObject({
      because: 'too-deep',
    });
  });

  test.each([
    ['a byte-order mark in front', '\ufeff[2,"7","Heartbeat",{}]'],
    ['a NUL behind', '[2,"7","Heartbeat",{}]\0'],
    ['both, and more NULs', '\ufeff[2,"7","Heartbeat",{}]\n\0\0\0'],
  ])('readFrame skips %s', (_what, text) => {
    expect(readFrame(text)).toEqual({ kind: 'call', id: '7', action: 'Heartbeat', payload: {} });
  });

  test.each(['\0', '\ufeff', '\ufeff\0', '[2,"7","Heartbeat",{}]x\0', '\0[2,"7","Heartbeat",{}]'])(
    'readFrame refuses %j',
    (text) => {
      expect(readFrame(text)).toMatchObject({ kind: 'fault', because: 'not-json' });
    },
  );

  test('readFrame never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(readFrame(text).kind).toMatch(/call|result|error|fault/);
      }),
    );
  });
});

describe('writing', () => {
  test('a written frame reads back, for every id and payload', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 36 }),
        fc.dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
          { noNullPrototype: true },
        ),
        (id, payload) => {
          expect(readFrame(writeCall(id, 'DataTransfer', payload))).toEqual({
            kind: 'call',
            id,
            action: 'DataTransfer',
            payload,
          });
          expect(readFrame(writeResult(id, payload))).toEqual({ kind: 'result', id, payload });
        },
      ),
    );
  });

  test('an error has an object as details and a description within the limit', () => {
    const text = writeError('7', 'OccurenceConstraintViolation', `"${'x'.repeat(300)}`);
    const parts: unknown = JSON.parse(text);
    expect(parts).toEqual([4, '7', 'OccurenceConstraintViolation', `"${'x'.repeat(errorDescriptionCharsMax - 1)}`, {}]);
  });
});
