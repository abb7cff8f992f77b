import { hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import type { ChargeKind } from './charging-curve.ts';
import type { ChargingStation } from './charging-station.ts';
import { type Clock, liveClock, TimerGroup } from './clock.ts';
import type { FaultCode } from './connector.ts';
import { arrivalsPerHour, arrivalsPerHourMax, drawVisit, expectedUse, type Visit } from './drivers.ts';
import { type Random, seeded } from './seeded.ts';
import type { StationNews } from './station-news.ts';
import type { StationOptions } from './station-options.ts';
import { VirtualStation } from './virtual-station.ts';
import { PileLink } from './ykc/pile-link.ts';
import { VirtualPile } from './ykc/virtual-pile.ts';

export type FleetStation = {
  number: string;
  password?: string;
  connectors: number;
  kind: ChargeKind;
  /** Of one connector. */
  maxPowerKw: number;
  /** What it says of itself when it boots; default: this simulator's own make. */
  identity?: StationOptions['identity'];
  /** What its meters show at the start, one per connector; default: drawn from the seed. */
  registersWh?: readonly number[];
  /** Initial values of OCPP configuration keys; YKC has none. */
  configuration?: Readonly<Record<string, string>>;
};

export type FleetOptions = {
  /** Such as ws://127.0.0.1:8080/ocpp, or tcp://127.0.0.1:8768 for a fleet that speaks YKC. */
  url: string;
  stations: readonly FleetStation[];
  /** YKC: the number of stations per socket, as behind a concentrator. Default 1. */
  stationsPerSocket?: number;
  /** The drivers' cards, for YKC by chip number; a card is never at two connectors at a time. */
  cards: readonly string[];
  seed: number | string;
  /**
   * Above 1, drivers come more often and with smaller batteries, so that charges end sooner. Power, energy and time
   * stay consistent, and the clock is unchanged. Default 1.
   */
  speed?: number;
  /** Default: real time. */
  clock?: Clock;
  /** Broken connectors, lost links and power cuts from time to time. Default true. */
  troubles?: boolean;
  /**
   * Keeps about this many charges running at any hour: when a driver leaves, another comes soon. 0 leaves the stations
   * idle. Default: drivers follow the daily profile.
   */
  chargesAtOnce?: number;
};

export type Fleet = {
  readonly stations: readonly ChargingStation[];
  /** Calls `listener` with news of every station until the returned function is called. */
  on(listener: (news: StationNews) => void): () => void;
  /**
   * Drivers leave, running charges are ended and delivered (for at most three seconds), links and timers are closed.
   */
  stop(): Promise<void>;
};

/** A connector with its current driver. */
type Slot = {
  station: ChargingStation;
  connectorNumber: number;
  /** Drawn once: some places are popular. */
  popularity: number;
  guest: { card: string | null; visit: Visit; leaving: boolean } | null;
};

const connectSpacingMs = 20;
const connectWithinMs = 30 * secondMs;
const farewellMs = 10 * secondMs;
const troublesPerStationHour = 0.04;
const firstVisitsWithinMs = 45 * secondMs;
/** With `chargesAtOnce`: the average wait for the next driver; shorter while many are missing. */
const nextDriverMs = { few: 4 * secondMs, many: secondMs } as const;
const manyMissing = 5;
/** Kinds as drivers look for them; what a fleet does not have is passed over. */
const kindsSought: readonly ChargeKind[] = ['dc', 'dc', 'dc', 'ac', 'two-wheel', 'two-wheel'];
const slotTriesMax = 6;
const cardTriesMax = 8;

const faultKinds: readonly { errorCode: FaultCode; info: string; vendorErrorCode: string }[] = [
  { errorCode: 'GroundFailure', info: 'Residual current monitor tripped', vendorErrorCode: 'E101' },
  { errorCode: 'HighTemperature', info: 'Gun temperature above limit', vendorErrorCode: 'E205' },
  { errorCode: 'ConnectorLockFailure', info: 'Electronic lock did not engage', vendorErrorCode: 'E118' },
  { errorCode: 'PowerSwitchFailure', info: 'Contactor feedback missing', vendorErrorCode: 'E131' },
  { errorCode: 'PowerMeterFailure', info: 'Meter does not answer', vendorErrorCode: 'E142' },
  { errorCode: 'OverCurrentFailure', info: 'Output current above limit', vendorErrorCode: 'E150' },
];

/**
 * Starts a network of virtual stations with drivers who follow a daily profile. The same seed and a scripted clock
 * repeat the same day.
 * @throws RangeError for a speed that is not above zero, or without cards.
 */
export function startFleet(options: FleetOptions): Fleet {
  const speed = options.speed ?? 1;
  if (!(speed > 0)) throw new RangeError(`speed must be above zero, got ${speed}`);
  if (options.cards.length === 0) throw new RangeError('drivers need at least one card');
  const clock = options.clock ?? liveClock();
  const random = seeded(options.seed);
  const timers = new TimerGroup(clock);
  const listeners = new Set<(news: StationNews) => void>();
  const cardsInUse = new Set<string>();
  const choices = random.fork('choices');
  let visits = 0;

  const stations = makeStations(options, clock, speed);
  const slotsByStation = new Map<string, Slot[]>();
  const slotsByKind: Record<ChargeKind, Slot[]> = { dc: [], ac: [], 'two-wheel': [] };
  for (const station of stations) {
    const popularity = random.fork(`popularity ${station.number}`).next();
    const slots = station.connectors.map(
      ({ number }): Slot => ({ station, connectorNumber: number, popularity, guest: null }),
    );
    slotsByStation.set(station.number, slots);
    slotsByKind[station.kind].push(...slots);
    station.on((news) => {
      for (const listener of listeners) listener(news);
      hear(slots, news);
    });
  }

  const allSlots = [...slotsByStation.values()].flat();

  const takeCard = (): string | null => {
    for (let tries = 0; tries < cardTriesMax; tries += 1) {
      const card = choices.pick(options.cards);
      if (cardsInUse.has(card)) continue;
      cardsInUse.add(card);
      return card;
    }
    return null;
  };

  const isFree = (slot: Slot): boolean =>
    slot.guest === null && slot.station.isOnline && slot.station.connector(slot.connectorNumber).status === 'Available';

  const newVisit = (kind: ChargeKind): Visit => {
    visits += 1;
    return drawVisit(kind, random.fork(`visit ${visits}`), speed);
  };

  const leave = (slot: Slot): void => {
    const guest = slot.guest;
    if (guest === null || guest.leaving) return;
    guest.leaving = true;
    timers.after(guest.visit.lingerMs, () => {
      slot.station.unplug(slot.connectorNumber);
      if (guest.card !== null) cardsInUse.delete(guest.card);
      slot.guest = null;
    });
  };

  const swipe = async (slot: Slot, card: string): Promise<void> => {
    const outcome = await slot.station.swipeCard(slot.connectorNumber, card);
    if (outcome === 'refused') leave(slot);
  };

  const arrive = (slot: Slot): void => {
    const card = takeCard();
    if (card === null) return;
    const visit = newVisit(slot.station.kind);
    const guest = { card, visit, leaving: false };
    slot.guest = guest;
    const plugIn = () => slot.station.plugIn(slot.connectorNumber, visit.vehicle);
    if (visit.cardFirst) {
      void swipe(slot, card);
      timers.after(visit.pauseMs, plugIn);
    } else {
      plugIn();
      timers.after(visit.pauseMs, () => void swipe(slot, card));
    }
    timers.after(visit.backAfterMs, () => {
      if (slot.guest !== guest || guest.leaving) return;
      const { charge } = slot.station.connector(slot.connectorNumber);
      if (charge !== null && visit.endsWith === 'card') void swipe(slot, card);
      else if (charge !== null) slot.station.unplug(slot.connectorNumber);
      leave(slot);
    });
  };

  const arrivals = (kind: ChargeKind, stream: Random): void => {
    const slots = slotsByKind[kind];
    if (slots.length === 0) return;
    const ratePerMs = (arrivalsPerHourMax(kind) * slots.length * speed) / hourMs;
    timers.after(stream.waitFor(ratePerMs), () => {
      const comes = stream.chance(arrivalsPerHour(kind, clock.now()) / arrivalsPerHourMax(kind));
      const slot = comes ? freeSlot(slots, stream) : null;
      if (slot !== null) arrive(slot);
      arrivals(kind, stream);
    });
  };

  const keepBusy = (wanted: number, stream: Random): void => {
    const missing = wanted - allSlots.filter(({ guest }) => guest !== null && !guest.leaving).length;
    timers.after(stream.waitFor(1 / (missing > manyMissing ? nextDriverMs.many : nextDriverMs.few)), () => {
      const slots = slotsByKind[stream.pick(kindsSought)];
      const slot = missing > 0 && slots.length > 0 ? freeSlot(slots, stream) : null;
      if (slot !== null) arrive(slot);
      keepBusy(wanted, stream);
    });
  };

  /** Drivers look at a few places, prefer the popular one, and take its first free connector. */
  const freeSlot = (slots: readonly Slot[], stream: Random): Slot | null => {
    const seen = Array.from({ length: slotTriesMax }, () => stream.pick(slots)).sort(
      (a, b) => b.popularity - a.popularity,
    );
    for (const { station } of seen) {
      const free = slotsByStation.get(station.number)?.find(isFree);
      if (free !== undefined) return free;
    }
    return null;
  };

  const hear = (slots: readonly Slot[], news: StationNews): void => {
    switch (news.kind) {
      case 'card-answered': {
        const slot = slots[news.connectorNumber - 1];
        if (slot !== undefined && news.status !== 'Accepted') leave(slot);
        return;
      }
      case 'charge-ended': {
        const slot = slots[news.connectorNumber - 1];
        if (slot !== undefined) leave(slot);
        return;
      }
      case 'status-changed': {
        const slot = slots[news.connectorNumber - 1];
        // Someone started a charge remotely: a driver arrives and plugs in.
        if (slot === undefined || slot.guest !== null || news.status !== 'Preparing') return;
        const visit = newVisit(slot.station.kind);
        slot.guest = { card: null, visit, leaving: false };
        timers.after(visit.pauseMs / 2, () => {
          slot.station.plugIn(slot.connectorNumber, visit.vehicle);
          timers.after(minuteMs, () => {
            if (slot.station.connector(slot.connectorNumber).charge === null) leave(slot);
          });
        });
        return;
      }
      default:
        return;
    }
  };

  const breakConnector = (slot: Slot, forMs: number): void => {
    slot.station.setConnectorFault(slot.connectorNumber, choices.pick(faultKinds));
    timers.after(forMs, () => slot.station.setConnectorFault(slot.connectorNumber, null));
  };

  const troubles = (stream: Random): void => {
    const ratePerMs = (troublesPerStationHour * stations.length * speed) / hourMs;
    timers.after(stream.waitFor(ratePerMs), () => {
      const station = stream.pick(stations);
      const slot = stream.pick(slotsByStation.get(station.number) ?? []);
      const draw = stream.next();
      if (draw < 0.5) breakConnector(slot, stream.between(5, 40) * minuteMs);
      else if (draw < 0.85) station.dropLink(stream.between(20, 300) * secondMs);
      else if (draw < 0.95) station.dropLink(stream.between(10, 60) * minuteMs);
      else station.cutPower({ offMs: stream.between(1, 6) * minuteMs, stop: 'later' });
      troubles(stream);
    });
  };

  const spacingMs = Math.min(connectSpacingMs, connectWithinMs / Math.max(1, stations.length));
  stations.forEach((station, index) => {
    const stream = random.fork(`first ${station.number}`);
    const isLate = options.troubles !== false && stream.chance(0.03);
    const startMs = isLate ? stream.between(10, 90) * minuteMs : index * spacingMs;
    timers.after(startMs, () => station.start());
    for (const slot of slotsByStation.get(station.number) ?? []) {
      if (options.troubles !== false && stream.chance(0.015)) {
        breakConnector(slot, stream.between(20, 240) * minuteMs);
      } else if (options.chargesAtOnce === undefined && stream.chance(expectedUse(station.kind, clock.now()))) {
        timers.after(startMs + stream.between(3 * secondMs, firstVisitsWithinMs), () => {
          if (isFree(slot)) arrive(slot);
        });
      }
    }
  });
  if (options.chargesAtOnce === undefined) {
    for (const kind of ['dc', 'ac', 'two-wheel'] as const) arrivals(kind, random.fork(`arrivals ${kind}`));
  } else if (options.chargesAtOnce > 0) {
    keepBusy(options.chargesAtOnce, random.fork('arrivals'));
  }
  if (options.troubles !== false && stations.length > 0) troubles(random.fork('troubles'));

  const delivered = async (): Promise<void> => {
    const until = performance.now() + farewellMs;
    while (performance.now() < until && stations.some((each) => each.isOnline && !each.isDelivered)) {
      await new Promise<void>((resolve) => clock.afterReal(25, resolve));
    }
  };

  const endCharges = (): void => {
    for (const station of stations) {
      for (const { number } of station.connectors) station.interrupt(number, 'Local');
    }
  };

  return {
    stations,
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      timers.cancelAll();
      endCharges();
      timers.cancelAll();
      await delivered();
      // A start in flight has become a charge meanwhile.
      endCharges();
      await delivered();
      timers.cancelAll();
      await Promise.all(stations.map((station) => station.stop()));
    },
  };
}

/** The address determines the protocol. */
function makeStations(options: FleetOptions, clock: Clock, speed: number): ChargingStation[] {
  const { url, seed } = options;
  if (!url.startsWith('tcp:')) {
    const sampleSeconds = String(Math.min(60, Math.max(10, Math.round(60 / speed))));
    return options.stations.map((each) => {
      const configuration = { MeterValueSampleInterval: sampleSeconds, ...each.configuration };
      return new VirtualStation({ ...each, url, seed, clock, configuration });
    });
  }
  const perSocket = Math.max(1, options.stationsPerSocket ?? 1);
  const links: PileLink[] = [];
  return options.stations.map(({ identity, configuration: _none, ...each }, index) => {
    links[Math.floor(index / perSocket)] ??= new PileLink({ url, clock });
    const link = links[Math.floor(index / perSocket)];
    const { firmwareVersion, iccid } = identity ?? {};
    return new VirtualPile({
      ...each,
      url,
      seed,
      clock,
      ...(link === undefined ? {} : { link }),
      identity: {
        ...(firmwareVersion === undefined ? {} : { softwareVersion: `V${firmwareVersion}`.slice(0, 8) }),
        ...(iccid === undefined ? {} : { sim: iccid.slice(0, 20).padStart(20, '0') }),
      },
    });
  });
}
