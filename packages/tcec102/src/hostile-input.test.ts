/** Whatever arrives becomes a message or a typed fault, never a throw, and everything has a limit. */

import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import {
  openData,
  type PartnerKeys,
  readAnswerEnvelope,
  readRequestEnvelope,
  requestAt,
  verifyRequest,
} from './envelope.ts';
import { jsonDepthMax, readJson } from './json-text.ts';
import { interfaceNames } from './messages/all.ts';
import { checkedOrdersMax } from './messages/business.ts';
import {
  itemsLeftOutMax,
  type LeftOutItem,
  readBody,
  requestValuesMax,
  textCharsMax,
} from './messages/read-message.ts';
import { writeMessage } from './messages/write-message.ts';
import { anyMessage, envelopeMutator } from './mutated-envelopes.ts';
import { defaultProfile } from './profile.ts';

const seed = Number(process.env.SEED ?? 20_261_129);
const envelopes = 100_000;

const keys: PartnerKeys = {
  operatorSecret: 'geheim-0001',
  sigSecret: 'sig-secret-0001',
  dataSecret: '1234567890abcdef',
  dataSecretIv: 'fedcba0987654321',
};

describe(`hostile input (SEED=${seed})`, () => {
  test(`${envelopes.toLocaleString('en')} mutated envelopes raise nothing but typed faults`, () => {
    const mutatedEnvelope = envelopeMutator(randomFrom(seed), keys, defaultProfile);
    const seen: Record<string, number> = {};
    const see = (what: string) => {
      seen[what] = (seen[what] ?? 0) + 1;
    };
    for (let count = 0; count < envelopes; count += 1) {
      const { interfaceName, text } = mutatedEnvelope();
      readAnswerEnvelope(text);
      const envelope = readRequestEnvelope(text);
      if (!envelope.ok) {
        see(envelope.error.because);
        continue;
      }
      requestAt(envelope.value);
      if (!verifyRequest(envelope.value, keys, defaultProfile)) {
        see('signature');
        openData(envelope.value.data, keys);
        continue;
      }
      const body = openData(envelope.value.data, keys);
      if (!body.ok) {
        see(body.error.because);
        continue;
      }
      const leftOut: LeftOutItem[] = [];
      const message = readBody(interfaceName, 'request', body.value, defaultProfile, leftOut);
      see(message.ok ? interfaceName : message.error.because);
      if (!message.ok) continue;
      // What was read is what would be written: nothing half-read leaves the reader.
      const written = writeMessage(interfaceName, 'request', message.value, defaultProfile);
      const again = readBody(interfaceName, 'request', written, defaultProfile);
      if (!again.ok) throw new Error(`${JSON.stringify(again.error)} in ${written}, envelope ${count}`);
    }
    // The mutations reach every interface and every step of reading.
    const steps = [
      'not-json',
      'field-missing',
      'field-wrong-form',
      'signature',
      'missing',
      'not-a-text',
      'not-a-number',
    ];
    for (const what of [
      ...interfaceNames,
      ...steps,
      'out-of-range',
      'too-fine',
      'unknown-code',
      'not-a-time',
      'too-long',
    ]) {
      expect([what, seen[what] ?? 0]).toEqual([what, expect.toSatisfy((times: number) => times > 0)]);
    }
  });

  test('random messages of every interface survive being written and read, in either direction', () => {
    const random = randomFrom(seed + 1);
    for (const interfaceName of interfaceNames) {
      for (const direction of ['request', 'answer'] as const) {
        for (let count = 0; count < 50; count += 1) {
          const message = anyMessage(interfaceName, direction, random, defaultProfile);
          const text = writeMessage(interfaceName, direction, message, defaultProfile);
          expect(readBody(interfaceName, direction, text, defaultProfile)).toEqual({ ok: true, value: message });
        }
      }
    }
  });
});

describe('bodies', () => {
  const start = (fields: string) => readBody('query_start_charge', 'request', fields, defaultProfile);
  const because = (fields: string) => {
    const message = start(fields);
    return message.ok ? message.value : `${message.error.path} ${message.error.because}`;
  };

  test('nesting that would overflow a stack is refused at a depth of its own', () => {
    const deep = '['.repeat(1_000_000);
    expect(readJson(deep)).toEqual({ ok: false, error: { because: 'too-deep', at: jsonDepthMax } });
    expect(because(deep)).toBe(' not-json');
  });

  test('a body that says one thing twice is refused', () => {
    expect(because('{"StartChargeSeq":"1","ConnectorID":"2","ConnectorID":"3"}')).toBe(' not-json');
  });

  test('names of the prototype are unknown fields, and lend no values', () => {
    const named = '{"__proto__":{"ConnectorID":"9"},"constructor":{},"StartChargeSeq":"1"';
    expect(because(`${named}}`)).toBe('ConnectorID missing');
    expect(because(`${named},"ConnectorID":"2"}`)).toEqual({ StartChargeSeq: '1', ConnectorID: '2' });
    expect({}).not.toHaveProperty('ConnectorID');
  });

  test('half characters and NUL are refused in identifiers and cleaned in texts', () => {
    expect(because('{"StartChargeSeq":"1\\ud800","ConnectorID":"2"}')).toBe('StartChargeSeq not-readable');
    expect(because('{"StartChargeSeq":"1\\u0000","ConnectorID":"2"}')).toBe('StartChargeSeq not-readable');
    expect(because('{"StartChargeSeq":"1","ConnectorID":"2","QRCode":"a\\u0000b\\ud800"}')).toEqual({
      StartChargeSeq: '1',
      ConnectorID: '2',
      QRCode: 'ab\ufffd',
    });
  });

  test.each([
    ['{"StartChargeSeq":1,"ConnectorID":"2"}', 'StartChargeSeq not-a-text'],
    ['{"StartChargeSeq":"1","ConnectorID":["2"]}', 'ConnectorID not-a-text'],
    ['{"StartChargeSeq":"1","ConnectorID":"2","Balance":"12.50"}', 'Balance not-a-number'],
    ['{"StartChargeSeq":"1","ConnectorID":"2","Balance":12.505}', 'Balance too-fine'],
    ['{"StartChargeSeq":"1","ConnectorID":"2","Balance":-0.01}', 'Balance out-of-range'],
    ['{"StartChargeSeq":"1","ConnectorID":"2","Balance":1e90}', 'Balance out-of-range'],
    [`{"StartChargeSeq":"${'1'.repeat(28)}","ConnectorID":"2"}`, 'StartChargeSeq too-long'],
    [`{"StartChargeSeq":"1","ConnectorID":"2","QRCode":"${'x'.repeat(textCharsMax + 1)}"}`, 'QRCode too-long'],
    ['[]', ' not-an-object'],
    ['"text"', ' not-an-object'],
  ])('the body %s is refused with its field', (text, fault) => {
    expect(because(text)).toBe(fault);
  });

  test('one unreadable station of a page is left out and told, and refuses a reader that cannot leave it out', () => {
    const status = (id: string) => `{"StationID":${id},"ConnectorStatusInfos":[]}`;
    const text = `{"Total":"2","StationStatusInfos":[${status('"1"')},${status('2')},${status('"3"')}]}`;
    const leftOut: LeftOutItem[] = [];
    expect(readBody('query_station_status', 'answer', text, defaultProfile, leftOut)).toEqual({
      ok: true,
      value: {
        Total: 2,
        StationStatusInfos: ['1', '3'].map((StationID) => ({ StationID, ConnectorStatusInfos: [] })),
      },
    });
    const fault = { path: 'StationStatusInfos[1].StationID', because: 'not-a-text' };
    expect(leftOut).toEqual([{ ...fault, id: null }]);
    expect(readBody('query_station_status', 'answer', text, defaultProfile)).toEqual({ ok: false, error: fault });
  });

  test('a station that is left out of the list of stations is told with its StationID where that can be read', () => {
    const page = '{"PageNo":1,"PageCount":1,"ItemSize":3,"StationInfos":[{"StationID":"1"},{"StationID":2},3]}';
    const leftOut: LeftOutItem[] = [];
    expect(readBody('query_stations_info', 'answer', page, defaultProfile, leftOut)).toMatchObject({
      ok: true,
      value: { StationInfos: [] },
    });
    expect(leftOut).toEqual([
      { path: 'StationInfos[0].OperatorID', because: 'missing', id: '1' },
      { path: 'StationInfos[1].StationID', because: 'not-a-text', id: null },
      { path: 'StationInfos[2]', because: 'not-an-object', id: null },
    ]);
  });

  test('a page of nothing but unreadable stations is refused after a while', () => {
    const text = `{"Total":0,"StationStatusInfos":[${Array.from({ length: itemsLeftOutMax + 1 }, () => '0').join(',')}]}`;
    const leftOut: LeftOutItem[] = [];
    expect(readBody('query_station_status', 'answer', text, defaultProfile, leftOut)).toEqual({
      ok: false,
      error: { path: `StationStatusInfos[${itemsLeftOutMax}]`, because: 'not-an-object' },
    });
  });

  test('a request of more values than any interface needs is refused, an answer of as many is read', () => {
    const padded = (values: number) => `{"StationIDs":["1"],"Unknown":[${Array(values).fill('0').join(',')}]}`;
    const read = (values: number) => readBody('query_station_status', 'request', padded(values), defaultProfile);
    // The body, both lists and the one station are values as well.
    expect(read(requestValuesMax - 4).ok).toBe(true);
    expect(read(requestValuesMax - 3)).toEqual({ ok: false, error: { path: '', because: 'too-many' } });
    const answer = `{"Total":0,"StationStatusInfos":[],"Unknown":[${Array(requestValuesMax).fill('0').join(',')}]}`;
    expect(readBody('query_station_status', 'answer', answer, defaultProfile).ok).toBe(true);
  });

  test('a full comparison with a further field in each of its orders is read', () => {
    const order = '{"StartChargeSeq":"MA1AB2C3D202611211504050001","TotalPower":1.00,"TotalMoney":1.00,"Further":1}';
    const orders = Array(checkedOrdersMax).fill(order).join(',');
    const text = `{"CheckOrderSeq":"1","StartTime":"2026-11-20 00:00:00","EndTime":"2026-11-21 00:00:00","OrderCount":10000,"TotalOrderPower":10000.00,"TotalOrderMoney":10000.00,"ChargeOrders":[${orders}]}`;
    expect(readBody('check_charge_orders', 'request', text, defaultProfile).ok).toBe(true);
  });

  test('more stations than one query may name are refused', () => {
    const ids = (count: number) => `{"StationIDs":[${Array.from({ length: count }, () => '"1"').join(',')}]}`;
    const read = (count: number) => readBody('query_station_status', 'request', ids(count), defaultProfile);
    expect(read(50).ok).toBe(true);
    expect(read(51)).toEqual({ ok: false, error: { path: 'StationIDs', because: 'too-many' } });
    expect(read(0)).toEqual({ ok: false, error: { path: 'StationIDs', because: 'too-few' } });
  });
});
