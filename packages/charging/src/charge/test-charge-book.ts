/**
 * Orders, wallets and stations in memory. It carries out the rules' decisions as the server does, at a plain price, so
 * that stories of any length can be played.
 */
import { wattHours } from '@voltdeck/units/energy';
import type { CardId, ConnectorId, CustomerId, OrderId } from '@voltdeck/units/id';
import { type Instant, instant, toIso } from '@voltdeck/units/instant';
import { type Fen, fen, minFen, zeroFen } from '@voltdeck/units/money';
import type { Authorization, CardState, ConnectorState, OrderState } from '../states.ts';
import type { StationBill } from '../station-bill.ts';
import type { ChargeStarted, ChargeStopped } from '../station-event.ts';
import { isNamed } from '../transaction.ts';
import { type Charge, type ChargeEnd, type Flag, hasPayer, isAwaitingStop } from './charge.ts';
import { decideAuthorization, firstHoldFen, moneyLimits, promisedFen } from './decide-authorization.ts';
import { type Beginning, decideBegin, isNamedStart, isNameOf } from './decide-begin.ts';
import { decideEnd } from './decide-end.ts';
import { decideRequest } from './decide-request.ts';
import {
  billingByHand,
  decideSettlement,
  mayBePaid,
  type Proposal,
  type ReadRegister,
  suspicionOf,
} from './decide-settlement.ts';
import { decideTime } from './decide-time.ts';

const priceFenPerKwh = 120;

export type Wallet = { owner: string; freeFen: Fen; debtFen: Fen; rechargedFen: Fen };
export type BookCard = {
  number: string;
  cardId: CardId;
  operator: string;
  state: CardState;
  wallet: Wallet;
};
export type BookCustomer = { customerId: CustomerId; wallet: Wallet };
export type BookPort = { number: number; connectorId: ConnectorId; state: ConnectorState; stateAt: Instant };
export type BookStation = {
  number: string;
  operator: string;
  /** It names its charges before they begin, keeps records of them and prices by itself. */
  namesCharges: boolean;
  ratedPowerW: number;
  isEnabled: boolean;
  isPriced: boolean;
  isOnline: boolean;
  onlineAt: Instant;
  offlineAt: Instant | null;
  ports: BookPort[];
  /** Its offline cards. */
  offlineCards: ReadonlySet<string>;
};

export type BookOrder = Charge & {
  station: BookStation;
  /** Recognises a repeated start or parked stop. */
  key: string | null;
  /** Recognises the stop that ended it when it is repeated. */
  stopKey: string | null;
  parallelKey: string | null;
  readings: ReadRegister[];
  proposal: Proposal | null;
  stopMissedAt: Instant | null;
  flags: Flag[];
  pricedBy: 'station' | 'hand' | null;
  paidFen: Fen;
  shortfallFen: Fen;
  meterStopWh: number | null;
  settledAt: Instant | null;
  /** The payer's balance that the station was sent; null where it was sent none. */
  reportedFen: Fen | null;
  isParked: boolean;
};

export type BookPayer = { kind: 'card'; card: BookCard } | { kind: 'customer'; customer: BookCustomer };

type Placing = Pick<
  BookOrder,
  'paymentType' | 'cardId' | 'customerId' | 'cardNumber' | 'transactionKey' | 'parallelKey'
> & { holdFen: Fen; reportedFen: Fen | null };

export class ChargeBook {
  readonly orders: BookOrder[] = [];
  readonly stations: readonly BookStation[];
  readonly cards: readonly BookCard[];
  readonly customers: readonly BookCustomer[];
  now: Instant;
  /** Of `orders`: those that time or a message can still change. */
  live: BookOrder[] = [];

  constructor(of: {
    now: Instant;
    stations: readonly BookStation[];
    cards: readonly BookCard[];
    customers: readonly BookCustomer[];
  }) {
    this.now = of.now;
    this.stations = of.stations;
    this.cards = of.cards;
    this.customers = of.customers;
  }

  walletOf(order: Pick<Charge, 'paymentType' | 'cardId' | 'customerId'>): Wallet | null {
    if (order.paymentType === 'card') return this.cards.find(({ cardId }) => cardId === order.cardId)?.wallet ?? null;
    return this.customers.find(({ customerId }) => customerId === order.customerId)?.wallet ?? null;
  }

  /** A card is shown at a station that names its charges. */
  request(
    station: BookStation,
    connectorNumber: number,
    asked: { cardNumber: string; parallelKey: string | null },
  ): { authorization: Authorization; name: string | null } {
    const port = portOf(station, connectorNumber);
    const { cardNumber, parallelKey } = asked;
    const onPort = this.#latest(({ connectorId, state }) => connectorId === port.connectorId && isUnderWay(state));
    const { card, authorization } = this.#authorize(cardNumber, {
      placedCount: onPort?.state !== 'placed',
      beside: parallelKey === null ? null : { station, parallelKey },
    });
    const other = this.#latest(
      (order) =>
        parallelKey !== null &&
        order.station === station &&
        order.parallelKey === parallelKey &&
        isUnderWay(order.state) &&
        order.connectorId !== port.connectorId,
    );
    const decision = decideRequest({
      station: { ...station, isFree: false },
      port: { isOpen: true, state: port.state },
      onPort,
      card: card === null ? null : { cardId: card.cardId, authorization, freeFen: card.wallet.freeFen },
      parallel: parallelKey === null ? null : { otherHeldFen: other?.heldFen ?? null },
      paidBefore: null,
    });
    switch (decision.kind) {
      case 'refuse':
        return { authorization: decision.authorization, name: null };
      case 'name-again':
        return { authorization: 'accepted', name: decision.charge.transactionKey };
      case 'place': {
        const order = this.#place(station, port, {
          paymentType: 'card',
          cardId: card?.cardId ?? null,
          customerId: null,
          cardNumber,
          transactionKey: this.#name(station),
          parallelKey,
          holdFen: decision.holdFen,
          reportedFen: decision.promisedFen,
        });
        return { authorization: 'accepted', name: order.transactionKey };
      }
    }
  }

  /** A person starts a charge remotely; null where it is refused. */
  call(station: BookStation, connectorNumber: number, payer: BookPayer): BookOrder | null {
    const port = portOf(station, connectorNumber);
    const isTaken = this.live.some(({ connectorId, state }) => connectorId === port.connectorId && isUnderWay(state));
    if (isTaken || !station.isOnline || !station.isEnabled || !station.isPriced) return null;
    const { wallet } = payer.kind === 'card' ? payer.card : payer.customer;
    const isAllowed =
      payer.kind === 'card'
        ? this.#authorize(payer.card.number, { placedCount: station.namesCharges, beside: null }).authorization ===
          'accepted'
        : wallet.freeFen >= moneyLimits.startBalanceMinFen;
    if (!isAllowed) return null;
    const holdFen = firstHoldFen(wallet.freeFen);
    const order = this.#place(station, port, {
      paymentType: payer.kind === 'card' ? 'card' : 'online',
      cardId: payer.kind === 'card' ? payer.card.cardId : null,
      customerId: payer.kind === 'card' ? null : payer.customer.customerId,
      cardNumber: payer.kind === 'card' ? payer.card.number : `VD${this.orders.length}`,
      transactionKey: station.namesCharges ? this.#name(station) : null,
      parallelKey: null,
      holdFen,
      reportedFen: station.namesCharges ? holdFen : null,
    });
    this.#retell(wallet);
    return order;
  }

  /** Energy begins to flow. Returns the number of the charge. */
  start(
    station: BookStation,
    event: ChargeStarted,
    { isRecord = false }: { isRecord?: boolean } = {},
  ): { order: BookOrder | null; authorization: Authorization } {
    const port = portOf(station, event.connectorNumber);
    const isNamedCharge = isNamedStart(event);
    const key = isNamedCharge
      ? null
      : `${station.number}|${event.connectorNumber}|${event.cardNumber}|${event.stationTime}|${event.meterStartWh}`;
    const named = (state: (state: OrderState) => boolean) =>
      this.#latest(
        (order) => order.station === station && order.transactionKey === event.transaction && state(order.state),
        this.orders,
      );
    const tokened = (state: OrderState) =>
      this.#latest(
        (order) => order.station === station && order.cardNumber === event.cardNumber && order.state === state,
        this.orders,
      );
    const isToken = event.cardNumber?.startsWith('VD') === true;
    const known = {
      same: isNamedCharge
        ? named((state) => state !== 'cancelled')
        : this.#latest((order) => order.key === key, this.orders),
      placed: isNamedCharge ? null : tokened('placed'),
      cancelled: isNamedCharge ? named((state) => state === 'cancelled') : isToken ? tokened('cancelled') : null,
      onPort: this.#latest(({ connectorId, state }) => connectorId === port.connectorId && state === 'charging'),
    };
    const { card, authorization } =
      event.cardNumber === undefined
        ? { card: null, authorization: isNamedCharge ? ('accepted' as const) : ('unknown' as const) }
        : this.#authorize(event.cardNumber, { placedCount: false, beside: null });
    const decision = decideBegin({
      ...known,
      event,
      receivedAt: this.now,
      station: { ...station, bootedAt: null },
      isPriced: station.isPriced,
      isFree: false,
      isPortRegistered: true,
      authorization,
      isRecord,
    });
    switch (decision.kind) {
      case 'refuse':
        return { order: null, authorization: decision.authorization };
      case 'known': {
        const order = known.same;
        if (order !== null && decision.startedAt !== null) order.startedAt = decision.startedAt;
        return { order, authorization: order?.startAuthorization ?? 'accepted' };
      }
      case 'begin': {
        const { beginning } = decision;
        if (beginning.former !== null && known.onPort !== null) this.#leave(known.onPort, event);
        const order =
          known.same ?? known.placed ?? this.#own(station, port, event, { beginning, card, heir: known.cancelled });
        this.#begin(order, port, { beginning, key });
        return { order, authorization: beginning.authorization };
      }
    }
  }

  /** A reading, stored with the order whose stop is still to come. */
  read(
    station: BookStation,
    told: { connectorNumber: number; transaction: number | string | null; at: Instant; energyWh: number | null },
  ): void {
    const { connectorNumber, transaction, at, energyWh } = told;
    const order = this.#latest(
      (one) =>
        one.station === station &&
        (transaction === null
          ? one.connectorNumber === connectorNumber && one.state === 'charging'
          : isAwaitingStop(one) && (one.transactionNumber === transaction || one.transactionKey === transaction)),
    );
    if (order === null || order.readings.some((reading) => reading.at === at)) return;
    order.readings.push({ at, energyWh, powerW: null });
    if (order.lastReadingAt !== null && at <= order.lastReadingAt) return;
    order.lastReadingAt = at;
    if (order.state === 'charging') this.#extendHold(order);
  }

  /** A charge is over. */
  stop(station: BookStation, event: ChargeStopped): void {
    const key = `stop|${station.number}|${event.transaction}|${event.stationTime}|${event.meterStopWh}`;
    let order = this.#meant(station, event, key);
    const decide = () =>
      decideEnd({
        event,
        receivedAt: this.now,
        charge: order,
        hasEnergy:
          order?.readings.some(({ energyWh }) => energyWh !== null && energyWh > (order?.meterStartWh ?? 0)) === true,
        authorization:
          event.cardNumber === undefined
            ? null
            : this.#authorize(event.cardNumber, { placedCount: false, beside: null }).authorization,
        isReplaced: false,
      });
    let decision = decide();
    if (decision.kind === 'begin-first') {
      const { at, stationTime, transaction, cardNumber, connectorNumber = 1 } = event;
      const started: ChargeStarted = {
        kind: 'charge-started',
        connectorNumber,
        transaction,
        stationTime,
        meterStartWh: wattHours(0),
        ...(cardNumber !== undefined && { cardNumber }),
        ...(at !== undefined && { at }),
      };
      order = this.start(station, started, { isRecord: true }).order;
      decision = decide();
    }
    switch (decision.kind) {
      case 'nothing':
        return;
      case 'begin-first':
        throw new Error(`the charge ${event.transaction} did not begin`);
      case 'park':
        this.#park(station, event, { key, flags: decision.flags });
        return;
      case 'repeated':
        if (order === null) return;
        order.hasStationBill ||= decision.keepsRecord;
        this.#flag(order, decision.flags);
        return;
      case 'cancel':
        if (order !== null) this.#cancel(order);
        return;
      case 'settle':
        if (order === null) return;
        if (decision.claimsPayer) this.#claim(order, event);
        if (decision.startedAt !== null) order.startedAt = decision.startedAt;
        order.stopKey = key;
        order.hasStationBill ||= event.bill !== undefined;
        this.#flag(order, decision.flags);
        this.#settle(order, {
          end: decision.end,
          bill: event.bill ?? null,
          suspicion: this.#suspicion(order, decision.end),
        });
    }
  }

  setPort(station: BookStation, connectorNumber: number, state: ConnectorState): void {
    const port = portOf(station, connectorNumber);
    if (port.state === state) return;
    port.state = state;
    port.stateAt = this.now;
  }

  setOnline(station: BookStation, isOnline: boolean): void {
    if (station.isOnline === isOnline) return;
    station.isOnline = isOnline;
    if (!isOnline) {
      station.offlineAt = this.now;
      return;
    }
    station.onlineAt = this.now;
    for (const order of this.live) if (order.station === station) this.#retell(this.walletOf(order));
  }

  cancel(order: BookOrder): void {
    if (order.state === 'placed') this.#cancel(order);
  }

  settleByHand(order: BookOrder, byHand: { energyWh: number; endedAt: Instant }): void {
    if (order.state !== 'settling' && order.state !== 'charging') return;
    const { endedAt, meterStartWh, meterStopWh } = billingByHand(order, byHand);
    order.endedAt = endedAt;
    this.#pay(order, { energyWh: meterStopWh - meterStartWh, pricedBy: 'hand' });
  }

  recharge(wallet: Wallet, amountFen: Fen): void {
    wallet.freeFen = fen(wallet.freeFen + amountFen);
    wallet.rechargedFen = fen(wallet.rechargedFen + amountFen);
    this.#retell(wallet);
  }

  /** Time passes, and the watch checks once every order that waits for something. */
  pass(ms: number): void {
    this.now = instant(this.now + ms);
    for (const order of [...this.live]) this.#watch(order);
  }

  #watch(order: BookOrder): void {
    const port = portOf(order.station, order.connectorNumber);
    const decision = decideTime({
      charge: order,
      now: this.now,
      station: order.station,
      port,
      isFlaggedLost: order.flags.some(({ rule }) => rule === 'station_lost'),
      stopMissedAt: order.stopMissedAt,
      isFollowed: this.orders.some(
        (later) => later.id > order.id && later.connectorId === order.connectorId && later.startedAt !== null,
      ),
    });
    switch (decision.kind) {
      case 'nothing':
        return;
      case 'cancel':
        this.#cancel(order);
        return;
      case 'await-stop':
        this.#awaitStop(order, decision.endedAt, decision.flag);
        return;
      case 'flag':
        this.#flag(order, [decision.flag]);
        return;
      case 'settle': {
        this.#flag(order, [decision.flag]);
        const end = { endedAt: order.endedAt ?? this.now, meterStopWh: null, reason: 'no_stop_received' } as const;
        this.#settle(order, { end, bill: null, suspicion: null });
        return;
      }
      case 'release-hold':
        this.#release(order);
    }
  }

  #authorize(
    cardNumber: string,
    of: { placedCount: boolean; beside: { station: BookStation; parallelKey: string } | null },
  ): { card: BookCard | null; authorization: Authorization } {
    const { placedCount, beside } = of;
    const card = this.cards.find(({ number }) => number === cardNumber) ?? null;
    if (card === null) return { card, authorization: decideAuthorization(null, this.now) };
    const isCharging = this.live.some(
      (order) =>
        order.cardNumber === cardNumber &&
        (order.state === 'charging' || (placedCount && order.state === 'placed')) &&
        !(beside !== null && order.station === beside.station && order.parallelKey === beside.parallelKey),
    );
    const { state, wallet } = card;
    const availableFen = wallet.freeFen;
    const known = { state, customerState: null, expiresAt: null, isCharging, availableFen, owesTooMuch: false };
    return { card, authorization: decideAuthorization(known, this.now) };
  }

  #place(station: BookStation, port: BookPort, placing: Placing): BookOrder {
    const { holdFen, reportedFen, ...payer } = placing;
    const order = this.#open(station, port, { ...payer, state: 'placed', wasPlaced: true, isPriced: true });
    this.#hold(order, holdFen);
    order.reportedFen = reportedFen;
    return order;
  }

  #open(station: BookStation, port: BookPort, over: Partial<BookOrder>): BookOrder {
    const id = (this.orders.length + 1) as OrderId;
    const order: BookOrder = {
      id,
      number: `N${id}`,
      state: 'charging',
      waitsFor: null,
      connectorId: port.connectorId,
      connectorNumber: port.number,
      transactionNumber: null,
      transactionKey: null,
      cardNumber: null,
      cardId: null,
      customerId: null,
      paymentType: 'card',
      startAuthorization: null,
      wasPlaced: false,
      isPriced: station.isPriced,
      placedAt: this.now,
      startedAt: null,
      begunAt: null,
      lastReadingAt: null,
      endedAt: null,
      meterStartWh: null,
      energyWh: 0,
      amountFen: zeroFen,
      heldFen: zeroFen,
      hasStationBill: false,
      station,
      key: null,
      stopKey: null,
      parallelKey: null,
      readings: [],
      proposal: null,
      flags: [],
      pricedBy: null,
      paidFen: zeroFen,
      shortfallFen: zeroFen,
      meterStopWh: null,
      settledAt: null,
      reportedFen: null,
      isParked: false,
      stopMissedAt: null,
      ...over,
    };
    this.orders.push(order);
    this.live.push(order);
    return order;
  }

  /** A charge that nobody placed: of the card that began it, or of the placer of the cancelled order. */
  #own(
    station: BookStation,
    port: BookPort,
    event: ChargeStarted,
    of: { beginning: Beginning; card: BookCard | null; heir: BookOrder | null },
  ): BookOrder {
    const { beginning, card } = of;
    const heir = beginning.heir === null ? null : of.heir;
    const isNamedCharge = isNamedStart(event);
    const order = this.#open(station, port, {
      transactionKey: isNamedCharge ? event.transaction : null,
      placedAt: beginning.startedAt,
      ...(heir === null
        ? { cardNumber: event.cardNumber ?? null, cardId: card?.cardId ?? null, wasPlaced: !isNamedCharge }
        : {
            paymentType: heir.paymentType,
            cardId: heir.cardId,
            customerId: heir.customerId,
            cardNumber: heir.cardNumber,
            wasPlaced: true,
            isPriced: heir.isPriced,
          }),
    });
    if (beginning.holds && heir === null && card !== null) this.#hold(order, firstHoldFen(card.wallet.freeFen));
    return order;
  }

  #begin(order: BookOrder, port: BookPort, { beginning, key }: { beginning: Beginning; key: string | null }): void {
    const { startedAt, meterStartWh, authorization, isOver, flags } = beginning;
    order.transactionNumber = order.id;
    order.key = key;
    order.startAuthorization = authorization;
    order.startedAt = startedAt;
    order.begunAt = this.now;
    order.meterStartWh = meterStartWh;
    order.connectorId = port.connectorId;
    order.connectorNumber = port.number;
    this.#flag(order, flags);
    if (isOver) {
      order.state = 'settling';
      order.waitsFor = 'stop';
      order.endedAt = startedAt;
    } else {
      order.state = 'charging';
      this.setPort(order.station, port.number, 'charging');
    }
    this.#retell(this.walletOf(order));
  }

  #leave(former: BookOrder, event: ChargeStarted): void {
    const evidence = { nextStartAt: toIso(event.at ?? this.now) };
    const endedAt = former.lastReadingAt ?? former.startedAt ?? this.now;
    this.#awaitStop(former, endedAt, { rule: 'no_stop_received', evidence });
  }

  #awaitStop(order: BookOrder, endedAt: Instant, flag: Flag): void {
    order.state = 'settling';
    order.waitsFor = 'stop';
    order.endedAt = endedAt;
    order.stopMissedAt = this.now;
    this.#flag(order, [flag]);
    this.#retell(this.walletOf(order));
  }

  /** Firmware that began offline invents 0 or a negative number, which means the one charge that fits. */
  #meant(station: BookStation, event: ChargeStopped, key: string): BookOrder | null {
    const { transaction, cardNumber, connectorNumber, meterStopWh = 0 } = event;
    const parked = this.#latest((order) => order.key === key || order.stopKey === key, this.orders);
    if (typeof transaction === 'number' && isNamed(transaction)) {
      const numbered = ({ station: at, transactionNumber }: BookOrder) =>
        at === station && transactionNumber === transaction;
      return this.#latest(numbered, this.orders) ?? parked;
    }
    if (isNameOf(transaction)) {
      return this.#latest(
        (order) => order.station === station && order.transactionKey === transaction && order.state !== 'cancelled',
        this.orders,
      );
    }
    if (parked !== null) return parked;
    const fits = (order: BookOrder) =>
      order.station === station &&
      (connectorNumber === undefined || order.connectorNumber === connectorNumber) &&
      (cardNumber === undefined || order.cardNumber === cardNumber) &&
      (order.meterStartWh ?? 0) <= meterStopWh;
    const hasBegun = ({ startedAt, placedAt }: BookOrder) =>
      event.at === undefined || (startedAt ?? placedAt) <= event.at;
    for (const isInTime of [true, false]) {
      for (const state of ['charging', 'settling'] as const) {
        const found = this.live.filter(
          (order) => order.state === state && isAwaitingStop(order) && fits(order) && hasBegun(order) === isInTime,
        );
        if (found.length === 1) return found[0] ?? null;
      }
    }
    return null;
  }

  #park(station: BookStation, event: ChargeStopped, of: { key: string; flags: readonly Flag[] }): void {
    const [port] = station.ports;
    if (port === undefined) throw new Error(`station ${station.number} has no gun port`);
    const card = this.cards.find(({ number }) => number === event.cardNumber) ?? null;
    const order = this.#open(station, port, {
      state: 'settling',
      waitsFor: 'person',
      key: of.key,
      cardNumber: event.cardNumber ?? null,
      cardId: card?.cardId ?? null,
      endedAt: event.at ?? this.now,
      meterStopWh: event.meterStopWh ?? null,
      isParked: true,
    });
    this.#flag(order, of.flags);
  }

  #claim(order: BookOrder, event: ChargeStopped): void {
    const card = this.cards.find(({ number }) => number === event.cardNumber);
    if (card === undefined) return;
    order.cardNumber = card.number;
    order.cardId = card.cardId;
    order.paymentType = 'card';
  }

  #suspicion(order: BookOrder, end: ChargeEnd): Flag | null {
    if (order.wasPlaced) return null;
    const from = order.startedAt ?? end.endedAt;
    const card = this.cards.find(({ cardId }) => cardId === order.cardId);
    const overlaps = this.#latest(
      (other) =>
        other !== order &&
        other.connectorId === order.connectorId &&
        other.state !== 'cancelled' &&
        other.startedAt !== null &&
        other.startedAt < end.endedAt &&
        (other.state === 'charging' || (other.endedAt !== null && other.endedAt > from)),
      this.orders,
    );
    return suspicionOf({
      charge: order,
      isOfflineCard: card !== undefined && order.station.offlineCards.has(card.number),
      isOwnCard: card?.operator === order.station.operator,
      overlaps,
    });
  }

  #settle(order: BookOrder, ended: { end: ChargeEnd; bill: StationBill | null; suspicion: Flag | null }): void {
    const { end, bill, suspicion } = ended;
    const readings = order.readings.toSorted((one, other) => one.at - other.at);
    const { ratedPowerW } = order.station;
    const decision = decideSettlement({
      charge: order,
      end,
      readings,
      bill,
      ratedPowerW,
      isPricedByPeak: false,
      suspicion,
      now: this.now,
    });
    this.#flag(order, decision.flags);
    if (decision.kind === 'wait') {
      this.#wait(order, decision);
      return;
    }
    const { billing } = decision;
    const energyWh = billing.meterStopWh - billing.meterStartWh;
    const waiting = {
      endedAt: billing.endedAt,
      meterStopWh: billing.meterStopWh,
      proposal: { energyWh, endedAt: billing.endedAt },
    };
    if (!order.isPriced) {
      this.#flag(order, [{ rule: 'price_missing', evidence: {} }]);
      this.#wait(order, waiting);
      return;
    }
    const amountFen = amountOf(energyWh);
    const availableFen = this.walletOf(order)?.freeFen ?? zeroFen;
    if (hasPayer(order) && !mayBePaid(order, { amountFen, availableFen })) {
      this.#flag(order, [{ rule: 'record_unasked', evidence: { because: 'above_balance', amountFen } }]);
      this.#wait(order, waiting);
      return;
    }
    order.meterStartWh ??= billing.meterStartWh;
    order.startedAt ??= billing.startedAt;
    order.endedAt = billing.endedAt;
    order.meterStopWh = billing.meterStopWh;
    this.#pay(order, { energyWh, pricedBy: 'station' });
  }

  #wait(order: BookOrder, of: { endedAt: Instant; meterStopWh: number | null; proposal: Proposal }): void {
    order.state = 'settling';
    order.waitsFor = 'person';
    order.endedAt = of.endedAt;
    order.meterStopWh = of.meterStopWh;
    order.proposal = of.proposal;
    // Nobody asked for the charge, so it holds none of its card's money.
    if (order.flags.some(({ rule }) => rule === 'record_unasked')) this.#release(order);
    this.#retell(this.walletOf(order));
  }

  #pay(order: BookOrder, { energyWh, pricedBy }: { energyWh: number; pricedBy: 'station' | 'hand' }): void {
    const wallet = this.walletOf(order);
    const amountFen = amountOf(energyWh);
    order.energyWh = energyWh;
    order.amountFen = amountFen;
    order.pricedBy = pricedBy;
    order.paidFen = wallet === null ? zeroFen : minFen(amountFen, fen(order.heldFen + wallet.freeFen));
    order.shortfallFen = fen(amountFen - order.paidFen);
    if (wallet !== null) {
      wallet.freeFen = fen(wallet.freeFen + order.heldFen - order.paidFen);
      wallet.debtFen = fen(wallet.debtFen + order.shortfallFen);
    }
    order.heldFen = zeroFen;
    if (order.shortfallFen > 0) this.#flag(order, [{ rule: 'amount_above_prepaid', evidence: { amountFen } }]);
    this.#close(order, 'completed');
  }

  #cancel(order: BookOrder): void {
    order.key = null;
    order.endedAt = this.now;
    this.#release(order);
    this.#close(order, 'cancelled');
  }

  #close(order: BookOrder, state: 'completed' | 'cancelled'): void {
    order.state = state;
    order.waitsFor = null;
    order.settledAt = this.now;
    this.live = this.live.filter((one) => one !== order);
    this.#retell(this.walletOf(order));
  }

  #hold(order: BookOrder, amountFen: Fen): void {
    const wallet = this.walletOf(order);
    if (wallet === null) return;
    wallet.freeFen = fen(wallet.freeFen - amountFen);
    order.heldFen = fen(order.heldFen + amountFen);
    this.#retell(wallet);
  }

  #release(order: BookOrder): void {
    const wallet = this.walletOf(order);
    if (wallet === null) return;
    wallet.freeFen = fen(wallet.freeFen + order.heldFen);
    order.heldFen = zeroFen;
    this.#retell(wallet);
  }

  /** Extends the hold of a charge that has nearly used it up, while there is money. */
  #extendHold(order: BookOrder): void {
    const wallet = this.walletOf(order);
    const highestWh = Math.max(...order.readings.map(({ energyWh }) => energyWh ?? 0));
    if (wallet === null || amountOf(Math.max(0, highestWh - (order.meterStartWh ?? 0))) * 2 < order.heldFen) return;
    const addedFen = minFen(moneyLimits.holdStepFen, wallet.freeFen);
    if (addedFen > 0) this.#hold(order, addedFen);
  }

  /** Stations that track the payer's balance are sent the new one at once, where they can be reached. */
  #retell(wallet: Wallet | null): void {
    if (wallet === null) return;
    const sharing = this.live.filter((order) => isUnderWay(order.state) && this.walletOf(order) === wallet);
    for (const order of sharing) {
      if (order.reportedFen === null || !order.station.isOnline) continue;
      const sharers = Math.max(sharing.length, order.parallelKey === null ? 1 : 2);
      order.reportedFen = promisedFen({ heldFen: order.heldFen, freeFen: wallet.freeFen, sharers });
    }
  }

  /** A rule flags an order once: the first evidence is kept. */
  #flag(order: BookOrder, flags: readonly Flag[]): void {
    for (const flag of flags) if (!order.flags.some(({ rule }) => rule === flag.rule)) order.flags.push(flag);
  }

  #name(station: BookStation): string {
    return `${station.number}-${String(this.orders.length).padStart(6, '0')}`;
  }

  #latest(fits: (order: BookOrder) => boolean, among: readonly BookOrder[] = this.live): BookOrder | null {
    return among.findLast(fits) ?? null;
  }
}

function portOf(station: BookStation, connectorNumber: number): BookPort {
  const port = station.ports.find(({ number }) => number === connectorNumber);
  if (port === undefined) throw new Error(`station ${station.number} has no gun port ${connectorNumber}`);
  return port;
}

/** It waits to begin or runs, so it shares its payer's money. */
export function isUnderWay(state: OrderState): boolean {
  return state === 'placed' || state === 'charging';
}

export function amountOf(energyWh: number): Fen {
  return fen(Math.round((energyWh * priceFenPerKwh) / 1_000));
}

/** A readable register, for figures that a story invents. */
export function registerOf(energyWh: number) {
  return wattHours(Math.round(energyWh));
}
