/**
 * The calls that a station may make: the core profile, the two status reports of firmware management, and those of the
 * security extension (OCPP 1.6 security whitepaper, edition 3).
 */
import * as schemas from 'typed-ocpp/dist/ocpp16/schemas.js';
import type * as standard from 'typed-ocpp/dist/ocpp16/types.js';
import type { Payload } from '../frame.ts';
import { type Leniency, type PayloadCheck, payloadCheck, type Schema } from './payload-check.ts';

export type FromStationAction =
  | 'Authorize'
  | 'BootNotification'
  | 'DataTransfer'
  | 'DiagnosticsStatusNotification'
  | 'FirmwareStatusNotification'
  | 'Heartbeat'
  | 'LogStatusNotification'
  | 'MeterValues'
  | 'SecurityEventNotification'
  | 'SignCertificate'
  | 'SignedFirmwareStatusNotification'
  | 'StartTransaction'
  | 'StatusNotification'
  | 'StopTransaction';

const unusableTime =
  'clocks without a zone, at 1970 or in the future occur: the time is then unusable, the message not';

const numberAsText = (field: string): Leniency => ({
  field,
  allows: 'any-value',
  because: 'numbers as text occur; translation judges what is left',
});

const overlong = (field: string): Leniency => ({
  field,
  allows: 'any-length',
  because: 'vendors, models and serial numbers of 26 to 34 characters are on the market',
});

const checks: Readonly<Record<FromStationAction, PayloadCheck>> = {
  Authorize: payloadCheck(schemas.AuthorizeRequest),
  BootNotification: payloadCheck(schemas.BootNotificationRequest, [
    overlong('chargePointVendor'),
    overlong('chargePointModel'),
    overlong('chargePointSerialNumber'),
    overlong('chargeBoxSerialNumber'),
    overlong('firmwareVersion'),
    overlong('iccid'),
    overlong('imsi'),
    overlong('meterType'),
    overlong('meterSerialNumber'),
  ]),
  DataTransfer: payloadCheck(schemas.DataTransferRequest),
  DiagnosticsStatusNotification: payloadCheck(schemas.DiagnosticsStatusNotificationRequest),
  FirmwareStatusNotification: payloadCheck(schemas.FirmwareStatusNotificationRequest),
  Heartbeat: payloadCheck(schemas.HeartbeatRequest),
  LogStatusNotification: payloadCheck(withStatuses(schemas.LogStatusNotificationRequest, 'UploadLogStatusEnumType')),
  MeterValues: payloadCheck(
    { ...schemas.MeterValuesRequest, properties: { ...schemas.MeterValuesRequest.properties, meterValue: anyList() } },
    [numberAsText('connectorId'), numberAsText('transactionId')],
  ),
  SecurityEventNotification: payloadCheck(schemas.SecurityEventNotificationRequest, [
    overlong('type'),
    { field: 'timestamp', allows: 'any-value', because: unusableTime },
    overlong('techInfo'),
  ]),
  SignCertificate: payloadCheck(schemas.SignCertificateRequest),
  SignedFirmwareStatusNotification: payloadCheck(
    withStatuses(schemas.SignedFirmwareStatusNotificationRequest, 'FirmwareStatusEnumType'),
  ),
  StartTransaction: payloadCheck(schemas.StartTransactionRequest, [
    numberAsText('connectorId'),
    { field: 'idTag', allows: 'any-length', because: 'a start always gets a transaction, whoever asked for it' },
    { field: 'meterStart', allows: 'any-value', because: 'registers with decimals and as text occur' },
    { field: 'timestamp', allows: 'any-value', because: unusableTime },
  ]),
  StatusNotification: payloadCheck(schemas.StatusNotificationRequest, [
    numberAsText('connectorId'),
    { field: 'errorCode', allows: 'any-text', because: 'firmware invents error codes: they count as OtherError' },
    { field: 'timestamp', allows: 'any-value', because: unusableTime },
    { field: 'info', allows: 'any-length', because: 'a technician wants the text, not its limit' },
    { field: 'vendorErrorCode', allows: 'any-length', because: 'as info' },
  ]),
  /** Never refused: a station repeats a refused stop for ever. Translation takes what is readable. */
  StopTransaction: () => null,
};

/** The schema with its list of statuses inlined. */
function withStatuses(schema: Schema & { definitions: Readonly<Record<string, Schema>> }, statuses: string): Schema {
  return { ...schema, properties: { ...schema.properties, status: schema.definitions[statuses] ?? {} } };
}

/** Readings are checked one by one in translation, so that a broken one does not spoil the others. */
function anyList(): { type: 'array' } {
  return { type: 'array' };
}

export function isFromStation(action: string): action is FromStationAction {
  return Object.hasOwn(checks, action);
}

export function checkFromStation(action: FromStationAction, payload: Payload): ReturnType<PayloadCheck> {
  return checks[action](payload);
}

/** A payload that passed its check: optional fields may be null, which counts as absent. */
export type Checked<Request> = {
  readonly [Field in keyof Request]: undefined extends Request[Field] ? Request[Field] | null : Request[Field];
};

type Loosened<Request, Field extends keyof Request, Value> = Omit<Request, Field> & { [F in Field]: Value };

export type AuthorizeCall = Checked<standard.AuthorizeRequest>;
export type BootNotificationCall = Checked<standard.BootNotificationRequest>;
export type DataTransferCall = Checked<standard.DataTransferRequest>;
export type DiagnosticsStatusCall = Checked<standard.DiagnosticsStatusNotificationRequest>;
export type FirmwareStatusCall = Checked<standard.FirmwareStatusNotificationRequest>;
export type LogStatusCall = Checked<standard.LogStatusNotificationRequest>;
export type SecurityEventCall = Checked<Loosened<standard.SecurityEventNotificationRequest, 'timestamp', unknown>>;
export type SignCertificateCall = Checked<standard.SignCertificateRequest>;
export type SignedFirmwareStatusCall = Checked<standard.SignedFirmwareStatusNotificationRequest>;
export type MeterValuesCall = { connectorId: unknown; transactionId?: unknown; meterValue: readonly unknown[] };
export type StartTransactionCall = Checked<
  Loosened<standard.StartTransactionRequest, 'connectorId' | 'meterStart' | 'timestamp', unknown>
>;
export type StatusNotificationCall = Checked<
  Omit<standard.StatusNotificationRequest, 'connectorId' | 'errorCode' | 'timestamp'> & {
    connectorId: unknown;
    errorCode: string;
    timestamp?: unknown;
  }
>;
/** Unchecked on purpose. */
export type StopTransactionCall = { readonly [Field in keyof standard.StopTransactionRequest]?: unknown };

export type ConnectorStatus = standard.StatusNotificationRequest['status'];
export type StopTransactionReason = NonNullable<standard.StopTransactionRequest['reason']>;
export type FirmwareStatus =
  | standard.FirmwareStatusNotificationRequest['status']
  | standard.SignedFirmwareStatusNotificationRequest['status'];
export type DiagnosticsStatus = standard.DiagnosticsStatusNotificationRequest['status'];
export type LogStatus = standard.LogStatusNotificationRequest['status'];
export type IdTagStatus = standard.AuthorizeResponse['idTagInfo']['status'];
export type StationErrorCode = standard.StatusNotificationRequest['errorCode'];
export type AuthorizeResult = standard.AuthorizeResponse;
export type BootNotificationResult = standard.BootNotificationResponse;
export type DataTransferResult = standard.DataTransferResponse;
export type HeartbeatResult = standard.HeartbeatResponse;
export type SignCertificateResult = standard.SignCertificateResponse;
export type StartTransactionResult = standard.StartTransactionResponse;
export type StopTransactionResult = standard.StopTransactionResponse;
