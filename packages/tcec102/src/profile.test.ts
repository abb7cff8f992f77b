import { expect, test } from 'vitest';
import { defaultProfile, identifierLengthsMax, readProfile, timeWindowMsMax } from './profile.ts';

test('a profile that says nothing is that of the text of 2016', () => {
  expect(readProfile({})).toEqual({ ok: true, value: defaultProfile });
});

test('a stored profile is read as it was written, and what it has besides is left out', () => {
  const profile = {
    ...defaultProfile,
    spelling: 'service',
    energyDecimals: 3,
    extras: 'shenzhen',
    connectorTypes: 'shenzhen',
    identifierLengthMax: 50,
    timeWindowMs: 60_000,
    lowerCaseSig: true,
  } as const;
  expect(readProfile(JSON.parse(JSON.stringify({ ...profile, more: 1 })))).toEqual({ ok: true, value: profile });
  expect(readProfile({ identifierLengthMax: null })).toEqual({ ok: true, value: defaultProfile });
});

test.each([
  ['spelling', 'Service'],
  ['energyDecimals', 5],
  ['energyDecimals', '2'],
  ['moneyDecimals', 3],
  ['lowerCaseSig', 1],
  ['extras', 'hainan'],
  ['identifierLengthMax', 0],
  ['identifierLengthMax', identifierLengthsMax + 1],
  ['identifierLengthMax', 1.5],
  ['timeWindowMs', null],
  ['timeWindowMs', timeWindowMsMax + 1],
  ['connectorTypes', 'constructor'],
])('a profile whose %s is %j is refused with its field', (field, value) => {
  expect(readProfile({ [field]: value })).toEqual({ ok: false, error: { field, because: 'not-allowed' } });
});

test.each([null, [], 'x', 1])('%j is no profile', (json) => {
  expect(readProfile(json)).toEqual({ ok: false, error: { field: null, because: 'not-an-object' } });
});

test('a profile takes nothing from a prototype', () => {
  expect(readProfile(JSON.parse('{"__proto__":{"spelling":"service"}}'))).toEqual({ ok: true, value: defaultProfile });
});
