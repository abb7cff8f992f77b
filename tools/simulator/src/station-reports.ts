import type { OCPP16 } from 'typed-ocpp';
import type { ChargeKind } from './charging-curve.ts';
import type { StationBoard } from './station-board.ts';
import type { Cancel } from './timer-queue.ts';

const bootRetryMs = 30_000;

const makes: Readonly<Record<ChargeKind, { model: string; firmwareVersion: string }>> = {
  dc: { model: 'VS-DC', firmwareVersion: '3.2.1' },
  ac: { model: 'VS-AC', firmwareVersion: '2.7.0' },
  'two-wheel': { model: 'VS-TW', firmwareVersion: '1.9.4' },
};
export const vendor = 'Voltdeck Virtual';

/** A station's messages about itself: its boot and its connector states. */
export class StationReports {
  readonly #station: StationBoard;
  readonly #identity: Partial<OCPP16.BootNotificationRequest>;
  readonly #accepted: () => void;
  #needsBoot = true;
  #cancelBoot: Cancel = () => {};

  /** `accepted` hears that a boot was accepted. */
  constructor(station: StationBoard, identity: Partial<OCPP16.BootNotificationRequest>, accepted: () => void) {
    this.#station = station;
    this.#identity = identity;
    this.#accepted = accepted;
  }

  /** No boot has been accepted since the station powered up. */
  get needsBoot(): boolean {
    return this.#needsBoot;
  }

  powerUp(): void {
    this.#needsBoot = true;
  }

  linkClosed(): void {
    this.#cancelBoot();
  }

  sendBoot(): void {
    const identity: OCPP16.BootNotificationRequest = {
      chargePointVendor: vendor,
      chargePointModel: makes[this.#station.kind].model,
      chargePointSerialNumber: this.#station.number.slice(0, 25),
      firmwareVersion: makes[this.#station.kind].firmwareVersion,
      ...this.#identity,
    };
    this.#cancelBoot();
    void this.#station.delivery.send('BootNotification', identity, true).then((outcome) => {
      if (outcome.kind === 'link-lost') return;
      const status = outcome.kind === 'answered' ? outcome.payload.status : null;
      const seconds = outcome.kind === 'answered' ? Number(outcome.payload.interval) : 0;
      const heartbeatSeconds = Number.isFinite(seconds) && seconds > 0 ? Math.min(86_400, Math.round(seconds)) : 0;
      this.#station.news.tell(() => ({
        kind: 'boot-answered',
        decision: String(status ?? outcome.kind),
        heartbeatSeconds,
      }));
      if (status !== 'Accepted') {
        if (this.#station.delivery.registered) return;
        const waitMs = heartbeatSeconds > 0 ? heartbeatSeconds * 1_000 : bootRetryMs;
        this.#cancelBoot = this.#station.power.timers.after(waitMs, () => this.sendBoot());
        return;
      }
      this.#station.delivery.registered = true;
      this.#needsBoot = false;
      if (heartbeatSeconds > 0) this.#station.configuration.set('HeartbeatInterval', heartbeatSeconds);
      this.#accepted();
      this.sendStatus(0);
      for (const connector of this.#station.connectors) this.sendStatus(connector.number);
      this.#station.delivery.pump();
    });
  }

  sendStatus(connectorNumber: number): void {
    const connector = this.#station.connectors.find((each) => each.number === connectorNumber);
    const status =
      connector?.status ?? (this.#station.connectors.some((each) => each.operative) ? 'Available' : 'Unavailable');
    const fault = connector?.fault ?? null;
    const payload: OCPP16.StatusNotificationRequest = {
      connectorId: connectorNumber,
      errorCode: fault?.errorCode ?? 'NoError',
      ...(fault?.info === undefined ? {} : { info: fault.info }),
      ...(fault?.vendorErrorCode === undefined ? {} : { vendorId: vendor, vendorErrorCode: fault.vendorErrorCode }),
      status,
      timestamp: this.#station.timestamp(connector?.statusAt),
    };
    if (connector !== undefined) connector.toldStatus = status;
    void this.#station.delivery.send('StatusNotification', payload).then((outcome) => {
      if (outcome.kind !== 'answered' && connector?.toldStatus === status) connector.toldStatus = null;
    });
  }

  /** Reports the statuses that changed while offline. */
  catchUp(): void {
    for (const connector of this.#station.connectors) {
      if (connector.toldStatus !== connector.status) this.sendStatus(connector.number);
    }
  }
}
