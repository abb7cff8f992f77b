import type { StationBill, StationPeriod } from '@voltdeck/charging/station-bill';
import type {
  ChargeClaim,
  ChargeStopped,
  DecidedEvent,
  EventAnswer,
  PlainEvent,
} from '@voltdeck/charging/station-event';
import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { ConnectorId, StationId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { notePlainEvent, onStationEvent } from './on-station-event.ts';
import { loadStationSession, type StationSession } from './station-session.ts';
import { type Floor, testTariff } from './test-charging-floor.ts';

/** 06:30 to 08:30 in Shanghai: valley, flat and peak of the test tariff. */
export const chargeFrom = instant(Date.parse('2026-11-20T06:30:00+08:00'));
export const chargeTo = instant(chargeFrom + 120 * minuteMs);

/** 30 kWh at 0.3 + 0.3, 60 kWh at 0.7 + 0.4, 30 kWh at 1.0 + 0.5: 18.00 + 66.00 + 45.00 yuan. */
export const dayEnergiesWh = { valley: 30_000, flat: 60_000, peak: 30_000 } as const;

/** The bill of a station that runs `tariff` for these energies; registers rise from 1,000 kWh. */
export function billOf(
  energiesWh: Partial<Record<StationPeriod, number>>,
  { tariff = testTariff }: { tariff?: EnergyTariff } = {},
): StationBill {
  const periods = (['sharp', 'peak', 'flat', 'valley'] as const).map((period) => {
    const energyTenthsWh = Math.round((energiesWh[period] ?? 0) * 10);
    const { electricity, service } = tariff.prices[period];
    const priceE5 = electricity + service;
    return { period, energyTenthsWh, priceE5, amountE4: Math.round((energyTenthsWh * priceE5) / 100_000) };
  });
  const energyTenthsWh = periods.reduce((sum, period) => sum + period.energyTenthsWh, 0);
  return {
    periods,
    energyTenthsWh,
    amountE4: periods.reduce((sum, period) => sum + period.amountE4, 0),
    meterStartTenthsWh: 10_000_000,
    meterStopTenthsWh: 10_000_000 + energyTenthsWh,
  };
}

/** A station of a protocol that names charges before they begin, driven in our own words. */
export type NamedStation = {
  id: StationId;
  number: string;
  connectorIds: ConnectorId[];
  session: StationSession;
  say(event: DecidedEvent, receivedAt?: Instant): Promise<EventAnswer>;
  /** Requests a charge; the answer is the outcome. */
  request(
    by: ChargeClaim,
    more?: { connectorNumber?: number; parallelKey?: string },
  ): Promise<Extract<EventAnswer, { kind: 'charge-decided' }>>;
  /** The live data at its beginning. */
  begin(transaction: string, receivedAt?: Instant, connectorNumber?: number): Promise<EventAnswer>;
  /** One reading of the charge, stored. */
  read(transaction: string, at: Instant, energyWh: number, powerW?: number): Promise<void>;
  /** The record of a charge: its start and its stop, as a station that keeps records sends them. */
  record(
    transaction: string,
    record?: Partial<ChargeStopped> & { from?: Instant },
    receivedAt?: Instant,
  ): Promise<void>;
  portState(state: 'free' | 'plugged_in' | 'charging', receivedAt: Instant): Promise<void>;
  /** The same station on another socket, perhaps of another node. */
  again(): Promise<NamedStation>;
};

export async function openNamedStation(
  floor: Floor,
  number: string,
  options: { ports?: number; tariff?: boolean } = {},
): Promise<NamedStation> {
  const { id, connectorIds } = await floor.addStation(number, { ...options, protocol: 'ykc' });
  return connectNamed(floor, { id, number, connectorIds });
}

async function connectNamed(
  floor: Floor,
  station: { id: StationId; number: string; connectorIds: ConnectorId[] },
): Promise<NamedStation> {
  const { context, journal, siteId } = floor;
  const session = await loadStationSession(context.database, { ...station, siteId, agentId: null });
  const note = async (event: PlainEvent, receivedAt: Instant) => {
    const noted = notePlainEvent(context, session, event, receivedAt);
    await new Promise<void>((resolve) => journal.add({ ...noted, onStored: resolve }));
  };
  const say = (event: DecidedEvent, receivedAt: Instant = chargeFrom) =>
    onStationEvent(context.on('money'), session, event, receivedAt);
  return {
    ...station,
    session,
    say,
    async request(by, { connectorNumber = 1, parallelKey } = {}) {
      const answer = await say({
        kind: 'charge-requested',
        connectorNumber,
        by,
        ...(parallelKey === undefined ? {} : { parallelKey }),
      });
      if (answer.kind !== 'charge-decided') throw new Error(answer.kind);
      return answer;
    },
    begin: (transaction, receivedAt = chargeFrom, connectorNumber = 1) =>
      say(
        { kind: 'charge-started', connectorNumber, transaction, meterStartWh: wattHours(0), stationTime: transaction },
        receivedAt,
      ),
    read: (transaction, at, energyWh, powerW = 60_000) =>
      note(
        {
          kind: 'readings-taken',
          connectorNumber: 1,
          transaction,
          readings: [{ at, energyWh: wattHours(energyWh), powerW: watts(powerW) }],
        },
        at,
      ),
    async record(transaction, { from = chargeFrom, ...given } = {}, receivedAt = chargeTo) {
      const bill = given.bill ?? billOf(dayEnergiesWh);
      const common = { connectorNumber: given.connectorNumber ?? 1, transaction, stationTime: transaction };
      const told = {
        ...(given.cardNumber === undefined ? {} : { cardNumber: given.cardNumber }),
        ...(given.vin === undefined ? {} : { vin: given.vin }),
      };
      if (given.failedToStart !== true) {
        await say({ kind: 'charge-started', ...common, ...told, meterStartWh: wattHours(0), at: from }, receivedAt);
      }
      await say(
        {
          kind: 'charge-stopped',
          ...common,
          meterStopWh: wattHours(Math.round(bill.energyTenthsWh / 10)),
          at: chargeTo,
          reason: 'vehicle_full',
          reasonCode: '0x41',
          readings: [],
          bill,
          ...given,
        },
        receivedAt,
      );
    },
    portState: (state, receivedAt) =>
      note({ kind: 'connector-state-changed', connectorNumber: 1, state, at: receivedAt }, receivedAt),
    again: () => connectNamed(floor, station),
  };
}
