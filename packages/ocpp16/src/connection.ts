/**
 * The state machine of one OCPP-J 1.6 connection, seen from the central system. It knows the order of things, the
 * queues, the waits and their limits; what messages mean is in translate.ts, how they look in frame.ts.
 */
import { type Exchange, type ExchangeFault, exchangeFaults, faultOfUnusable } from '@voltdeck/charging/exchange';
import type { ConnectorState } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect, ConnectionInput, RefusalReason, Step } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import {
  forgetRefused,
  noteRefused,
  type RefusedCharge,
  refusedDueAt,
  takeDueRefused,
} from '@voltdeck/connection/refused-charges';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import {
  type CallFrame,
  type ErrorCode,
  type ErrorFrame,
  type FrameFault,
  frameCharsMax,
  type Payload,
  type ResultFrame,
  readFrame,
  writeCall,
  writeError,
  writeResult,
} from './frame.ts';
import { isKnownAction } from './messages/actions.ts';
import { checkFromStation, isFromStation } from './messages/from-station.ts';
import { type PayloadFault, payloadFault } from './messages/payload-check.ts';
import { blottedPassword, type OutgoingCall, toCall, toEvent, toResult, withoutPassword } from './translate.ts';

/** How long a station may take to answer our call. A later answer is logged and has no effect. */
export const callTimeoutMs = 30 * secondMs;
/** How long a command may wait for its turn before it counts as timed out. */
export const commandWaitMs = 60 * secondMs;
/** Commands waiting behind the one that is out; the next is refused as busy. */
export const commandQueueMax = 16;
/** How long a new connection may stay without BootNotification before we ask for one: a reconnect is not a reboot. */
export const bootWaitMs = 20 * secondMs;
/**
 * How long a station that was accepted in an earlier connection may stay silent before commands go out. With the
 * gateway's sweep of one second they do so within two.
 */
export const reconnectWaitMs = secondMs;
/** How long a station that agreed to send the BootNotification may take, before commands go out without it. */
export const promisedBootWaitMs = 10 * secondMs;
/** How long the business may take over an event, before the station is told to try again. */
export const businessWaitMs = 60 * secondMs;
/** Calls of the station in the inbox at which its socket is no longer read, and at which it is read again. */
export const inboxPauseAt = 32;
export const inboxResumeAt = 8;
/** What the socket had buffered still arrives after a pause; a station beyond this is cut off. */
export const inboxMax = 256;
export const inboxCharsMax = 2 * frameCharsMax;
/** A station is dead after this share of its heartbeat interval without any frame, but never sooner than the minimum. */
export const silenceHeartbeats = 2.5;
export const silenceMinMs = 2 * minuteMs;
/** Sooner than that, a station is dead that leaves so many pings unanswered; the last of them has this long. */
export const unansweredPingsMax = 3;
export const pongWaitMs = 30 * secondMs;
/** How late the heartbeat of a station may be that has never answered a ping: some do not know how to. */
export const lateHeartbeatMs = minuteMs;
/**
 * How long a station that was told in the answer to its start that it may not charge has to stop by itself, as
 * StopTransactionOnInvalidId wants it. Then it is asked to.
 */
export const refusedStartGraceMs = 5 * secondMs;
const heartbeatSecondsMax = 86_400;
const never = instant(Number.MAX_SAFE_INTEGER);
/** What the log keeps of a frame that was too long to be read. */
const loggedCharsMax = 4_096;

/** WebSocket close codes (RFC 6455, section 7.4.1 and the IANA registry). */
const closeCodes = { goingAway: 1001, policyViolation: 1008, tryAgainLater: 1013 } as const;

/** Text frames, one JSON array each. */
type Input = ConnectionInput<string>;
type Effect = ConnectionEffect<string>;

/**
 * - `awaited`: no BootNotification yet, and we have not asked for one
 * - `asked`: our TriggerMessage is out
 * - `promised`: the station agreed to send it
 * - `assumed`: it will not come; the station goes on from an earlier connection
 */
type BootState = 'awaited' | 'asked' | 'promised' | 'assumed' | 'accepted' | 'pending' | 'rejected';

type InboxCall = {
  call: CallFrame;
  text: string;
  receivedAt: Instant;
  /** When the same text with the same id came again before it was answered. */
  repeatedAt: Instant[] | null;
};

type QueuedCall = { ref: string | null; call: OutgoingCall; queuedAt: Instant };
type OutstandingCall = { ref: string | null; call: OutgoingCall; id: string; text: string; sentAt: Instant };

/** Read `lastFrameAt` and `nextWakeAt`; the rest belongs to `step`. */
export type ConnectionState = {
  lastFrameAt: Instant;
  /** When a `tick` is due, if nothing happens before. */
  nextWakeAt: Instant;
  callIdPrefix: string;
  nextCallNumber: number;
  nextEventRef: number;
  heartbeatSeconds: number;
  phase: 'open' | 'closing' | 'closed';
  boot: BootState;
  bootDueAt: Instant;
  /** In order of arrival; the first is with the business when `handed` says so. */
  inbox: InboxCall[];
  inboxCount: number;
  inboxChars: number;
  paused: boolean;
  handed: { ref: number; event: StationEvent; at: Instant; fault: ExchangeFault | null } | null;
  queue: QueuedCall[];
  outstanding: OutstandingCall | null;
  /** Answers that wait to become durable before they leave. */
  unsentAnswers: number;
  /** Since the last sign of life. */
  unansweredPings: number;
  pingedAt: Instant;
  answersPings: boolean;
  refused: RefusedCharge[] | null;
  /** A station that was accepted before boots or just goes on; it is not asked which. */
  wasAccepted: boolean;
};

export type ConnectionOptions = {
  /** Makes our message ids unique among all connections: 1 to 24 characters, new for each connection. */
  callIdPrefix: string;
  /** The interval in seconds that the station was last given, until a boot says another; 1 to 86,400. */
  heartbeatSeconds: number;
  /** A BootNotification of this station was accepted in an earlier connection. */
  wasAccepted: boolean;
};

/** @throws RangeError for a prefix that leaves no room for the counter within the standard's 36 characters. */
export function openConnection(options: ConnectionOptions, now: Instant): ConnectionState {
  const { callIdPrefix } = options;
  if (callIdPrefix.length < 1 || callIdPrefix.length > 24)
    throw new RangeError('callIdPrefix must have 1 to 24 characters');
  const state: ConnectionState = {
    lastFrameAt: now,
    nextWakeAt: now,
    callIdPrefix,
    nextCallNumber: 1,
    nextEventRef: 1,
    heartbeatSeconds: clampHeartbeat(options.heartbeatSeconds),
    phase: 'open',
    boot: 'awaited',
    bootDueAt: instant(now + (options.wasAccepted ? reconnectWaitMs : bootWaitMs)),
    inbox: [],
    inboxCount: 0,
    inboxChars: 0,
    paused: false,
    handed: null,
    queue: [],
    outstanding: null,
    unsentAnswers: 0,
    unansweredPings: 0,
    pingedAt: now,
    answersPings: false,
    refused: null,
    wasAccepted: options.wasAccepted,
  };
  state.nextWakeAt = nextWakeAt(state);
  return state;
}

/**
 * The whole state machine. The state is private, changed in place and returned as it is: one caller owns it.
 * Send `tick` when `state.nextWakeAt` has come; a sweep over all connections once a second is precise enough.
 * @throws Error when an answer is of another event's kind.
 */
export function step(state: ConnectionState, input: Input, now: Instant): Step<ConnectionState, string> {
  const effects: Effect[] = [];
  switch (input.kind) {
    case 'received':
      onText(state, input.frame, now, effects);
      break;
    case 'pong':
      if (state.unansweredPings > 0) state.answersPings = true;
      showLife(state, now);
      break;
    case 'pinged':
      state.unansweredPings += 1;
      state.pingedAt = now;
      break;
    case 'answered':
      onAnswered(state, input.ref, input.answer, now, effects);
      break;
    case 'refused':
      if (state.handed?.ref === input.ref) refuse(state, input.because, now, effects);
      break;
    case 'sent':
      state.unsentAnswers -= 1;
      break;
    case 'command':
      onCommand(state, input.ref, input.command, now, effects);
      break;
    case 'tick':
      onTick(state, now, effects);
      break;
    case 'closed':
      onClosed(state, now, effects);
      break;
  }
  sendNextCall(state, now, effects);
  state.nextWakeAt = nextWakeAt(state);
  return { state, effects };
}

function showLife(state: ConnectionState, now: Instant): void {
  state.lastFrameAt = now;
  state.unansweredPings = 0;
}

/** When the station counts as dead, if no frame of any kind (pings and pongs too) arrives before. */
export function deadAt(state: ConnectionState): Instant {
  const { lastFrameAt, heartbeatSeconds } = state;
  const silentAt = lastFrameAt + Math.max(silenceHeartbeats * heartbeatSeconds * secondMs, silenceMinMs);
  if (state.unansweredPings < unansweredPingsMax) return instant(silentAt);
  const heartbeatAt = state.answersPings ? 0 : lastFrameAt + heartbeatSeconds * secondMs + lateHeartbeatMs;
  return instant(Math.min(silentAt, Math.max(state.pingedAt + pongWaitMs, heartbeatAt)));
}

export function isDead(state: ConnectionState, now: Instant): boolean {
  return now >= deadAt(state);
}

function nextWakeAt(state: ConnectionState): Instant {
  if (state.phase !== 'open') return never;
  let at: number = deadAt(state);
  if (state.outstanding !== null) at = Math.min(at, state.outstanding.sentAt + callTimeoutMs);
  const firstQueued = state.queue[0];
  if (firstQueued !== undefined) at = Math.min(at, firstQueued.queuedAt + commandWaitMs);
  if (state.handed !== null) at = Math.min(at, state.handed.at + businessWaitMs);
  if (state.boot === 'awaited' || state.boot === 'promised') at = Math.min(at, state.bootDueAt);
  return instant(Math.min(at, refusedDueAt(state)));
}

function onText(state: ConnectionState, text: string, now: Instant, effects: Effect[]): void {
  showLife(state, now);
  if (state.phase !== 'open') return;
  const frame = readFrame(text);
  switch (frame.kind) {
    case 'call':
      receive(state, frame, legible(text), now, effects);
      break;
    case 'result':
    case 'error':
      onReply(state, frame, legible(text), now, effects);
      break;
    case 'fault':
      onFault(state, frame, text, now, effects);
      break;
  }
}

/** As the log keeps it (see Exchange): JSON has no NUL but behind its end. */
function legible(text: string): string {
  return text.endsWith('\0') ? text.replaceAll('\0', '\u2400') : text;
}

function receive(state: ConnectionState, call: CallFrame, text: string, now: Instant, effects: Effect[]): void {
  // A station that has to boot says nothing else before (OCPP 1.6, section 4.2): this one goes on.
  if (state.boot === 'awaited' && state.wasAccepted && call.action !== 'BootNotification') state.boot = 'assumed';
  if (state.inboxCount >= inboxMax || state.inboxChars + text.length > inboxCharsMax) {
    const fault = { code: exchangeFaults.limitReached, description: 'too many calls without waiting for answers' };
    effects.push(fromStation(call.action, call.id, text, now, null, now, fault));
    close(state, closeCodes.policyViolation, 'too many unanswered calls', effects);
    return;
  }
  const twin = state.inbox.find((waiting) => waiting.call.id === call.id && waiting.text === text);
  if (twin !== undefined) {
    twin.repeatedAt ??= [];
    twin.repeatedAt.push(now);
  } else {
    state.inbox.push({ call, text, receivedAt: now, repeatedAt: null });
    state.inboxChars += text.length;
  }
  state.inboxCount += 1;
  if (!state.paused && state.inboxCount >= inboxPauseAt) {
    state.paused = true;
    effects.push({ kind: 'pause' });
  }
  handOver(state, now, effects);
}

/** Calls are handed to the business one by one, in order; those that it need not see are answered here. */
function handOver(state: ConnectionState, now: Instant, effects: Effect[]): void {
  while (state.phase === 'open' && state.handed === null) {
    const first = state.inbox[0];
    if (first === undefined) return;
    const unusable: string[] = [];
    const event = understand(state, first.call, now, unusable);
    if (event.kind !== 'payload-fault') {
      const ref = state.nextEventRef;
      state.nextEventRef += 1;
      state.handed = { ref, event, at: now, fault: faultOfUnusable(unusable) };
      effects.push({ kind: 'event', ref, event });
      return;
    }
    replyFirst(state, writeError(first.call.id, event.code, event.description), event, now, effects);
  }
}

function understand(
  state: ConnectionState,
  call: CallFrame,
  now: Instant,
  unusable: string[],
): StationEvent | PayloadFault {
  const { action, payload } = call;
  if (!isFromStation(action)) {
    return isKnownAction(action)
      ? payloadFault('NotSupported', 'this call is not supported here')
      : payloadFault('NotImplemented', 'this call is not known here');
  }
  if (!callsAllowed[bootGate(state)](action)) {
    return payloadFault('SecurityError', 'the boot notification has not been accepted');
  }
  return checkFromStation(action, payload) ?? toEvent(action, payload, now, unusable);
}

/**
 * OCPP 1.6, section 4.2: what a station that is not accepted may send. A stop passes always: the energy of a charge that
 * ran before must not be lost.
 */
const callsAllowed: Readonly<Record<'open' | 'pending' | 'rejected', (action: string) => boolean>> = {
  open: () => true,
  pending: (action) => action !== 'Authorize' && action !== 'StartTransaction' && action !== 'DataTransfer',
  rejected: (action) => action === 'BootNotification' || action === 'StopTransaction',
};

function bootGate(state: ConnectionState): keyof typeof callsAllowed {
  return state.boot === 'pending' || state.boot === 'rejected' ? state.boot : 'open';
}

/** Answers the first call of the inbox, and as often as it was repeated, and takes it out. */
function replyFirst(
  state: ConnectionState,
  replyText: string | null,
  fault: ExchangeFault | null,
  now: Instant,
  effects: Effect[],
): void {
  const first = state.inbox.shift();
  if (first === undefined) return;
  state.handed = null;
  state.inboxChars -= first.text.length;
  state.inboxCount -= 1 + (first.repeatedAt?.length ?? 0);
  pushReply(state, first, first.receivedAt, replyText, fault, now, effects);
  for (const receivedAt of first.repeatedAt ?? []) pushReply(state, first, receivedAt, replyText, fault, now, effects);
  if (state.paused && state.inboxCount <= inboxResumeAt && state.phase === 'open') {
    state.paused = false;
    effects.push({ kind: 'resume' });
  }
}

function pushReply(
  state: ConnectionState,
  { call, text }: InboxCall,
  receivedAt: Instant,
  replyText: string | null,
  fault: ExchangeFault | null,
  now: Instant,
  effects: Effect[],
): void {
  effects.push(fromStation(call.action, call.id, text, receivedAt, replyText, now, fault));
  if (replyText !== null) pushAnswer(state, replyText, effects);
}

/** Right behind its exchange. */
function pushAnswer(state: ConnectionState, frame: string, effects: Effect[]): void {
  state.unsentAnswers += 1;
  effects.push({ kind: 'send', frame, isAnswer: true });
}

function onAnswered(state: ConnectionState, ref: number, answer: EventAnswer, now: Instant, effects: Effect[]): void {
  const first = state.inbox[0];
  if (state.handed?.ref !== ref || first === undefined) return;
  const { event, fault } = state.handed;
  replyFirst(state, writeResult(first.call.id, toResult(event, answer, now)), fault, now, effects);
  if (answer.kind === 'boot') onBootAnswered(state, answer.decision, answer.heartbeatSeconds, effects);
  followRefused(state, event, answer, now);
  handOver(state, now, effects);
}

/**
 * A start always gets a transaction, also one that may not be (OCPP 1.6, section 4.8): the charge is asked to stop until
 * its stop comes or its connector says that it does not charge.
 */
function followRefused(state: ConnectionState, event: StationEvent, answer: EventAnswer, now: Instant): void {
  if (event.kind === 'charge-started' && answer.kind === 'charge-started') {
    const { connectorNumber } = event;
    const dueAt = instant(now + refusedStartGraceMs);
    if (answer.authorization === 'accepted')
      forgetRefused(state, (charge) => charge.connectorNumber === connectorNumber);
    else noteRefused(state, { connectorNumber, transaction: answer.transactionNumber, dueAt });
  } else if (event.kind === 'charge-stopped') {
    forgetRefused(state, ({ transaction }) => transaction === event.transaction);
  } else if (event.kind === 'connector-state-changed' && !chargingStates.has(event.state)) {
    // Before its charge begins a connector says Preparing, which may come late.
    if (event.state !== 'plugged_in')
      forgetRefused(state, (charge) => charge.connectorNumber === event.connectorNumber);
  }
}

const chargingStates: ReadonlySet<ConnectorState> = new Set(['charging', 'suspended', 'starting']);

function askRefused(state: ConnectionState, now: Instant): void {
  for (const { transaction } of takeDueRefused(state, now)) {
    const call = toCall({ kind: 'stop-charge', transaction });
    if (call !== null && !isCallForbidden(state, call.action)) state.queue.push({ ref: null, call, queuedAt: now });
  }
}

function onBootAnswered(
  state: ConnectionState,
  decision: 'accepted' | 'pending' | 'rejected',
  heartbeatSeconds: number,
  effects: Effect[],
): void {
  state.boot = decision;
  state.heartbeatSeconds = clampHeartbeat(heartbeatSeconds);
  const kept: QueuedCall[] = [];
  for (const queued of state.queue) {
    if (isCallForbidden(state, queued.call.action)) settle(queued.ref, { kind: 'rejected' }, effects);
    else kept.push(queued);
  }
  state.queue = kept;
}

/**
 * The business could not take the first event of the inbox; see RefusalReason. On an error a station sends a start or a
 * stop again as often and as far apart as TransactionMessageAttempts and TransactionMessageRetryInterval say, and then
 * goes on with what it queued behind (OCPP 1.6, section 3.7.1). A stop that stays unanswered is kept without end and
 * blocks that queue, which only a database that is away is worth.
 */
function refuse(state: ConnectionState, because: RefusalReason, now: Instant, effects: Effect[]): void {
  const first = state.inbox[0];
  if (first === undefined) return;
  const { id, action } = first.call;
  const isMoney = action === 'StartTransaction' || action === 'StopTransaction';
  if (because === 'unavailable' && isMoney) {
    const fault = { code: exchangeFaults.unavailable, description: 'not stored, so not answered' };
    replyFirst(state, null, fault, now, effects);
    close(state, closeCodes.tryAgainLater, 'try again later', effects);
    return;
  }
  const description = because === 'unavailable' ? 'not available now, try again' : 'the message could not be processed';
  const fault: { code: ErrorCode; description: string } = { code: 'InternalError', description };
  replyFirst(state, writeError(id, fault.code, description), fault, now, effects);
  handOver(state, now, effects);
}

function onReply(
  state: ConnectionState,
  reply: ResultFrame | ErrorFrame,
  text: string,
  now: Instant,
  effects: Effect[],
): void {
  const { outstanding } = state;
  if (outstanding === null || outstanding.id !== reply.id) {
    const fault = { code: exchangeFaults.unknownReply, description: 'nothing waits for this reply, or no longer' };
    effects.push(fromStation(null, reply.id, withoutReadablePassword(text), now, null, now, fault));
    return;
  }
  if (reply.kind === 'error') {
    const { code, description, details } = reply;
    const hasDetails = Object.keys(details).length > 0;
    const outcome = { kind: 'station-error' as const, code, description, ...(hasDetails && { details }) };
    endCall(state, outcome, text, { code, description }, now, effects);
    return;
  }
  const outcome = outstanding.call.outcomeOf(reply.payload);
  const fault = outcome.kind === 'station-error' ? { code: outcome.code, description: outcome.description } : null;
  endCall(state, outcome, resultText(outstanding.call.action, reply, text), fault, now, effects);
}

function onFault(state: ConnectionState, frame: FrameFault, text: string, now: Instant, effects: Effect[]): void {
  const { intent, id, action, because } = frame;
  const cut = because === 'too-long' ? text.slice(0, loggedCharsMax) : text;
  const logged = withoutReadablePassword(cut.replaceAll('\0', '\u2400'));
  const description = faultDescriptions[because];
  if (intent === 'call' && id !== null) {
    const replyText = writeError(id, 'FormationViolation', description);
    effects.push(fromStation(action, id, logged, now, replyText, now, { code: 'FormationViolation', description }));
    pushAnswer(state, replyText, effects);
    return;
  }
  if (intent === 'reply' && id !== null && state.outstanding?.id === id) {
    const outcome = { kind: 'station-error' as const, code: 'FormationViolation', description };
    endCall(state, outcome, logged, { code: 'FormationViolation', description }, now, effects);
    return;
  }
  effects.push(fromStation(action, id, logged, now, null, now, { code: exchangeFaults.unreadable, description }));
}

const faultDescriptions: Readonly<Record<FrameFault['because'], string>> = {
  'too-long': `the frame is longer than ${frameCharsMax} characters`,
  'not-json': 'the frame is not JSON',
  'too-deep': 'the payload is nested too deeply',
  'not-a-frame': 'the frame is no call, result or error',
  'bad-id': 'the message id is not a text of 1 to 255 characters',
  'bad-action': 'the action is not a name',
  'bad-payload': 'the frame has not the parts that it should have',
};

function onCommand(
  state: ConnectionState,
  ref: string,
  command: StationCommand,
  now: Instant,
  effects: Effect[],
): void {
  const call = toCall(command);
  if (state.phase !== 'open') settle(ref, { kind: 'offline' }, effects);
  else if (call === null) settle(ref, { kind: 'failed' }, effects);
  else if (isCallForbidden(state, call.action)) settle(ref, { kind: 'rejected' }, effects);
  else if (state.queue.length >= commandQueueMax) settle(ref, { kind: 'busy' }, effects);
  else state.queue.push({ ref, call, queuedAt: now });
}

/** OCPP 1.6, section 4.2: no remote start or stop while pending, nothing while rejected. */
function isCallForbidden(state: ConnectionState, action: string): boolean {
  if (state.boot === 'rejected') return true;
  return state.boot === 'pending' && (action === 'RemoteStartTransaction' || action === 'RemoteStopTransaction');
}

/**
 * One call of ours at a time (OCPP-J 1.6, section 4.1.1), none while a BootNotification waits for its answer, and none
 * before the answers that were given already: stations that are called before their boot is answered start again.
 */
function sendNextCall(state: ConnectionState, now: Instant, effects: Effect[]): void {
  if (state.queue.length === 0 || state.outstanding !== null || state.phase !== 'open') return;
  if (state.unsentAnswers > 0) return;
  if (state.boot === 'awaited' || state.boot === 'asked' || state.boot === 'promised') return;
  if (isBootWaiting(state)) return;
  const next = state.queue.shift();
  if (next !== undefined) send(state, next.ref, next.call, now, effects);
}

function isBootWaiting(state: ConnectionState): boolean {
  return state.inbox.some((waiting) => waiting.call.action === 'BootNotification');
}

function send(state: ConnectionState, ref: string | null, call: OutgoingCall, now: Instant, effects: Effect[]): void {
  const id = `${state.callIdPrefix}-${state.nextCallNumber}`;
  state.nextCallNumber += 1;
  const text = writeCall(id, call.action, call.payload);
  state.outstanding = { ref, call, id, text, sentAt: now };
  effects.push({ kind: 'send', frame: text, isAnswer: false });
}

function endCall(
  state: ConnectionState,
  outcome: CommandOutcome,
  replyText: string | null,
  fault: ExchangeFault | null,
  now: Instant,
  effects: Effect[],
): void {
  const { outstanding } = state;
  if (outstanding === null) return;
  state.outstanding = null;
  const { call, id, text, sentAt, ref } = outstanding;
  const blotted = withoutPassword(call.action, call.payload);
  effects.push({
    kind: 'exchange',
    exchange: {
      direction: 'to-station',
      action: call.action,
      messageId: id,
      requestText: blotted === call.payload ? text : writeCall(id, call.action, blotted),
      requestedAt: sentAt,
      replyText,
      latencyMs: replyText === null ? null : now - sentAt,
      fault,
    },
  });
  if (ref !== null) settle(ref, outcome, effects);
  if (state.boot === 'asked') {
    state.boot = outcome.kind === 'accepted' ? 'promised' : 'assumed';
    state.bootDueAt = instant(now + promisedBootWaitMs);
  }
}

function settle(ref: string | null, outcome: CommandOutcome, effects: Effect[]): void {
  if (ref !== null) effects.push({ kind: 'command-settled', ref, outcome });
}

function onTick(state: ConnectionState, now: Instant, effects: Effect[]): void {
  if (state.phase !== 'open') return;
  if (isDead(state, now)) {
    close(state, closeCodes.goingAway, 'no sign of life', effects);
    return;
  }
  if (state.outstanding !== null && now >= state.outstanding.sentAt + callTimeoutMs) {
    const fault = { code: exchangeFaults.timedOut, description: `no answer within ${callTimeoutMs / secondMs} s` };
    endCall(state, { kind: 'timed-out' }, null, fault, now, effects);
  }
  while (state.queue[0] !== undefined && now >= state.queue[0].queuedAt + commandWaitMs) {
    const expired = state.queue.shift();
    if (expired !== undefined) settle(expired.ref, { kind: 'timed-out' }, effects);
  }
  if (state.handed !== null && now >= state.handed.at + businessWaitMs) refuse(state, 'unavailable', now, effects);
  askRefused(state, now);
  if (now >= state.bootDueAt) onBootDue(state, now, effects);
}

function onBootDue(state: ConnectionState, now: Instant, effects: Effect[]): void {
  if (state.boot === 'promised') state.boot = 'assumed';
  if (state.boot !== 'awaited') return;
  if (isBootWaiting(state)) {
    state.bootDueAt = instant(now + bootWaitMs);
    return;
  }
  if (state.wasAccepted) {
    state.boot = 'assumed';
    return;
  }
  if (state.unsentAnswers > 0) {
    state.bootDueAt = instant(now + secondMs);
    return;
  }
  const trigger = toCall({ kind: 'trigger-message', message: 'boot' });
  if (trigger === null) return;
  state.boot = 'asked';
  send(state, null, trigger, now, effects);
}

function close(state: ConnectionState, code: number, reason: string, effects: Effect[]): void {
  if (state.phase !== 'open') return;
  state.phase = 'closing';
  effects.push({ kind: 'close', code, reason });
}

function onClosed(state: ConnectionState, now: Instant, effects: Effect[]): void {
  if (state.phase === 'closed') return;
  state.phase = 'closed';
  const fault = { code: exchangeFaults.connectionClosed, description: 'the connection ended before the reply' };
  endCall(state, { kind: 'offline' }, null, fault, now, effects);
  for (const queued of state.queue) settle(queued.ref, { kind: 'offline' }, effects);
  state.queue = [];
  while (state.inbox.length > 0) replyFirst(state, null, fault, now, effects);
}

function fromStation(
  action: string | null,
  messageId: string | null,
  requestText: string,
  requestedAt: Instant,
  replyText: string | null,
  now: Instant,
  fault: ExchangeFault | null,
): Effect {
  const latencyMs = replyText === null ? null : now - requestedAt;
  const exchange: Exchange = {
    direction: 'from-station',
    action,
    messageId,
    requestText,
    requestedAt,
    replyText,
    latencyMs,
    fault: fault === null ? null : { code: fault.code, description: fault.description },
  };
  return { kind: 'exchange', exchange };
}

function resultText(action: string, reply: ResultFrame, text: string): string {
  const blotted: Payload = withoutPassword(action, reply.payload);
  return blotted === reply.payload ? text : writeResult(reply.id, blotted);
}

/** For frames whose place in the protocol is unknown: everything after the name of the password's key is left out. */
function withoutReadablePassword(text: string): string {
  const at = text.search(/"authorizationkey"/i);
  return at === -1 ? text : `${text.slice(0, at)}"AuthorizationKey" ${blottedPassword}`;
}

function clampHeartbeat(seconds: number): number {
  return Math.min(Math.max(Math.trunc(seconds) || 1, 1), heartbeatSecondsMax);
}
