import { answerCommand, type Commanded, canStart } from './answer-command.ts';
import { CardCache } from './card-cache.ts';
import { firstRegisterWh, outletFacts } from './charge-physics.ts';
import { type ChargeKind, drawVehicle, type Vehicle } from './charging-curve.ts';
import type { SwipeOutcome } from './charging-station.ts';
import { type Clock, liveClock } from './clock.ts';
import { Configuration } from './configuration.ts';
import { Connector, type ConnectorFault, type StopReason } from './connector.ts';
import { Delivery } from './delivery.ts';
import { type Faults, noFaults, stationTime } from './faults.ts';
import { Link } from './link.ts';
import { NewsListeners } from './news-listeners.ts';
import { PowerSupply } from './power-supply.ts';
import { Reconnection } from './reconnection.ts';
import { type Random, seeded } from './seeded.ts';
import type { StationBoard } from './station-board.ts';
import { StationCharges } from './station-charges.ts';
import type { StationNews } from './station-news.ts';
import type { ConnectorView, StationOptions } from './station-options.ts';
import { StationReports, vendor } from './station-reports.ts';
import type { Cancel } from './timer-queue.ts';

const softResetWaitMs = 10_000;
const resetOffMs = 5_000;
const lostAnswerDownMs = 5_000;

/**
 * One charging station with the firmware of OCPP 1.6J, behind a real socket. People act on it (`plugIn`, `swipeCard`,
 * `unplug`), the world acts on it (`dropLink`, `cutPower`, `setFaults`), and the central system commands it.
 *
 * Flash memory (meter registers, configuration, queued messages, running charges) survives `cutPower`.
 */
export class VirtualStation {
  readonly number: string;
  readonly kind: ChargeKind;
  readonly configuration: Configuration;
  readonly #options: StationOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #link: Link;
  readonly #connectors: readonly Connector[];
  readonly #delivery: Delivery;
  readonly #news: NewsListeners;
  readonly #power: PowerSupply;
  readonly #reconnection: Reconnection;
  readonly #idPrefix: string;
  readonly #cards: CardCache;
  readonly #charges: StationCharges;
  readonly #reports: StationReports;
  #faults: Faults;
  #password: string | undefined;
  #idCount = 0;
  /** Read from the configuration at power-up. */
  #cabinetLimitW = 0;
  #resetting = false;
  #cancelHeartbeat: Cancel = () => {};
  #cancelPing: Cancel = () => {};
  #cancelAligned: Cancel = () => {};

  /** @throws RangeError for a number of connectors outside 1 to 100, or power that is not above zero. */
  constructor(options: StationOptions) {
    if (!(Number.isInteger(options.connectors) && options.connectors >= 1 && options.connectors <= 100)) {
      throw new RangeError(`a station has 1 to 100 connectors, got ${options.connectors}`);
    }
    if (!(options.maxPowerKw > 0)) throw new RangeError(`power must be above zero, got ${options.maxPowerKw} kW`);
    this.#options = options;
    this.number = options.number;
    this.kind = options.kind;
    this.#clock = options.clock ?? liveClock();
    this.#random = seeded(options.seed ?? 1).fork(options.number);
    this.#faults = { ...noFaults, ...options.faults };
    this.#password = options.password;
    this.#idPrefix = this.#clock.now().toString(36);
    this.#news = new NewsListeners(options.number, this.#clock);
    this.#power = new PowerSupply(this.#clock, this.#news, {
      powerUp: () => this.#powerUp(),
      powerDown: () => this.#powerDown(),
    });
    this.configuration = new Configuration(
      options.connectors,
      Math.round(options.maxPowerKw * 1_000),
      options.configuration,
    );
    this.#connectors = Array.from({ length: options.connectors }, (_, index) => {
      const number = index + 1;
      return new Connector(number, firstRegisterWh(this.#random, number, options.registersWh), this.#clock);
    });
    this.#link = new Link({
      url: options.url,
      number: options.number,
      clock: this.#clock,
      random: this.#random.fork('link'),
      faults: () => this.#faults,
      nextId: () => this.#nextId(),
      answerTimeoutMs: options.answerTimeoutMs ?? 30_000,
      listener: {
        opened: () => this.#linkOpened(),
        closed: ({ code, httpStatus }) => this.#linkClosed(code, httpStatus),
        called: (action, payload) => {
          const answer = answerCommand(this.#commanded, action, payload);
          this.#news.tell(() => ({
            kind: 'command-answered',
            action,
            answer: answer.kind === 'result' ? JSON.stringify(answer.payload) : answer.code,
          }));
          return answer;
        },
        twinAnswered: (action, same) => this.#news.tell(() => ({ kind: 'twin-answered', action, same })),
        idle: () => this.#delivery.pump(),
        frame: (direction, text) =>
          this.#news.tell(() => ({ kind: direction === 'sent' ? 'frame-sent' : 'frame-received', text })),
      },
    });
    this.#reconnection = new Reconnection({
      clock: this.#clock,
      timers: this.#power.timers,
      random: this.#random,
      link: this.#link,
      flapping: () => this.#faults.flapping,
      isPowered: () => this.#power.isOn,
      connect: () => this.#link.open(this.#password),
    });
    this.#delivery = new Delivery({
      link: this.#link,
      clock: this.#clock,
      configuration: this.configuration,
      faults: () => this.#faults,
      nextId: () => this.#nextId(),
      listener: {
        retried: (action, attempt, because) =>
          this.#news.tell(() => ({ kind: 'message-retried', action, attempt, because })),
        dropped: (action, because) => this.#news.tell(() => ({ kind: 'message-dropped', action, because })),
        sent: (action) => {
          if (this.#faults.losesAnswerTo !== action) return;
          this.setFaults({ losesAnswerTo: null });
          this.dropLink(lostAnswerDownMs);
        },
      },
    });
    const board = this.#board();
    this.#cards = new CardCache(board);
    this.#charges = new StationCharges(board, this.#cards);
    this.#reports = new StationReports(board, options.identity ?? {}, () => {
      this.#reconnection.succeeded();
      this.#scheduleHeartbeat();
    });
  }

  /** The link is up and the boot was accepted. */
  get isOnline(): boolean {
    return this.#link.isOpen && this.#delivery.registered;
  }

  get isPowered(): boolean {
    return this.#power.isOn;
  }

  /** No message about a charge is waiting to be delivered. */
  get isDelivered(): boolean {
    return this.#delivery.owed === 0;
  }

  get connectors(): ConnectorView[] {
    return this.#connectors.map((connector) => this.#view(connector));
  }

  /** @throws RangeError when there is no such connector. */
  connector(number: number): ConnectorView {
    return this.#view(this.#connector(number));
  }

  /** Calls `listener` with all news until the returned function is called. */
  on(listener: (news: StationNews) => void): () => void {
    return this.#news.add(listener);
  }

  /** Powers the station up. From then on it connects, boots, and reconnects by itself. */
  start(): void {
    this.#power.turnOn();
  }

  /** Ends the station: closes the link and every timer. Running charges are abandoned. */
  async stop(): Promise<void> {
    this.#power.end();
    await this.#link.close();
    for (const connector of this.#connectors) this.#charges.forget(connector);
    this.#news.tell(() => ({ kind: 'stopped' }));
  }

  setFaults(faults: Partial<Faults>): void {
    this.#faults = { ...this.#faults, ...faults };
    if (faults.flapping !== undefined) this.#reconnection.flap();
    if (faults.silent !== undefined) this.#scheduleHeartbeat();
  }

  /** The network fails silently and returns `forMs` of event time later. */
  dropLink(forMs: number): void {
    this.#reconnection.dropLink(forMs);
  }

  /** Cuts the power; after `offMs` of event time the station boots and sends the stops it owes, or never does. */
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void {
    if (!this.#power.isOn) return;
    const cut = this.#connectors.filter((connector) => connector.charge !== null);
    for (const connector of cut) this.#charges.advance(connector);
    const cutAt = this.#clock.now();
    const timestamp = this.#timestamp();
    this.#power.fail(options.offMs, () => {
      for (const connector of cut) {
        if (options.stop === 'later') this.#charges.end(connector, 'PowerLoss', { at: cutAt, timestamp });
        else this.#charges.forget(connector);
      }
    });
    this.#link.drop();
  }

  /** Plugs a vehicle in (default: one drawn from the seed). Does nothing if one is plugged in. */
  plugIn(connectorNumber: number, vehicle?: Vehicle): void {
    const connector = this.#connector(connectorNumber);
    if (connector.vehicle !== null) return;
    connector.vehicle =
      vehicle ?? drawVehicle(this.kind, this.#random.fork(`vehicle ${connectorNumber}/${connector.chargeCount}`));
    connector.finishing = false;
    const claim = connector.claim;
    if (claim !== null && this.#power.isOn && connector.operative && connector.fault === null) {
      connector.dropClaim();
      this.#charges.start(connector, claim.card, claim.startedBy);
    } else {
      this.#refresh(connector);
    }
  }

  /** Pulls the plug. */
  unplug(connectorNumber: number): void {
    const connector = this.#connector(connectorNumber);
    if (connector.vehicle === null) return;
    if (connector.charge !== null) {
      this.#charges.advance(connector);
      connector.charge.suspended = true;
      this.#refresh(connector);
      if (this.#power.isOn && this.configuration.flag('StopTransactionOnEVSideDisconnect')) {
        this.#charges.end(connector, 'EVDisconnected');
      }
    }
    connector.vehicle = null;
    connector.finishing = false;
    this.#refresh(connector);
  }

  /** Presents a card to the reader: starts a charge, or stops the one that this card started. */
  async swipeCard(connectorNumber: number, card: string): Promise<SwipeOutcome> {
    const connector = this.#connector(connectorNumber);
    if (!this.#power.isOn || this.#resetting) return 'refused';
    const running = connector.charge;
    if (running !== null) {
      if (running.card.toUpperCase() !== card.toUpperCase()) return 'refused';
      this.#charges.end(connector, 'Local', { card });
      return 'stopped';
    }
    if (!canStart(connector)) return 'refused';
    connector.authorizing = true;
    this.#refresh(connector);
    const status = await this.#cards.authorize(card);
    connector.authorizing = false;
    this.#news.tell(() => ({ kind: 'card-answered', connectorNumber, card, status }));
    if (status !== 'Accepted' || !this.#power.isOn || !canStart(connector)) {
      this.#refresh(connector);
      return 'refused';
    }
    return this.#begin(connector, card, 'card');
  }

  /** Ends a charge as if someone pressed the emergency stop, or the firmware gave up. */
  interrupt(connectorNumber: number, reason: StopReason): void {
    const connector = this.#connector(connectorNumber);
    if (this.#power.isOn && connector.charge !== null) this.#charges.end(connector, reason);
  }

  /** Breaks a connector, or repairs it with null. A running charge ends. */
  setConnectorFault(connectorNumber: number, fault: ConnectorFault | null): void {
    const connector = this.#connector(connectorNumber);
    connector.fault = fault;
    if (fault !== null) {
      connector.dropClaim();
      if (this.#power.isOn && connector.charge !== null) this.#charges.end(connector, 'Other');
    }
    connector.toldStatus = null;
    this.#refresh(connector);
    if (this.isOnline) this.#reports.catchUp();
  }

  #powerUp(): void {
    this.#resetting = false;
    this.#reports.powerUp();
    this.#cabinetLimitW = this.configuration.integer('CabinetPowerLimitW');
    for (const connector of this.#connectors) this.#refresh(connector);
    this.#reconnection.begin();
  }

  #powerDown(): void {
    for (const connector of this.#connectors) {
      connector.chargeTimers.cancelAll();
      connector.dropClaim();
      connector.finishing = false;
    }
  }

  #linkOpened(): void {
    this.#news.tell(() => ({ kind: 'link-opened' }));
    if (this.#reports.needsBoot || !this.#faults.noBootOnReconnect) {
      this.#reports.sendBoot();
    } else {
      this.#delivery.registered = true;
      this.#reports.catchUp();
    }
    this.#scheduleHeartbeat();
    this.#schedulePing();
    this.#scheduleAligned();
    this.#reconnection.flap();
    this.#delivery.pump();
  }

  #linkClosed(code: number, httpStatus: number | null): void {
    this.#cancelHeartbeat();
    this.#cancelPing();
    this.#reconnection.stopFlapping();
    this.#reports.linkClosed();
    this.#delivery.linkClosed();
    this.#news.tell(() => ({ kind: 'link-closed', code, httpStatus }));
    this.#reconnection.again();
  }

  #scheduleHeartbeat(): void {
    this.#cancelHeartbeat();
    const intervalMs = this.configuration.integer('HeartbeatInterval') * 1_000;
    if (this.#faults.silent || intervalMs === 0 || !this.#link.isOpen) return;
    this.#cancelHeartbeat = this.#power.timers.after(intervalMs, () => {
      if (this.isOnline) void this.#delivery.send('Heartbeat', {});
      this.#scheduleHeartbeat();
    });
  }

  #schedulePing(): void {
    this.#cancelPing();
    const intervalMs = this.configuration.integer('WebSocketPingInterval') * 1_000;
    if (intervalMs === 0 || !this.#link.isOpen) return;
    this.#cancelPing = this.#power.timers.after(intervalMs, () => {
      this.#link.ping();
      this.#schedulePing();
    });
  }

  #scheduleAligned(): void {
    this.#cancelAligned();
    const intervalMs = this.configuration.integer('ClockAlignedDataInterval') * 1_000;
    if (intervalMs === 0) return;
    this.#cancelAligned = this.#power.timers.after(intervalMs - (this.#clock.now() % intervalMs), () => {
      for (const connector of this.#connectors)
        this.#charges.sendReadings(connector, 'Sample.Clock', 'MeterValuesAlignedData');
      this.#scheduleAligned();
    });
  }

  #nextId(): string {
    this.#idCount += 1;
    return `${this.#idPrefix}-${this.#idCount.toString(36)}`;
  }

  #refresh(connector: Connector): void {
    const status = connector.currentStatus();
    if (status === connector.status) return;
    connector.status = status;
    connector.statusAt = this.#clock.now();
    this.#news.tell(() => ({ kind: 'status-changed', connectorNumber: connector.number, status }));
    if (this.isOnline) this.#reports.sendStatus(connector.number);
  }

  #board(): StationBoard {
    const station = this;
    return {
      number: this.number,
      kind: this.kind,
      configuration: this.configuration,
      clock: this.#clock,
      random: this.#random,
      news: this.#news,
      power: this.#power,
      delivery: this.#delivery,
      connectors: this.#connectors,
      get faults() {
        return station.#faults;
      },
      get powerMaxW() {
        return Math.min(station.#options.maxPowerKw * 1_000, station.#cabinetLimitW);
      },
      get isOnline() {
        return station.isOnline;
      },
      timestamp: (at) => this.#timestamp(at),
      refresh: (connector) => this.#refresh(connector),
      cutPower: (cut) => this.cutPower(cut),
    };
  }

  #timestamp(at = this.#clock.now()): string {
    return stationTime(this.#faults.clock, at, this.#power.onSince);
  }

  /** An accepted card: the charge starts, or the connector waits for the plug. */
  #begin(connector: Connector, card: string, startedBy: 'card' | 'remote'): 'started' | 'waiting-for-plug' {
    if (connector.vehicle !== null) {
      this.#charges.start(connector, card, startedBy);
      return 'started';
    }
    const waitMs = this.configuration.integer('ConnectionTimeOut') * 1_000;
    const cancel = this.#power.timers.after(waitMs, () => {
      connector.claim = null;
      this.#refresh(connector);
    });
    connector.claim = { card, startedBy, cancel };
    this.#refresh(connector);
    return 'waiting-for-plug';
  }

  readonly #commanded: Commanded = this.#commandedView();

  #commandedView(): Commanded {
    const station = this;
    return {
      vendor,
      get connectors() {
        return station.#connectors;
      },
      get configuration() {
        return station.configuration;
      },
      get refusesRemoteStart() {
        return station.#faults.refusesRemoteStart;
      },
      get lockJams() {
        return station.#faults.lockJams;
      },
      get hasLocks() {
        return station.kind !== 'two-wheel';
      },
      get isResetting() {
        return station.#resetting;
      },
      chargeNumbered: (transactionId) =>
        this.#connectors.find((each) => each.charge?.transactionId === transactionId)?.charge ?? null,
      startRemotely: (connector, card) => void this.#startRemotely(connector, card),
      stopRemotely: (charge) => this.interrupt(charge.connectorNumber, 'Remote'),
      unlock: (connector) => this.interrupt(connector.number, 'UnlockCommand'),
      setAvailability: (connector, operative) => this.#setAvailability(connector, operative),
      configurationChanged: (key, value) => this.#configurationChanged(key, value),
      clearCache: () => this.#cards.clear(),
      reset: (mode) => this.#reset(mode),
      sendBoot: () => this.#reports.sendBoot(),
      sendHeartbeat: () => void this.#delivery.send('Heartbeat', {}, true),
      sendReadings: (connector) => this.#charges.sendReadings(connector, 'Trigger', 'MeterValuesSampledData'),
      sendStatus: (connectorNumber) => this.#reports.sendStatus(connectorNumber),
      sendIdleStatus: (action) => void this.#delivery.send(action, { status: 'Idle' }),
    };
  }

  async #startRemotely(connector: Connector, card: string): Promise<void> {
    if (this.configuration.flag('AuthorizeRemoteTxRequests')) {
      connector.authorizing = true;
      this.#refresh(connector);
      const status = await this.#cards.authorize(card);
      connector.authorizing = false;
      this.#news.tell(() => ({ kind: 'card-answered', connectorNumber: connector.number, card, status }));
      if (status !== 'Accepted' || !this.#power.isOn || !canStart(connector)) {
        this.#refresh(connector);
        return;
      }
    }
    if (!canStart(connector)) return;
    this.#begin(connector, card, 'remote');
  }

  #setAvailability(chosen: Connector | null, operative: boolean): void {
    for (const connector of chosen === null ? this.#connectors : [chosen]) {
      connector.inoperativeNext = !operative && connector.charge !== null;
      if (!connector.inoperativeNext) {
        connector.operative = operative;
        if (!operative) connector.dropClaim();
      }
      this.#refresh(connector);
    }
    if (chosen === null && this.isOnline) this.#reports.sendStatus(0);
  }

  #configurationChanged(key: string, value: string): void {
    switch (key.toLowerCase()) {
      case 'heartbeatinterval':
        this.#scheduleHeartbeat();
        return;
      case 'websocketpinginterval':
        this.#schedulePing();
        return;
      case 'clockaligneddatainterval':
        this.#scheduleAligned();
        return;
      case 'metervaluesampleinterval':
        for (const connector of this.#connectors) {
          const { charge } = connector;
          if (charge === null) continue;
          charge.nextSampleAt = this.#clock.now() + Math.max(1, Number(value)) * 1_000;
          this.#charges.scheduleGlance(connector, charge);
        }
        return;
      case 'authorizationkey':
        // Used from the next connection on. Hexadecimal digits stand for the bytes of the password.
        this.#password = /^([0-9a-f]{2}){16,20}$/i.test(value) ? Buffer.from(value, 'hex').toString('latin1') : value;
        return;
      default:
        return;
    }
  }

  #reset(mode: 'Soft' | 'Hard'): void {
    this.#resetting = true;
    for (const connector of this.#connectors) {
      connector.dropClaim();
      this.#charges.advance(connector);
    }
    if (mode === 'Hard') {
      // The board restarts at once: what it owes about the charges is sent after the boot.
      this.#reboot();
      for (const connector of this.#connectors) this.#charges.end(connector, 'HardReset');
      return;
    }
    for (const connector of this.#connectors) this.#charges.end(connector, 'SoftReset');
    const giveUpAt = this.#clock.now() + softResetWaitMs;
    const whenDelivered = (): void => {
      if (this.isDelivered || this.#clock.now() >= giveUpAt) this.#reboot();
      else this.#power.timers.after(250, whenDelivered);
    };
    this.#power.timers.after(250, whenDelivered);
  }

  #reboot(): void {
    this.#power.fail(resetOffMs);
    void this.#link.close();
  }

  #connector(number: number): Connector {
    const connector = this.#connectors[number - 1];
    if (connector === undefined) throw new RangeError(`station ${this.number} has no connector ${number}`);
    return connector;
  }

  #view(connector: Connector): ConnectorView {
    const { charge } = connector;
    const facts = outletFacts(connector);
    return {
      ...facts,
      charge:
        charge === null
          ? null
          : {
              card: charge.card,
              transactionId: charge.transactionId,
              energyWh: facts.registerWh - charge.meterStartWh,
              point: charge.curve.point,
              startedAt: charge.startedAt,
            },
    };
  }
}
