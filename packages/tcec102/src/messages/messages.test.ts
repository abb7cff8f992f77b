import { wattHours, watts } from '@voltdeck/units/energy';
import { instant } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { anyMessage } from '../mutated-envelopes.ts';
import { defaultProfile, type PartnerProfile } from '../profile.ts';
import { interfaceNames, type Message } from './all.ts';
import { readBody, readMessage } from './read-message.ts';
import { writeMessage } from './write-message.ts';

/** Partners as they are, each with what sets it apart. */
const profiles = {
  'text of 2016': defaultProfile,
  'corrected spelling': { ...defaultProfile, spelling: 'service', queryElectMoney: true, energyDecimals: 4 },
  zhejiang: { ...defaultProfile, spelling: 'service', extras: 'zhejiang' },
  shenzhen: { ...defaultProfile, extras: 'shenzhen', connectorTypes: 'shenzhen' },
  beijing: { ...defaultProfile, extras: 'beijing' },
  'joint test': { ...defaultProfile, extras: 'joint-test', energyDecimals: 3, identifierLengthMax: 50 },
} as const satisfies Record<string, PartnerProfile>;

const directions = ['request', 'answer'] as const;

test.each(Object.entries(profiles))(
  'every interface is written for a partner like “%s” as in its golden file, and read from there',
  async (name, profile) => {
    const all = interfaceNames.flatMap((interfaceName) =>
      directions.map((direction) => ({
        interfaceName,
        direction,
        message: anyMessage(interfaceName, direction, randomFrom(seedOf(`${interfaceName} ${direction}`)), profile),
      })),
    );
    const lines = all.map(({ interfaceName, direction, message }) => {
      const text = writeMessage(interfaceName, direction, message, profile);
      expect(readBody(interfaceName, direction, text, profile)).toEqual({ ok: true, value: message });
      return `${interfaceName} ${direction} ${text}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./golden/${name.replaceAll(' ', '-')}.txt`);
  },
);

/** A seed for each message, so that a change of one leaves the others as they are. */
function seedOf(name: string): number {
  return [...name].reduce((so, character) => (so * 31 + character.charCodeAt(0)) % 2 ** 32, 7);
}

const at = instant(Date.UTC(2026, 10, 21, 7, 4, 5));
const order: Message<'notification_charge_order_info', 'request'> = {
  StartChargeSeq: 'MA1AB2C3D202611211504050001',
  ConnectorID: '0012345601',
  StartTime: at,
  EndTime: instant(at + 3_600_000),
  TotalPower: wattHours(12_340),
  TotalElecMoney: fen(1_000),
  TotalServiceMoney: fen(250),
  TotalMoney: fen(1_250),
  StopReason: 0,
  SumPeriod: 1,
  ChargeDetails: [
    {
      DetailStartTime: at,
      DetailEndTime: instant(at + 3_600_000),
      ElecPrice: priceE5(81_037),
      ServicePrice: priceE5(20_000),
      DetailPower: wattHours(12_340),
      DetailElecMoney: fen(1_000),
      DetailServiceMoney: fen(250),
    },
  ],
};

describe('writing', () => {
  test('an order has the digits and the spelling of the text of 2016 (section 6.9)', () => {
    expect(writeMessage('notification_charge_order_info', 'request', order, defaultProfile)).toBe(
      '{"StartChargeSeq":"MA1AB2C3D202611211504050001","ConnectorID":"0012345601","StartTime":"2026-11-21 15:04:05","EndTime":"2026-11-21 16:04:05","TotalPower":12.34,"TotalElecMoney":10.00,"TotalSeviceMoney":2.50,"TotalMoney":12.50,"StopReason":0,"SumPeriod":1,"ChargeDetails":[{"DetailStartTime":"2026-11-21 15:04:05","DetailEndTime":"2026-11-21 16:04:05","ElecPrice":0.8104,"SevicePrice":0.2000,"DetailPower":12.34,"DetailElecMoney":10.00,"DetailSeviceMoney":2.50}]}',
    );
  });

  test('the joint test gets three digits of energy, and others their spelling', () => {
    const joint = writeMessage('notification_charge_order_info', 'request', order, profiles['joint test']);
    expect(joint).toContain('"TotalPower":12.340,');
    const corrected = writeMessage('notification_charge_order_info', 'request', order, profiles['corrected spelling']);
    expect(corrected).toContain('"TotalServiceMoney":2.50');
    expect(corrected).toContain('"DetailServiceMoney":2.50');
    expect(corrected).toContain('"ServicePrice":0.2000');
    expect(corrected).not.toContain('Sevice');
  });

  test('ElectMoney is written in one answer alone, and only for those who want it (section 6.5)', () => {
    const status: Message<'query_equip_charge_status', 'answer'> = {
      ...anyMessage('query_equip_charge_status', 'answer', randomFrom(1), defaultProfile),
      ElecMoney: fen(5),
    };
    const answer = (profile: PartnerProfile) => writeMessage('query_equip_charge_status', 'answer', status, profile);
    const push = (profile: PartnerProfile) =>
      writeMessage('notification_equip_charge_status', 'request', status, profile);
    expect(answer(profiles['corrected spelling'])).toContain('"ElectMoney":0.05');
    expect(push(profiles['corrected spelling'])).toContain('"ElecMoney":0.05');
    expect(answer(defaultProfile)).toContain('"ElecMoney":0.05');
    const read = readBody(
      'query_equip_charge_status',
      'answer',
      answer(profiles['corrected spelling']),
      defaultProfile,
    );
    expect(read).toMatchObject({ ok: true, value: { ElecMoney: 5 } });
  });

  test('fields of Shenzhen go to Shenzhen alone', () => {
    const info = { ConnectorID: '1', Status: 3, CurrentA: 12_300 as never, SOC: 55 };
    const push = (profile: PartnerProfile) =>
      writeMessage('notification_stationStatus', 'request', { ConnectorStatusInfo: info }, profile);
    expect(push(profiles.shenzhen)).toBe(
      '{"ConnectorStatusInfo":{"ConnectorID":"1","Status":3,"CurrentA":12.3,"SOC":55}}',
    );
    expect(push(defaultProfile)).toBe('{"ConnectorStatusInfo":{"ConnectorID":"1","Status":3}}');
  });

  test('a text is cut to its length, never within a character; an identifier that is too long is a bug', () => {
    const write = (name: string, id: string, profile = defaultProfile) =>
      writeMessage(
        'notification_stationInfo',
        'request',
        { StationInfo: { ...anyStation(), StationName: name, StationID: id } },
        profile,
      );
    expect(write(`${'站'.repeat(49)}🔌`, '1')).toContain(`"${'站'.repeat(49)}"`);
    expect(write('站'.repeat(60), '1')).toContain(`"${'站'.repeat(50)}"`);
    const address = (profile: PartnerProfile) =>
      writeMessage(
        'notification_stationInfo',
        'request',
        { StationInfo: { ...anyStation(), Address: '路'.repeat(300) } },
        profile,
      );
    expect(address(defaultProfile)).toContain(`"${'路'.repeat(50)}"`);
    expect(address(profiles.shenzhen)).toContain(`"${'路'.repeat(200)}"`);
    expect(write('站', '1'.repeat(20))).toContain(`"${'1'.repeat(20)}"`);
    expect(() => write('站', '1'.repeat(21))).toThrow(RangeError);
    expect(write('站', '1'.repeat(50), profiles['joint test'])).toContain(`"${'1'.repeat(50)}"`);
  });
});

function anyStation(): Message<'notification_stationInfo', 'request'>['StationInfo'] {
  return anyMessage('notification_stationInfo', 'request', randomFrom(1), defaultProfile).StationInfo;
}

describe('reading', () => {
  const text = writeMessage('notification_charge_order_info', 'request', order, defaultProfile);
  const read = (body: string, profile: PartnerProfile = defaultProfile) =>
    readBody('notification_charge_order_info', 'request', body, profile);
  const faultOf = (body: string) => {
    const message = read(body);
    return message.ok ? null : message.error;
  };

  test('either spelling is read whatever the profile writes; of both, the corrected one counts', () => {
    const corrected = text.replaceAll('Sevice', 'Service');
    expect(read(corrected)).toEqual(read(text));
    expect(read(text, profiles['corrected spelling'])).toEqual(read(text));
    const both = text.replace('"TotalSeviceMoney":2.50', '"TotalSeviceMoney":9.99,"TotalServiceMoney":2.50');
    expect(read(both)).toEqual(read(text));
  });

  test('an optional field that is null or empty is absent, and unknown ones are ignored', () => {
    const padded = text.replace('{', '{"Vin":"","PlateNo":null,"Version":{"a":[1]},');
    expect(read(padded)).toEqual(read(text));
    expect(readBody('query_stations_info', 'request', '{"LastQueryTime":""}', defaultProfile)).toEqual({
      ok: true,
      value: {},
    });
  });

  test('an amount with the noise of a binary fraction is read, one finer than a fen is refused', () => {
    expect(read(text.replace('12.50', '12.500000000000002'))).toEqual(read(text));
    expect(faultOf(text.replace('12.50', '12.505'))).toEqual({ path: 'TotalMoney', because: 'too-fine' });
    expect(read(text.replace('0.8104', '0.81037'))).toMatchObject({
      ok: true,
      value: { ChargeDetails: [{ ElecPrice: 81_037 }] },
    });
  });

  test.each([
    ['"TotalMoney":12.50', '"TotalMoney":"12.50"', 'TotalMoney', 'not-a-number'],
    ['"TotalMoney":12.50', '"TotalMoney":null', 'TotalMoney', 'missing'],
    ['"TotalMoney":12.50,', '', 'TotalMoney', 'missing'],
    ['"StopReason":0', '"StopReason":"0"', 'StopReason', 'not-a-number'],
    ['"StopReason":0', '"StopReason":0.0', 'StopReason', 'not-an-integer'],
    ['"SumPeriod":1', '"SumPeriod":33', 'SumPeriod', 'out-of-range'],
    ['"StartTime":"2026-11-21 15:04:05"', '"StartTime":"2026-02-30 15:04:05"', 'StartTime', 'not-a-time'],
    ['"StartTime":"2026-11-21 15:04:05"', '"StartTime":"2026-11-21T15:04:05Z"', 'StartTime', 'not-a-time'],
    ['"ConnectorID":"0012345601"', '"ConnectorID":12345601', 'ConnectorID', 'not-a-text'],
    ['"DetailPower":12.34', '"DetailPower":-1', 'ChargeDetails[0].DetailPower', 'out-of-range'],
    ['[{', '{"a":{', '', 'not-json'],
    ['"ChargeDetails":[', '"ChargeDetails":[1,', 'ChargeDetails[0]', 'not-an-object'],
  ])('%s become %s is the fault of its field', (from, to, path, because) => {
    expect(text).toContain(from);
    expect(faultOf(text.replace(from, to))).toEqual({ path, because });
  });

  test.each([99, 100, 255])('StopReason %i, which only its operator knows, is read', (reason) => {
    expect(read(text.replace('"StopReason":0', `"StopReason":${reason}`))).toMatchObject({
      ok: true,
      value: { StopReason: reason },
    });
  });

  test('a field of another province is ignored, whatever is in it', () => {
    const status = '{"ConnectorStatusInfo":{"ConnectorID":"1","Status":1,"SOC":"x"}}';
    expect(readBody('notification_stationStatus', 'request', status, defaultProfile).ok).toBe(true);
    expect(readBody('notification_stationStatus', 'request', status, profiles.shenzhen)).toEqual({
      ok: false,
      error: { path: 'ConnectorStatusInfo.SOC', because: 'not-a-number' },
    });
  });

  test('what JSON.parse gave is read as well', () => {
    expect(readMessage('notification_charge_order_info', 'request', JSON.parse(text), defaultProfile)).toEqual(
      read(text),
    );
  });

  test('power has a digit after the point and is read in watts', () => {
    const info = { ...anyStation(), EquipmentInfos: [] };
    const written = writeMessage('notification_stationInfo', 'request', { StationInfo: info }, defaultProfile);
    expect(readBody('notification_stationInfo', 'request', written, defaultProfile).ok).toBe(true);
    const power =
      '{"OperatorID":"MA1AB2C3D","EquipmentOwnerID":"999999999","StationID":"1","DataTime":"2026-11-21 15:04:05","StationRealTimePower":60.5,"EquipmentPowerInfos":[]}';
    expect(readBody('supervise_notification_realtime_power_info', 'request', power, defaultProfile)).toMatchObject({
      ok: true,
      value: { StationRealTimePower: watts(60_500) },
    });
  });
});
