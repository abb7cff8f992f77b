import { describe, expect, test } from 'vitest';
import { faultOfNumber, isPasswordLength, sentStation } from './station-form-body.ts';

describe('station form', () => {
  test('addresses are sent only for a station that signs in without a password', () => {
    const bound = { protocol: 'ocpp1.6', signInNetworks: ['203.0.113.0/24 '] } as const;
    const sent = (part: object) => sentStation({ ...bound, signInNetworks: [...bound.signInNetworks], ...part });
    expect(sent({ signIn: 'open' })).toMatchObject({ signInNetworks: ['203.0.113.0/24'] });
    expect(sent({ signIn: 'password' })).toMatchObject({ signIn: 'password', signInNetworks: [] });
    expect(sent({ protocol: 'ykc', signIn: 'open' })).not.toHaveProperty('signIn');
  });

  test('a password is sent only for a station that signs in with one', () => {
    const password = 'sixteen-bytes-ok';
    expect(sentStation({ protocol: 'ocpp1.6', signIn: 'password', password })).toMatchObject({ password });
    expect(sentStation({ protocol: 'ocpp1.6', signIn: 'open', password })).not.toHaveProperty('password');
    expect(sentStation({ protocol: 'ykc', signIn: 'password', password })).not.toHaveProperty('password');
  });

  test('a password is 16 to 20 bytes, not characters', () => {
    expect(isPasswordLength('a'.repeat(15))).toBe(false);
    expect(isPasswordLength('a'.repeat(16))).toBe(true);
    expect(isPasswordLength('a'.repeat(21))).toBe(false);
    expect(isPasswordLength('中'.repeat(6))).toBe(true);
    expect(isPasswordLength('中'.repeat(7))).toBe(false);
  });

  test.each([
    ['ykc', '32010600000001', null],
    ['ykc', '3201060000001', 'station_number_ykc'],
    ['ykc', '3201060000000A', 'station_number_ykc'],
    ['ocpp1.6', 'HZ-001', null],
  ] as const)('%s takes %j as a station number: %s', (protocol, number, fault) => {
    expect(faultOfNumber(number, protocol)).toBe(fault);
  });
});
