/** Tells a logged exchange in our own words. */
import type { Authorization } from '@voltdeck/charging/states';
import type { AskedOutcome, LoggedTexts, ToldExchange } from '@voltdeck/charging/told-exchange';
import type { Instant } from '@voltdeck/units/instant';
import { isPayload, type Payload, readFrame } from './frame.ts';
import { checkFromStation, type IdTagStatus, isFromStation } from './messages/from-station.ts';
import { toEvent } from './translate.ts';
import { isConnectorNumber } from './values.ts';

/** The calls that `tellExchange` has words for. */
export const toldActions = [
  'Authorize',
  'BootNotification',
  'RemoteStartTransaction',
  'RemoteStopTransaction',
  'StartTransaction',
  'StatusNotification',
  'StopTransaction',
] as const;

/** Null for what cannot be read, and for calls that no story needs. `at` is when the call was logged. */
export function tellExchange({ direction, request, answer }: LoggedTexts, at: Instant): ToldExchange | null {
  const call = readFrame(request);
  if (call.kind !== 'call') return null;
  const reply = answer === null ? null : readFrame(answer);
  const result = reply?.kind === 'result' ? reply.payload : null;
  if (direction === 'to-station') return tellAsked(call, answer === null, result);
  const { action, payload } = call;
  if (!isFromStation(action) || checkFromStation(action, payload) !== null) return null;
  const event = toEvent(action, payload, at);
  switch (event.kind) {
    case 'booted':
      return { kind: 'booted', isAccepted: result?.status === 'Accepted' };
    case 'authorization-requested':
      return {
        kind: 'card-shown',
        connectorNumber: null,
        cardNumber: event.cardNumber,
        authorization: authorizationIn(result),
      };
    case 'charge-started':
      return { kind: 'began', connectorNumber: event.connectorNumber, transaction: transactionIn(result) };
    case 'charge-stopped':
      return { kind: 'ended', connectorNumber: null, transaction: event.transaction, isAnswered: result !== null };
    case 'connector-state-changed':
      if (event.connectorNumber === 0) return null;
      return {
        kind: 'port-changed',
        connectorNumber: event.connectorNumber,
        state: event.state,
        faultCode: event.fault?.code ?? null,
      };
    default:
      return null;
  }
}

function tellAsked(
  { action, payload }: { action: string; payload: Payload },
  isUnanswered: boolean,
  result: Payload | null,
): ToldExchange | null {
  const outcome: AskedOutcome = isUnanswered
    ? { kind: 'unanswered' }
    : result?.status === 'Accepted'
      ? { kind: 'accepted' }
      : { kind: 'refused', reason: null };
  const { connectorId } = payload;
  const connectorNumber = typeof connectorId === 'number' && isConnectorNumber(connectorId) ? connectorId : null;
  if (action === 'RemoteStartTransaction') return { kind: 'start-asked', connectorNumber, outcome };
  if (action !== 'RemoteStopTransaction') return null;
  return { kind: 'stop-asked', connectorNumber: null, transaction: transactionIn(payload), outcome };
}

function transactionIn(payload: Payload | null): number | null {
  return typeof payload?.transactionId === 'number' ? payload.transactionId : null;
}

function authorizationIn(result: Payload | null): Authorization | null {
  const info = result?.idTagInfo;
  if (!isPayload(info)) return null;
  return authorizations[info.status as IdTagStatus] ?? null;
}

/** OCPP says "Blocked" for an empty balance as well; whoever tells it looks at the card. */
const authorizations: Readonly<Record<IdTagStatus, Authorization>> = {
  Accepted: 'accepted',
  Blocked: 'blocked',
  Expired: 'expired',
  Invalid: 'unknown',
  ConcurrentTx: 'already_charging',
};
