import { secondMs } from '@voltdeck/units/instant';
import type { Message, MessageOf, PileMessage } from '@voltdeck/ykc/messages/all';
import { recordVerdict } from '@voltdeck/ykc/messages/charging';
import { meaningOf } from '@voltdeck/ykc/messages/field';
import { firstRegisterWh, outletFacts } from '../charge-physics.ts';
import { type ChargeKind, drawVehicle, type Vehicle } from '../charging-curve.ts';
import type { SwipeOutcome } from '../charging-station.ts';
import { type Clock, liveClock } from '../clock.ts';
import type { ConnectorFault } from '../connector.ts';
import { NewsListeners } from '../news-listeners.ts';
import { PowerSupply } from '../power-supply.ts';
import { Reconnection } from '../reconnection.ts';
import { wholeWh } from '../samples.ts';
import { type Random, seeded } from '../seeded.ts';
import type { StationNews } from '../station-news.ts';
import type { Cancel } from '../timer-queue.ts';
import { answerPlatform, type Directed, isCommand, startReply } from './answer-platform.ts';
import { AwaitedAnswers } from './awaited-answers.ts';
import { billOf } from './billing-model.ts';
import { CardApplications, chipNumber } from './card-applications.ts';
import { realtimeData } from './charge-frames.ts';
import { Gun, noCard, type PileStopReason } from './gun.ts';
import { JointStarts } from './joint-starts.ts';
import { ModelExchange } from './model-exchange.ts';
import type { PileBoard } from './pile-board.ts';
import { PileCharges } from './pile-charges.ts';
import { noPileFaults, type PileFaults, pileTime } from './pile-faults.ts';
import { PileLink } from './pile-link.ts';
import { type GunView, type PileOptions, pileTimes } from './pile-options.ts';
import { PileSession } from './pile-session.ts';
import { UnconfirmedRecords } from './unconfirmed-records.ts';

const rebootOffMs = 5 * secondMs;
const lockMovesMs = 3 * secondMs;

const gunsMax = 99;
const vinLetters = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/**
 * One charging station with the firmware of YKC 1.6, behind a real TCP socket. People act on it (`plugIn`, `swipeCard`,
 * `unplug`), the world acts on it (`dropLink`, `cutPower`, `setFaults`), and the platform commands it. It prices its
 * charges itself, by the billing model it was given.
 *
 * Flash memory (meters, billing model, whitelist, unconfirmed records, running charges) survives `cutPower`.
 */
export class VirtualPile {
  readonly number: string;
  readonly kind: ChargeKind;
  readonly #options: PileOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #noise: Random;
  readonly #link: PileLink;
  readonly #guns: readonly Gun[];
  readonly #awaited: AwaitedAnswers;
  readonly #records: UnconfirmedRecords;
  readonly #offlineCards = new Map<string, string>();
  readonly #news: NewsListeners;
  readonly #power: PowerSupply;
  readonly #reconnection: Reconnection;
  readonly #charges: PileCharges;
  readonly #models: ModelExchange;
  readonly #starts: JointStarts;
  readonly #applications: CardApplications;
  readonly #session: PileSession;
  #faults: PileFaults;
  #softwareVersion: string;
  #rebooting = false;
  #whenIdle: (() => void) | null = null;
  #work = { allowed: true, powerPercent: 100 };

  /** @throws RangeError for a number that is not 14 digits, guns outside 1 to 99, power not above zero, two-wheelers. */
  constructor(options: PileOptions) {
    if (!/^\d{14}$/.test(options.number)) throw new RangeError(`a number has 14 digits, got ${options.number}`);
    if (!(Number.isInteger(options.connectors) && options.connectors >= 1 && options.connectors <= gunsMax)) {
      throw new RangeError(`a station has 1 to ${gunsMax} guns, got ${options.connectors}`);
    }
    if (!(options.maxPowerKw > 0)) throw new RangeError(`power must be above zero, got ${options.maxPowerKw} kW`);
    if (options.kind === 'two-wheel') throw new RangeError('YKC knows dc and ac stations only');
    this.#options = options;
    this.number = options.number;
    this.kind = options.kind;
    this.#clock = options.clock ?? liveClock();
    this.#random = seeded(options.seed ?? 1).fork(options.number);
    this.#noise = this.#random.fork('noise');
    this.#faults = { ...noPileFaults, ...options.faults };
    this.#softwareVersion = options.identity?.softwareVersion ?? 'V4.2.0';
    this.#news = new NewsListeners(options.number, this.#clock);
    this.#power = new PowerSupply(this.#clock, this.#news, {
      powerUp: () => this.#powerUp(),
      powerDown: () => this.#powerDown(),
    });
    this.#link = options.link ?? new PileLink({ url: options.url, clock: this.#clock });
    this.#reconnection = new Reconnection({
      clock: this.#clock,
      timers: this.#power.timers,
      random: this.#random,
      link: this.#link,
      flapping: () => this.#faults.flapping,
      isPowered: () => this.#power.isOn,
      connect: () => this.#joinLink(),
    });
    this.#awaited = new AwaitedAnswers(this.#clock, options.answerTimeoutMs ?? 30 * secondMs);
    this.#records = new UnconfirmedRecords({
      clock: this.#clock,
      send: (record) => this.#sendRecord(record),
      retried: (attempt) =>
        this.#news.tell(() => ({ kind: 'message-retried', action: '0x3B', attempt, because: 'no answer' })),
      dropped: (because) => this.#news.tell(() => ({ kind: 'message-dropped', action: '0x3B', because })),
    });
    this.#guns = Array.from({ length: options.connectors }, (_, index) => {
      const number = index + 1;
      return new Gun(number, firstRegisterWh(this.#random, number, options.registersWh), this.#clock);
    });
    const board = this.#board();
    this.#charges = new PileCharges(board);
    this.#models = new ModelExchange(board);
    this.#starts = new JointStarts(board, (gun, message) => this.#startRemotely(gun, message));
    this.#applications = new CardApplications(board, this.#charges);
    this.#session = new PileSession(board, {
      link: this.#link,
      reconnection: this.#reconnection,
      identity: () => ({
        softwareVersion: this.#softwareVersion,
        sim: options.identity?.sim ?? `898600${options.number}`,
      }),
      accepted: () => {
        this.#records.resume();
        for (const gun of this.#guns) this.#sendRealtime(gun);
        this.#models.verify();
      },
    });
  }

  /** The login was accepted. */
  get isSignedIn(): boolean {
    return this.#session.isSignedIn;
  }

  /** Signed in, and with a billing model. */
  get isOnline(): boolean {
    return this.isSignedIn && this.#models.model !== null;
  }

  get isPowered(): boolean {
    return this.#power.isOn;
  }

  get isDelivered(): boolean {
    return this.#records.size === 0;
  }

  /** Four digits of its billing model. */
  get modelNo(): string | null {
    return this.#models.model?.modelNo ?? null;
  }

  get softwareVersion(): string {
    return this.#softwareVersion;
  }

  get connectors(): GunView[] {
    return this.#guns.map((gun) => this.#view(gun));
  }

  /** @throws RangeError when there is no such gun. */
  connector(number: number): GunView {
    return this.#view(this.#gun(number));
  }

  /** Calls `listener` with all news until the returned function is called. */
  on(listener: (news: StationNews) => void): () => void {
    return this.#news.add(listener);
  }

  /** Powers the station up. From then on it connects, signs in, and reconnects by itself. */
  start(): void {
    this.#power.turnOn();
  }

  /** Ends the station: closes the link and every timer. Running charges are abandoned. */
  async stop(): Promise<void> {
    this.#power.end();
    this.#forgetPlans();
    this.#records.pause();
    await this.#leaveLink();
    for (const gun of this.#guns) this.#charges.forget(gun);
    this.#news.tell(() => ({ kind: 'stopped' }));
  }

  setFaults(faults: Partial<PileFaults>): void {
    this.#faults = { ...this.#faults, ...faults };
    if (faults.flapping !== undefined) this.#reconnection.flap();
    if (faults.silent !== undefined) this.#session.scheduleHeartbeat();
  }

  /** The network fails silently and returns `forMs` of event time later, for all who share the socket. */
  dropLink(forMs: number): void {
    this.#reconnection.dropLink(forMs);
  }

  /** Cuts the power; after `offMs` of event time the station signs in and sends the records it owes, or never does. */
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void {
    if (!this.#power.isOn) return;
    const cut = this.#guns.filter((gun) => gun.charge !== null);
    for (const gun of cut) this.#charges.advance(gun);
    const cutAt = this.#clock.now();
    this.#power.fail(options.offMs, () => {
      for (const gun of cut) {
        if (options.stop === 'later') this.#charges.end(gun, 'abort-power-loss', cutAt);
        else this.#charges.forget(gun);
      }
    });
  }

  /** Plugs a vehicle in (default: one drawn from the seed). Does nothing if one is plugged in. */
  plugIn(connectorNumber: number, vehicle?: Vehicle): void {
    const gun = this.#gun(connectorNumber);
    if (gun.vehicle !== null) return;
    const random = this.#random.fork(`vehicle ${connectorNumber}/${gun.chargeCount}`);
    gun.vehicle = vehicle ?? drawVehicle(this.kind, random);
    gun.vin = gun.vehicle.vin ?? this.#options.vin ?? drawVin(random);
    gun.finishing = false;
    const { claim } = gun;
    gun.dropClaim();
    if (claim === null || !this.#power.isOn || gun.fault !== null) {
      this.#refresh(gun);
    } else if (claim.kind === 'card') {
      void this.#applications.apply(gun, { startMode: 1, card: claim.card });
    } else if (this.isSignedIn && this.#refusal() === null) {
      // Section 3.3: a plug within the minute causes a second, successful 0x33, and the charge.
      this.#send(startReply(claim.message, 'none'), claim.sequence);
      this.#startRemotely(gun, claim.message);
    } else {
      this.#refresh(gun);
    }
    if (gun.charge === null) this.#sendRealtime(gun);
  }

  /** Pulls the plug; a running charge ends, and its record is sent at once. */
  unplug(connectorNumber: number): void {
    const gun = this.#gun(connectorNumber);
    if (gun.vehicle === null) return;
    this.#charges.advance(gun);
    gun.vehicle = null;
    gun.finishing = false;
    if (gun.charge !== null && this.#power.isOn) this.#charges.end(gun, 'abort-pilot-lost');
    else this.#sendRealtime(gun);
    this.#refresh(gun);
  }

  /**
   * Presents a card to the reader: starts a charge, or stops the one that it may stop. `card` in hexadecimal digits.
   */
  async swipeCard(connectorNumber: number, card: string): Promise<SwipeOutcome> {
    const gun = this.#gun(connectorNumber);
    const chip = chipNumber(card);
    if (!this.#power.isOn || this.#rebooting) return 'refused';
    if (gun.charge !== null) {
      if (gun.charge.card !== chip) return 'refused';
      this.#charges.end(gun, 'finished-manual');
      return 'stopped';
    }
    if (!gun.isFree || this.#refusal() !== null) return 'refused';
    if (gun.vehicle !== null) return this.#applications.apply(gun, { startMode: 1, card: chip });
    this.#claim(gun, (cancel) => ({ kind: 'card', card: chip, cancel }));
    return 'waiting-for-plug';
  }

  /** Requests a charge by the vehicle's VIN; the platform knows who pays. */
  async applyByVin(connectorNumber: number): Promise<SwipeOutcome> {
    const gun = this.#gun(connectorNumber);
    if (!this.#power.isOn || gun.vehicle === null || !gun.isFree || this.#refusal() !== null) return 'refused';
    return this.#applications.apply(gun, { startMode: 3, card: noCard });
  }

  /** One card, one vehicle, both guns (1.6): none starts unless the platform accepts all. */
  swipeCardForAll(card: string): Promise<SwipeOutcome> {
    return this.#applications.applyForAll(card);
  }

  /** Ends a charge as if by the person at the station, the emergency stop or the firmware. */
  interrupt(connectorNumber: number, reason: 'Local' | 'EmergencyStop' | 'Other'): void {
    const gun = this.#gun(connectorNumber);
    if (!this.#power.isOn || gun.charge === null) return;
    this.#charges.end(gun, reasonsOfInterrupt[reason]);
  }

  /** Breaks a gun, or repairs it with null. A running charge ends. */
  setConnectorFault(connectorNumber: number, fault: ConnectorFault | null): void {
    const gun = this.#gun(connectorNumber);
    gun.fault = fault;
    if (fault !== null) {
      gun.dropClaim();
      if (this.#power.isOn && gun.charge !== null) this.#charges.end(gun, 'abort-module');
    }
    this.#refresh(gun);
    this.#sendRealtime(gun);
  }

  #powerUp(): void {
    this.#rebooting = false;
    for (const gun of this.#guns) this.#refresh(gun);
    this.#reconnection.begin();
  }

  #powerDown(): void {
    this.#forgetPlans();
    this.#records.pause();
    for (const gun of this.#guns) {
      gun.dropClaim();
      gun.finishing = false;
    }
    void this.#leaveLink();
  }

  /** Clears what was in memory; flash memory keeps the rest. */
  #forgetPlans(): void {
    this.#starts.clear();
    this.#whenIdle = null;
    for (const gun of this.#guns) gun.chargeTimers.cancelAll();
  }

  #joinLink(): void {
    this.#link.join(this.number, {
      opened: () => this.#linkOpened(),
      closed: () => this.#linkClosed(),
      received: (message, sequence) => this.#receive(message, sequence),
      frame: (direction, text) =>
        this.#news.tell(() => ({ kind: direction === 'sent' ? 'frame-sent' : 'frame-received', text })),
    });
  }

  /** Leaves without a closing event: the caller knows. */
  async #leaveLink(): Promise<void> {
    const left = this.#link.leave(this.number);
    this.#session.end();
    this.#awaited.loseAll();
    await left;
  }

  #linkOpened(): void {
    this.#news.tell(() => ({ kind: 'link-opened' }));
    this.#session.begin();
    this.#reconnection.flap();
  }

  #linkClosed(): void {
    this.#session.end();
    this.#reconnection.stopFlapping();
    this.#models.pause();
    this.#records.pause();
    this.#awaited.loseAll();
    for (const gun of this.#guns) gun.cancelIdle();
    this.#news.tell(() => ({ kind: 'link-closed', code: 1006, httpStatus: null }));
    this.#reconnection.again();
  }

  /** Sends a request; resolves to null when no answer came in time. */
  #ask(message: PileMessage, key: string): Promise<Message | null> {
    return new Promise((resolve) => {
      this.#awaited.add(key, resolve);
      this.#send(message);
    });
  }

  #send(message: PileMessage, sequence?: number): void {
    this.#link.send(message, this.#faults, this.#noise, sequence);
  }

  #receive(message: Message, sequence: number): void {
    if (!this.#power.isOn) return;
    if (isCommand(message)) {
      if (!this.isSignedIn) return;
      this.#news.tell(() => ({ kind: 'command-answered', action: message.kind, answer: 'taken' }));
      answerPlatform(this.#directed, message, sequence);
      return;
    }
    const key =
      message.kind === 'transaction-record-confirm' ? message.tradeNo : 'gunNo' in message ? message.gunNo : null;
    this.#awaited.settle(key === null ? message.kind : `${message.kind}/${key}`, message);
  }

  #sendRecord(record: MessageOf<'transaction-record'>): void {
    void this.#ask(record, `transaction-record-confirm/${record.tradeNo}`).then((answer) => {
      if (answer?.kind !== 'transaction-record-confirm') return;
      const verdict = meaningOf(recordVerdict, answer.result) ?? `result ${answer.result}`;
      this.#news.tell(() => ({ kind: 'record-answered', tradeNo: record.tradeNo, verdict }));
      if (answer.result === 0) this.#records.confirm(record.tradeNo);
    });
  }

  #sendRealtime(gun: Gun): void {
    gun.cancelIdle();
    if (!this.isSignedIn || !this.#power.isOn) return;
    if (gun.charge !== null) this.#charges.advance(gun);
    this.#send(realtimeData(this.number, this.kind, gun, this.#clock.now()));
    if (gun.charge === null)
      gun.cancelIdle = this.#power.timers.after(pileTimes.idleDataMs, () => this.#sendRealtime(gun));
  }

  #refresh(gun: Gun): void {
    const status = gun.currentStatus();
    if (status === gun.status) return;
    gun.status = status;
    this.#news.tell(() => ({ kind: 'status-changed', connectorNumber: gun.number, status }));
  }

  #refusal(): 'equipment-fault' | null {
    const isAble = this.#work.allowed && !this.#rebooting && this.#models.model !== null && this.#whenIdle === null;
    return isAble && !this.#faults.refusesRemoteStart ? null : 'equipment-fault';
  }

  #claim(gun: Gun, claimed: (cancel: Cancel) => NonNullable<Gun['claim']>): void {
    gun.dropClaim();
    gun.claim = claimed(
      this.#power.timers.after(pileTimes.plugWaitMs, () => {
        gun.claim = null;
        this.#refresh(gun);
      }),
    );
    this.#refresh(gun);
  }

  #startRemotely(gun: Gun, { tradeNo, physCardNo, balance }: MessageOf<'remote-start'>): void {
    this.#charges.start(gun, { tradeNo, card: physCardNo, balanceFen: balance, startedBy: 'remote' });
  }

  #becomeIdle(): void {
    this.#models.takeNext();
    const todo = this.#whenIdle;
    this.#whenIdle = null;
    todo?.();
  }

  #moveLock(gun: Gun, to: 'raised' | 'lowered'): void {
    gun.lock = 'moving';
    this.#reportLock(gun);
    this.#power.timers.after(lockMovesMs, () => {
      gun.lock = to;
      this.#reportLock(gun);
    });
  }

  #reportLock(gun: Gun): void {
    if (!this.isSignedIn) return;
    this.#send({
      kind: 'ground-lock-report',
      pileNo: this.number,
      gunNo: gun.number,
      lockState: lockStates[gun.lock],
      spaceState: gun.vehicle === null ? 0 : 0xff,
      battery: 87,
      alarm: 0,
    });
  }

  #soonOrWhenIdle(when: 'immediately' | 'when-idle', todo: () => void): void {
    if (when === 'when-idle' && this.#guns.some((gun) => gun.charge !== null)) this.#whenIdle = todo;
    else todo();
  }

  #reboot(): void {
    if (!this.#power.isOn || this.#rebooting) return;
    this.#rebooting = true;
    for (const gun of this.#guns) this.#charges.end(gun, 'abort-system-locked');
    this.#power.fail(rebootOffMs);
  }

  #update(softwareVersion: string, durationMs: number): void {
    this.#power.timers.after(durationMs, () => {
      this.#softwareVersion = softwareVersion;
      this.#send({ kind: 'ota-reply', pileNo: this.number, state: 0 });
      this.#power.timers.after(secondMs, () => this.#reboot());
    });
  }

  readonly #directed: Directed = this.#directedView();

  #directedView(): Directed {
    const station = this;
    return {
      get number() {
        return station.number;
      },
      get isDc() {
        return station.kind === 'dc';
      },
      get guns() {
        return station.#guns;
      },
      get offlineCards() {
        return station.#offlineCards;
      },
      get hasGroundLocks() {
        return station.#options.hasGroundLocks === true;
      },
      get lockJams() {
        return station.#faults.lockJams;
      },
      get softwareVersion() {
        return station.#softwareVersion;
      },
      refusal: () => this.#refusal(),
      stationTime: () => this.#stationTime(),
      send: (message, sequence) => this.#send(message, sequence),
      sendRealtime: (gun) => this.#sendRealtime(gun),
      startRemotely: (gun, message) => {
        gun.dropClaim();
        this.#startRemotely(gun, message);
      },
      startTogether: (message, sequence) => this.#starts.add({ message, sequence }),
      stopRemotely: (gun) => {
        gun.dropClaim();
        this.#charges.end(gun, 'finished-app');
        this.#refresh(gun);
      },
      waitForPlug: (gun, message, sequence) =>
        this.#claim(gun, (cancel) => ({ kind: 'remote', message, sequence, cancel })),
      takeModel: (model) => this.#models.take(model),
      setWork: (work) => {
        this.#work = work;
      },
      moveLock: (gun, to) => this.#moveLock(gun, to),
      reboot: (when) => this.#soonOrWhenIdle(when, () => this.#power.timers.after(secondMs, () => this.#reboot())),
      update: ({ softwareVersion, when, durationMs }) =>
        this.#soonOrWhenIdle(when, () => this.#update(softwareVersion, durationMs)),
    };
  }

  #board(): PileBoard {
    const pile = this;
    return {
      number: this.number,
      kind: this.kind,
      maxPowerKw: this.#options.maxPowerKw,
      sampleMs: this.#options.sampleMs ?? pileTimes.sampleMs,
      clock: this.#clock,
      random: this.#random,
      news: this.#news,
      power: this.#power,
      records: this.#records,
      guns: this.#guns,
      offlineCards: this.#offlineCards,
      get faults() {
        return pile.#faults;
      },
      get model() {
        return pile.#models.model;
      },
      get powerPercent() {
        return pile.#work.powerPercent;
      },
      get isSignedIn() {
        return pile.isSignedIn;
      },
      refusal: () => this.#refusal(),
      stationTime: () => this.#stationTime(),
      send: (message, sequence) => this.#send(message, sequence),
      ask: (message, key) => this.#ask(message, key),
      sendRealtime: (gun) => this.#sendRealtime(gun),
      refresh: (gun) => this.#refresh(gun),
      cutPower: (options) => this.cutPower(options),
      chargeEnded: () => {
        if (this.#guns.every((gun) => gun.charge === null)) this.#becomeIdle();
      },
    };
  }

  #stationTime(): number {
    return pileTime(this.#faults.clock, this.#clock.now(), this.#power.onSince);
  }

  #gun(number: number): Gun {
    const gun = this.#guns[number - 1];
    if (gun === undefined) throw new RangeError(`station ${this.number} has no gun ${number}`);
    return gun;
  }

  #view(gun: Gun): GunView {
    const { charge } = gun;
    return {
      ...outletFacts(gun),
      charge:
        charge === null
          ? null
          : {
              card: charge.card,
              tradeNo: charge.tradeNo,
              energyWh: wholeWh(charge.curve.point.energyWh),
              amountHundredthsFen: billOf(charge.model, charge.energies).amountHundredthsFen,
              point: charge.curve.point,
              startedAt: charge.startedAt,
            },
    };
  }
}

const reasonsOfInterrupt = {
  Local: 'finished-manual',
  EmergencyStop: 'abort-emergency-stop',
  Other: 'unknown',
} as const satisfies Record<string, PileStopReason>;

const lockStates = { moving: 0, raised: 0x55, lowered: 0xff } as const;

/** 17 characters without I, O and Q. */
function drawVin(random: Random): string {
  return `LVD${Array.from({ length: 14 }, () => random.pick([...vinLetters.replace(/[IOQ]/g, '')])).join('')}`;
}
