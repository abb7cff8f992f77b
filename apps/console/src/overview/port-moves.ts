import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { WallPort } from '@voltdeck/contract/overview';

type Told<Kind extends ConsoleEvent['kind']> = Extract<ConsoleEvent, { kind: Kind }>;
type ChargeEvent = Told<'order-changed'> | Told<'port-order-changed'>;
type Event = Told<'connector-changed'> | Told<'station-changed'> | ChargeEvent;

/** The last that events said of each port and station, until an answer says something newer. */
export type PortMoves = {
  ports: ReadonlyMap<number, Told<'connector-changed'>>;
  stations: ReadonlyMap<number, Told<'station-changed'>>;
  charges: ReadonlyMap<number, ChargeEvent>;
};

export const noMoves: PortMoves = { ports: new Map(), stations: new Map(), charges: new Map() };

/** Ports that are remembered; a wall shows far fewer. */
const movesMax = 5_000;

export function withMove(moves: PortMoves, event: Event): PortMoves {
  switch (event.kind) {
    case 'connector-changed':
      return { ...moves, ports: added(moves.ports, event.connectorId, event) };
    case 'station-changed':
      return { ...moves, stations: added(moves.stations, event.stationId, event) };
    default: {
      if (event.connectorId === null) return moves;
      return { ...moves, charges: added(moves.charges, event.connectorId, event) };
    }
  }
}

function added<Key, Value>(known: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> {
  const next = new Map(known.size < movesMax ? known : []);
  return next.set(key, value);
}

/** The ports as they are after the events that are newer than the answer. */
export function withMoves(ports: readonly WallPort[], moves: PortMoves): WallPort[] {
  return ports.map((port) => withCharge(withStation(withState(port, moves), moves), moves));
}

const isNewer = (at: string, than: string | null) => than === null || Date.parse(at) > Date.parse(than);

function withState(port: WallPort, { ports }: PortMoves): WallPort {
  const event = ports.get(port.id);
  if (event === undefined || !isNewer(event.at, port.stateSince) || event.state === port.state) return port;
  return { ...port, state: event.state, stateSince: event.at, faultCode: null, faultInfo: null };
}

function withStation(port: WallPort, { stations }: PortMoves): WallPort {
  const event = stations.get(port.stationId);
  if (event === undefined || event.online || !isNewer(event.at, port.stateSince)) return port;
  return { ...port, state: 'offline', stateSince: event.at };
}

function withCharge(port: WallPort, { charges }: PortMoves): WallPort {
  const event = charges.get(port.id);
  if (event === undefined) return port;
  if (event.state !== 'charging') {
    return port.orderId === event.orderId
      ? { ...port, orderId: null, powerW: null, socPercent: null, energyWh: null }
      : port;
  }
  const energyWh = 'energyWh' in event ? event.energyWh : null;
  const isOld = port.orderId === event.orderId && energyWh !== null && energyWh < (port.energyWh ?? 0);
  if (isOld) return port;
  return {
    ...port,
    orderId: event.orderId,
    powerW: event.powerW ?? port.powerW,
    socPercent: event.socPercent ?? port.socPercent,
    energyWh: energyWh ?? (port.orderId === event.orderId ? port.energyWh : null),
  };
}
