/** The calls that we make: the core profile and TriggerMessage. Both the call and its answer are checked. */
import * as schemas from 'typed-ocpp/dist/ocpp16/schemas.js';
import type * as standard from 'typed-ocpp/dist/ocpp16/types.js';
import type { Payload } from '../frame.ts';
import { type PayloadCheck, payloadCheck, type Schema } from './payload-check.ts';

export type ToStationCalls = {
  ChangeAvailability: { request: standard.ChangeAvailabilityRequest; result: standard.ChangeAvailabilityResponse };
  ChangeConfiguration: { request: standard.ChangeConfigurationRequest; result: standard.ChangeConfigurationResponse };
  ClearCache: { request: standard.ClearCacheRequest; result: standard.ClearCacheResponse };
  DataTransfer: { request: standard.DataTransferRequest; result: standard.DataTransferResponse };
  GetConfiguration: { request: standard.GetConfigurationRequest; result: unknown };
  RemoteStartTransaction: {
    request: standard.RemoteStartTransactionRequest;
    result: standard.RemoteStartTransactionResponse;
  };
  RemoteStopTransaction: {
    request: standard.RemoteStopTransactionRequest;
    result: standard.RemoteStopTransactionResponse;
  };
  Reset: { request: standard.ResetRequest; result: standard.ResetResponse };
  TriggerMessage: { request: standard.TriggerMessageRequest; result: standard.TriggerMessageResponse };
  UnlockConnector: { request: standard.UnlockConnectorRequest; result: standard.UnlockConnectorResponse };
};
export type ToStationAction = keyof ToStationCalls;

const checks: Readonly<Record<ToStationAction, { request: PayloadCheck; result: PayloadCheck }>> = {
  ChangeAvailability: both(schemas.ChangeAvailabilityRequest, schemas.ChangeAvailabilityResponse),
  ChangeConfiguration: both(schemas.ChangeConfigurationRequest, schemas.ChangeConfigurationResponse),
  ClearCache: both(schemas.ClearCacheRequest, schemas.ClearCacheResponse),
  DataTransfer: both(schemas.DataTransferRequest, schemas.DataTransferResponse),
  GetConfiguration: {
    request: payloadCheck(schemas.GetConfigurationRequest),
    result: payloadCheck(schemas.GetConfigurationResponse, [
      {
        field: 'configurationKey',
        allows: 'any-value',
        because: 'entries are read one by one; a broken one is left out',
      },
      { field: 'unknownKey', allows: 'any-value', because: 'as configurationKey' },
    ]),
  },
  RemoteStartTransaction: both(schemas.RemoteStartTransactionRequest, schemas.RemoteStartTransactionResponse),
  RemoteStopTransaction: both(schemas.RemoteStopTransactionRequest, schemas.RemoteStopTransactionResponse),
  Reset: both(schemas.ResetRequest, schemas.ResetResponse),
  TriggerMessage: both(schemas.TriggerMessageRequest, schemas.TriggerMessageResponse),
  UnlockConnector: both(schemas.UnlockConnectorRequest, schemas.UnlockConnectorResponse),
};

function both(request: Schema, result: Schema): { request: PayloadCheck; result: PayloadCheck } {
  return { request: payloadCheck(request), result: payloadCheck(result) };
}

export function isToStation(action: string): action is ToStationAction {
  return Object.hasOwn(checks, action);
}

export function checkToStation(action: ToStationAction, payload: Payload): ReturnType<PayloadCheck> {
  return checks[action].request(payload);
}

export function checkStationResult(action: ToStationAction, payload: Payload): ReturnType<PayloadCheck> {
  return checks[action].result(payload);
}
