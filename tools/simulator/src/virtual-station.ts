import type { OCPP16 } from 'typed-ocpp';
import { answerCommand, type Commanded, canStart } from './answer-command.ts';
import { drawCurve, firstRegisterWh, outletFacts, rollBackMeter } from './charge-physics.ts';
import { type ChargeKind, type CurvePoint, drawVehicle, type Vehicle } from './charging-curve.ts';
import type { SwipeOutcome } from './charging-station.ts';
import { type Clock, liveClock } from './clock.ts';
import { Configuration } from './configuration.ts';
import { type Charge, Connector, type ConnectorFault, type ConnectorStatus, type StopReason } from './connector.ts';
import { Delivery } from './delivery.ts';
import { type Faults, noFaults, stationTime } from './faults.ts';
import { Link } from './link.ts';
import { NewsListeners } from './news-listeners.ts';
import { PowerSupply } from './power-supply.ts';
import { Reconnection } from './reconnection.ts';
import { meterValue, wholeWh } from './samples.ts';
import { type Random, seeded } from './seeded.ts';
import type { StationNews } from './station-news.ts';
import type { Cancel } from './timer-queue.ts';

export type StationOptions = {
  /** Such as ws://127.0.0.1:8080/ocpp; the station number is added to it. */
  url: string;
  number: string;
  /** Basic authentication with the station number as user; without it, none is sent. */
  password?: string;
  /** 1 to 100. */
  connectors: number;
  kind: ChargeKind;
  /** What one connector can deliver. */
  maxPowerKw: number;
  seed?: number | string;
  /** Default: real time. */
  clock?: Clock;
  faults?: Partial<Faults>;
  /** Initial values of configuration keys, such as MeterValueSampleInterval. */
  configuration?: Readonly<Record<string, string>>;
  identity?: Partial<OCPP16.BootNotificationRequest>;
  /** Real time to wait for an answer; default 30 s. */
  answerTimeoutMs?: number;
  /** Registers of the meters at the start, one per connector; default: drawn from the seed. */
  registersWh?: readonly number[];
};

export type ConnectorView = {
  number: number;
  status: ConnectorStatus;
  registerWh: number;
  pluggedIn: boolean;
  charge: { card: string; transactionId: number | null; energyWh: number; point: CurvePoint; startedAt: number } | null;
};

const bootRetryMs = 30_000;
const cacheMax = 500;
const transactionDataMax = 200;
/** A charging connector looks at its vehicle this often between samples, to notice a full battery. */
const glanceMs = 10_000;
/** Time between the vehicle's last watt and the station's own stop; ac stations wait for the driver. */
const fullStopMs: Readonly<Record<ChargeKind, number | null>> = { dc: 30_000, 'two-wheel': 60_000, ac: null };
const softResetWaitMs = 10_000;
const resetOffMs = 5_000;
const lostAnswerDownMs = 5_000;

const makes: Readonly<Record<ChargeKind, { model: string; firmwareVersion: string }>> = {
  dc: { model: 'VS-DC', firmwareVersion: '3.2.1' },
  ac: { model: 'VS-AC', firmwareVersion: '2.7.0' },
  'two-wheel': { model: 'VS-TW', firmwareVersion: '1.9.4' },
};
const vendor = 'Voltdeck Virtual';

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
  readonly #cache = new Map<string, string>();
  readonly #news: NewsListeners;
  readonly #power: PowerSupply;
  readonly #reconnection: Reconnection;
  readonly #idPrefix: string;
  #faults: Faults;
  #password: string | undefined;
  #idCount = 0;
  /** Read from the configuration when the station powers up. */
  #cabinetLimitW = 0;
  #needsBoot = true;
  #resetting = false;
  #cancelHeartbeat: Cancel = () => {};
  #cancelPing: Cancel = () => {};
  #cancelAligned: Cancel = () => {};
  #cancelBoot: Cancel = () => {};

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
  }

  /** The link is up and the boot was accepted. */
  get isOnline(): boolean {
    return this.#link.isOpen && this.#delivery.registered;
  }

  get isPowered(): boolean {
    return this.#power.isOn;
  }

  /** Nothing about charges waits to be delivered. */
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

  /** Hears everything from now on; call the result to stop hearing. */
  on(listener: (news: StationNews) => void): () => void {
    return this.#news.add(listener);
  }

  /** Powers the station up. It connects, boots, and reconnects by itself from then on. */
  start(): void {
    this.#power.turnOn();
  }

  /** Ends the station: closes the link and every timer. Running charges are forgotten where they are. */
  async stop(): Promise<void> {
    this.#power.end();
    await this.#link.close();
    for (const connector of this.#connectors) this.#forgetCharge(connector);
    this.#news.tell(() => ({ kind: 'stopped' }));
  }

  setFaults(faults: Partial<Faults>): void {
    this.#faults = { ...this.#faults, ...faults };
    if (faults.flapping !== undefined) this.#reconnection.flap();
    if (faults.silent !== undefined) this.#scheduleHeartbeat();
  }

  /** The network fails without a word and is back `forMs` of event time later. */
  dropLink(forMs: number): void {
    this.#reconnection.dropLink(forMs);
  }

  /** Power goes; after `offMs` of event time the station boots and tells the stops it owes, or never does. */
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void {
    if (!this.#power.isOn) return;
    const cut = this.#connectors.filter((connector) => connector.charge !== null);
    for (const connector of cut) this.#advance(connector);
    const cutAt = this.#clock.now();
    const timestamp = this.#timestamp();
    this.#power.fail(options.offMs, () => {
      for (const connector of cut) {
        if (options.stop === 'later') this.#endCharge(connector, 'PowerLoss', { at: cutAt, timestamp });
        else this.#forgetCharge(connector);
      }
    });
    this.#link.drop();
  }

  /** Plugs a vehicle in (default: one drawn from the seed). Nothing happens when one is plugged in already. */
  plugIn(connectorNumber: number, vehicle?: Vehicle): void {
    const connector = this.#connector(connectorNumber);
    if (connector.vehicle !== null) return;
    connector.vehicle =
      vehicle ?? drawVehicle(this.kind, this.#random.fork(`vehicle ${connectorNumber}/${connector.chargeCount}`));
    connector.finishing = false;
    const claim = connector.claim;
    if (claim !== null && this.#power.isOn && connector.operative && connector.fault === null) {
      connector.dropClaim();
      this.#startCharge(connector, claim.card, claim.startedBy);
    } else {
      this.#refresh(connector);
    }
  }

  /** Pulls the plug. */
  unplug(connectorNumber: number): void {
    const connector = this.#connector(connectorNumber);
    if (connector.vehicle === null) return;
    if (connector.charge !== null) {
      this.#advance(connector);
      connector.charge.suspended = true;
      this.#refresh(connector);
      if (this.#power.isOn && this.configuration.flag('StopTransactionOnEVSideDisconnect')) {
        this.#endCharge(connector, 'EVDisconnected');
      }
    }
    connector.vehicle = null;
    connector.finishing = false;
    this.#refresh(connector);
  }

  /** Holds a card to the reader: starts a charge, or stops the one that this card started. */
  async swipeCard(connectorNumber: number, card: string): Promise<SwipeOutcome> {
    const connector = this.#connector(connectorNumber);
    if (!this.#power.isOn || this.#resetting) return 'refused';
    const running = connector.charge;
    if (running !== null) {
      if (running.card.toUpperCase() !== card.toUpperCase()) return 'refused';
      this.#endCharge(connector, 'Local', { card });
      return 'stopped';
    }
    if (!canStart(connector)) return 'refused';
    connector.authorizing = true;
    this.#refresh(connector);
    const status = await this.#authorize(card);
    connector.authorizing = false;
    this.#news.tell(() => ({ kind: 'card-answered', connectorNumber, card, status }));
    if (status !== 'Accepted' || !this.#power.isOn || !canStart(connector)) {
      this.#refresh(connector);
      return 'refused';
    }
    return this.#begin(connector, card, 'card');
  }

  /** A charge ends as if the person at the station pressed the emergency stop, or the firmware gave up. */
  interrupt(connectorNumber: number, reason: StopReason): void {
    const connector = this.#connector(connectorNumber);
    if (this.#power.isOn && connector.charge !== null) this.#endCharge(connector, reason);
  }

  /** Breaks a connector, or mends it with null. A running charge ends. */
  setConnectorFault(connectorNumber: number, fault: ConnectorFault | null): void {
    const connector = this.#connector(connectorNumber);
    connector.fault = fault;
    if (fault !== null) {
      connector.dropClaim();
      if (this.#power.isOn && connector.charge !== null) this.#endCharge(connector, 'Other');
    }
    connector.toldStatus = null;
    this.#refresh(connector);
    if (this.isOnline) this.#catchUpStatus();
  }

  #powerUp(): void {
    this.#resetting = false;
    this.#needsBoot = true;
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
    if (this.#needsBoot || !this.#faults.noBootOnReconnect) {
      this.#sendBoot();
    } else {
      this.#delivery.registered = true;
      this.#catchUpStatus();
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
    this.#cancelBoot();
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
      for (const connector of this.#connectors) this.#sendReadings(connector, 'Sample.Clock', 'MeterValuesAlignedData');
      this.#scheduleAligned();
    });
  }

  #nextId(): string {
    this.#idCount += 1;
    return `${this.#idPrefix}-${this.#idCount.toString(36)}`;
  }

  #sendBoot(): void {
    const identity: OCPP16.BootNotificationRequest = {
      chargePointVendor: vendor,
      chargePointModel: makes[this.kind].model,
      chargePointSerialNumber: this.number.slice(0, 25),
      firmwareVersion: makes[this.kind].firmwareVersion,
      ...this.#options.identity,
    };
    this.#cancelBoot();
    void this.#delivery.send('BootNotification', identity, true).then((outcome) => {
      if (outcome.kind === 'link-lost') return;
      const status = outcome.kind === 'answered' ? outcome.payload.status : null;
      const seconds = outcome.kind === 'answered' ? Number(outcome.payload.interval) : 0;
      const heartbeatSeconds = Number.isFinite(seconds) && seconds > 0 ? Math.min(86_400, Math.round(seconds)) : 0;
      this.#news.tell(() => ({ kind: 'boot-answered', decision: String(status ?? outcome.kind), heartbeatSeconds }));
      if (status !== 'Accepted') {
        if (this.#delivery.registered) return;
        const waitMs = heartbeatSeconds > 0 ? heartbeatSeconds * 1_000 : bootRetryMs;
        this.#cancelBoot = this.#power.timers.after(waitMs, () => this.#sendBoot());
        return;
      }
      this.#delivery.registered = true;
      this.#needsBoot = false;
      this.#reconnection.succeeded();
      if (heartbeatSeconds > 0) this.configuration.set('HeartbeatInterval', heartbeatSeconds);
      this.#scheduleHeartbeat();
      this.#sendStatus(0);
      for (const connector of this.#connectors) this.#sendStatus(connector.number);
      this.#delivery.pump();
    });
  }

  #sendStatus(connectorNumber: number): void {
    const connector = this.#connectors.find((each) => each.number === connectorNumber);
    const status = connector?.status ?? (this.#connectors.some((each) => each.operative) ? 'Available' : 'Unavailable');
    const fault = connector?.fault ?? null;
    const payload: OCPP16.StatusNotificationRequest = {
      connectorId: connectorNumber,
      errorCode: fault?.errorCode ?? 'NoError',
      ...(fault?.info === undefined ? {} : { info: fault.info }),
      ...(fault?.vendorErrorCode === undefined ? {} : { vendorId: vendor, vendorErrorCode: fault.vendorErrorCode }),
      status,
      timestamp: this.#timestamp(connector?.statusAt),
    };
    if (connector !== undefined) connector.toldStatus = status;
    void this.#delivery.send('StatusNotification', payload).then((outcome) => {
      if (outcome.kind !== 'answered' && connector?.toldStatus === status) connector.toldStatus = null;
    });
  }

  /** Tells the statuses that changed while nobody listened. */
  #catchUpStatus(): void {
    for (const connector of this.#connectors) {
      if (connector.toldStatus !== connector.status) this.#sendStatus(connector.number);
    }
  }

  #refresh(connector: Connector): void {
    const status = connector.currentStatus();
    if (status === connector.status) return;
    connector.status = status;
    connector.statusAt = this.#clock.now();
    this.#news.tell(() => ({ kind: 'status-changed', connectorNumber: connector.number, status }));
    if (this.isOnline) this.#sendStatus(connector.number);
  }

  #sendReadings(connector: Connector, context: OCPP16.Context, key: string): void {
    const charge = connector.charge;
    if (charge !== null) this.#advance(connector);
    const value = this.#meterValue(connector, context, key);
    if (value === null) return;
    if (charge === null) {
      const payload: OCPP16.MeterValuesRequest = { connectorId: connector.number, meterValue: [value] };
      void this.#delivery.send('MeterValues', payload);
      return;
    }
    this.#delivery.sendDurable({
      action: 'MeterValues',
      payload: () => ({
        connectorId: connector.number,
        transactionId: this.#numberOf(charge),
        meterValue: [value],
      }),
      answered: () => {},
    });
  }

  #meterValue(connector: Connector, context: OCPP16.Context, key: string): OCPP16.MeterValue | null {
    const value = meterValue({
      timestamp: this.#timestamp(),
      registerWh: connector.registerWh,
      point: connector.charge?.curve.point ?? null,
      kind: this.kind,
      measurands: this.configuration.measurands(key),
      context,
    });
    return value.sampledValue.length === 0 ? null : value;
  }

  /** Firmware that never learned its number sends -1 (libocpp does). */
  #numberOf(charge: Charge): number {
    return this.#faults.wrongTransactionId ?? charge.transactionId ?? -1;
  }

  #timestamp(at = this.#clock.now()): string {
    return stationTime(this.#faults.clock, at, this.#power.onSince);
  }

  async #authorize(card: string): Promise<string> {
    const cached = this.#cache.get(card.toUpperCase());
    if (this.isOnline && !(this.configuration.flag('LocalPreAuthorize') && cached === 'Accepted')) {
      const outcome = await this.#delivery.send('Authorize', { idTag: card });
      if (outcome.kind === 'answered') {
        const status = statusIn(outcome.payload);
        this.#remember(card, status);
        return status;
      }
      if (outcome.kind === 'error') return outcome.code;
    } else if (this.isOnline && cached !== undefined) {
      return cached;
    }
    if (!this.configuration.flag('LocalAuthorizeOffline')) return 'Offline';
    return cached ?? (this.configuration.flag('AllowOfflineTxForUnknownId') ? 'Accepted' : 'Offline');
  }

  #remember(card: string, status: string): void {
    if (!this.configuration.flag('AuthorizationCacheEnabled')) return;
    const key = card.toUpperCase();
    this.#cache.delete(key);
    this.#cache.set(key, status);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > cacheMax && !oldest.done) this.#cache.delete(oldest.value);
  }

  /** An accepted card: the charge starts, or the connector waits for the plug. */
  #begin(connector: Connector, card: string, startedBy: 'card' | 'remote'): 'started' | 'waiting-for-plug' {
    if (connector.vehicle !== null) {
      this.#startCharge(connector, card, startedBy);
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

  #startCharge(connector: Connector, card: string, startedBy: 'card' | 'remote'): void {
    const vehicle = connector.vehicle;
    if (vehicle === null) return;
    const now = this.#clock.now();
    const random = this.#random.fork(`charge ${connector.number}/${connector.chargeCount}`);
    connector.chargeCount += 1;
    connector.finishing = false;
    const limitW = Math.min(this.#options.maxPowerKw * 1_000, this.#cabinetLimitW);
    const charge: Charge = {
      connectorNumber: connector.number,
      card,
      startedBy,
      startedAt: now,
      meterStartWh: wholeWh(connector.registerWh),
      curve: drawCurve({ kind: this.kind, powerMaxW: limitW, vehicle, random }),
      transactionData: [],
      transactionId: null,
      advancedAt: now,
      nextSampleAt: now,
      cancelGlance: () => {},
      suspended: false,
      rolledBack: false,
    };
    connector.charge = charge;
    const request: OCPP16.StartTransactionRequest = {
      connectorId: connector.number,
      idTag: card,
      meterStart: charge.meterStartWh,
      timestamp: this.#timestamp(),
    };
    this.#news.tell(() => ({
      kind: 'charge-started',
      connectorNumber: connector.number,
      card,
      meterStartWh: charge.meterStartWh,
    }));
    this.#collect(connector, 'Transaction.Begin');
    this.#delivery.sendDurable({
      action: 'StartTransaction',
      payload: () => request,
      answered: (payload) => this.#numbered(connector, charge, payload),
    });
    this.#refresh(connector);
    charge.nextSampleAt += this.configuration.integer('MeterValueSampleInterval') * 1_000;
    this.#scheduleGlance(connector, charge);
    const cut = this.#faults.powerCut;
    if (cut !== null) connector.chargeTimers.after(cut.afterMs, () => this.cutPower(cut));
  }

  #numbered(connector: Connector, charge: Charge, payload: Record<string, unknown>): void {
    const status = statusIn(payload);
    charge.transactionId = Number.isInteger(payload.transactionId) ? Number(payload.transactionId) : null;
    this.#remember(charge.card, status);
    this.#news.tell(() => ({
      kind: 'charge-numbered',
      connectorNumber: connector.number,
      transactionId: charge.transactionId ?? -1,
      status,
    }));
    if (status !== 'Accepted' && connector.charge === charge && this.configuration.flag('StopTransactionOnInvalidId')) {
      this.#endCharge(connector, 'DeAuthorized');
    }
  }

  #scheduleGlance(connector: Connector, charge: Charge): void {
    const now = this.#clock.now();
    const untilSampleMs = charge.nextSampleAt > now ? charge.nextSampleAt - now : Number.POSITIVE_INFINITY;
    charge.cancelGlance();
    charge.cancelGlance = connector.chargeTimers.after(Math.min(untilSampleMs, glanceMs), () => {
      this.#advance(connector);
      if (this.#clock.now() >= charge.nextSampleAt) this.#sample(connector, charge);
      if (connector.charge === charge) this.#scheduleGlance(connector, charge);
    });
  }

  #sample(connector: Connector, charge: Charge): void {
    const intervalMs = this.configuration.integer('MeterValueSampleInterval') * 1_000;
    if (intervalMs === 0) {
      charge.nextSampleAt = this.#clock.now() + glanceMs;
      return;
    }
    charge.nextSampleAt = Math.max(charge.nextSampleAt + intervalMs, this.#clock.now());
    this.#collect(connector, 'Sample.Periodic');
    this.#sendReadings(connector, 'Sample.Periodic', 'MeterValuesSampledData');
    this.#news.tell(() => ({
      kind: 'sampled',
      connectorNumber: connector.number,
      registerWh: wholeWh(connector.registerWh),
      energyWh: wholeWh(connector.registerWh) - charge.meterStartWh,
      point: charge.curve.point,
    }));
  }

  /** Keeps a sample for StopTransaction's transactionData; the last place is kept for the end. */
  #collect(connector: Connector, context: OCPP16.Context): void {
    const charge = connector.charge;
    if (charge === null) return;
    const isLast = context === 'Transaction.End';
    if (charge.transactionData.length >= (isLast ? transactionDataMax : transactionDataMax - 1)) return;
    const value = this.#meterValue(connector, context, 'StopTxnSampledData');
    if (value !== null) charge.transactionData.push(value);
  }

  /** Lets the charge's energy flow up to now. */
  #advance(connector: Connector): void {
    const charge = connector.charge;
    if (charge === null || !this.#power.isOn) return;
    const now = this.#clock.now();
    const durationMs = Math.max(0, now - charge.advancedAt);
    charge.advancedAt = now;
    if (connector.vehicle !== null && durationMs > 0) {
      const beforeWh = charge.curve.point.energyWh;
      connector.registerWh += charge.curve.advance(durationMs).energyWh - beforeWh;
    }
    rollBackMeter(connector, charge, this.#faults.meterRollback, now);
    if (charge.curve.point.full && !charge.suspended) {
      charge.suspended = true;
      this.#news.tell(() => ({ kind: 'vehicle-full', connectorNumber: connector.number }));
      this.#refresh(connector);
      const waitMs = fullStopMs[this.kind];
      if (waitMs !== null) {
        connector.chargeTimers.after(waitMs, () => {
          if (connector.charge === charge) this.#endCharge(connector, 'Other');
        });
      }
    }
  }

  #endCharge(
    connector: Connector,
    reason: StopReason,
    told: { card?: string; at?: number; timestamp?: string } = {},
  ): void {
    this.#advance(connector);
    const charge = connector.charge;
    if (charge === null) return;
    this.#collect(connector, 'Transaction.End');
    const meterStopWh = wholeWh(connector.registerWh);
    const timestamp = told.timestamp ?? this.#timestamp(told.at);
    const data = charge.transactionData;
    this.#forgetCharge(connector);
    this.#news.tell(() => ({
      kind: 'charge-ended',
      connectorNumber: connector.number,
      reason,
      energyWh: meterStopWh - charge.meterStartWh,
      meterStopWh,
    }));
    this.#delivery.sendDurable({
      action: 'StopTransaction',
      payload: (): OCPP16.StopTransactionRequest => ({
        ...(told.card === undefined ? {} : { idTag: told.card }),
        meterStop: meterStopWh,
        timestamp,
        transactionId: this.#numberOf(charge),
        reason,
        ...(data.length === 0 ? {} : { transactionData: data }),
      }),
      answered: (payload) => {
        if ('idTagInfo' in payload) this.#remember(charge.card, statusIn(payload));
      },
    });
    connector.finishing = connector.vehicle !== null && this.#power.isOn;
    this.#refresh(connector);
  }

  #forgetCharge(connector: Connector): void {
    connector.chargeTimers.cancelAll();
    connector.charge = null;
    if (connector.inoperativeNext) {
      connector.inoperativeNext = false;
      connector.operative = false;
    }
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
      clearCache: () => this.#cache.clear(),
      reset: (mode) => this.#reset(mode),
      sendBoot: () => this.#sendBoot(),
      sendHeartbeat: () => void this.#delivery.send('Heartbeat', {}, true),
      sendReadings: (connector) => this.#sendReadings(connector, 'Trigger', 'MeterValuesSampledData'),
      sendStatus: (connectorNumber) => this.#sendStatus(connectorNumber),
      sendIdleStatus: (action) => void this.#delivery.send(action, { status: 'Idle' }),
    };
  }

  async #startRemotely(connector: Connector, card: string): Promise<void> {
    if (this.configuration.flag('AuthorizeRemoteTxRequests')) {
      connector.authorizing = true;
      this.#refresh(connector);
      const status = await this.#authorize(card);
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
    if (chosen === null && this.isOnline) this.#sendStatus(0);
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
          this.#scheduleGlance(connector, charge);
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
      this.#advance(connector);
    }
    if (mode === 'Hard') {
      // The board restarts at once: what it owes about the charges is told after the boot.
      this.#reboot();
      for (const connector of this.#connectors) this.#endCharge(connector, 'HardReset');
      return;
    }
    for (const connector of this.#connectors) this.#endCharge(connector, 'SoftReset');
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

function statusIn(payload: Record<string, unknown>): string {
  const info = payload.idTagInfo;
  const status = typeof info === 'object' && info !== null && 'status' in info ? info.status : null;
  return typeof status === 'string' ? status : 'Invalid';
}
