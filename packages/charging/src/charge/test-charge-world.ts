/** Stations, vehicles, bad lines and liars, which drive the rules of charges through a book in memory. */
import type { CardId, ConnectorId, CustomerId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type { OrderState } from '../states.ts';
import type { StationBill } from '../station-bill.ts';
import type { ChargeStarted, ChargeStopped } from '../station-event.ts';
import { plausibilityLimits } from './plausibility.ts';
import {
  amountOf,
  type BookCard,
  type BookOrder,
  type BookPayer,
  type BookStation,
  ChargeBook,
  isUnderWay,
  registerOf,
  type Wallet,
} from './test-charge-book.ts';

import type { Step, stopReports, Temper } from './test-charge-steps.ts';

/** What really happens at a gun port, whatever is reported. */
type RealCharge = {
  station: BookStation;
  clockMs: number | null;
  port: number;
  powerW: number;
  /** What the vehicle takes at most. */
  capWh: number;
  startedAt: Instant | null;
  endedAt: Instant | null;
  registerStartWh: number;
  /** How far its meter leapt and stayed. */
  leaptWh: number;
  /** What the station shows us. */
  card: string | null;
  name: string | null;
  order: BookOrder | null;
  isHeard: boolean;
  /** A record of a charge that never was: the energy that all parts but the total give; null for a real charge. */
  inventedWh: number | null;
  /** Its register at the start is reported as -1. */
  isStartMissing: boolean;
  /** Its reports also fit another charge, or a start it did not have, which no rule can detect. */
  isVague: boolean;
};

/** A message of a station, sent unchanged when it is repeated. */
type Message = { station: BookStation; say: () => void; wasSaid: boolean };

type Port = { station: BookStation; number: number; registerWh: number; charge: RealCharge | null };

const epoch = instant(Date.parse('2026-11-22T00:00:00+08:00'));
/** By station. A clock that has lost its zone, one that has lost its time, and small errors. */
const honestClocksMs = [0, 8 * minuteMs, -8 * minuteMs, -8 * hourMs] as const;
const wildClocksMs = [8 * minuteMs, null, -6 * hourMs, null] as const;

/** A world at its beginning: numbered stations of one operator, naming ones of another, and their drivers. */
export class World {
  readonly book: ChargeBook;
  readonly ports: Port[];
  readonly charges: RealCharge[] = [];
  readonly messages: Message[] = [];
  readonly #queues = new Map<BookStation, Message[]>();
  readonly #clocks = new Map<BookStation, number | null>();
  /** Orders settled by hand have been judged, so their figures are not held against the rules. */
  readonly ordersByCharge = new Map<RealCharge, BookOrder>();
  readonly #states = new Map<BookOrder, OrderState>();
  readonly told: string[] = [];
  readonly #temper: Temper;
  readonly #isTold: boolean;

  constructor({ temper, isTold }: { temper: Temper; isTold: boolean }) {
    this.#temper = temper;
    this.#isTold = isTold;
    const stations = [
      { namesCharges: false, operator: 'a', ratedPowerW: 7_000 },
      { namesCharges: false, operator: 'b', ratedPowerW: 60_000 },
      { namesCharges: true, operator: 'a', ratedPowerW: 60_000 },
      { namesCharges: true, operator: 'b', ratedPowerW: 240_000 },
    ].map(
      (made, index): BookStation => ({
        ...made,
        number: String(index + 1),
        isEnabled: true,
        isPriced: true,
        isOnline: true,
        onlineAt: instant(epoch - dayMs),
        offlineAt: null,
        ports: [1, 2].map((number) => ({
          number,
          connectorId: (index * 10 + number) as ConnectorId,
          state: 'free',
          stateAt: instant(epoch - dayMs),
        })),
        // Records without a request from a clock without its zone wait for a person, so such stations accept no card
        // offline.
        offlineCards: new Set(temper === 'honest' && index === 3 ? [] : ['C1', 'C4']),
      }),
    );
    const wallet = (owner: string, yuan: number): Wallet => ({
      owner,
      freeFen: fen(yuan * 100),
      debtFen: fen(0),
      rechargedFen: fen(yuan * 100),
    });
    const rich = temper === 'honest' ? 5_000 : 1;
    const cards = [20, 60, 100, 200, 500].map(
      (yuan, index): BookCard => ({
        number: `C${index + 1}`,
        cardId: (index + 1) as CardId,
        operator: index < 3 ? 'a' : 'b',
        state: 'active',
        wallet: wallet(`C${index + 1}`, yuan * rich),
      }),
    );
    const customers = [80, 250].map((yuan, index) => ({
      customerId: (index + 1) as CustomerId,
      wallet: wallet(`customer ${index + 1}`, yuan * rich),
    }));
    this.book = new ChargeBook({ now: epoch, stations, cards, customers });
    for (const [index, station] of stations.entries()) {
      this.#clocks.set(station, (temper === 'honest' ? honestClocksMs : wildClocksMs)[index] ?? null);
      this.#queues.set(station, []);
    }
    this.ports = stations.flatMap((station) =>
      station.ports.map(({ number }) => ({ station, number, registerWh: 1_000_000 * number, charge: null })),
    );
  }

  take(step: Step): void {
    switch (step.do) {
      case 'swipe':
        this.#swipe(step);
        return;
      case 'call':
        this.#call(step);
        return;
      case 'begin': {
        const charge = pick(
          this.charges.filter(({ startedAt }) => startedAt === null),
          step.charge,
        );
        if (charge !== undefined) this.#begin(charge, step.isHeard);
        return;
      }
      case 'read':
        this.#read(step);
        return;
      case 'stop':
        this.#stop(step);
        return;
      case 'repeat': {
        const message = pick(this.messages, step.message);
        if (message?.wasSaid === true && message.station.isOnline) this.#sayAgain(message);
        return;
      }
      case 'invent':
        this.#invent(step);
        return;
      case 'invent-stop':
        this.#inventStop(step);
        return;
      case 'cancel': {
        const order = pick(
          this.book.live.filter(({ state }) => state === 'placed'),
          step.order,
        );
        if (order === undefined) return;
        this.#tell(`a person cancels ${order.number}`);
        this.book.cancel(order);
        return;
      }
      case 'settle': {
        const order = pick(
          this.book.live.filter(({ state }) => state === 'settling'),
          step.order,
        );
        if (order === undefined) return;
        const proposedWh = order.proposal?.energyWh ?? 0;
        const energyWh = { proposal: proposedWh, nothing: 0, more: proposedWh * 2 + 1_000 }[step.by];
        this.#tell(`a person settles ${order.number} by ${step.by}: ${energyWh} Wh`);
        this.book.settleByHand(order, { energyWh, endedAt: order.proposal?.endedAt ?? this.book.now });
        return;
      }
      case 'lose': {
        const station = pick(this.book.stations, step.station);
        if (station?.isOnline !== true) return;
        this.#tell(`station ${station.number} is lost`);
        this.book.setOnline(station, false);
        return;
      }
      case 'find': {
        const station = pick(this.book.stations, step.station);
        if (station?.isOnline === false) this.#find(station);
        return;
      }
      case 'free': {
        const port = pick(this.ports, step.port);
        if (port === undefined) return;
        this.#tell(`${placeOf(port)} says that it is free`);
        this.book.setPort(port.station, port.number, 'free');
        return;
      }
      case 'recharge': {
        const payer = this.#payer(step.payer);
        this.#tell(`${payerWallet(payer).owner} recharges ${step.yuan} yuan`);
        this.book.recharge(payerWallet(payer), fen(step.yuan * 100));
        return;
      }
      case 'block': {
        const card = pick(this.book.cards, step.card);
        if (card === undefined) return;
        this.#tell(`${card.number} is reported lost`);
        card.state = 'lost';
        return;
      }
      case 'pass':
        this.#tell(`${step.minutes} minutes pass`);
        this.book.pass(step.minutes * minuteMs);
    }
  }

  /** Every station comes back, every vehicle leaves, and weeks pass. */
  end(): void {
    for (const station of this.book.stations) if (!station.isOnline) this.#find(station);
    for (const charge of this.charges)
      if (charge.endedAt === null && charge.startedAt !== null) this.#halt(charge, 'right');
    for (let day = 0; day < 12; day += 1) this.book.pass(day < 8 ? hourMs : 5 * dayMs);
  }

  #swipe(step: Extract<Step, { do: 'swipe' }>): void {
    const port = pick(this.ports, step.port);
    const card = pick(this.book.cards, step.card);
    if (port === undefined || card === undefined || port.charge !== null) return;
    const { station } = port;
    if (!station.namesCharges) {
      const charge = this.#charge(port, { powerShare: step.power, card: card.number, name: null });
      this.#begin(charge, true);
      return;
    }
    if (!station.isOnline) {
      if (!station.offlineCards.has(card.number)) return;
      const name = `${station.number}-offline-${this.charges.length}`;
      const charge = this.#charge(port, { powerShare: step.power, card: card.number, name });
      this.#begin(charge, true);
      return;
    }
    const parallelKey = step.together ? `${station.number}-${card.number}` : null;
    const ask = () => this.book.request(station, port.number, { cardNumber: card.number, parallelKey });
    const { authorization, name } = ask();
    const before = this.#digest();
    if (name !== null && (ask().name !== name || this.#digest() !== before))
      throw new Error(`${name} is not named again`);
    this.#tell(
      `${card.number} asks to charge at ${placeOf(port)}${step.together ? ' together' : ''}: ${authorization}`,
    );
    if (name === null || this.charges.some((charge) => charge.name === name)) return;
    this.#charge(port, { powerShare: step.power, card: card.number, name });
  }

  #call(step: Extract<Step, { do: 'call' }>): void {
    const port = pick(this.ports, step.port);
    if (port === undefined || port.charge !== null) return;
    const payer = this.#payer(step.payer);
    const order = this.book.call(port.station, port.number, payer);
    this.#tell(`${payerWallet(payer).owner} calls for a charge at ${placeOf(port)}: ${order?.number ?? 'refused'}`);
    if (order === null) return;
    this.#charge(port, {
      powerShare: step.power,
      // A station shows the card that pays, or the number that stands for the order.
      card: payer.kind === 'customer' && port.station.namesCharges ? null : order.cardNumber,
      name: order.transactionKey,
    });
  }

  #charge(port: Port, of: { powerShare: number; card: string | null; name: string | null }): RealCharge {
    const charge: RealCharge = {
      station: port.station,
      clockMs: this.#clocks.get(port.station) ?? null,
      port: port.number,
      powerW: Math.round((port.station.ratedPowerW * of.powerShare) / 10),
      capWh: 20_000 + of.powerShare * 6_000,
      startedAt: null,
      endedAt: null,
      registerStartWh: 0,
      leaptWh: 0,
      card: of.card,
      name: of.name,
      order: null,
      isHeard: false,
      inventedWh: null,
      isStartMissing: this.#temper === 'wild' && of.powerShare === 9 && of.name === null,
      isVague: false,
    };
    this.charges.push(charge);
    return charge;
  }

  /** Energy begins to flow, where the gun port is free. */
  #begin(charge: RealCharge, isHeard: boolean): void {
    const port = this.#portOf(charge);
    if (port.charge !== null) return;
    // No two charges begin in the same second.
    this.book.pass(secondMs);
    port.charge = charge;
    charge.startedAt = this.book.now;
    charge.registerStartWh = charge.station.namesCharges ? 0 : port.registerWh;
    this.#tell(`${nameOf(charge)} begins at ${placeOf(port)}${isHeard ? '' : ' unheard'}`);
    if (!charge.station.namesCharges) this.#send(charge.station, () => this.#sayStart(charge));
    else if (isHeard && charge.station.isOnline) this.#send(charge.station, () => this.#sayLive(charge));
  }

  #sayStart(charge: RealCharge): void {
    const { order } = this.book.start(charge.station, startedOf(charge));
    this.#own(charge, order);
  }

  #sayLive(charge: RealCharge): void {
    charge.isHeard = true;
    const { cardNumber: _card, at: _at, ...live } = startedOf(charge);
    const { order } = this.book.start(charge.station, live);
    this.#own(charge, order);
  }

  #own(charge: RealCharge, order: BookOrder | null): void {
    if (order === null) return;
    const known = this.ordersByCharge.get(charge);
    if (known !== undefined && known !== order && known.state !== 'cancelled') {
      throw new Error(`${nameOf(charge)} has two orders, ${known.number} and ${order.number}`);
    }
    this.ordersByCharge.set(charge, order);
    charge.order = order;
  }

  #read(step: Extract<Step, { do: 'read' }>): void {
    const charge = pick(this.charges.filter(isRunning), step.charge);
    if (charge === undefined) return;
    this.book.pass(step.minutes * minuteMs);
    const { station } = charge;
    if (station.namesCharges && !station.isOnline) return;
    if (station.namesCharges && !charge.isHeard) this.#send(station, () => this.#sayLive(charge));
    const at = step.says === 'late' ? instant(this.book.now - hourMs) : this.book.now;
    const rightWh = registerAt(charge, at);
    charge.isVague ||= (charge.isStartMissing || charge.leaptWh > 0) && step.says === 'fallen';
    if (step.says === 'leapt') this.#leap(charge);
    const leaptWh = registerAt(charge, this.book.now);
    const energyWh = {
      right: rightWh,
      late: charge.registerStartWh + deliveredWh(charge, at),
      wild: rightWh + 900_000_000,
      fallen: Math.floor(rightWh / 3),
      leapt: leaptWh,
    }[step.says];
    this.#tell(`${nameOf(charge)} is read ${step.says} after ${step.minutes} minutes: ${energyWh} Wh`);
    this.#sendReading(charge, step.says === 'leapt' ? this.book.now : at, energyWh);
  }

  #sendReading(charge: RealCharge, at: Instant, energyWh: number): void {
    const { station } = charge;
    this.#send(station, () =>
      this.book.read(station, {
        connectorNumber: charge.port,
        transaction: charge.name ?? charge.order?.transactionNumber ?? null,
        at: station.namesCharges ? at : (stationTime(charge, at) ?? at),
        energyWh,
      }),
    );
  }

  /** Its register rises by more than any cable carries, just after a correct reading. */
  #leap(charge: RealCharge): void {
    const { station } = charge;
    // A record counts by itself, and without a clock nobody knows how fast the meter rose.
    if (station.namesCharges || charge.clockMs === null) return;
    this.book.pass(secondMs);
    this.#sendReading(charge, this.book.now, registerAt(charge, this.book.now));
    this.book.pass(20 * secondMs);
    charge.leaptWh += Math.ceil(station.ratedPowerW / 2) + 5_000;
  }

  #stop(step: Extract<Step, { do: 'stop' }>): void {
    const charge = pick(this.charges.filter(isRunning), step.charge);
    if (charge === undefined) return;
    this.book.pass(step.minutes * minuteMs);
    this.#halt(charge, step.says);
  }

  /** The vehicle leaves, and its station reports it in its way. */
  #halt(charge: RealCharge, says: (typeof stopReports)[number]): void {
    const port = this.#portOf(charge);
    const { station } = charge;
    if (says === 'leapt') this.#leap(charge);
    charge.endedAt = this.book.now;
    port.registerWh += deliveredWh(charge, charge.endedAt);
    port.charge = null;
    this.#tell(`${nameOf(charge)} stops, told ${says}: ${deliveredWh(charge, charge.endedAt)} Wh`);
    if (says !== 'never') {
      // Such a stop may be taken for that of another charge at the station.
      if (says === 'no number') for (const one of this.charges) one.isVague ||= one.station === station;
      const stop = stoppedOf(charge, says);
      this.#send(station, () => {
        const number = says === 'no number' ? 0 : (charge.order?.transactionNumber ?? 0);
        if (charge.name === null) this.book.stop(station, { ...stop, transaction: number });
        else if (says === 'no number') this.book.stop(station, { ...stop, transaction: '0'.repeat(32) });
        else this.#sayRecord(charge, { ...stop, transaction: charge.name });
      });
    }
    if (station.isOnline) this.book.setPort(station, port.number, 'free');
  }

  #sayRecord(charge: RealCharge, stop: ChargeStopped): void {
    // The start is repeated, since the record may be all that ever arrives.
    if (stop.failedToStart !== true) this.book.start(charge.station, startedOf(charge));
    this.book.stop(charge.station, stop);
    const order = this.book.orders.findLast(
      ({ station, transactionKey, state }) =>
        station === charge.station && transactionKey === charge.name && state !== 'cancelled',
    );
    this.#own(charge, order ?? null);
  }

  #invent(step: Extract<Step, { do: 'invent' }>): void {
    const ports = this.ports.filter(({ station }) => station.namesCharges);
    const port = pick(ports, step.port);
    const card = pick(this.book.cards, step.card);
    if (port === undefined || card === undefined) return;
    const charge = this.#charge(port, { powerShare: 1, card: card.number, name: `invented-${this.charges.length}` });
    charge.inventedWh = step.kwh * 1_000;
    charge.clockMs = 0;
    charge.startedAt = instant(this.book.now - (step.minutesAgo + step.minutes) * minuteMs);
    charge.endedAt = instant(this.book.now - step.minutesAgo * minuteMs);
    const totalWh = (step.totalKwh ?? step.kwh) * 1_000;
    this.#tell(
      `station ${port.station.number} invents a record of ${card.number}: ${step.kwh} kWh, ${totalWh} Wh in all, in ${step.minutes} minutes, ${step.minutesAgo} minutes ago`,
    );
    const stop: ChargeStopped = {
      ...stoppedOf(charge, 'right'),
      transaction: charge.name ?? 0,
      meterStopWh: registerOf(totalWh),
      bill: billOf(step.kwh * 1_000),
    };
    const startedAt = charge.startedAt;
    const running = this.book.live.filter(
      (order) => order.state === 'charging' && (order.startedAt ?? startedAt) >= startedAt,
    );
    this.#send(port.station, () => this.#sayRecord(charge, stop));
    if (running.some(({ state }) => state !== 'charging')) throw new Error('a record of what is over ends what runs');
  }

  #inventStop(step: Extract<Step, { do: 'invent-stop' }>): void {
    const port = pick(
      this.ports.filter(({ station }) => !station.namesCharges),
      step.port,
    );
    const card = step.card === null ? undefined : pick(this.book.cards, step.card);
    if (port === undefined) return;
    const { station } = port;
    const at = this.book.now;
    this.#tell(`station ${station.number} tells a stop of nobody at ${step.registerKwh} kWh`);
    const stop: ChargeStopped = {
      kind: 'charge-stopped',
      transaction: 900_000 + step.registerKwh,
      ...(card !== undefined && { cardNumber: card.number }),
      meterStopWh: registerOf(step.registerKwh * 1_000),
      at,
      stationTime: toIso(at),
      reason: 'local',
      readings: [],
    };
    this.#send(station, () => this.book.stop(station, stop));
  }

  #find(station: BookStation): void {
    this.#tell(`station ${station.number} is back`);
    this.book.setOnline(station, true);
    const queue = this.#queues.get(station) ?? [];
    this.#queues.set(station, []);
    for (const message of queue) this.#say(message);
    for (const { number } of station.ports) {
      const isBusy = this.ports.some(
        (port) => port.station === station && port.number === number && port.charge !== null,
      );
      this.book.setPort(station, number, isBusy ? 'charging' : 'free');
    }
  }

  /** Sent at once, or when the station is back. */
  #send(station: BookStation, say: () => void): void {
    const message: Message = { station, say, wasSaid: false };
    this.messages.push(message);
    if (station.isOnline) this.#say(message);
    else this.#queues.get(station)?.push(message);
  }

  #say(message: Message): void {
    message.wasSaid = true;
    message.say();
    this.#sayAgain(message);
  }

  /** A repeated message changes nothing. */
  #sayAgain(message: Message): void {
    const before = this.#digest();
    message.say();
    const after = this.#digest();
    if (before !== after) throw new Error(`a repeated message changed something:\n${before}\n${after}`);
  }

  #digest(): string {
    const orders = this.book.orders.map((order) =>
      [
        order.number,
        order.state,
        order.waitsFor,
        order.heldFen,
        order.paidFen,
        order.shortfallFen,
        order.energyWh,
        order.startedAt,
        order.endedAt,
        order.cardId,
        order.readings.length,
        // The person who settled by hand knew the reports, so a repeated flag is not held against the books.
        order.pricedBy === 'hand' ? '' : order.flags.length,
      ].join(),
    );
    return orders.join(' ');
  }

  /** The fault of the books; null when there is none. */
  fault(): string | null {
    return this.#walletFault() ?? firstOf(this.book.orders, (order) => this.#orderFault(order));
  }

  #walletFault(): string | null {
    const payers: BookPayer[] = [
      ...this.book.cards.map((card) => ({ kind: 'card' as const, card })),
      ...this.book.customers.map((customer) => ({ kind: 'customer' as const, customer })),
    ];
    return firstOf(payers, (payer) => {
      const wallet = payerWallet(payer);
      const orders = this.book.orders.filter((order) => this.book.walletOf(order) === wallet);
      const sum = (of: (order: BookOrder) => number) => orders.reduce((total, order) => total + of(order), 0);
      const heldFen = sum((order) => order.heldFen);
      if (wallet.freeFen < 0) return `${wallet.owner} has ${wallet.freeFen} fen`;
      if (wallet.freeFen + heldFen + sum((order) => order.paidFen) !== wallet.rechargedFen) {
        return `money of ${wallet.owner} was made or lost`;
      }
      if (wallet.debtFen !== sum((order) => order.shortfallFen)) return `debt of ${wallet.owner} was made or lost`;
      const promisedFen = sum((order) =>
        isUnderWay(order.state) && order.station.isOnline
          ? Math.max(order.heldFen, order.reportedFen ?? 0)
          : order.heldFen,
      );
      if (promisedFen > wallet.freeFen + heldFen) {
        return `${wallet.owner} was promised ${promisedFen} fen of ${wallet.freeFen + heldFen}`;
      }
      return null;
    });
  }

  #orderFault(order: BookOrder): string | null {
    const { state, waitsFor } = order;
    const isSecond = (other: BookOrder) =>
      other !== order && other.state === 'charging' && other.connectorId === order.connectorId;
    if (state === 'charging' && this.book.live.some(isSecond))
      return `${order.number} is not the only one at its gun port`;
    const before = this.#states.get(order);
    if (before !== state) {
      this.#states.set(order, state);
      if (before !== undefined && !statesAfter[before].includes(state))
        return `${order.number} went from ${before} to ${state}`;
    }
    if (order.heldFen < 0) return `${order.number} holds ${order.heldFen} fen`;
    if (state === 'completed' || state === 'cancelled') {
      if (order.heldFen !== 0) return `${order.number} is ${state} and holds ${order.heldFen} fen`;
      if (order.settledAt === null || waitsFor !== null) return `${order.number} is ${state} and waits`;
    }
    if ((state === 'settling') !== (waitsFor !== null)) return `${order.number} is ${state} and waits for ${waitsFor}`;
    if (waitsFor === 'person') {
      if (order.flags.length === 0) return `${order.number} waits for a person who is told nothing`;
      if (order.proposal === null && !order.isParked) return `${order.number} waits for a person without a proposal`;
      const proposedWh = order.proposal?.energyWh ?? 0;
      if (!Number.isInteger(proposedWh) || proposedWh < 0) return `${order.number} is proposed at ${proposedWh} Wh`;
    }
    if (order.paidFen + order.shortfallFen !== order.amountFen) return `${order.number} is paid in part twice`;
    if (state !== 'completed' || order.pricedBy !== 'station') return null;
    return this.#billFault(order);
  }

  /** Of a bill that no person has looked at. */
  #billFault(order: BookOrder): string | null {
    const { energyWh, station, startedAt, endedAt, settledAt, placedAt } = order;
    if (amountOf(energyWh) !== order.amountFen) return `${order.number} is billed at another price`;
    if (startedAt === null || endedAt === null || settledAt === null)
      return `${order.number} is billed without its time`;
    const { powerFactor, stepWh } = plausibilityLimits;
    const reachWh = (ms: number) => (station.ratedPowerW * powerFactor * ms) / hourMs + stepWh;
    if (energyWh > reachWh(endedAt - Math.min(startedAt, placedAt)))
      return `${order.number} is billed beyond its reach`;
    const charges = [...this.ordersByCharge].filter(([, one]) => one === order).map(([charge]) => charge);
    return firstOf(charges, (charge) => {
      if (charge.inventedWh !== null) return this.#inventionFault(charge, order);
      if (charge.isVague) return null;
      const trueWh = deliveredWh(charge, charge.endedAt ?? this.book.now);
      return energyWh > trueWh ? `${order.number} is billed at ${energyWh} Wh of ${trueWh}` : null;
    });
  }

  #inventionFault({ card: number, inventedWh }: RealCharge, order: BookOrder): string | null {
    if (order.energyWh > (inventedWh ?? 0)) return `${order.number} is billed at a total that nothing bears out`;
    const card = this.book.cards.find((one) => one.number === number);
    const isBelieved = card?.operator === order.station.operator || order.station.offlineCards.has(number ?? '');
    if (order.paidFen > 0 && !isBelieved) return `${order.number}, which nobody asked for, is paid by ${number}`;
    if (order.shortfallFen > 0 && order.cardId !== null) return `${order.number}, which nobody asked for, makes a debt`;
    return null;
  }

  /** What is still open when everything has been sent and weeks have passed. */
  openFault(): string | null {
    return firstOf(this.book.orders, (order) => {
      if (order.state === 'settling' && order.waitsFor === 'person') {
        return order.heldFen === 0 ? null : `${order.number} holds ${order.heldFen} fen for weeks`;
      }
      return order.state === 'completed' || order.state === 'cancelled'
        ? null
        : `${order.number} is ${order.state} for weeks`;
    });
  }

  /** For honest stations: deliveries are billed to the watt-hour, without a person. */
  honestFault(): string | null {
    return firstOf(this.charges, (charge) => {
      const { startedAt, endedAt } = charge;
      if (startedAt === null || endedAt === null) return null;
      const order = this.ordersByCharge.get(charge);
      const wh = deliveredWh(charge, endedAt);
      if (order === undefined) return wh === 0 ? null : `${nameOf(charge)} delivered ${wh} Wh and has no order`;
      if (order.state === 'cancelled') return wh === 0 ? null : `${order.number} delivered ${wh} Wh and was cancelled`;
      if (order.state !== 'completed')
        return `${order.number} waits for a ${order.waitsFor}: ${order.flags.map(({ rule }) => rule)}`;
      return order.energyWh === wh ? null : `${order.number} is billed at ${order.energyWh} Wh of ${wh}`;
    });
  }

  /** The state of the orders, so that a test can check that its stories reach their subject. */
  tally(): Record<string, number> {
    const counts: Record<string, number> = {};
    const count = (key: string) => {
      counts[key] = (counts[key] ?? 0) + 1;
    };
    for (const { state, waitsFor, pricedBy, flags } of this.book.orders) {
      count([state, waitsFor, pricedBy].filter((part) => part !== null).join(' '));
      for (const { rule } of flags) count(rule);
    }
    return counts;
  }

  #portOf(charge: RealCharge): Port {
    const port = this.ports.find(({ station, number }) => station === charge.station && number === charge.port);
    if (port === undefined) throw new Error('a charge without a gun port');
    return port;
  }

  #payer(place: number): BookPayer {
    const payers: BookPayer[] = [
      ...this.book.cards.map((card) => ({ kind: 'card' as const, card })),
      ...this.book.customers.map((customer) => ({ kind: 'customer' as const, customer })),
    ];
    return pick(payers, place) as BookPayer;
  }

  #tell(sentence: string): void {
    if (this.#isTold) this.told.push(`${toIso(this.book.now).slice(5, 16)}  ${sentence}`);
  }
}

function startedOf(charge: RealCharge): ChargeStarted {
  const { card, name, startedAt, isStartMissing, registerStartWh } = charge;
  const at = stationTime(charge, startedAt ?? epoch);
  return {
    kind: 'charge-started',
    connectorNumber: charge.port,
    ...(card !== null && { cardNumber: card }),
    ...(name !== null && { transaction: name }),
    meterStartWh: registerOf(isStartMissing ? -1 : registerStartWh),
    ...(at !== undefined && { at }),
    stationTime: toIso(instant((startedAt ?? epoch) + secondMs)),
  };
}

function stoppedOf(charge: RealCharge, says: (typeof stopReports)[number]): ChargeStopped {
  const endedAt = charge.endedAt ?? epoch;
  const energyWh = deliveredWh(charge, endedAt);
  const rightWh = registerAt(charge, endedAt);
  const startedAt = stationTime(charge, charge.startedAt ?? epoch);
  const isTimeTold = says !== 'no time';
  const at = stationTime(charge, says === 'too early' ? instant((charge.startedAt ?? epoch) - hourMs) : endedAt);
  const told = new Map<string, number | undefined>([
    ['wild', rightWh + 900_000_000],
    ['minus one', -1],
    ['no register', undefined],
  ]);
  const meterStopWh = told.has(says) ? told.get(says) : rightWh;
  return {
    kind: 'charge-stopped',
    transaction: 0,
    ...(charge.card !== null && { cardNumber: charge.card }),
    ...(meterStopWh !== undefined && { meterStopWh: registerOf(meterStopWh) }),
    ...(says === 'failed' && energyWh === 0 && { failedToStart: true }),
    ...(charge.name !== null && { bill: billOf(energyWh + charge.leaptWh), connectorNumber: charge.port }),
    ...(isTimeTold && at !== undefined && { at }),
    ...(charge.name !== null && startedAt !== undefined && { startedAt }),
    stationTime: toIso(endedAt),
    reason: 'local',
    readings: [],
  };
}

/** A record of one period with consistent parts, at the book's price. */
function billOf(energyWh: number): StationBill {
  const energyTenthsWh = energyWh * 10;
  const amountE4 = amountOf(energyWh) * 100;
  return {
    periods: [{ period: 'flat', energyTenthsWh, priceE5: 120_000, amountE4 }],
    energyTenthsWh,
    amountE4,
    meterStartTenthsWh: 7_000_000,
    meterStopTenthsWh: 7_000_000 + energyTenthsWh,
  };
}

function deliveredWh({ startedAt, powerW, capWh }: RealCharge, at: Instant): number {
  if (startedAt === null) return 0;
  return Math.floor(Math.min(capWh, (powerW * Math.max(0, at - startedAt)) / hourMs));
}

/** The meter's figure at that moment, right or wrong. */
function registerAt(charge: RealCharge, at: Instant): number {
  return charge.registerStartWh + charge.leaptWh + deliveredWh(charge, at);
}

/** By the station's clock; undefined where that has no time. */
function stationTime({ clockMs }: RealCharge, at: Instant): Instant | undefined {
  return clockMs === null ? undefined : instant(at + clockMs);
}

function isRunning({ startedAt, endedAt }: RealCharge): boolean {
  return startedAt !== null && endedAt === null;
}

/** An order only moves forward; one whose start failed may be cancelled late, and an ended one stays as it is. */
const statesAfter: Readonly<Record<OrderState, readonly OrderState[]>> = {
  placed: ['charging', 'settling', 'completed', 'cancelled'],
  charging: ['settling', 'completed', 'cancelled'],
  settling: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

function payerWallet(payer: BookPayer): Wallet {
  return payer.kind === 'card' ? payer.card.wallet : payer.customer.wallet;
}

function nameOf(charge: RealCharge): string {
  return `the charge of ${charge.card ?? 'nobody'} at ${charge.station.number}/${charge.port}`;
}

function placeOf({ station, number }: Port): string {
  return `${station.number}/${number}`;
}

/** The element at a number, modulo the length; undefined for an empty list. */
function pick<Item>(items: readonly Item[], place: number): Item | undefined {
  return items[place % items.length];
}

function firstOf<Item>(items: Iterable<Item>, faultOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  return null;
}
