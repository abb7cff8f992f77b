import type { ConnectionStep, ConnectionTest, connectionSteps } from '@voltdeck/contract/connection-tests';
import type { PartnerFault } from '@voltdeck/contract/partner-faults';
import type { PartnerId } from '@voltdeck/units/id';
import { secondMs, toIso } from '@voltdeck/units/instant';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import { findPartnerById, isStationSide, type Partner } from '../partner.ts';
import { type CallFault, type CallOutcome, PartnerCaller } from './partner-caller.ts';
import { reachAddress } from './reach-address.ts';

/** A person waits: a partner that takes longer than this has failed the test. */
const stepTimeoutMs = 10 * secondMs;
/** One station shows that stations are shown. */
const stationsAsked = 1;
const msgCharsMax = 300;

type StepName = (typeof connectionSteps)[number];

/**
 * Calls a partner step by step until one fails. Nothing here or there changes, except that its calls are among the
 * exchanges. Null for everybody but the platform's own people.
 */
export async function checkConnection(
  context: Context<'console'>,
  { agents }: Pick<Caller, 'agents'>,
  id: PartnerId,
): Promise<ConnectionTest | null> {
  const partner = agents === 'all' ? await findPartnerById(context.database.db, id) : null;
  if (partner === null) return null;
  const at = context.now();
  const steps = await stepsOf(context, partner);
  return { at: toIso(at), passed: steps.every(({ outcome }) => outcome !== 'failed'), steps };
}

async function stepsOf(context: Context<'console'>, partner: Partner): Promise<ConnectionStep[]> {
  const caller = new PartnerCaller(context, undefined, { timeoutMs: stepTimeoutMs });
  const line = await caller.open(partner);

  const reached = await timed(() => reachAddress(partner.baseUrl, { timeoutMs: stepTimeoutMs }));
  if (reached.value !== null) {
    const { fault, because } = reached.value;
    const answer = { httpStatus: null, ret: null, because, fault };
    return [failed('address', reached.tookMs, answer), ...skippedAfter('address')];
  }
  const address = passed('address', reached.tookMs);

  const asked = { OperatorID: line.ownCode, OperatorSecret: line.keys?.operatorSecret ?? '' };
  const token = await timed(() => caller.call(line, 'query_token', asked));
  if (token.value.kind === 'failed' && saysNothingOfTokens(token.value.fault)) {
    return [address, failed('signature', token.tookMs, token.value), ...skippedAfter('signature')];
  }
  const signature = passed('signature', token.tookMs, answerOf(token.value));
  const refused = whyNoToken(token.value);
  if (refused !== null) return [address, signature, failed('token', 0, refused), ...skippedAfter('token')];
  const given = [address, signature, passed('token', 0, answerOf(token.value))];

  if (!isStationSide(partner)) return [...given, skipped('stations', 'no_stations')];
  const stations = await timed(() => caller.call(line, 'query_stations_info', { PageNo: 1, PageSize: stationsAsked }));
  if (stations.value.kind === 'failed') return [...given, failed('stations', stations.tookMs, stations.value)];
  const { ItemSize: stationCount } = stations.value.answer;
  return [...given, { ...passed('stations', stations.tookMs, answerOf(stations.value)), stationCount }];
}

/** Whether the answer to `query_token` broke off before anything in it could be believed. */
function saysNothingOfTokens(fault: PartnerFault): boolean {
  const beyond: readonly PartnerFault[] = [
    'refused_token',
    'refused_content',
    'refused_busy',
    'refused_fault',
    'not_readable',
  ];
  return !beyond.includes(fault);
}

/** Null where it gave one. */
function whyNoToken(token: CallOutcome<'query_token'>): CallFault | null {
  if (token.kind === 'failed') return token;
  const { SuccStat, AccessToken, FailReason } = token.answer;
  if (SuccStat === 0 && AccessToken !== undefined) return null;
  return {
    kind: 'failed',
    httpStatus: token.httpStatus,
    ret: 0,
    because: `SuccStat ${SuccStat}, FailReason ${FailReason}`,
    fault: 'token_not_given',
    isRetried: true,
  };
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const beganAt = performance.now();
  const value = await work();
  return { value, tookMs: Math.round(performance.now() - beganAt) };
}

type Answer = Pick<ConnectionStep, 'httpStatus' | 'ret' | 'msg'>;

const noAnswer: Answer = { httpStatus: null, ret: null, msg: '' };

function answerOf(outcome: { kind: 'answered'; httpStatus: number } | CallFault): Answer {
  if (outcome.kind === 'answered') return { httpStatus: outcome.httpStatus, ret: 0, msg: '' };
  return { httpStatus: outcome.httpStatus, ret: outcome.ret, msg: outcome.because.slice(0, msgCharsMax) };
}

function passed(step: StepName, tookMs: number, answer: Answer = noAnswer): ConnectionStep {
  return { step, outcome: 'passed', tookMs, ...answer, fault: null, skipped: null, stationCount: null };
}

function failed(
  step: StepName,
  tookMs: number,
  { httpStatus, ret, because, fault }: Pick<CallFault, 'httpStatus' | 'ret' | 'because' | 'fault'>,
): ConnectionStep {
  const msg = because.slice(0, msgCharsMax);
  return { step, outcome: 'failed', tookMs, httpStatus, ret, msg, fault, skipped: null, stationCount: null };
}

function skipped(step: StepName, reason: NonNullable<ConnectionStep['skipped']>): ConnectionStep {
  return { step, outcome: 'skipped', tookMs: 0, ...noAnswer, fault: null, skipped: reason, stationCount: null };
}

/** The steps after one that failed. */
function skippedAfter(failedStep: StepName): ConnectionStep[] {
  const order: readonly StepName[] = ['address', 'signature', 'token', 'stations'];
  return order.slice(order.indexOf(failedStep) + 1).map((step) => skipped(step, 'failed_before'));
}
