/** Tells a logged exchange in our own words. */
import type { Authorization } from '@voltdeck/charging/states';
import type { AskedOutcome, LoggedTexts, ToldExchange } from '@voltdeck/charging/told-exchange';
import { actionOf } from './exchanges.ts';
import { emptyRemainder, readFrames, readMessage } from './frame.ts';
import { fromHex } from './hex.ts';
import { definitions, type Message } from './messages/all.ts';
import { applicationRefusal } from './messages/charging.ts';
import { codeOf, type Enumeration, meaningOf } from './messages/field.ts';
import { loginResult } from './messages/session.ts';
import { connectorNumberOf } from './translate.ts';
import { startOutcome, stopOutcome } from './translate-commands.ts';

/** The frame types that `tellExchange` has words for. */
export const toldActions: readonly string[] = (
  [
    'login',
    'charge-application',
    'parallel-charge-application',
    'remote-start',
    'remote-parallel-start',
    'remote-stop',
    'transaction-record',
  ] as const
).map((kind) => actionOf(definitions[kind].type));

/** Null for what cannot be read, and for frames that no story needs. */
export function tellExchange({ request, answer }: LoggedTexts): ToldExchange | null {
  const asked = messageIn(request);
  const replied = answer === null ? null : messageIn(answer);
  switch (asked?.kind) {
    case 'login':
      return {
        kind: 'booted',
        isAccepted: replied?.kind === 'login-answer' && replied.result === codeOf(loginResult, 'ok'),
      };
    case 'charge-application':
    case 'parallel-charge-application':
      return {
        kind: 'card-shown',
        connectorNumber: connectorNumberOf(asked),
        cardNumber: asked.account,
        authorization: authorizationIn(replied),
      };
    case 'transaction-record':
      return {
        kind: 'ended',
        connectorNumber: connectorNumberOf(asked),
        transaction: asked.tradeNo,
        isAnswered: replied !== null,
      };
    case 'remote-start':
    case 'remote-parallel-start':
      return { kind: 'start-asked', connectorNumber: asked.gunNo, outcome: outcomeOf(replied) };
    case 'remote-stop':
      return { kind: 'stop-asked', connectorNumber: asked.gunNo, transaction: null, outcome: outcomeOf(replied) };
    default:
      return null;
  }
}

function messageIn(text: string): Message | null {
  const bytes = fromHex(text);
  const frame = bytes === null ? undefined : readFrames(emptyRemainder, bytes).frames[0];
  const message = frame === undefined ? null : readMessage(frame);
  return message === null || message.kind === 'fault' ? null : message;
}

function outcomeOf(replied: Message | null): AskedOutcome {
  switch (replied?.kind) {
    case 'remote-start-reply':
    case 'remote-parallel-start-reply':
      return askedOutcome(startOutcome(replied));
    case 'remote-stop-reply':
      return askedOutcome(stopOutcome(replied));
    default:
      return { kind: 'unanswered' };
  }
}

function askedOutcome(outcome: ReturnType<typeof startOutcome>): AskedOutcome {
  return outcome.kind === 'rejected' ? { kind: 'refused', reason: outcome.reason ?? null } : outcome;
}

function authorizationIn(replied: Message | null): Authorization | null {
  if (replied?.kind !== 'charge-application-answer' && replied?.kind !== 'parallel-charge-application-answer') {
    return null;
  }
  if (replied.authOk === 1) return 'accepted';
  const refusal = meaningOf(applicationRefusal, replied.failReason);
  return refusal === null ? 'blocked' : authorizations[refusal];
}

type Refusal = typeof applicationRefusal extends Enumeration<infer Key> ? Key : never;

/** 0x32, failReason, whoever wrote it. */
const authorizations: Readonly<Record<Refusal, Authorization>> = {
  none: 'blocked',
  'account-unknown': 'unknown',
  'account-frozen': 'blocked',
  'insufficient-balance': 'no_balance',
  'card-unsettled': 'already_charging',
  'pile-disabled': 'station_closed',
  'account-not-allowed-here': 'blocked',
  'wrong-password': 'blocked',
  'capacity-insufficient': 'station_closed',
  'vin-unknown': 'vehicle_unknown',
  'pile-unsettled': 'station_closed',
  'cards-not-supported': 'not_supported',
};
