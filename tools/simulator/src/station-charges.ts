import type { OCPP16 } from 'typed-ocpp';
import { type CardCache, statusIn } from './card-cache.ts';
import { drawCurve, rollBackMeter } from './charge-physics.ts';
import type { ChargeKind } from './charging-curve.ts';
import type { Charge, Connector, StopReason } from './connector.ts';
import { meterValue, wholeWh } from './samples.ts';
import type { StationBoard } from './station-board.ts';

const transactionDataMax = 200;
/** How often a charging connector checks its vehicle between samples, to notice a full battery. */
const glanceMs = 10_000;
/** Time from the vehicle's last watt to the station's own stop; AC stations wait for the driver. */
const fullStopMs: Readonly<Record<ChargeKind, number | null>> = { dc: 30_000, 'two-wheel': 60_000, ac: null };
/** The charges of one station: how energy flows, and what is reported to the central system. */
export class StationCharges {
  readonly #station: StationBoard;
  readonly #cards: CardCache;

  constructor(station: StationBoard, cards: CardCache) {
    this.#station = station;
    this.#cards = cards;
  }

  sendReadings(connector: Connector, context: OCPP16.Context, key: string): void {
    const charge = connector.charge;
    if (charge !== null) this.advance(connector);
    const value = this.#meterValue(connector, context, key);
    if (value === null) return;
    if (charge === null) {
      const payload: OCPP16.MeterValuesRequest = { connectorId: connector.number, meterValue: [value] };
      void this.#station.delivery.send('MeterValues', payload);
      return;
    }
    this.#station.delivery.sendDurable({
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
      timestamp: this.#station.timestamp(),
      registerWh: connector.registerWh,
      point: connector.charge?.curve.point ?? null,
      kind: this.#station.kind,
      measurands: this.#station.configuration.measurands(key),
      context,
    });
    return value.sampledValue.length === 0 ? null : value;
  }

  /** Firmware that never learned its transaction id sends -1 (libocpp does). */
  #numberOf(charge: Charge): number {
    return this.#station.faults.wrongTransactionId ?? charge.transactionId ?? -1;
  }

  start(connector: Connector, card: string, startedBy: 'card' | 'remote'): void {
    const vehicle = connector.vehicle;
    if (vehicle === null) return;
    const now = this.#station.clock.now();
    const random = this.#station.random.fork(`charge ${connector.number}/${connector.chargeCount}`);
    connector.chargeCount += 1;
    connector.finishing = false;
    const powerMaxW = this.#station.powerMaxW;
    const charge: Charge = {
      connectorNumber: connector.number,
      card,
      startedBy,
      startedAt: now,
      meterStartWh: wholeWh(connector.registerWh),
      curve: drawCurve({ kind: this.#station.kind, powerMaxW, vehicle, random }),
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
      timestamp: this.#station.timestamp(),
    };
    this.#station.news.tell(() => ({
      kind: 'charge-started',
      connectorNumber: connector.number,
      card,
      meterStartWh: charge.meterStartWh,
    }));
    this.#collect(connector, 'Transaction.Begin');
    this.#station.delivery.sendDurable({
      action: 'StartTransaction',
      payload: () => request,
      answered: (payload) => this.#numbered(connector, charge, payload),
    });
    this.#station.refresh(connector);
    charge.nextSampleAt += this.#station.configuration.integer('MeterValueSampleInterval') * 1_000;
    this.scheduleGlance(connector, charge);
    const cut = this.#station.faults.powerCut;
    if (cut !== null) connector.chargeTimers.after(cut.afterMs, () => this.#station.cutPower(cut));
  }

  #numbered(connector: Connector, charge: Charge, payload: Record<string, unknown>): void {
    const status = statusIn(payload);
    charge.transactionId = Number.isInteger(payload.transactionId) ? Number(payload.transactionId) : null;
    this.#cards.remember(charge.card, status);
    this.#station.news.tell(() => ({
      kind: 'charge-numbered',
      connectorNumber: connector.number,
      transactionId: charge.transactionId ?? -1,
      status,
    }));
    if (
      status !== 'Accepted' &&
      connector.charge === charge &&
      this.#station.configuration.flag('StopTransactionOnInvalidId')
    ) {
      this.end(connector, 'DeAuthorized');
    }
  }

  scheduleGlance(connector: Connector, charge: Charge): void {
    const now = this.#station.clock.now();
    const untilSampleMs = charge.nextSampleAt > now ? charge.nextSampleAt - now : Number.POSITIVE_INFINITY;
    charge.cancelGlance();
    charge.cancelGlance = connector.chargeTimers.after(Math.min(untilSampleMs, glanceMs), () => {
      this.advance(connector);
      if (this.#station.clock.now() >= charge.nextSampleAt) this.#sample(connector, charge);
      if (connector.charge === charge) this.scheduleGlance(connector, charge);
    });
  }

  #sample(connector: Connector, charge: Charge): void {
    const intervalMs = this.#station.configuration.integer('MeterValueSampleInterval') * 1_000;
    if (intervalMs === 0) {
      charge.nextSampleAt = this.#station.clock.now() + glanceMs;
      return;
    }
    charge.nextSampleAt = Math.max(charge.nextSampleAt + intervalMs, this.#station.clock.now());
    this.#collect(connector, 'Sample.Periodic');
    this.sendReadings(connector, 'Sample.Periodic', 'MeterValuesSampledData');
    this.#station.news.tell(() => ({
      kind: 'sampled',
      connectorNumber: connector.number,
      registerWh: wholeWh(connector.registerWh),
      energyWh: wholeWh(connector.registerWh) - charge.meterStartWh,
      point: charge.curve.point,
    }));
  }

  /** Keeps a sample for StopTransaction's transactionData; the last place is reserved for the end. */
  #collect(connector: Connector, context: OCPP16.Context): void {
    const charge = connector.charge;
    if (charge === null) return;
    const isLast = context === 'Transaction.End';
    if (charge.transactionData.length >= (isLast ? transactionDataMax : transactionDataMax - 1)) return;
    const value = this.#meterValue(connector, context, 'StopTxnSampledData');
    if (value !== null) charge.transactionData.push(value);
  }

  /** Accounts for the charge's energy up to now. */
  advance(connector: Connector): void {
    const charge = connector.charge;
    if (charge === null || !this.#station.power.isOn) return;
    const now = this.#station.clock.now();
    const durationMs = Math.max(0, now - charge.advancedAt);
    charge.advancedAt = now;
    if (connector.vehicle !== null && durationMs > 0) {
      const beforeWh = charge.curve.point.energyWh;
      connector.registerWh += charge.curve.advance(durationMs).energyWh - beforeWh;
    }
    rollBackMeter(connector, charge, this.#station.faults.meterRollback, now);
    if (charge.curve.point.full && !charge.suspended) {
      charge.suspended = true;
      this.#station.news.tell(() => ({ kind: 'vehicle-full', connectorNumber: connector.number }));
      this.#station.refresh(connector);
      const waitMs = fullStopMs[this.#station.kind];
      if (waitMs !== null) {
        connector.chargeTimers.after(waitMs, () => {
          if (connector.charge === charge) this.end(connector, 'Other');
        });
      }
    }
  }

  end(connector: Connector, reason: StopReason, told: { card?: string; at?: number; timestamp?: string } = {}): void {
    this.advance(connector);
    const charge = connector.charge;
    if (charge === null) return;
    this.#collect(connector, 'Transaction.End');
    const meterStopWh = wholeWh(connector.registerWh);
    const timestamp = told.timestamp ?? this.#station.timestamp(told.at);
    const data = charge.transactionData;
    this.forget(connector);
    this.#station.news.tell(() => ({
      kind: 'charge-ended',
      connectorNumber: connector.number,
      reason,
      energyWh: meterStopWh - charge.meterStartWh,
      meterStopWh,
    }));
    this.#station.delivery.sendDurable({
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
        if ('idTagInfo' in payload) this.#cards.remember(charge.card, statusIn(payload));
      },
    });
    connector.finishing = connector.vehicle !== null && this.#station.power.isOn;
    this.#station.refresh(connector);
  }

  forget(connector: Connector): void {
    connector.chargeTimers.cancelAll();
    connector.charge = null;
    if (connector.inoperativeNext) {
      connector.inoperativeNext = false;
      connector.operative = false;
    }
  }
}
