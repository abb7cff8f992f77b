/**
 * The state machine of one pile's connection, seen from the platform. It knows the order of things, the waits and their
 * limits; what messages mean is in translate.ts, how they look in frame.ts, what we ask of the pile in calls.ts. Several
 * piles may share a socket: each has a connection of its own, which is fed the whole frames of its pile number.
 */
import { type ExchangeFault, exchangeFaults, faultOfUnusable } from '@voltdeck/charging/exchange';
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect, ConnectionInput, RefusalReason, Step } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import {
  forgetRefused,
  noteRefused,
  type RefusedCharge,
  refusedDueAt,
  takeDueRefused,
} from '@voltdeck/connection/refused-charges';
import { dayMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import {
  type Calls,
  callOf,
  callsDueAt,
  dropCalls,
  endPart,
  enqueue,
  expireCalls,
  sendCalls,
  settle,
} from './calls.ts';
import { fromPile, loggedText, type Told, ykcFaults } from './exchanges.ts';
import { bodyAt, crcBytes, emptyRemainder, type Frame, readFrames, readMessage, writeFrame } from './frame.ts';
import { toHex } from './hex.ts';
import { definitions, type Message, type MessageOf, type PileMessage, type PlatformMessage } from './messages/all.ts';
import type { Definition } from './messages/field.ts';
import { newerRecordType, withOlderRecord } from './newer-record.ts';
import {
  connectorNumberOf,
  type GunMemory,
  isChargingNow,
  liveSign,
  recordAnswer,
  type SpokenMessage,
  toAnswer,
  toEvents,
  undecided,
} from './translate.ts';
import { clockCall, replyKey, toCall } from './translate-commands.ts';
import { connectorNumberMax } from './translate-record.ts';

/** A pile sends a heartbeat for every gun port this often (section 3.3, rule 1); it can't be told another interval. */
export const heartbeatMs = 10 * secondMs;
/** Three missing heartbeats are a dead line; half of one more for a slow network. */
export const silenceHeartbeats = 3.5;
/** Between our answer to the login and the first that we ask, so that the answer is there first. */
export const loginSettleMs = secondMs;
/** A pile's clock is set at login and this often after. */
export const clockIntervalMs = dayMs;
/** How long the business may take over an event, before the pile is left to try again. */
export const businessWaitMs = minuteMs;
/** Frames in the inbox at which the socket is no longer read, and at which it is read again. */
export const inboxPauseAt = 32;
export const inboxResumeAt = 8;
/** What the socket had buffered still arrives after a pause; a pile beyond this is cut off. */
export const inboxMax = 256;
/** What the log keeps of bytes that are no frame. */
const loggedBytesMax = 512;
const never = instant(Number.MAX_SAFE_INTEGER);
const pileNoForm = /^\d{14}$/;

/** Words of RFC 6455 for why the connection ends, as every protocol here has them; a TCP socket is just closed. */
const closeCodes = { goingAway: 1001, policyViolation: 1008, tryAgainLater: 1013 } as const;

/** One whole frame. */
type Input = ConnectionInput<Uint8Array>;
type Effect = ConnectionEffect<Uint8Array>;

type Arrival = { sequence: number; text: string; at: Instant };

type InboxFrame = Arrival & {
  type: number;
  message: SpokenMessage;
  /** When the same content came again before it was answered: each is answered, the business hears it once. */
  repeats: Arrival[] | null;
};

/** The frame that the business hears, event by event. */
type Handed = {
  ref: number;
  events: readonly StationEvent[];
  /** Of the event that waits for its answer. */
  index: number;
  at: Instant;
  fault: ExchangeFault | null;
};

/** Read `lastFrameAt` and `nextWakeAt`; the rest belongs to `step`. */
export type ConnectionState = {
  lastFrameAt: Instant;
  /** When a `tick` is due, if nothing happens before. */
  nextWakeAt: Instant;
  pileNo: string;
  phase: 'open' | 'closing' | 'closed';
  isLoggedIn: boolean;
  /** Until then nothing is asked of the pile: `never` while our answer to its login is on its way, null when it is long ago. */
  settlesAt: Instant | null;
  clockDueAt: Instant;
  nextSequence: number;
  nextEventRef: number;
  guns: GunMemory[];
  /** In order of arrival; the first is with the business when `handed` says so. */
  inbox: InboxFrame[] | null;
  /** Frames and their repeats. */
  inboxCount: number;
  paused: boolean;
  handed: Handed | null;
  calls: Calls | null;
  /** Answers that wait to become durable before they leave. */
  unsentAnswers: number;
  refused: RefusedCharge[] | null;
};

export type ConnectionOptions = {
  /** 桩编号, 14 digits. */
  pileNo: string;
};

/** @throws RangeError for a pile number that is not 14 digits. */
export function openConnection({ pileNo }: ConnectionOptions, now: Instant): ConnectionState {
  if (!pileNoForm.test(pileNo)) throw new RangeError(`a pile number has 14 digits, got ${pileNo}`);
  const state: ConnectionState = {
    lastFrameAt: now,
    nextWakeAt: now,
    pileNo,
    phase: 'open',
    isLoggedIn: false,
    settlesAt: null,
    clockDueAt: never,
    nextSequence: 0,
    nextEventRef: 1,
    guns: [],
    inbox: null,
    inboxCount: 0,
    paused: false,
    handed: null,
    calls: null,
    unsentAnswers: 0,
    refused: null,
  };
  state.nextWakeAt = nextWakeAt(state);
  return state;
}

/**
 * The whole state machine. The state is private, changed in place and returned as it is: one caller owns it.
 * Send `tick` when `state.nextWakeAt` has come; a sweep over all connections once a second is precise enough.
 * @throws Error when an answer is of another event's kind.
 */
export function step(state: ConnectionState, input: Input, now: Instant): Step<ConnectionState, Uint8Array> {
  const effects: Effect[] = [];
  switch (input.kind) {
    case 'received':
      onBytes(state, input.frame, now, effects);
      break;
    case 'pong':
      state.lastFrameAt = now;
      break;
    case 'pinged':
      // A pile shows by its heartbeats that it lives.
      break;
    case 'answered':
      onAnswered(state, input.ref, input.answer, now, effects);
      break;
    case 'refused':
      if (state.handed?.ref === input.ref) refuse(state, input.because, now, effects);
      break;
    case 'sent':
      onSent(state, now);
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
  if (mayAsk(state)) sendCalls(state, () => isIdle(state), now, effects);
  state.nextWakeAt = nextWakeAt(state);
  return { state, effects };
}

/** When the pile counts as dead, if no frame of any kind arrives before. */
export function deadAt(state: ConnectionState): Instant {
  return instant(state.lastFrameAt + silenceHeartbeats * heartbeatMs);
}

export function isDead(state: ConnectionState, now: Instant): boolean {
  return now >= deadAt(state);
}

function nextWakeAt(state: ConnectionState): Instant {
  if (state.phase !== 'open') return never;
  let at: number = Math.min(deadAt(state), callsDueAt(state), state.clockDueAt, refusedDueAt(state));
  if (state.handed !== null) at = Math.min(at, state.handed.at + businessWaitMs);
  if (state.settlesAt !== null) at = Math.min(at, state.settlesAt);
  return instant(at);
}

function onBytes(state: ConnectionState, bytes: Uint8Array, now: Instant, effects: Effect[]): void {
  state.lastFrameAt = now;
  if (state.phase !== 'open') return;
  const { frames, skipped, remainder } = readFrames(emptyRemainder, bytes);
  const [frame] = frames;
  if (frame === undefined || frames.length > 1 || skipped > 0 || remainder.length > 0) {
    const told = { type: null, sequence: null, text: toHex(bytes.subarray(0, loggedBytesMax)), at: now };
    const description = 'no frame with a right length and checksum';
    effects.push(fromPile(told, null, now, { code: exchangeFaults.unreadable, description }));
    return;
  }
  receive(state, frame, now, effects);
}

function receive(state: ConnectionState, frame: Frame, now: Instant, effects: Effect[]): void {
  const { type, sequence } = frame;
  const told = { type, sequence, text: loggedText(frame.bytes), at: now };
  const log = (code: string, description: string) => effects.push(fromPile(told, null, now, { code, description }));
  const message = readMessage(withOlderRecord(frame));
  if (message.kind === 'fault') {
    if (message.because === 'encrypted') log(ykcFaults.encrypted, 'the body is encrypted');
    else if (message.because === 'body-too-short' || type === newerRecordType)
      onShortBody(state, frame, told, now, effects);
    else if (callOf(state, replyKey(type, {})) === null) log(ykcFaults.unknownType, 'this type is not known here');
    else onReply(state, type, null, told, now, effects);
  } else if (!isFromPile(message)) log(ykcFaults.wrongDirection, 'only a platform sends this type');
  else if (message.pileNo !== state.pileNo) log(ykcFaults.wrongStation, 'the frame is of another pile');
  else if (isGunWrong(message)) log(ykcFaults.wrongGun, `guns are 1 to ${connectorNumberMax}`);
  else if (isSpoken(message, state)) enterInbox(state, { ...told, type, message, repeats: null }, now, effects);
  else onReply(state, type, message, told, now, effects);
}

function isFromPile(message: Message): message is PileMessage {
  return definitions[message.kind].sender === 'pile';
}

/** A record is taken whatever its gun says, since its energy has flowed; a heartbeat is of the whole pile for us. */
function isGunWrong(message: PileMessage): boolean {
  if (!('gunNo' in message) || message.kind === 'transaction-record') return false;
  const gun = connectorNumberOf(message);
  return gun > connectorNumberMax || (gun < 1 && message.kind !== 'heartbeat');
}

const replies: ReadonlySet<string | null> = new Set(
  Object.values<Definition>(definitions)
    .filter(({ sender }) => sender === 'platform')
    .map(({ answer }) => answer),
);

/** Live data speak for themselves, asked for or not; the state of an update does when the line broke meanwhile. */
function isSpoken(message: PileMessage, state: ConnectionState): message is SpokenMessage {
  if (!replies.has(message.kind) || message.kind === 'realtime-data') return true;
  return message.kind === 'ota-reply' && callOf(state, replyKeyOf(message)) === null;
}

function replyKeyOf(message: PileMessage): string {
  return replyKey(definitions[message.kind].type, message);
}

const tradeNoBytes = 16;

/** A record that can't be read is refused, as far as it says which: the pile would send it again and again. */
function onShortBody(state: ConnectionState, frame: Frame, told: Told, now: Instant, effects: Effect[]): void {
  const fault = { code: ykcFaults.bodyTooShort, description: 'the body is shorter than its table says' };
  const to = bodyAt + tradeNoBytes;
  const isRecord = frame.type === definitions['transaction-record'].type || frame.type === newerRecordType;
  if (!isRecord || to + crcBytes > frame.bytes.length || !state.isLoggedIn) {
    effects.push(fromPile(told, null, now, fault));
    return;
  }
  const reply = writeFrame(recordAnswer(toHex(frame.bytes, bodyAt, to), 'illegal'), frame.sequence);
  effects.push(fromPile(told, reply, now, fault));
  pushAnswer(state, reply, effects);
}

/** Right behind its exchange. */
function pushAnswer(state: ConnectionState, frame: Uint8Array, effects: Effect[]): void {
  state.unsentAnswers += 1;
  effects.push({ kind: 'send', frame, isAnswer: true });
}

function enterInbox(state: ConnectionState, frame: InboxFrame, now: Instant, effects: Effect[]): void {
  if (state.inboxCount >= inboxMax) {
    const fault = { code: exchangeFaults.limitReached, description: 'too many frames without waiting for answers' };
    effects.push(fromPile(frame, null, now, fault));
    close(state, closeCodes.policyViolation, 'too many unanswered frames', effects);
    return;
  }
  state.inbox ??= [];
  const twin =
    definitions[frame.message.kind].answer === null ? undefined : state.inbox.find((one) => isTwin(one, frame));
  if (twin === undefined) state.inbox.push(frame);
  else {
    twin.repeats ??= [];
    twin.repeats.push({ sequence: frame.sequence, text: frame.text, at: now });
  }
  state.inboxCount += 1;
  if (!state.paused && state.inboxCount >= inboxPauseAt) {
    state.paused = true;
    effects.push({ kind: 'pause' });
  }
  handOver(state, now, effects);
}

/** Type and body are the same; a repeated frame may have another sequence, and so another checksum. */
function isTwin(one: InboxFrame, other: InboxFrame): boolean {
  const from = 2 * (bodyAt - 1);
  return one.text.slice(from, -2 * crcBytes) === other.text.slice(from, -2 * crcBytes);
}

/** Frames are handed to the business one by one, in order; those that it need not see are finished here. */
function handOver(state: ConnectionState, now: Instant, effects: Effect[]): void {
  while (state.phase === 'open' && state.handed === null) {
    const first = state.inbox?.[0];
    if (first === undefined) return;
    const { message } = first;
    if (!state.isLoggedIn && message.kind !== 'login') {
      finishFirst(
        state,
        null,
        { code: ykcFaults.notLoggedIn, description: 'the pile has not logged in' },
        now,
        effects,
      );
      continue;
    }
    const gun = message.kind === 'realtime-data' ? gunOf(state, connectorNumberOf(message)) : null;
    const unusable: string[] = [];
    const events = toEvents(message, gun, now, unusable);
    const [event] = events;
    const fault = faultOfUnusable(unusable);
    if (event === undefined) {
      finishFirst(state, null, fault, now, effects);
      continue;
    }
    state.handed = { ref: nextRef(state), events, index: 0, at: now, fault };
    effects.push({ kind: 'event', ref: state.handed.ref, event });
  }
}

function nextRef(state: ConnectionState): number {
  state.nextEventRef += 1;
  return state.nextEventRef - 1;
}

function gunOf(state: ConnectionState, connectorNumber: number): GunMemory {
  const known = state.guns.find((gun) => gun.connectorNumber === connectorNumber);
  if (known !== undefined) return known;
  const gun: GunMemory = { connectorNumber, told: null, isCharging: false, begun: null, awaitsPlug: null };
  state.guns.push(gun);
  return gun;
}

/** Answers the first frame of the inbox, and as often as it was repeated, and takes it out. */
function finishFirst(
  state: ConnectionState,
  reply: PlatformMessage | null,
  fault: ExchangeFault | null,
  now: Instant,
  effects: Effect[],
): void {
  const first = state.inbox?.shift();
  if (first === undefined) return;
  if (state.inbox?.length === 0) state.inbox = null;
  state.handed = null;
  const { type, message, repeats } = first;
  const asked = message.kind === 'realtime-data' ? callOf(state, replyKeyOf(message)) : null;
  if (asked !== null) endPart(state, asked, { type, message, body: '' }, first.text, now, effects);
  else pushReply(state, type, first, reply, fault, now, effects);
  for (const repeat of repeats ?? []) pushReply(state, type, repeat, reply, fault, now, effects);
  state.inboxCount -= 1 + (repeats?.length ?? 0);
  if (state.paused && state.inboxCount <= inboxResumeAt && state.phase === 'open') {
    state.paused = false;
    effects.push({ kind: 'resume' });
  }
}

function pushReply(
  state: ConnectionState,
  type: number,
  arrival: Arrival,
  reply: PlatformMessage | null,
  fault: ExchangeFault | null,
  now: Instant,
  effects: Effect[],
): void {
  const frame = reply === null ? null : writeFrame(reply, arrival.sequence);
  effects.push(fromPile({ type, ...arrival }, frame, now, fault));
  if (frame !== null) pushAnswer(state, frame, effects);
}

function onAnswered(state: ConnectionState, ref: number, answer: EventAnswer, now: Instant, effects: Effect[]): void {
  const { handed } = state;
  const first = state.inbox?.[0];
  if (handed?.ref !== ref || first === undefined) return;
  const { message } = first;
  const event = handed.events[handed.index];
  if (event?.kind === 'charge-started' && message.kind === 'realtime-data') {
    if (answer.kind !== 'charge-started') throw new Error(`${answer.kind} does not answer ${event.kind}`);
    gunOf(state, event.connectorNumber).begun = message.tradeNo;
    if (answer.authorization !== 'accepted') {
      noteRefused(state, { connectorNumber: event.connectorNumber, transaction: message.tradeNo, dueAt: now });
    }
  }
  if (nextEvent(state, handed, now, effects)) return;
  const said = toAnswer(message, answer);
  if (message.kind === 'realtime-data') rememberLive(state, message);
  if (message.kind === 'transaction-record') forgetRefused(state, ({ transaction }) => transaction === message.tradeNo);
  const noTariff = { code: ykcFaults.noTariff, description: 'there is no tariff that the pile could run' };
  finishFirst(state, said.message, said.because === undefined ? handed.fault : noTariff, now, effects);
  if (answer.kind === 'boot') onLoginAnswered(state, answer.decision === 'accepted', now, effects);
  askRefused(state, now);
  handOver(state, now, effects);
}

/** False after the last. */
function nextEvent(state: ConnectionState, handed: Handed, now: Instant, effects: Effect[]): boolean {
  const next = handed.events[handed.index + 1];
  if (next === undefined) return false;
  handed.index += 1;
  handed.ref = nextRef(state);
  handed.at = now;
  effects.push({ kind: 'event', ref: handed.ref, event: next });
  return true;
}

/** Only what the business has taken is no news any more. */
function rememberLive(state: ConnectionState, message: MessageOf<'realtime-data'>): void {
  const gun = gunOf(state, connectorNumberOf(message));
  gun.told = liveSign(message);
  gun.isCharging = isChargingNow(message);
  forgetRefused(
    state,
    ({ connectorNumber, transaction }) =>
      connectorNumber === gun.connectorNumber && !(gun.isCharging && transaction === message.tradeNo),
  );
}

function onSent(state: ConnectionState, now: Instant): void {
  state.unsentAnswers -= 1;
  if (state.settlesAt === never && state.unsentAnswers === 0) state.settlesAt = instant(now + loginSettleMs);
}

function onLoginAnswered(state: ConnectionState, isAccepted: boolean, now: Instant, effects: Effect[]): void {
  state.isLoggedIn = isAccepted;
  // After a reboot nothing is as it was.
  state.guns = [];
  state.refused = null;
  if (!isAccepted) {
    close(state, closeCodes.policyViolation, 'login refused', effects);
    return;
  }
  state.settlesAt = never;
  setClock(state, now);
}

function setClock(state: ConnectionState, now: Instant): void {
  state.clockDueAt = instant(now + clockIntervalMs);
  enqueue(state, null, clockCall(state.pileNo), now);
}

function askRefused(state: ConnectionState, now: Instant): void {
  for (const { connectorNumber } of takeDueRefused(state, now)) {
    const call = toCall({ kind: 'stop-charge', transaction: 0, connectorNumber }, state.pileNo);
    if (call.ok) enqueue(state, null, call.value, now);
  }
}

/**
 * The business could not take an event; see RefusalReason. A record stays unanswered then: the pile keeps it until it is
 * confirmed, sends it a few times more (section 3.3, rule 9) and again after its next login. While nothing can be stored
 * the line is closed, so that the next login comes; a record that alone is broken is not worth that.
 */
function refuse(state: ConnectionState, because: RefusalReason, now: Instant, effects: Effect[]): void {
  const { handed } = state;
  const first = state.inbox?.[0];
  if (handed === null || first === undefined) return;
  const { message } = first;
  const isAway = because === 'unavailable';
  const fault: ExchangeFault = isAway
    ? { code: exchangeFaults.unavailable, description: 'not stored, so not answered' }
    : { code: ykcFaults.internalError, description: 'the message could not be processed' };
  if (message.kind === 'transaction-record') {
    if (isAway) {
      finishFirst(state, null, fault, now, effects);
      close(state, closeCodes.tryAgainLater, 'try again later', effects);
      return;
    }
    handed.fault = fault;
    // The end counts, whatever was wrong with the start.
    if (nextEvent(state, handed, now, effects)) return;
    finishFirst(state, null, fault, now, effects);
  } else if (message.kind === 'login') {
    const refused: EventAnswer = { kind: 'boot', decision: 'rejected', heartbeatSeconds: heartbeatMs / secondMs };
    finishFirst(state, isAway ? null : toAnswer(message, refused).message, fault, now, effects);
    if (isAway) close(state, closeCodes.tryAgainLater, 'try again later', effects);
    else onLoginAnswered(state, false, now, effects);
    return;
  } else if (message.kind === 'charge-application' || message.kind === 'parallel-charge-application') {
    finishFirst(state, toAnswer(message, undecided).message, fault, now, effects);
  } else finishFirst(state, null, fault, now, effects);
  handOver(state, now, effects);
}

function onReply(
  state: ConnectionState,
  type: number,
  message: PileMessage | null,
  told: Told,
  now: Instant,
  effects: Effect[],
): void {
  const out = callOf(state, message === null ? replyKey(type, {}) : replyKeyOf(message));
  if (out === null) {
    const fault = { code: exchangeFaults.unknownReply, description: 'nothing waits for this reply, or no longer' };
    effects.push(fromPile(told, null, now, isLateStart(state, message) ? null : fault));
    return;
  }
  const body = told.text.slice(2 * bodyAt, -2 * crcBytes);
  const outcome = endPart(state, out, { type, message, body }, told.text, now, effects);
  const { startOf } = out.call;
  if (startOf !== null) {
    const gun = gunOf(state, startOf.connectorNumber);
    gun.awaitsPlug = outcome?.kind === 'scheduled' ? startOf.transaction : null;
    // Until the next live data say otherwise.
    if (outcome?.kind === 'accepted') gun.isCharging = true;
  }
}

/** Plugged in after all: the second reply to the same start (section 3.3, rule 3). */
function isLateStart(state: ConnectionState, message: PileMessage | null): boolean {
  if (message?.kind !== 'remote-start-reply' && message?.kind !== 'remote-parallel-start-reply') return false;
  return state.guns.some(
    ({ connectorNumber, awaitsPlug }) => connectorNumber === message.gunNo && awaitsPlug === message.tradeNo,
  );
}

function onCommand(
  state: ConnectionState,
  ref: string,
  command: StationCommand,
  now: Instant,
  effects: Effect[],
): void {
  if (state.phase !== 'open') {
    settle(ref, { kind: 'offline' }, effects);
    return;
  }
  const call = toCall(command, state.pileNo);
  if (!call.ok) settle(ref, call.error, effects);
  else if (!enqueue(state, ref, call.value, now)) settle(ref, { kind: 'busy' }, effects);
}

/** No gun port charges or is about to. */
function isIdle(state: ConnectionState): boolean {
  const isStarting = state.calls?.out.some(({ call }) => call.startOf !== null) ?? false;
  return !isStarting && !state.guns.some(({ isCharging }) => isCharging);
}

/** Nothing is asked of a pile that has not logged in, or is just about to do it anew. */
function mayAsk(state: ConnectionState): boolean {
  if (state.calls === null || state.phase !== 'open' || !state.isLoggedIn || state.settlesAt !== null) return false;
  if (state.unsentAnswers > 0) return false;
  return state.inbox === null || !state.inbox.some(({ message }) => message.kind === 'login');
}

function onTick(state: ConnectionState, now: Instant, effects: Effect[]): void {
  if (state.phase !== 'open') return;
  if (isDead(state, now)) {
    close(state, closeCodes.goingAway, 'no sign of life', effects);
    return;
  }
  if (state.settlesAt !== null && now >= state.settlesAt) state.settlesAt = null;
  expireCalls(state, now, effects);
  if (now >= state.clockDueAt) setClock(state, now);
  askRefused(state, now);
  if (state.handed !== null && now >= state.handed.at + businessWaitMs) refuse(state, 'unavailable', now, effects);
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
  dropCalls(state, fault, now, effects);
  while (state.inbox !== null) finishFirst(state, null, fault, now, effects);
}
