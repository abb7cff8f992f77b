/** When to call, when to call again, and what a call means: the rules of sections 2.8, 2.9, 3, 5 and 6 as decisions. */
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  minuteMs,
  parseShanghaiDate,
  secondMs,
  shanghaiDayStart,
  shanghaiTimeOfDayMs,
} from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type RetCode, retCodes, seqMax } from './envelope.ts';
import type { InterfaceName } from './messages/all.ts';
import { tokenSecondsMax } from './messages/business.ts';
import type { PartnerProfile } from './profile.ts';
import { writeTimeStamp } from './shanghai-text.ts';

/** The order in which a request is examined (section 2.8). Nothing is decrypted before the caller has proven itself. */
export const requestChecks = [
  'size',
  'envelope',
  'operator',
  'signature',
  'token',
  'time',
  'replay',
  'content',
  'fields',
] as const;
export type RequestCheck = (typeof requestChecks)[number];

const retOfCheck: Readonly<Record<RequestCheck, RetCode>> = {
  size: retCodes.parameters,
  envelope: retCodes.parameters,
  operator: retCodes.parameters,
  signature: retCodes.signature,
  token: retCodes.token,
  time: retCodes.parameters,
  replay: retCodes.parameters,
  content: retCodes.parameters,
  fields: retCodes.business,
};

export type RequestDecision =
  | { kind: 'check'; check: RequestCheck }
  | { kind: 'refuse'; check: RequestCheck; ret: RetCode }
  | { kind: 'handle' };

/**
 * What to do next with a request.
 * @param passed the checks that were made, and whether the request passed them
 */
export function decideRequest(
  interfaceName: InterfaceName,
  passed: { readonly [Check in RequestCheck]?: boolean },
): RequestDecision {
  for (const check of requestChecks) {
    if (check === 'token' && interfaceName === 'query_token') continue;
    if (passed[check] === undefined) return { kind: 'check', check };
    if (!passed[check]) return { kind: 'refuse', check, ret: retOfCheck[check] };
  }
  return { kind: 'handle' };
}

/** Whether a request's TimeStamp is near enough to our clock. */
export function isInTimeWindow(sentAt: Instant | null, now: Instant, { timeWindowMs }: PartnerProfile): boolean {
  return sentAt !== null && Math.abs(sentAt - now) <= timeWindowMs;
}

/** How long the signed envelope of a request must be remembered, so that it cannot be sent again. */
export function replayMemoryMs({ timeWindowMs }: PartnerProfile): number {
  return 2 * timeWindowMs;
}

/** What to do with the answer to a call of ours. */
export type AfterAnswer = 'read' | 'refresh-token' | 'retry' | 'ask-status' | 'give-up';

/** Calls whose outcome must be asked for after a silence: sent again, they might act twice. */
const acting: ReadonlySet<InterfaceName> = new Set(['query_start_charge', 'query_stop_charge']);

/** Bills, which are told until they are confirmed: whatever refuses one may be mended on either side. */
const untilConfirmed: ReadonlySet<InterfaceName> = new Set([
  'notification_charge_order_info',
  'notification_charge_order_info_for_bonus',
  'supervise_notification_charge_order_info',
]);

/**
 * @param answer.ret null when none came, or none that could be verified
 * @param answer.isTokenNew whether the token was already refreshed for this call
 */
export function decideAfterAnswer(
  interfaceName: InterfaceName,
  { ret, isTokenNew }: { ret: number | null; isTokenNew: boolean },
): AfterAnswer {
  switch (ret) {
    case retCodes.success:
      return 'read';
    case retCodes.token:
      if (!isTokenNew && interfaceName !== 'query_token') return 'refresh-token';
      return untilConfirmed.has(interfaceName) ? 'retry' : 'give-up';
    case retCodes.signature:
    case retCodes.parameters:
    case retCodes.business:
      return untilConfirmed.has(interfaceName) ? 'retry' : 'give-up';
    default:
      return acting.has(interfaceName) ? 'ask-status' : 'retry';
  }
}

/** StartChargeSeqStat. */
export const chargeStages = { starting: 1, charging: 2, stopping: 3, ended: 4, unknown: 5 } as const;
export type ChargeStage = (typeof chargeStages)[keyof typeof chargeStages];

/** A charge only goes on: 1, 2, 3, 4. `unknown` tells nothing, and anything may follow it. */
export function mayMove(from: ChargeStage | null, to: ChargeStage): boolean {
  if (to === chargeStages.unknown) return from === null;
  return from === null || from === chargeStages.unknown || to > from;
}

/** How soon the result of a start or stop, and the order after the end, must be told (a municipal rule set). */
export const resultDueMs = 50 * secondMs;
export const orderDueMs = 150 * secondMs;
/** How often the state of a running charge is pushed. */
export const statusPushIntervalMs = 50 * secondMs;

/** Before the n-th repetition of an order that was not confirmed, n from 1. There is no last one: money waits for it. */
export function orderRetryDelayMs(attempt: number): number {
  const delayS = orderRetryDelaysS[Math.max(Math.trunc(attempt), 1) - 1];
  return (delayS ?? orderRetryDelayMaxS) * secondMs;
}

const orderRetryDelaysS: readonly number[] = [150, 300, 600, 1_200, 1_800];
const orderRetryDelayMaxS = 3_600;

/** "More than three times, about a minute apart" (102.4). */
export const notifyRetriesMax = 4;

/** Before the n-th repetition of any other push, n from 1; null when it is given up. */
export function notifyRetryDelayMs(attempt: number): number | null {
  return attempt > notifyRetriesMax ? null : minuteMs;
}

/** When to ask for the state of a charge if nothing is heard of it: a minute after its start, then three pushes. */
export const pollAfterMs = { start: 60 * secondMs, push: 3 * statusPushIntervalMs } as const;

export function pollDueAt({ startedAt, heardAt }: { startedAt: Instant; heardAt: Instant | null }): Instant {
  return instant(heardAt === null ? startedAt + pollAfterMs.start : heardAt + pollAfterMs.push);
}

/** The last number that a second had; `second` counts seconds since 1970. */
export type SequenceMemory = { second: number; seq: number };

/**
 * The next Seq, with the second that its TimeStamp must name. A clock that goes back and a second that is used up stay
 * on the safe side: no number is given twice.
 * @param first the number that a second begins with: two callers who ask for a token in the same second would otherwise
 * send the same envelope, and one of them would be refused as a replay
 */
export function sequenceOf(previous: SequenceMemory | null, at: Instant, first = 1): SequenceMemory {
  const now = Math.floor(at / secondMs);
  if (previous === null || now > previous.second) return { second: now, seq: first };
  if (previous.seq < seqMax) return { second: previous.second, seq: previous.seq + 1 };
  return { second: previous.second + 1, seq: first };
}

/** The time of a number, for the envelope. */
export function sequenceAt({ second }: SequenceMemory): Instant {
  return instant(second * secondMs);
}

export const startChargeSeqChars = 27;
/** What the last four digits tell apart. */
const chargesOfSecondMax = 10_000;

/**
 * A StartChargeSeq, EquipAuthSeq, EquipBizSeq or CheckOrderSeq of ours: operator, time and four digits.
 * @param number 0 to 9999, different for every charge of a second
 * @throws RangeError for another number, or an operator whose code has not nine characters
 */
export function startChargeSeq(operatorId: string, at: Instant, number: number): string {
  if (!Number.isInteger(number) || number < 0 || number >= chargesOfSecondMax) {
    throw new RangeError(`not four digits: ${number}`);
  }
  const sequence = `${operatorId}${writeTimeStamp(at)}${String(number).padStart(4, '0')}`;
  if (sequence.length !== startChargeSeqChars)
    throw new RangeError(`an operator's code has 9 characters: ${operatorId}`);
  return sequence;
}

/**
 * The number of a record of ours, by the last four digits of its id. Ids grow one by one, so that no two records of a
 * second have the same unless there are ten thousand of them.
 * @param recordId 0 or more
 * @throws RangeError for another id, or an operator whose code has not nine characters
 */
export function recordSeq(operatorId: string, at: Instant, recordId: number): string {
  return startChargeSeq(operatorId, at, recordId % chargesOfSecondMax);
}

/** Whether it has the form that the standard gives to numbers of `operatorId`. */
export function isValidSeq(sequence: string, operatorId: string): boolean {
  return sequence.length === startChargeSeqChars && sequence.startsWith(operatorId) && /^[0-9A-Za-z]+$/.test(sequence);
}

/** What we give a token, and the longest that the standard allows. */
export const tokenLifetimeMs = 7_200 * secondMs;
export const tokenLifetimeMsMax = tokenSecondsMax * secondMs;
/** A token is refreshed before it expires, and at least daily. */
const tokenMarginMsMax = 5 * minuteMs;

/** When to ask for the next token. A new one does not end the one before, so both are good for a while. */
export function tokenRefreshAt(issuedAt: Instant, lifetimeMs: number): Instant {
  const margin = Math.min(tokenMarginMsMax, Math.floor(lifetimeMs / 10));
  return instant(issuedAt + Math.min(lifetimeMs - margin, dayMs));
}

/** Tokens that are good at the same time, so that a partner that asks all the time has no more. */
export const liveTokensMax = 8;

export const pageSizeDefault = 10;
/** The most that we answer; a larger PageSize gets as much. */
export const pageSizeMax = 50;

export type Page = { pageNo: number; pageSize: number; pageCount: number; offset: number };

/**
 * The page to answer. Beyond the end it is empty and keeps its number.
 * @param sizeDefault `supervisedPageSize` for a supervising platform
 */
export function pageOf(
  asked: { PageNo?: number | undefined; PageSize?: number | undefined },
  itemCount: number,
  sizeDefault = pageSizeDefault,
): Page {
  const pageNo = asked.PageNo ?? 1;
  const pageSize = Math.min(asked.PageSize ?? sizeDefault, pageSizeMax);
  return { pageNo, pageSize, pageCount: Math.ceil(itemCount / pageSize), offset: (pageNo - 1) * pageSize };
}

export const statsDaysMax = 7;

/** The days of query_station_stats as instants, `to` not included. */
export function statsSpan(
  startDate: string,
  endDate: string,
): Result<{ from: Instant; to: Instant }, 'not-a-date' | 'backwards' | 'too-long'> {
  const [first, last] = [parseShanghaiDate(startDate), parseShanghaiDate(endDate)];
  if (first === null || last === null) return failed('not-a-date');
  if (last < first) return failed('backwards');
  const to = instant(last + dayMs);
  return to - first > statsDaysMax * dayMs ? failed('too-long') : ok({ from: first, to });
}

/** Orders of the day before are compared between 00:00 and 03:00. */
const checkEndsMs = 3 * hourMs;

export function isCheckTime(at: Instant): boolean {
  return shanghaiTimeOfDayMs(at) < checkEndsMs;
}

/** The day before, `to` not included: orders belong to the day in which they ended. */
export function checkedDay(at: Instant): { from: Instant; to: Instant } {
  const to = shanghaiDayStart(at);
  return { from: instant(to - dayMs), to };
}

/** What a partner's answer to our order means. Any ConfirmResult ends the repetitions, a refusal (Ret) does not. */
export type Confirmation = 'confirmed' | 'disputed' | 'repeat';

/** @param confirmResult null when none came, or Ret was not 0 */
export function answerOfConfirm(confirmResult: number | null): Confirmation {
  if (confirmResult === null) return 'repeat';
  return confirmResult === 0 ? 'confirmed' : 'disputed';
}

/** ConfirmResult for a partner's order: the first, the same again, one that contradicts it, or of no charge of ours. */
export const confirmResults = { accepted: 0, repeated: 0, disputed: 1, unknown: 2 } as const;
