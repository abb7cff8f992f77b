import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import type { Context } from '@voltdeck/server/context';
import { type Fleet, type FleetStation, startFleet } from '@voltdeck/simulator/fleet';
import { type Random, seeded } from '@voltdeck/simulator/seeded';
import { sql } from 'kysely';
import type { Card, People } from './customers.ts';
import { knock } from './knocking-station.ts';
import type { Station } from './network.ts';
import { keepCardsFilled } from './top-up-cards.ts';

/** Limits of the activity: a few charges end every minute, and the demo uses little CPU. */
export const liveLimits = {
  chargesAtOnce: 33,
  /** Batteries of live drivers are smaller by this factor, so that charges end while somebody watches. */
  speed: 4,
  brokenIdlePorts: 9,
} as const;

export type LiveNetwork = { stop(): Promise<void> };

/**
 * Plays the network's stations against the server over real sockets: some charge all the time, most wait to be started,
 * a few are broken or missing, and sometimes an unknown one tries to connect.
 */
export async function startLiveNetwork(options: {
  context: Context;
  /** Such as ws://127.0.0.1:8080/ocpp. */
  url: string;
  /** Such as tcp://127.0.0.1:8768; without it, YKC stations stay offline. */
  ykcUrl: string | null;
  seed: string;
  stations: readonly Station[];
  people: People;
  stationPassword(number: string): string;
}): Promise<LiveNetwork> {
  const { context, url, ykcUrl, seed, people, stationPassword } = options;
  const stations = options.stations.filter(({ protocol }) => protocol !== 'ykc' || ykcUrl !== null);
  // Different drivers every time: the play's seed is its start time.
  const random = seeded(`${seed} ${context.now()}`);
  const lively = stations.filter((station) => station.presence === 'lively');
  const idle = stations.filter((station) => station.presence === 'idle');
  const registers = await registersOf(context, lively);
  const cards = people.cards.filter((card) => card.isLively);
  const fleetStation = (station: Station): FleetStation => ({
    number: station.number,
    ...(protocolTraits[station.protocol].hasPassword ? { password: stationPassword(station.number) } : {}),
    connectors: station.connectors.length,
    kind: station.kind,
    maxPowerKw: station.powerKw,
    registersWh: station.connectors.map((connector) => registers.get(connector.id) ?? connector.registerWh),
    ...(hasCache(station) ? {} : { configuration: { AuthorizationCacheEnabled: 'false' } }),
    identity: {
      chargePointVendor: station.vendor,
      chargePointModel: station.model,
      chargePointSerialNumber: station.serialNumber,
      firmwareVersion: station.firmware,
      iccid: station.iccid,
    },
  });
  const ykcPart = lively.filter(({ protocol }) => protocol === 'ykc').length / Math.max(1, lively.length);
  const part = (protocol: Protocol): number => (protocol === 'ykc' ? ykcPart : 1 - ykcPart);
  /** A driver's card is at one station at a time, so each fleet has its own cards. */
  const ykcCards = Math.ceil(cards.length * ykcPart);
  const fleetsOf = (protocol: Protocol, address: string, carried: readonly Card[]): Fleet[] => {
    const own = ({ protocol: spoken }: Station): boolean => spoken === protocol;
    if (carried.length === 0 || !stations.some(own)) return [];
    const shared = {
      url: address,
      cards: carried.map((card) => (protocol === 'ykc' ? card.physicalNumber : card.number)),
      speed: liveLimits.speed,
    };
    const busy = startFleet({
      ...shared,
      stations: lively.filter(own).map(fleetStation),
      seed: random.fork(`lively ${protocol}`).integer(1, 2 ** 31),
      chargesAtOnce: Math.round(liveLimits.chargesAtOnce * part(protocol)),
    });
    const waiting = startFleet({
      ...shared,
      stations: idle.filter(own).map(fleetStation),
      seed: random.fork(`idle ${protocol}`).integer(1, 2 ** 31),
      chargesAtOnce: 0,
      troubles: false,
    });
    breakPorts(waiting, Math.round(liveLimits.brokenIdlePorts * part(protocol)), random.fork(`broken ${protocol}`));
    return [busy, waiting];
  };
  const fleets = [
    ...fleetsOf('ocpp1.6', url, cards.slice(ykcCards)),
    ...(ykcUrl === null ? [] : fleetsOf('ykc', ykcUrl, cards.slice(0, ykcCards))),
  ];
  const stopTopUps = keepCardsFilled(
    context,
    cards.map((card) => card.id),
    random.fork('top-up'),
  );
  const knocking = knock(url, random.fork('knock'));
  return {
    async stop() {
      stopTopUps();
      await Promise.all([...fleets.map((fleet) => fleet.stop()), knocking.stop()]);
    },
  };
}

/** One maker ships its stations without a cache of cards: they refuse to clear it. */
function hasCache({ vendor }: Station): boolean {
  return vendor !== 'Lanmo Energy';
}

/** The last meter readings, as far as orders have them. */
async function registersOf({ database }: Context, stations: readonly Station[]): Promise<Map<number, number>> {
  if (stations.length === 0) return new Map();
  const rows = await database.db
    .selectFrom('orders')
    .select(['connector_id', sql<number>`max(greatest(meter_start_wh, meter_stop_wh))`.as('register_wh')])
    .where(
      'station_id',
      'in',
      stations.map((station) => station.id),
    )
    .groupBy('connector_id')
    .execute();
  return new Map(rows.flatMap((row) => (row.register_wh === null ? [] : [[row.connector_id, row.register_wh]])));
}

function breakPorts(fleet: Fleet, ports: number, random: Random): void {
  const faults = [
    { errorCode: 'GroundFailure', info: '绝缘监测告警', vendorErrorCode: 'E101' },
    { errorCode: 'ConnectorLockFailure', info: '电子锁未到位', vendorErrorCode: 'E118' },
    { errorCode: 'HighTemperature', info: '枪头过温', vendorErrorCode: 'E205' },
    { errorCode: 'PowerMeterFailure', info: '电表通讯中断', vendorErrorCode: 'E142' },
    { errorCode: 'EVCommunicationError', info: 'BMS通讯超时', vendorErrorCode: 'E131' },
  ] as const;
  for (let count = 0; count < ports && fleet.stations.length > 0; count += 1) {
    const station = random.pick(fleet.stations);
    station.setConnectorFault(random.integer(1, station.connectors.length), random.pick(faults));
  }
}
