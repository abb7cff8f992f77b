/**
 * The state machine of one OCPP-J 1.6 connection, seen from the central system: what OCPP adds to the machine that all
 * protocols share. translate.ts has the meaning of messages, frame.ts their format.
 */
import { type ExchangeFault, exchangeFaults, faultOfUnusable } from '@voltdeck/charging/exchange';
import type { ConnectorState } from '@voltdeck/charging/states';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ConnectionInput, RefusalReason, Step } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { type CallRules, endCall, refuseWaiting, sendCall } from '@voltdeck/connection/calls';
import type { Dialect, MachineState, Refusal, Understood } from '@voltdeck/connection/dialect';
import type { LoggedFrame } from '@voltdeck/connection/exchanges';
import type { Arrived, Turn } from '@voltdeck/connection/kinds';
import { answerFrame, ConnectionMachine, logFrame, openState } from '@voltdeck/connection/machine';
import { forgetRefused, noteRefused } from '@voltdeck/connection/refused-charges';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import {
  awaitBoot,
  type BootGate,
  bootDueAt,
  endBootWait,
  hasBootEnded,
  isCallForbidden,
  mayStationSay,
  noteAction,
  noteBootAsked,
} from './boot-gate.ts';
import {
  type CallFrame,
  type ErrorFrame,
  type FrameFault,
  frameCharsMax,
  type ResultFrame,
  readFrame,
  writeCall,
  writeError,
  writeResult,
} from './frame.ts';
import { faultDescriptions, legible, legibleFault, resultText, withoutReadablePassword } from './logged-text.ts';
import { isKnownAction } from './messages/actions.ts';
import { checkFromStation, isFromStation } from './messages/from-station.ts';
import { type PayloadFault, payloadFault } from './messages/payload-check.ts';
import { withoutPassword } from './passwords.ts';
import { toEvent } from './translate.ts';
import { toResult } from './translate-answers.ts';
import { type OutgoingCall, toCall } from './translate-commands.ts';
import { cleanJson, cleanText } from './values.ts';

/** How long a station may take to answer our call. A later answer is logged and otherwise ignored. */
export const callTimeoutMs = 30 * secondMs;
/** Maximum characters of calls in the inbox. */
const inboxCharsMax = 2 * frameCharsMax;
/** A station is dead after this many heartbeat intervals without any frame, but never sooner than the minimum. */
export const silenceHeartbeats = 2.5;
export const silenceMinMs = 2 * minuteMs;
/**
 * How long a station whose start was refused in the answer has to stop by itself, as StopTransactionOnInvalidId
 * requires. After that it is asked to stop. A station that reconnects with such a charge has as long to report its end.
 */
export const refusedStartGraceMs = 5 * secondMs;
const heartbeatSecondsMax = 86_400;

/** Text frames, one JSON array each; a reply is already serialised. */
type Ocpp = {
  wire: string;
  arrival: LoggedFrame;
  message: CallFrame;
  reply: string;
  call: OutgoingCall;
  sent: LoggedFrame;
};
type OcppTurn = Turn<Ocpp, ConnectionState>;

/** Read `lastFrameAt` and `nextWakeAt`; the rest belongs to `step`. */
export type ConnectionState = MachineState<Ocpp> &
  BootGate & {
    callIdPrefix: string;
    nextCallNumber: number;
    heartbeatSeconds: number;
  };

export type ConnectionOptions = {
  /** Makes our message ids unique among all connections: 1 to 24 characters, new for each connection. */
  callIdPrefix: string;
  /** The heartbeat interval in seconds that the station was last given, until the next boot; 1 to 86,400. */
  heartbeatSeconds: number;
  /** A BootNotification of this station was accepted in an earlier connection. */
  wasAccepted: boolean;
  /** Refused charges that had not stopped when an earlier connection ended, at most one per connector. */
  refusedCharges: readonly { connectorNumber: number; transaction: TransactionReference }[];
};

/** @throws RangeError for a prefix that leaves no room for the counter within the standard's 36 characters. */
export function openConnection(options: ConnectionOptions, now: Instant): ConnectionState {
  const { callIdPrefix } = options;
  if (callIdPrefix.length < 1 || callIdPrefix.length > 24)
    throw new RangeError('callIdPrefix must have 1 to 24 characters');
  const state: ConnectionState = {
    ...openState<Ocpp>(now),
    ...awaitBoot(options.wasAccepted, now),
    callIdPrefix,
    nextCallNumber: 1,
    heartbeatSeconds: clampHeartbeat(options.heartbeatSeconds),
  };
  // Ask once per connection: this does not flood a station that reconnects often, and a station refuses if the charge
  // is over.
  const dueAt = instant(now + refusedStartGraceMs);
  for (const charge of options.refusedCharges) noteRefused(state, { ...charge, dueAt, asksMax: 1 });
  return machine.opened(state);
}

/** See ConnectionMachine.step. */
export function step(
  state: ConnectionState,
  input: ConnectionInput<string>,
  now: Instant,
): Step<ConnectionState, string> {
  return machine.step(state, input, now);
}

/** When the station counts as dead unless a frame of any kind (including pings and pongs) arrives first. */
export function deadAt(state: ConnectionState): Instant {
  return machine.deadAt(state);
}

export function isDead(state: ConnectionState, now: Instant): boolean {
  return now >= deadAt(state);
}

const calls: CallRules<Ocpp, ConnectionState> = {
  // OCPP-J 1.6, section 4.1.1.
  outMax: 1,
  timeoutMsOf: () => callTimeoutMs,
  areRivals: (call, other) =>
    call.action === other.action && JSON.stringify(call.payload) === JSON.stringify(other.payload),
  refusalOf: (state, { action }) => (isCallForbidden(state, action) ? { kind: 'rejected' } : null),
  write({ state, now }, { action, payload }) {
    const messageId = `${state.callIdPrefix}-${state.nextCallNumber}`;
    state.nextCallNumber += 1;
    const frame = writeCall(messageId, action, payload);
    const blotted = withoutPassword(action, payload);
    const text = blotted === payload ? frame : writeCall(messageId, action, blotted);
    return { frame, sent: { action, messageId, text, at: now } };
  },
  onEnded: ({ state, now }, _, outcome) => noteBootAsked(state, outcome.kind === 'accepted', now),
};

const dialect: Dialect<Ocpp, ConnectionState> = {
  noun: 'calls',
  inboxCharsMax,
  calls,
  lifeSignsOf({ heartbeatSeconds }) {
    const heartbeatMs = heartbeatSeconds * secondMs;
    return { silenceMs: Math.max(silenceHeartbeats * heartbeatMs, silenceMinMs), heartbeatMs };
  },
  dueAt: bootDueAt,
  onTick: endWaitForBoot,
  onSent: () => {},
  read,
  isRepeat: ({ arrival }, other) =>
    arrival.messageId === other.arrival.messageId && arrival.text === other.arrival.text,
  isIntroduction: ({ action }) => action === 'BootNotification',
  understand,
  onHeard: followRefused,
  replyTo: ({ now }, { id }, event, answer) => ({ reply: writeResult(id, toResult(event, answer, now)), fault: null }),
  onAnswered(turn, _, answer) {
    if (answer.kind !== 'boot') return;
    turn.state.boot = answer.decision;
    turn.state.heartbeatSeconds = clampHeartbeat(answer.heartbeatSeconds);
    refuseWaiting(turn, calls);
  },
  refuse: (_, { id, action }, because) => refusalOf(id, action, because),
  endsCall: () => false,
  write: (reply) => reply,
  textOf: (frame) => frame,
  toCall(state, command) {
    const call = toCall(command);
    if (call === null) return failed({ kind: 'failed' });
    return isCallForbidden(state, call.action) ? failed({ kind: 'rejected' }) : ok(call);
  },
  mayCall: hasBootEnded,
};

const machine = new ConnectionMachine(dialect);

function read(turn: OcppTurn, text: string): Arrived<Ocpp> | null {
  const frame = readFrame(text);
  switch (frame.kind) {
    case 'call':
      noteAction(turn.state, frame.action);
      return {
        arrival: { action: frame.action, messageId: frame.id, text: legible(text), at: turn.now },
        message: frame,
      };
    case 'result':
    case 'error':
      onReply(turn, frame, legible(text));
      return null;
    case 'fault':
      onFault(turn, frame, text);
      return null;
  }
}

function understand({ state, now }: OcppTurn, call: CallFrame): Understood<Ocpp> {
  const unusable: string[] = [];
  const event = eventOf(state, call, now, unusable);
  if (event.kind !== 'payload-fault') return { events: [event], fault: faultOfUnusable(unusable) };
  const { code, description } = event;
  return { events: null, reply: writeError(call.id, code, description), fault: { code, description } };
}

function eventOf(
  state: ConnectionState,
  { action, payload }: CallFrame,
  now: Instant,
  unusable: string[],
): StationEvent | PayloadFault {
  if (!isFromStation(action)) {
    return isKnownAction(action)
      ? payloadFault('NotSupported', 'this call is not supported here')
      : payloadFault('NotImplemented', 'this call is not known here');
  }
  if (!mayStationSay(state, action)) {
    return payloadFault('SecurityError', 'the boot notification has not been accepted');
  }
  return checkFromStation(action, payload) ?? toEvent(action, payload, now, unusable);
}

/**
 * Even a refused start gets a transaction (OCPP 1.6, section 4.8): the charge is asked to stop until its stop comes or
 * its connector reports that it is not charging.
 */
function followRefused({ state, now }: OcppTurn, _: CallFrame, event: StationEvent, answer: EventAnswer): void {
  if (event.kind === 'charge-started' && answer.kind === 'charge-started') {
    const { connectorNumber } = event;
    const dueAt = instant(now + refusedStartGraceMs);
    if (answer.authorization === 'accepted')
      forgetRefused(state, (charge) => charge.connectorNumber === connectorNumber);
    else noteRefused(state, { connectorNumber, transaction: answer.transactionNumber, dueAt });
  } else if (event.kind === 'charge-stopped') {
    forgetRefused(state, ({ transaction }) => transaction === event.transaction);
  } else if (event.kind === 'connector-state-changed' && !chargingStates.has(event.state)) {
    // A connector reports Preparing before its charge starts, and the message may come late.
    if (event.state !== 'plugged_in')
      forgetRefused(state, (charge) => charge.connectorNumber === event.connectorNumber);
  }
}

const chargingStates: ReadonlySet<ConnectorState> = new Set(['charging', 'suspended', 'starting']);

/**
 * After an error a station resends a start or a stop as TransactionMessageAttempts and TransactionMessageRetryInterval
 * say, and then continues with its queue (OCPP 1.6, section 3.7.1). An unanswered stop is kept for ever and blocks that
 * queue, which is justified only while the database is unavailable.
 */
function refusalOf(id: string, action: string, because: RefusalReason): Refusal<Ocpp> {
  const isMoney = action === 'StartTransaction' || action === 'StopTransaction';
  if (because === 'unavailable' && isMoney) {
    const fault = { code: exchangeFaults.unavailable, description: 'not stored, so not answered' };
    const closing = { code: 'tryAgainLater', reason: 'try again later' } as const;
    return { reply: null, fault, closing, hearsTheRest: false };
  }
  const code = 'InternalError';
  const description = because === 'unavailable' ? 'not available now, try again' : 'the message could not be processed';
  const reply = writeError(id, code, description);
  return { reply, fault: { code, description }, closing: null, hearsTheRest: false };
}

function onReply(turn: OcppTurn, reply: ResultFrame | ErrorFrame, text: string): void {
  const out = outstandingCall(turn.state);
  if (out === null || out.sent.messageId !== reply.id) {
    const fault = { code: exchangeFaults.unknownReply, description: 'nothing waits for this reply, or no longer' };
    logFrame(turn, { action: null, messageId: reply.id, text: withoutReadablePassword(text), at: turn.now }, fault);
    return;
  }
  const outcome = reply.kind === 'error' ? errorOutcome(reply) : out.call.outcomeOf(reply.payload);
  const replyText = reply.kind === 'error' ? text : resultText(out.call.action, reply, text);
  endCall(turn, calls, out, { outcome, replyText, fault: faultOf(outcome) });
}

/** OCPP allows one call at a time. */
export function outstandingCall({ calls }: ConnectionState) {
  return calls?.out[0] ?? null;
}

function errorOutcome({ code, description, details }: ErrorFrame): CommandOutcome {
  const hasDetails = Object.keys(details).length > 0;
  return {
    kind: 'station-error',
    code: cleanText(code),
    description: cleanText(description),
    ...(hasDetails && { details: cleanJson(details) }),
  };
}

function faultOf(outcome: CommandOutcome): ExchangeFault | null {
  return outcome.kind === 'station-error' ? { code: outcome.code, description: outcome.description } : null;
}

function onFault(turn: OcppTurn, frame: FrameFault, text: string): void {
  const { intent, id: messageId, action, because } = frame;
  const description = faultDescriptions[because];
  const told = { action, messageId, text: legibleFault(frame, text), at: turn.now };
  const fault = { code: 'FormationViolation', description } as const;
  const out = outstandingCall(turn.state);
  if (intent === 'call' && messageId !== null) {
    const replyText = writeError(messageId, fault.code, description);
    answerFrame(turn, told, replyText, { replyText, fault });
  } else if (intent === 'reply' && messageId !== null && out?.sent.messageId === messageId) {
    const outcome = { kind: 'station-error', ...fault } as const;
    endCall(turn, calls, out, { outcome, replyText: told.text, fault });
  } else logFrame(turn, told, { code: exchangeFaults.unreadable, description });
}

function endWaitForBoot(turn: OcppTurn): void {
  const { state, now } = turn;
  const waits = { isBooting: machine.isIntroducing(state), isAnswering: state.unsentAnswers > 0 };
  if (!endBootWait(state, waits, now)) return;
  const trigger = toCall({ kind: 'trigger-message', message: 'boot' });
  if (trigger !== null) sendCall(turn, calls, null, trigger);
}

function clampHeartbeat(seconds: number): number {
  return Math.min(Math.max(Math.trunc(seconds) || 1, 1), heartbeatSecondsMax);
}
