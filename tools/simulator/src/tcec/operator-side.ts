import type { PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { PartnerPort } from '@voltdeck/charging/partner-site';
import type { ConnectorState, StopReason } from '@voltdeck/charging/states';
import { failReasonCode, stageCode } from '@voltdeck/tcec102/code-tables';
import {
  isValidSeq,
  notifyRetryDelayMs,
  orderRetryDelayMs,
  pageOf,
  startChargeSeqChars,
  statsSpan,
} from '@voltdeck/tcec102/conversation';
import { retCodes } from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import {
  chargeOrderInfoOf,
  chargeStatusOf,
  connectorStatusInfoOf,
  policyInfosOf,
  stationInfoOf,
  stationStatsOf,
  stationStatusInfoOf,
} from '@voltdeck/tcec102/translate';
import { milliamperes, millivolts, wattHours } from '@voltdeck/units/energy';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import type { Clock } from '../clock.ts';
import { TimerGroup } from '../clock.ts';
import type { BenchSettings } from './bench-settings.ts';
import type { BenchCaller, Reply } from './caller.ts';
import type { Answers } from './entrance.ts';
import { billOf, chargeAfter, type InventedCharge, msUntilFull, socAfter } from './invented-charge.ts';
import { inventedPrices, inventSites } from './invented-sites.ts';

/** How long an invented station takes to begin, and to end, a charge. */
const actingMs = 1_000;
const voltageMv = 400_000;
/** Starts that a bench answers, and notifications that it remembers: a joint test has some ten, and some hundred. */
const startsMax = 1_000;
const toldMax = 10_000;

/** What was told of a charge, and what the tested server answered. */
export type Told = { name: InterfaceName; sequence: string; reply: Reply<InterfaceName> };

/** An operator of stations that do not exist: answers, charges, and tells what happens. */
export class OperatorSide {
  readonly sites: ReturnType<typeof inventSites>;
  readonly charges = new Map<string, InventedCharge>();
  readonly told: Told[] = [];
  readonly #settings: BenchSettings;
  readonly #caller: BenchCaller;
  readonly #clock: Clock;
  readonly #timers: TimerGroup;
  /** The first answer to each StartChargeSeq. */
  readonly #answered = new Map<string, PartnerRefusal | null>();
  readonly #bornAt: Instant;

  constructor(settings: BenchSettings, caller: BenchCaller, clock: Clock) {
    this.#settings = settings;
    this.#caller = caller;
    this.#clock = clock;
    this.#timers = new TimerGroup(clock);
    this.sites = inventSites(settings);
    this.#bornAt = this.#now();
  }

  readonly answers: Answers = {
    query_stations_info: (asked) => this.#tellStations(asked),
    query_station_status: ({ StationIDs }) => {
      const sites = this.sites.filter(({ id }) => StationIDs.includes(id));
      return {
        Total: sites.length,
        StationStatusInfos: sites.map((site) =>
          stationStatusInfoOf(
            site.id,
            site.stations.flatMap(({ ports }) => ports).map((port) => this.portState(port.id)),
          ),
        ),
      };
    },
    query_station_stats: (asked) => this.#tellStatistics(asked),
    query_equip_auth: ({ EquipAuthSeq, ConnectorID }) => ({
      EquipAuthSeq,
      ConnectorID,
      ...outcome('auth', this.#refusalAt(ConnectorID)),
    }),
    query_equip_business_policy: ({ EquipBizSeq, ConnectorID }) => {
      const refusal = this.#portOf(ConnectorID) === null ? 'port_unknown' : null;
      const infos = policyInfosOf(inventedPrices);
      const PolicyInfos = refusal === null && infos.ok ? infos.value : [];
      return {
        EquipBizSeq,
        ConnectorID,
        ...outcome('policy', refusal),
        SumPeriod: PolicyInfos.length,
        PolicyInfos,
      };
    },
    query_start_charge: (asked) => this.#start(asked),
    query_equip_charge_status: ({ StartChargeSeq }) => {
      const charge = this.charges.get(StartChargeSeq);
      if (charge === undefined) return { refusal: retCodes.business, msg: 'StartChargeSeq' };
      return this.#statusOf(charge);
    },
    query_stop_charge: ({ StartChargeSeq, ConnectorID }) => {
      const charge = this.charges.get(StartChargeSeq);
      const refusal =
        charge === undefined || charge.portId !== ConnectorID
          ? 'port_unknown'
          : charge.stage === 'ended'
            ? 'already_stopped'
            : null;
      if (charge !== undefined && refusal === null) this.#stopSoon(charge, 'remote');
      return {
        StartChargeSeq,
        StartChargeSeqStat: stageCode(refusal === 'port_unknown' ? 'unknown' : (charge?.stage ?? 'unknown')),
        ...outcome('stop', refusal),
      };
    },
  };

  close(): void {
    this.#timers.cancelAll();
  }

  portState(portId: string) {
    const charge = [...this.charges.values()].find((each) => each.portId === portId && each.stage !== 'ended');
    const state: ConnectorState = charge === undefined ? 'plugged_in' : 'charging';
    return { portId, state, bay: null, lock: null };
  }

  get ports(): readonly PartnerPort[] {
    return this.sites.flatMap(({ stations }) => stations).flatMap(({ ports }) => ports);
  }

  /** The bill of a charge as it is told. */
  orderOf(charge: InventedCharge): Message<'notification_charge_order_info', 'request'> {
    return chargeOrderInfoOf(billOf(charge, charge.endedAt ?? this.#now(), inventedPrices), this.#settings.profile);
  }

  #now(): Instant {
    return instant(this.#clock.now());
  }

  #portOf(id: string): PartnerPort | null {
    return this.ports.find((port) => port.id === id) ?? null;
  }

  #refusalAt(portId: string): PartnerRefusal | null {
    if (this.#portOf(portId) === null) return 'port_unknown';
    return this.portState(portId).state === 'charging' ? 'port_occupied' : null;
  }

  #tellStations(asked: Message<'query_stations_info', 'request'>): Message<'query_stations_info', 'answer'> {
    // Nothing of the invented sites ever changes.
    const sites = (asked.LastQueryTime ?? 0) > this.#bornAt ? [] : this.sites;
    const page = pageOf(asked, sites.length);
    return {
      PageNo: page.pageNo,
      PageCount: page.pageCount,
      ItemSize: sites.length,
      StationInfos: sites
        .slice(page.offset, page.offset + page.pageSize)
        .map((site) => stationInfoOf(site, this.#settings.profile)),
    };
  }

  #tellStatistics({ StationID, StartTime, EndTime }: Message<'query_station_stats', 'request'>) {
    const span = statsSpan(StartTime, EndTime);
    const site = this.sites.find(({ id }) => id === StationID);
    if (!span.ok) return { refusal: retCodes.business, msg: 'EndTime' };
    if (site === undefined) return { refusal: retCodes.business, msg: 'StationID' };
    const { from, to } = span.value;
    const energyWhOf = (portId: string) =>
      [...this.charges.values()]
        .filter(({ portId: own, endedAt }) => own === portId && endedAt !== null && endedAt >= from && endedAt < to)
        .reduce((so, charge) => so + billOf(charge, charge.endedAt ?? charge.startedAt, inventedPrices).energyWh, 0);
    const sumOf = (parts: readonly { energyWh: number }[]) =>
      wattHours(parts.reduce((so, { energyWh }) => so + energyWh, 0));
    const stations = site.stations.map(({ id, ports }) => {
      const told = ports.map((port) => ({ portId: port.id, energyWh: wattHours(energyWhOf(port.id)) }));
      return { stationId: id, energyWh: sumOf(told), ports: told };
    });
    return {
      StationStats: stationStatsOf({
        siteId: site.id,
        firstDay: StartTime,
        lastDay: EndTime,
        energyWh: sumOf(stations),
        stations,
      }),
    };
  }

  #start({ StartChargeSeq, ConnectorID }: Message<'query_start_charge', 'request'>) {
    const isOfCaller =
      StartChargeSeq.length === startChargeSeqChars
        ? isValidSeq(StartChargeSeq, this.#settings.theirOperatorId)
        : StartChargeSeq.startsWith(this.#settings.theirOperatorId);
    if (!isOfCaller) return { refusal: retCodes.business, msg: 'StartChargeSeq' };
    if (!this.#answered.has(StartChargeSeq)) {
      if (this.#answered.size >= startsMax) return { refusal: retCodes.busy, msg: 'busy' };
      const refusal = this.#refusalAt(ConnectorID);
      this.#answered.set(StartChargeSeq, refusal);
      if (refusal === null) this.#begin(StartChargeSeq, ConnectorID);
    }
    const refusal = this.#answered.get(StartChargeSeq) ?? null;
    return {
      StartChargeSeq,
      StartChargeSeqStat: stageCode(refusal === null ? 'starting' : 'ended'),
      ConnectorID,
      ...outcome('start', refusal),
    };
  }

  #begin(sequence: string, portId: string): void {
    const powerW = this.#settings.powerKw * 1_000;
    const charge: InventedCharge = {
      sequence,
      portId,
      startedAt: this.#now(),
      endedAt: null,
      stopReason: 'vehicle_full',
      stage: 'starting',
      powerW,
    };
    this.charges.set(sequence, charge);
    this.#timers.after(actingMs / this.#settings.hurry, () => {
      if (charge.stage !== 'starting') return;
      charge.stage = 'charging';
      charge.startedAt = this.#now();
      this.#tellPort(portId);
      void this.#tell('notification_start_charge_result', sequence, {
        StartChargeSeq: sequence,
        StartChargeSeqStat: stageCode('charging'),
        ConnectorID: portId,
        StartTime: charge.startedAt,
      });
      this.#pushLater(charge);
      this.#timers.after(msUntilFull(powerW), () => this.#stopSoon(charge, 'vehicle_full'));
    });
  }

  #pushLater(charge: InventedCharge): void {
    this.#timers.after(this.#settings.pushSeconds * secondMs, () => {
      if (charge.stage !== 'charging') return;
      // A push that failed is outdated by the next one.
      void this.#call('notification_equip_charge_status', charge.sequence, this.#statusOf(charge));
      this.#pushLater(charge);
    });
  }

  #stopSoon(charge: InventedCharge, stopReason: StopReason): void {
    if (charge.stage === 'stopping' || charge.stage === 'ended') return;
    charge.stage = 'stopping';
    charge.stopReason = stopReason;
    this.#timers.after(actingMs / this.#settings.hurry, () => void this.#end(charge));
  }

  async #end(charge: InventedCharge): Promise<void> {
    charge.stage = 'ended';
    charge.endedAt = this.#now();
    this.#tellPort(charge.portId);
    const result = {
      StartChargeSeq: charge.sequence,
      StartChargeSeqStat: stageCode('ended'),
      ConnectorID: charge.portId,
      ...outcome('stop', null),
    };
    if (this.#settings.isOrderFirst) {
      await this.#tell('notification_charge_order_info', charge.sequence, this.orderOf(charge));
      await this.#tell('notification_stop_charge_result', charge.sequence, result);
    } else {
      await this.#tell('notification_stop_charge_result', charge.sequence, result);
      await this.#tell('notification_charge_order_info', charge.sequence, this.orderOf(charge));
    }
  }

  #tellPort(portId: string): void {
    const ConnectorStatusInfo = connectorStatusInfoOf(this.portState(portId));
    void this.#call('notification_stationStatus', '', { ConnectorStatusInfo });
  }

  async #call<Name extends InterfaceName>(name: Name, sequence: string, message: Message<Name, 'request'>) {
    const reply = await this.#caller.call(name, message);
    this.told.push({ name, sequence, reply });
    if (this.told.length > toldMax) this.told.shift();
    return reply;
  }

  /** Tells once, and again later where nobody confirmed: a bill without end, everything else four times. */
  async #tell<Name extends InterfaceName>(
    name: Name,
    sequence: string,
    message: Message<Name, 'request'>,
    attempt = 1,
  ): Promise<void> {
    const { answer } = await this.#call(name, sequence, message);
    if (answer !== null) return;
    const delayMs =
      name === 'notification_charge_order_info' ? orderRetryDelayMs(attempt) : notifyRetryDelayMs(attempt);
    if (delayMs === null) return;
    this.#timers.after(delayMs / this.#settings.hurry, () => void this.#tell(name, sequence, message, attempt + 1));
  }

  #statusOf(charge: InventedCharge) {
    const at = charge.endedAt ?? this.#now();
    const isRunning = charge.stage === 'charging' || charge.stage === 'stopping';
    const elapsedMs = charge.stage === 'starting' ? 0 : at - charge.startedAt;
    const bill = billOf(charge, charge.stage === 'starting' ? charge.startedAt : at, inventedPrices);
    const drawnW = isRunning ? chargeAfter(charge.powerW, elapsedMs).powerW : 0;
    return chargeStatusOf(
      {
        sequence: charge.sequence,
        stage: charge.stage,
        portId: charge.portId,
        portState: this.portState(charge.portId).state,
        startedAt: charge.stage === 'starting' ? null : charge.startedAt,
        reading: {
          at,
          currentMa: milliamperes(Math.round((drawnW * 1_000_000) / voltageMv)),
          voltageMv: millivolts(isRunning ? voltageMv : 0),
          socPercent: Math.round(socAfter(charge.powerW, elapsedMs)),
        },
        energyWh: bill.energyWh,
        electricityFeeFen: bill.electricityFeeFen,
        serviceFeeFen: bill.serviceFeeFen,
      },
      this.#settings.profile,
    );
  }
}

/** SuccStat and FailReason of an act. */
function outcome(act: Parameters<typeof failReasonCode>[0], refusal: PartnerRefusal | null) {
  return refusal === null ? { SuccStat: 0, FailReason: 0 } : { SuccStat: 1, FailReason: failReasonCode(act, refusal) };
}
