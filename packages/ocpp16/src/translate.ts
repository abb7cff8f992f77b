/**
 * The only place, with meter-values.ts, that knows both the words of OCPP 1.6 and ours: calls of a station -> events,
 * answers -> results, commands -> our calls, results of a station -> outcomes.
 */
import { isPossible } from '@voltdeck/charging/meter-limits';
import type { Authorization, ConnectorState, StopReason } from '@voltdeck/charging/states';
import type {
  CommandOutcome,
  ConfigurationEntry,
  StationCommand,
  TriggeredMessage,
} from '@voltdeck/charging/station-command';
import type {
  ChargeStarted,
  ChargeStopped,
  EventAnswer,
  StationEvent,
  StationFault,
  StationIdentity,
} from '@voltdeck/charging/station-event';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { unreachable } from '@voltdeck/units/result';
import { readThousandths, roundThousandths } from './decimal.ts';
import { emptyResult, isPayload, type Payload } from './frame.ts';
import type {
  AuthorizeCall,
  AuthorizeResult,
  BootNotificationCall,
  BootNotificationResult,
  ConnectorStatus,
  DataTransferCall,
  DataTransferResult,
  DiagnosticsStatus,
  DiagnosticsStatusCall,
  FirmwareStatus,
  FirmwareStatusCall,
  FromStationAction,
  HeartbeatResult,
  IdTagStatus,
  LogStatus,
  LogStatusCall,
  MeterValuesCall,
  SecurityEventCall,
  SignCertificateCall,
  SignCertificateResult,
  SignedFirmwareStatusCall,
  StartTransactionCall,
  StartTransactionResult,
  StationErrorCode,
  StatusNotificationCall,
  StopTransactionCall,
  StopTransactionReason,
  StopTransactionResult,
} from './messages/from-station.ts';
import { type PayloadFault, payloadFault } from './messages/payload-check.ts';
import {
  checkStationResult,
  checkToStation,
  type ToStationAction,
  type ToStationCalls,
} from './messages/to-station.ts';
import { toReadings } from './meter-values.ts';
import { eventTime, stationTime } from './station-time.ts';

/** No station has more; a limit on what reaches the database. */
export const connectorNumberMax = 999;
/** Text that a station tells about itself is cut here. */
const textCharsMax = 255;
/** The standard says integer (sections 6.46 and 6.49) and no more; stations store 32 bits. */
const transactionNumberMax = 2_147_483_647;

/**
 * What a call of a station says. `payload` has passed `checkFromStation`; what no schema can say is judged here. A stop
 * is never refused for its form. Values that cannot be used are left out and added to `unusable`, for the log.
 */
export function toEvent(
  action: FromStationAction,
  payload: Payload,
  now: Instant,
  unusable: string[] = [],
): StationEvent | PayloadFault {
  switch (action) {
    case 'Authorize':
      return { kind: 'authorization-requested', cardNumber: cardNumber((payload as AuthorizeCall).idTag) };
    case 'BootNotification':
      return { kind: 'booted', identity: toIdentity(payload as BootNotificationCall) };
    case 'DataTransfer':
      return toDataTransferred(payload as DataTransferCall);
    case 'DiagnosticsStatusNotification':
      return {
        kind: 'diagnostics-status-changed',
        status: diagnosticsStatuses[(payload as DiagnosticsStatusCall).status],
      };
    case 'FirmwareStatusNotification':
      return { kind: 'firmware-status-changed', status: firmwareStatuses[(payload as FirmwareStatusCall).status] };
    case 'Heartbeat':
      return { kind: 'heartbeat' };
    case 'LogStatusNotification':
      return { kind: 'diagnostics-status-changed', status: logStatuses[(payload as LogStatusCall).status] };
    case 'SecurityEventNotification':
      return toSecurityEvent(payload as SecurityEventCall, now);
    case 'SignCertificate':
      return { kind: 'certificate-requested', request: withoutNul((payload as SignCertificateCall).csr) };
    case 'SignedFirmwareStatusNotification':
      return {
        kind: 'firmware-status-changed',
        status: firmwareStatuses[(payload as SignedFirmwareStatusCall).status],
      };
    case 'MeterValues':
      return toReadingsTaken(payload as MeterValuesCall, now, unusable);
    case 'StartTransaction':
      return toChargeStarted(payload as StartTransactionCall, now);
    case 'StatusNotification':
      return toConnectorState(payload as StatusNotificationCall, now);
    case 'StopTransaction':
      return toChargeStopped(payload, now, unusable);
    default:
      return unreachable(action);
  }
}

function toIdentity(call: BootNotificationCall): StationIdentity {
  const serialNumber = optionalText(call.chargePointSerialNumber) ?? optionalText(call.chargeBoxSerialNumber);
  const firmwareVersion = optionalText(call.firmwareVersion);
  const iccid = optionalText(call.iccid);
  const imsi = optionalText(call.imsi);
  const meterType = optionalText(call.meterType);
  const meterSerialNumber = optionalText(call.meterSerialNumber);
  return {
    vendor: cleanText(call.chargePointVendor),
    model: cleanText(call.chargePointModel),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    ...(iccid !== undefined && { iccid }),
    ...(imsi !== undefined && { imsi }),
    ...(meterType !== undefined && { meterType }),
    ...(meterSerialNumber !== undefined && { meterSerialNumber }),
  };
}

function toDataTransferred(call: DataTransferCall): StationEvent {
  const message = optionalText(call.messageId);
  return {
    kind: 'data-transferred',
    vendor: cleanText(call.vendorId),
    ...(message !== undefined && { message }),
    ...(typeof call.data === 'string' && { data: withoutNul(call.data) }),
  };
}

function toSecurityEvent(call: SecurityEventCall, now: Instant): StationEvent {
  const info = optionalText(call.techInfo);
  const at = eventTime(call.timestamp, now);
  return {
    kind: 'security-event-reported',
    name: cleanText(call.type),
    ...(info !== undefined && { info }),
    ...(at !== undefined && { at }),
  };
}

function toReadingsTaken(call: MeterValuesCall, now: Instant, unusable: string[]): StationEvent | PayloadFault {
  const connectorNumber = wholeNumber(call.connectorId);
  if (!isConnectorNumber(connectorNumber)) return connectorFault(connectorNumber);
  const transaction = wholeNumber(call.transactionId);
  const readings = toReadings(call.meterValue, now, unusable);
  if (transaction === null || transactionNumber(transaction) !== transaction) {
    return { kind: 'readings-taken', connectorNumber, readings };
  }
  return { kind: 'readings-taken', connectorNumber, transaction, readings };
}

function toChargeStarted(call: StartTransactionCall, now: Instant): ChargeStarted | PayloadFault {
  const connectorNumber = wholeNumber(call.connectorId);
  if (!isConnectorNumber(connectorNumber) || connectorNumber === 0) return connectorFault(connectorNumber);
  const meterStartWh = toWattHours(call.meterStart);
  if (meterStartWh === null) return payloadFault('TypeConstraintViolation', 'meterStart: must be a number of Wh');
  const at = eventTime(call.timestamp, now);
  const { reservationId } = call;
  return {
    kind: 'charge-started',
    connectorNumber,
    cardNumber: cardNumber(call.idTag),
    meterStartWh,
    ...(at !== undefined && { at }),
    stationTime: stationTime(call.timestamp),
    ...(typeof reservationId === 'number' && { reservation: reservationId }),
  };
}

function toChargeStopped(call: StopTransactionCall, now: Instant, unusable: string[]): ChargeStopped {
  const readings = Array.isArray(call.transactionData)
    ? toReadings(call.transactionData, now, unusable, call.timestamp)
    : [];
  const told = toWattHours(call.meterStop);
  const isTold = told !== null && isPossible('energyWh', told);
  const meterStopWh = isTold ? told : readings.findLast((reading) => reading.energyWh !== undefined)?.energyWh;
  if (told !== null && !isTold) unusable.push(`meterStop: ${told}`);
  else if (meterStopWh === undefined) unusable.push('meterStop: no energy to read');
  const at = eventTime(call.timestamp, now);
  return {
    kind: 'charge-stopped',
    transaction: transactionNumber(call.transactionId),
    ...(typeof call.idTag === 'string' && { cardNumber: cardNumber(call.idTag) }),
    ...(meterStopWh !== undefined && { meterStopWh }),
    ...(at !== undefined && { at }),
    stationTime: stationTime(call.timestamp),
    reason: stopReason(call.reason),
    readings,
  };
}

function toConnectorState(call: StatusNotificationCall, now: Instant): StationEvent | PayloadFault {
  const connectorNumber = wholeNumber(call.connectorId);
  if (!isConnectorNumber(connectorNumber)) return connectorFault(connectorNumber);
  const fault = toFault(call);
  const at = eventTime(call.timestamp, now);
  return {
    kind: 'connector-state-changed',
    connectorNumber,
    state: connectorStateOf[call.status],
    ...(fault !== undefined && { fault }),
    ...(at !== undefined && { at }),
  };
}

/** An invented code counts as OtherError; what the station said is kept as the vendor's code, unless it gave one. */
function toFault(call: StatusNotificationCall): StationFault | undefined {
  if (call.errorCode === 'NoError') return undefined;
  const isStandard = Object.hasOwn(standardErrorCodes, call.errorCode);
  const info = optionalText(call.info);
  const vendorCode = optionalText(call.vendorErrorCode) ?? (isStandard ? undefined : optionalText(call.errorCode));
  return {
    code: isStandard ? call.errorCode : 'OtherError',
    ...(info !== undefined && { info }),
    ...(vendorCode !== undefined && { vendorCode }),
  };
}

/** OCPP 1.6, table 7.7. Connector 0 is the station itself and knows only Available, Unavailable and Faulted. */
const connectorStateOf: Readonly<Record<ConnectorStatus, ConnectorState>> = {
  Available: 'free',
  Preparing: 'plugged_in',
  Charging: 'charging',
  SuspendedEV: 'suspended',
  SuspendedEVSE: 'suspended',
  Finishing: 'finishing',
  Reserved: 'reserved',
  Unavailable: 'unavailable',
  Faulted: 'fault',
};

/** OCPP 1.6, section 7.6 ChargePointErrorCode. A record, so that the compiler sees a missing one. */
const standardErrorCodes: Readonly<Record<StationErrorCode, true>> = {
  ConnectorLockFailure: true,
  EVCommunicationError: true,
  GroundFailure: true,
  HighTemperature: true,
  InternalError: true,
  LocalListConflict: true,
  NoError: true,
  OtherError: true,
  OverCurrentFailure: true,
  OverVoltage: true,
  PowerMeterFailure: true,
  PowerSwitchFailure: true,
  ReaderFailure: true,
  ResetFailure: true,
  UnderVoltage: true,
  WeakSignal: true,
};

/** OCPP 1.6, section 7.36 Reason. */
const stopReasonOf: Readonly<Record<StopTransactionReason, StopReason>> = {
  DeAuthorized: 'card_deauthorized',
  EmergencyStop: 'emergency_stop',
  EVDisconnected: 'vehicle_disconnected',
  HardReset: 'hard_reset',
  Local: 'local',
  Other: 'other',
  PowerLoss: 'power_loss',
  Reboot: 'reboot',
  Remote: 'remote',
  SoftReset: 'soft_reset',
  UnlockCommand: 'unlock_command',
};

/** OCPP 1.6, section 6.49: "If omitted, the default is Local". */
function stopReason(reason: unknown): StopReason {
  if (reason === undefined || reason === null) return 'local';
  return typeof reason === 'string' && Object.hasOwn(stopReasonOf, reason)
    ? stopReasonOf[reason as StopTransactionReason]
    : 'other';
}

const firmwareStatuses: Readonly<Record<FirmwareStatus, string>> = {
  Downloaded: 'downloaded',
  DownloadFailed: 'download_failed',
  Downloading: 'downloading',
  DownloadPaused: 'download_paused',
  DownloadScheduled: 'download_scheduled',
  Idle: 'idle',
  InstallationFailed: 'installation_failed',
  Installed: 'installed',
  Installing: 'installing',
  InstallRebooting: 'install_rebooting',
  InstallScheduled: 'install_scheduled',
  InstallVerificationFailed: 'install_verification_failed',
  InvalidSignature: 'invalid_signature',
  SignatureVerified: 'signature_verified',
};

const diagnosticsStatuses: Readonly<Record<DiagnosticsStatus, string>> = {
  Idle: 'idle',
  Uploaded: 'uploaded',
  UploadFailed: 'upload_failed',
  Uploading: 'uploading',
};

const logStatuses: Readonly<Record<LogStatus, string>> = {
  BadMessage: 'bad_message',
  Idle: 'idle',
  NotSupportedOperation: 'not_supported',
  PermissionDenied: 'permission_denied',
  Uploaded: 'uploaded',
  UploadFailure: 'upload_failed',
  Uploading: 'uploading',
};

/** The answer of the business as the result of the call it belongs to. @throws Error when it answers another event. */
export function toResult(event: StationEvent, answer: EventAnswer, now: Instant): Payload {
  switch (event.kind) {
    case 'heartbeat':
      return { currentTime: toIso(now) } satisfies HeartbeatResult;
    case 'readings-taken':
    case 'connector-state-changed':
    case 'firmware-status-changed':
    case 'diagnostics-status-changed':
    case 'security-event-reported':
      return emptyResult;
    case 'certificate-requested':
      return { status: 'Rejected' } satisfies SignCertificateResult;
    case 'booted':
      if (answer.kind === 'boot') return toBootResult(answer, now);
      break;
    case 'authorization-requested':
      if (answer.kind === 'authorization') return { idTagInfo: toIdTagInfo(answer) } satisfies AuthorizeResult;
      break;
    case 'charge-started':
      if (answer.kind === 'charge-started') return toStartResult(answer);
      break;
    case 'charge-stopped':
      if (answer.kind === 'noted') return {};
      if (answer.kind === 'charge-stopped') return toStopResult(answer);
      break;
    case 'data-transferred':
      if (answer.kind === 'data-transferred') return toDataResult(answer);
      break;
    // No OCPP 1.6 call says these.
    case 'charge-requested':
    case 'charge-noted':
    case 'tariff-reported':
    case 'tariff-requested':
    case 'ground-lock-changed':
      break;
    default:
      return unreachable(event);
  }
  throw new Error(`${answer.kind} does not answer ${event.kind}`);
}

type AnswerOf<Kind extends EventAnswer['kind']> = Extract<EventAnswer, { kind: Kind }>;

function toBootResult(answer: AnswerOf<'boot'>, now: Instant): Payload {
  return {
    status: { accepted: 'Accepted' as const, pending: 'Pending' as const, rejected: 'Rejected' as const }[
      answer.decision
    ],
    currentTime: toIso(now),
    interval: answer.heartbeatSeconds,
  } satisfies BootNotificationResult;
}

/** @throws RangeError for a number that stations take for "none" (0, negative) or cannot store (over 32 bits). */
function toStartResult(answer: AnswerOf<'charge-started'>): Payload {
  const { transactionNumber } = answer;
  if (!Number.isInteger(transactionNumber) || transactionNumber < 1 || transactionNumber > transactionNumberMax) {
    throw new RangeError(`a transaction number must be 1 to ${transactionNumberMax}, got ${transactionNumber}`);
  }
  return { transactionId: transactionNumber, idTagInfo: toIdTagInfo(answer) } satisfies StartTransactionResult;
}

function toStopResult(answer: AnswerOf<'charge-stopped'>): Payload {
  if (answer.authorization === undefined) return {};
  return { idTagInfo: { status: idTagStatusOf[answer.authorization] } } satisfies StopTransactionResult;
}

function toDataResult(answer: AnswerOf<'data-transferred'>): Payload {
  const status = {
    accepted: 'Accepted' as const,
    rejected: 'Rejected' as const,
    unknown_message: 'UnknownMessageId' as const,
    unknown_vendor: 'UnknownVendorId' as const,
  }[answer.status];
  return { status, ...(answer.data !== undefined && { data: answer.data }) } satisfies DataTransferResult;
}

function toIdTagInfo(answer: { authorization: Authorization; parentCardNumber?: string; expiresAt?: Instant }) {
  const { authorization, parentCardNumber, expiresAt } = answer;
  const parent =
    parentCardNumber !== undefined && parentCardNumber.length <= idTagCharsMax ? parentCardNumber : undefined;
  return {
    status: idTagStatusOf[authorization],
    ...(expiresAt !== undefined && { expiryDate: toIso(expiresAt) }),
    ...(parent !== undefined && { parentIdTag: parent }),
  };
}

/** CiString20. A longer parent cannot be told; the station then compares the card alone. */
const idTagCharsMax = 20;

/** OCPP 1.6, section 7.2 AuthorizationStatus. It has no word for an empty balance. */
const idTagStatusOf: Readonly<Record<Authorization, IdTagStatus>> = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  unknown: 'Invalid',
  already_charging: 'ConcurrentTx',
  no_balance: 'Blocked',
  station_closed: 'Blocked',
  vehicle_unknown: 'Invalid',
  not_supported: 'Invalid',
};

/** Our call, and what its result means. */
export type OutgoingCall = {
  action: string;
  payload: Payload;
  /** What a result means; a result that breaks the schema is an outcome too. */
  outcomeOf: (payload: Payload) => CommandOutcome;
};

/** Null when the command cannot be said in OCPP 1.6: a field too long, a number out of range, a payload of no object. */
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

/** Entries are read one by one: a key without `readonly`, or with a number as value, is still a key. */
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

/** Keys are case-insensitive (CiString50, section 7.29). */
export function isPasswordKey(key: unknown): boolean {
  return typeof key === 'string' && key.toLowerCase() === 'authorizationkey';
}

/**
 * The password that the station will sign in with, from its next connection on, once it takes this command; null for
 * any other command. As the command has it: plain, or in hexadecimal.
 */
export function newPasswordOf(command: StationCommand): string | null {
  const call = toCall(command);
  if (call?.action !== 'ChangeConfiguration' || !isPasswordKey(call.payload.key)) return null;
  return typeof call.payload.value === 'string' ? call.payload.value : null;
}

/** Whether the station took a change of its configuration, by itself or as a raw call. */
export function isConfigurationTaken(outcome: CommandOutcome): boolean {
  if (outcome.kind === 'raw') {
    const { status } = isPayload(outcome.payload) ? outcome.payload : {};
    return status === 'Accepted' || status === 'RebootRequired';
  }
  return outcome.kind === 'accepted' || outcome.kind === 'reboot-required';
}

/** The command as it may be stored and shown: without passwords. */
export function withoutSecrets(command: StationCommand): StationCommand {
  if (command.kind === 'write-configuration' && isPasswordKey(command.key))
    return { ...command, value: blottedPassword };
  if (command.kind !== 'raw' || !isPayload(command.payload)) return command;
  return { ...command, payload: withoutPassword(command.action, command.payload) };
}

/** What replaces a station's password wherever a payload is shown or stored. */
export const blottedPassword = '***';

/** Calls that send a station to an address for or with a file (OCPP 1.6, sections 6.25 and 6.55). */
const actionsWithAddress: ReadonlySet<string> = new Set(['GetDiagnostics', 'UpdateFirmware']);
/** Who signs in at an address; a password that was not encoded may hold a slash, and a port is none. */
const signInOfAddress = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@|[^/?#:]*:(?!\d{1,5}(?:[/?#]|$))\S*@)/i;

/** The payload with the password of a station or of a file server blotted out, whichever side said it. */
export function withoutPassword(action: string, payload: Payload): Payload {
  if (actionsWithAddress.has(action) && typeof payload.location === 'string') {
    const location = payload.location.trim().replace(signInOfAddress, `$1${blottedPassword}@`);
    return location === payload.location ? payload : { ...payload, location };
  }
  if (action === 'ChangeConfiguration' && isPasswordKey(payload.key)) return { ...payload, value: blottedPassword };
  if (action !== 'GetConfiguration' || !Array.isArray(payload.configurationKey)) return payload;
  const entries: readonly unknown[] = payload.configurationKey;
  if (!entries.some((entry) => isPayload(entry) && isPasswordKey(entry.key) && entry.value !== undefined))
    return payload;
  const configurationKey = entries.map((entry) =>
    isPayload(entry) && isPasswordKey(entry.key) ? { ...entry, value: blottedPassword } : entry,
  );
  return { ...payload, configurationKey };
}

function connectorFault(connectorNumber: number | null): PayloadFault {
  const code = connectorNumber === null ? 'TypeConstraintViolation' : 'PropertyConstraintViolation';
  return payloadFault(code, `connectorId: must be a number from 0 to ${connectorNumberMax}`);
}

function isConnectorNumber(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= connectorNumberMax;
}

/** 0 for what is no 32-bit integer: the business has to find the charge by other marks, as for any unknown number. */
function transactionNumber(value: unknown): number {
  const number = wholeNumber(value);
  return number !== null && Math.abs(number) <= transactionNumberMax ? number : 0;
}

/** Numbers as text occur. Null when it is none. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

/** A register that should be a whole number of Wh; decimals and numbers as text occur. Null when it is no number. */
function toWattHours(value: unknown): WattHours | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return wattHours(value);
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const thousandths = readThousandths(String(value).trim(), 0);
  return thousandths === null ? null : wattHours(roundThousandths(thousandths));
}

/**
 * CiString: cards are compared without case, so they have one case from here on. Fixed-width fields come padded with
 * spaces, the number of a remote start that the station echoes as well.
 */
function cardNumber(idTag: string): string {
  return cleanText(idTag).trim().toUpperCase();
}

function optionalText(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = cleanText(value);
  return text === '' ? undefined : text;
}

/**
 * Without the NUL padding of C strings and without half characters (lone surrogates), neither of which a database's
 * texts and JSON hold, and not longer than anyone would read.
 */
function cleanText(value: string): string {
  return withoutNul(value.length > textCharsMax ? value.slice(0, textCharsMax) : value).toWellFormed();
}

function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value;
}
