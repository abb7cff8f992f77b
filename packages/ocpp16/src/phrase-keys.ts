/** The phrase keys for the parts of an OCPP 1.6 frame. */

/** Every action of OCPP 1.6 (edition 2) and of the security whitepaper. */
export const actions = [
  'Authorize',
  'BootNotification',
  'CancelReservation',
  'CertificateSigned',
  'ChangeAvailability',
  'ChangeConfiguration',
  'ClearCache',
  'ClearChargingProfile',
  'DataTransfer',
  'DeleteCertificate',
  'DiagnosticsStatusNotification',
  'ExtendedTriggerMessage',
  'FirmwareStatusNotification',
  'GetCompositeSchedule',
  'GetConfiguration',
  'GetDiagnostics',
  'GetInstalledCertificateIds',
  'GetLocalListVersion',
  'GetLog',
  'Heartbeat',
  'InstallCertificate',
  'LogStatusNotification',
  'MeterValues',
  'RemoteStartTransaction',
  'RemoteStopTransaction',
  'ReserveNow',
  'Reset',
  'SecurityEventNotification',
  'SendLocalList',
  'SetChargingProfile',
  'SignCertificate',
  'SignedFirmwareStatusNotification',
  'SignedUpdateFirmware',
  'StartTransaction',
  'StatusNotification',
  'StopTransaction',
  'TriggerMessage',
  'UnlockConnector',
  'UpdateFirmware',
] as const;
export type KnownAction = (typeof actions)[number];

/** Every field of their payloads, at any depth. */
export const fields = [
  'certificate',
  'certificateChain',
  'certificateHashData',
  'certificateType',
  'chargeBoxSerialNumber',
  'chargePointModel',
  'chargePointSerialNumber',
  'chargePointVendor',
  'chargingProfile',
  'chargingProfileId',
  'chargingProfileKind',
  'chargingProfilePurpose',
  'chargingRateUnit',
  'chargingSchedule',
  'chargingSchedulePeriod',
  'configurationKey',
  'connectorId',
  'context',
  'csChargingProfiles',
  'csr',
  'currentTime',
  'data',
  'duration',
  'errorCode',
  'expiryDate',
  'fileName',
  'filename',
  'firmware',
  'firmwareVersion',
  'format',
  'iccid',
  'id',
  'idTag',
  'idTagInfo',
  'imsi',
  'info',
  'interval',
  'key',
  'limit',
  'listVersion',
  'localAuthorizationList',
  'location',
  'log',
  'logType',
  'measurand',
  'messageId',
  'meterSerialNumber',
  'meterStart',
  'meterStop',
  'meterType',
  'meterValue',
  'minChargingRate',
  'numberPhases',
  'parentIdTag',
  'phase',
  'readonly',
  'reason',
  'recurrencyKind',
  'requestId',
  'requestedMessage',
  'reservationId',
  'retries',
  'retrieveDate',
  'retryInterval',
  'sampledValue',
  'scheduleStart',
  'stackLevel',
  'startPeriod',
  'startSchedule',
  'startTime',
  'status',
  'stopTime',
  'techInfo',
  'timestamp',
  'transactionData',
  'transactionId',
  'type',
  'unit',
  'unknownKey',
  'updateType',
  'validFrom',
  'validTo',
  'value',
  'vendorErrorCode',
  'vendorId',
] as const;
export type KnownField = (typeof fields)[number];

/** The values that the standard defines for fields. A field name has the same values in every message. */
export const enumerations = {
  chargingProfileKind: ['Absolute', 'Recurring', 'Relative'],
  chargingProfilePurpose: ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'],
  chargingRateUnit: ['A', 'W'],
  context: [
    'Interruption.Begin',
    'Interruption.End',
    'Other',
    'Sample.Clock',
    'Sample.Periodic',
    'Transaction.Begin',
    'Transaction.End',
    'Trigger',
  ],
  errorCode: [
    'ConnectorLockFailure',
    'EVCommunicationError',
    'GroundFailure',
    'HighTemperature',
    'InternalError',
    'LocalListConflict',
    'NoError',
    'OtherError',
    'OverCurrentFailure',
    'OverVoltage',
    'PowerMeterFailure',
    'PowerSwitchFailure',
    'ReaderFailure',
    'ResetFailure',
    'UnderVoltage',
    'WeakSignal',
  ],
  format: ['Raw', 'SignedData'],
  location: ['Body', 'Cable', 'EV', 'Inlet', 'Outlet'],
  measurand: [
    'Current.Export',
    'Current.Import',
    'Current.Offered',
    'Energy.Active.Export.Interval',
    'Energy.Active.Export.Register',
    'Energy.Active.Import.Interval',
    'Energy.Active.Import.Register',
    'Energy.Reactive.Export.Interval',
    'Energy.Reactive.Export.Register',
    'Energy.Reactive.Import.Interval',
    'Energy.Reactive.Import.Register',
    'Frequency',
    'Power.Active.Export',
    'Power.Active.Import',
    'Power.Factor',
    'Power.Offered',
    'Power.Reactive.Export',
    'Power.Reactive.Import',
    'RPM',
    'SoC',
    'Temperature',
    'Voltage',
  ],
  phase: ['L1', 'L1-L2', 'L1-N', 'L2', 'L2-L3', 'L2-N', 'L3', 'L3-L1', 'L3-N', 'N'],
  reason: [
    'DeAuthorized',
    'EVDisconnected',
    'EmergencyStop',
    'HardReset',
    'Local',
    'Other',
    'PowerLoss',
    'Reboot',
    'Remote',
    'SoftReset',
    'UnlockCommand',
  ],
  recurrencyKind: ['Daily', 'Weekly'],
  status: [
    'Accepted',
    'Available',
    'Blocked',
    'Charging',
    'ConcurrentTx',
    'DownloadFailed',
    'Downloaded',
    'Downloading',
    'Expired',
    'Failed',
    'Faulted',
    'Finishing',
    'Idle',
    'InstallationFailed',
    'Installed',
    'Installing',
    'Invalid',
    'NotImplemented',
    'NotSupported',
    'Occupied',
    'Pending',
    'Preparing',
    'RebootRequired',
    'Rejected',
    'Reserved',
    'Scheduled',
    'SuspendedEV',
    'SuspendedEVSE',
    'Unavailable',
    'Unknown',
    'UnknownMessageId',
    'UnknownVendorId',
    'UnlockFailed',
    'Unlocked',
    'UploadFailed',
    'Uploaded',
    'Uploading',
    'VersionMismatch',
  ],
  type: ['Hard', 'Inoperative', 'Operative', 'Soft'],
  unit: [
    'A',
    'Celcius',
    'Celsius',
    'Fahrenheit',
    'K',
    'Percent',
    'V',
    'VA',
    'W',
    'Wh',
    'kVA',
    'kW',
    'kWh',
    'kvar',
    'kvarh',
    'var',
    'varh',
  ],
  updateType: ['Differential', 'Full'],
} as const satisfies Readonly<Partial<Record<KnownField, readonly string[]>>>;
export type KnownValue = (typeof enumerations)[keyof typeof enumerations][number];

/**
 * Error codes of OCPP-J 1.6, table 7, with two alternative spellings of stations that follow the text rather than the
 * schema.
 */
export const knownErrorCodes = [
  'FormatViolation',
  'FormationViolation',
  'GenericError',
  'InternalError',
  'NotImplemented',
  'NotSupported',
  'OccurenceConstraintViolation',
  'OccurrenceConstraintViolation',
  'PropertyConstraintViolation',
  'ProtocolError',
  'SecurityError',
  'TypeConstraintViolation',
] as const;

export const messageTypes = ['call', 'result', 'error'] as const;

/** The parts of a frame around its payload. */
export const frameParts = [
  'messageType',
  'messageId',
  'action',
  'errorCode',
  'errorDescription',
  'unreadable',
  'unexplained',
] as const;

export const explanationFaults = [
  'too-long',
  'not-json',
  'too-deep',
  'not-a-frame',
  'bad-id',
  'bad-action',
  'bad-payload',
] as const;
export type ExplanationFault = (typeof explanationFaults)[number];

export type OcppPhraseKey =
  | `ocpp.message.${KnownAction}`
  | `ocpp.field.${KnownField}`
  | `ocpp.value.${KnownValue}`
  | `ocpp.error.${(typeof knownErrorCodes)[number]}`
  | `ocpp.type.${(typeof messageTypes)[number]}`
  | `ocpp.part.${(typeof frameParts)[number]}`
  | `ocpp.fault.${ExplanationFault}`;

const actionSet: ReadonlySet<string> = new Set(actions);
const fieldSet: ReadonlySet<string> = new Set(fields);
const errorSet: ReadonlySet<string> = new Set(knownErrorCodes);
const valueSets: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(enumerations).map(([field, values]) => [field, new Set<string>(values)]),
);

/** Null for an unknown action. */
export function messageKey(action: string): string | null {
  return actionSet.has(action) ? `ocpp.message.${action}` : null;
}

/** Null for a vendor's own field. */
export function fieldKey(field: string): string | null {
  return fieldSet.has(field) ? `ocpp.field.${field}` : null;
}

/** The meaning of `value` in the field; null if the standard does not list it. */
export function meaningKey(field: string, value: string): string | null {
  if (field === 'requestedMessage') return messageKey(value);
  return valueSets.get(field)?.has(value) === true ? `ocpp.value.${value}` : null;
}

export function errorKey(code: string): string | null {
  return errorSet.has(code) ? `ocpp.error.${code}` : null;
}

export function typeKey(type: (typeof messageTypes)[number]): string {
  return `ocpp.type.${type}`;
}

export function partKey(part: (typeof frameParts)[number]): string {
  return `ocpp.part.${part}`;
}

export function faultKey(fault: ExplanationFault): string {
  return `ocpp.fault.${fault}`;
}
