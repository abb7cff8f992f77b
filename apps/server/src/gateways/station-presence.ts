import type { AgentId, OrderId, SiteId, StationId } from '@voltdeck/units/id';
import { type Instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { catchUp } from '../charging/catch-up.ts';
import { forgetCharge } from '../charging/station-session.ts';
import type { Context } from '../context.ts';
import type { Holder } from '../journal/holder.ts';
import type { StationAccount } from '../journal/station-journal.ts';
import type { HeldStation } from './station-link.ts';

export const presenceLimits = {
  sweepEveryMs: secondMs,
  /** Grace period for a replaced connection to finish its work. */
  handOverMs: 5 * secondMs,
  /** How often the last sign of life of a connected station is stored. */
  lastSeenEveryMs: 5 * minuteMs,
  /** A station that has not reported its ports' states by then is asked for them, since a reconnect is not a reboot. */
  statesWaitMs: 30 * secondMs,
  /** A server's clock that moves this much more or less than the time that has passed was set, or the machine slept. */
  clockStepMs: 10 * secondMs,
} as const;

export type RegisteredStation = { id: StationId; number: string; siteId: SiteId; agentId: AgentId | null };

/** The part of a station's link that presence needs. */
export type PresentLink = HeldStation & {
  readonly nextWakeAt: Instant;
  readonly account: StationAccount;
  tick(): void;
  /** Takes it for heard now. */
  showLife(): void;
  closed(): void;
  quiet(): Promise<void>;
};

/** A connected station, with a socket of its own or a shared one. */
export type PresentStation<Socket, Link extends PresentLink = PresentLink> = {
  readonly station: RegisteredStation;
  readonly link: Link;
  readonly socket: Socket;
  readonly arrivedAt: Instant;
  readonly holder: Holder;
  seenAt: Instant;
  areStatesKnown: boolean;
};

/**
 * Tracks which stations of a gateway are connected: reports it to the database, the bus and the consoles, and wakes
 * each when it is due. One timer serves them all.
 */
export class StationPresence<Socket, Link extends PresentLink = PresentLink> {
  readonly #context: Context<'stations'>;
  readonly #cut: (present: PresentStation<Socket, Link>) => void;
  readonly #asksPortByPort: boolean;
  readonly #stations = new Map<string, PresentStation<Socket, Link>>();
  readonly #byId = new Map<StationId, PresentStation<Socket, Link>>();
  readonly #sweep: NodeJS.Timeout;
  readonly #endListening: () => void;

  /** `cut` takes a station's socket from it at once; `onSweep` is called for each station once a second. */
  constructor(
    context: Context<'stations'>,
    actions: {
      cut: (present: PresentStation<Socket, Link>) => void;
      onSweep?: (present: PresentStation<Socket, Link>, now: Instant) => void;
      /** The protocol asks per port, never for all of them at once. */
      asksPortByPort?: boolean;
      /** Milliseconds that nobody sets, counted from any moment. */
      uptimeMs?: () => number;
    },
  ) {
    const { uptimeMs = () => performance.now() } = actions;
    this.#context = context;
    this.#cut = actions.cut;
    this.#asksPortByPort = actions.asksPortByPort ?? false;
    // A person, a timer or another node may have closed a charge, which takes no more readings.
    this.#endListening = context.bus.subscribe((scoped) => {
      if (!('stationId' in scoped) || scoped.stationId === undefined || scoped.event.kind !== 'order-changed') return;
      const present = this.#byId.get(scoped.stationId);
      if (present === undefined) return;
      forgetCharge(present.link.session, { id: scoped.event.orderId as OrderId, state: scoped.event.state });
    });
    let swept = { at: context.now(), uptimeMs: uptimeMs() };
    this.#sweep = setInterval(() => {
      const now = context.now();
      const upMs = uptimeMs();
      const stepMs = now - swept.at - (upMs - swept.uptimeMs);
      swept = { at: now, uptimeMs: upMs };
      // A silence that only the clock shows is none: no station goes offline because ours was set.
      if (Math.abs(stepMs) >= presenceLimits.clockStepMs) {
        for (const { link } of this.#stations.values()) link.showLife();
      }
      for (const present of this.#stations.values()) {
        this.#checkStation(present, now);
        actions.onSweep?.(present, now);
      }
    }, presenceLimits.sweepEveryMs);
  }

  /** The station with this number that is connected here. */
  find(number: string): PresentStation<Socket, Link> | undefined {
    return this.#stations.get(number);
  }

  get size(): number {
    return this.#stations.size;
  }

  /**
   * Cuts a station's previous connection and lets it finish its work. The station's own word is newer than ours: the
   * old connection is gone, even if it looks open.
   */
  async handOver(number: string): Promise<void> {
    const before = this.#stations.get(number);
    if (before === undefined) return;
    this.#cut(before);
    await Promise.race([before.link.quiet(), after(presenceLimits.handOverMs)]);
  }

  arrive(
    station: RegisteredStation,
    link: Link,
    { holder, socket, remoteAddress }: { holder: Holder; socket: Socket; remoteAddress: string },
  ): PresentStation<Socket, Link> {
    const now = this.#context.now();
    const before = this.#stations.get(station.number);
    const isOvertaken = before !== undefined && before.holder.number > holder.number;
    const present: PresentStation<Socket, Link> = {
      station,
      link,
      socket,
      arrivedAt: now,
      holder,
      seenAt: now,
      areStatesKnown: false,
    };
    if (isOvertaken) {
      // Two sockets of one station arrived together: the one that took hold later stays.
      setImmediate(() => this.#cut(present));
      return present;
    }
    this.#context.bus.holdStation(station.number, link);
    this.#stations.set(station.number, present);
    this.#byId.set(station.id, present);
    if (before !== undefined) this.#cut(before);
    link.account.add({
      stationChange: { stationId: station.id, holder, online: true, at: now, remoteAddress },
      onStored: () => this.#publish(station, true, now),
    });
    return present;
  }

  /** Handles the end of a station's connection. A replaced one does not change the station's state. */
  leave(present: PresentStation<Socket, Link>): void {
    const { station, link, holder } = present;
    this.#context.bus.releaseStation(station.number, link);
    link.closed();
    if (this.#stations.get(station.number) !== present) return;
    this.#stations.delete(station.number);
    if (this.#byId.get(station.id) === present) this.#byId.delete(station.id);
    const now = this.#context.now();
    const connectors = [...link.session.connectors.values()];
    link.account.add({
      stationChange: { stationId: station.id, holder, online: false, at: now, remoteAddress: null },
      connectorChanges: connectors.map(({ id }) => ({
        connectorId: id,
        stationId: station.id,
        state: 'offline',
        holder,
        at: now,
        faultCode: null,
        faultInfo: null,
      })),
      onStored: () => this.#publish(station, false, now),
    });
  }

  /** Stops waking stations and lets each finish its work. @returns those that are still connected. */
  async rest(): Promise<PresentStation<Socket, Link>[]> {
    clearInterval(this.#sweep);
    this.#endListening();
    const present = [...this.#stations.values()];
    await Promise.race([Promise.all(present.map(({ link }) => link.quiet())), after(presenceLimits.handOverMs)]);
    return present;
  }

  #checkStation(present: PresentStation<Socket, Link>, now: Instant): void {
    const { link, holder } = present;
    if (link.nextWakeAt <= now) link.tick();
    catchUp(this.#context, link.session, link.account);
    if (!present.areStatesKnown && now - present.arrivedAt >= presenceLimits.statesWaitMs) {
      present.areStatesKnown = true;
      askForStates(link, this.#asksPortByPort);
    }
    if (now - present.seenAt >= presenceLimits.lastSeenEveryMs) {
      present.seenAt = now;
      const { stationId } = link.session;
      link.account.add({
        stationChange: { stationId, holder, online: true, at: link.lastFrameAt, remoteAddress: null },
      });
    }
  }

  #publish(station: RegisteredStation, online: boolean, at: Instant): void {
    this.#context.bus.publish({
      agentId: station.agentId,
      event: { kind: 'station-changed', stationId: station.id, online, at: toIso(at) },
    });
  }
}

function askForStates(link: HeldStation, isPortByPort: boolean): void {
  const unknown = [...link.session.connectors.values()].filter((connector) => connector.state === 'offline');
  if (unknown.length === 0) return;
  const ask = { kind: 'trigger-message', message: 'connector-state' } as const;
  if (!isPortByPort) void link.command(ask);
  else for (const { number } of unknown) void link.command({ ...ask, connectorNumber: number });
}

/** Resolves after this time without keeping the process alive. */
export async function after(ms: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
}
