import type { Station } from '@voltdeck/contract/stations';
import { changeStation, createStation } from '@voltdeck/contract/stations';
import { describe, expect, test } from 'vitest';
import { bodyOf, faultOfNumber, isPasswordLength, type StationValues, valuesOf } from './station-form-body.ts';

const values: StationValues = {
  protocol: 'ocpp1.6',
  number: '32010001',
  name: ' A01 ',
  type: 'fast',
  equipmentType: 'four-wheel',
  siteId: 3 as never,
  connectorCount: 2,
  maxPowerKw: 120,
  voltageV: null,
  expiresOn: '',
};

describe('station form', () => {
  test('fields left empty are left out, names are trimmed', () => {
    expect(bodyOf(values)).toEqual({
      name: 'A01',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: 3,
      connectorCount: 2,
      maxPowerKw: 120,
    });
  });

  test('what it sends is what the contract takes', () => {
    const body = bodyOf({ ...values, voltageV: 750, currentA: 250, cardTariffId: 1 as never, expiresOn: '2027-12-31' });
    expect(createStation.body?.safeParse({ ...body, number: values.number }).success).toBe(true);
    expect(changeStation.body?.safeParse({ ...body, number: values.number }).success).toBe(true);
    expect(createStation.body?.safeParse({ ...body, number: values.number, maxPowerKw: 0 }).success).toBe(false);
  });

  test('a station opened for editing and saved unchanged keeps every field', () => {
    const station = {
      ...values,
      name: 'A01',
      voltageV: 750,
      currentA: 250,
      cardTariffId: 1,
      wechatTariffId: null,
      expiresOn: '2027-12-31',
      signIn: 'open',
      signInNetworks: ['203.0.113.0/24'],
    } as unknown as Station;
    expect(bodyOf(valuesOf(station) as StationValues)).toEqual({
      name: 'A01',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: 3,
      connectorCount: 2,
      maxPowerKw: 120,
      voltageV: 750,
      currentA: 250,
      cardTariffId: 1,
      expiresOn: '2027-12-31',
      signIn: 'open',
      signInNetworks: ['203.0.113.0/24'],
    });
  });

  test('addresses are sent only for a station that signs in with nothing', () => {
    const bound = { ...values, signInNetworks: ['203.0.113.0/24 '] };
    expect(bodyOf({ ...bound, signIn: 'open' })).toMatchObject({ signInNetworks: ['203.0.113.0/24'] });
    expect(bodyOf({ ...bound, signIn: 'password' })).toMatchObject({ signIn: 'password', signInNetworks: [] });
    expect(bodyOf({ ...bound, protocol: 'ykc', signIn: 'open' })).not.toHaveProperty('signIn');
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
    ['ykc', ' 32010600000001 ', null],
    ['ykc', '3201060000001', 'stations.numberFormatYkc'],
    ['ykc', '3201060000000A', 'stations.numberFormatYkc'],
    ['ocpp1.6', 'HZ-001', null],
    ['ocpp1.6', '-HZ', 'stations.numberFormat'],
    ['ocpp1.6', 'with space', 'stations.numberFormat'],
    ['ykc', '', null],
  ] as const)('%s takes %j as a station number: %s', (protocol, number, fault) => {
    expect(faultOfNumber(number, protocol)).toBe(fault);
  });
});
