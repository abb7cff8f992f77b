import type { Configuration } from './configuration.ts';
import type { Charge, Connector } from './connector.ts';
import type { CallAnswer } from './link.ts';

/** What a command may do to a station. */
export type Commanded = {
  readonly vendor: string;
  readonly connectors: readonly Connector[];
  readonly configuration: Configuration;
  readonly refusesRemoteStart: boolean;
  readonly lockJams: boolean;
  /** Sockets for two-wheelers have no lock. */
  readonly hasLocks: boolean;
  /** A reset is under way. */
  readonly isResetting: boolean;
  chargeNumbered(transactionId: number): Charge | null;
  startRemotely(connector: Connector, card: string): void;
  stopRemotely(charge: Charge): void;
  unlock(connector: Connector): void;
  /** Null is the whole station; during a charge it takes effect when the charge ends. */
  setAvailability(connector: Connector | null, operative: boolean): void;
  configurationChanged(key: string, value: string): void;
  clearCache(): void;
  reset(mode: 'Soft' | 'Hard'): void;
  sendBoot(): void;
  sendHeartbeat(): void;
  sendReadings(connector: Connector): void;
  sendStatus(connectorNumber: number): void;
  sendIdleStatus(action: 'DiagnosticsStatusNotification' | 'FirmwareStatusNotification'): void;
};

type Payload = Record<string, unknown>;
type Answer = (station: Commanded, payload: Payload) => CallAnswer;

const result = (payload: object, after?: () => void): CallAnswer => ({
  kind: 'result',
  payload,
  ...(after === undefined ? {} : { after }),
});
const status = (value: string, after?: () => void): CallAnswer => result({ status: value }, after);
const malformed = (field: string): CallAnswer => ({
  kind: 'error',
  code: 'TypeConstraintViolation',
  description: `${field} is missing or of another type`,
});

/** Actions of OCPP 1.6 from feature profiles that this firmware does not have. */
const unsupported = new Set([
  'CancelReservation',
  'ClearChargingProfile',
  'GetCompositeSchedule',
  'GetDiagnostics',
  'GetLocalListVersion',
  'ReserveNow',
  'SendLocalList',
  'SetChargingProfile',
  'UpdateFirmware',
]);

/**
 * The firmware's answer to a call of the central system: the whole core profile and TriggerMessage. Its consequences (a
 * start, a reboot, a message) happen in `after`, once the answer is on its way.
 */
export function answerCommand(station: Commanded, action: string, payload: Payload): CallAnswer {
  const answer = answers[action];
  if (answer !== undefined) return answer(station, payload);
  return unsupported.has(action)
    ? { kind: 'error', code: 'NotSupported', description: `this firmware does not support ${action}` }
    : { kind: 'error', code: 'NotImplemented', description: `no action ${action.slice(0, 50)}` };
}

const answers: Readonly<Record<string, Answer>> = {
  RemoteStartTransaction(station, payload) {
    const { idTag, connectorId } = payload;
    if (typeof idTag !== 'string' || idTag === '' || idTag.length > 20) return malformed('idTag');
    if (connectorId !== undefined && !Number.isInteger(connectorId)) return malformed('connectorId');
    if (station.refusesRemoteStart || station.isResetting) return status('Rejected');
    const connector = station.connectors.find(
      (each) => (connectorId === undefined || each.number === connectorId) && canStart(each),
    );
    if (connector === undefined) return status('Rejected');
    return status('Accepted', () => station.startRemotely(connector, idTag));
  },

  RemoteStopTransaction(station, payload) {
    const { transactionId } = payload;
    if (typeof transactionId !== 'number') return malformed('transactionId');
    const charge = station.chargeNumbered(transactionId);
    return charge === null ? status('Rejected') : status('Accepted', () => station.stopRemotely(charge));
  },

  Reset(station, payload) {
    const { type } = payload;
    if (type !== 'Soft' && type !== 'Hard') return malformed('type');
    if (station.isResetting) return status('Rejected');
    return status('Accepted', () => station.reset(type));
  },

  UnlockConnector(station, payload) {
    const connector = connectorOf(station, payload);
    if (connector === 'malformed') return malformed('connectorId');
    if (connector === null || !station.hasLocks) return status('NotSupported');
    if (station.lockJams) return status('UnlockFailed');
    return status('Unlocked', () => station.unlock(connector));
  },

  ChangeAvailability(station, payload) {
    const { type } = payload;
    if (type !== 'Operative' && type !== 'Inoperative') return malformed('type');
    const whole = payload.connectorId === 0;
    const connector = whole ? null : connectorOf(station, payload);
    if (connector === 'malformed') return malformed('connectorId');
    if (connector === null && !whole) return status('Rejected');
    const isCharging = (connector === null ? station.connectors : [connector]).some((each) => each.charge !== null);
    return status(type === 'Inoperative' && isCharging ? 'Scheduled' : 'Accepted', () =>
      station.setAvailability(connector, type === 'Operative'),
    );
  },

  GetConfiguration(station, payload) {
    const { key } = payload;
    if (key !== undefined && !(Array.isArray(key) && key.every((each) => typeof each === 'string'))) {
      return malformed('key');
    }
    return result(station.configuration.read(key ?? []));
  },

  ChangeConfiguration(station, payload) {
    const { key, value } = payload;
    if (typeof key !== 'string') return malformed('key');
    if (typeof value !== 'string') return malformed('value');
    const answer = station.configuration.change(key, value);
    return status(answer, answer === 'Accepted' ? () => station.configurationChanged(key, value) : undefined);
  },

  ClearCache(station) {
    if (!station.configuration.flag('AuthorizationCacheEnabled')) return status('Rejected');
    station.clearCache();
    return status('Accepted');
  },

  TriggerMessage(station, payload) {
    const { requestedMessage, connectorId } = payload;
    if (typeof requestedMessage !== 'string') return malformed('requestedMessage');
    const named = connectorId === undefined ? undefined : connectorOf(station, payload);
    if (named === 'malformed') return malformed('connectorId');
    if (named === null && connectorId !== 0) return status('Rejected');
    switch (requestedMessage) {
      case 'BootNotification':
        return status('Accepted', () => station.sendBoot());
      case 'Heartbeat':
        return status('Accepted', () => station.sendHeartbeat());
      case 'MeterValues':
        return status('Accepted', () => {
          for (const connector of named ? [named] : station.connectors) station.sendReadings(connector);
        });
      case 'StatusNotification':
        return status('Accepted', () => {
          const numbers =
            typeof connectorId === 'number' ? [connectorId] : [0, ...station.connectors.map((each) => each.number)];
          for (const number of numbers) station.sendStatus(number);
        });
      case 'DiagnosticsStatusNotification':
      case 'FirmwareStatusNotification':
        return status('Accepted', () => station.sendIdleStatus(requestedMessage));
      default:
        return status('NotImplemented');
    }
  },

  DataTransfer(station, payload) {
    const { vendorId, messageId, data } = payload;
    if (typeof vendorId !== 'string') return malformed('vendorId');
    if (vendorId !== station.vendor) return status('UnknownVendorId');
    if (messageId !== 'Echo') return status('UnknownMessageId');
    return result({ status: 'Accepted', ...(typeof data === 'string' ? { data } : {}) });
  },
};

function connectorOf(station: Commanded, payload: Payload): Connector | null | 'malformed' {
  const { connectorId } = payload;
  if (typeof connectorId !== 'number' || !Number.isInteger(connectorId)) return 'malformed';
  return station.connectors.find((each) => each.number === connectorId) ?? null;
}

/** Whether a card would find this connector ready, with or without a vehicle plugged in. */
export function canStart(connector: Connector): boolean {
  return (
    connector.charge === null &&
    connector.claim === null &&
    !connector.authorizing &&
    connector.operative &&
    connector.fault === null
  );
}
