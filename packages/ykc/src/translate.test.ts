import { chargeEnergyMaxWh } from '@voltdeck/charging/meter-limits';
import { authorizations, stopReasons } from '@voltdeck/charging/states';
import { clockAheadMaxMs, clockBehindMaxMs } from '@voltdeck/charging/station-clock';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { instant } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { MessageOf, PileMessageKind } from './messages/all.ts';
import { stopReason } from './messages/stop-reasons.ts';
import { messageOf, conversationStart as now, pileFrame, testPileNo, testTradeNo } from './test-conversation.ts';
import { type GunMemory, type SpokenKind, type SpokenMessage, toAnswer, toEvents, toModel } from './translate.ts';
import { energyWh } from './translate-record.ts';

function message<Kind extends PileMessageKind>(kind: Kind, fields: Partial<MessageOf<Kind>> = {}): MessageOf<Kind> {
  return messageOf(pileFrame(kind, { pileNo: testPileNo, ...fields })) as MessageOf<Kind>;
}

function eventsOf<Kind extends SpokenKind>(kind: Kind, fields: Partial<MessageOf<Kind>> = {}): readonly StationEvent[] {
  const gun: GunMemory = { connectorNumber: 1, told: null, isCharging: false, begun: null, awaitsPlug: null };
  return toEvents(message(kind, fields) as SpokenMessage, gun, now);
}

describe('login', () => {
  test('a login has what a pile says of itself', () => {
    expect(
      eventsOf('login', {
        pileType: 1,
        gunCount: 4,
        protoVersion: 0x0f,
        softwareVersion: 'V1_2/3',
        sim: '89860A00000000000001',
      }),
    ).toEqual([
      {
        kind: 'booted',
        identity: {
          model: 'AC',
          protocolVersion: '1.5',
          connectorCount: 4,
          firmwareVersion: 'V1_2/3',
          iccid: '89860A00000000000001',
        },
      },
    ]);
  });

  test('a login has nothing that the pile did not send', () => {
    expect(eventsOf('login', { pileType: 7, protoVersion: 16 })).toEqual([
      { kind: 'booted', identity: { protocolVersion: '1.6', connectorCount: 0 } },
    ]);
  });
});

describe('requests to charge', () => {
  test('a request to charge by VIN has the last character first', () => {
    const frame = pileFrame('charge-application', { pileNo: testPileNo, startMode: 3, vin: 'LSVAM4187C2184847' });
    expect(Buffer.from(frame).toString('latin1')).toContain('7484812C7814MAVSL');
    expect(eventsOf('charge-application', { startMode: 3, vin: 'LSVAM4187C2184847' })).toMatchObject([
      { kind: 'charge-requested', by: { kind: 'vehicle', vin: 'LSVAM4187C2184847' } },
    ]);
  });

  test('a request to charge may have account and password', () => {
    const password = '00112233445566778899AABBCCDDEEFF';
    expect(eventsOf('charge-application', { startMode: 2, account: '0000000000012345', password })).toMatchObject([
      { by: { kind: 'account', account: '0000000000012345', passwordHash: password } },
    ]);
  });

  test('a request to charge in an unknown mode uses what is there: a card', () => {
    expect(eventsOf('charge-application', { startMode: 9, account: '00000000AABBCCDD' })).toMatchObject([
      { by: { kind: 'card', cardNumber: '00000000AABBCCDD' } },
    ]);
  });

  test.each([
    ['accepted', 0],
    ['blocked', 2],
    ['expired', 2],
    ['unknown', 1],
    ['already_charging', 4],
    ['no_balance', 3],
    ['station_closed', 5],
    ['vehicle_unknown', 9],
    ['not_supported', 11],
  ] as const)('a refusal with %s is reason %i', (authorization, failReason) => {
    const asked = message('charge-application');
    const answer: EventAnswer = {
      kind: 'charge-decided',
      authorization,
      transaction: testTradeNo,
      cardNumber: '12345678901234567890',
      availableFen: fen(1_234),
    };
    const isAccepted = authorization === 'accepted';
    expect(toAnswer(asked, answer).message).toMatchObject({
      authOk: isAccepted ? 1 : 0,
      failReason,
      tradeNo: isAccepted ? testTradeNo : '0'.repeat(32),
      logicCardNo: '5678901234567890',
      balance: 1_234,
    });
    expect(authorizations).toContain(authorization);
  });

  test('a charge is not accepted without its name', () => {
    const answer: EventAnswer = { kind: 'charge-decided', authorization: 'accepted', availableFen: zeroFen };
    expect(() => toAnswer(message('charge-application'), answer)).toThrow(RangeError);
    expect(() => toAnswer(message('charge-application'), { kind: 'noted' })).toThrow('noted does not answer');
  });

  test('a balance beyond 32 bits of fen is sent as the maximum, a debt as zero', () => {
    const said = (availableFen: number) =>
      toAnswer(message('charge-application'), {
        kind: 'charge-decided',
        authorization: 'unknown',
        availableFen: fen(availableFen),
      }).message;
    expect(said(2 ** 40)).toMatchObject({ balance: 2 ** 32 - 1 });
    expect(said(-5)).toMatchObject({ balance: 0 });
  });
});

describe('live data', () => {
  test('live data are in 0.1 V, 0.1 A, 1e-4 kWh, and degrees from -50', () => {
    const events = eventsOf('realtime-data', {
      state: 3,
      plugged: 1,
      voltage: 4_005,
      current: 1_234,
      energy: 12_345,
      soc: 63,
      battMaxTemp: 83,
      cableTemp: 40,
    });
    expect(events).toEqual([
      {
        kind: 'readings-taken',
        connectorNumber: 1,
        readings: [
          {
            at: now,
            energyWh: 1_235,
            powerW: 49_422,
            currentMa: 123_400,
            voltageMv: 400_500,
            socPercent: 63,
            vehicleTemperatureC: 33,
            cableTemperatureC: -10,
          },
        ],
      },
      { kind: 'connector-state-changed', connectorNumber: 1, state: 'charging' },
    ]);
  });

  test.each([
    [4, 0],
    [5, 1],
    [14, 1],
    [15, 2],
  ])('%i tenths of a Wh are %i Wh', (tenths, wh) => {
    expect(energyWh(tenths)).toBe(wh);
  });

  test('an SOC above 100 is none', () => {
    const [event] = eventsOf('realtime-data', { state: 3, soc: 101 });
    expect(event?.kind === 'readings-taken' && event.readings[0]).not.toHaveProperty('socPercent');
  });

  test.each<[Partial<MessageOf<'realtime-data'>>, string[]]>([
    [{ soc: 101 }, ['socPercent: 101']],
    [{ soc: 0xff }, []],
    [{ energy: 4_000_000_000 }, ['energy: 4000000000']],
    [{ voltage: 0xffff, current: 0xffff, battMaxTemp: 0xff, cableTemp: 0xff }, []],
    [{ voltage: 0xfffe, current: 0xfffe }, ['powerW: 42947052']],
    [{ voltage: 10_000, current: 2_500, soc: 100, energy: 10, battMaxTemp: 90, cableTemp: 90 }, []],
  ])('live data %j: impossible values are left out, and the log says so', (fields, told) => {
    const unusable: string[] = [];
    toEvents(message('realtime-data', { state: 3, ...fields }), null, now, unusable);
    expect(unusable).toEqual(told);
  });

  test('live data with all bits set have no value', () => {
    const none = { voltage: 0xffff, current: 0xffff, soc: 0xff, battMaxTemp: 0xff, cableTemp: 0xff };
    const [event] = eventsOf('realtime-data', { state: 3, energy: 10, ...none });
    expect(event?.kind === 'readings-taken' && event.readings).toEqual([{ at: now, energyWh: 1 }]);
    const [half] = eventsOf('realtime-data', { state: 3, energy: 10, voltage: 4_000, current: 0xffff });
    expect(half?.kind === 'readings-taken' && half.readings).toEqual([{ at: now, energyWh: 1, voltageMv: 400_000 }]);
  });

  test('a gun port of 0 is the one in the transaction number', () => {
    expect(eventsOf('realtime-data', { gunNo: 0, tradeNo: testTradeNo, state: 2 })).toMatchObject([
      { connectorNumber: 1 },
    ]);
  });

  test.each([
    [0, 0, 'offline'],
    [1, 1, 'fault'],
    [2, 0, 'free'],
    [2, 1, 'plugged_in'],
    [3, 1, 'charging'],
    [9, 0, 'unavailable'],
  ])('state %i with plug %i is %s', (state, plugged, told) => {
    expect(eventsOf('realtime-data', { state, plugged }).at(-1)).toMatchObject({ state: told });
  });
});

describe('the record', () => {
  const startTime = instant(now - 3_600_000);
  const record = {
    tradeNo: testTradeNo,
    startTime,
    endTime: instant(now - 60_000),
    sharpPrice: 160_000,
    sharpEnergy: 100_005,
    sharpAmount: 160_008,
    valleyPrice: 70_000,
    valleyEnergy: 50_000,
    valleyAmount: 35_000,
    meterStart: 2 ** 39,
    meterEnd: 2 ** 39 + 150_005,
    totalEnergy: 150_005,
    totalAmount: 195_008,
    vin: 'LSVAM4187C2184847',
    stopReason: 0x41,
    physCardNo: '00000000AABBCCDD',
  };

  test('a record has start and stop with who, when and how much', () => {
    const who = { cardNumber: '00000000AABBCCDD', vin: 'LSVAM4187C2184847' };
    expect(eventsOf('transaction-record', record)).toEqual([
      {
        kind: 'charge-started',
        connectorNumber: 1,
        transaction: testTradeNo,
        ...who,
        meterStartWh: 0,
        at: startTime,
        stationTime: testTradeNo,
      },
      {
        kind: 'charge-stopped',
        connectorNumber: 1,
        transaction: testTradeNo,
        ...who,
        meterStopWh: 15_001,
        startedAt: now - 3_600_000,
        at: now - 60_000,
        stationTime: '2026-11-21T07:59:00.000Z',
        reason: 'vehicle_full',
        reasonCode: '0x41',
        readings: [],
        bill: {
          periods: [
            { period: 'sharp', energyTenthsWh: 100_005, priceE5: 160_000, amountE4: 160_008 },
            { period: 'peak', energyTenthsWh: 0, priceE5: 0, amountE4: 0 },
            { period: 'flat', energyTenthsWh: 0, priceE5: 0, amountE4: 0 },
            { period: 'valley', energyTenthsWh: 50_000, priceE5: 70_000, amountE4: 35_000 },
          ],
          energyTenthsWh: 150_005,
          amountE4: 195_008,
          meterStartTenthsWh: 2 ** 39,
          meterStopTenthsWh: 2 ** 39 + 150_005,
        },
      },
    ]);
  });

  test.each([
    ['invalid', null],
    ['months old', instant(now - clockBehindMaxMs - 1)],
    ['ahead of ours', instant(now + clockAheadMaxMs + 1)],
  ])("a record's time that is %s is none", (_, endTime) => {
    const [, stopped] = eventsOf('transaction-record', { ...record, endTime });
    expect(stopped).not.toHaveProperty('at');
  });

  test("a record's impossible total is not a register, and its bill is kept", () => {
    for (const totalEnergy of [0xffff_ffff, 10 * chargeEnergyMaxWh + 10]) {
      const unusable: string[] = [];
      const told = message('transaction-record', { ...record, totalEnergy });
      const [, stopped] = toEvents(told, null, now, unusable);
      expect(stopped).toMatchObject({ kind: 'charge-stopped', transaction: testTradeNo });
      expect(stopped).not.toHaveProperty('meterStopWh');
      expect(stopped).toMatchObject({
        bill: { energyTenthsWh: totalEnergy, amountE4: 195_008, meterStopTenthsWh: 2 ** 39 + 150_005 },
      });
      expect(unusable).toEqual([`totalEnergy: ${totalEnergy}`]);
    }
    const [, stopped] = eventsOf('transaction-record', { ...record, totalEnergy: 10 * chargeEnergyMaxWh });
    expect(stopped).toMatchObject({ meterStopWh: chargeEnergyMaxWh });
  });

  test('a failed start whose total is impossible is one without energy if its periods have none', () => {
    const lost = { tradeNo: testTradeNo, stopReason: 0x4d, totalEnergy: 0xffff_ffff };
    expect(eventsOf('transaction-record', lost)).toMatchObject([{ failedToStart: true, meterStopWh: 0 }]);
    const [, stopped] = eventsOf('transaction-record', { ...lost, flatEnergy: 1 });
    expect(stopped).not.toHaveProperty('failedToStart');
    expect(stopped).not.toHaveProperty('meterStopWh');
  });

  test('a charge without a name is identified by its time', () => {
    const [started, stopped] = eventsOf('transaction-record', { ...record, tradeNo: '0'.repeat(32) });
    expect(started).not.toHaveProperty('transaction');
    expect(started).toMatchObject({ stationTime: '2026-11-21T07:00:00.000Z' });
    expect(stopped).toMatchObject({ transaction: '0'.repeat(32) });
  });

  test('a failed start after some energy is a charge', () => {
    const events = eventsOf('transaction-record', { ...record, stopReason: 0x5a });
    expect(events).toHaveLength(2);
    expect(events[1]).not.toHaveProperty('failedToStart');
    expect(eventsOf('transaction-record', { tradeNo: testTradeNo, stopReason: 0x40 })).toHaveLength(2);
  });

  test('blanks and zeros are neither vehicle nor card', () => {
    const [started] = eventsOf('transaction-record', {
      ...record,
      vin: '00000000000000000',
      physCardNo: '0'.repeat(16),
    });
    expect(started).not.toHaveProperty('vin');
    expect(started).not.toHaveProperty('cardNumber');
  });

  test.each([
    [0x40, 'remote'],
    [0x43, 'balance_exhausted'],
    [0x45, 'local'],
    [0x6b, 'vehicle_disconnected'],
    [0x6e, 'balance_exhausted'],
    [0x72, 'emergency_stop'],
    [0x71, 'station_fault'],
    [0x82, 'vehicle_fault'],
    [0x83, 'power_loss'],
    [0x90, 'other'],
    [0xee, 'other'],
  ])('stop code %i is %s', (code, reason) => {
    const [, stopped] = eventsOf('transaction-record', { ...record, stopReason: code });
    expect(stopped).toMatchObject({ reason, reasonCode: `0x${code.toString(16).toUpperCase()}` });
  });

  test('every documented stop code has a reason', () => {
    for (const code of Object.keys(stopReason.meanings)) {
      const stopped = eventsOf('transaction-record', { ...record, stopReason: Number(code) }).at(-1);
      expect(stopReasons, code).toContain(stopped?.kind === 'charge-stopped' ? stopped.reason : null);
    }
  });
});

describe('notes', () => {
  const noteOf = <Kind extends SpokenKind>(kind: Kind, fields: Partial<MessageOf<Kind>>) => {
    const [event] = eventsOf(kind, { tradeNo: testTradeNo, ...fields } as Partial<MessageOf<Kind>>);
    if (event?.kind !== 'charge-noted') throw new Error('no note');
    expect(event).toMatchObject({ connectorNumber: 1, transaction: testTradeNo });
    return event.note;
  };

  test('0x15 says who charges', () => {
    expect(
      noteOf('bms-handshake', {
        vin: 'LSVAM4187C2184847',
        battType: 3,
        ratedCapacity: 2_020,
        ratedVoltage: 3_500,
        maker: 'CATL',
        year: 37,
        month: 5,
        day: 9,
        cycles: 123,
        owner: 1,
      }),
    ).toMatchObject({
      kind: 'vehicle-identified',
      values: {
        vin: 'LSVAM4187C2184847',
        batteryType: 'lifepo4',
        ratedCapacityMah: 202_000,
        ratedVoltageMv: 350_000,
        batteryMaker: 'CATL',
        producedOn: '2022-05-09',
        chargeCycles: 123,
        packOwner: 'vehicle',
      },
    });
  });

  test('0x15 leaves out what is not sent', () => {
    expect(noteOf('bms-handshake', { battType: 99 }).values).toMatchObject({
      vin: null,
      batteryType: null,
      producedOn: null,
    });
  });

  test('0x17 says what both allow', () => {
    expect(
      noteOf('bms-parameter-config', {
        cellMaxV: 365,
        maxCurrent: 5_500,
        nominalEnergy: 700,
        packMaxV: 4_200,
        maxTemp: 105,
        soc: 255,
        pileMinA: 4_010,
      }),
    ).toMatchObject({
      kind: 'limits-agreed',
      values: {
        cellVoltageMaxMv: 3_650,
        currentMaxMa: 150_000,
        nominalEnergyWh: 70_000,
        packVoltageMaxMv: 420_000,
        temperatureMaxC: 55,
        socPercent: 25.5,
        packVoltageMv: 0,
        chargerCurrentMinMa: 1_000,
      },
    });
  });

  test('0x23 says what the battery wants and gets', () => {
    expect(
      noteOf('bms-demand', {
        demandV: 4_000,
        demandA: 2_500,
        mode: 2,
        cellMax: 0x3000 + 350,
        soc: 44,
        outA: 4_000,
        remainMin: 35,
      }),
    ).toMatchObject({
      kind: 'demand',
      values: {
        demandVoltageMv: 400_000,
        demandCurrentMa: -150_000,
        chargeMode: 'constant_current',
        cellVoltageMaxMv: 3_500,
        cellVoltageMaxGroup: 3,
        socPercent: 44,
        outputCurrentMa: 0,
        remainingMinutes: 35,
      },
    });
  });

  test('values with all bits set are none', () => {
    const demand = { demandV: 0xffff, demandA: 0xffff, cellMax: 0xffff, soc: 0xff, remainMin: 0xffff, outA: 3_999 };
    expect(noteOf('bms-demand', demand).values).toMatchObject({
      demandVoltageMv: null,
      demandCurrentMa: null,
      cellVoltageMaxMv: null,
      cellVoltageMaxGroup: null,
      socPercent: null,
      remainingMinutes: null,
      outputCurrentMa: -100,
    });
    expect(
      noteOf('bms-info', { cellMaxNo: 0xff, maxTemp: 0xff, minTemp: 0xfe, maxTempPoint: 0xff }).values,
    ).toMatchObject({
      cellVoltageMaxNumber: null,
      temperatureMaxC: null,
      temperatureMinC: 204,
      temperatureMaxPoint: null,
    });
    expect(
      noteOf('bms-parameter-config', { soc: 0xffff, nominalEnergy: 0xffff, cellMaxV: 0xffff }).values,
    ).toMatchObject({
      socPercent: null,
      nominalEnergyWh: null,
      cellVoltageMaxMv: null,
    });
    expect(noteOf('bms-handshake', { ratedCapacity: 0xffff, cycles: 0xff_ffff }).values).toMatchObject({
      ratedCapacityMah: null,
      chargeCycles: null,
    });
  });

  test('0x25 has cells and states', () => {
    expect(noteOf('bms-info', { maxTemp: 80, cellMaxNo: 4, flags1: 0b01_10_00_01, flags2: 0b01_00_10 })).toMatchObject({
      kind: 'battery-state',
      values: {
        temperatureMaxC: 30,
        cellVoltageMaxNumber: 5,
        cellVoltageState: 'high',
        socState: 'normal',
        overCurrentState: 'untrusted',
        overTemperatureState: 'over',
        insulationState: 'untrusted',
      },
    });
  });

  test('0x19 has the whole charge', () => {
    expect(noteOf('charging-end-statistics', { endSoc: 90, minutes: 42, energy: 305, cellMinV: 310 })).toMatchObject({
      kind: 'statistics',
      values: { socPercent: 90, chargedMinutes: 42, outputEnergyWh: 30_500, cellVoltageMinMv: 3_100 },
    });
  });

  test('0x1B says what did not arrive', () => {
    // Byte 1 bits 2-3: CRO timeout; byte 6 bits 2-3: BCL untrusted.
    expect(noteOf('bms-charger-error', { err: '0004000000000800' })).toEqual({
      kind: 'communication-fault',
      values: { faults: ['cro_timeout', 'bcl_timeout_untrusted'] },
    });
  });

  test('0x1D and 0x21 say who ended the charge and why', () => {
    expect(noteOf('bms-abort', { reason: 0b01, fault: 0b01 << 8, error: 0b0100 })).toEqual({
      kind: 'vehicle-abort',
      values: { reasons: ['target_soc'], faults: ['pack_hot'], errors: ['voltage_abnormal'] },
    });
    expect(noteOf('charger-abort', { reason: 0b0100, fault: 0b01 << 8 })).toEqual({
      kind: 'charger-abort',
      values: { reasons: ['manual_stop'], faults: ['emergency_stop'], errors: [] },
    });
  });
});

test('an undocumented state of a ground lock is moving, an undocumented alarm is kept as a code', () => {
  expect(eventsOf('ground-lock-report', { gunNo: 12, lockState: 0x11, alarm: 0x22, battery: 250 })).toEqual([
    {
      kind: 'ground-lock-changed',
      connectorNumber: 12,
      lock: 'moving',
      bay: 'free',
      batteryPercent: 100,
      alarm: '0x22',
    },
  ]);
});

test('a tariff that no pile can run is none', () => {
  const price = { electricityE5: 1, serviceE5: 2 };
  const tariff = {
    version: '0001',
    prices: { sharp: price, peak: price, flat: price, valley: { electricityE5: 3, serviceE5: 4 } },
    slots: Array.from({ length: 48 }, (_, index) => (index < 2 ? ('valley' as const) : ('sharp' as const))),
  };
  expect(toModel('billing-model-set', testPileNo, tariff)).toMatchObject({
    kind: 'billing-model-set',
    modelNo: '0001',
    valleyElecPrice: 3,
    valleyServPrice: 4,
    slots: { 0: 3, 1: 3, 2: 0, 47: 0 },
  });
  for (const odd of [
    { version: '1' },
    { slots: [] },
    { prices: { ...tariff.prices, flat: { electricityE5: 0.5, serviceE5: 1 } } },
    { prices: { ...tariff.prices, flat: { electricityE5: 2 ** 33, serviceE5: 1 } } },
  ]) {
    expect(toModel('billing-model-set', testPileNo, { ...tariff, ...odd })).toBeNull();
  }
});
