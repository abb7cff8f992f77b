/** Parts of a charge for tests, with overrides. */
import { wattHours } from '@voltdeck/units/energy';
import type { CardId, ConnectorId, CustomerId, OrderId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type { StationBill } from '../station-bill.ts';
import type { ChargeStarted, ChargeStopped } from '../station-event.ts';
import type { Charge, Flag } from './charge.ts';

/** When every sample begins: noon in Shanghai. */
export const noon = instant(Date.parse('2026-11-22T12:00:00+08:00'));
export const after = (ms: number): Instant => instant(noon + ms);

export const name = '32010600019236012611221200000007';

/** A charge with a number that was placed, began at noon and runs. */
export function chargeOf(over: Partial<Charge> = {}): Charge {
  return {
    id: 1 as OrderId,
    number: '2026112212000000000001',
    state: 'charging',
    waitsFor: null,
    connectorId: 11 as ConnectorId,
    connectorNumber: 1,
    transactionNumber: 7,
    transactionKey: null,
    cardNumber: 'CARD1',
    cardId: 21 as CardId,
    customerId: 31 as CustomerId,
    paymentType: 'card',
    startAuthorization: 'accepted',
    wasPlaced: true,
    isPriced: true,
    placedAt: noon,
    startedAt: noon,
    begunAt: noon,
    lastReadingAt: null,
    endedAt: null,
    meterStartWh: wattHours(1_000),
    energyWh: 0,
    amountFen: fen(0),
    heldFen: fen(5_000),
    hasStationBill: false,
    ...over,
  };
}

/** The same with a name, its register counting from zero. */
export function namedCharge(over: Partial<Charge> = {}): Charge {
  return chargeOf({ transactionKey: name, meterStartWh: wattHours(0), ...over });
}

export function startOf(over: Partial<ChargeStarted> = {}): ChargeStarted {
  return {
    kind: 'charge-started',
    connectorNumber: 1,
    cardNumber: 'CARD1',
    meterStartWh: wattHours(1_000),
    at: noon,
    stationTime: '2026-11-22T04:00:00Z',
    ...over,
  };
}

export function stopOf(over: Partial<ChargeStopped> = {}): ChargeStopped {
  return {
    kind: 'charge-stopped',
    transaction: 7,
    meterStopWh: wattHours(11_000),
    at: after(30 * 60_000),
    stationTime: '2026-11-22T04:30:00Z',
    reason: 'local',
    readings: [],
    ...over,
  };
}

/** A station's own bill of one period at 1 yuan per kWh, with consistent parts. */
export function billOf(energyWh: number, over: Partial<StationBill> = {}): StationBill {
  const energyTenthsWh = energyWh * 10;
  return {
    periods: [{ period: 'flat', energyTenthsWh, priceE5: 100_000, amountE4: energyTenthsWh }],
    energyTenthsWh,
    amountE4: energyTenthsWh,
    meterStartTenthsWh: 50_000_000,
    meterStopTenthsWh: 50_000_000 + energyTenthsWh,
    ...over,
  };
}

export function rulesOf(flags: readonly Flag[]): string[] {
  return flags.map(({ rule }) => rule);
}
