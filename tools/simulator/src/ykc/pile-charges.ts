import { secondMs } from '@voltdeck/units/instant';
import { drawCurve, rollBackMeter } from '../charge-physics.ts';
import type { ChargeKind } from '../charging-curve.ts';
import { wholeWh } from '../samples.ts';
import { billOf, noEnergies, periodAt, priceOf, untilNextSlotMs } from './billing-model.ts';
import { batteryFrames, endFrames, handshakeFrames, transactionRecord } from './charge-frames.ts';
import type { Gun, GunCharge, PileStopReason } from './gun.ts';
import type { Authorized, PileBoard } from './pile-board.ts';
import { pileTime } from './pile-faults.ts';

/** How often a charge checks its vehicle between samples; more often when the money is nearly used up. */
const glanceMs = 5 * secondMs;
const glanceMinMs = 200;
/** It stops this much before the balance, since amounts are sent in hundredths of a fen. */
const balanceMarginFen = 0.5;
const fullStopMs: Readonly<Record<ChargeKind, number | null>> = { dc: 30 * secondMs, ac: null, 'two-wheel': null };

/** The charges of one pile: how energy flows, what it costs, and what is reported to the platform. */
export class PileCharges {
  readonly #pile: PileBoard;

  constructor(pile: PileBoard) {
    this.#pile = pile;
  }

  /** Returns false when it could not start, which a record reports to the platform. */
  start(gun: Gun, authorized: Authorized): boolean {
    const { vehicle } = gun;
    const model = this.#pile.model;
    if (vehicle === null || model === null) return false;
    if (authorized.balanceFen !== null && authorized.balanceFen <= 0) {
      this.fail(gun, authorized, 'start-balance');
      return false;
    }
    const now = this.#pile.clock.now();
    const random = this.#pile.random.fork(`charge ${gun.number}/${gun.chargeCount}`);
    gun.chargeCount += 1;
    gun.finishing = false;
    const charge: GunCharge = {
      ...authorized,
      vehicle,
      model,
      vin: this.#pile.kind === 'dc' ? gun.vin : authorized.startedBy === 'vin' ? gun.vin : '',
      startedAt: now,
      startTime: this.#pile.stationTime(),
      meterStartWh: gun.registerWh,
      curve: drawCurve({
        kind: this.#pile.kind,
        powerMaxW: (this.#pile.maxPowerKw * 1_000 * this.#pile.powerPercent) / 100,
        vehicle,
        random,
      }),
      energies: noEnergies(),
      advancedAt: now,
      nextSampleAt: now + this.#pile.sampleMs,
      cancelGlance: () => {},
      full: false,
      rolledBack: false,
    };
    gun.charge = charge;
    this.#pile.news.tell(() => ({
      kind: 'charge-started',
      connectorNumber: gun.number,
      card: charge.card,
      meterStartWh: wholeWh(charge.meterStartWh),
    }));
    this.#pile.news.tell(() => ({ kind: 'charge-named', connectorNumber: gun.number, tradeNo: charge.tradeNo }));
    this.#pile.refresh(gun);
    this.#pile.sendRealtime(gun);
    if (this.#pile.kind === 'dc') {
      for (const frame of handshakeFrames(this.#head(gun, charge), charge, this.#pile.maxPowerKw))
        this.#pile.send(frame);
    }
    this.#scheduleGlance(gun, charge);
    const cut = this.#pile.faults.powerCut;
    if (cut !== null) gun.chargeTimers.after(cut.afterMs, () => this.#pile.cutPower(cut));
    return true;
  }

  #head(gun: Gun, { tradeNo }: { tradeNo: string }) {
    return { tradeNo, pileNo: this.#pile.number, gunNo: gun.number };
  }

  #scheduleGlance(gun: Gun, charge: GunCharge): void {
    charge.cancelGlance();
    const waitMs = Math.min(charge.nextSampleAt - this.#pile.clock.now(), glanceMs, this.#untilPaidOutMs(charge));
    charge.cancelGlance = gun.chargeTimers.after(Math.max(glanceMinMs, waitMs), () => {
      this.advance(gun);
      if (gun.charge !== charge) return;
      if (this.#leftFen(charge) <= balanceMarginFen) return this.end(gun, 'abort-balance');
      if (this.#pile.clock.now() >= charge.nextSampleAt) this.#sample(gun, charge);
      this.#scheduleGlance(gun, charge);
    });
  }

  #leftFen(charge: GunCharge): number {
    if (charge.balanceFen === null) return Number.POSITIVE_INFINITY;
    return charge.balanceFen - billOf(charge.model, charge.energies).amountHundredthsFen / 100;
  }

  /** How long the balance lasts at the current power and price. */
  #untilPaidOutMs(charge: GunCharge): number {
    const { powerW } = charge.curve.point;
    const price = priceOf(charge.model, periodAt(charge.model, this.#pile.stationTime()));
    const fenPerMs = (powerW * price) / 1e3 / 1e3 / 3_600_000;
    return fenPerMs > 0 ? (this.#leftFen(charge) - balanceMarginFen) / fenPerMs : Number.POSITIVE_INFINITY;
  }

  #sample(gun: Gun, charge: GunCharge): void {
    charge.nextSampleAt = Math.max(charge.nextSampleAt + this.#pile.sampleMs, this.#pile.clock.now());
    this.#pile.sendRealtime(gun);
    if (this.#pile.kind === 'dc' && this.#pile.isSignedIn) {
      for (const frame of batteryFrames(this.#head(gun, charge), charge, this.#pile.clock.now()))
        this.#pile.send(frame);
    }
    this.#pile.news.tell(() => ({
      kind: 'sampled',
      connectorNumber: gun.number,
      registerWh: wholeWh(gun.registerWh),
      energyWh: wholeWh(charge.curve.point.energyWh),
      point: charge.curve.point,
    }));
  }

  /** Accounts for the charge's energy up to now, by period. */
  advance(gun: Gun): void {
    const { charge } = gun;
    if (charge === null || !this.#pile.power.isOn) return;
    const now = this.#pile.clock.now();
    while (gun.vehicle !== null && charge.advancedAt < now) {
      const at = pileTime(this.#pile.faults.clock, charge.advancedAt, this.#pile.power.onSince);
      const stepMs = Math.min(now - charge.advancedAt, untilNextSlotMs(at));
      const beforeWh = charge.curve.point.energyWh;
      const stepWh = charge.curve.advance(stepMs).energyWh - beforeWh;
      charge.energies[periodAt(charge.model, at)] += stepWh;
      gun.registerWh += stepWh;
      charge.advancedAt += stepMs;
    }
    charge.advancedAt = now;
    rollBackMeter(gun, charge, this.#pile.faults.meterRollback, now);
    if (!charge.curve.point.full || charge.full) return;
    charge.full = true;
    this.#pile.news.tell(() => ({ kind: 'vehicle-full', connectorNumber: gun.number }));
    this.#pile.refresh(gun);
    const waitMs = fullStopMs[this.#pile.kind];
    if (waitMs === null) return;
    gun.chargeTimers.after(waitMs, () => {
      if (gun.charge === charge) this.end(gun, 'finished-soc-full');
    });
  }

  /** `at` is event time; default: now. */
  end(gun: Gun, reason: PileStopReason, at = this.#pile.clock.now()): void {
    this.advance(gun);
    const { charge } = gun;
    if (charge === null) return;
    const head = this.#head(gun, charge);
    if (this.#pile.kind === 'dc' && this.#pile.isSignedIn) {
      for (const frame of endFrames(head, charge, reason, at)) this.#pile.send(frame);
    }
    this.forget(gun);
    this.#pile.news.tell(() => ({
      kind: 'charge-ended',
      connectorNumber: gun.number,
      reason,
      energyWh: wholeWh(charge.curve.point.energyWh),
      meterStopWh: wholeWh(gun.registerWh),
    }));
    this.#pile.records.add(
      transactionRecord(head, charge, {
        bill: billOf(charge.model, charge.energies),
        endTime: pileTime(this.#pile.faults.clock, at, this.#pile.power.onSince),
        reason,
        meterStartWh: charge.meterStartWh,
        meterEndWh: gun.registerWh,
        errorHundredthsFen: this.#pile.faults.amountErrorHundredthsFen,
      }),
    );
    gun.finishing = gun.vehicle !== null && this.#pile.power.isOn;
    this.#pile.refresh(gun);
    this.#pile.sendRealtime(gun);
    this.#pile.chargeEnded();
  }

  /** Every accepted start needs a record, also when it failed (section 3.3). */
  fail(gun: Gun, authorized: Authorized, reason: PileStopReason): void {
    const startTime = this.#pile.stationTime();
    const model = this.#pile.model;
    if (model === null) return;
    this.#pile.records.add(
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

  forget(gun: Gun): void {
    gun.chargeTimers.cancelAll();
    gun.charge = null;
  }
}
