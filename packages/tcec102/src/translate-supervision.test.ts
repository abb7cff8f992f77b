import type { PartnerOrder, PartnerOrderLine } from '@voltdeck/charging/partner-charge';
import { partnerPayChannels } from '@voltdeck/charging/partner-charge';
import { stationPeriods } from '@voltdeck/charging/station-bill';
import { wattHours, watts } from '@voltdeck/units/energy';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { payChannelCodes } from './code-tables.ts';
import { readBody } from './messages/read-message.ts';
import { writeMessage } from './messages/write-message.ts';
import { defaultProfile, type PartnerProfile } from './profile.ts';
import {
  ownerCodeOfPerson,
  type SupervisedCharge,
  supervisedOrderOf,
  supervisedPowerOf,
  supervisedStatusOf,
} from './translate-supervision.ts';

const zhejiang: PartnerProfile = { ...defaultProfile, spelling: 'service', extras: 'zhejiang' };
const at = instant(Date.UTC(2026, 10, 21, 7, 4, 5));
const place = { operatorCode: 'MA1AB2C3D', ownerCode: ownerCodeOfPerson, siteId: '17', stationId: '32010600019236' };

const line = (period: PartnerOrderLine['period'], energyWh: number): PartnerOrderLine => ({
  from: at,
  to: instant(at + minuteMs),
  electricityPriceE5: priceE5(80_000),
  servicePriceE5: priceE5(20_000),
  energyWh: wattHours(energyWh),
  electricityFeeFen: fen(80),
  serviceFeeFen: fen(20),
  period,
});

function chargeOf(lines: readonly PartnerOrderLine[]): SupervisedCharge {
  const order: PartnerOrder = {
    sequence: 'MA1AB2C3D202611211504050001',
    portId: '3201060001923601',
    from: at,
    to: instant(at + 60 * minuteMs),
    energyWh: wattHours(lines.reduce((so, { energyWh }) => so + energyWh, 0)),
    electricityFeeFen: fen(80 * lines.length),
    serviceFeeFen: fen(20 * lines.length),
    amountFen: fen(100 * lines.length),
    stopReason: 'vehicle_full',
    lines,
    plate: '浙A12345',
  };
  return {
    ...place,
    order,
    payment: { amountFen: fen(100 * lines.length), at, channel: 'wechat' },
    phone: null,
    discountText: null,
    stopText: '车辆充满',
    at,
  };
}

test('a province gets an order with its place, its payment and its energy by price class (section 9.1)', () => {
  const order = supervisedOrderOf(chargeOf([line('sharp', 10_005), line('valley', 5_005)]), zhejiang);
  const text = writeMessage('supervise_notification_charge_order_info', 'request', order, zhejiang);
  for (const part of [
    '"OperatorID":"MA1AB2C3D","EquipmentOwnerID":"999999999","StationID":"17"',
    '"OrderNo":"MA1AB2C3D202611211504050001","LicensePlate":"浙A12345"',
    '"TotalMoney":2.00,"TotalElecMoney":1.60,"TotalServiceMoney":0.40',
    '"TotalElect":15.01,"CuspElect":10.01,"PeakElect":0.00,"FlatElect":0.00,"ValleyElect":5.00',
    '"PaymentAmount":2.00,"PayTime":"2026-11-21 15:04:05","PayChannel":2',
    '"StopReason":"2","StopDesc":"车辆充满"',
    '"SumPeriod":2,"ChargeDetails":[{"OrderNo":"MA1AB2C3D202611211504050001",',
    '"ServicePrice":0.2000',
  ]) {
    expect(text).toContain(part);
  }
  expect(readBody('supervise_notification_charge_order_info', 'request', text, zhejiang).ok).toBe(true);
});

test('a charge that was not priced by classes has no energy by class, and an unpaid one no payment', () => {
  const order = supervisedOrderOf({ ...chargeOf([line('sharp', 10), line(undefined, 10)]), payment: null }, zhejiang);
  expect(order).toMatchObject({ CuspElect: undefined, ValleyElect: undefined, PayChannel: undefined });
  expect(supervisedOrderOf(chargeOf([]), zhejiang).CuspElect).toBeUndefined();
});

test('the energies of the four classes add up to the total exactly, and none is negative', () => {
  const lines = fc.array(
    fc.tuple(fc.constantFrom(...stationPeriods), fc.nat(100_000)).map(([period, energyWh]) => line(period, energyWh)),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(lines, (of) => {
      const order = supervisedOrderOf(chargeOf(of), zhejiang);
      const parts = [order.CuspElect, order.PeakElect, order.FlatElect, order.ValleyElect].map((part) => part ?? -1);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      expect(parts.reduce((so, part) => so + part, 0)).toBe(order.TotalElect);
    }),
  );
});

test('a province gets the state of a port with its place', () => {
  const port = { portId: '3201060001923601', state: 'charging', bay: 'occupied', lock: null } as const;
  const status = supervisedStatusOf(place, port, { at, statusText: '充电中' });
  const text = writeMessage(
    'supervise_notification_station_status',
    'request',
    { ConnectorStatusInfos: [status] },
    zhejiang,
  );
  expect(text).toBe(
    '{"ConnectorStatusInfos":[{"OperatorID":"MA1AB2C3D","EquipmentOwnerID":"999999999","StationID":"17","EquipmentID":"32010600019236","ConnectorID":"3201060001923601","Status":3,"StatusDesc":"充电中","ParkStatus":50,"LockStatus":0,"UpdateTime":"2026-11-21 15:04:05"}]}',
  );
});

test('a province gets the power of a site, its stations and their ports', () => {
  const power = supervisedPowerOf({
    ...place,
    at,
    powerW: watts(60_540),
    stations: [{ stationId: '1', at, powerW: watts(60_540), ports: [{ portId: '11', at, powerW: watts(60_540) }] }],
  });
  const text = writeMessage('supervise_notification_realtime_power_info', 'request', power, zhejiang);
  expect(text).toContain('"StationRealTimePower":60.5');
  expect(text).toContain('"ConnectorRealTimePower":60.5');
});

test('every means of payment has a code', () => {
  expect(partnerPayChannels.map((channel) => payChannelCodes[channel])).toEqual([1, 2, 3, 4, 5, 6]);
});
