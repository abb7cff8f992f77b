/** Answers of the business -> results. */
import type { Authorization } from '@voltdeck/charging/states';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { unreachable } from '@voltdeck/units/result';
import { emptyResult, type Payload } from './frame.ts';
import type {
  AuthorizeResult,
  BootNotificationResult,
  DataTransferResult,
  HeartbeatResult,
  IdTagStatus,
  SignCertificateResult,
  StartTransactionResult,
  StopTransactionResult,
} from './messages/from-station.ts';
import { transactionNumberMax } from './values.ts';

/** The answer of the business as the result of its call. @throws Error when it answers another event. */
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
    // No OCPP 1.6 call leads to these.
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

/** @throws RangeError for a number that stations treat as "none" (0, negative) or cannot store (over 32 bits). */
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

/** CiString20. A longer parent cannot be sent; the station then compares only the card. */
const idTagCharsMax = 20;

/** OCPP 1.6, section 7.2 AuthorizationStatus, which has no value for an empty balance. */
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
