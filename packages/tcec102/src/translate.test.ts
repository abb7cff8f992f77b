import {
  type PartnerChargeStatus,
  type PartnerOrder,
  type PartnerOrderLine,
  type PartnerOrderTotal,
  partnerChargeStages,
  partnerDisputeReasons,
  partnerRefusals,
} from '@voltdeck/charging/partner-charge';
import type { PartnerPort, PartnerPriceSlot, PartnerSite } from '@voltdeck/charging/partner-site';
import {
  connectorKinds,
  connectorStates,
  groundLockStates,
  nationalStandards,
  parkingBayStates,
  siteKinds,
  sitePlaces,
  siteStates,
  stopReasons,
} from '@voltdeck/charging/states';
import { milliamperes, millivolts, wattHours, watts } from '@voltdeck/units/energy';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  connectorKindOfCode,
  connectorStateOf,
  connectorTypeCode,
  disputeReasonCode,
  disputeReasonOfCode,
  equipmentTypeCode,
  failReasonCode,
  nationalStandardCode,
  nationalStandardOfCode,
  type RefusedAct,
  refusalOfCode,
  stageCode,
  stageOfCode,
  statusCode,
  stopReasonCodes,
  stopReasonOfCode,
} from './code-tables.ts';
import { checkedOrdersMax } from './messages/business.ts';
import { energyMaxWh, moneyMaxFen } from './messages/field.ts';
import { readBody } from './messages/read-message.ts';
import { writeMessage } from './messages/write-message.ts';
import { defaultProfile, type PartnerProfile } from './profile.ts';
import {
  chargeOrderInfoOf,
  chargeStatusOf,
  compareOrders,
  connectorStatusInfoOf,
  disputesOf,
  doubtsOf,
  energyStepWh,
  exposureFaults,
  orderCheckAnswer,
  orderCheckOf,
  orderCheckRequest,
  orderOf,
  partnerStatusOf,
  policyInfosOf,
  portStateOf,
  priceSlotsOf,
  siteOf,
  stationInfoOf,
  stationStatsOf,
  statisticsOf,
  unsummableField,
} from './translate.ts';

const at = instant(Date.UTC(2026, 10, 21, 7, 4, 5));
const later = (minutes: number) => instant(at + minutes * minuteMs);
const shenzhen: PartnerProfile = { ...defaultProfile, extras: 'shenzhen', connectorTypes: 'shenzhen' };

const port: PartnerPort = {
  id: '320106000192361',
  name: 'A 枪',
  kind: 'dc_plug',
  nationalStandard: '2015',
  voltageMinV: 200,
  voltageMaxV: 1_000,
  currentA: 250,
  powerW: watts(120_000),
  bayNumber: 'B12',
};

const site: PartnerSite = {
  id: '17',
  operatorCode: 'MA1AB2C3D',
  ownerCode: 'MA9ZZ8Y7X',
  name: '人民广场充电站',
  regionCode: '310101',
  address: '人民大道 1 号',
  sitePhone: null,
  servicePhone: '4001234567',
  kind: 'public',
  place: 'car_park',
  state: 'normal',
  bayCount: 20,
  longitudeE6: 121_475_190,
  latitudeE6: 31_228_833,
  directions: null,
  pictures: ['https://example.org/1.jpg'],
  vehicles: null,
  openAllDay: null,
  openingHours: '00:00–24:00',
  electricityFee: null,
  serviceFee: null,
  parkingFee: null,
  parkingIsFree: null,
  parkingInfo: null,
  paymentInfo: null,
  reservable: false,
  remark: null,
  stations: [
    {
      id: '32010600019236',
      name: '1 号桩',
      manufacturer: null,
      manufacturerCode: null,
      model: null,
      producedOn: '2025-03-01',
      powerW: watts(120_000),
      ports: [port],
    },
  ],
};

describe('sites', () => {
  test('a site goes to a partner and comes back as it was', () => {
    const info = stationInfoOf(site, defaultProfile);
    const text = writeMessage('notification_stationInfo', 'request', { StationInfo: info }, defaultProfile);
    expect(text).toContain('"StationLng":121.475190,"StationLat":31.228833');
    expect(text).toContain('"Power":120.0');
    const read = readBody('notification_stationInfo', 'request', text, defaultProfile);
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    expect(siteOf(read.value.StationInfo, defaultProfile)).toEqual(site);
  });

  test.each([
    ['kind', siteKinds],
    ['place', sitePlaces],
  ] as const)('every %s of a site has a code of its own', (field, words) => {
    for (const word of words) {
      const info = stationInfoOf({ ...site, [field]: word }, defaultProfile);
      expect(siteOf(info, defaultProfile)[field]).toBe(word);
    }
  });

  test('a site that is closed for business is closed to a partner, and unknown codes are unknown', () => {
    const back = siteStates.map(
      (state) => siteOf(stationInfoOf({ ...site, state }, defaultProfile), defaultProfile).state,
    );
    expect(back).toEqual(['normal', 'building', 'maintenance', 'closed_offline', 'closed_offline', 'unknown']);
    const strange = { ...stationInfoOf(site, defaultProfile), StationStatus: 7, StationType: 9, Construction: 99 };
    expect(siteOf(strange, defaultProfile)).toMatchObject({ state: 'unknown', kind: 'other', place: 'other' });
  });

  test('a rated power below zero is none', () => {
    const info = stationInfoOf(site, defaultProfile);
    const negative = {
      ...info,
      EquipmentInfos: info.EquipmentInfos.map((equipment) => ({
        ...equipment,
        Power: watts(-1),
        ConnectorInfos: equipment.ConnectorInfos.map((connector) => ({ ...connector, Power: watts(-7_000) })),
      })),
    };
    const { stations } = siteOf(negative, defaultProfile);
    expect(stations.map(({ powerW }) => powerW)).toEqual(stations.map(() => 0));
    expect(new Set(stations.flatMap(({ ports }) => ports.map(({ powerW }) => powerW)))).toEqual(new Set([0]));
  });

  test('Shenzhen gets its additional fields', () => {
    const info = stationInfoOf({ ...site, openAllDay: true, parkingIsFree: false }, shenzhen);
    const text = writeMessage('notification_stationInfo', 'request', { StationInfo: info }, shenzhen);
    for (const part of [
      '"OpenAllDay":1',
      '"ParkFree":0',
      '"EquipmentStatus":50',
      '"EquipmentPower":120.0',
      '"Voltage":1000',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('identifiers and codes that the protocol has no room for are named before anything is sent', () => {
    expect(exposureFaults(site, defaultProfile)).toEqual([]);
    const [station] = site.stations;
    const wrong: PartnerSite = {
      ...site,
      id: '1'.repeat(21),
      operatorCode: 'MA1',
      ownerCode: 'ma9zz8y7x',
      stations: [{ ...station, id: 'S'.repeat(24), manufacturerCode: '12', ports: [{ ...port, id: '枪' }] } as never],
    };
    expect(exposureFaults(wrong, defaultProfile)).toEqual([
      { what: 'site', id: '1'.repeat(21), because: 'too-long' },
      { what: 'operator', id: 'MA1', because: 'wrong-form' },
      { what: 'owner', id: 'ma9zz8y7x', because: 'wrong-form' },
      { what: 'station', id: 'S'.repeat(24), because: 'too-long' },
      { what: 'manufacturer', id: '12', because: 'wrong-form' },
      { what: 'port', id: '枪', because: 'wrong-form' },
    ]);
    const widened = { ...defaultProfile, identifierLengthMax: 50 };
    expect(exposureFaults({ ...site, id: '1'.repeat(50) }, widened)).toEqual([]);
  });
});

describe('ports', () => {
  test('every state of a port has its Status (section 5.5)', () => {
    expect(Object.fromEntries(connectorStates.map((state) => [state, statusCode(state)]))).toEqual({
      offline: 0,
      free: 1,
      plugged_in: 2,
      starting: 2,
      charging: 3,
      suspended: 3,
      finishing: 2,
      reserved: 4,
      unavailable: 0,
      fault: 255,
    });
    const states = [0, 1, 2, 3, 4, 255, 77].map(connectorStateOf);
    expect(states).toEqual(['offline', 'free', 'plugged_in', 'charging', 'reserved', 'fault', 'offline']);
  });

  test('bays and locks go both ways; what a lock that moves will be is not known', () => {
    for (const bay of [...parkingBayStates, null]) {
      for (const lock of [...groundLockStates, null]) {
        const state = { portId: '1', state: 'free', bay, lock } as const;
        expect(portStateOf(connectorStatusInfoOf(state))).toEqual({ ...state, lock: lock === 'moving' ? null : lock });
      }
    }
    expect(connectorStatusInfoOf({ portId: '1', state: 'free', bay: 'occupied', lock: 'raised' })).toMatchObject({
      ParkStatus: 50,
      LockStatus: 50,
    });
    expect(portStateOf({ ConnectorID: '1', Status: 1 })).toEqual({ portId: '1', state: 'free', bay: null, lock: null });
  });

  test('every kind of port comes back, in Shenzhen all but the wireless one', () => {
    const back = (profile: PartnerProfile) =>
      connectorKinds.map((kind) => connectorKindOfCode(connectorTypeCode(kind, profile), profile));
    expect(back(defaultProfile)).toEqual(connectorKinds);
    expect(back(shenzhen)).toEqual(connectorKinds.map((kind) => (kind === 'wireless' ? 'other' : kind)));
    expect(connectorKindOfCode(5, shenzhen)).toBe('ac_plug');
    expect([connectorKindOfCode(255, shenzhen), connectorKindOfCode(6, shenzhen)]).toEqual(['other', 'other']);
    expect(connectorKindOfCode(42, defaultProfile)).toBe('other');
  });

  test('a standard of 2023 is named only to those who know it', () => {
    const extended = { ...defaultProfile, nationalStandards: 'extended' } as const;
    expect(nationalStandards.map((standard) => nationalStandardCode(standard, extended))).toEqual([1, 2, 4]);
    expect(nationalStandards.map((standard) => nationalStandardCode(standard, defaultProfile))).toEqual([1, 2, 2]);
    expect([1, 2, 3, 4, 9].map(nationalStandardOfCode)).toEqual(['2011', '2015', '2015', '2023', '2015']);
  });

  test('a station is named for the currents of its ports', () => {
    expect(equipmentTypeCode(['dc_plug', 'dc_plug'])).toBe(1);
    expect(equipmentTypeCode(['ac_plug', 'ac_socket', 'household_socket'])).toBe(2);
    expect(equipmentTypeCode(['dc_plug', 'ac_plug'])).toBe(3);
    expect(equipmentTypeCode(['wireless'])).toBe(4);
    expect([[], ['other'], ['wireless', 'dc_plug']].map((kinds) => equipmentTypeCode(kinds as never))).toEqual([
      5, 5, 5,
    ]);
  });

  test('statistics go to a partner and come back', () => {
    const statistics = {
      siteId: '17',
      firstDay: '2026-11-15',
      lastDay: '2026-11-21',
      energyWh: wattHours(123_400),
      stations: [
        { stationId: '1', energyWh: wattHours(123_400), ports: [{ portId: '11', energyWh: wattHours(123_400) }] },
      ],
    };
    const text = writeMessage(
      'query_station_stats',
      'answer',
      { StationStats: stationStatsOf(statistics) },
      defaultProfile,
    );
    const read = readBody('query_station_stats', 'answer', text, defaultProfile);
    expect(read.ok && statisticsOf(read.value.StationStats)).toEqual(statistics);
  });
});

describe('codes of a charge', () => {
  const customCodes = Array.from({ length: 95 }, (_, index) => index + 5);

  test('every reason of ours has a StopReason, and only those of the standard mean something to others (section 6.9)', () => {
    for (const reason of stopReasons) expect([0, ...customCodes, 1, 2, 3, 4]).toContain(stopReasonCodes[reason]);
    const codes = Array.from({ length: 100 }, (_, code) => stopReasonOfCode(code));
    expect(codes.slice(0, 5)).toEqual(['local', 'remote', 'vehicle_full', 'station_fault', 'vehicle_disconnected']);
    expect(new Set(codes.slice(5))).toEqual(new Set(['other']));
  });

  test.each(['auth', 'policy', 'start', 'stop'] as const)(
    'every refusal has a FailReason of %s that is no success',
    (act: RefusedAct) => {
      for (const refusal of partnerRefusals)
        expect([1, 2, 3, 4, ...customCodes]).toContain(failReasonCode(act, refusal));
    },
  );

  test('FailReasons of the standard come back, a partner’s own are `other`', () => {
    expect([0, 1, 2, 3].map((code) => refusalOfCode('auth', code))).toEqual([
      'other',
      'not_plugged_in',
      'station_fault',
      'other',
    ]);
    expect([1, 2, 3].map((code) => refusalOfCode('start', code))).toEqual(['port_unknown', 'station_offline', 'other']);
    expect([3, 4].map((code) => refusalOfCode('stop', code))).toEqual(['already_stopped', 'other']);
    expect([1, 2].map((code) => refusalOfCode('policy', code))).toEqual(['price_missing', 'other']);
  });

  test('stages and disputes go both ways', () => {
    for (const stage of partnerChargeStages) expect(stageOfCode(stageCode(stage))).toBe(stage);
    expect(stageOfCode(0)).toBe('unknown');
    const back = partnerDisputeReasons.map((reason) => disputeReasonOfCode(disputeReasonCode(reason)));
    expect(back).toEqual(['missing', 'amount_differs', 'energy_differs', 'other', 'other']);
  });
});

describe('prices', () => {
  const slot = (fromSecond: number, electricity: number, service: number): PartnerPriceSlot => ({
    fromSecond,
    electricityPriceE5: priceE5(electricity),
    servicePriceE5: priceE5(service),
  });

  test('neighbours with the same prices are one period, and the others come back', () => {
    const slots = [
      slot(0, 30_000, 40_000),
      slot(3_600, 30_000, 40_000),
      slot(7_200, 80_000, 40_000),
      slot(10_800, 30_000, 40_000),
    ];
    const infos = policyInfosOf(slots);
    if (!infos.ok) throw new Error(infos.error);
    expect(priceSlotsOf(infos.value)).toEqual({ ok: true, value: [slots[0], slots[2], slots[3]] });
  });

  test('prices that leave a part of the day without one are not told and not believed', () => {
    expect(policyInfosOf([])).toEqual({ ok: false, error: 'no-slots' });
    expect(policyInfosOf([slot(60, 1, 1)])).toEqual({ ok: false, error: 'not-from-midnight' });
    expect(policyInfosOf([slot(0, 1, 1), slot(0, 2, 1)])).toEqual({ ok: false, error: 'not-in-order' });
    const many = Array.from({ length: 33 }, (_, index) => slot(index * 1_800, 10_000 + index, 1));
    expect(policyInfosOf(many)).toEqual({ ok: false, error: 'too-many-slots' });
    expect(policyInfosOf(many.slice(0, 32)).ok).toBe(true);
    expect(priceSlotsOf([{ StartTime: 5, ElecPrice: priceE5(1), ServicePrice: priceE5(1) }]).ok).toBe(false);
  });

  test('a price of 1e-5 yuan is rounded to four digits, half up', () => {
    const infos = policyInfosOf([slot(0, 81_035, 20_004)]);
    if (!infos.ok) throw new Error(infos.error);
    const answer = {
      EquipBizSeq: '1',
      ConnectorID: '1',
      SuccStat: 0,
      FailReason: 0,
      SumPeriod: 1,
      PolicyInfos: infos.value,
    };
    expect(writeMessage('query_equip_business_policy', 'answer', answer, defaultProfile)).toContain(
      '{"StartTime":"000000","ElecPrice":0.8104,"SevicePrice":0.2000}',
    );
  });
});

const line = fc.record({
  energyWh: fc.nat(500_000).map(wattHours),
  electricityPriceE5: fc.nat(200_000).map(priceE5),
  servicePriceE5: fc.nat(200_000).map(priceE5),
  electricityFeeFen: fc.nat(100_000).map(fen),
  serviceFeeFen: fc.nat(100_000).map(fen),
});

const anyOrder = fc.array(line, { minLength: 0, maxLength: 60 }).map((parts): PartnerOrder => {
  const lines = parts.map((part, index) => ({ ...part, from: later(index), to: later(index + 1) }));
  const total = (of: (one: (typeof lines)[number]) => number) => lines.reduce((so, one) => so + of(one), 0);
  const [electricity, service] = [total((one) => one.electricityFeeFen), total((one) => one.serviceFeeFen)];
  return {
    sequence: 'MA1AB2C3D202611211504050001',
    portId: '1',
    from: at,
    to: later(60),
    energyWh: wattHours(total((one) => one.energyWh)),
    electricityFeeFen: fen(electricity),
    serviceFeeFen: fen(service),
    amountFen: fen(electricity + service),
    stopReason: 'local',
    lines,
  };
});

describe('orders', () => {
  test.each([2, 3, 4] as const)(
    'with %d digits of energy the details of any bill add up to its totals exactly, and none is negative',
    (energyDecimals) => {
      const profile = { ...defaultProfile, energyDecimals };
      fc.assert(
        fc.property(anyOrder, (order) => {
          const text = writeMessage(
            'notification_charge_order_info',
            'request',
            chargeOrderInfoOf(order, profile),
            profile,
          );
          const read = readBody('notification_charge_order_info', 'request', text, profile);
          if (!read.ok) throw new Error(JSON.stringify(read.error));
          const {
            ChargeDetails = [],
            SumPeriod,
            TotalPower,
            TotalElecMoney,
            TotalServiceMoney,
            TotalMoney,
          } = read.value;
          expect(ChargeDetails.length).toBe(Math.min(order.lines.length, 32));
          expect(SumPeriod).toBe(ChargeDetails.length);
          expect(TotalMoney).toBe(order.amountFen);
          expect(Math.abs(TotalPower - order.energyWh)).toBeLessThanOrEqual(energyStepWh(profile) / 2);
          if (ChargeDetails.length === 0) return;
          const total = (of: (one: (typeof ChargeDetails)[number]) => number) =>
            ChargeDetails.reduce((so, one) => so + of(one), 0);
          expect(total(({ DetailPower }) => DetailPower)).toBe(TotalPower);
          expect(total(({ DetailElecMoney }) => DetailElecMoney ?? Number.NaN)).toBe(TotalElecMoney);
          expect(total(({ DetailServiceMoney }) => DetailServiceMoney ?? Number.NaN)).toBe(TotalServiceMoney);
          expect(ChargeDetails.at(-1)?.DetailEndTime).toBe(order.lines.at(-1)?.to);
        }),
      );
    },
  );

  const [first, second]: PartnerOrderLine[] = [
    {
      from: at,
      to: later(30),
      electricityPriceE5: priceE5(80_000),
      servicePriceE5: priceE5(20_000),
      energyWh: wattHours(10_005),
      electricityFeeFen: fen(800),
      serviceFeeFen: fen(200),
    },
    {
      from: later(30),
      to: later(60),
      electricityPriceE5: priceE5(30_000),
      servicePriceE5: priceE5(20_000),
      energyWh: wattHours(5_005),
      electricityFeeFen: fen(150),
      serviceFeeFen: fen(100),
    },
  ];
  const order: PartnerOrder = {
    sequence: 'MA1AB2C3D202611211504050001',
    portId: '1',
    from: at,
    to: later(60),
    energyWh: wattHours(15_010),
    electricityFeeFen: fen(950),
    serviceFeeFen: fen(300),
    amountFen: fen(1_250),
    stopReason: 'vehicle_full',
    lines: [first, second] as PartnerOrderLine[],
    vin: 'LSVAA4187E2123456',
    plate: '沪A12345',
  };

  test('an order comes back as it was, as far as its digits go', () => {
    const profile = { ...defaultProfile, energyDecimals: 3 } as const;
    expect(orderOf(chargeOrderInfoOf(order, profile))).toEqual(order);
    expect(doubtsOf(order)).toEqual([]);
    const coarse = orderOf(chargeOrderInfoOf(order, defaultProfile));
    expect(coarse.lines.map(({ energyWh }) => energyWh)).toEqual([10_010, 5_000]);
    expect(doubtsOf(coarse)).toEqual([]);
  });

  test('lines that do not add up to the bill are left out rather than sent to be disputed', () => {
    const byHand = { ...order, electricityFeeFen: fen(900), amountFen: fen(1_200) };
    expect(chargeOrderInfoOf(byHand, defaultProfile)).toMatchObject({
      SumPeriod: 0,
      ChargeDetails: [],
      TotalMoney: 1_200,
    });
  });

  test('a bill that contradicts itself is doubted, one that tells less is not', () => {
    expect(doubtsOf({ ...order, to: instant(at - 1) })).toEqual(['ends_before_start']);
    expect(doubtsOf({ ...order, amountFen: fen(1_251) })).toEqual(['fees_differ']);
    expect(doubtsOf({ ...order, serviceFeeFen: fen(-300), amountFen: fen(650) })).toEqual([
      'fees_differ',
      'lines_fees',
    ]);
    expect(doubtsOf({ ...order, energyWh: wattHours(15_030) })).toEqual([]);
    expect(doubtsOf({ ...order, energyWh: wattHours(15_031) })).toEqual(['lines_energy']);
    expect(doubtsOf({ ...order, electricityFeeFen: fen(951), amountFen: fen(1_251) })).toEqual(['lines_fees']);
    expect(doubtsOf({ ...order, lines: [] })).toEqual([]);
    const untold = order.lines.map((each) => ({ ...each, electricityFeeFen: null, serviceFeeFen: null }));
    expect(doubtsOf({ ...order, lines: untold })).toEqual([]);
  });

  test('a bill without its two fees takes them from its details', () => {
    const info = {
      ...chargeOrderInfoOf(order, defaultProfile),
      TotalElecMoney: undefined,
      TotalServiceMoney: undefined,
    };
    expect(orderOf(info)).toMatchObject({ electricityFeeFen: 950, serviceFeeFen: 300 });
    expect(orderOf({ ...info, ChargeDetails: undefined })).toMatchObject({
      electricityFeeFen: 1_250,
      serviceFeeFen: 0,
    });
    expect(orderOf({ ...info, TotalElecMoney: fen(1_000) })).toMatchObject({
      electricityFeeFen: 1_000,
      serviceFeeFen: 250,
    });
  });
});

describe('the state of a charge', () => {
  const status: PartnerChargeStatus = {
    sequence: 'MA1AB2C3D202611211504050001',
    stage: 'charging',
    portId: '1',
    portState: 'charging',
    startedAt: at,
    reading: { at: later(1), currentMa: milliamperes(123_400), voltageMv: millivolts(402_500), socPercent: 55 },
    energyWh: wattHours(12_340),
    electricityFeeFen: fen(800),
    serviceFeeFen: fen(200),
  };

  test('it goes to a partner and comes back', () => {
    const text = writeMessage(
      'notification_equip_charge_status',
      'request',
      chargeStatusOf(status, defaultProfile),
      defaultProfile,
    );
    expect(text).toContain('"CurrentA":123.4,"VoltageA":402.5,"Soc":55');
    expect(text).toContain('"ElecMoney":8.00,"SeviceMoney":2.00,"TotalMoney":10.00');
    const read = readBody('notification_equip_charge_status', 'request', text, defaultProfile);
    expect(read.ok && partnerStatusOf(read.value)).toEqual(status);
  });

  test('what nobody measured is zero on the wire, and without prices there is no amount', () => {
    const bare = chargeStatusOf(
      { ...status, stage: 'starting', startedAt: null, reading: { at }, electricityFeeFen: null, serviceFeeFen: null },
      defaultProfile,
    );
    expect(bare).toMatchObject({ CurrentA: 0, VoltageA: 0, Soc: 0, StartTime: at, EndTime: at });
    expect([bare.ElecMoney, bare.ServiceMoney, bare.TotalMoney]).toEqual([undefined, undefined, undefined]);
    expect(partnerStatusOf({ ...bare, StartTime: undefined })).toMatchObject({ startedAt: null });
    expect(partnerStatusOf(bare).reading).not.toHaveProperty('socPercent');
  });
});

describe('comparing orders (section 6.10)', () => {
  const total = (sequence: string, energyWh: number, amountFen: number): PartnerOrderTotal => ({
    sequence,
    energyWh: wattHours(energyWh),
    amountFen: fen(amountFen),
  });
  const ours = [
    total('1', 10_000, 1_000),
    total('2', 10_004, 1_000),
    total('3', 10_000, 1_000),
    total('4', 10_000, 1_000),
    total('5', 1, 1),
  ];
  const theirs = [
    total('1', 10_000, 1_000),
    total('2', 10_000, 1_000),
    total('3', 10_010, 1_000),
    total('4', 10_010, 1_001),
    total('6', 2, 2),
    total('1', 10_000, 1_000),
  ];

  test('what differs is named once, by its amount before its energy, and what only one side has is missing', () => {
    expect(compareOrders(ours, theirs, 10)).toEqual([
      { ...total('3', 10_010, 1_000), reason: 'energy_differs' },
      { ...total('4', 10_010, 1_001), reason: 'amount_differs' },
      { ...total('6', 2, 2), reason: 'missing' },
      { ...total('1', 10_000, 1_000), reason: 'listed_twice' },
      { ...total('5', 1, 1), reason: 'missing' },
    ]);
    expect(compareOrders(ours, ours, 10)).toEqual([]);
    expect(compareOrders([], [], 10)).toEqual([]);
  });

  test('all that one side lists and all that only the other has can be disputed at once', () => {
    const [listed, own] = ['theirs', 'ours'].map((of) =>
      Array.from({ length: checkedOrdersMax }, (_, index) => total(`${of}${index}`, 10, 1)),
    );
    const disputes = compareOrders(own ?? [], listed ?? [], 10);
    const check = { sequence: 'MA1AB2C3D202611211504050001', from: at, to: later(1_440) };
    const answer = orderCheckAnswer(check, disputes, defaultProfile);
    const text = writeMessage('check_charge_orders', 'answer', answer, defaultProfile);
    const back = readBody('check_charge_orders', 'answer', text, defaultProfile);
    expect(back.ok && back.value.TotalDisputeOrder).toBe(2 * checkedOrdersMax);
    expect(back.ok && disputesOf(back.value)).toHaveLength(2 * checkedOrdersMax);
  });

  test('a list whose sums no total can say is known by its field', () => {
    const two = (TotalPower: number, TotalMoney: number) => ({
      ChargeOrders: ['1', '2'].map((StartChargeSeq) => ({
        StartChargeSeq,
        TotalPower: wattHours(TotalPower),
        TotalMoney: fen(TotalMoney),
      })),
    });
    expect(unsummableField(two(energyMaxWh / 2, moneyMaxFen / 2))).toBeNull();
    expect(unsummableField(two(energyMaxWh / 2 + 1, 0))).toBe('TotalPower');
    expect(unsummableField(two(0, moneyMaxFen / 2 + 1))).toBe('TotalMoney');
  });

  test('names of every object are sequences like others', () => {
    const odd = [total('__proto__', 1, 1), total('constructor', 1, 1)];
    expect(compareOrders(odd, odd, 10)).toEqual([]);
    expect(compareOrders([], odd, 10).map(({ reason }) => reason)).toEqual(['missing', 'missing']);
  });

  test('a list goes to a partner with the sums of what is written, and its disputes come back', () => {
    const check = { sequence: 'MA1AB2C3D202611211504050001', from: at, to: later(1_440), orders: ours };
    const text = writeMessage(
      'check_charge_orders',
      'request',
      orderCheckRequest(check, defaultProfile),
      defaultProfile,
    );
    const read = readBody('check_charge_orders', 'request', text, defaultProfile);
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const got = orderCheckOf(read.value);
    expect(got).toMatchObject({ sequence: check.sequence, from: check.from, to: check.to, isSummed: true });
    expect(compareOrders(ours, got.orders, 10)).toEqual([]);
    expect(orderCheckOf({ ...read.value, OrderCount: 4 }).isSummed).toBe(false);
    expect(orderCheckOf({ ...read.value, TotalOrderMoney: fen(1) }).isSummed).toBe(false);
    const disputes = compareOrders(ours, theirs, 10).filter(({ reason }) => reason !== 'listed_twice');
    const answer = orderCheckAnswer(check, disputes, { ...defaultProfile, energyDecimals: 3 });
    expect(answer).toMatchObject({ TotalDisputeOrder: 4, TotalDisputePower: 20_023, TotalDisputeMoney: 2_004 });
    const written = writeMessage('check_charge_orders', 'answer', answer, { ...defaultProfile, energyDecimals: 3 });
    const back = readBody('check_charge_orders', 'answer', written, defaultProfile);
    expect(back.ok && disputesOf(back.value)).toEqual(disputes);
  });
});
