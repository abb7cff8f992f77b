import { instant, minuteMs, secondMs, shanghaiDateTime } from '@voltdeck/units/instant';
import type { Message, MessageOf, PileMessage } from '@voltdeck/ykc/messages/all';
import { applicationRefusal, recordVerdict } from '@voltdeck/ykc/messages/charging';
import { meaningOf } from '@voltdeck/ykc/messages/field';
import { drawCurve, firstRegisterWh, outletFacts, rollBackMeter } from '../charge-physics.ts';
import { type ChargeKind, drawVehicle, type Vehicle } from '../charging-curve.ts';
import type { ConnectorFacts, SwipeOutcome } from '../charging-station.ts';
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
import { type BillingModel, billOf, noEnergies, periodAt, priceOf, untilNextSlotMs } from './billing-model.ts';
import { batteryFrames, endFrames, handshakeFrames, realtimeData, transactionRecord } from './charge-frames.ts';
import { Gun, type GunCharge, noCard, type PileStopReason, type startFlags } from './gun.ts';
import { noPileFaults, type PileFaults, pileTime } from './pile-faults.ts';
import { PileLink } from './pile-link.ts';
import { UnconfirmedRecords } from './unconfirmed-records.ts';

export type PileOptions = {
  /** Such as tcp://127.0.0.1:8768. */
  url: string;
  /** 14 digits. */
  number: string;
  /** 1 to 99. */
  connectors: number;
  /** `dc` or `ac`: this protocol knows no sockets for two-wheelers. */
  kind: ChargeKind;
  /** What one gun can deliver. */
  maxPowerKw: number;
  seed?: number | string;
  /** Default: real time. */
  clock?: Clock;
  faults?: Partial<PileFaults>;
  /** What it says of itself at login: at most 8 characters, 20 digits. */
  identity?: { softwareVersion?: string; sim?: string };
  /** Event time between live data of a charge; default 15 s. */
  sampleMs?: number;
  /** Real time to wait for an answer; default 30 s. */
  answerTimeoutMs?: number;
  /** Registers of the meters at the start, one per gun; default: drawn from the seed. */
  registersWh?: readonly number[];
  /** A socket shared with others, as behind a concentrator; default: its own. */
  link?: PileLink;
  /** What a vehicle that is plugged in without a VIN of its own is called; default: drawn from the seed. */
  vin?: string;
  hasGroundLocks?: boolean;
};

export type GunView = ConnectorFacts & {
  charge: (ConnectorFacts['charge'] & { tradeNo: string; amountHundredthsFen: number }) | null;
};

/** What the protocol wants of a station (section 3.3 of our notes). */
export const pileTimes = {
  heartbeatMs: 10 * secondMs,
  heartbeatsMissedMax: 3,
  idleDataMs: 5 * minuteMs,
  sampleMs: 15 * secondMs,
  /** A start that found no plug takes place if one comes within. */
  plugWaitMs: minuteMs,
  askAgainMs: 10 * secondMs,
} as const;

/** A charge looks at its vehicle this often between samples; sooner when the money is nearly used up. */
const glanceMs = 5 * secondMs;
const glanceMinMs = 200;
/** It stops so much before the balance, since the amount is told to a hundredth of it. */
const balanceMarginFen = 0.5;
const fullStopMs: Readonly<Record<ChargeKind, number | null>> = { dc: 30 * secondMs, ac: null, 'two-wheel': null };
const rebootOffMs = 5 * secondMs;
const lockMovesMs = 3 * secondMs;
const togetherWithinMs = 5 * secondMs;
const gunsMax = 99;
const vinLetters = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

type Authorized = { tradeNo: string; card: string; balanceFen: number | null; startedBy: keyof typeof startFlags };
type TogetherStart = { message: MessageOf<'remote-parallel-start'>; sequence: number };

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
  readonly #together = new Map<string, TogetherStart[]>();
  readonly #news: NewsListeners;
  readonly #power: PowerSupply;
  readonly #reconnection: Reconnection;
  #faults: PileFaults;
  #softwareVersion: string;
  #model: BillingModel | null = null;
  /** Came while a charge ran. */
  #nextModel: BillingModel | null = null;
  #signedIn = false;
  #rebooting = false;
  #whenIdle: (() => void) | null = null;
  #work = { allowed: true, powerPercent: 100 };
  #heartbeatsMissed = 0;
  #ownTrades = 0;
  #cancelHeartbeat: Cancel = () => {};
  #cancelModel: Cancel = () => {};

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
  }

  /** The login was accepted. */
  get isSignedIn(): boolean {
    return this.#link.isOpen && this.#signedIn;
  }

  /** Signed in, and with a billing model to charge by. */
  get isOnline(): boolean {
    return this.isSignedIn && this.#model !== null;
  }

  get isPowered(): boolean {
    return this.#power.isOn;
  }

  get isDelivered(): boolean {
    return this.#records.size === 0;
  }

  /** Four digits of the billing model that it runs. */
  get modelNo(): string | null {
    return this.#model?.modelNo ?? null;
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

  /** Hears everything from now on; call the result to stop hearing. */
  on(listener: (news: StationNews) => void): () => void {
    return this.#news.add(listener);
  }

  /** Powers the station up. It connects, signs in, and reconnects by itself from then on. */
  start(): void {
    this.#power.turnOn();
  }

  /** Ends the station: closes the link and every timer. Running charges are forgotten where they are. */
  async stop(): Promise<void> {
    this.#power.end();
    this.#forgetPlans();
    this.#records.pause();
    await this.#leaveLink();
    for (const gun of this.#guns) this.#forgetCharge(gun);
    this.#news.tell(() => ({ kind: 'stopped' }));
  }

  setFaults(faults: Partial<PileFaults>): void {
    this.#faults = { ...this.#faults, ...faults };
    if (faults.flapping !== undefined) this.#reconnection.flap();
    if (faults.silent !== undefined) this.#scheduleHeartbeat();
  }

  /** The network fails without a word and is back `forMs` of event time later; for all who share the socket. */
  dropLink(forMs: number): void {
    this.#reconnection.dropLink(forMs);
  }

  /** Power goes; after `offMs` of event time the station signs in and sends the records it owes, or never does. */
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void {
    if (!this.#power.isOn) return;
    const cut = this.#guns.filter((gun) => gun.charge !== null);
    for (const gun of cut) this.#advance(gun);
    const cutAt = this.#clock.now();
    this.#power.fail(options.offMs, () => {
      for (const gun of cut) {
        if (options.stop === 'later') this.#endCharge(gun, 'abort-power-loss', cutAt);
        else this.#forgetCharge(gun);
      }
    });
  }

  /** Plugs a vehicle in (default: one drawn from the seed). Nothing happens when one is plugged in already. */
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
      void this.#apply(gun, { startMode: 1, card: claim.card });
    } else if (this.isSignedIn && this.#refusal() === null) {
      // Section 3.3: a plug within the minute brings a second, successful 0x33, and the charge.
      this.#send(startReply(claim.message, 'none'), claim.sequence);
      this.#startRemotely(gun, claim.message);
    } else {
      this.#refresh(gun);
    }
    if (gun.charge === null) this.#sendRealtime(gun);
  }

  /** Pulls the plug; a charge that runs ends, and its record goes out at once. */
  unplug(connectorNumber: number): void {
    const gun = this.#gun(connectorNumber);
    if (gun.vehicle === null) return;
    this.#advance(gun);
    gun.vehicle = null;
    gun.finishing = false;
    if (gun.charge !== null && this.#power.isOn) this.#endCharge(gun, 'abort-pilot-lost');
    else this.#sendRealtime(gun);
    this.#refresh(gun);
  }

  /** Holds a card to the reader: starts a charge, or stops the one that it may stop. `card` in hexadecimal digits. */
  async swipeCard(connectorNumber: number, card: string): Promise<SwipeOutcome> {
    const gun = this.#gun(connectorNumber);
    const chip = chipNumber(card);
    if (!this.#power.isOn || this.#rebooting) return 'refused';
    if (gun.charge !== null) {
      if (gun.charge.card !== chip) return 'refused';
      this.#endCharge(gun, 'finished-manual');
      return 'stopped';
    }
    if (!gun.isFree || this.#refusal() !== null) return 'refused';
    if (gun.vehicle !== null) return this.#apply(gun, { startMode: 1, card: chip });
    this.#claim(gun, (cancel) => ({ kind: 'card', card: chip, cancel }));
    return 'waiting-for-plug';
  }

  /** The vehicle says who it is, and the platform knows who pays (plug and charge by VIN). */
  async applyByVin(connectorNumber: number): Promise<SwipeOutcome> {
    const gun = this.#gun(connectorNumber);
    if (!this.#power.isOn || gun.vehicle === null || !gun.isFree || this.#refusal() !== null) return 'refused';
    return this.#apply(gun, { startMode: 3, card: noCard });
  }

  /** One card, one vehicle, both guns (1.6): none starts unless the platform allows every one. */
  async swipeCardForAll(card: string): Promise<SwipeOutcome> {
    const guns = this.#guns;
    const isReady = this.isSignedIn && guns.every((gun) => gun.isFree && gun.vehicle !== null);
    if (!isReady || guns.length < 2 || this.#refusal() !== null) return 'refused';
    const parallelNo = this.#digitsOfNow();
    const answers = await Promise.all(
      guns.map(async (gun, index) => {
        const application = this.#application(gun, { startMode: 1, card: chipNumber(card) });
        const answer = await this.#ask(
          { ...application, kind: 'parallel-charge-application', masterFlag: index === 0 ? 0 : 1, parallelNo },
          `parallel-charge-application-answer/${gun.number}`,
        );
        return answer?.kind === 'parallel-charge-application-answer' ? answer : null;
      }),
    );
    const isAllowed = answers.every((answer) => answer?.authOk === 1);
    for (const [index, gun] of guns.entries()) {
      const answer = answers[index] ?? null;
      this.#news.tell(() => ({
        kind: 'card-answered',
        connectorNumber: gun.number,
        card,
        status: answer === null ? 'Offline' : answer.authOk === 1 ? 'Accepted' : refusalOf(answer.failReason),
      }));
      if (answer?.authOk !== 1) continue;
      const authorized: Authorized = {
        tradeNo: answer.tradeNo,
        card: chipNumber(card),
        balanceFen: answer.balance,
        startedBy: 'card',
      };
      if (isAllowed) this.#startCharge(gun, authorized);
      else this.#failStart(gun, authorized, 'start-charger-not-ready');
    }
    return isAllowed ? 'started' : 'refused';
  }

  /** A charge ends because the person at the station, the emergency stop or the firmware ends it. */
  interrupt(connectorNumber: number, reason: 'Local' | 'EmergencyStop' | 'Other'): void {
    const gun = this.#gun(connectorNumber);
    if (!this.#power.isOn || gun.charge === null) return;
    this.#endCharge(gun, reasonsOfInterrupt[reason]);
  }

  /** Breaks a gun, or mends it with null. A running charge ends. */
  setConnectorFault(connectorNumber: number, fault: ConnectorFault | null): void {
    const gun = this.#gun(connectorNumber);
    gun.fault = fault;
    if (fault !== null) {
      gun.dropClaim();
      if (this.#power.isOn && gun.charge !== null) this.#endCharge(gun, 'abort-module');
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

  /** What the board had in mind; flash memory keeps the rest. */
  #forgetPlans(): void {
    this.#together.clear();
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

  /** Leaves without hearing of it: whoever stops or loses power knows. */
  async #leaveLink(): Promise<void> {
    const left = this.#link.leave(this.number);
    this.#signedIn = false;
    this.#awaited.loseAll();
    await left;
  }

  #linkOpened(): void {
    this.#news.tell(() => ({ kind: 'link-opened' }));
    this.#heartbeatsMissed = 0;
    this.#login();
    this.#reconnection.flap();
  }

  #linkClosed(): void {
    this.#signedIn = false;
    this.#cancelHeartbeat();
    this.#reconnection.stopFlapping();
    this.#cancelModel();
    this.#records.pause();
    this.#awaited.loseAll();
    for (const gun of this.#guns) gun.cancelIdle();
    this.#news.tell(() => ({ kind: 'link-closed', code: 1006, httpStatus: null }));
    this.#reconnection.again();
  }

  #login(): void {
    const login: PileMessage = {
      kind: 'login',
      pileNo: this.number,
      pileType: this.kind === 'dc' ? 0 : 1,
      gunCount: this.#guns.length,
      protoVersion: 16,
      softwareVersion: this.#softwareVersion.slice(0, 8),
      netType: 0,
      sim: this.#options.identity?.sim ?? `898600${this.number}`,
      carrier: 0,
    };
    void this.#ask(login, 'login-answer').then((answer) => {
      if (!this.#link.isOpen || !this.#power.isOn || this.#signedIn) return;
      const isAccepted = answer?.kind === 'login-answer' && answer.result === 0;
      this.#news.tell(() => ({
        kind: 'boot-answered',
        decision: answer === null ? 'no answer' : isAccepted ? 'Accepted' : 'Rejected',
        heartbeatSeconds: pileTimes.heartbeatMs / secondMs,
      }));
      if (!isAccepted) {
        // The platform closes the socket after a refusal; should it not, this is tried again.
        this.#reconnection.later(() => {
          if (this.#link.isOpen && !this.#signedIn) this.#login();
        });
        return;
      }
      this.#signedIn = true;
      this.#reconnection.succeeded();
      this.#scheduleHeartbeat();
      this.#records.resume();
      for (const gun of this.#guns) this.#sendRealtime(gun);
      this.#verifyModel();
    });
  }

  /** Sends a request; null when no answer came in time. */
  #ask(message: PileMessage, key: string): Promise<Message | null> {
    return new Promise((resolve) => {
      this.#awaited.add(key, resolve);
      this.#send(message);
    });
  }

  #send(message: PileMessage, sequence?: number): void {
    this.#link.send(message, this.#faults, this.#noise, sequence);
  }

  #scheduleHeartbeat(): void {
    this.#cancelHeartbeat();
    if (this.#faults.silent || !this.isSignedIn) return;
    this.#cancelHeartbeat = this.#power.timers.after(pileTimes.heartbeatMs, () => {
      if (this.#heartbeatsMissed >= pileTimes.heartbeatsMissedMax) {
        this.#link.drop();
        return;
      }
      this.#heartbeatsMissed += 1;
      for (const { number, fault } of this.#guns) {
        const heartbeat: PileMessage = {
          kind: 'heartbeat',
          pileNo: this.number,
          gunNo: number,
          gunState: fault === null ? 0 : 1,
        };
        void this.#ask(heartbeat, `heartbeat-answer/${number}`).then((answer) => {
          if (answer !== null) this.#heartbeatsMissed = 0;
        });
      }
      this.#scheduleHeartbeat();
    });
  }

  /** 0x05, and 0x09 when the platform has another model or the station has none; both until they are answered. */
  #verifyModel(): void {
    const verify: PileMessage = { kind: 'billing-model-verify', pileNo: this.number, modelNo: this.modelNo ?? '0000' };
    void this.#ask(verify, 'billing-model-verify-answer').then((answer) => {
      if (!this.isSignedIn) return;
      if (answer?.kind !== 'billing-model-verify-answer') this.#later(() => this.#verifyModel());
      else if (answer.result !== 0 || this.#model === null) this.#requestModel();
    });
  }

  #requestModel(): void {
    void this.#ask({ kind: 'billing-model-request', pileNo: this.number }, 'billing-model-answer').then((answer) => {
      if (!this.isSignedIn) return;
      if (answer?.kind !== 'billing-model-answer') return this.#later(() => this.#requestModel());
      const { kind: _kind, pileNo: _pileNo, ...model } = answer;
      if (!this.#takeModel(model)) this.#nextModel = model;
    });
  }

  #later(run: () => void): void {
    this.#cancelModel();
    this.#cancelModel = this.#power.timers.after(pileTimes.askAgainMs, run);
  }

  /** Only while nothing charges (section 3.3). */
  #takeModel(model: BillingModel): boolean {
    if (this.#guns.some((gun) => gun.charge !== null)) return false;
    this.#model = model;
    this.#nextModel = null;
    this.#news.tell(() => ({ kind: 'model-received', modelNo: model.modelNo }));
    return true;
  }

  #receive(message: Message, sequence: number): void {
    if (!this.#power.isOn) return;
    if (isCommand(message)) {
      if (!this.#signedIn) return;
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
    if (gun.charge !== null) this.#advance(gun);
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
    const isAble = this.#work.allowed && !this.#rebooting && this.#model !== null && this.#whenIdle === null;
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

  #application(gun: Gun, by: { startMode: 1 | 3; card: string }) {
    return {
      pileNo: this.number,
      gunNo: gun.number,
      startMode: by.startMode,
      needPassword: 0,
      account: by.card,
      password: '0'.repeat(32),
      vin: by.startMode === 3 ? gun.vin : '',
    };
  }

  /** Asks whether a card or vehicle may charge; without a platform, the whitelist decides about cards. */
  async #apply(gun: Gun, by: { startMode: 1 | 3; card: string }): Promise<SwipeOutcome> {
    if (!this.isSignedIn) {
      if (by.startMode !== 1 || !this.#offlineCards.has(by.card)) return 'refused';
      const tradeNo = this.#ownTradeNo(gun);
      this.#startCharge(gun, { tradeNo, card: by.card, balanceFen: null, startedBy: 'offline-card' });
      return 'started';
    }
    gun.applying = true;
    this.#refresh(gun);
    const application: PileMessage = { kind: 'charge-application', ...this.#application(gun, by) };
    const answer = await this.#ask(application, `charge-application-answer/${gun.number}`);
    gun.applying = false;
    const told = answer?.kind === 'charge-application-answer' ? answer : null;
    const status = told === null ? 'Offline' : told.authOk === 1 ? 'Accepted' : refusalOf(told.failReason);
    const named = by.startMode === 1 ? by.card : gun.vin;
    this.#news.tell(() => ({ kind: 'card-answered', connectorNumber: gun.number, card: named, status }));
    this.#refresh(gun);
    if (told?.authOk !== 1) return 'refused';
    const startedBy = by.startMode === 1 ? 'card' : 'vin';
    const authorized: Authorized = { tradeNo: told.tradeNo, card: by.card, balanceFen: told.balance, startedBy };
    if (!this.#power.isOn || gun.vehicle === null || !gun.isFree) {
      this.#failStart(gun, authorized, 'start-pilot-open');
      return 'refused';
    }
    return this.#startCharge(gun, authorized) ? 'started' : 'refused';
  }

  #startRemotely(gun: Gun, { tradeNo, physCardNo, balance }: MessageOf<'remote-start'>): void {
    this.#startCharge(gun, { tradeNo, card: physCardNo, balanceFen: balance, startedBy: 'remote' });
  }

  /** 0xA4 comes for each gun: all are answered alike, when the last has come or is given up. */
  #startTogether(start: TogetherStart): void {
    const { parallelNo } = start.message;
    const starts = [...(this.#together.get(parallelNo) ?? []), start];
    this.#together.set(parallelNo, starts);
    if (starts.length === this.#guns.length) this.#decideTogether(parallelNo);
    else if (starts.length === 1) this.#power.timers.after(togetherWithinMs, () => this.#decideTogether(parallelNo));
  }

  #decideTogether(parallelNo: string): void {
    const starts = this.#together.get(parallelNo);
    if (starts === undefined) return;
    this.#together.delete(parallelNo);
    const guns = starts.map(({ message }) => this.#guns[message.gunNo - 1]);
    const isComplete = new Set(guns).size === this.#guns.length && this.#refusal() === null;
    const isPlugged = guns.every((gun) => gun !== undefined && gun.vehicle !== null);
    const isFree = guns.every((gun) => gun?.isFree === true);
    const failure = !isComplete ? 'equipment-fault' : !isFree ? 'already-charging' : isPlugged ? 'none' : 'not-plugged';
    for (const [index, { message, sequence }] of starts.entries()) {
      const { kind: _kind, ...reply } = startReply({ ...message, kind: 'remote-start' }, failure);
      this.#send(
        { kind: 'remote-parallel-start-reply', ...reply, masterFlag: index === 0 ? 0 : 1, parallelNo },
        sequence,
      );
    }
    if (failure !== 'none') return;
    for (const { message } of starts) {
      const gun = this.#guns[message.gunNo - 1];
      if (gun !== undefined) this.#startRemotely(gun, { ...message, kind: 'remote-start' });
    }
  }

  /** False when it could not: a record tells the platform so. */
  #startCharge(gun: Gun, authorized: Authorized): boolean {
    const { vehicle } = gun;
    const model = this.#model;
    if (vehicle === null || model === null) return false;
    if (authorized.balanceFen !== null && authorized.balanceFen <= 0) {
      this.#failStart(gun, authorized, 'start-balance');
      return false;
    }
    const now = this.#clock.now();
    const random = this.#random.fork(`charge ${gun.number}/${gun.chargeCount}`);
    gun.chargeCount += 1;
    gun.finishing = false;
    const charge: GunCharge = {
      ...authorized,
      vehicle,
      model,
      vin: this.kind === 'dc' ? gun.vin : authorized.startedBy === 'vin' ? gun.vin : '',
      startedAt: now,
      startTime: this.#stationTime(),
      meterStartWh: gun.registerWh,
      curve: drawCurve({
        kind: this.kind,
        powerMaxW: (this.#options.maxPowerKw * 1_000 * this.#work.powerPercent) / 100,
        vehicle,
        random,
      }),
      energies: noEnergies(),
      advancedAt: now,
      nextSampleAt: now + this.#sampleMs,
      cancelGlance: () => {},
      full: false,
      rolledBack: false,
    };
    gun.charge = charge;
    this.#news.tell(() => ({
      kind: 'charge-started',
      connectorNumber: gun.number,
      card: charge.card,
      meterStartWh: wholeWh(charge.meterStartWh),
    }));
    this.#news.tell(() => ({ kind: 'charge-named', connectorNumber: gun.number, tradeNo: charge.tradeNo }));
    this.#refresh(gun);
    this.#sendRealtime(gun);
    if (this.kind === 'dc') {
      for (const frame of handshakeFrames(this.#head(gun, charge), charge, this.#options.maxPowerKw)) this.#send(frame);
    }
    this.#scheduleGlance(gun, charge);
    const cut = this.#faults.powerCut;
    if (cut !== null) gun.chargeTimers.after(cut.afterMs, () => this.cutPower(cut));
    return true;
  }

  get #sampleMs(): number {
    return this.#options.sampleMs ?? pileTimes.sampleMs;
  }

  #head(gun: Gun, { tradeNo }: { tradeNo: string }) {
    return { tradeNo, pileNo: this.number, gunNo: gun.number };
  }

  #scheduleGlance(gun: Gun, charge: GunCharge): void {
    charge.cancelGlance();
    const waitMs = Math.min(charge.nextSampleAt - this.#clock.now(), glanceMs, this.#untilPaidOutMs(charge));
    charge.cancelGlance = gun.chargeTimers.after(Math.max(glanceMinMs, waitMs), () => {
      this.#advance(gun);
      if (gun.charge !== charge) return;
      if (this.#leftFen(charge) <= balanceMarginFen) return this.#endCharge(gun, 'abort-balance');
      if (this.#clock.now() >= charge.nextSampleAt) this.#sample(gun, charge);
      this.#scheduleGlance(gun, charge);
    });
  }

  #leftFen(charge: GunCharge): number {
    if (charge.balanceFen === null) return Number.POSITIVE_INFINITY;
    return charge.balanceFen - billOf(charge.model, charge.energies).amountHundredthsFen / 100;
  }

  /** How long the balance lasts at the present power and price. */
  #untilPaidOutMs(charge: GunCharge): number {
    const { powerW } = charge.curve.point;
    const price = priceOf(charge.model, periodAt(charge.model, this.#stationTime()));
    const fenPerMs = (powerW * price) / 1e3 / 1e3 / 3_600_000;
    return fenPerMs > 0 ? (this.#leftFen(charge) - balanceMarginFen) / fenPerMs : Number.POSITIVE_INFINITY;
  }

  #sample(gun: Gun, charge: GunCharge): void {
    charge.nextSampleAt = Math.max(charge.nextSampleAt + this.#sampleMs, this.#clock.now());
    this.#sendRealtime(gun);
    if (this.kind === 'dc' && this.isSignedIn) {
      for (const frame of batteryFrames(this.#head(gun, charge), charge, this.#clock.now())) this.#send(frame);
    }
    this.#news.tell(() => ({
      kind: 'sampled',
      connectorNumber: gun.number,
      registerWh: wholeWh(gun.registerWh),
      energyWh: wholeWh(charge.curve.point.energyWh),
      point: charge.curve.point,
    }));
  }

  /** Lets the charge's energy flow up to now, each period's into its own sum. */
  #advance(gun: Gun): void {
    const { charge } = gun;
    if (charge === null || !this.#power.isOn) return;
    const now = this.#clock.now();
    while (gun.vehicle !== null && charge.advancedAt < now) {
      const at = pileTime(this.#faults.clock, charge.advancedAt, this.#power.onSince);
      const stepMs = Math.min(now - charge.advancedAt, untilNextSlotMs(at));
      const beforeWh = charge.curve.point.energyWh;
      const stepWh = charge.curve.advance(stepMs).energyWh - beforeWh;
      charge.energies[periodAt(charge.model, at)] += stepWh;
      gun.registerWh += stepWh;
      charge.advancedAt += stepMs;
    }
    charge.advancedAt = now;
    rollBackMeter(gun, charge, this.#faults.meterRollback, now);
    if (!charge.curve.point.full || charge.full) return;
    charge.full = true;
    this.#news.tell(() => ({ kind: 'vehicle-full', connectorNumber: gun.number }));
    this.#refresh(gun);
    const waitMs = fullStopMs[this.kind];
    if (waitMs === null) return;
    gun.chargeTimers.after(waitMs, () => {
      if (gun.charge === charge) this.#endCharge(gun, 'finished-soc-full');
    });
  }

  /** `at` is event time; default: now. */
  #endCharge(gun: Gun, reason: PileStopReason, at = this.#clock.now()): void {
    this.#advance(gun);
    const { charge } = gun;
    if (charge === null) return;
    const head = this.#head(gun, charge);
    if (this.kind === 'dc' && this.isSignedIn) {
      for (const frame of endFrames(head, charge, reason, at)) this.#send(frame);
    }
    this.#forgetCharge(gun);
    this.#news.tell(() => ({
      kind: 'charge-ended',
      connectorNumber: gun.number,
      reason,
      energyWh: wholeWh(charge.curve.point.energyWh),
      meterStopWh: wholeWh(gun.registerWh),
    }));
    this.#records.add(
      transactionRecord(head, charge, {
        bill: billOf(charge.model, charge.energies),
        endTime: pileTime(this.#faults.clock, at, this.#power.onSince),
        reason,
        meterStartWh: charge.meterStartWh,
        meterEndWh: gun.registerWh,
        errorHundredthsFen: this.#faults.amountErrorHundredthsFen,
      }),
    );
    gun.finishing = gun.vehicle !== null && this.#power.isOn;
    this.#refresh(gun);
    this.#sendRealtime(gun);
    if (this.#guns.every((each) => each.charge === null)) this.#becomeIdle();
  }

  #becomeIdle(): void {
    if (this.#nextModel !== null) this.#takeModel(this.#nextModel);
    const todo = this.#whenIdle;
    this.#whenIdle = null;
    todo?.();
  }

  /** A record is owed for every start that was allowed, also when it failed (section 3.3). */
  #failStart(gun: Gun, authorized: Authorized, reason: PileStopReason): void {
    const startTime = this.#stationTime();
    const model = this.#model;
    if (model === null) return;
    this.#records.add(
      transactionRecord(
        this.#head(gun, authorized),
        { ...authorized, startTime, vin: '' },
        {
          bill: billOf(model, noEnergies()),
          endTime: startTime,
          reason,
          meterStartWh: gun.registerWh,
          meterEndWh: gun.registerWh,
          errorHundredthsFen: 0,
        },
      ),
    );
  }

  #forgetCharge(gun: Gun): void {
    gun.chargeTimers.cancelAll();
    gun.charge = null;
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
    for (const gun of this.#guns) this.#endCharge(gun, 'abort-system-locked');
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
      startTogether: (message, sequence) => this.#startTogether({ message, sequence }),
      stopRemotely: (gun) => {
        gun.dropClaim();
        this.#endCharge(gun, 'finished-app');
        this.#refresh(gun);
      },
      waitForPlug: (gun, message, sequence) =>
        this.#claim(gun, (cancel) => ({ kind: 'remote', message, sequence, cancel })),
      takeModel: (model) => this.#takeModel(model),
      setWork: (work) => {
        this.#work = work;
      },
      moveLock: (gun, to) => this.#moveLock(gun, to),
      reboot: (when) => this.#soonOrWhenIdle(when, () => this.#power.timers.after(secondMs, () => this.#reboot())),
      update: ({ softwareVersion, when, durationMs }) =>
        this.#soonOrWhenIdle(when, () => this.#update(softwareVersion, durationMs)),
    };
  }

  #stationTime(): number {
    return pileTime(this.#faults.clock, this.#clock.now(), this.#power.onSince);
  }

  /** yyMMddHHmmss by the station's clock. */
  #digitsOfNow(): string {
    return shanghaiDateTime(instant(Math.round(this.#stationTime())))
      .replaceAll(/\D/g, '')
      .slice(2, 14);
  }

  /** Made by the platform's rule (section 2.6) where there is no platform. */
  #ownTradeNo(gun: Gun): string {
    this.#ownTrades = (this.#ownTrades + 1) % 10_000;
    const counted = String(this.#ownTrades).padStart(4, '0');
    return `${this.number}${String(gun.number).padStart(2, '0')}${this.#digitsOfNow()}${counted}`;
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

function refusalOf(code: number): string {
  return meaningOf(applicationRefusal, code) ?? `refused ${code}`;
}

/** 16 upper-case hexadecimal digits, padded with zeros on the left. */
export function chipNumber(card: string): string {
  return card.toUpperCase().padStart(16, '0');
}

/** 17 characters without I, O and Q. */
function drawVin(random: Random): string {
  return `LVD${Array.from({ length: 14 }, () => random.pick([...vinLetters.replace(/[IOQ]/g, '')])).join('')}`;
}
