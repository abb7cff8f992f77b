/** Commands -> our calls, a station's results -> outcomes. */
import type {
  CommandOutcome,
  ConfigurationEntry,
  StationCommand,
  TriggeredMessage,
} from '@voltdeck/charging/station-command';
import { unreachable } from '@voltdeck/units/result';
import { isPayload, type Payload } from './frame.ts';
import {
  checkStationResult,
  checkToStation,
  type ToStationAction,
  type ToStationCalls,
} from './messages/to-station.ts';
import { isPasswordKey, withoutPassword } from './passwords.ts';
import { cleanText, isConnectorNumber, transactionNumber, withoutNul } from './values.ts';

/** Our call, with the meaning of its result. */
export type OutgoingCall = {
  action: string;
  payload: Payload;
  /** The outcome of a result; a result that violates the schema has an outcome too. */
  outcomeOf: (payload: Payload) => CommandOutcome;
};

/**
 * Null when OCPP 1.6 cannot express the command: a field too long, a number out of range, a payload that is not an
 * object.
 */
export function toCall(command: StationCommand): OutgoingCall | null {
  switch (command.kind) {
    case 'start-charge': {
      if (!isConnectorNumber(command.connectorNumber) || command.connectorNumber === 0) return null;
      const payload = { connectorId: command.connectorNumber, idTag: command.cardNumber };
      return call('RemoteStartTransaction', payload, ({ status }) => plainOutcomes[status]);
    }
    case 'stop-charge': {
      const transactionId = transactionNumber(command.transaction);
      if (transactionId !== command.transaction) return null;
      return call('RemoteStopTransaction', { transactionId }, ({ status }) => plainOutcomes[status]);
    }
    case 'reset':
      return call('Reset', { type: command.mode === 'soft' ? 'Soft' : 'Hard' }, ({ status }) => plainOutcomes[status]);
    case 'unlock-connector':
      if (!isConnectorNumber(command.connectorNumber) || command.connectorNumber === 0) return null;
      return call('UnlockConnector', { connectorId: command.connectorNumber }, ({ status }) => plainOutcomes[status]);
    case 'change-availability': {
      if (!isConnectorNumber(command.connectorNumber)) return null;
      const type = command.available ? ('Operative' as const) : ('Inoperative' as const);
      return call(
        'ChangeAvailability',
        { connectorId: command.connectorNumber, type },
        ({ status }) => plainOutcomes[status],
      );
    }
    case 'read-configuration':
      return call('GetConfiguration', command.keys.length === 0 ? {} : { key: [...command.keys] }, toConfiguration);
    case 'write-configuration':
      return call(
        'ChangeConfiguration',
        { key: command.key, value: command.value },
        ({ status }) => plainOutcomes[status],
      );
    case 'clear-cache':
      return call('ClearCache', {}, ({ status }) => plainOutcomes[status]);
    case 'trigger-message': {
      const { connectorNumber } = command;
      if (connectorNumber !== undefined && (!isConnectorNumber(connectorNumber) || connectorNumber === 0)) return null;
      const payload = {
        requestedMessage: requestedMessages[command.message],
        ...(connectorNumber !== undefined && { connectorId: connectorNumber }),
      };
      return call('TriggerMessage', payload, ({ status }) => plainOutcomes[status]);
    }
    case 'transfer-data': {
      const payload = {
        vendorId: command.vendor,
        ...(command.message !== undefined && { messageId: command.message }),
        ...(command.data !== undefined && { data: command.data }),
      };
      return call('DataTransfer', payload, ({ status, data }) => ({
        kind: 'data',
        status: dataStatuses[status],
        ...(typeof data === 'string' && { data }),
      }));
    }
    case 'set-tariff':
    case 'set-clock':
    case 'update-balance':
    case 'store-cards':
    case 'clear-cards':
    case 'query-cards':
    case 'limit-power':
    case 'move-ground-lock':
    case 'update-firmware':
      return null;
    case 'raw': {
      const { action, payload } = command;
      if (action.length === 0 || action.length > rawActionCharsMax || !isPayload(payload)) return null;
      return {
        action,
        payload,
        outcomeOf: (received) => ({ kind: 'raw', payload: withoutPassword(action, received) }),
      };
    }
    default:
      return unreachable(command);
  }
}

const rawActionCharsMax = 50;

function call<Action extends ToStationAction>(
  action: Action,
  payload: ToStationCalls[Action]['request'],
  outcomeOf: (result: ToStationCalls[Action]['result']) => CommandOutcome,
): OutgoingCall | null {
  const request: Payload = { ...payload };
  if (checkToStation(action, request) !== null) return null;
  return {
    action,
    payload: request,
    outcomeOf: (received) => {
      const fault = checkStationResult(action, received);
      if (fault !== null) return { kind: 'station-error', code: fault.code, description: fault.description };
      return outcomeOf(received as ToStationCalls[Action]['result']);
    },
  };
}

const plainOutcomes = {
  Accepted: { kind: 'accepted' },
  Rejected: { kind: 'rejected' },
  Scheduled: { kind: 'scheduled' },
  RebootRequired: { kind: 'reboot-required' },
  NotSupported: { kind: 'not-supported' },
  NotImplemented: { kind: 'not-supported' },
  Unlocked: { kind: 'accepted' },
  UnlockFailed: { kind: 'failed' },
} as const satisfies Record<string, CommandOutcome>;

const requestedMessages = {
  boot: 'BootNotification',
  heartbeat: 'Heartbeat',
  readings: 'MeterValues',
  'connector-state': 'StatusNotification',
  'diagnostics-status': 'DiagnosticsStatusNotification',
  'firmware-status': 'FirmwareStatusNotification',
} as const satisfies Record<TriggeredMessage, string>;

const dataStatuses = {
  Accepted: 'accepted',
  Rejected: 'rejected',
  UnknownMessageId: 'unknown_message',
  UnknownVendorId: 'unknown_vendor',
} as const;

/** Entries are read one by one: a key without `readonly`, or with a number as value, still counts. */
function toConfiguration(result: unknown): CommandOutcome {
  const { configurationKey, unknownKey } = isPayload(result) ? result : {};
  const entries: ConfigurationEntry[] = [];
  for (const entry of Array.isArray(configurationKey) ? configurationKey : []) {
    if (!isPayload(entry) || typeof entry.key !== 'string') continue;
    const value = configurationValue(entry.key, entry.value);
    entries.push({
      key: cleanText(entry.key),
      ...(value !== undefined && { value }),
      readonly: entry.readonly === true,
    });
  }
  const unknownKeys: string[] = [];
  for (const key of Array.isArray(unknownKey) ? unknownKey : [])
    if (typeof key === 'string') unknownKeys.push(cleanText(key));
  return { kind: 'configuration', entries, unknownKeys };
}

function configurationValue(key: string, value: unknown): string | undefined {
  if (isPasswordKey(key)) return undefined;
  if (typeof value === 'string') return withoutNul(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * The password that the station will use from its next connection on if it accepts this command; null for other
 * commands. In the command's form: plain or hexadecimal.
 */
export function newPasswordOf(command: StationCommand): string | null {
  const call = toCall(command);
  if (call?.action !== 'ChangeConfiguration' || !isPasswordKey(call.payload.key)) return null;
  return typeof call.payload.value === 'string' ? call.payload.value : null;
}

/** Whether the station accepted a change of its configuration, as a command or as a raw call. */
export function isConfigurationTaken(outcome: CommandOutcome): boolean {
  if (outcome.kind === 'raw') {
    const { status } = isPayload(outcome.payload) ? outcome.payload : {};
    return status === 'Accepted' || status === 'RebootRequired';
  }
  return outcome.kind === 'accepted' || outcome.kind === 'reboot-required';
}
