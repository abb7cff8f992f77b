/**
 * With meter-values.ts, translate-answers.ts and translate-commands.ts the only place that knows both the words of OCPP
 * 1.6 and ours: a station's calls -> events, answers -> results, commands -> our calls, a station's results ->
 * outcomes.
 */
import { isPossible } from '@voltdeck/charging/meter-limits';
import type { ConnectorState, StopReason } from '@voltdeck/charging/states';
import type {
  ChargeStarted,
  ChargeStopped,
  StationEvent,
  StationFault,
  StationIdentity,
} from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import { unreachable } from '@voltdeck/units/result';
import type { Payload } from './frame.ts';
import type {
  AuthorizeCall,
  BootNotificationCall,
  ConnectorStatus,
  DataTransferCall,
  DiagnosticsStatus,
  DiagnosticsStatusCall,
  FirmwareStatus,
  FirmwareStatusCall,
  FromStationAction,
  LogStatus,
  LogStatusCall,
  MeterValuesCall,
  SecurityEventCall,
  SignCertificateCall,
  SignedFirmwareStatusCall,
  StartTransactionCall,
  StationErrorCode,
  StatusNotificationCall,
  StopTransactionCall,
  StopTransactionReason,
} from './messages/from-station.ts';
import { type PayloadFault, payloadFault } from './messages/payload-check.ts';
import { toReadings } from './meter-values.ts';
import { eventTime, stationTime } from './station-time.ts';
import {
  cardNumber,
  cleanText,
  connectorNumberMax,
  isConnectorNumber,
  optionalText,
  toWattHours,
  transactionNumber,
  wholeNumber,
  withoutNul,
} from './values.ts';

/**
 * The event of a station's call. `payload` has passed `checkFromStation`; what a schema cannot check is checked here. A
 * stop is never refused for its format. Unusable values are left out and added to `unusable`, for the log.
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

/** An invented code counts as OtherError; the original is kept as the vendor's code, unless the station sent one. */
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

/** OCPP 1.6, table 7.7. Connector 0 is the station itself and has only Available, Unavailable and Faulted. */
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

/** OCPP 1.6, section 7.6 ChargePointErrorCode. A record, so that the compiler notices a missing one. */
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

function connectorFault(connectorNumber: number | null): PayloadFault {
  const code = connectorNumber === null ? 'TypeConstraintViolation' : 'PropertyConstraintViolation';
  return payloadFault(code, `connectorId: must be a number from 0 to ${connectorNumberMax}`);
}
